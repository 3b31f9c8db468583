import BatonNetwork

/// The types of entities that this process knows by name.
///
/// A type is noted when the app uses it, and all types of the program once its conformance records have been read.
package final class EntityTypes: Sendable {
    /// The types of this process.
    package static let shared = EntityTypes()

    private let types = Monitor<[String: any AppEntity.Type]>([:])

    private init() {}

    /// Registers a type under its name.
    package func register(_ type: any AppEntity.Type) {
        types.change { $0[type.persistentIdentifier] = type }
    }

    /// Returns the type with a name; nil if it is not known.
    package func type(named name: String) -> (any AppEntity.Type)? { types.change { $0[name] } }
}
