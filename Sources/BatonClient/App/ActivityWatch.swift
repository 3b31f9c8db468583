package import BatonCore

/// Follows the list of current activities: says which call to make next, and what the answer tells.
package struct ActivityWatch {
    /// What is going on, as far as that is known, by identifier.
    private var known: [String: ActivitySummary] = [:]
    /// The number that the list has, once a node said so.
    private var number: UInt64?
    /// Whether the last call was for a part of the list.
    private var isListing = false
    /// The parts that have come.
    private var listed: [ActivitySummary] = []

    package init() {}

    /// What happened to the list.
    package enum Happening: Equatable, Sendable {
        /// It is told from the beginning; what was told before counts no more.
        case anew
        case changed(ActivitySummary)
        /// It ended, or is to be shown no more; it was told as this last.
        case gone(ActivitySummary)
    }

    /// The activities, the one that changed last first.
    package var summaries: [ActivitySummary] { known.values.sorted { $0.place < $1.place } }

    /// Begins to follow the list of a node that was just met.
    package mutating func begin() -> any LocalCall {
        (number, listed, isListing) = (nil, [], false)
        return WatchActivities(after: nil)
    }

    /// Takes the answer to the last call, and returns what happened and the next call.
    package mutating func take(
        _ answer: LocalAnswer
    ) throws(LocalFailure) -> (happenings: [Happening], next: any LocalCall) {
        guard isListing else { return take(try answer.reply(to: WatchActivities.self)) }
        return take(try answer.reply(to: ListActivities.self))
    }

    private mutating func take(_ changes: ActivityChanges) -> ([Happening], any LocalCall) {
        let isAnew = changes.isAnew || number == nil
        number = changes.number
        guard isAnew else { return (apply(changes), WatchActivities(after: number)) }
        (listed, isListing) = ([], true)
        return ([], ListActivities())
    }

    private mutating func take(_ part: ActivitiesReply) -> ([Happening], any LocalCall) {
        listed += part.activities
        guard part.isLast || part.activities.isEmpty else {
            return ([], ListActivities(after: listed.last?.place))
        }
        known = Dictionary(listed.map { ($0.identifier, $0) }) { $1 }
        (listed, isListing) = ([], false)
        return ([.anew] + summaries.map { .changed($0) }, WatchActivities(after: number))
    }

    private mutating func apply(_ changes: ActivityChanges) -> [Happening] {
        var happenings: [Happening] = []
        for identifier in changes.gone {
            if let summary = known.removeValue(forKey: identifier) { happenings.append(.gone(summary)) }
        }
        for summary in changes.changed where known.updateValue(summary, forKey: summary.identifier) != summary
        {
            happenings.append(.changed(summary))
        }
        return happenings
    }
}

extension JSON {
    /// What happened to the list, a line each.
    package init(_ happening: ActivityWatch.Happening) {
        switch happening {
        case .anew: self = .event("anew")
        case .changed(let summary): self = .event("changed", Member("activity", JSON(summary)))
        case .gone(let summary): self = .event("gone", Member("id", .string(summary.identifier)))
        }
    }

    /// Something that happened by itself.
    package static func event(_ name: String, _ members: Member...) -> JSON {
        .object([Member("event", .string(name))] + members)
    }
}
