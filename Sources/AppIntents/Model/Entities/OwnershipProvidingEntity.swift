/// An entity that says to whom it belongs; on Linux only a marker.
@_alwaysEmitConformanceMetadata
public protocol OwnershipProvidingEntity: AppEntity {}
