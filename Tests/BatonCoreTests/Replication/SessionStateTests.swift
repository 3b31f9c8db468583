import BatonCore
import Support
import Testing

@Suite struct `A session in each state` {
    /// The messages that a peer may send, by name.
    enum Said: CaseIterable {
        case hello, standing, batch, acknowledgement, continueRequest, continueAnswer, addresses, close

        var message: PeerMessage {
            switch self {
            case .hello: SessionScript.hello()
            case .standing: .standing(Standing(complete: SessionScript.compared))
            case .batch: .batch(Batch(number: 1, lane: .index, writes: [], complete: VersionVector()))
            case .acknowledgement: .acknowledgement(1)
            case .continueRequest:
                .continueRequest(ContinueRequest(number: 1, identity: SessionScript.write(1).identity))
            case .continueAnswer: .continueAnswer(ContinueAnswer(number: 1, outcome: .gone(to: nil)))
            case .addresses: .addresses([])
            case .close: .close(CloseReason(.goingAway, "bye"))
            }
        }
    }

    /// Returns whether a message is accepted in a state; all others are refused as unexpected.
    private static func isTaken(_ said: Said, at stage: SessionScript.Stage) -> Bool {
        switch (stage, said) {
        case (_, .close), (.closed, _): true
        case (.starting, .hello), (.greeting, .hello): true
        case (.comparing, .standing): true
        case (.exchanging, .batch), (.exchanging, .continueRequest), (.exchanging, .addresses): true
        default: false
        }
    }

    @Test(arguments: SessionScript.Stage.allCases, Said.allCases)
    func `accepts the messages of that state and refuses all others`(
        _ stage: SessionScript.Stage, _ said: Said
    ) throws {
        let script = SessionScript(at: stage)
        script.handle(said.message)
        guard Self.isTaken(said, at: stage) else {
            // Nothing was sent that could be acknowledged.
            let code = stage == .exchanging && said == .acknowledgement ? CloseCode.notSent : .unexpected
            #expect(script.closeCode == code && script.isClosed)
            guard case .close(let reason)? = try script.takeMessages().last else {
                throw CloseReason(.unexpected, "the peer is not told why")
            }
            return #expect(reason.code == code)
        }
        #expect(script.closeCode == nil)
        #expect(script.isClosed == (said == .close || stage == .closed))
    }

