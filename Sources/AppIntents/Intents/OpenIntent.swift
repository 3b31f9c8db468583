/// Shows an entity or another value in the app.
public protocol OpenIntent: SystemIntent {
    /// The type of what is shown.
    associatedtype Value: AppValue

    /// What is shown.
    var target: Value { get set }
}

extension OpenIntent {
    /// True: the app shows the target.
    public static var openAppWhenRun: Bool { true }
    /// Does nothing: the app is opened, and its own `perform()` shows more.
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}

/// Deletes entities.
public protocol DeleteIntent: SystemIntent {
    /// The type of the entities.
    associatedtype Entity: AppEntity

    /// The entities to delete.
    var entities: [Entity] { get set }
}

/// Sets one value, such as whether something is on.
public protocol SetValueIntent: SystemIntent {
    /// The type of the value.
    associatedtype ValueType: _IntentValue

    /// The value to set.
    var value: ValueType { get set }
}

/// An intent that can be undone; on Linux a mark.
public protocol UndoableIntent: AppIntent {}

/// Shows something beside a dialog; on Linux its dialog is shown.
public protocol SnippetIntent: AppIntent {}

extension SnippetIntent {
    /// Does nothing: Linux shows no snippets.
    public static func reload() {}
}
