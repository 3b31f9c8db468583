public import Foundation

/// An action that may be suggested.
public enum INShortcut: Hashable {
    /// An action that the app carries out by an intent.
    case intent(INIntent)
    /// An activity to continue.
    case userActivity(NSUserActivity)

    /// Creates a shortcut to an intent; never returns nil on Linux, because any intent can be donated.
    public init?(intent: INIntent) { self = .intent(intent) }

    /// Creates a shortcut to an activity.
    public init(userActivity: NSUserActivity) { self = .userActivity(userActivity) }

    /// The intent; nil if the shortcut is an activity.
    public var intent: INIntent? {
        if case .intent(let intent) = self { intent } else { nil }
    }

    /// The activity; nil if the shortcut is an intent.
    public var userActivity: NSUserActivity? {
        if case .userActivity(let activity) = self { activity } else { nil }
    }
}

extension INShortcut: CustomStringConvertible, CustomDebugStringConvertible {
    /// A description of the intent or the activity.
    public var description: String {
        switch self {
        case .intent(let intent): "INShortcut(intent: \(intent))"
        case .userActivity(let activity): "INShortcut(userActivity: \(activity))"
        }
    }

    /// The same text as `description`.
    public var debugDescription: String { description }
}

/// A shortcut that a person can start by speaking a phrase; on Linux, there are no such shortcuts.
open class INVoiceShortcut: NSObject {
    /// The identifier of the shortcut that the person has set up.
    public let identifier: UUID
    /// The phrase that the person speaks.
    public let invocationPhrase: String
    /// The shortcut.
    public let shortcut: INShortcut

    package init(identifier: UUID, invocationPhrase: String, shortcut: INShortcut) {
        (self.identifier, self.invocationPhrase, self.shortcut) = (identifier, invocationPhrase, shortcut)
        super.init()
    }
}

/// The object that receives the shortcuts that an app suggests; on Linux, nothing shows them.
public final class INVoiceShortcutCenter: NSObject, Sendable {
    /// The only object of this class.
    public static let shared = INVoiceShortcutCenter()

    private override init() { super.init() }

    /// Replaces the shortcuts that the app suggests; on Linux, nothing shows them.
    public func setShortcutSuggestions(_ suggestions: [INShortcut]) {}

    /// Passes to the handler the shortcuts of this app that a person can start by a phrase; on Linux, there are none.
    @preconcurrency
    public func getAllVoiceShortcuts(
        completion completionHandler: @escaping @Sendable ([INVoiceShortcut]?, (any Error)?) -> Void
    ) { Callbacks.call { completionHandler([], nil) } }

    /// Returns the shortcuts of this app that a person can start by a phrase; on Linux, there are none.
    nonisolated(nonsending) public func allVoiceShortcuts() async throws -> [INVoiceShortcut] { [] }
}
