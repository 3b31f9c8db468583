public import CoreSpotlight

/// An entity of the app that is on a screen of one of the person's machines.
///
/// An entity is on a screen while an activity with its ``CoreSpotlight/NSUserActivity/appEntityIdentifier`` is current.
/// Apple's systems have no such type.
public struct EntityOnScreen<Entity: AppEntity>: Sendable {
    /// The identifier of the entity.
    public let id: Entity.ID
    /// The name of the machine.
    public let device: String
    /// Whether the machine is this one.
    public let isOnThisDevice: Bool
    /// The time when the activity was last changed.
    public let changed: Date
}

extension BatonApplication {
    /// Returns the entities of a type that are on the screens of the person's machines, the one that was changed last
    /// first.
    ///
    /// An app only learns of its own activities. The person decides which of them leave a machine, by
    /// `baton private on` for all apps, and by `baton settings app APP handoff off` for one.
    public func entitiesOnScreens<Entity: AppEntity>(
        of type: Entity.Type
    ) async throws -> [EntityOnScreen<Entity>] {
        LibraryUse.note(.call)
        return try await ShownEntity.all().compactMap { shown in
            guard shown.type == type.persistentIdentifier,
                let identifier = Entity.ID.entityIdentifier(for: shown.identifier)
            else { return nil }
            return EntityOnScreen(
                id: identifier, device: shown.device, isOnThisDevice: shown.isHere, changed: shown.changed)
        }
    }
}
