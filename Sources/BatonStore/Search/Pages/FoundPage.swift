/// A page of the results of a search, all read at the same moment.
package struct FoundPage: Equatable, Sendable {
    package var things: [ShownThing]
    /// Whether no further page follows.
    package var isLast: Bool
    package var coverage: SearchCoverage
    /// The corrected text that was searched for, because one of the typed words is found nowhere; nil if nothing was
    /// corrected.
    package var corrected: String?

    package init(things: [ShownThing], isLast: Bool, coverage: SearchCoverage, corrected: String? = nil) {
        (self.things, self.isLast) = (things, isLast)
        (self.coverage, self.corrected) = (coverage, corrected)
    }
}
