/// The part of a session that goes on for as long as it lives: batches out, batches in, and who knows what.
struct Exchange: Sendable {
    /// What the peer has, or will have once it has applied what was sent.
    private(set) var peerComplete: VersionVector
    /// What is claimed here, as far as this session was told.
    private var ownComplete: VersionVector
    private let peer: DeviceIdentifier
    /// In which places are told to the peer.
    private let order: ArrivalOrder
    private var activities: LaneSender
    private var index: LaneSender
    private var receivers: [Lane: LaneReceiver]
    /// What the peer had let go and is not covered here, so that own writes may be older.
    private let peerDropped: VersionVector

    /// Batches on the way, oldest first.
    private var inFlight: [(number: UInt64, bytes: Int)] = []
    private var sentNumber: UInt64 = 0
    private var bytesInFlight = 0
    /// Parts of a snapshot that were read together and go one after the other.
    private var waiting: [Batch] = []

    /// Batches that wait for the store, oldest first.
    private var applying: [(batch: UInt64, bytes: Int, claims: VersionVector?)] = []
    private var receivedNumber: UInt64 = 0
    private var bytesApplying = 0

    /// Begins with what both sides said they have; what stands before the cursors need not be read.
    init(
        with device: DeviceIdentifier, own: StoreSummary, peer: Standing, after cursors: [Lane: Arrival]
    ) {
        (self.peer, order) = (device, own.order)
        (ownComplete, peerComplete) = (own.complete, peer.complete)
        let sender = { (lane: Lane) in
            LaneSender(
                lane: lane, after: cursors[lane] ?? .none,
                begun: peer.snapshots[lane].flatMap { progress in
                    progress.token.place(in: own.order).map {
                        LaneSender.Snapshot(after: progress.through, start: (progress.start, $0), since: $0)
                    }
                })
        }
        (activities, index) = (sender(.activities), sender(.index))
        receivers = [:]
        for lane in Lane.allCases {
            receivers[lane] = LaneReceiver(lane: lane, progress: own.snapshots[lane])
        }
        // Where both must send a snapshot, neither can wait for the other's.
        let mustSend = !own.dropped.isWithin(peer.complete)
        peerDropped = mustSend ? VersionVector() : peer.dropped
    }

    // MARK: Sending

    /// How many places are passed over at the most before the peer is told where to go on.
    private static let untoldMost: UInt64 = 1000

    /// The store took writes of a lane.
    mutating func handleCommit(_ lane: Lane) {
        withSender(lane) { $0.handleCommit() }
    }

    private mutating func withSender<Result>(_ lane: Lane, _ body: (inout LaneSender) -> Result) -> Result {
        lane == .activities ? body(&activities) : body(&index)
    }

    /// What to ask the store next; activities go before the index, and nothing goes beyond the window.
    mutating func nextRead(bytes: Int) -> StoreRequest? {
        guard bytesInFlight < Limits.windowBytes, waiting.isEmpty, !isSetBack else { return nil }
        let sender: LaneSender
        if activities.startReading() {
            sender = activities
        } else if activities.isIdle, index.startReading() {
            sender = index
        } else {
            return nil
        }
        guard let snapshot = sender.snapshot else {
            return .changes(
                ChangesRequest(lane: sender.lane, after: sender.cursor, covered: peerComplete, bytes: bytes))
        }
        var covered = snapshot.start?.complete
        covered?.join(peerComplete)
        return .range(
            RangeRequest(
                lane: sender.lane, after: snapshot.after, since: snapshot.since, covered: covered,
                bytes: bytes))
    }

    /// Whether the peer let go of what this device does not have, so that it must take a snapshot first: what is
    /// written here may be older than what nobody remembers.
    private var isSetBack: Bool { !peerDropped.isWithin(ownComplete) }

    /// Makes a batch of what the store has for the peer; nothing if it has all and knows all.
    mutating func handle(_ changes: Changes, of lane: Lane) -> Frame? {
        let passed = withSender(lane) { $0.handle(changes) }
        if let complete = changes.complete { ownComplete.join(complete) }
        let tellsNothing = changes.complete.map { $0.isWithin(peerComplete) } ?? true
        // What the peer had from others is passed over, but not each time it comes back.
        if changes.writes.isEmpty, tellsNothing, passed < Self.untoldMost { return nil }
        withSender(lane) { $0.handleTold() }
        let batch = Batch(
            number: 0, lane: lane, writes: changes.writes, complete: changes.complete?.beyond(peerComplete),
            resume: ResumeToken(changes.next, in: order))
        if let complete = changes.complete { peerComplete.join(complete) }
        return send(batch)
    }

    /// The store let go of what the peer may lack.
    mutating func beginSnapshot(of lane: Lane) {
        withSender(lane) { $0.beginSnapshot() }
    }

