/// The part of a session that runs while it is open: batches out, batches in, and what each side has.
struct Exchange: Sendable {
    /// The writes that the peer has, or will have once it has applied the batches that were sent.
    private(set) var peerComplete: VersionVector
    /// The writes that the peer is known to have, because it said so or acknowledged them.
    private(set) var peerHas: VersionVector
    /// The writes that are claimed here, as far as this session knows.
    private(set) var ownComplete: VersionVector
    private let peer: DeviceIdentifier
    private let limits: Limits
    /// The order of arrival to which the places in resume tokens belong.
    private let order: ArrivalOrder
    private var senders: PerLane<LaneSender>
    private var receivers: PerLane<LaneReceiver>
    /// The writes that the peer garbage-collected, in the lanes in which this device must have them before it sends
    /// anything.
    private let peerDropped: VersionVector
    /// The claims that the store has made in this session, as far as the session saw them; the peer may know these
    /// claims.
    private var told: VersionVector
    /// The writes that need not be sent to the peer, because they came from it.
    private var knownToPeer = KnownToPeer()
    /// The repair of differences between the two sides.
    var repair = DivergenceRepair()
    /// Whether the index is held back from the peer; then the index writes that it lacks wait here.
    var holdsIndex: Bool
    /// Whether the store may have activities that must no longer leave this device; then nothing of their lane is read
    /// until they are withdrawn.
    var holdsActivities = false

    /// Batches on the way, oldest first.
    private var inFlight: [(number: UInt64, bytes: Int, claims: VersionVector?, tally: WriteTally)] = []
    private var sentNumber: UInt64 = 0
    private var bytesInFlight = 0
    /// Parts of a snapshot that were read together and are sent one after the other.
    private var waiting: [(batch: Batch, claims: VersionVector?)] = []
    /// The lanes in which the last batch of changes that was sent was not whole: the peer waits for a whole one.
    private var sentUnfinished: Set<Lane> = []

    /// Received batches that can't be acknowledged yet, oldest first: a stored batch stays until all earlier batches
    /// are stored.
    private var applying: [Applying] = []
    private var receivedNumber: UInt64 = 0
    private var bytesApplying = 0
    /// The lanes in which the last batch of changes that arrived was not whole: the peer has more to send.
    private var unfinished: Set<Lane> = []

    /// The writes that the peer acknowledged (`sent`) and the writes that arrived (`taken`) since the two sides were
    /// last in step.
    private(set) var (sent, taken) = (WriteTally(), WriteTally())

    /// A batch that arrived and can't be acknowledged yet.
    private struct Applying: Sendable {
        let batch: UInt64
        let lane: Lane
        let bytes: Int
        let claims: VersionVector?
        var isKept = false
    }

    /// Begins with the claims of both sides; no writes before the cursors need to be read.
    init(
        of ownDevice: DeviceIdentifier, with device: DeviceIdentifier, own: StoreSummary, peer: Standing,
        after cursors: [Lane: Cursor], holdsIndex: Bool, limits: Limits
    ) {
        self.peer = device
        order = own.order
        self.holdsIndex = holdsIndex
        self.limits = limits
        (ownComplete, peerComplete, peerHas) = (own.complete, peer.complete, peer.complete)
        told = own.complete
        senders = PerLane { lane in
            LaneSender(
                lane: lane, after: cursors[lane] ?? .none,
                begun: peer.snapshots[lane].flatMap { progress in
                    progress.token.cursor(in: own.order).map {
                        LaneSender.Snapshot(
                            after: progress.through, start: (progress.start, $0.writes), since: $0.clears)
                    }
                })
        }
        receivers = PerLane { LaneReceiver(lane: $0, progress: own.snapshots[$0]) }
        // If each needs a snapshot of the other, one side receives its snapshot first. Each lane is judged by itself: a
        // device that needs a snapshot of this lane would refuse anything else of the lane, whatever the other lane
        // needs.
        var peerDropped = VersionVector()
        for lane in Lane.allCases {
            let dropped = (own: own.dropped.restricted(to: lane), peer: peer.dropped.restricted(to: lane))
            let isNeeded = !dropped.own.isWithin(peer.complete)
            // A device that is receiving a snapshot can't send one; otherwise the device with the smaller identifier
            // receives its snapshot first.
            let isTaking = (
                own: !dropped.own.isWithin(own.complete), peer: !dropped.peer.isWithin(peer.complete)
            )
            let goesFirst = isTaking.own == isTaking.peer ? ownDevice < device : isTaking.own
            if !isNeeded || goesFirst { peerDropped.join(dropped.peer) }
        }
        self.peerDropped = peerDropped
    }