    @Test(arguments: SessionScript.Stage.allCases)
    func `sends nothing once it is closed`(_ stage: SessionScript.Stage) throws {
        let script = SessionScript(at: stage)
        script.handle { $0.close(CloseReason(.goingAway, "stop")) }
        script.forget()
        for said in Said.allCases { script.handle(said.message) }
        script.handle(SessionScript.summary())
        script.handle(SessionScript.applied(.index))
        script.handleCommit(.activities)
        script.handle { $0.handleDeadline(now: Instant(nanoseconds: .max)) }
        #expect(script.handle { $0.requestContinue(SessionScript.write(1).identity, takes: false) } == nil)
        script.handle { $0.answerContinue(1, .gone(to: nil)) }
        #expect(
            try script.takeMessages().isEmpty && script.takeRequests().isEmpty && script.takeEvents().isEmpty)
        #expect(script.deadline == nil && !script.isOpen && !script.isInStep)
    }

    @Test(arguments: SessionScript.Stage.allCases)
    func `refuses unreadable messages as malformed`(_ stage: SessionScript.Stage) {
        for kind in [
            FrameKind.hello, .standing, .batch, .acknowledgement, .continueRequest, .continueAnswer,
            .addresses,
            .close,
        ] {
            let script = SessionScript(at: stage)
            script.handle { $0.handleFrame(Frame(kind: kind, body: [0xff])) }
            #expect(script.closeCode == (stage == .closed ? nil : .malformed))
        }
    }

    @Test(arguments: [SessionScript.Stage.starting, .greeting])
    func `refuses a hello that differs from the peer's certificate`(_ stage: SessionScript.Stage) {
        let messages = [
            SessionScript.hello(account: AccountIdentifier(high: 1, low: 2)),
            SessionScript.hello(device: DeviceIdentifier(high: 2, low: 3)),
            SessionScript.hello(device: SessionScript.own.device),
        ]
        for message in messages {
            let script = SessionScript(at: stage)
            script.handle(message)
            #expect(script.closeCode == .identity)
        }
    }

    @Test func `refuses a device of another account, and sends nothing else`() throws {
        var session = Session(
            own: SessionScript.own, peer: SessionScript.peer, of: AccountIdentifier(high: 1, low: 2),
            limits: Limits(), now: SessionScript.started)
        let (request, first) = (session.nextStoreRequest(), session.nextFrame())
        #expect(request == nil)
        let frame = try #require(first)
        guard case .close(let reason) = try PeerMessage(frame) else {
            return #expect(Bool(false), "a close, and no \(frame.kind)")
        }
        #expect(reason.code == .identity)
        // The peer's reply makes no difference.
        session.handleFrame(SessionScript.hello().frame)
        let (later, next) = (session.nextStoreRequest(), session.nextFrame())
        #expect(later == nil && next == nil)
    }

    @Test(arguments: [SessionScript.Stage.starting, .startingAndGreeted, .greeting, .comparing])
    func `waits for the opening messages until a deadline`(_ stage: SessionScript.Stage)
        throws
    {
        let script = SessionScript(at: stage)
        let deadline = try #require(script.deadline)
        #expect(deadline == SessionScript.started + Limits().openingTime)
        script.handle { $0.handleDeadline(now: Instant(nanoseconds: deadline.nanoseconds - 1)) }
        #expect(!script.isClosed)
        script.handle { $0.handleDeadline(now: deadline) }
        #expect(script.closeCode == .timeout)
    }

    @Test(arguments: [[], [4], [5], [3, 4, 5, 6, 70_000, .max]] as [[UInt64]])
    func `uses only features that both sides offer, and none before the peer's hello`(_ offered: [UInt64]) {
        let script = SessionScript()
        script.handle(SessionScript.summary())
        #expect(script.features.isEmpty)
        script.handle(SessionScript.hello(features: Features(offered)))
        #expect(script.features.numbers == offered.filter { $0 != 4 && $0 != 6 && $0 != .max })
        #expect(script.isOpen)
    }

    @Test func `has no deadline once it is open`() {
        let script = SessionScript(at: .exchanging)
        #expect(script.deadline == nil)
        script.handle { $0.handleDeadline(now: Instant(nanoseconds: .max)) }
        #expect(script.isOpen)
    }

    @Test(arguments: [SessionScript.Stage.starting, .startingAndGreeted, .exchanging])
    func `closes when its store fails`(_ stage: SessionScript.Stage) {
        let script = SessionScript(at: stage)
        script.handle(StoreAnswer.failed(StoreFailure(.full, "no room")))
        #expect(script.closeCode == .storage)
    }

    @Test func `closes as malformed if the peer sends too many void writes`() {
        let script = SessionScript(at: .exchanging)
        script.handle(StoreAnswer.failed(StoreFailure(.void, "too many")))
        #expect(script.closeCode == .malformed)
    }

    @Test(arguments: [StoreFailure.Code.full, .unreadable, .locked, .newer, .damaged, .failed])
    func `sends the peer the reason of a store failure, without local details`(_ code: StoreFailure.Code)
        throws
    {
        let script = SessionScript(at: .exchanging)
        script.handle(StoreAnswer.failed(StoreFailure(code, "/home/someone/lane.db")))
        guard case .close(let reason)? = try script.takeMessages().last else {
            Issue.record("the peer is told that it is over")
            return
        }
        let words =
            switch code {
            case .full: "full"
            case .unreadable: "newer version"
            default: "failed"
            }
        #expect(reason.code == .storage && reason.text.contains(words) && !reason.text.contains("/"))
    }
}
