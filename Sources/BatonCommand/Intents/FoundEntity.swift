package import BatonCore

/// An entity that a search found.
package struct FoundEntity: Equatable, Sendable {
    /// The name of its type.
    package let type: String
    /// The identifier among the entities of its type.
    package let identifier: String
    /// The item that is about the entity; its identifier can be another one.
    package let result: SearchResult

    /// Creates the entity of a result; nil if the result is not an item about an entity of that type.
    init?(_ result: SearchResult, ofType type: String) {
        guard let entity = result.thing.item?.entity, entity.type.utf8.elementsEqual(type.utf8) else {
            return nil
        }
        self.type = type
        identifier = entity.identifier
        self.result = result
    }
}
