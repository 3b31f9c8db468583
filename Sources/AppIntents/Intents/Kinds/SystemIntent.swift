/// An intent that stands for something the system does.
public protocol SystemIntent: AppIntent {}
