/// A session between two nodes of an account, over a channel that has proved which device the peer is.
///
/// A session has no access to a socket, a disk or a clock. There are four families of methods:
/// - events go in with `handle…`;
/// - commands are `requestContinue(_:)`, `answerContinue(_:_:)`, `tellAddresses(_:)`, `tellReports(_:)` and
///   `close(_:)`;
/// - outputs are drained after every call, in this order: `nextEvent()`, `nextStoreRequest()`, `nextFrame()`;
/// - queries are properties, and `backlog(named:)`.
///
/// Requests to the store are values of `StoreRequest`. The store answers the requests about each lane in the order in
/// which the session made them.
///
///     starting ──own summary──▶ greeting ──hello, digests differ──▶ comparing
///                                  │                                   │ standing
///                                  └──hello, digests equal──▶ exchanging ◀┘
///     any ──close, a broken rule, the deadline──▶ closed
package struct Session: ~Copyable {
    // Large or rarely needed parts are in boxes, because an access from another module moves the whole session.
    @Boxed private var opening: SessionOpening
    /// The exchange of writes; it is not nil while the session is open.
    ///
    /// It is created when both sides know what the other side has.
    ///
    /// It is in a box because it is large. Without the box, each use of the optional value would copy it.
    private var exchange: Boxed<Exchange>?
    /// The claims of both sides when the session ended.
    private var lastClaims: SessionClaims?
    /// Decides when both sides compare their states; nil unless the session is open and both sides support that.
    private var checking: Checking?
    private let own: SessionIdentity
    private let peer: DeviceIdentifier
    @Boxed private var limits: Limits
    /// The features beyond version 1 that both sides support.
    ///
    /// It is empty until the peer's first message arrives.
    package private(set) var features = Features()
    /// The deadline for the opening messages.
    private let openingDeadline: Instant
    package private(set) var isClosed = false

    private var frames: [Frame] = []
    private var storeRequests: [StoreRequest] = []
    private var events: [SessionEvent] = []
    /// The number of the last stored batch if it is not acknowledged yet; otherwise nil.
    private var acknowledgement: UInt64?
    private var continuing = ContinueRequests()
    private var reporting = Reporting()
    /// Checks the behaviour of the peer.
    private var audit: PeerAudit
    /// The current time, as last reported by the driver.
    private var now: Instant
    /// The time since which the peer has acknowledged nothing, although it owes acknowledgements; nil if it owes none.
    private var waitingSince: Instant?
    /// Checks whether the peer is alive; nil if the peer owes no acknowledgement, or if one side does not support
    /// pings.
    private var presence: PeerPresence?
    private var pings = PingNumbers()
    /// Whether the peer has stored something that it was sent in this session.
    package private(set) var hasStored = false
    /// Whether the peer lacked writes when the session opened that it once had durably.
    private var wasBehind = false
    /// Whether the driver was given the event `toldAll`.
    private var hasToldAll = false
    /// Whether the index is held back from the peer.
    private var holdsIndex = false
    /// Whether the stored activities are held back from the peer.
    private var holdsActivities = false

    /// Begins a session with a device.
    ///
    /// The device's certificate was checked already, and names `account`.
    ///
    /// If the device belongs to another account, it is sent only the reason for closing, and not the identity of this
    /// device.
    package init(
        own: SessionIdentity, peer: DeviceIdentifier, of account: AccountIdentifier, limits: Limits,
        now: Instant
    ) {
        (self.own, self.peer) = (own, peer)
        self.limits = limits
        (self.now, audit) = (now, PeerAudit(since: now))
        openingDeadline = now + limits.openingTime
        opening = SessionOpening(own: own, peer: peer, limits: limits, salt: now.nanoseconds)
        storeRequests = [.summary(for: peer)]
        if !opening.isOwn(account) {
            close(CloseReason(.identity, "the certificate belongs to another account"))
        }
    }

    // MARK: Events

    /// Handles a frame from the peer.
    ///
    /// `named` is the position of this device's journal when the frame arrived.
    ///
    /// A driver without a journal passes nil. In that case, the session can't detect false claims about this device's
    /// writes.
    package mutating func handleFrame(_ frame: Frame, named: JournalPosition? = nil) {
        guard !isClosed else { return }
        do {
            let message = try PeerMessage(frame)
            audit.named = named
            try handleMessage(message, bytes: frame.body.count)
            presence = waitingSince == nil ? nil : newPresence
        } catch {
            if error.code == .lifeTaken, let life = named?.life { events.append(.lifeTaken(life)) }
            close(error)
        }
    }

    /// Handles the store's answer to the oldest unanswered request about the answer's lane, or about the account.
    package mutating func handleAnswer(_ answer: StoreAnswer) {
        guard !isClosed else { return }
        do throws(CloseReason) { try handleOpenAnswer(answer) } catch { close(error) }
    }

    /// Sets the current time.
    ///
    /// The driver calls it before it reports the events of that time, so that the session knows how long it has waited.
    package mutating func handleTime(_ now: Instant) { self.now = max(now, self.now) }

    /// Called when the store has stored writes of a lane, wherever they come from.
    package mutating func handleCommit(_ lane: Lane) {
        exchange?.value.handleCommit(lane)
        checking?.handleChange()
    }

    /// Sets whether the person holds back the index on this device.
    ///
    /// While the index is held back, it is not sent to the peer.
    package mutating func handleHoldingIndex(_ holdsIndex: Bool) {
        self.holdsIndex = holdsIndex
        exchange?.value.holdsIndex = holdsIndex
    }

    /// Sets whether the store may have activities that must no longer leave this device.
    ///
    /// While it may have some, nothing is read from their lane, until these activities are withdrawn.
    ///
    /// A batch that was read before and waits for the window may contain such activities, too. If there is such a
    /// batch, the session is closed, and the devices connect again.
    package mutating func handleHoldingActivities(_ holdsActivities: Bool) {
        self.holdsActivities = holdsActivities
        exchange?.value.holdsActivities = holdsActivities
        guard holdsActivities, exchange?.value.hasWaitingActivities == true else { return }
        close(CloseReason(.startingOver, "some of the data to be sent was withdrawn"))
    }

    /// Called when this device is about to store a transaction of its own.
    ///
    /// The transaction's dots must never be used for other writes.
    ///
    /// The transaction is sent to the peer before the disk has stored it. The claim is sent after that.
    package mutating func tellAhead(_ transaction: StoreTransaction) {
        guard isOpen, transaction.canBeToldAhead,
            let frame = exchange?.value.tellAhead(transaction.writes, of: transaction.lane)
        else { return }
        frames.append(frame)
    }

    /// Called when the time in `deadline` has come.
    ///
    /// `progress` is what the connection has carried by then.
    package mutating func handleDeadline(now: Instant, progress: TransportProgress) {
        handleTime(now)
        guard let deadline, deadline <= now else { return }
        guard isOpen else {
            return close(
                CloseReason(.timeout, "the opening messages did not arrive within \(limits.openingTime)"))
        }
        if let silentSince, silentSince <= now {
            close(
                CloseReason(
                    .silent,
                    "it has stored none of the data that it was sent for \(limits.acknowledgingTime.wholeSeconds)"
                ))
        } else if let due = presence?.deadline(limits), due <= now {
            checkPresence(progress)
        } else {
            checking?.handleDeadline(now: now)
        }
    }

    /// Sends a ping to a silent peer, or closes the session if the peer has not answered the last ping.
    private mutating func checkPresence(_ progress: TransportProgress) {
        let limits = limits
        switch presence?.handleDeadline(now: now, progress: progress, limits) {
        case .ping: frames.append(PeerMessage.ping(pings.next()).frame)
        case .wait, nil: break
        case .gone:
            close(CloseReason(.silent, "it no longer answers"))
        }
    }

    /// A presence that begins now, because the peer was just heard; nil if one side does not support pings.
    private var newPresence: PeerPresence? {
        features.contains(Features.pings) ? PeerPresence(since: now) : nil
    }

    // MARK: Commands

    /// Asks the peer for the latest state of an activity that is current there.
    ///
    /// If a type is given, the peer answers only if the activity still has this type.
    ///
    /// Returns the number of the request, which the event with the answer will have. Returns nil if the session is not
    /// open or if too many requests are unanswered.
    package mutating func requestContinue(
        _ identity: RecordIdentity, takes: Bool, step: ContinuationStep = .whole, type: String? = nil
    ) -> UInt64? {
        guard isOpen, let number = continuing.ask() else { return nil }
        let request = ContinueRequest(
            number: number, identity: identity, takes: takes, step: step, type: type)
        frames.append(PeerMessage.continueRequest(request).frame)
        return number
    }

    /// Answers a request to continue from the peer.
    ///
    /// If several devices changed a record, it may not fit into a frame. The peer is then told that the activity is
    /// unavailable.
    package mutating func answerContinue(_ number: UInt64, _ outcome: ContinueAnswer.Outcome) {
        guard !isClosed, continuing.answer(number) else { return }
        var outcome = outcome
        if case .fields(let fields, _) = outcome, !fields.canBeWritten { outcome = .unavailable }
        frames.append(PeerMessage.continueAnswer(ContinueAnswer(number: number, outcome: outcome)).frame)
    }

    /// Sends the peer the addresses of other devices of the account.
    ///
    /// If there are too many devices for one message, the last ones are left out.
    package mutating func tellAddresses(_ routes: [DeviceAddresses]) {
        guard isOpen, !routes.isEmpty else { return }
        frames.append(PeerMessage.addresses(Array(routes.prefix(Limits.toldDevices))).frame)
    }

    /// Sends the peer the reports that are new to it, as soon as the peer has everything that they cover.
    ///
    /// This order matters. Otherwise, a report could name a write that the peer would wait for in vain.
    package mutating func tellReports(_ reports: Reports) {
        guard isOpen, features.contains(Features.collection) else { return }
        reporting.tell(reports)
    }

    /// Ends the session and sends the peer the reason.
    package mutating func close(_ reason: CloseReason) {
        guard !isClosed else { return }
        end(.closedHere(reason))
        frames.append(PeerMessage.close(reason).frame)
    }

    // MARK: Outputs

    package mutating func nextEvent() -> SessionEvent? { events.isEmpty ? nil : events.removeFirst() }

    package mutating func nextStoreRequest() -> StoreRequest? {
        if !storeRequests.isEmpty { return storeRequests.removeFirst() }
        if let phase = exchange?.value.repair.phase, checking?.mayAsk(in: phase) == true, let exchange,
            let request = checking?.nextRequest(in: exchange.value)
        {
            return request
        }
        let bytes = min(limits.batchBytes, Limits.largestBatchBytes)
        return exchange?.value.nextRead(bytes: bytes)
    }

    package mutating func nextFrame() -> Frame? {
        // Acknowledgements are sent first. The peer refuses writes from a device that lacks what the peer
        // garbage-collected. The acknowledgement tells the peer that this device now has it.
        if let number = acknowledgement, !isClosed {
            acknowledgement = nil
            return PeerMessage.acknowledgement(number).frame
        }
        if !frames.isEmpty {
            let frame = frames.removeFirst()
            if frame.kind == .batch { noteSending() }
            return frame
        }
        if let frame = exchange?.value.nextFrame() {
            noteSending()
            return frame
        }
        frames = reportFrames()
        return frames.isEmpty ? nil : frames.removeFirst()
    }

    // MARK: Queries

    /// The time when `handleDeadline(now:progress:)` must be called; nil if nothing is awaited.
    package var deadline: Instant? {
        guard !isClosed else { return nil }
        guard isOpen else { return openingDeadline }
        return Instant.earliest(Instant.earliest(silentSince, presence?.deadline(limits)), checkDeadline)
    }

    /// The time at which the session is closed if the peer has not acknowledged anything by then.
    private var silentSince: Instant? { waitingSince.map { $0 + limits.acknowledgingTime } }

    /// The time when the states must be compared again; nil if nothing changed, or while a repair is under way.
    private var checkDeadline: Instant? {
        exchange?.value.repair.phase == .underWay ? nil : checking?.deadline
    }

    /// Whether the opening messages were exchanged.
    package var isOpen: Bool { exchange != nil }

    /// Whether each side has everything that the other side has.
    package var isInStep: Bool { exchange?.value.isInStep ?? false }

    /// Whether anything is in flight, is being read, or is being stored.
    ///
    /// This is cheaper to compute than `isInStep`.
    package var isBusy: Bool { exchange?.value.isBusy ?? !isClosed }

    /// Returns the numbers of changes that each side still lacks; nil before the session is open.
    package func backlog(named: JournalPosition? = nil) -> SyncBacklog? {
        exchange?.value.backlog(named: named)
    }

    /// The current claims of both sides, or their claims when the session ended; nil if it was never open.
    package var claims: SessionClaims? { exchange?.value.claims ?? lastClaims }

    /// Whether the peer lacks writes that it once reported to have durably.
    ///
    /// In that case, the peer's own writes may be older than deletions that it lost. So nothing must be
    /// garbage-collected until the peer has caught up.
    package var isPeerSetBack: Bool { wasBehind && !isInStep }

    // MARK: Messages of the peer and answers of the store

    private mutating func handleMessage(_ message: PeerMessage, bytes: Int) throws(CloseReason) {
        switch message {
        case .hello(let hello): if let greeting = try opening.handleHello(hello) { handleGreeting(greeting) }
        case .standing(let standing): try handleComparison(try opening.handleStanding(standing))
        case .batch(let batch):
            try requireOpen()
            if let transaction = try exchange?.value.handleBatch(batch, bytes: bytes) {
                try audit.handleBatch(batch, bytes: bytes)
                storeRequests.append(.apply(transaction))
            }
        case .acknowledgement(let number):
            try requireOpen()
            try handleAcknowledgement(number)
        case .continueRequest(let request):
            try requireOpen()
            try handleRequest(request)
        case .continueAnswer(let answer): try handleAnswer(answer)
        case .addresses(let routes):
            try requireOpen()
            try audit.handleAddresses()
            events.append(.addressesTold(routes))
        case .reports(let reports):
            try requireOpen()
            try handleReports(reports)
        case .check(let check):
            try requireOpen()
            try handleTold(check: check)
        case .sums(let sums):
            try requireOpen()
            try handleTold(sums: sums)
        case .ping(let number):
            try requirePings()
            try audit.handlePing()
            frames.append(PeerMessage.pong(number).frame)
        case .pong(let number):
            try requirePings()
            try pings.handlePong(number)
        case .stream:
            // If the session is open and both sides support streams, the driver handles stream messages itself and does
            // not pass them here.
            throw CloseReason(.unexpected, "a stream, which this session does not support")
        case .close(let reason): end(.closedByPeer(reason))
        }
    }

    private func requireOpen() throws(CloseReason) {
        guard isOpen else {
            throw CloseReason(.unexpected, "a message before the opening messages were exchanged")
        }
    }

    private func requirePings() throws(CloseReason) {
        try requireOpen()
        guard features.contains(Features.pings) else {
            throw CloseReason(.unexpected, "a ping or a pong, which this session does not support")
        }
    }

    /// Called when the peer acknowledged all batches up to that number.
    private mutating func handleAcknowledgement(_ number: UInt64) throws(CloseReason) {
        try exchange?.value.handleAcknowledgement(number)
        audit.handleAcknowledgement()
        hasStored = true
        waitingSince = exchange?.value.awaitsAcknowledgement == true ? now : nil
    }

    private mutating func handleRequest(_ request: ContinueRequest) throws(CloseReason) {
        guard continuing.handleRequest(request.number) else {
            throw CloseReason(.unexpected, "too many requests to continue, or a repeated one")
        }
        try audit.handleContinueRequest(at: now)
        events.append(.continueRequested(request))
    }

    private mutating func handleAnswer(_ answer: ContinueAnswer) throws(CloseReason) {
        guard continuing.handleAnswer(answer.number) else {
            throw CloseReason(.unexpected, "an answer without a request")
        }
        events.append(.continueAnswered(answer))
    }

    private mutating func handleOpenAnswer(_ answer: StoreAnswer) throws(CloseReason) {
        switch answer {
        case .summary(let summary):
            let (hello, greeting) = opening.handleSummary(summary)
            frames.append(PeerMessage.hello(hello).frame)
            if let greeting { handleGreeting(greeting) }
        case .changes(let lane, .changes(let changes)):
            guard let frame = try exchange?.value.handleChanges(changes, of: lane) else { return }
            frames.append(frame)
        case .changes(let lane, .notNow), .range(let lane, .notNow): exchange?.value.postpone(lane)
        case .changes(let lane, .snapshotNeeded): try beginSnapshot(of: lane)
        case .range(let lane, .anew): exchange?.value.beginSnapshot(of: lane)
        case .range(let lane, .range(let range)): try exchange?.value.handleRange(range, of: lane)
        case .range(let lane, .ahead(let clears, let place)):
            exchange?.value.handleClearsAhead(clears, upTo: place, of: lane)
        case .keptReports: handleKeptReports()
        case .check(let check): handleOwn(check: check)
        case .sums(let sums): handleOwn(sums: sums)
        case .part(let lane, let part): exchange?.value.advanceRepair { $0.handlePart(part, of: lane) }
        case .applied(let lane, let commit):
            let number = exchange?.value.handleApplied(commit, of: lane)
            acknowledgement = number ?? acknowledgement
            try audit.handleApplied(commit, of: lane)
            noteToldAll()
        case .failed(let failure) where failure.code == .peerSetBack:
            throw CloseReason(.setBack, failure.text)
        case .failed(let failure) where failure.code == .void:
            throw CloseReason(.malformed, failure.text)
        case .failed(let failure):
            // The store's message contains names of files on this device. So it is only written to the log here, and
            // not sent.
            throw CloseReason(.storage, failure.code.told)
        }
    }

    /// Begins a snapshot for the peer; throws if the peer does not support snapshots.
    ///
    /// Without the snapshot, the peer's writes could bring back deleted records.
    private mutating func beginSnapshot(of lane: Lane) throws(CloseReason) {
        guard features.contains(Features.collection) else {
            throw CloseReason(.version, "this peer can't receive the snapshot that it needs")
        }
        exchange?.value.beginSnapshot(of: lane)
    }

    // MARK: Opening

    /// Called when the first messages of both sides are known.
    private mutating func handleGreeting(_ greeting: SessionOpening.Greeting) {
        let (hello, summary) = (greeting.hello, greeting.summary)
        features = greeting.features
        events.append(.greeted(hello))
        if let time = hello.compared { events.append(.timeTold(time)) }
        if hello.reportsDigest == summary.reports.digest { reporting.begin(with: summary.reports) }
        switch greeting.next {
        case .exchange(let cursors):
            open(summary, peer: Standing(complete: summary.complete), after: cursors)
            if isOpen { beginChecking(summary, hello) }
        case .compare(let standing): frames.append(PeerMessage.standing(standing).frame)
        }
    }

    /// Called when the peer's standing has arrived, because the first messages had different claims.
    private mutating func handleComparison(_ comparison: SessionOpening.Comparison) throws(CloseReason) {
        try audit.handleStanding(comparison.peer)
        open(comparison.summary, peer: comparison.peer, after: comparison.cursors)
        if isOpen { beginChecking() }
    }

    private mutating func open(_ summary: StoreSummary, peer: Standing, after cursors: [Lane: Cursor]) {
        guard !isInVain(summary.snapshots, of: peer) else {
            events.append(.snapshotLost)
            return close(CloseReason(.startingOver, "a snapshot of this device can't be completed"))
        }
        wasBehind = summary.reports[self.peer].map { !$0.isWithin(peer.complete) } ?? false
        exchange = Boxed(
            Exchange(
                of: own.device, with: self.peer, own: summary, peer: peer, after: cursors,
                holdsIndex: holdsIndex, limits: limits))
        exchange?.value.holdsActivities = holdsActivities
        audit.begin(peer.complete)
        events.append(.opened)
        // A peer that claims nothing may still have writes, for example if its store was rescued. The peer claims them
        // in its first whole batch.
        if !peer.complete.isEmpty { noteToldAll() }
    }

    /// Whether an unfinished snapshot from the peer can never be completed.
    ///
    /// This is the case if the peer no longer claims what the snapshot would bring. It is also the case if the peer is
    /// itself in the middle of a snapshot from this device and may continue that one first.
    private func isInVain(_ snapshots: [Lane: SnapshotProgress], of peer: Standing) -> Bool {
        snapshots.contains { lane, progress in
            let isMutual = peer.snapshots[lane] != nil && self.peer < own.device
            return isMutual || !progress.start.isWithin(peer.complete)
        }
    }

    /// Tells the driver, at most once, that this device has everything that the peer claimed when the session opened.
    ///
    /// The two sides need not be in step for that, because the peer may have made more writes since.
    private mutating func noteToldAll() {
        guard !hasToldAll, exchange?.value.hasAllOfPeer == true else { return }
        tellAll()
    }

    private mutating func tellAll() {
        guard !hasToldAll else { return }
        hasToldAll = true
        events.append(.toldAll)
    }

    // MARK: Reports of what devices have durably

    private mutating func handleReports(_ reports: Reports) throws(CloseReason) {
        guard features.contains(Features.collection) else {
            throw CloseReason(.unexpected, "reports, which this session does not support")
        }
        try audit.handleReports(reports)
        reporting.handleReports(reports)
        keepReports()
    }

    private mutating func handleKeptReports() {
        reporting.handleKept()
        keepReports()
    }

    private mutating func keepReports() {
        if let reports = reporting.keep() { storeRequests.append(.keepReports(reports)) }
    }

    /// Returns the frames with reports that can be sent now.
    ///
    /// While a batch waits to be sent, there are none.
    private mutating func reportFrames() -> [Frame] {
        guard reporting.hasUntold, let exchange, exchange.value.waitsForNothing else { return [] }
        return reporting.frames(toPeerWith: exchange.value.peerComplete)
    }

    // MARK: Comparing what both sides hold

    /// Called when the session is open and the first messages did not compare the states.
    private mutating func beginChecking() {
        guard features.contains(Features.repair) else { return }
        checking = Checking(pause: limits.checkTime, isCompared: false)
    }

    /// Called when the session is open and the first messages had the same claims.
    ///
    /// A side that sent a digest of its state has no more writes than it claims.
    ///
    /// If the two sides use different times to decide what has expired, they compare with a check, which contains its
    /// time. If a clock is wrong by days, they do not compare.
    private mutating func beginChecking(_ summary: StoreSummary, _ hello: Hello) {
        guard features.contains(Features.repair) else { return }
        let isOneTime = summary.compared == hello.compared
        let isInVain = summary.compared.flatMap { own in hello.compared.map { !own.isComparable(with: $0) } }
        checking = Checking(pause: limits.checkTime, isCompared: isOneTime || isInVain ?? false)
        // A side that sends no digest of its state may have writes that it does not claim, for example after a rescue.
        if let time = hello.compared, hello.state != nil { events.append(.met(at: time)) }
        guard isOneTime, let time = hello.compared, let own = summary.state, let told = hello.state else {
            return
        }
        if own == told { recordDifference(nil) } else { noteDifference(at: time, isRepaired: false) }
    }

    private mutating func handleTold(check: StateCheck) throws(CloseReason) {
        guard let exchange, checking != nil else {
            throw CloseReason(.unexpected, "a state check, which this session does not support")
        }
        try checking?.handleCheck(check, in: exchange.value)
        events.append(.timeTold(check.time))
    }

    private mutating func handleOwn(check own: StateCheck?) {
        switch checking?.handleOwnCheck(own) {
        case .nothing, nil: break
        case .tell(let check): frames.append(PeerMessage.check(check).frame)
        case .same(let time):
            events.append(.met(at: time))
            // If the peer claimed nothing when the session opened and has sent nothing, it becomes known only now that
            // all its writes are here.
            tellAll()
            recordDifference(nil)
        case .differs(let time, let isRepaired):
            events.append(.met(at: time))
            noteDifference(at: time, isRepaired: isRepaired)
        }
    }

    /// Handles the peer's sums.
    ///
    /// The peer sends them when it has found a difference, or as an answer to this side's sums.
    private mutating func handleTold(sums: LaneSums) throws(CloseReason) {
        guard checking != nil else {
            throw CloseReason(.unexpected, "sums, which this session does not support")
        }
        let isNews = exchange?.value.repair.isBegun == false
        try exchange?.value.advanceRepair { (repair) throws(CloseReason) in try repair.handleToldSums(sums) }
        if isNews { recordDifference(.found) }
    }

    private mutating func handleOwn(sums: LaneSums) {
        if let frame = exchange?.value.advanceRepair({ $0.handleSums(sums) }) { frames.append(frame) }
    }

    /// Handles a difference between the states of two sides with the same claims.
    ///
    /// The difference is repaired once. If it remains after that, it is reported.
    private mutating func noteDifference(at time: WallTime, isRepaired: Bool) {
        if exchange?.value.repair.begin(at: time) == true {
            recordDifference(.found)
        } else if isRepaired {
            recordDifference(.remaining)
        }
    }

    private mutating func recordDifference(_ difference: Difference?) {
        if let event = checking?.recordDifference(difference) { events.append(event) }
    }

    // MARK: Waiting and ending

    /// Notes that a batch is sent, so that the session waits for the peer from now on.
    ///
    /// It is called when the driver takes the batch, and not when the batch is created. The time that is known at its
    /// creation may be long past.
    private mutating func noteSending() {
        waitingSince = waitingSince ?? now
        presence = presence ?? newPresence
    }

    /// Ends the session, and discards all outstanding requests and frames.
    private mutating func end(_ event: SessionEvent) {
        lastClaims = claims
        (isClosed, exchange, checking) = (true, nil, nil)
        frames = []
        storeRequests = []
        acknowledgement = nil
        waitingSince = nil
        presence = nil
        events.append(event)
    }
}

extension Duration {
    /// The duration in whole seconds, for a person.
    fileprivate var wholeSeconds: String { "\(components.seconds) seconds" }
}

extension StoreFailure.Code {
    /// The description of the failure that a peer is sent.
    fileprivate var told: String {
        switch self {
        case .full: "the disk is full"
        case .unreadable:
            "more records from there can't be read here than can be quarantined; a newer version of Baton may help"
        case .locked, .newer, .foreign, .damaged, .readOnly, .failed, .void, .peerSetBack, .outranked:
            "the disk failed"
        }
    }
}
