import BatonClient
package import BatonCore

/// Follows the list of activities of a node: decides the next call, and turns each answer into events.
package struct ActivityWatch {
    /// The known activities, by identifier.
    private var known: [String: ActivitySummary] = [:]
    /// The version of the list, once the node has sent it.
    private var number: UInt64?
    /// Whether the last call was for a part of the list.
    private var isListing = false
    /// The parts of the list that have arrived so far.
    private var listed: [ActivitySummary] = []

    package init() {}

    /// A change of the list.
    package enum Happening: Equatable, Sendable {
        /// The whole list follows, and replaces everything reported before.
        case anew
        case changed(ActivitySummary)
        /// The activity ended or was hidden; this is its last known state.
        case gone(ActivitySummary)
    }

    /// The activities, most recently changed first.
    package var summaries: [ActivitySummary] { known.values.sorted { $0.place < $1.place } }

    /// Returns the first call to a node that was just connected.
    package mutating func begin() -> any LocalCall {
        (number, listed, isListing) = (nil, [], false)
        return WatchActivities(after: nil)
    }

    /// Takes the answer to the last call; returns the changes and the next call.
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
    /// A change of the list, as one line.
    package init(_ happening: ActivityWatch.Happening) {
        switch happening {
        case .anew: self = .event("anew")
        case .changed(let summary): self = .event("changed", Member("activity", JSON(summary)))
        case .gone(let summary): self = .event("gone", Member("id", .string(summary.identifier)))
        }
    }

    /// An event that is not an answer.
    package static func event(_ name: String, _ members: Member...) -> JSON {
        event(name, members: members)
    }

    /// An event that is not an answer, with a list of members.
    static func event(_ name: String, members: [Member]) -> JSON {
        .object([Member("event", .string(name))] + members)
    }
}
