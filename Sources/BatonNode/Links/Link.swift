import BatonCore
import BatonNetwork
import BatonSecurity

/// A channel to a device of the account, and the session on the channel.
///
/// The link drives the session: it passes events to the session, and then handles the session's outputs until none is
/// left. The link makes no decisions. Everything that concerns more than the session is emitted as a `PeerOutput`.
final class Link: ChannelOwner {
    let device: DeviceIdentity
    /// Whether this device made the connection.
    let isDialled: Bool
    private let channel: Channel
    private var session: Session
    private let limits: Limits
    private let store: StoreThreads
    /// The line of store jobs of this link.
    ///
    /// If a batch fails, later batches of the line fail, too. Otherwise, the store could commit a batch whose claim
    /// covers the failed batch.
    let line: StoreLine
    private let loop: EventLoop
    private weak var account: AccountCore?
    private let outputs: PeerOutputs
    private let began: MonotonicTime
    /// The time at which the peer's last message arrived.
    private var heard: MonotonicTime
    /// The timer for the session's deadline.
    private let deadlineTimer: OwnedTimer
    /// Whether the channel has ended.
    ///
    /// Pending answers of the store may keep the link alive longer, but without a timer.
    private var hasEnded = false
    private var isDraining = false
    /// Whether a store job of the session has failed.
    private var hasFailed = false
    /// Whether the session has ever opened, even if it has ended since.
    private(set) var wasOpened = false
    /// The time when the session opened, and the time since which the two devices are out of step, for the status.
    private(set) var openedAt: WallTime?
    private var outOfStepAt: WallTime?
    /// Whether the account was told that the peer stores what it is sent.
    private var isNotedStoring = false
    /// The reason why the session ended; nil while the session is open, or if only the stream ended.
    private var closeReason: CloseReason?
    /// The reason that the peer gave for ending the session; nil if the peer did not end the session.
    private(set) var peerReason: CloseReason?
    /// The streams between apps that use this link.
    let streams: LinkStreams
    /// The callbacks that wait for the peer's answers to requests to continue, by the number of the request.
    private var continuing: [UInt64: (ContinueAnswer.Outcome?) -> Void] = [:]

    /// Begins a session on a channel whose peer has proved to be this device.
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

    /// Handles the store's commit of writes of a lane.
    func handleCommit(_ lane: Lane) {
        session.handleCommit(lane)
        drain()
    }

    /// Stops sending the index to the peer, or resumes.
    ///
    /// After it resumes, the peer is sent everything of the index that it lacks.
    func holdsIndex(_ holds: Bool) {
        session.handleHoldingIndex(holds)
        drain()
    }

    /// Stops sending stored activities to the peer, or resumes.
    ///
    /// After it resumes, the peer is sent all stored activities that it lacks.
    func holdsActivities(_ holds: Bool) {
        session.handleHoldingActivities(holds)
        drain()
    }

    /// Sends a transaction of this device to the peer before the transaction is stored.
    func tellAhead(_ transaction: StoreTransaction) {
        session.tellAhead(transaction)
        drain(isAwaited: true)
    }

    /// Requests the latest state of an activity from the peer.
    ///
    /// If `type` is not nil, the activity must still have this type. `then` gets nil if the link ends before the
    /// answer, or can't carry the request.
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

    /// Sends the peer the durability reports of this device's store.
    func tellReports(_ reports: Reports) {
        session.tellReports(reports)
        drain()
    }

    /// Ends the link, and sends the peer the reason.
    func close(_ reason: CloseReason) {
        session.close(reason)
        drain()
    }

    /// Ends the link with a device that does not belong to the account.
    ///
    /// Nothing more is sent to the device except the reason.
    ///
    /// `Peers` has already cancelled the store jobs of the link that have not begun.
    func expel(_ reason: CloseReason) {
        // Bytes that wait here can't be removed from the middle of an encrypted stream. Therefore, the stream is cut
        // before these bytes. The peer then gets no reason, but the session has the reason for the log.
        if channel.hasBacklog { channel.abort(reason.text) }
        close(reason)
    }

    /// Ends the link at once and sends nothing, because nothing would arrive.
    func abort(_ text: String) { channel.abort(text) }

    /// Ends the link unless the peer answers a probe within a few seconds.
    func probe() { channel.probe() }

    // MARK: Queries

