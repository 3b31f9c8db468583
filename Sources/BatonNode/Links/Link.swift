import BatonCore
import BatonNetwork
import BatonSecurity

/// A channel to a device of the account, and the session on it.
///
/// It drives the session: it passes events to the session, and then drains its outputs until none is left. It decides
/// nothing. Everything that concerns more than the session goes out as a `PeerOutput`.
final class Link: ChannelOwner {
    let device: DeviceIdentity
    /// Whether this side made the connection.
    let isDialled: Bool
    private let channel: Channel
    private var session: Session
    private let limits: Limits
    private let store: StoreThreads
    /// Keeps the store from committing a batch whose claim covers an earlier batch that failed.
    let line: StoreLine
    private let loop: EventLoop
    private weak var account: AccountCore?
    private let outputs: PeerOutputs
    private let began: MonotonicTime
    /// When the last message of the peer arrived.
    private var heard: MonotonicTime
    /// Set for the session's deadline.
    private let deadlineTimer: OwnedTimer
    /// Whether the channel has ended; pending answers of the store may keep the link longer, without a timer.
    private var hasEnded = false
    private var isDraining = false
    /// Whether a store job of the session has failed.
    private var hasFailed = false
    /// Whether the opening messages were exchanged, even if the session has ended since.
    private(set) var wasOpened = false
    /// When the session opened, and when the two devices ceased to be in step, for the status.
    private(set) var openedAt: WallTime?
    private var outOfStepAt: WallTime?
    /// Whether the peer was noted as one that stores what it is sent.
    private var isNotedStoring = false
    /// The reason why the session ended, if it ended before the stream.
    private var closeReason: CloseReason?
    /// The reason that the peer gave for ending the session; nil if it did not end it.
    private(set) var peerReason: CloseReason?
    /// The streams between apps on this link.
    let streams: LinkStreams
    /// The closures that wait for the peer's answers, by the number of the request.
    private var continuing: [UInt64: (ContinueAnswer.Outcome?) -> Void] = [:]

    /// Begins a session on a channel whose peer proved to be this device.
    init(
        _ channel: Channel, device: DeviceIdentity, isDialled: Bool, own: SessionIdentity,
        of account: AccountCore, outputs: PeerOutputs
    ) {
        self.channel = channel
        self.device = device
        self.isDialled = isDialled
        self.account = account
        self.outputs = outputs
        store = account.store
        loop = account.loop
        limits = account.limits
        line = StoreLine(behind: account.ownWrites)
        began = loop.now
        heard = began
        deadlineTimer = OwnedTimer(on: loop)
        streams = LinkStreams(isDialler: isDialled)
        session = Session(
            own: own, peer: device.device, of: device.account, limits: limits, now: loop.instant)
        channel.pass(to: self)
        streams.start(on: self)
        drain()
    }

    // MARK: Commands

    /// Notes that the store has committed writes of a lane.
    func handleCommit(_ lane: Lane) {
        session.handleCommit(lane)
        drain()
    }

    /// Stops sending the index to the peer, or resumes with everything of it that the peer lacks.
    func holdsIndex(_ holds: Bool) {
        session.handleHoldingIndex(holds)
        drain()
    }

    /// Stops sending stored activities to the peer, or resumes with all of them that the peer lacks.
    func holdsActivities(_ holds: Bool) {
        session.handleHoldingActivities(holds)
        drain()
    }

    /// Sends a transaction of this device early, before it is stored.
    func tellAhead(_ transaction: StoreTransaction) {
        session.tellAhead(transaction)
        drain(isAwaited: true)
    }

    /// Requests the latest state of an activity, if it still has that type; the answer is nil if the link ends first or
    /// can't carry the request.
    func requestContinue(
        _ identity: RecordIdentity, takes: Bool, step: ContinuationStep, type: String?,
        then: @escaping (ContinueAnswer.Outcome?) -> Void
    ) {
        guard let number = session.requestContinue(identity, takes: takes, step: step, type: type) else {
            return then(nil)
        }
        continuing[number] = then
        drain()
    }

    func answerContinue(_ number: UInt64, _ outcome: ContinueAnswer.Outcome) {
        session.answerContinue(number, outcome)
        drain()
    }

    /// Sends the peer the addresses of other devices.
    func tellAddresses(_ routes: [DeviceAddresses]) {
        session.tellAddresses(routes)
        drain()
    }

    /// Sends the peer the durability reports.
    func tellReports(_ reports: Reports) {
        session.tellReports(reports)
        drain()
    }

    /// Ends the link; the peer is sent the reason.
    func close(_ reason: CloseReason) {
        session.close(reason)
        drain()
    }

    /// Ends the link with a device that does not belong to the account: nothing more is sent but the reason.
    ///
    /// `Peers` has cancelled the link's store jobs that have not begun.
    func expel(_ reason: CloseReason) {
        // Bytes that wait here can't be removed from the middle of an encrypted stream, so the stream is cut before
        // them. The peer then gets no reason; the session has it for the log.
        if channel.hasBacklog { channel.abort(reason.text) }
        close(reason)
    }

