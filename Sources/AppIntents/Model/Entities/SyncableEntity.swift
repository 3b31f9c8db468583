/// An entity whose identity is the same on all machines; on Linux that holds of every entity.
@_alwaysEmitConformanceMetadata
public protocol SyncableEntity: AppEntity {}
