public import CoreSpotlight

/// An entity in the index, found on all of the person's machines.
@_alwaysEmitConformanceMetadata
public protocol IndexedEntity: AppEntity {
    /// The attributes in the index.
    ///
    /// Properties with an indexing key override the same attributes here, and so do title, subtitle and picture of the
    /// entity's `displayRepresentation`.
    var attributeSet: CSSearchableItemAttributeSet { get }
    /// Whether searches leave the entity out.
    var hideInSpotlight: Bool { get }
}

extension IndexedEntity {
    /// The attributes that follow from `displayRepresentation` and from the properties.
    public var attributeSet: CSSearchableItemAttributeSet { defaultAttributeSet }

    /// Title, subtitle, picture and other words of `displayRepresentation`.
    public var defaultAttributeSet: CSSearchableItemAttributeSet {
        let attributes = CSSearchableItemAttributeSet(contentType: .content)
        EntityAttributes.set(displayRepresentation, in: attributes)
        return attributes
    }

    /// False: searches find the entity.
    public var hideInSpotlight: Bool { false }
}
