/// An intent that hears about its end when the person cancels it.
public protocol CancellableIntent: AppIntent {}
