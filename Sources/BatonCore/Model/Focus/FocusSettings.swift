/// The focuses of the person, and the one that is on.
package struct FocusSettings: Equatable, Sendable {
    /// The focuses, in the order of their names.
    package var focuses: [Focus]
    /// The last switch; nil if none was ever on.
    package var last: PresentFocus?

    package init(_ focuses: [Focus], last: PresentFocus? = nil) {
        self.focuses = focuses.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        self.last = last
    }

    /// Reads the settings from records; those that can't be read are left out.
    package init(_ records: [Record], last: Record?) {
        self.init(records.compactMap { Focus($0) }, last: last.flatMap { PresentFocus($0) })
    }

    /// Returns the focus with a name, compared byte for byte.
    package func focus(named name: String) -> Focus? {
        focuses.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// The focus that is on; nil if none is.
    ///
    /// A focus that another device deleted while it was on counts as off.
    package var present: Focus? { last?.name.flatMap { focus(named: $0) } }
}
