/// One conversation between two nodes of an account, over a channel that has proved who the peer is.
///
/// It never sees a socket, a disk or a clock. There are four families of methods:
/// - events go in with `handle…`, and `start()` is the first;
/// - commands are `requestContinue(_:)`, `answerContinue(_:_:)`, `tellAddresses(_:)`, `tellReports(_:)` and
///   `close(_:)`;
/// - outputs are drained after every call, in this order: `nextEvent()`, `nextStoreRequest()`, `nextFrame()`;
/// - queries are nouns and claims.
///
/// The store is asked by `StoreRequest`s and answers the requests about each lane in the order in which they were made.
///
///     starting ──own summary──▶ greeting ──hello, digests differ──▶ comparing
///                                  │                                   │ standing
///                                  └──hello, digests equal──▶ exchanging ◀┘
///     any ──close, a broken rule, the deadline──▶ closed
package struct Session: ~Copyable {
    var state: SessionState
    /// Set while the state is `exchanging`.
    var exchange: Exchange?
    /// Set while both sides compare what they hold.
    var checking: Checking?
    let own: SessionIdentity
    let peer: DeviceIdentifier
    let limits: Limits
    /// The features beyond version 1 that both sides have; none before the peer's first message.
    package internal(set) var features = Features()
    /// The deadline for the opening messages.
    private let openingDeadline: Instant
    /// A value that differs from session to session, to tell parts of vectors apart.
    let salt: UInt64

    var frames: [Frame] = []
    var storeRequests: [StoreRequest] = []
    var events: [SessionEvent] = []
    /// The number of the last batch that was kept and is not acknowledged yet.
    var acknowledgement: UInt64?
    var continuing = ContinueRequests()
    var reporting = Reporting()
    /// Judges what the peer does.
    var conduct: PeerAudit
    /// The present moment, as the driver said last.
    private(set) var now: Instant
    /// Since when the peer has acknowledged nothing of what is on the way; nil if nothing is on the way.
    private var waitingSince: Instant?
    /// Whether the peer lacked, when the session opened, writes that it once had durably.
    var wasBehind = false
    /// Whether the driver was told that everything the peer claimed when the session opened is here.
    var hasToldAll = false
    /// Whether the index is held back from the peer.
    private(set) var holdsIndex = false

    /// Begins a conversation with a device whose certificate was checked, and of the account that the certificate
    /// names.
    ///
    /// A device of another account is sent nothing but that it has no business here: not even who this device is.
    package init(
        own: SessionIdentity, peer: DeviceIdentifier, of account: AccountIdentifier, limits: Limits,
        now: Instant
    ) {
        (self.own, self.peer, self.limits) = (own, peer, limits)
        (self.now, conduct) = (now, PeerAudit(since: now))
        (openingDeadline, salt) = (now + limits.openingTime, now.nanoseconds)
        state = .starting(hello: nil)
        storeRequests = [.summary(for: peer)]
        if !isOwn(account) { close(CloseReason(.identity, "the certificate is of another account")) }
    }

    /// Whether that is the account of this conversation.
    func isOwn(_ account: AccountIdentifier) -> Bool {
        #if DEBUG
            if Faults.isPlanted(.accountNotAsked) { return true }
        #endif
        return account == own.account
    }

    // MARK: Events

    /// Handles a frame from the peer, which arrived when the present life of this device had named this much.
    ///
    /// A driver without a journal passes no position; then no false claim about this device's writes is detected.
    package mutating func handle(_ frame: Frame, named: JournalPosition? = nil) {
        guard !isClosed else { return }
        do {
            let message = try PeerMessage(frame)
            conduct.named = named
            try handle(message, bytes: frame.body.count)
        } catch {
            if error.code == .lifeTaken, let life = named?.life { events.append(.lifeTaken(life)) }
            close(error)
        }
    }

    /// Advances the time; called before the events of that time, so that the session knows how long it waits.
    package mutating func handleTime(_ now: Instant) { self.now = max(now, self.now) }

    /// Called when the store took writes of a lane, whatever their source.
    package mutating func handleCommit(_ lane: Lane) {
        exchange?.handleCommit(lane)
        checking?.handleChange()
    }

    /// Sets whether the person holds the index back on this device; the peer lacks it as long as that is so.
    package mutating func handle(holdsIndex: Bool) {
        self.holdsIndex = holdsIndex
        exchange?.holdsIndex = holdsIndex
    }

    /// Called when this device is about to keep a transaction of its own, whose dots will never be used for anything
    /// else.
    ///
    /// The peer is sent it at once, rather than when the disk is done; it is told then whether it may claim it.
    package mutating func handleWriting(_ transaction: StoreTransaction) {
        guard isOpen, transaction.canBeToldAhead,
            let frame = exchange?.handle(ahead: transaction.writes, of: transaction.lane)
        else { return }
        frames.append(frame)
        noteSending()
    }

    /// Called when the moment of `deadline` has come.
    package mutating func handleDeadline(now: Instant) {
        handleTime(now)
        guard let deadline, deadline <= now else { return }
        guard isOpen else {
            return close(
                CloseReason(.timeout, "the opening messages did not come within \(limits.openingTime)"))
        }
        if let silentSince, silentSince <= now {
            close(CloseReason(.silent, "nothing was acknowledged for \(limits.acknowledgingTime)"))
        } else {
            checking?.handleDeadline(now: now)
        }
    }

    /// Called when the peer has kept all batches up to that number.
    mutating func handleAcknowledgement(_ number: UInt64) throws(CloseReason) {
        try exchange?.handleAcknowledgement(number)
        conduct.handleAcknowledgement()
        waitingSince = exchange?.awaitsAcknowledgement == true ? now : nil
    }

    // MARK: Commands

    /// Sends the peer the addresses of other devices of the account, as many as one message holds.
    package mutating func tellAddresses(_ routes: [DeviceAddresses]) {
        guard isOpen, !routes.isEmpty else { return }
        frames.append(PeerMessage.addresses(Array(routes.prefix(Limits.toldDevices))).frame)
    }

    /// Ends the conversation and sends the peer the reason.
    package mutating func close(_ reason: CloseReason) {
        guard !isClosed else { return }
        end(.closedHere(reason))
        frames.append(PeerMessage.close(reason).frame)
    }

    /// Ends the session and discards everything that was still to be done or sent.
    mutating func end(_ event: SessionEvent) {
        (state, exchange, checking) = (.closed, nil, nil)
        (frames, storeRequests, acknowledgement, waitingSince) = ([], [], nil, nil)
        events.append(event)
    }

    // MARK: Outputs

    package mutating func nextEvent() -> SessionEvent? { events.isEmpty ? nil : events.removeFirst() }

    package mutating func nextStoreRequest() -> StoreRequest? {
        if !storeRequests.isEmpty { return storeRequests.removeFirst() }
        if let exchange, let request = checking?.nextRequest(in: exchange) { return request }
        return exchange?.nextRead(bytes: min(limits.batchBytes, Limits.largestBatchBytes))
    }

    package mutating func nextFrame() -> Frame? {
        // Acknowledgements go first, because the peer refuses writes from a device that lacks what the peer
        // garbage-collected, and learns from them that this device has it.
        if let number = acknowledgement, !isClosed {
            acknowledgement = nil
            return PeerMessage.acknowledgement(number).frame
        }
        if !frames.isEmpty { return frames.removeFirst() }
        if let frame = exchange?.nextFrame() {
            noteSending()
            return frame
        }
        frames = reportFrames()
        return frames.isEmpty ? nil : frames.removeFirst()
    }

    /// Notes that a batch is sent: the session waits for the peer from now on, if it does not already.
    mutating func noteSending() {
        #if DEBUG
            if Faults.isPlanted(.silenceForgotten) { waitingSince = nil }
        #endif
        waitingSince = waitingSince ?? now
    }

    // MARK: Queries

    /// When `handleDeadline(now:)` is due; nil if nothing is awaited.
    package var deadline: Instant? {
        guard !isClosed else { return nil }
        return isOpen ? [silentSince, checkDeadline].compactMap(\.self).min() : openingDeadline
    }

    /// When the peer will have acknowledged nothing for too long.
    private var silentSince: Instant? { waitingSince.map { $0 + limits.acknowledgingTime } }

    /// Whether the opening messages were exchanged.
    package var isOpen: Bool { if case .exchanging = state { true } else { false } }

    package var isClosed: Bool { if case .closed = state { true } else { false } }

    /// Whether each side has everything that the other has.
    package var isInStep: Bool { exchange?.isInStep ?? false }

    /// Whether something is on its way, or being read or kept: cheaper to ask than whether all is in step.
    package var isBusy: Bool { exchange?.isBusy ?? !isClosed }

    /// Returns what is missing until both have the same; nil before the opening messages were exchanged.
    package func backlog(named: JournalPosition? = nil) -> SyncBacklog? { exchange?.backlog(named: named) }

    /// Whether the peer lacks writes that it once reported to have durably, so that its own writes may be older than
    /// what it has forgotten: nothing must be garbage-collected before it has caught up.
    package var isPeerSetBack: Bool { wasBehind && !isInStep }
}
