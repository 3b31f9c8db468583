public import Foundation

/// A shortcut with the occasions on which it is of use.
open class INRelevantShortcut: NSObject {
    /// The shortcut.
    public let shortcut: INShortcut
    /// The occasions.
    open var relevanceProviders: [INRelevanceProvider] = []

    /// Creates a shortcut without occasions.
    public init(shortcut: INShortcut) {
        self.shortcut = shortcut
        super.init()
    }
}

/// An occasion on which a shortcut is of use.
open class INRelevanceProvider: NSObject {}

/// A time at which a shortcut is of use.
open class INDateRelevanceProvider: INRelevanceProvider {
    /// The beginning of the time.
    public let startDate: Date
    /// The end of the time; nil for a moment.
    public let endDate: Date?

    /// Creates a time.
    public init(start startDate: Date, end endDate: Date?) {
        (self.startDate, self.endDate) = (startDate, endDate)
        super.init()
    }
}

/// The place where an app gives its relevant shortcuts; on Linux nothing shows them.
public final class INRelevantShortcutStore: NSObject, Sendable {
    /// The only object of this class.
    public static let `default` = INRelevantShortcutStore()

    private override init() { super.init() }

    /// Replaces the relevant shortcuts of the app; nothing on Linux shows them.
    @preconcurrency
    public func setRelevantShortcuts(
        _ shortcuts: [INRelevantShortcut], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        if let completionHandler { Callbacks.call { completionHandler(nil) } }
    }

    /// Replaces the relevant shortcuts of the app; nothing on Linux shows them.
    nonisolated(nonsending) public func setRelevantShortcuts(
        _ shortcuts: [INRelevantShortcut]
    ) async throws {}
}
