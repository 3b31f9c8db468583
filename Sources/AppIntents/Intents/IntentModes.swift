/// The ways in which an intent may be performed.
public struct IntentModes: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Without the app's window.
    public static let background = IntentModes(rawValue: 1 << 0)
    /// With the app's window in front.
    public static let foreground: IntentModes = .foreground(.immediate)

    /// With the app's window in front, in one of three ways.
    public static func foreground(_ mode: ForegroundMode) -> IntentModes {
        switch mode {
        case .immediate: IntentModes(rawValue: 1 << 1)
        case .dynamic: IntentModes(rawValue: 1 << 2)
        case .deferred: IntentModes(rawValue: 1 << 3)
        }
    }

    /// The moment in which an app comes to the front.
    public enum ForegroundMode: Hashable, Sendable {
        /// Before the intent is performed.
        case immediate
        /// When the intent asks for it.
        case dynamic
        /// After the intent was performed.
        case deferred
    }

    /// Whether a mode lets the intent continue in the foreground.
    package var canContinueInForeground: Bool {
        !isDisjoint(with: [.foreground(.dynamic), .foreground(.deferred), .foreground(.immediate)])
    }
}
