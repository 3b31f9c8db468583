import BatonCore
import Support
import Testing

/// An app at a node's local socket that begins activities, and hears what becomes of them.
struct ActedApp: ~Copyable {
    private var peer: LocalPeer
    let app: String
    private var number: UInt64 = 0
    /// What was answered and nobody has looked at.
    private var answers: [UInt64: LocalAnswer] = [:]
    /// The open question for the next event.
    private var listening: UInt64?

    init(_ node: RunningNode, app: String = "org.example") throws {
        peer = try node.connect()
        self.app = app
    }

    mutating func ask(_ request: LocalRequest) throws -> LocalAnswer {
        try answer(to: try begin(request))
    }

    /// Asks, and does not wait for the answer.
    mutating func begin(_ request: LocalRequest) throws -> UInt64 {
        number += 1
        try peer.send(request.frame(number: number).encoded)
        return number
    }

    /// The answer to a question.
    mutating func answer(to number: UInt64) throws -> LocalAnswer {
        while true {
            if let answer = answers.removeValue(forKey: number) { return answer }
            guard let frame = try peer.next() else { throw DeadlinePassed(description: "the node hung up") }
            guard frame.kind == .localAnswer else { continue }
            let (number, answer) = try LocalAnswer.read(frame)
            answers[number] = answer
        }
    }

    /// Asks for the next event, so that the node knows of it, and does not wait for that.
    mutating func listen() throws {
        listening = try begin(.awaitEvent)
        _ = try ask(.settings)
    }

    /// Begins an activity, and answers with what the node says of it.
    @discardableResult
    mutating func start(
        _ title: String, instance: String = "1", type: String = "org.example.edit",
        lifetime: ActivityLifetime = .untilFinished, _ change: (inout ActivityChange) -> Void = { _ in }
    ) throws -> ActivitySummary {
        var made = ActivityChange()
        made.title = title
        change(&made)
        return try activity(
            .start(
                StartActivity(
                    app: app, instance: instance, lifetime: lifetime, type: type, change: made)))
    }

    @discardableResult
    mutating func update(
        _ title: String, instance: String = "1", eligibility: Eligibility? = nil
    ) throws -> ActivitySummary {
        var change = ActivityChange()
        (change.title, change.eligibility) = (title, eligibility)
        return try activity(.update(.instance(app: app, instance: instance), change))
    }

    @discardableResult
    mutating func finish(instance: String = "1") throws -> ActivitySummary {
        try activity(.finish(.instance(app: app, instance: instance)))
    }

    /// Asks for something whose answer is an activity.
    mutating func activity(_ request: LocalRequest) throws -> ActivitySummary {
        let answer = try ask(request)
        guard case .activity(let summary) = answer else { throw DeadlinePassed(description: "\(answer)") }
        return summary
    }

    /// The next event.
    mutating func event() throws -> AppEvent {
        let question = try listening.take() ?? begin(.awaitEvent)
        let answer = try answer(to: question)
        guard case .event(let event) = answer else { throw DeadlinePassed(description: "\(answer)") }
        return event
    }

    /// The next change of the list.
    mutating func changes(after number: UInt64?) throws -> ActivityChanges {
        let answer = try ask(.watch(after: number))
        guard case .changes(let changes) = answer else { throw DeadlinePassed(description: "\(answer)") }
        return changes
    }

    /// Brings its activity up to date when it is asked to, with that title, and answers with the event that comes next.
    mutating func saveWhenAsked(_ title: String?) throws -> AppEvent {
        guard case .save(let number, _) = try event() else { throw DeadlinePassed(description: "no save") }
        var change = ActivityChange()
        change.title = title
        guard case .done = try ask(.saved(number, title == nil ? nil : change)) else {
            throw DeadlinePassed(description: "it was not taken")
        }
        return try event()
    }
}

extension RunningNode {
    /// What is listed.
    func list(_ extent: ListActivities.Extent = .goingOn) throws -> [ActivitySummary] {
        let answer = try ask(.list(ListActivities(extent)))
        guard case .activities(let activities, true) = answer else {
            throw DeadlinePassed(description: "\(answer)")
        }
        return activities
    }

    /// The titles of what is listed.
    func titles(_ extent: ListActivities.Extent = .goingOn) throws -> [String] {
        try list(extent).compactMap(\.activity.title)
    }

    func continued(_ call: ContinueActivity = ContinueActivity(.last)) throws -> ContinuedActivity {
        let answer = try ask(.continueActivity(call))
        guard case .continued(let continued) = answer else { throw DeadlinePassed(description: "\(answer)") }
        return continued
    }

    func refusal(of request: LocalRequest) throws -> LocalFailure {
        let answer = try ask(request)
        guard case .failure(let failure) = answer else { throw DeadlinePassed(description: "\(answer)") }
        return failure
    }
}
