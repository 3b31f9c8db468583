/// An intent that stands for something the system does.
@_alwaysEmitConformanceMetadata
public protocol SystemIntent: AppIntent {}
