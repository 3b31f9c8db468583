public import Foundation

/// A shortcut with the occasions on which it is of use.
open class INRelevantShortcut: NSObject {
    /// The shortcut.
    public let shortcut: INShortcut
    /// The occasions.
    open var relevanceProviders: [INRelevanceProvider] = []
    /// The text and picture that are shown instead of those of the shortcut.
    open var watchTemplate: INDefaultCardTemplate?
    /// The kind of the app's widget that shows the same content.
    open var widgetKind: String?
    /// Whether the shortcut does something or shows something.
    open var shortcutRole: INRelevantShortcutRole = .action

    /// Creates a shortcut without occasions.
    public init(shortcut: INShortcut) {
        self.shortcut = shortcut
        super.init()
    }
}

/// Whether a shortcut does something or shows something.
public enum INRelevantShortcutRole: Int, Sendable {
    /// It does something.
    case action = 0
    /// It shows something.
    case information = 1
}

/// A title, a second line and a picture that stand for a shortcut.
open class INDefaultCardTemplate: NSObject, NSCopying {
    /// The title.
    open var title: String
    /// The second line.
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

/// A part of a person's day in which a shortcut is of use.
open class INDailyRoutineRelevanceProvider: INRelevanceProvider {
    /// The part of the day.
    public let situation: INDailyRoutineSituation

    /// Creates an occasion from a part of the day.
    public init(situation: INDailyRoutineSituation) {
        self.situation = situation
        super.init()
    }
}

/// A part of a person's day.
public enum INDailyRoutineSituation: Int, Sendable {
    /// The time after waking up.
    case morning = 0
    /// The time before going to bed.
    case evening = 1
    /// Being at home.
    case home = 2
    /// Being at work.
    case work = 3
    /// Being at school.
    case school = 4
    /// Being at the gym.
    case gym = 5
    /// Being on the way to work or back.
    case commute = 6
    /// Headphones are connected.
    case headphonesConnected = 7
    /// Doing sports.
    case activeWorkout = 8
    /// Having moved less than planned.
    case physicalActivityIncomplete = 9
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
