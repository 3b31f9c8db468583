public import Foundation

/// An action that may be suggested: an intent, or an activity to go on with.
open class INShortcut: NSObject, NSCopying {
    /// The intent, if it is one.
    public let intent: INIntent?
    /// The activity, if it is one.
    public let userActivity: NSUserActivity?

    /// Creates a shortcut to an intent.
    public init?(intent: INIntent) {
        (self.intent, userActivity) = (intent, nil)
        super.init()
    }

    /// Creates a shortcut to an activity.
    public init(userActivity: NSUserActivity) {
        (intent, self.userActivity) = (nil, userActivity)
        super.init()
    }

    /// Returns the shortcut itself, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A shortcut for which a person has chosen words to say; on Linux there are none.
open class INVoiceShortcut: NSObject {
    /// The identifier of the person's choice.
    public let identifier: UUID
    /// The words.
    public let invocationPhrase: String
    /// The shortcut.
    public let shortcut: INShortcut

    package init(identifier: UUID, invocationPhrase: String, shortcut: INShortcut) {
        (self.identifier, self.invocationPhrase, self.shortcut) = (identifier, invocationPhrase, shortcut)
        super.init()
    }
}

/// The place where an app suggests shortcuts; on Linux nothing shows them.
public final class INVoiceShortcutCenter: NSObject, Sendable {
    /// The only object of this class.
    public static let shared = INVoiceShortcutCenter()

    private override init() { super.init() }

    /// Replaces the shortcuts that the app suggests; nothing on Linux shows them.
    public func setShortcutSuggestions(_ suggestions: [INShortcut]) {}

    /// Gives the handler the shortcuts of this app for which the person has chosen words: none on Linux.
    @preconcurrency
    public func getAllVoiceShortcuts(
        completion completionHandler: @escaping @Sendable ([INVoiceShortcut]?, (any Error)?) -> Void
    ) { Callbacks.call { completionHandler([], nil) } }

    /// Returns the shortcuts of this app for which the person has chosen words: none on Linux.
    nonisolated(nonsending) public func allVoiceShortcuts() async throws -> [INVoiceShortcut] { [] }
}
