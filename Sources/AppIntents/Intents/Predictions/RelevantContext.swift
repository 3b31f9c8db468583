public import Foundation

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
    /// A span of time.
    public static func date(from start: Date, to end: Date) -> RelevantContext {
        RelevantContext(kind: .dates(start, end))
    }
    /// A span of time.
    public static func date(interval: DateInterval) -> RelevantContext {
        .date(from: interval.start, to: interval.end)
    }
    /// A place that the system knows; Linux knows none.
    public static func location(inferred location: InferredLocation) -> RelevantContext {
        RelevantContext(kind: .location(location))
    }
    /// A state of the person's training; Linux knows none.
    public static func fitness(_ kind: FitnessKind) -> RelevantContext {
        RelevantContext(kind: .fitness(kind))
    }
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
        /// The way between two of these places.
        case commute
    }

    /// A state of the person's training.
    public enum FitnessKind: Hashable, Sendable {
        /// Activity rings are not closed.
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
