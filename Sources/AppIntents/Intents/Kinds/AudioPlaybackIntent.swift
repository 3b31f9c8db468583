/// Plays sound.
@_alwaysEmitConformanceMetadata
public protocol AudioPlaybackIntent: SystemIntent {}
