/// Takes pictures.
@_alwaysEmitConformanceMetadata
public protocol CameraCaptureIntent: SystemIntent {}
