/// Messages about activities that are continued on another device.
extension Session {
    /// Asks the peer for the latest state of an activity that is going on there; returns the number that the event will
    /// carry, or nil if the session is not open or too many requests are unanswered.
    package mutating func requestContinue(_ identity: RecordIdentity, takes: Bool) -> UInt64? {
        guard isOpen, let number = continuing.ask() else { return nil }
        let request = ContinueRequest(number: number, identity: identity, takes: takes)
        frames.append(PeerMessage.continueRequest(request).frame)
        return number
    }

    /// Answers the peer's request.
    ///
    /// Many devices can change a record together to more than fits a frame; then nothing is sent of it, either.
    package mutating func answerContinue(_ number: UInt64, _ outcome: ContinueAnswer.Outcome) {
        guard !isClosed, continuing.answer(number) else { return }
        var outcome = outcome
        if case .fields(let fields, _) = outcome, !fields.canBeWritten { outcome = .unavailable }
        frames.append(PeerMessage.continueAnswer(ContinueAnswer(number: number, outcome: outcome)).frame)
    }

    mutating func handle(_ request: ContinueRequest) throws(CloseReason) {
        guard continuing.handleRequest(request.number) else {
            throw CloseReason(.unexpected, "too many requests to continue, or one twice")
        }
        try conduct.handleContinueRequest(at: now)
        events.append(.continueRequested(request))
    }

    mutating func handle(_ answer: ContinueAnswer) throws(CloseReason) {
        guard continuing.handleAnswer(answer.number) else {
            throw CloseReason(.unexpected, "an answer to what was not asked")
        }
        events.append(.continueAnswered(answer))
    }
}

/// The unanswered requests to continue in either direction, limited in number.
struct ContinueRequests: Sendable {
    private var last: UInt64 = 0
    /// The requests that the peer has not answered yet.
    private var asked: Set<UInt64> = []
    /// The requests that the peer waits for.
    private var asking: Set<UInt64> = []

    /// Begins another request; returns its number, or nil if too many are unanswered.
    mutating func ask() -> UInt64? {
        guard asked.count < Limits.continuingRequests else { return nil }
        last += 1
        asked.insert(last)
        return last
    }

    /// Handles an answer of the peer; false if nothing was asked under that number.
    mutating func handleAnswer(_ number: UInt64) -> Bool { asked.remove(number) != nil }

    /// Handles a request of the peer; false if too many are unanswered, or this one was made before.
    mutating func handleRequest(_ number: UInt64) -> Bool {
        asking.count < Limits.continuingRequests && asking.insert(number).inserted
    }

    /// Notes that this side answers; false if the peer does not wait for that.
    mutating func answer(_ number: UInt64) -> Bool { asking.remove(number) != nil }
}
