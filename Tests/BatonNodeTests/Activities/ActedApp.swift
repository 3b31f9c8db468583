import BatonCore
import Support
import Testing

/// A scripted app at a node's local socket that starts activities, and awaits events about them.
struct ActedApp: ~Copyable {
    private var peer: LocalPeer
    let app: String
    private var number: UInt64 = 0
    /// The answers that were received, and not asked for yet.
    private var answers: [UInt64: LocalAnswer] = [:]
    /// The open request for the next event.
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

    /// A call whose answer is not read yet.
    struct Question<Call: LocalCall> {
        fileprivate let number: UInt64
    }

    /// Whether the answer to a call has been received, before the answer to a later one.
    func hasAnswer(to question: Question<some LocalCall>) -> Bool { answers[question.number] != nil }

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

    /// Requests the next event without waiting for it; returns once the node has the request.
    mutating func listen() throws {
        listening = try begin(AwaitEvent())
        _ = try ask(GetSettings())
    }

    /// Starts an activity, and returns the node's summary of it.
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

    /// Waits for the next event.
    mutating func event() throws -> AppEvent {
        try answer(to: try listening.take() ?? begin(AwaitEvent())).get()
    }

    /// Waits for the next change of the list.
    mutating func changes(after number: UInt64?) throws -> ActivityChanges {
        try ask(WatchActivities(after: number)).get()
    }

    /// Waits for a request to save, saves its activity with a title, and returns the next event.
    mutating func saveWhenAsked(_ title: String?) throws -> AppEvent {
        guard case .save(let number, _) = try event() else { throw DeadlinePassed(description: "no save") }
        var change = ActivityChange()
        change.title = title
        guard case .success = try ask(ReportSaved(number, title == nil ? nil : change)) else {
            throw DeadlinePassed(description: "the saved state was refused")
        }
        return try event()
    }
}

extension RunningNode {
    /// Returns the activities that are listed.
    func list(_ extent: ListActivities.Extent = .goingOn) throws -> [ActivitySummary] {
        let reply = try ask(ListActivities(extent)).get()
        guard reply.isLast else { throw DeadlinePassed(description: "\(reply)") }
        return reply.activities
    }

    /// Returns the titles of the activities that are listed.
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
