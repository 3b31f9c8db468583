public import CoreSpotlight
import Foundation

extension CSSearchableItem {
    /// Creates the item of an entity; deferred properties are left out.
    public convenience init<Entity: IndexedEntity>(appEntity entity: Entity) {
        self.init(appEntity: entity, priority: 0)
    }

    /// Creates the item of an entity with a priority; deferred properties are left out.
    public convenience init<Entity: IndexedEntity>(appEntity entity: Entity, priority: Int) {
        self.init(entity: entity, priority: priority, attributes: EntityAttributes.attributes(of: entity))
    }

    /// Creates the item of an entity, and waits for deferred properties.
    public convenience init<Entity: IndexedEntity>(appEntity entity: Entity) async throws {
        try await self.init(
            entity: entity, priority: 0, attributes: EntityAttributes.awaitedAttributes(of: entity))
    }

    /// Creates the item of an entity with a priority, and waits for deferred properties.
    public convenience init<Entity: IndexedEntity>(appEntity entity: Entity, priority: Int) async throws {
        try await self.init(
            entity: entity, priority: priority, attributes: EntityAttributes.awaitedAttributes(of: entity))
    }

    private convenience init(
        entity: some IndexedEntity, priority: Int, attributes: CSSearchableItemAttributeSet
    ) {
        let association = EntityAssociation(entity.entityIdentifier, priority: priority)
        association.write(.subject, to: attributes)
        // A rank of an item goes from 0 to 100, a priority is any number.
        if priority != 0 { attributes.rankingHint = NSNumber(value: 50 + min(50, max(-50, priority))) }
        self.init(
            uniqueIdentifier: association.itemIdentifier, domainIdentifier: association.domain,
            attributeSet: attributes)
        expirationDate = .distantFuture
    }

    /// Says which entity the item is about; the entity then needs no entry of its own.
    public func associateAppEntity<Entity: IndexedEntity>(_ entity: Entity, priority: Int = 0) {
        attributeSet.associateAppEntity(entity, priority: priority)
    }

    /// Says which entity the item is about, and waits for deferred properties.
    public func associateAppEntity<Entity: IndexedEntity>(_ entity: Entity, priority: Int = 0) async throws {
        attributeSet.associateAppEntity(
            entity, priority: priority, with: try await EntityAttributes.awaitedAttributes(of: entity))
    }

    /// The entity to which the item belongs, as a parent.
    public var relatedAppEntityIdentifier: EntityIdentifier? {
        get { attributeSet.relatedAppEntityIdentifier }
        set { attributeSet.relatedAppEntityIdentifier = newValue }
    }
}
