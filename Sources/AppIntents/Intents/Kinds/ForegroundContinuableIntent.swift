/// An intent that may begin in the background and continue in the app's window.
@_alwaysEmitConformanceMetadata
public protocol ForegroundContinuableIntent: AppIntent {}

extension ForegroundContinuableIntent {
    /// Brings the app to the front, and then runs the closure; throws if the person declines.
    public func requestToContinueInForeground<Value: Sendable>(
        _ dialog: IntentDialog? = nil, perform continuation: @MainActor @Sendable () async throws -> Value
    ) async throws -> Value {
        try await IntentRun.continueInForeground(dialog?.text, confirms: true)
        return try await continuation()
    }

    /// Brings the app to the front; throws if the person declines.
    public func requestToContinueInForeground(_ dialog: IntentDialog? = nil) async throws {
        try await IntentRun.continueInForeground(dialog?.text, confirms: true)
    }

    /// Returns an error that ends the intent, brings the app to the front, and then runs the closure.
    public func needsToContinueInForegroundError(
        _ dialog: IntentDialog? = nil, continuation: @escaping @MainActor @Sendable () async throws -> Void
    ) -> IntentParameterNeed {
        IntentParameterNeed {
            try await IntentRun.continueInForeground(dialog?.text, confirms: true)
            try await continuation()
            throw CancellationError()
        }
    }
}

/// Modes of intents that may continue in the app's window.
extension ForegroundContinuableIntent {
    /// In the background first.
    public static var supportedModes: IntentModes { [.background, .foreground(.dynamic)] }
}
