/// Begins or changes a live activity; Linux shows none.
@_alwaysEmitConformanceMetadata
public protocol LiveActivityIntent: SystemIntent {}
