/// Takes the intents that the app thinks likely to be wanted; nothing on Linux shows them.
public final class RelevantIntentManager: Sendable {
    /// The manager of this process.
    public static let shared = RelevantIntentManager()

    private init() {}

    /// Does nothing: no system shows the intents.
    public func updateRelevantIntents(_ intents: [RelevantIntent]) async throws {}
}