    // MARK: Sending

    /// Called when the store has stored writes of a lane.
    mutating func handleCommit(_ lane: Lane) { senders[lane].handleCommit() }

    /// Returns the next request to the store; activities go before the index, and nothing goes beyond the window.
    mutating func nextRead(bytes: Int) -> StoreRequest? {
        guard isOpen(for: .activities), !waiting.contains(where: { $0.batch.lane == .activities }) else {
            return nil
        }
        let sender: LaneSender
        if senders.activities.startReading() {
            sender = senders.activities
        } else if !waiting.isEmpty {
            return nil
        } else if senders.activities.isWaiting, isOpen(for: .index), senders.index.startReading() {
            sender = senders.index
        } else {
            // Repairs only while the window is nearly empty, so that repairs do not delay other writes for long.
            return bytesInFlight < Limits.largestBatchBytes
                ? repair.nextRequest(bytes: bytes, holdingIndex: holdsIndex) : nil
        }
        return request(of: sender, bytes)
    }

    /// Whether more of a lane may be sent now.
    private func isOpen(for lane: Lane) -> Bool { hasRoom(for: lane) && !isHeld(lane) }

    /// Whether the window has room for more of a lane.
    private func hasRoom(for lane: Lane) -> Bool {
        bytesInFlight < (lane == .activities ? limits.sentBytes : limits.sentIndexBytes)
    }

    /// Whether the stored writes of a lane are held back for now.
    private func isHeld(_ lane: Lane) -> Bool { lane == .index ? holdsIndex : holdsActivities }

    /// Returns the request to the store for a lane whose reading begins.
    private func request(of sender: LaneSender, _ bytes: Int) -> StoreRequest {
        guard let snapshot = sender.snapshot else {
            var request = ChangesRequest(
                lane: sender.lane, after: sender.cursor.writes, clearsAfter: sender.cursor.clears,
                covered: peerComplete, bytes: bytes)
            request.needed = needed(in: sender.lane)
            return .changes(request)
        }
        var covered = snapshot.start?.complete
        covered?.join(peerComplete)
        return .range(
            RangeRequest(
                lane: sender.lane, after: snapshot.after, since: snapshot.since, covered: covered,
                bytes: bytes, recordBytes: limits.rangeRecordBytes))
    }

    /// Returns the writes that the peer garbage-collected in a lane.
    ///
    /// A device that lacks them must receive a snapshot before it sends anything, because its own writes may be older
    /// than deletions that no device still has.
    private func needed(in lane: Lane) -> VersionVector { peerDropped.restricted(to: lane) }

    /// Makes a batch of changes that the store read; nil if they bring the peer nothing new.
    mutating func handleChanges(_ changes: Changes, of lane: Lane) throws(CloseReason) -> Frame? {
        if let complete = changes.complete { try demandForward(complete, of: lane) }
        // The request was made before the lane was held back. The lane is read again when it may be sent.
        if isHeld(lane) {
            senders[lane].giveBack()
            return nil
        }
        let passed = senders[lane].handleChanges(changes)
        if let complete = changes.complete { ownComplete.join(complete) }
        let tellsNothing = changes.complete.map { $0.isWithin(peerComplete) } ?? true
        // The peer may have claimed some of the writes while the store was reading.
        let writes = knownToPeer.removed(from: changes.writes.filter { !peerComplete.covers($0.dot) })
        let finishes = changes.complete != nil && sentUnfinished.contains(lane)
        // If the peer has all these writes from others, no batch is sent, unless many places were passed over: then an
        // empty batch moves the peer's cursor.
        if writes.isEmpty, tellsNothing, !finishes,
            changes.complete == nil || passed < limits.placesPassedOver
        {
            return nil
        }
        senders[lane].handleTold()
        let batch = Batch(
            number: 0, lane: lane, writes: writes, complete: changes.complete?.beyond(peerComplete),
            resume: ResumeToken(Cursor(writes: changes.next, clears: changes.clears), in: order))
        if let complete = changes.complete {
            peerComplete.join(complete)
            sentUnfinished.remove(lane)
        } else {
            sentUnfinished.insert(lane)
        }
        return send(batch, claiming: batch.complete)
    }

