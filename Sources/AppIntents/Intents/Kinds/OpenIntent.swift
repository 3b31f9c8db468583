/// Shows an entity or another value in the app.
@_alwaysEmitConformanceMetadata
public protocol OpenIntent: SystemIntent {
    /// The type of what is shown.
    associatedtype Value: AppValue

    /// The entity or value to show.
    var target: Value { get set }
}

extension OpenIntent {
    /// True: the app shows the target.
    public static var openAppWhenRun: Bool { true }
    /// Does nothing: the app opens anyway, and an app's own `perform()` can show more.
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> { .result() }
}