    private var peer: DeviceIdentifier { device.device }

    var isOpen: Bool { session.isOpen && !hasEnded }

    var isInStep: Bool { session.isInStep }

    /// The time since which the two devices are out of step; nil if they are in step.
    var outOfStepSince: WallTime? { isInStep ? nil : outOfStepAt ?? openedAt }

    /// The changes that must still be exchanged until both devices are in step.
    var backlog: SyncBacklog? { session.backlog(named: account?.journal.names) }

    /// The claims of both devices, now or at the end of the session; nil if the session never opened.
    var claims: SessionClaims? { session.claims }

    /// The time of the peer's last message, if the session ended because the peer fell silent; nil otherwise.
    var lastSign: WallTime? {
        guard closeReason?.code == .silent, peerReason == nil else { return nil }
        return WallTime.now.advanced(by: heard - loop.now)
    }

    /// Whether the peer lacks changes that it had reported as durable earlier.
    var isPeerSetBack: Bool { session.isPeerSetBack }

    var localAddress: SocketAddress? { channel.localAddress }

    var remoteAddress: SocketAddress? { channel.remoteAddress }

    /// Whether both sides support streams between apps.
    var offersStreams: Bool { session.isOpen && session.features.contains(Features.streams) }

    /// The reason why the session has ended, in words for a person; nil while the session is open.
    var trouble: ConnectionTrouble? {
        closeReason.map { ConnectionTrouble($0, isOfPeer: peerReason != nil) }
    }

    /// The time since the link was created.
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

    /// Handles the outputs of the session until none is left, and then sets the timer for the session's deadline.
    ///
    /// If `isAwaited` is true, frames are written now, and not at the end of this turn of the loop.
    private func drain(isAwaited: Bool = false) {
        // Handling an event may call this method again. The loop below handles what such a call adds.
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
            // The session has sent all its frames. Therefore, bulk data of streams may follow.
            streams.proceed()
        }
        noteStep()
        setDeadline()
        isDraining = false
        outputs.noteProgress()
        // The account may give the session further events while it carries out the outputs.
        account?.carryOut()
    }

    /// Adds an output outside of `drain`, and has the account carry it out.
    private func put(_ output: PeerOutput) {
        outputs.add(output)
        account?.carryOut()
    }

    /// Notes when the two devices ceased to be in step, and whether the peer stores what it is sent.
    ///
    /// `isInStep` is read only when nothing is being sent or stored. Before that, the devices count as out of step.
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

    /// Performs a store request of the session whose answer goes only to the session.
    func ask(_ request: StoreRequest) {
        // Every write that was named earlier was submitted to the store before this request. Therefore, the store has
        // the write when it performs the request (`Sweeping`).
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

    /// Submits a query to one lane of the store, and passes the answer to the session.
    private func ask(
        _ lane: Lane, _ question: @escaping @Sendable (any LaneStore) throws(StoreFailure) -> StoreAnswer
    ) {
        store.submit(to: lane, in: line, question) { [self] in answer($0) }
    }

    /// Submits a query to the whole store, and passes the answer to the session.
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

    /// Reports the first failure of a store job.
    ///
    /// Later jobs of the line are not performed, and fail with the same text.
    private func noteFailure(_ failure: StoreFailure) {
        guard isUnharmed else { return }
        hasFailed = true
        // The close reason says the same as these failures, and is reported at the end of the link.
        guard ![.unreadable, .void, .peerSetBack].contains(failure.code) || session.isClosed else { return }
        outputs.add(.failed(failure, of: peer))
    }

    /// Whether no store job of the session has failed.
    ///
    /// After the first failure, later jobs of the line are not performed, and fail for the same reason.
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

/// The parts of a link that streams use.
extension Link {
    func send(_ frame: Frame) { channel.send(frame) }

    /// Whether bulk data may be sent now.
    ///
    /// A changed activity must wait until the backlog is sent, and until the kernel has sent the bytes that it has
    /// taken already. This limit keeps the backlog small.
    var takesBulk: Bool { offersStreams && channel.backlog <= limits.streamPauseBytes }

    /// Reports that the peer requests a stream to an app.
    ///
    /// `identity` is the record of an activity of the app.
    func streamRequested(_ number: UInt64, _ identity: RecordIdentity) {
        put(.streamRequested(number, identity, self))
    }
}