    /// Ends the link at once and sends nothing, because nothing would arrive.
    func abort(_ text: String) { channel.abort(text) }

    /// Ends the link unless the peer answers a probe within seconds.
    func probe() { channel.probe() }

    // MARK: Queries

    private var peer: DeviceIdentifier { device.device }

    var isOpen: Bool { session.isOpen && !hasEnded }

    var isInStep: Bool { session.isInStep }

    /// The time since which the two devices are not in step; nil if they are.
    var outOfStepSince: WallTime? { isInStep ? nil : outOfStepAt ?? openedAt }

    /// The changes that are missing until both devices are in step.
    var backlog: SyncBacklog? { session.backlog(named: account?.journal.names) }

    /// The claims of both devices, now or when the session ended; nil if it never opened.
    var claims: SessionClaims? { session.claims }

    /// The time of the peer's last message, if the session has ended because the peer fell silent; nil otherwise.
    var lastSign: WallTime? {
        guard closeReason?.code == .silent, peerReason == nil else { return nil }
        return WallTime.now.advanced(by: heard - loop.now)
    }

    /// Whether the peer lacks changes that it had reported as durable.
    var isPeerSetBack: Bool { session.isPeerSetBack }

    var localAddress: SocketAddress? { channel.localAddress }

    var remoteAddress: SocketAddress? { channel.remoteAddress }

    /// Whether both sides can carry streams between apps.
    var offersStreams: Bool { session.isOpen && session.features.contains(Features.streams) }

    /// Why the session has ended, for a person; nil while it goes on.
    var trouble: ConnectionTrouble? {
        closeReason.map { ConnectionTrouble($0, isOfPeer: peerReason != nil) }
    }

    /// How long the link has existed.
    var age: Duration { loop.now - began }

    // MARK: The channel

    func channel(_ channel: Channel, established peer: Peer) {
        preconditionFailure("a link is made when the channel is established")
    }

    func channel(_ channel: Channel, received frame: Frame) {
        heard = loop.now
        if frame.kind.isOfStreams, offersStreams { return receiveStream(frame) }
        session.handleTime(loop.instant)
        session.handleFrame(frame, named: account?.journal.names)
        drain()
    }

    private func receiveStream(_ frame: Frame) {
        do {
            try streams.receive(frame)
        } catch {
            close(error)
        }
    }

    func channelDrained(_ channel: Channel) { streams.proceed() }

    func channel(_ channel: Channel, refused reason: CloseReason) { close(reason) }

    func channel(_ channel: Channel, ended end: ChannelEnd) {
        hasEnded = true
        deadlineTimer.cancel()
        let waiting = continuing.sorted { $0.key < $1.key }
        continuing = [:]
        streams.close()
        for (_, then) in waiting { then(nil) }
        put(
            .ended(
                self,
                LinkEnd(
                    text: closeReason.map { "\($0)" } ?? end.text,
                    trouble: trouble ?? ConnectionTrouble(end.text),
                    isTransient: closeReason?.code.isTransient ?? true)))
    }

    // MARK: Driving the session

    /// Drains the session until nothing is left, then waits for its deadline.
    ///
    /// If `isAwaited`, frames are written now, and not at the end of the turn.
    private func drain(isAwaited: Bool = false) {
        // Handling an event may call this method; the loop below handles what that adds.
        guard !isDraining else { return }
        isDraining = true
        session.handleTime(loop.instant)
        var isDone = false
        while !isDone {
            isDone = true
            while let event = session.nextEvent() {
                handleEvent(event)
                isDone = false
            }
            while let request = session.nextStoreRequest() { outputs.add(.asked(request, self)) }
            // Sending a frame may make room for further store requests.
            while let frame = session.nextFrame() {
                channel.send(frame)
                isDone = false
            }
        }
        if isAwaited { channel.hurry() }
        if session.isClosed {
            streams.close()
            if channel.isOpen { channel.close() }
        } else {
            // The session has sent everything it has to say, so bulk data may follow.
            streams.proceed()
        }
        noteStep()
        setDeadline()
        isDraining = false
        outputs.noteProgress()
        // The account may give the session further events.
        account?.carryOut()
    }

    /// Adds an output outside of `drain`, and has it carried out.
    private func put(_ output: PeerOutput) {
        outputs.add(output)
        account?.carryOut()
    }

    /// Notes when the two devices ceased to be in step, and that the peer stores what it is sent.
    ///
    /// `isInStep` is asked only once nothing is in flight; until then the devices count as out of step.
    private func noteStep() {
        guard session.isOpen else { return }
        if session.hasStored { noteStoring() }
        if session.isBusy {
            if outOfStepAt == nil { outOfStepAt = .now }
        } else if outOfStepAt != nil, session.isInStep {
            outOfStepAt = nil
            noteStoring()
        }
    }

