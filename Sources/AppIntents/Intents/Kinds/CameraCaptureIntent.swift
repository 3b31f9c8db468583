/// Takes pictures.
public protocol CameraCaptureIntent: SystemIntent {}
