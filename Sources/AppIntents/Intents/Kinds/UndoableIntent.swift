/// An intent that can be undone; on Linux a mark.
public protocol UndoableIntent: AppIntent {}