    /// Makes a batch of this device's writes before the store has stored them; nil if they can't be sent to the peer
    /// yet.
    ///
    /// It claims nothing and moves no cursor: the store returns these writes again once it has stored them, and the
    /// peer is then sent only the claim. They are sent even while activities are held back, because only they can
    /// withdraw these activities.
    mutating func tellAhead(_ writes: [Write], of lane: Lane) -> Frame? {
        guard senders[lane].isLive, hasRoom(for: lane), lane == .activities || !isHeld(lane),
            !waiting.contains(where: { $0.batch.lane == lane })
        else {
            return nil
        }
        knownToPeer.recordSent(writes, claiming: peerComplete)
        let batch = Batch(
            number: 0, lane: lane, writes: writes, complete: nil,
            resume: ResumeToken(senders[lane].told, in: order))
        sentUnfinished.insert(lane)
        return send(batch, claiming: nil)
    }

    /// Ends the session if the store gave up claims that were sent to the peer; the two must then connect again.
    private mutating func demandForward(_ complete: VersionVector, of lane: Lane) throws(CloseReason) {
        guard told.restricted(to: lane).isWithin(complete) else {
            throw CloseReason(.startingOver, "this device claims less than it did before")
        }
        told.join(complete)
    }

    /// Called when the store answers that it is itself receiving a snapshot, and can't be read now.
    mutating func postpone(_ lane: Lane) { senders[lane].postpone() }

    /// Called when the store has garbage-collected tombstones that the peer may lack.
    mutating func beginSnapshot(of lane: Lane) { senders[lane].beginSnapshot() }

    /// Makes batches of a part of a snapshot, which wait for the window.
    mutating func handleRange(_ range: RecordRange, of lane: Lane) throws(CloseReason) {
        try demandForward(range.complete, of: lane)
        if isHeld(lane) { return senders[lane].giveBack() }
        let (cursor, told) = (senders[lane].cursor, senders[lane].toldRange)
        let (after, start, next) = senders[lane].handleRange(range)
        queue(ahead: range.ahead, of: lane, cursor)
        let batch = Batch(
            number: 0, lane: lane, writes: range.writes, complete: nil,
            resume: ResumeToken(next, in: order),
            range: BatchRange(
                after: after, through: range.through,
                complete: told?.complete == range.complete ? nil : range.complete,
                dropped: told?.dropped == range.dropped ? nil : range.dropped,
                horizon: range.horizon, isEndAhead: range.isEndAhead))
        waiting.append((batch, range.through == nil ? start : nil))
        if range.through == nil {
            peerComplete.join(start)
            // Writes of this device that were made after the session opened may be in the snapshot.
            ownComplete.join(start)
        }
    }

    /// Makes batches of clears that go ahead of the next part of a snapshot.
    mutating func handleClearsAhead(_ clears: [Write], upTo place: Arrival, of lane: Lane) {
        if isHeld(lane) { return senders[lane].giveBack() }
        senders[lane].handleAhead(upTo: place)
        queue(ahead: clears, of: lane, senders[lane].cursor)
    }

    private mutating func queue(ahead writes: [Write], of lane: Lane, _ cursor: Cursor) {
        for writes in writes.batches {
            var batch = Batch(
                number: 0, lane: lane, writes: writes, complete: nil, resume: ResumeToken(cursor, in: order))
            batch.isAhead = true
            waiting.append((batch, nil))
        }
    }

    /// Returns the next waiting batch for which the window has room.
    mutating func nextFrame() -> Frame? {
        guard let next = waiting.firstIndex(where: { isOpen(for: $0.batch.lane) }) else { return nil }
        let (batch, claims) = waiting.remove(at: next)
        return send(batch, claiming: claims)
    }

    /// Numbers a batch and counts it as in flight; once the peer has stored it, the peer has these claims.
    private mutating func send(_ batch: Batch, claiming claims: VersionVector?) -> Frame {
        sentNumber += 1
        var batch = batch
        batch.number = sentNumber
        let frame = PeerMessage.batch(batch).frame
        let weight = Self.weight(frame.body.count)
        var tally = WriteTally()
        tally.recordWrites(batch.writes, among: ownComplete)
        inFlight.append((sentNumber, weight, claims, tally))
        bytesInFlight += weight
        return frame
    }

