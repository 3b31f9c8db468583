public import CoreSpotlight

extension CSSearchableItemAttributeSet {
    /// Says which entity the item is about; attributes that the item lacks come from the entity.
    public func associateAppEntity<Entity: IndexedEntity>(_ entity: Entity, priority: Int = 0) {
        associateAppEntity(entity, priority: priority, with: EntityAttributes.attributes(of: entity))
    }

    func associateAppEntity(
        _ entity: some IndexedEntity, priority: Int, with attributes: CSSearchableItemAttributeSet
    ) {
        EntityAssociation(entity.entityIdentifier, priority: priority).write(.subject, to: self)
        if title == nil { title = attributes.title }
        if contentDescription == nil { contentDescription = attributes.contentDescription }
        if thumbnailData == nil, thumbnailURL == nil {
            thumbnailData = attributes.thumbnailData
            thumbnailURL = attributes.thumbnailURL
        }
    }

    /// The entity to which the item belongs, as a parent.
    public var relatedAppEntityIdentifier: EntityIdentifier? {
        get { EntityAssociation(.parent, of: self)?.entityIdentifier }
        set {
            EntityAssociation.remove(.parent, from: self)
            if let newValue { EntityAssociation(newValue).write(.parent, to: self) }
        }
    }
}
