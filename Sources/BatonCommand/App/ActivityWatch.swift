package import BatonClient
package import BatonCore

/// Follows the node's list of activities: decides which call to make next, and turns each answer into events.
package struct ActivityWatch {
    /// The known activities, by identifier.
    private var known: [String: ActivitySummary] = [:]
    /// The version of the list, or nil before the node has sent one.
    private var number: UInt64?
    /// Whether the last call was `ListActivities`, which fetches one part of the list, rather than `WatchActivities`.
    private var isListing = false
    /// The parts of the list that have arrived so far.
    private var listed: [ActivitySummary] = []

    package init() {}

    /// A change of the list.
    package enum Happening: Equatable, Sendable {
        /// Everything reported before is no longer valid; the whole list follows.
        case anew
        case changed(ActivitySummary)
        /// The activity has ended or was hidden.
        ///
        /// The value is its last known state.
        case gone(ActivitySummary)
    }

    /// The activities, most recently changed first.
    package var summaries: [ActivitySummary] { known.values.sorted { $0.place < $1.place } }

    /// Returns the first call to make after a node was connected.
    package mutating func begin() -> any LocalCall {
        (number, listed, isListing) = (nil, [], false)
        return WatchActivities(after: nil)
    }

    /// Reads the answer to the last call, and returns the changes and the next call.
    package mutating func receiveAnswer(
        _ answer: LocalAnswer
    ) throws(LocalFailure) -> (happenings: [Happening], next: any LocalCall) {
        guard isListing else { return receiveChanges(try answer.reply(to: WatchActivities.self)) }
        return receivePart(try answer.reply(to: ListActivities.self))
    }

    private mutating func receiveChanges(_ changes: ActivityChanges) -> ([Happening], any LocalCall) {
        let isAnew = changes.isAnew || number == nil
        number = changes.number
        guard isAnew else { return (apply(changes), WatchActivities(after: number)) }
        (listed, isListing) = ([], true)
        return ([], ListActivities())
    }

    private mutating func receivePart(_ part: ActivitiesReply) -> ([Happening], any LocalCall) {
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
    /// Converts one change of the list to a line of JSON.
    package init(_ happening: ActivityWatch.Happening) {
        switch happening {
        case .anew: self = .event("anew")
        case .changed(let summary): self = .event("changed", Member("activity", JSON(summary)))
        case .gone(let summary): self = .event("gone", Member("id", .string(summary.identifier)))
        }
    }

    /// Creates an event: a line that is not the answer to a command.
    package static func event(_ name: String, _ members: Member...) -> JSON {
        event(name, members: members)
    }

    /// Creates an event with an array of members.
    static func event(_ name: String, members: [Member]) -> JSON {
        .object([Member("event", .string(name))] + members)
    }
}
