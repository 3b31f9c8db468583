package import BatonCore

/// One session and its outputs, so that a test can play its peer, its store and its clock.
package final class SessionScript {
    private var session: Session
    private var frames: [Frame] = []
    private var requests: [StoreRequest] = []
    private var events: [SessionEvent] = []

    package static let account = AccountIdentifier(high: 1, low: 1)
    package static let own = SessionIdentity(
        account: account, device: DeviceIdentifier(high: 2, low: 1), name: "own", port: 4817,
        features: Features([3, 5, 70_000]))
    package static let peer = DeviceIdentifier(high: 2, low: 2)
    package static let started = Instant(nanoseconds: 1)

    /// Creates a session whose store was asked already.
    package init(limits: Limits = Limits(), own features: Features = own.features) {
        let own = SessionIdentity(
            account: Self.own.account, device: Self.own.device, name: Self.own.name, port: Self.own.port,
            features: features)
        session = Session(
            own: own, peer: Self.peer, of: Self.account, limits: limits, now: Self.started)
        drain()
    }

    /// Returns the first message of the peer.
    package static func hello(
        _ complete: VersionVector = VersionVector(), account: AccountIdentifier = account,
        device: DeviceIdentifier = peer, features: Features = Features(), resume: [Lane: ResumeToken] = [:]
    ) -> PeerMessage {
        var hello = Hello(
            account: account, device: device, name: "peer", completeDigest: complete.digest, port: nil,
            build: "0", features: features)
        hello.resume = resume
        return .hello(hello)
    }

    /// Returns the answer of a store with these claims.
    package static func summary(
        _ complete: VersionVector = VersionVector(), settled: [Lane: Arrival] = [:]
    ) -> StoreAnswer {
        .summary(StoreSummary(complete: complete, settled: settled, heads: settled, clock: .zero))
    }

    // MARK: Inputs

    package func handle(_ message: PeerMessage) { handle { $0.handleFrame(message.frame) } }

    package func handle(_ answer: StoreAnswer) { handle { $0.handleAnswer(answer) } }

    package func handleCommit(_ lane: Lane) { handle { $0.handleCommit(lane) } }

    /// Gives the session an input, and takes its outputs.
    @discardableResult
    package func handle<Result>(_ input: (inout Session) -> Result) -> Result {
        let result = input(&session)
        drain()
        return result
    }

    private func drain() {
        while let event = session.nextEvent() { events.append(event) }
        while let request = session.nextStoreRequest() { requests.append(request) }
        while let frame = session.nextFrame() { frames.append(frame) }
    }

    // MARK: Outputs since they were last taken

    package func takeMessages() throws -> [PeerMessage] {
        defer { frames = [] }
        return try frames.map { frame throws(CloseReason) in try PeerMessage(frame) }
    }

    package func takeRequests() -> [StoreRequest] {
        defer { requests = [] }
        return requests
    }

    package func takeEvents() -> [SessionEvent] {
        defer { events = [] }
        return events
    }

    /// The code with which it broke off, or nil.
    package var closeCode: CloseCode? {
        for case .closedHere(let reason) in events { return reason.code }
        return nil
    }

    package var features: Features { session.features }
    package var isOpen: Bool { session.isOpen }
    package var isClosed: Bool { session.isClosed }
    package var isInStep: Bool { session.isInStep }
    package var hasStored: Bool { session.hasStored }
    package var isPeerSetBack: Bool { session.isPeerSetBack }
    package var backlog: SyncBacklog? { session.backlog() }
    package var deadline: Instant? { session.deadline }
}

extension Session {
    /// Tells the session the time, over a connection that carries nothing more.
    package mutating func handleDeadline(now: Instant) {
        handleDeadline(now: now, progress: TransportProgress(received: 0, delivered: 0, waiting: 0))
    }
}
