import BatonNetwork
public import Foundation

/// An intent that is likely to be wanted at a time or in a place.
public struct RelevantIntent: Sendable {
    /// The name of the intent's type.
    package let intent: any WidgetConfigurationIntent
    /// The widget that shows it; Linux shows none.
    package let widgetKind: String
    /// When it is likely to be wanted.
    package let relevance: RelevantContext

    /// Creates a hint.
    public init(_ intent: some WidgetConfigurationIntent, widgetKind: String, relevance: RelevantContext) {
        (self.intent, self.widgetKind, self.relevance) = (intent, widgetKind, relevance)
    }
}

/// When an intent is likely to be wanted.
public struct RelevantContext: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case date(Date)
        case dates(Date, Date)
        case location(InferredLocation)
        case fitness(FitnessKind)
        case sleep(SleepKind)
        case headphones(HeadphoneKind)
    }

    package let kind: Kind

    /// A point in time.
    public static func date(_ date: Date) -> RelevantContext { RelevantContext(kind: .date(date)) }
    /// A time.
    public static func date(from start: Date, to end: Date) -> RelevantContext {
        RelevantContext(kind: .dates(start, end))
    }
    /// A time.
    public static func date(interval: DateInterval) -> RelevantContext {
        .date(from: interval.start, to: interval.end)
    }
    /// A place that the system knows; Linux knows none.
    public static func location(inferred location: InferredLocation) -> RelevantContext {
        RelevantContext(kind: .location(location))
    }
    /// A state of the person's training; Linux knows none.
    public static func fitness(_ kind: FitnessKind) -> RelevantContext { RelevantContext(kind: .fitness(kind)) }
    /// A state of the person's sleep; Linux knows none.
    public static func sleep(_ kind: SleepKind) -> RelevantContext { RelevantContext(kind: .sleep(kind)) }
    /// A device that is connected; Linux looks at none.
    public static func hardware(headphones kind: HeadphoneKind) -> RelevantContext {
        RelevantContext(kind: .headphones(kind))
    }

    /// A place that the system knows.
    public enum InferredLocation: Hashable, Sendable {
        /// The person's home.
        case home
        /// Where the person works.
        case work
        /// Where the person learns.
        case school
        /// The way between two of them.
        case commute
    }

    /// A state of the person's training.
    public enum FitnessKind: Hashable, Sendable {
        /// Rings are not closed.
        case activityRingsIncomplete
        /// A training is under way.
        case workoutActive
    }

    /// A state of the person's sleep.
    public enum SleepKind: Hashable, Sendable {
        /// The time before bed.
        case bedtime
        /// The time after sleep.
        case wakeup
    }

    /// A state of headphones.
    public enum HeadphoneKind: Hashable, Sendable {
        /// They are connected.
        case connected
    }
}

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