    /// Makes batches of a part of a snapshot, which wait for the window.
    mutating func handle(_ range: RecordRange, of lane: Lane) {
        let (cursor, told) = withSender(lane) { ($0.cursor, $0.toldRange) }
        let (after, start) = withSender(lane) { $0.handle(range) }
        for writes in range.ahead.batches {
            waiting.append(
                Batch(
                    number: 0, lane: lane, writes: writes, complete: nil,
                    resume: ResumeToken(cursor, in: order)))
        }
        waiting.append(
            Batch(
                number: 0, lane: lane, writes: range.writes, complete: nil,
                resume: ResumeToken(start.1, in: order),
                range: BatchRange(
                    after: after, through: range.through,
                    complete: told?.complete == range.complete ? nil : range.complete,
                    dropped: told?.dropped == range.dropped ? nil : range.dropped,
                    clock: range.clock, isEndAhead: range.isEndAhead)))
        if range.through == nil { peerComplete.join(start.0) }
    }

    /// The next batch that waited, once the window is open.
    mutating func nextFrame() -> Frame? {
        guard !waiting.isEmpty, bytesInFlight < Limits.windowBytes else { return nil }
        return send(waiting.removeFirst())
    }

    private mutating func send(_ batch: Batch) -> Frame {
        sentNumber += 1
        var batch = batch
        batch.number = sentNumber
        let frame = PeerMessage.batch(batch).frame
        let weight = Self.weight(frame.body.count)
        inFlight.append((sentNumber, weight))
        bytesInFlight += weight
        return frame
    }

    /// The peer has kept all batches up to that number.
    mutating func handleAcknowledgement(_ number: UInt64) throws(CloseReason) {
        guard let first = inFlight.first, (first.number...sentNumber).contains(number) else {
            throw CloseReason(.unexpected, "an acknowledgement of batch \(number), which is not on the way")
        }
        let kept = inFlight.prefix { $0.number <= number }
        bytesInFlight -= kept.reduce(0) { $0 + $1.bytes }
        inFlight.removeFirst(kept.count)
    }

    // MARK: Receiving

    /// What the store is to do with a batch.
    mutating func handle(_ batch: Batch, bytes: Int) throws(CloseReason) -> StoreTransaction {
        guard batch.number == receivedNumber + 1 else {
            throw CloseReason(.unexpected, "batch \(batch.number) came after batch \(receivedNumber)")
        }
        // A sender looks at the window before it reads, so one batch of each lane may reach beyond it.
        let weight = Self.weight(bytes)
        guard bytesApplying + weight <= Limits.windowBytes + Lane.allCases.count * Limits.frameBytes else {
            throw CloseReason(.windowExceeded, "more than \(Limits.windowBytes) bytes are not acknowledged")
        }
        if let complete = batch.complete {
            guard complete == complete.restricted(to: batch.lane) else {
                throw CloseReason(.malformed, "a batch claims what is not of its lane")
            }
            try note(complete)
        }
        var range: ReceivedRange?
        if let told = batch.range {
            range = try receivers[batch.lane]?.handle(batch, told)
            if let complete = told.complete { try note(complete) }
        }
        receivedNumber = batch.number
        let claims = range.map { $0.through == nil ? $0.start : VersionVector() } ?? batch.complete
        applying.append((batch.number, weight, claims))
        bytesApplying += weight
        var clock = batch.writes.map(\.latestTime).max() ?? .zero
        if let range { clock = max(clock, range.clock) }
        var transaction = StoreTransaction(
            lane: batch.lane, writes: batch.writes, completing: batch.complete ?? VersionVector(),
            clock: clock, resume: StoreTransaction.Resume(peer: peer, token: batch.resume))
        transaction.range = range
        return transaction
    }

    /// The peer has this, as it says.
    private mutating func note(_ complete: VersionVector) throws(CloseReason) {
        peerComplete.join(complete)
        // What it has and what it was sent; more can't be true, and would be kept for nothing.
        guard peerComplete.count <= 2 * Limits.vectorOrigins else {
            throw CloseReason(.malformed, "claims of more than \(Limits.vectorOrigins) origins")
        }
    }

    /// The store kept the oldest batch that waited; answers with its number.
    mutating func handleApplied() -> UInt64 {
        let first = applying.removeFirst()
        bytesApplying -= first.bytes
        if let claims = first.claims { ownComplete.join(claims) }
        return first.batch
    }

    /// What a batch of so many bytes counts for in a window.
    private static func weight(_ bytes: Int) -> Int { max(bytes, Limits.leastBatchBytes) }

    // MARK: Queries

    /// Whether all that the peer is known to have by now was sent.
    var waitsForNothing: Bool { waiting.isEmpty }

    /// Whether each side has all that the other has, as far as is known here.
    var isInStep: Bool {
        activities.isIdle && index.isIdle && inFlight.isEmpty && waiting.isEmpty && applying.isEmpty
            && peerComplete.isWithin(ownComplete)
    }
}

extension [Write] {
    /// Parts of these that fit a batch each.
    fileprivate var batches: [[Write]] {
        var (batches, part, bytes): ([[Write]], [Write], Int) = ([], [], 0)
        for write in self {
            if bytes >= Limits.largestBatchBytes || part.count == Limits.batchWrites {
                batches.append(part)
                (part, bytes) = ([], 0)
            }
            part.append(write)
            bytes += write.byteCount
        }
        if !part.isEmpty { batches.append(part) }
        return batches
    }
}
