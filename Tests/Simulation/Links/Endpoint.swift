import BatonCore
import Support

/// One side of a connection: a session, and the bytes that it sends to the other side.
final class Endpoint {
    unowned let node: SimulatedNode
    unowned let peer: SimulatedNode
    unowned let link: Link
    private(set) weak var other: Endpoint?
    var session: Session
    /// Whether this side knows that the connection is over.
    private(set) var isCut = false
    /// Whether bytes from this side are lost without notice.
    var isStuck = false
    /// Whether the other side takes few bytes at a time.
    var isSlow = false
    /// Notes of the checkers about this side; the session itself never reads them.
    var watched = Watched()
    /// When the connection began.
    let began: Instant
    /// Whether no other connection of the two devices was ever open beside it.
    var isAlone = true
    /// The lanes in which the store failed a request of this session; the store skips the session's later requests
    /// there.
    var failedLanes: Set<Lane> = []
    /// Whether this side claims falsely to belong to the peer's account.
    let isPretending: Bool
    /// Bytes that were sent and have not arrived.
    private(set) var outgoing: [UInt8] = []
    /// The bytes that have arrived here, and those that have arrived at the other side.
    private var receivedCount: UInt64 = 0
    private var deliveredCount: UInt64 = 0
    /// Whether the session was told of activities that it has not read.
    private var hasActivities = true
    /// The lanes of which this session has read a range.
    private var rangesWere: Set<Lane> = []
    private unowned let world: World
    private var decoder = FrameDecoder()
    private var isDelivering = false
    /// Whether the connection takes the session's frames later.
    private(set) var framesWait = false
    /// The callers that wait for the peer's answers, by the numbers of the requests to continue.
    private var continuing: [UInt64: (ContinueAnswer.Outcome?) -> Void] = [:]
    /// The deadline of which the session will be told.
    private var timed: Instant?
    /// The random numbers of this direction alone.
    private var generator: SeededGenerator
    /// Draws when the connection takes frames late.
    private var frameGenerator: SeededGenerator

    init(
        _ node: SimulatedNode, as identity: SessionIdentity? = nil, to peer: SimulatedNode, over link: Link,
        streaming stream: String, in world: World
    ) {
        (self.node, self.peer, self.link, self.world) = (node, peer, link, world)
        generator = SeededGenerator(seed: world.seed, for: stream)
        (isPretending, began) = (identity != nil, world.now)
        frameGenerator = SeededGenerator(seed: world.seed, for: stream + ", frames")
        var own = identity ?? node.identity
        own = world.isComparing ? own : own.withoutComparison
        own.clock = node.wallTime
        session = Session(
            own: own, peer: peer.identity.device, of: peer.identity.account,
            limits: world.limits, now: world.now)
        isStuck = isSilenced
    }

    /// Whether bytes from this side are lost for good, because one of the two devices is mute or deaf.
    var isSilenced: Bool { node.silence == .mute || peer.silence == .deaf }

    /// Whether it leads to a device of another account.
    var isAcross: Bool { node.world !== peer.world }

    /// Both sides begin to talk.
    static func begin(_ one: Endpoint, _ two: Endpoint) {
        (one.other, two.other) = (two, one)
        for end in [one, two] {
            end.node.endpoints.append(end)
            if end.node.holdsIndex { end.session.handleHoldingIndex(true) }
            if end.node.holdsActivities { end.session.handleHoldingActivities(true) }
        }
        one.drain()
        two.drain()
    }

    /// Ends the connection for both sides; bytes in transit are lost, even in the middle of a frame.
    func cut() {
        end()
        other?.end()
    }

    /// Ends the connection for this side; the other one finds out much later.
    func cutHalf() {
        let other = other
        end()
        world.marks[.halfOpen] += 1
        world.enter(at: world.now + .milliseconds(generator.number(0...60_000))) { other?.end() }
    }

    /// Hangs up after waiting long enough for the last bytes to arrive.
    private func hangUp() { if !isCut { cutHalf() } }

    /// This side learns that the connection is over.
    func end() {
        guard !isCut else { return }
        isCut = true
        if !decoder.isAtFrame { world.marks[.cutsInFrame] += 1 }
        if session.isOpen, !rangesWere.isEmpty, !session.isInStep { world.marks[.snapshotsCut] += 1 }
        outgoing = []
        node.endpoints.removeAll { $0 === self }
        node.noteConnections()
        if !node.endpoints.contains(where: { $0.peer.identity.device == peer.identity.device }) {
            node.toldTimes[peer.identity.device] = nil
            node.drive { $0.noteEnd(of: peer.identity.device) }
        }
        node.handleProgress()
        let waiting = continuing.sorted { $0.key < $1.key }
        continuing = [:]
        for (_, then) in waiting { then(nil) }
    }

    /// Gives the session something that does not come from the store.
    func handle(_ input: (inout Session) -> Void) {
        takeLateFrames()
        guard !isCut else { return }
        input(&session)
        drain()
    }

