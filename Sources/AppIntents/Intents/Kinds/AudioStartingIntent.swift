/// Begins to play sound.
@_alwaysEmitConformanceMetadata
public protocol AudioStartingIntent: SystemIntent {}
