/// Entities that a search of the index found.
package struct EntityItemPage: Sendable {
    /// The identifiers of the entities, each once.
    package let identifiers: [String]
    /// Whether no further items match.
    package let isLast: Bool
    /// Whether all items were searched.
    package let isWhole: Bool

    init(_ identifiers: [String], isLast: Bool, isWhole: Bool) {
        (self.identifiers, self.isLast, self.isWhole) = (identifiers, isLast, isWhole)
    }
}
