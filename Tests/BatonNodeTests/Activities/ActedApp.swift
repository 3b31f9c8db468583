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
    private var listening: Question<AwaitEvent>?

    init(_ node: RunningNode, app: String = "org.example") throws {
        peer = try node.connect()
        self.app = app
    }

    mutating func ask<Call: LocalCall>(_ call: Call) throws -> Result<Call.Reply, LocalFailure> {
        try answer(to: try begin(call))
    }

    /// Makes a call, and does not wait for the answer.
    mutating func begin<Call: LocalCall>(_ call: Call) throws -> Question<Call> {
        number += 1
        try peer.send(call.frame(number: number).encoded)
        return Question(number: number)
    }

    /// A call that was made.
    struct Question<Call: LocalCall> {
        fileprivate let number: UInt64
    }

    /// Waits for the answer to a call.
    mutating func answer<Call: LocalCall>(
        to question: Question<Call>
    ) throws -> Result<Call.Reply, LocalFailure> {
        while true {
            if let answer = answers.removeValue(forKey: question.number) { return try answer.result() }
            guard let frame = try peer.next() else { throw DeadlinePassed(description: "the node hung up") }
            guard frame.kind == .localAnswer else { continue }
            let answer = try LocalAnswer(frame)
            answers[answer.number] = answer
        }
    }

    /// Asks for the next event, so that the node knows of it, and does not wait for that.
    mutating func listen() throws {
        listening = try begin(AwaitEvent())
        _ = try ask(GetSettings())
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
            StartActivity(
                app: app, instance: instance, lifetime: lifetime, type: type, change: made))
    }

    @discardableResult
    mutating func update(
        _ title: String, instance: String = "1", eligibility: Eligibility? = nil
    ) throws -> ActivitySummary {
        var change = ActivityChange()
        (change.title, change.eligibility) = (title, eligibility)
        return try activity(UpdateActivity(.instance(app: app, instance: instance), change))
    }

    @discardableResult
    mutating func finish(instance: String = "1") throws -> ActivitySummary {
        try activity(FinishActivity(.instance(app: app, instance: instance)))
    }

    /// Makes a call whose reply is an activity.
    mutating func activity<Call: LocalCall>(_ call: Call) throws -> ActivitySummary
    where Call.Reply == ActivitySummary {
        try ask(call).get()
    }

    /// The next event.
    mutating func event() throws -> AppEvent {
        try answer(to: try listening.take() ?? begin(AwaitEvent())).get()
    }

    /// The next change of the list.
    mutating func changes(after number: UInt64?) throws -> ActivityChanges {
        try ask(WatchActivities(after: number)).get()
    }

    /// Brings its activity up to date when it is asked to, with that title, and answers with the event that comes next.
    mutating func saveWhenAsked(_ title: String?) throws -> AppEvent {
        guard case .save(let number, _) = try event() else { throw DeadlinePassed(description: "no save") }
        var change = ActivityChange()
        change.title = title
        guard case .success = try ask(ReportSaved(number, title == nil ? nil : change)) else {
            throw DeadlinePassed(description: "it was not taken")
        }
        return try event()
    }
}

extension RunningNode {
    /// What is listed.
    func list(_ extent: ListActivities.Extent = .goingOn) throws -> [ActivitySummary] {
        let reply = try ask(ListActivities(extent)).get()
        guard reply.isLast else { throw DeadlinePassed(description: "\(reply)") }
        return reply.activities
    }

    /// The titles of what is listed.
    func titles(_ extent: ListActivities.Extent = .goingOn) throws -> [String] {
        try list(extent).compactMap(\.activity.title)
    }

    func continued(_ call: ContinueActivity = ContinueActivity(.last)) throws -> ContinuedActivity {
        try ask(call).get()
    }

    func refusal(of call: some LocalCall) throws -> LocalFailure {
        let answer = try ask(call)
        guard case .failure(let failure) = answer else { throw DeadlinePassed(description: "\(answer)") }
        return failure
    }
}
