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

/// The place where an app suggests shortcuts; on Linux nothing shows them.
public final class INVoiceShortcutCenter: NSObject, Sendable {
    /// The only object of this class.
    public static let shared = INVoiceShortcutCenter()

    private override init() { super.init() }

    /// Replaces the shortcuts that the app suggests; nothing on Linux shows them.
    public func setShortcutSuggestions(_ suggestions: [INShortcut]) {}
}