    /// Gives the session reports to pass on.
    func tell(_ reports: Reports) {
        handle { session in
            watched.reportsToPass.join(reports)
            session.tellReports(reports)
        }
    }

    /// Gives the session an answer of the store.
    func handle(_ answer: StoreAnswer) {
        guard !isCut else { return }
        if case .keptReports = answer { watched.awaitsReports = false }
        session.handleAnswer(answer)
        drain()
    }

    /// Asks the peer for the state of an activity; returns false if it can't be asked.
    ///
    /// The caller gets nil if the connection ends first.
    func requestContinue(
        _ identity: RecordIdentity, takes: Bool, then: @escaping (ContinueAnswer.Outcome?) -> Void
    ) -> Bool {
        takeLateFrames()
        guard !isCut, let number = session.requestContinue(identity, takes: takes) else { return false }
        continuing[number] = then
        drain()
        return true
    }

    /// The store committed writes of a lane.
    func handleCommit(_ lane: Lane) {
        if lane == .activities { hasActivities = true }
        if session.isOpen { watched.noteCommit(lane) }
        guard !isCut else { return }
        session.handleCommit(lane)
        drain()
    }

    /// The store kept the oldest batch of a lane that it had not kept before.
    func handleKept(_ commit: StoreCommit, _ lane: Lane) {
        watched.noteKept(lane)
        handle(.applied(lane, commit))
    }

    /// Checks that activities that are known to wait go before the index.
    private func noteAsked(_ request: StoreRequest) {
        guard let lane = request.readLane else { return }
        if lane == .activities {
            hasActivities = false
        } else if hasActivities {
            world.violate(
                .freshestPayload,
                "\(node.name) reads the index for \(peer.name) while activities wait")
        }
    }

    /// Takes all outputs of the session, its frames perhaps later.
    private func drain(mayDelay: Bool = true) {
        session.handleTime(world.now)
        while let event = session.nextEvent() { handle(event) }
        while let request = session.nextStoreRequest() {
            noteAsked(request)
            watched.note(request)
            if case .changes(let request) = request { world.noteAsked(request, by: self) }
            node.enter(.request(screened(request), self, asked: node.wallTime))
        }
        if !framesWait, !(mayDelay && delaysFrames()) { takeFrames() }
        world.noteWaiting(self)
        deliver()
        setDeadline()
        node.handleProgress()
    }

    private func takeFrames() {
        while let frame = session.nextFrame() {
            world.noteSent(frame, from: self)
            if outgoing.isEmpty { watched.silence.noteWaiting(at: world.now) }
            if node.isFaulty {
                outgoing += Rubbish.made(of: frame, world)
            } else {
                outgoing += frame.encoded
            }
        }
        world.noteFramesTaken(self)
    }

    /// Has the connection take the session's frames later, now and then, so that several answers of the store come
    /// before one frame is taken; returns whether it does.
    private func delaysFrames() -> Bool {
        let rate = world.profile.lateFrames
        guard rate > 0, !isCut, frameGenerator.chance(rate) else { return false }
        framesWait = true
        world.marks[.framesLate] += 1
        node.later(frameGenerator.number(0...3 * world.delay)) { [self] in takeLateFrames() }
        return true
    }

    /// Takes the frames that wait: only answers and commits of the store come before them.
    func takeLateFrames() {
        guard framesWait else { return }
        framesWait = false
        guard !isCut else { return }
        drain(mayDelay: false)
        cutIfClosed()
    }

    /// Hangs up once everything is sent, if this side broke off.
    private func cutIfClosed() { if !isCut, outgoing.isEmpty, session.isClosed, !framesWait { cut() } }

    /// Returns a request without the void writes, which the peer may have added to the others.
    private func screened(_ request: StoreRequest) -> StoreRequest {
        guard case .apply(var transaction) = request else { return request }
        if transaction.lane == .activities { transaction.writes += peer.takeForgeries() }
        do throws(StoreFailure) {
            let check = try VoidCheck(of: &transaction, by: node.account.roster.verifier)
            if check.count > 0 {
                node.drive { $0.handleVoidWrites(count: check.count, from: peer.identity.device) }
            }
        } catch {
            world.end("\(peer.name) forges more at once than a peer may: \(error)")
        }
        node.unreadable?.quarantine(in: &transaction, from: peer)
        node.drive { $0.handleArriving(transaction.writes, from: peer.identity.device, in: node) }
        return .apply(transaction)
    }

    /// Sets a timer for the session's deadline, if the deadline has changed.
    private func setDeadline() {
        guard !isCut, let deadline = session.deadline, deadline != timed else { return }
        timed = deadline
        world.enter(at: max(deadline, world.now)) { [weak self] in
            guard let self else { return }
            if node.isPaused { node.later(0) { [self] in handle(deadline) } } else { handle(deadline) }
        }
    }

