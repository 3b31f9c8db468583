/// An intent that can be told of its cancellation; on Linux only a marker.
public protocol CancellableIntent: AppIntent {}