    /// Called when the peer acknowledged all batches up to that number.
    mutating func handleAcknowledgement(_ number: UInt64) throws(CloseReason) {
        guard let first = inFlight.first, (first.number...sentNumber).contains(number) else {
            throw CloseReason(.notSent, "an acknowledgement of batch \(number), which is not in flight")
        }
        let kept = inFlight.prefix { $0.number <= number }
        bytesInFlight -= kept.reduce(0) { $0 + $1.bytes }
        for batch in kept {
            if let claims = batch.claims { peerHas.join(claims) }
            sent.add(batch.tally)
        }
        inFlight.removeFirst(kept.count)
        if inFlight.isEmpty, ownComplete.isWithin(peerHas) { sent = WriteTally() }
    }

    // MARK: Receiving

    /// Checks a batch that arrived; returns the transaction that stores it.
    mutating func handleBatch(_ batch: Batch, bytes: Int) throws(CloseReason) -> StoreTransaction {
        guard batch.number == receivedNumber + 1 else {
            throw CloseReason(.outOfOrder, "batch \(batch.number) came after batch \(receivedNumber)")
        }
        // A sender looks at the window before it reads, so one batch of each lane may reach beyond the window.
        let weight = Self.weight(bytes)
        guard bytesApplying + weight <= Limits.windowBytes + Lane.allCases.count * Limits.frameBytes else {
            throw CloseReason(.windowExceeded, "more than \(Limits.windowBytes) bytes are not acknowledged")
        }
        if let complete = batch.complete {
            guard complete == complete.restricted(to: batch.lane) else {
                throw CloseReason(.malformed, "a batch contains claims of another lane")
            }
            try recordClaims(complete)
            knownToPeer.forget(peerComplete)
        }
        guard !batch.isAhead || (batch.complete == nil && batch.range == nil && batch.repair == nil) else {
            throw CloseReason(
                .malformed, "a batch ahead of a range must not contain claims, a range or a repair")
        }
        var range: ReceivedRange?
        if let told = batch.range {
            // Both sides have garbage-collected something that the other side lacks, so neither snapshot could be
            // completed.
            guard senders[batch.lane].snapshot == nil else {
                throw CloseReason(
                    .startingOver, "both devices are in the middle of a snapshot from each other")
            }
            range = try receivers[batch.lane].handleBatch(batch, told)
            if let complete = told.complete { try recordClaims(complete) }
        }
        if let place = batch.repair { try handlePlace(place, of: batch) }
        var isPart = false
        if range == nil, !batch.isAhead, batch.repair == nil {
            knownToPeer.recordSent(batch.writes, claiming: peerComplete)
            if batch.complete == nil { unfinished.insert(batch.lane) } else { unfinished.remove(batch.lane) }
            isPart = batch.complete == nil
        }
        taken.recordWrites(batch.writes, among: peerComplete)
        receivedNumber = batch.number
        let claims = range.map { $0.through == nil ? $0.start : VersionVector() } ?? batch.complete
        applying.append(Applying(batch: batch.number, lane: batch.lane, bytes: weight, claims: claims))
        bytesApplying += weight
        var clock = batch.writes.map(\.latestTime).max() ?? .zero
        if let range { clock = max(clock, min(range.horizon, .largestBelieved)) }
        var transaction = StoreTransaction(
            lane: batch.lane, writes: batch.writes, completing: batch.complete ?? VersionVector(),
            clock: clock, resume: StoreTransaction.Resume(peer: peer, token: batch.resume))
        transaction.quarantined = batch.quarantined
        if batch.isAhead { receivers[batch.lane].handleAhead(batch) }
        if var received = range {
            receivers[batch.lane].complete(&received, in: &transaction)
            range = received
        }
        (transaction.range, transaction.isAhead, transaction.sender) = (range, batch.isAhead, peerHas)
        transaction.isPart = isPart
        if batch.repair != nil { (transaction.isRepair, transaction.resume) = (true, nil) }
        for place in transaction.quarantined.indices { transaction.quarantined[place].peer = peer }
        return transaction
    }

    /// Records claims of the peer; throws if they have too many origins.
    private mutating func recordClaims(_ complete: VersionVector) throws(CloseReason) {
        peerComplete.join(complete)
        peerHas.join(complete)
        // The peer's own claims and what it was sent fit this limit; more can't be true, and would waste memory.
        guard peerComplete.count <= 2 * Limits.vectorOrigins else {
            throw CloseReason(.malformed, "claims of more than \(Limits.vectorOrigins) origins")
        }
    }

