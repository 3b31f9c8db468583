/// An intent that tells an undo manager how to undo it.
@_alwaysEmitConformanceMetadata
public protocol UndoableIntent: AppIntent {}

extension UndoableIntent {
    /// Nil: no system on Linux undoes an intent.
    @MainActor public var undoManager: UndoManager? { nil }
}
