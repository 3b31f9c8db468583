import BatonNetwork

/// Keeps the intents that the app thinks likely to be wanted.
public final class RelevantIntentManager: Sendable {
    /// The manager of this process.
    public static let shared = RelevantIntentManager()

    private let intents = Monitor<[RelevantIntent]>([])

    private init() {}

    /// Replaces the intents; an empty list removes them.
    public func updateRelevantIntents(_ intents: [RelevantIntent]) async throws {
        self.intents.change { $0 = intents }
    }

    /// The intents of the last call.
    package var current: [RelevantIntent] { intents.change { $0 } }
}
