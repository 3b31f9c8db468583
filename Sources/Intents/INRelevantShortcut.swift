public import Foundation

/// A shortcut, and the occasions on which it is useful.
open class INRelevantShortcut: NSObject {
    /// The shortcut.
    public let shortcut: INShortcut
    /// The occasions on which the shortcut is useful.
    open var relevanceProviders: [INRelevanceProvider] = []
    /// The text and the picture that are shown in place of the shortcut's own.
    open var watchTemplate: INDefaultCardTemplate?
    /// The kind of the app's widget that shows the same content as the shortcut.
    open var widgetKind: String?
    /// Whether the shortcut performs an action or shows information.
    open var shortcutRole: INRelevantShortcutRole = .action

    /// Creates a relevant shortcut without occasions.
    public init(shortcut: INShortcut) {
        self.shortcut = shortcut
        super.init()
    }
}

/// Whether a shortcut performs an action or shows information.
public enum INRelevantShortcutRole: Int, Sendable {
    /// The shortcut performs an action.
    case action = 0
    /// The shortcut shows information.
    case information = 1
}

/// A title, a second line of text and a picture, which are shown for a shortcut.
open class INDefaultCardTemplate: NSObject, NSCopying {
    /// The title.
    open var title: String
    /// The second line of text.
    open var subtitle: String?
    /// The picture.
    open var image: INImage?

    /// Creates a template with a title.
    public init(title: String) {
        self.title = title
        super.init()
    }

    /// Returns a template with the same properties.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = INDefaultCardTemplate(title: title)
        (copy.subtitle, copy.image) = (subtitle, image)
        return copy
    }
}

/// An occasion on which a shortcut is useful.
open class INRelevanceProvider: NSObject {}

/// A time at which a shortcut is useful.
open class INDateRelevanceProvider: INRelevanceProvider {
    /// The start of the time.
    public let startDate: Date
    /// The end of the time; nil if the time is only a moment.
    public let endDate: Date?

    /// Creates an occasion for a time.
    public init(start startDate: Date, end endDate: Date?) {
        (self.startDate, self.endDate) = (startDate, endDate)
        super.init()
    }
}

/// A situation in a person's day in which a shortcut is useful.
open class INDailyRoutineRelevanceProvider: INRelevanceProvider {
    /// The situation.
    public let situation: INDailyRoutineSituation

    /// Creates an occasion for a situation.
    public init(situation: INDailyRoutineSituation) {
        self.situation = situation
        super.init()
    }
}

/// A situation in a person's day.
public enum INDailyRoutineSituation: Int, Sendable {
    /// The person has just woken up.
    case morning = 0
    /// The person is about to go to bed.
    case evening = 1
    /// The person is at home.
    case home = 2
    /// The person is at work.
    case work = 3
    /// The person is at school.
    case school = 4
    /// The person is at the gym.
    case gym = 5
    /// The person is on the way to work or home.
    case commute = 6
    /// Headphones are connected.
    case headphonesConnected = 7
    /// The person is doing sports.
    case activeWorkout = 8
    /// The person has moved less than planned.
    case physicalActivityIncomplete = 9
}

/// The object that receives the app's relevant shortcuts; on Linux, nothing shows them.
public final class INRelevantShortcutStore: NSObject, Sendable {
    /// The only object of this class.
    public static let `default` = INRelevantShortcutStore()

    private override init() { super.init() }

    /// Replaces the app's relevant shortcuts; on Linux, nothing shows them.
    @preconcurrency
    public func setRelevantShortcuts(
        _ shortcuts: [INRelevantShortcut], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        if let completionHandler { Callbacks.call { completionHandler(nil) } }
    }

    /// Replaces the app's relevant shortcuts; on Linux, nothing shows them.
    nonisolated(nonsending) public func setRelevantShortcuts(
        _ shortcuts: [INRelevantShortcut]
    ) async throws {}
}
