/// An intent that can be undone; on Linux only a marker.
public protocol UndoableIntent: AppIntent {}
