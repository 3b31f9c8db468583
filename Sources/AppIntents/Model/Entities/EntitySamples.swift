import BatonNetwork

/// An entity of each type, as far as the app has made one: its properties tell titles and index attributes, which a
/// type alone does not.
///
/// An entity is noted when the app indexes it. That is early enough: only indexed entities have attributes to search
/// by.
package final class EntitySamples: Sendable {
    /// The entities of this process.
    package static let shared = EntitySamples()

    private let samples = Monitor<[String: any AppEntity]>([:])

    private init() {}

    /// Notes an entity, unless one of its type is known; returns whether the type is new.
    @discardableResult
    package func note(_ entity: any AppEntity) -> Bool {
        let name = type(of: entity).persistentIdentifier
        let isNew = samples.change { samples in
            guard samples[name] == nil else { return false }
            samples[name] = entity
            return true
        }
        if isNew { LibraryUse.note(.newEntityType) }
        return isNew
    }

    /// Returns an entity of a type: one that was indexed, or an empty one if the type can make it.
    package func sample(of type: any AppEntity.Type) -> (any AppEntity)? {
        if let known = samples.change({ $0[type.persistentIdentifier] }) { return known }
        return (type as? any TransientAppEntity.Type).map { $0.init() }
    }

    /// Returns an entity of a type that the app's own query offers; nil if it offers none.
    package func offeredSample(of type: any AppEntity.Type) async throws -> (any AppEntity)? {
        guard let offered = try await type.offeredEntities().first else { return nil }
        note(offered)
        return offered
    }
}

extension AppEntity {
    /// Returns the entities that the query offers.
    fileprivate static func offeredEntities() async throws -> [any AppEntity] {
        try await defaultQuery.offeredEntities()
    }
}
