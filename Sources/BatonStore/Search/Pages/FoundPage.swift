/// A page of results, as they are at one moment.
package struct FoundPage: Equatable, Sendable {
    package var things: [ShownThing]
    /// Whether no further page follows.
    package var isLast: Bool
    package var coverage: SearchCoverage
    /// The text that was searched for instead, because one of the typed words is found nowhere.
    package var corrected: String?
}