    /// Tells the session that its deadline has come.
    private func handle(_ deadline: Instant) {
        guard !isCut, timed == deadline else { return }
        timed = nil
        takeLateFrames()
        if session.deadline.map({ $0 <= world.now }) ?? false {
            world.tell(
                "\(node.name) reaches its deadline with \(peer.name): \(toldWaiting ?? "nothing is awaited")")
        }
        session.handleDeadline(
            now: world.now,
            progress: TransportProgress(
                received: receivedCount, delivered: deliveredCount, waiting: UInt64(outgoing.count)))
        drain()
    }

    /// The session asks the store for a range of a snapshot.
    func noteRange(_ request: RangeRequest) {
        world.noteRange(request, by: self)
        guard rangesWere.insert(request.lane).inserted else { return }
        if request.after != nil { world.marks[.snapshotsResumed] += 1 }
        world.tell(
            "\(node.name) \(request.after == nil ? "begins" : "resumes") a snapshot of \(request.lane) for "
                + "\(peer.name), after \(request.after?.told ?? "the beginning"), clears since "
                + "\(request.since?.value ?? 0)")
    }

    private func handle(_ event: SessionEvent) {
        switch event {
        case .opened: node.handleOpening(of: self)
        case .addressesTold(let routes): world.noteAddresses(routes, at: self)
        case .greeted(let hello): node.drive { $0.handleHello(hello, of: peer.identity.device, in: node) }
        case .agreed: watched.differs = false
        case .continueRequested(let request): node.apps?.answer(request, over: self)
        case .continueAnswered(let answer): continuing.removeValue(forKey: answer.number)?(answer.outcome)
        case .met(let time):
            world.noteMeeting(at: self)
            node.drive { $0.handleMeeting(peer.identity.device, at: time, in: node) }
        case .timeTold(let time):
            node.toldTimes[peer.identity.device] = (time, node.clocks.steady)
            node.drive { $0.recordComparison(time, by: peer.identity.device, in: node) }
        case .toldAll:
            node.drive { $0.handleToldAll(by: peer.identity.device, in: node) }
        case .lifeTaken(let life): world.noteTaken(life, self)
        case .snapshotLost: node.drive { $0.abandonSnapshots(of: peer.identity.device) }
        case .differed(let difference):
            watched.differs = true
            world.noteDifference(difference, self)
        case .closedHere(let reason):
            world.tell("\(node.name) closes to \(peer.name): \(reason)")
            world.noteClosed(reason, self)
            // The close itself may never arrive.
            if world.profile.lasting != nil {
                world.enter(at: world.now + world.limits.closingTime) { [self] in hangUp() }
            }
        case .closedByPeer:
            node.later(0) { [self] in cut() }
        }
    }

    /// Delivers some of the bytes in transit, and the others later.
    func deliver() {
        guard !isDelivering, !outgoing.isEmpty, !isStuck, !link.isDown else { return }
        isDelivering = true
        let delay = isSlow ? 10 * world.delay : world.delay
        peer.later(generator.number(0...delay)) { [self] in
            isDelivering = false
            guard !isCut, !isStuck, !link.isDown, let other, !other.isCut else { return }
            let most = isSlow ? max(16, outgoing.count / 10) : outgoing.count
            let count =
                generator.chance(50)
                ? min(most, outgoing.count) : generator.number(1...min(most, outgoing.count))
            let bytes = Array(outgoing[..<count])
            outgoing.removeFirst(count)
            deliveredCount += UInt64(count)
            watched.silence.noteReading(at: world.now)
            other.receive(bytes[...])
            cutIfClosed()
            deliver()
        }
    }

    private func receive(_ bytes: ArraySlice<UInt8>) {
        receivedCount += UInt64(bytes.count)
        watched.silence.noteArrival(at: world.now)
        decoder.feed(bytes)
        do throws(CloseReason) {
            while !isCut, let frame = try decoder.next() {
                takeLateFrames()
                guard !isCut else { break }
                if [.acknowledgement, .reports].contains(frame.kind) { world.noteArrived(frame, at: self) }
                session.handleTime(world.now)
                handle { $0.handleFrame(frame, named: node.journal.names) }
            }
        } catch {
            handle { $0.close(error) }
        }
    }
}

extension SessionIdentity {
    /// The identity of a device that does not compare what it holds.
    fileprivate var withoutComparison: SessionIdentity {
        SessionIdentity(
            account: account, device: device, name: name, port: port,
            features: Features(features.numbers.filter { $0 != Features.repair }))
    }
}

extension FrameDecoder {
    /// Whether the bytes end between two frames.
    fileprivate var isAtFrame: Bool { pendingBytes == 0 }
}

extension StoreRequest {
    /// The lane of which the request reads the peer's missing writes.
    fileprivate var readLane: Lane? {
        switch self {
        case .changes(let request): request.lane
        case .range(let request): request.lane
        default: nil
        }
    }
}
