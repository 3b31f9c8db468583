/// Begins a live activity; Linux shows none.
@_alwaysEmitConformanceMetadata
public protocol LiveActivityStartingIntent: LiveActivityIntent {}
