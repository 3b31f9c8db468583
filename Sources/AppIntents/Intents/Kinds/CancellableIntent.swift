/// An intent that can be told of its cancellation; on Linux only a marker.
@_alwaysEmitConformanceMetadata
public protocol CancellableIntent: AppIntent {}
