/// One conversation between two nodes of an account, over a channel that has proved who the peer is.
///
/// It never sees a socket, a disk or a clock. There are four families of methods:
/// - events go in with `handle…`, and `start()` is the first;
/// - commands are `requestContinue(_:)`, `answerContinue(_:_:)`, `tellAddresses(_:)`, `tellReports(_:)`
///   and `close(_:)`;
/// - outputs are drained after every call, in this order: `nextEvent()`, `nextStoreRequest()`,
///   `nextFrame()`;
/// - queries are nouns and claims.
///
/// The store is asked by `StoreRequest`s and answers in the order in which it was asked, of each lane by itself.
///
///     starting ──own summary──▶ greeting ──hello, digests differ──▶ comparing
///                                  │                                   │ standing
///                                  └──hello, digests equal──▶ exchanging ◀┘
///     any ──close, a broken rule, the deadline──▶ closed
package struct Session: ~Copyable {
    var state: SessionState
    /// There while the state is `exchanging`.
    var exchange: Exchange?
    /// There while both sides compare what they hold.
    var checking: Checking?
    let own: SessionIdentity
    let peer: DeviceIdentifier
    let limits: Limits
    /// What both sides can do beyond version 1; nothing before the peer's first message.
    package internal(set) var features = Features()
    /// When the opening messages must have come.
    private let openingDeadline: Instant
    /// Another one for each session, to tell parts of vectors apart.
    let salt: UInt64

    var frames: [Frame] = []
    var storeRequests: [StoreRequest] = []
    var events: [SessionEvent] = []
    /// The last batch that was kept and is not acknowledged yet.
    var acknowledgement: UInt64?
    var continuing = ContinueRequests()
    var reporting = Reporting()
    /// Judges what the peer does.
    var conduct: PeerAudit
    /// The present moment, as the driver said last.
    private(set) var now: Instant
    /// Since when the peer has acknowledged nothing of what is on the way; nothing if nothing is.
    private var waitingSince: Instant?
    /// Whether the peer lacked, when the session opened, what it once had for good.
    var wasBehind = false
    /// Whether the driver knows that all is here that the peer claimed when the session opened.
    var hasToldAll = false
    /// Whether the peer is sent nothing of the index.
    private(set) var holdsIndex = false

    /// Begins a conversation with a device whose certificate was checked, and of which account it is was read there.
    ///
    /// To a device of another account nothing is said but that it has no business here: not even who this is.
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

    /// A frame arrived from the peer, when the present life of this device had named so much.
    ///
    /// A driver without a journal says nothing of names; then no lie about them is found.
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

    /// Time goes on; said before what happens then, so that the session knows how long it waits.
    package mutating func handleTime(_ now: Instant) { self.now = max(now, self.now) }

    /// The store took writes of a lane, from whomever.
    package mutating func handleCommit(_ lane: Lane) {
        exchange?.handleCommit(lane)
        checking?.handleChange()
    }

    /// The person wants nothing of the index to leave this device, or no longer; the peer lacks it as long.
    package mutating func handle(holdsIndex: Bool) {
        self.holdsIndex = holdsIndex
        exchange?.holdsIndex = holdsIndex
    }

    /// This device is about to keep a transaction of its own, and nobody will ever use its dots for anything else.
    ///
    /// The peer hears of it at once, rather than when the disk is done, and is told then whether it may claim it.
    package mutating func handleWriting(_ transaction: StoreTransaction) {
        guard isOpen, transaction.canBeToldAhead,
            let frame = exchange?.handle(ahead: transaction.writes, of: transaction.lane)
        else { return }
        frames.append(frame)
        noteSending()
    }

    /// The moment of `deadline` came.
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

    /// The peer has kept all batches up to that number.
    mutating func handleAcknowledgement(_ number: UInt64) throws(CloseReason) {
        try exchange?.handleAcknowledgement(number)
        conduct.handleAcknowledgement()
        waitingSince = exchange?.awaitsAcknowledgement == true ? now : nil
    }

    // MARK: Commands

    /// Tells the peer where other devices of the account may be found, as many as one message holds.
    package mutating func tellAddresses(_ routes: [DeviceAddresses]) {
        guard isOpen, !routes.isEmpty else { return }
        frames.append(PeerMessage.addresses(Array(routes.prefix(Limits.toldDevices))).frame)
    }

    /// Ends the conversation; the peer is told why.
    package mutating func close(_ reason: CloseReason) {
        guard !isClosed else { return }
        end(.closedHere(reason))
        frames.append(PeerMessage.close(reason).frame)
    }

    /// The session is over, and nothing of it is done or sent any more.
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
        // First of all, for the peer refuses what is sent by who lacks what it let go, and knows by this that it is
        // here.
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

    /// A batch is on the way: the peer is waited for, if it is not already.
    mutating func noteSending() {
        #if DEBUG
            if Faults.isPlanted(.silenceForgotten) { waitingSince = nil }
        #endif
        waitingSince = waitingSince ?? now
    }

    // MARK: Queries

    /// When `handleDeadline(now:)` is due; nothing if nothing is awaited.
    package var deadline: Instant? {
        guard !isClosed else { return nil }
        return isOpen ? [silentSince, checkDeadline].compactMap(\.self).min() : openingDeadline
    }

    /// When the peer will have acknowledged nothing for too long.
    private var silentSince: Instant? { waitingSince.map { $0 + limits.acknowledgingTime } }

    /// Whether the opening messages were exchanged.
    package var isOpen: Bool { if case .exchanging = state { true } else { false } }

    package var isClosed: Bool { if case .closed = state { true } else { false } }

    /// Whether each side has all that the other has.
    package var isInStep: Bool { exchange?.isInStep ?? false }

    /// Whether something is on its way, or being read or kept: cheaper to ask than whether all is in step.
    package var isBusy: Bool { exchange?.isBusy ?? !isClosed }

    /// What is missing until both have the same; nothing before the opening messages were exchanged.
    package func backlog(named: JournalPosition? = nil) -> SyncBacklog? { exchange?.backlog(named: named) }

    /// Whether the peer lacks what it once said to have for good, so that it may write what is older than what it
    /// has forgotten: nothing must be let go before it has caught up.
    package var isPeerSetBack: Bool { wasBehind && !isInStep }
}
