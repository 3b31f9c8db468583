/// An entity of which there is one, such as the settings of an app.
@_alwaysEmitConformanceMetadata
public protocol UniqueAppEntity: AppEntity where DefaultQuery: UniqueAppEntityQuery {}

extension UniqueAppEntity {
    /// The name of the type, because there is only one entity.
    public var id: String { Self.persistentIdentifier }
}