    /// Called when the store stored the oldest waiting batch of a lane; returns the number to acknowledge, if it has
    /// changed: all batches up to it are stored.
    ///
    /// A batch of one lane may be stored before an earlier batch of the other lane. Claims that the store withheld,
    /// because it quarantined a write, are not made here, either.
    mutating func handleApplied(_ commit: StoreCommit, of lane: Lane) -> UInt64? {
        guard let place = applying.firstIndex(where: { $0.lane == lane && !$0.isKept }) else {
            preconditionFailure("the store answers only what it was asked")
        }
        applying[place].isKept = true
        if let claims = applying[place].claims, !commit.isWithheld { ownComplete.join(claims) }
        let kept = applying.prefix(while: \.isKept)
        bytesApplying -= kept.reduce(0) { $0 + $1.bytes }
        applying.removeFirst(kept.count)
        if applying.isEmpty, peerComplete.isWithin(ownComplete) { taken = WriteTally() }
        return kept.last?.batch
    }

    /// Returns how many bytes of a window a batch occupies: small batches count as `Limits.leastBatchBytes`.
    private static func weight(_ bytes: Int) -> Int { max(bytes, Limits.leastBatchBytes) }

    // MARK: Repairing

    /// Changes the state of the repair, and makes batches of the writes that result.
    mutating func advanceRepair<Result, Failure>(
        _ body: (inout DivergenceRepair) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = try body(&repair)
        for piece in repair.takePieces() { enqueue(piece) }
        return result
    }

    /// Queues the batches of a piece; they claim nothing and carry no cursor.
    private mutating func enqueue(_ piece: DivergenceRepair.Piece) {
        let parts = piece.writes.isEmpty ? [[]] : piece.writes.batches
        for (place, writes) in parts.enumerated() {
            let isLast = piece.isLast && place == parts.count - 1
            let batch = Batch(
                number: 0, lane: piece.lane, writes: writes, complete: nil,
                resume: ResumeToken(bytes: []), repair: isLast ? .last : .more)
            waiting.append((batch, nil))
        }
    }

    /// Handles a repair batch that arrived.
    private mutating func handlePlace(_ place: RepairPlace, of batch: Batch) throws(CloseReason) {
        guard batch.complete == nil, batch.range == nil else {
            throw CloseReason(.malformed, "a repair batch must not contain claims or a range")
        }
        try repair.handlePlace(place, of: batch.lane)
    }

    // MARK: Queries

    /// Whether the peer has something to acknowledge.
    var awaitsAcknowledgement: Bool { !inFlight.isEmpty }

    /// Whether batches of activities that were read from the store wait to be sent.
    var hasWaitingActivities: Bool { waiting.contains { $0.batch.lane == .activities } }

    /// Whether no batch waits to be sent.
    var waitsForNothing: Bool { waiting.isEmpty }

    /// The number of batches that were sent and received.
    var batchCount: Int { Int(clamping: sentNumber + receivedNumber) }

    /// Whether everything that the peer claims is claimed here.
    var hasAllOfPeer: Bool { peerComplete.isWithin(ownComplete) }

    /// Whether each side has everything that the other has, as far as is known here.
    var isInStep: Bool { !isBusy && unfinished.isEmpty && hasAllOfPeer }

    /// Whether something is in flight, or being read or stored.
    var isBusy: Bool {
        !(senders.activities.isIdle && senders.index.isIdle && inFlight.isEmpty && waiting.isEmpty
            && applying.isEmpty)
    }

    /// Whether the peer is receiving a snapshot of this device's records.
    var isSendingSnapshot: Bool {
        senders.activities.snapshot != nil || senders.index.snapshot != nil
    }

    /// Whether this side is receiving a snapshot from the peer, and lacks some of it.
    ///
    /// An unfinished snapshot does not count if everything that it was to bring arrived another way.
    var isTakingSnapshot: Bool {
        Lane.allCases.contains { lane in
            receivers[lane].isUnderWay && !peerComplete.restricted(to: lane).isWithin(ownComplete)
        }
    }
}

extension [Write] {
    /// The writes, divided into parts that each fit a batch.
    var batches: [[Write]] {
        var (batches, part, bytes): ([[Write]], [Write], Int) = ([], [], 0)
        for write in self {
            if bytes >= Limits.largestBatchBytes {
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