    private func noteStoring() {
        guard !isNotedStoring else { return }
        isNotedStoring = true
        outputs.add(.storing(peer))
    }

    private func handleEvent(_ event: SessionEvent) {
        switch event {
        case .greeted(let hello): outputs.add(.greeted(self, hello))
        case .opened:
            wasOpened = true
            openedAt = .now
            outputs.add(.opened(self))
        case .continueRequested(let request): outputs.add(.continueRequested(request, self))
        case .addressesTold(let addresses): outputs.add(.addresses(addresses, from: peer))
        case .continueAnswered(let answer): continuing.removeValue(forKey: answer.number)?(answer.outcome)
        case .lifeTaken(let life): outputs.add(.lifeTaken(life, shownBy: peer))
        case .snapshotLost: outputs.add(.snapshotLost(by: peer))
        case .timeTold(let time): outputs.add(.compared(at: time, by: peer))
        case .met(let time): outputs.add(.met(peer, at: time))
        case .toldAll: outputs.add(.toldAll(by: peer))
        case .differed(let difference): outputs.add(.differed(difference, with: peer))
        case .agreed: outputs.add(.differed(nil, with: peer))
        case .closedByPeer(let reason):
            closeReason = reason
            peerReason = reason
        case .closedHere(let reason): closeReason = reason
        }
    }

    /// Carries out a store request whose answer only the session needs.
    func ask(_ request: StoreRequest) {
        // Every write that was named before this moment was submitted before this request, so the store has it when it
        // performs the request (`Sweeping`).
        let now = WallTime.now
        switch request {
        case .summary(let peer):
            askAccount { (store) throws(StoreFailure) in .summary(try store.summary(for: peer, now: now)) }
        case .changes(let changes):
            ask(changes.lane) { (store) throws(StoreFailure) in
                .changes(changes.lane, try store.changes(changes))
            }
        case .range(let range):
            ask(range.lane) { (store) throws(StoreFailure) in .range(range.lane, try store.range(range)) }
        case .check(let time):
            askAccount { (store) throws(StoreFailure) in .check(try store.check(toldAt: time, now: now)) }
        case .sums(let lane, let time):
            ask(lane) { (store) throws(StoreFailure) in .sums(try store.recount(at: time)) }
        case .part(let part):
            ask(part.lane) { (store) throws(StoreFailure) in .part(part.lane, try store.part(part)) }
        case .keepReports, .apply: preconditionFailure("the account stores what concerns others")
        }
    }

    /// Submits a query to one lane of the store, whose answer only the session needs.
    private func ask(
        _ lane: Lane, _ question: @escaping @Sendable (any LaneStore) throws(StoreFailure) -> StoreAnswer
    ) {
        store.submit(to: lane, in: line, question) { [self] in answer($0) }
    }

    /// Submits a query to the whole store, whose answer only the session needs.
    private func askAccount(
        _ question: @escaping @Sendable (any AccountStore) throws(StoreFailure) -> StoreAnswer
    ) {
        store.submitToAccount(in: line, question) { [self] in answer($0) }
    }

    /// Passes an answer of the store to the session.
    func answer(_ result: Result<StoreAnswer, StoreFailure>) {
        switch result {
        case .success(let answer): session.handleAnswer(answer)
        case .failure(let failure):
            noteFailure(failure)
            session.handleAnswer(.failed(failure))
        }
        drain()
    }

    /// Reports a store failure once: later jobs of the line are not performed, and fail with the same text.
    private func noteFailure(_ failure: StoreFailure) {
        guard isUnharmed else { return }
        hasFailed = true
        // The close reason covers these failures, and is reported at the end of the link.
        guard ![.unreadable, .void, .peerSetBack].contains(failure.code) || session.isClosed else { return }
        outputs.add(.failed(failure, of: peer))
    }

    /// Whether no store job of the session has failed: after a first failure, later jobs of the line fail for the same
    /// reason without being performed.
    var isUnharmed: Bool { !hasFailed && !line.isCancelled }

    private func setDeadline() {
        let deadline = hasEnded ? nil : session.deadline.map(MonotonicTime.init)
        deadlineTimer.follow(deadline) { [unowned self] in handleDeadline() }
    }

    private func handleDeadline() {
        session.handleDeadline(now: loop.instant, progress: channel.progress)
        drain()
    }
}

/// Parts of the link that streams need.
extension Link {
    func send(_ frame: Frame) { channel.send(frame) }

    /// Whether bulk data may be sent.
    ///
    /// The limit bounds the backlog for which a changed activity waits, besides the bytes that the kernel has already
    /// taken.
    var takesBulk: Bool { offersStreams && channel.backlog <= limits.streamPauseBytes }

    /// Reports that the peer requests a stream to the app that has the activity of that record.
    func streamRequested(_ number: UInt64, _ identity: RecordIdentity) {
        put(.streamRequested(number, identity, self))
    }
}
