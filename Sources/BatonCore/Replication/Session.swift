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
/// The store is asked by `StoreRequest`s and answers in the order in which it was asked.
///
///     starting ──own summary──▶ greeting ──hello, digests differ──▶ comparing
///                                  │                                   │ standing
///                                  └──hello, digests equal──▶ exchanging ◀┘
///     any ──close, a broken rule, the deadline──▶ closed
package struct Session: ~Copyable {
    private var state: SessionState
    /// There while the state is `exchanging`.
    var exchange: Exchange?
    /// There while both sides compare what they hold.
    var checking: Checking?
    private let own: SessionIdentity
    private let peer: DeviceIdentifier
    let limits: Limits
    /// What both sides can do beyond version 1; nothing before the peer's first message.
    package private(set) var features = Features()
    /// When the opening messages must have come.
    private let openingDeadline: Instant
    /// Another one for each session, to tell parts of vectors apart.
    private let salt: UInt64

    var frames: [Frame] = []
    private var storeRequests: [StoreRequest] = []
    var events: [SessionEvent] = []
    private var acknowledgement: UInt64?
    private var lastContinue: UInt64 = 0
    /// Requests to continue that the peer has not answered yet.
    private var asked: Set<UInt64> = []
    /// Requests to continue that the peer waits for.
    private var asking: Set<UInt64> = []
    /// Reports that the peer may lack.
    private var untoldReports = Reports()
    /// Reports of the peer that the store was not asked to keep yet, and whether it keeps others now.
    private var arrivedReports = Reports()
    private var isKeepingReports = false
    /// What the peer knows of reports.
    private var peerReports = Reports()
    /// Judges what the peer does.
    private var conduct: Conduct
    /// The present moment, as the driver said last.
    private var now: Instant
    /// Since when the peer has acknowledged nothing of what is on the way; nothing if nothing is.
    private var waitingSince: Instant?
    /// Whether the peer lacked, when the session opened, what it once had for good.
    private var wasBehind = false

    /// Begins a conversation with a device whose certificate was checked.
    package init(own: SessionIdentity, peer: DeviceIdentifier, limits: Limits, now: Instant) {
        (self.own, self.peer, self.limits) = (own, peer, limits)
        (self.now, conduct) = (now, Conduct(since: now))
        (openingDeadline, salt) = (now + limits.openingTime, now.nanoseconds)
        state = .starting(hello: nil)
        storeRequests = [.summary(for: peer)]
    }

    // MARK: Events

    /// A frame arrived from the peer, when the present life of this device had named so much.
    ///
    /// A driver without a journal says nothing of names; then no lie about them is found.
    package mutating func handle(_ frame: Frame, named: OwnNames? = nil) {
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

    /// The store answered the oldest request that it had not answered yet.
    package mutating func handle(_ answer: StoreAnswer) {
        guard !isClosed else { return }
        switch answer {
        case .summary(let summary): handle(summary)
        case .changes(let lane, .changes(let changes)):
            do throws(CloseReason) {
                guard let frame = try exchange?.handle(changes, of: lane) else { return }
                frames.append(frame)
                noteSending()
            } catch { close(error) }
        case .changes(let lane, .notNow):
            exchange?.postpone(lane)
        case .changes(let lane, .snapshotNeeded):
            beginSnapshot(of: lane)
        case .range(let lane, .anew):
            exchange?.beginSnapshot(of: lane)
        case .range(let lane, .notNow):
            exchange?.postpone(lane)
        case .range(let lane, .range(let range)):
            do throws(CloseReason) { try exchange?.handle(range, of: lane) } catch { close(error) }
        case .keptReports:
            isKeepingReports = false
            keepReports()
        case .check(let check): handle(check)
        case .sums(let sums): handle(sums)
        case .part(let lane, let part): exchange?.mend { $0.handle(part, of: lane) }
        case .applied(let commit):
            if let number = exchange?.handleApplied(commit) { acknowledgement = number }
            do { try conduct.handleApplied(commit) } catch { close(error) }
        case .failed(let failure) where failure.code == .peerSetBack:
            close(CloseReason(.setBack, failure.text))
        case .failed(let failure):
            // What the store says is for the log here: it names files that are nobody else's business.
            close(CloseReason(.storage, failure.code.told))
        }
    }

    /// The store took writes of a lane, from whomever.
    package mutating func handleCommit(_ lane: Lane) {
        exchange?.handleCommit(lane)
        checking?.handleChange()
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

    // MARK: Commands

    /// Asks the peer for the latest state of an activity that is going on there; answers with the number
    /// that the event will bear, or nothing if the session is not open or too much was asked already.
    package mutating func requestContinue(_ identity: RecordIdentity) -> UInt64? {
        guard isOpen, asked.count < Limits.continuingRequests else { return nil }
        lastContinue += 1
        asked.insert(lastContinue)
        frames.append(
            PeerMessage.continueRequest(ContinueRequest(number: lastContinue, identity: identity)).frame)
        return lastContinue
    }

    /// Answers the peer's request with the activity's fields, or with nothing if it is not going on.
    ///
    /// Many devices can change a record together to more than fits a frame; then nothing is sent of it,
    /// either.
    package mutating func answerContinue(_ number: UInt64, _ fields: Fields?) {
        guard !isClosed, asking.remove(number) != nil else { return }
        let outcome: ContinueAnswer.Outcome =
            switch fields {
            case nil: .gone
            case let fields? where fields.canBeWritten: .fields(fields)
            case .some: .unavailable
            }
        frames.append(PeerMessage.continueAnswer(ContinueAnswer(number: number, outcome: outcome)).frame)
    }

    /// Tells the peer where other devices of the account may be found, as many as one message holds.
    package mutating func tellAddresses(_ routes: [DeviceAddresses]) {
        guard isOpen, !routes.isEmpty else { return }
        frames.append(PeerMessage.addresses(Array(routes.prefix(DeviceAddresses.devicesMost))).frame)
    }

    /// Tells the peer what devices have for good, as far as that is news to it, once it has as much itself.
    ///
    /// So a report never speaks of what its receiver might wait for in vain.
    package mutating func tellReports(_ reports: Reports) {
        guard isOpen, features.contains(Features.lettingGo) else { return }
        untoldReports.join(reports)
    }

    /// Ends the conversation; the peer is told why.
    package mutating func close(_ reason: CloseReason) {
        guard !isClosed else { return }
        end(.closedHere(reason))
        frames.append(PeerMessage.close(reason).frame)
    }

    // MARK: Outputs

    package mutating func nextEvent() -> SessionEvent? { events.isEmpty ? nil : events.removeFirst() }

    package mutating func nextStoreRequest() -> StoreRequest? {
        if !storeRequests.isEmpty { return storeRequests.removeFirst() }
        if let exchange, let request = checking?.nextRequest(in: exchange) { return request }
        return exchange?.nextRead(bytes: min(limits.batchBytes, Limits.largestBatchBytes))
    }

    package mutating func nextFrame() -> Frame? {
        if !frames.isEmpty { return frames.removeFirst() }
        if let frame = exchange?.nextFrame() {
            noteSending()
            return frame
        }
        if let frame = nextReports() { return frame }
        guard let number = acknowledgement, !isClosed else { return nil }
        acknowledgement = nil
        return PeerMessage.acknowledgement(number).frame
    }

    /// A batch is on the way: the peer is waited for, if it is not already.
    private mutating func noteSending() { waitingSince = waitingSince ?? now }

    private mutating func nextReports() -> Frame? {
        guard !untoldReports.isEmpty, let exchange, exchange.waitsForNothing else { return nil }
        let news = passableReports(exchange)
        guard !news.isEmpty else { return nil }
        untoldReports = untoldReports.beyond(news)
        frames = news.beyond(peerReports).frames
        peerReports.join(news)
        return frames.isEmpty ? nil : frames.removeFirst()
    }

    /// What the peer can be told, as it has that much itself.
    private func passableReports(_ exchange: Exchange) -> Reports {
        #if DEBUG
            if Faults.isPlanted(.tombstoneWithoutStability) { return untoldReports }
        #endif
        return untoldReports.within(exchange.peerComplete)
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

    /// Whether the peer lacks what it once said to have for good, so that it may write what is older than what it
    /// has forgotten: nothing must be let go before it has caught up.
    package var isPeerSetBack: Bool { wasBehind && !isInStep }

    // MARK: Opening

    private mutating func handle(_ summary: StoreSummary) {
        guard case .starting(let early) = state else {
            preconditionFailure("the store is asked for its summary once")
        }
        state = .greeting(summary)
        var hello = Hello(
            account: own.account, device: own.device, name: own.name,
            completeDigest: summary.complete.digest, port: own.port, build: Build.version,
            features: own.features, reportsDigest: summary.reports.isEmpty ? nil : summary.reports.digest,
            parts: summary.parts(salt: salt),
            state: own.features.contains(Features.mending) ? summary.state : nil)
        hello.resume = summary.resume
        frames.append(PeerMessage.hello(hello).frame)
        guard let early else { return }
        greet(early, summary)
    }

    private mutating func handle(_ hello: Hello) throws(CloseReason) {
        guard hello.account == own.account, hello.device == peer else {
            throw CloseReason(.identity, "the first message names another device than the certificate")
        }
        switch state {
        case .starting(hello: nil): state = .starting(hello: hello)
        case .greeting(let summary): greet(hello, summary)
        case .starting, .comparing, .exchanging, .closed:
            throw CloseReason(.unexpected, "a second first message")
        }
    }

    /// Both first messages are known: what each side has is told only where they differ.
    private mutating func greet(_ hello: Hello, _ summary: StoreSummary) {
        features = own.features.common(with: hello.features)
        events.append(.greeted(hello))
        if hello.reportsDigest == summary.reports.digest { peerReports = summary.reports }
        let cursors = cursors(of: hello, summary)
        if hello.completeDigest == summary.complete.digest {
            // What stands up to `settled` is claimed, and so the peer has it.
            open(
                summary, peer: Standing(complete: summary.complete),
                after: cursors.merging(summary.settled.mapValues { Cursor($0) }) { $0.joined($1) })
            if isOpen { beginChecking(own: summary.state, told: hello.state) }
        } else {
            state = .comparing(summary, digest: hello.completeDigest, cursors)
            frames.append(PeerMessage.standing(summary.standing(for: hello.parts)).frame)
        }
    }

    /// Where to go on, as far as the peer told back what it can have been told.
    private func cursors(of hello: Hello, _ summary: StoreSummary) -> [Lane: Cursor] {
        var cursors: [Lane: Cursor] = [:]
        for (lane, token) in hello.resume {
            guard let cursor = token.cursor(in: summary.order), let head = summary.heads[lane],
                max(cursor.writes, cursor.clears) <= head
            else { continue }
            cursors[lane] = cursor
            #if DEBUG
                if Faults.isPlanted(.resumeOffByOne) {
                    cursors[lane]?.writes = Arrival(value: cursor.writes.value + 1)
                }
            #endif
        }
        return cursors
    }

    /// Whether snapshots of the peer that were under way can't come to their end: it does not have any more what they
    /// were to bring, or it is in the middle of one of this device itself, and is the one that goes on with it.
    private func isInVain(_ snapshots: [Lane: SnapshotProgress], of peer: Standing) -> Bool {
        snapshots.contains { lane, progress in
            let isMutual = peer.snapshots[lane] != nil && self.peer < own.device
            return isMutual || !progress.start.isWithin(peer.complete)
        }
    }

    private mutating func open(_ summary: StoreSummary, peer: Standing, after cursors: [Lane: Cursor]) {
        guard !isInVain(summary.snapshots, of: peer) else {
            events.append(.snapshotLost)
            return close(CloseReason(.startingOver, "a snapshot of this device can't come to its end"))
        }
        state = .exchanging
        wasBehind = summary.reports[self.peer].map { !$0.isWithin(peer.complete) } ?? false
        exchange = Exchange(of: own.device, with: self.peer, own: summary, peer: peer, after: cursors)
        conduct.begin(peer.complete)
        events.append(.opened)
    }

    // MARK: Messages

    private mutating func handle(_ message: PeerMessage, bytes: Int) throws(CloseReason) {
        switch message {
        case .hello(let hello): try handle(hello)
        case .standing(let standing):
            guard case .comparing(let summary, let digest, let cursors) = state else {
                throw CloseReason(.unexpected, "a standing that nobody waits for")
            }
            let parts = standing.parts
            let standing = try standing.completed(by: summary)
            guard standing.complete.digest == digest else {
                throw CloseReason(
                    parts == nil ? .unexpected : .mistaken,
                    "a vector whose digest is not that of the first message")
            }
            try conduct.handle(standing)
            open(summary, peer: standing, after: cursors)
            if isOpen { beginChecking() }
        case .batch(let batch):
            try requireOpen()
            if let transaction = try exchange?.handle(batch, bytes: bytes) {
                try conduct.handle(batch, bytes: bytes)
                storeRequests.append(.apply(transaction))
            }
        case .acknowledgement(let number):
            try requireOpen()
            try exchange?.handleAcknowledgement(number)
            conduct.handleAcknowledgement()
            waitingSince = exchange?.awaitsAcknowledgement == true ? now : nil
        case .continueRequest(let request):
            try requireOpen()
            guard asking.count < Limits.continuingRequests, asking.insert(request.number).inserted else {
                throw CloseReason(.unexpected, "too many requests to continue, or one twice")
            }
            try conduct.handleContinueRequest(at: now)
            events.append(.continueRequested(request))
        case .continueAnswer(let answer):
            guard asked.remove(answer.number) != nil else {
                throw CloseReason(.unexpected, "an answer to what was not asked")
            }
            events.append(.continueAnswered(answer))
        case .addresses(let routes):
            try requireOpen()
            try conduct.handleAddresses()
            events.append(.addressesTold(routes))
        case .reports(let reports):
            try requireOpen()
            guard features.contains(Features.lettingGo) else {
                throw CloseReason(.unexpected, "reports, which this session is without")
            }
            try conduct.handle(reports)
            peerReports.join(reports)
            arrivedReports.join(reports)
            keepReports()
        case .check(let check):
            try requireOpen()
            try handle(told: check)
        case .sums(let sums):
            try requireOpen()
            try handle(told: sums)
        case .close(let reason):
            end(.closedByPeer(reason))
        }
    }

    /// Asks the store to keep what arrived, all of it at once, however much comes meanwhile.
    private mutating func keepReports() {
        guard !isKeepingReports, !arrivedReports.isEmpty else { return }
        storeRequests.append(.keepReports(arrivedReports))
        (arrivedReports, isKeepingReports) = (Reports(), true)
    }

    /// A peer that can't take a snapshot would bring back what was deleted.
    private mutating func beginSnapshot(of lane: Lane) {
        guard features.contains(Features.lettingGo) else {
            return close(CloseReason(.version, "this peer can't take the snapshot that it needs"))
        }
        exchange?.beginSnapshot(of: lane)
    }

    private mutating func end(_ event: SessionEvent) {
        (state, exchange, checking) = (.closed, nil, nil)
        (frames, storeRequests, acknowledgement, waitingSince) = ([], [], nil, nil)
        events.append(event)
    }

    private func requireOpen() throws(CloseReason) {
        guard isOpen else {
            throw CloseReason(.unexpected, "a message before the opening ones were exchanged")
        }
    }
}

extension StoreFailure.Code {
    /// What a peer is told of it.
    fileprivate var told: String {
        switch self {
        case .full: "the disk is full"
        case .unreadable:
            "more of what came from there can't be read here than is set aside; a newer version of Baton may help"
        case .locked, .newer, .damaged, .failed, .peerSetBack: "the disk refused"
        }
    }
}
