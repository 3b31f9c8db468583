package import BatonCore

/// A session over a store that answers at once, and a peer that sends whatever a test wants.
package final class ActedPeer {
    package let store: InMemoryStore
    package private(set) var session: Session
    /// The reason for which the session broke off, or nil.
    package private(set) var reason: CloseReason?
    /// The lives of the session's device that another machine was found to use.
    package private(set) var taken: [Life] = []
    /// The last batch that the session acknowledged.
    package private(set) var acknowledged: UInt64 = 0
    /// The batches that the session sent.
    package private(set) var batches: [Batch] = []
    /// The number of frames that it sent, and the number of transactions that the store was asked to keep.
    package private(set) var frameCount = 0
    package private(set) var transactionCount = 0
    /// The progress of the present life of the session's device.
    package var named: JournalPosition?
    /// Whether the store answers.
    package var isStoreAnswering = true
    private var requests: [StoreRequest] = []
    private var now = SessionScript.started

    /// Opens a session with a peer that has these claims.
    package init(
        _ store: InMemoryStore = InMemoryStore(), claiming complete: VersionVector = VersionVector(),
        named: JournalPosition? = nil, limits: Limits = Limits()
    ) {
        (self.store, self.named) = (store, named)
        session = Session(
            own: SessionIdentity(
                account: SessionScript.account, device: SessionScript.own.device, name: "own", port: nil),
            peer: SessionScript.peer, of: SessionScript.account, limits: limits, now: now)
        drain()
        say(SessionScript.hello(complete, features: Features([Features.collection])))
        if !session.isOpen, !session.isClosed { say(.standing(Standing(complete: complete))) }
    }

    // MARK: Actions of the peer

    package func say(_ message: PeerMessage) {
        session.handleFrame(message.frame, named: named)
        drain()
    }

    /// Lets time pass.
    package func wait(_ duration: Duration) {
        now = now + duration
        session.handleDeadline(now: now)
        drain()
    }

    /// This device writes something, and its store reports the commit to the session.
    package func commit(_ transaction: StoreTransaction) {
        store.keep(transaction)
        session.handleCommit(transaction.lane)
        drain()
    }

    // MARK: Outputs of the session

    package func tell(_ input: (inout Session) -> Void) {
        input(&session)
        drain()
    }

    private func drain() {
        session.handleTime(now)
        var isDone = false
        while !isDone {
            isDone = true
            while let event = session.nextEvent() {
                if case .closedHere(let reason) = event { self.reason = reason }
                if case .lifeTaken(let life) = event { taken.append(life) }
            }
            while let request = session.nextStoreRequest() { requests.append(request) }
            while let frame = session.nextFrame() { note(frame) }
            guard isStoreAnswering, !requests.isEmpty else { continue }
            session.handleAnswer(answer(requests.removeFirst()))
            isDone = false
        }
    }

    private func note(_ frame: Frame) {
        frameCount += 1
        switch try? PeerMessage(frame) {
        case .acknowledgement(let number): acknowledged = number
        case .batch(let batch): batches.append(batch)
        default: break
        }
    }

    private func answer(_ request: StoreRequest) -> StoreAnswer {
        switch request {
        case .summary(let peer): return .summary(store.summary(for: peer, now: SessionPair.noon))
        case .changes(let request): return .changes(request.lane, store.changes(request))
        case .range(let request): return .range(request.lane, store.range(request))
        case .keepReports(let reports): return .keptReports(store.keep(reports))
        case .check(let time): return .check(store.check(at: time ?? SessionPair.noon.compared))
        case .sums(let lane, let time): return .sums(store.recount(lane, at: time))
        case .part(let request): return .part(request.lane, store.part(request))
        case .apply(let transaction):
            transactionCount += 1
            guard let commit = store.keep(transaction) else {
                return .failed(StoreFailure(.peerSetBack, "a snapshot is needed"))
            }
            return .applied(transaction.lane, commit)
        }
    }
}
