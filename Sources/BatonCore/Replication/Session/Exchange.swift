/// The part of a session that runs while the session is open.
///
/// It sends and receives batches, and knows which writes each side has.
struct Exchange: Sendable {
    /// The writes that the peer has, or will have once it has applied the batches that were sent.
    private(set) var peerComplete: VersionVector
    /// The writes that the peer certainly has, because it said so or acknowledged them.
    private(set) var peerHas: VersionVector
    /// The writes that this device claims, as far as this session knows.
    private(set) var ownComplete: VersionVector
    private let peer: DeviceIdentifier
    private let limits: Limits
    /// The order of arrival to which the places in resume tokens belong.
    private let order: ArrivalOrder
    private var senders: PerLane<LaneSender>
    private var receivers: PerLane<LaneReceiver>
    /// The writes that the peer garbage-collected.
    ///
    /// They are listed only for the lanes in which this device must have them before it sends anything.
    private let peerDropped: VersionVector
    /// The claims of this device's store that this session has seen.
    ///
    /// The peer may know of them.
    private var told: VersionVector
    /// The writes that need not be sent to the peer, because the peer has them.
    private var knownToPeer = KnownToPeer()
    /// The repair of differences between the two sides.
    var repair = DivergenceRepair()
    /// Whether the index is held back from the peer.
    ///
    /// In that case, index writes that the peer lacks are not sent.
    var holdsIndex: Bool
    /// Whether the store may have activities that must no longer leave this device.
    ///
    /// In that case, nothing of their lane is read until these activities are withdrawn.
    var holdsActivities = false

    /// Batches that were sent and are not acknowledged yet, oldest first.
    private var inFlight: [(number: UInt64, bytes: Int, claims: VersionVector?, tally: WriteTally)] = []
    private var sentNumber: UInt64 = 0
    private var bytesInFlight = 0
    /// Batches of a snapshot that were read together and wait to be sent, one after another.
    private var waiting: [(batch: Batch, claims: VersionVector?)] = []
    /// The lanes in which the last sent batch of changes was not whole.
    ///
    /// The peer waits for a whole one.
    private var sentUnfinished: Set<Lane> = []

    /// Received batches that can't be acknowledged yet, oldest first.
    ///
    /// A stored batch stays in the list until all earlier batches are stored.
    private var applying: [Applying] = []
    private var receivedNumber: UInt64 = 0
    private var bytesApplying = 0
    /// The lanes in which the last received batch of changes was not whole.
    ///
    /// The peer has more to send.
    private var unfinished: Set<Lane> = []

    /// Counts of writes since both sides were last in step: `sent` counts the writes that the peer acknowledged, and
    /// `taken` those that arrived.
    private(set) var (sent, taken) = (WriteTally(), WriteTally())

    /// A received batch that can't be acknowledged yet.
    private struct Applying: Sendable {
        let batch: UInt64
        let lane: Lane
        let bytes: Int
        let claims: VersionVector?
        var isKept = false
    }

    /// Creates the exchange from the claims of both sides.
    ///
    /// In each lane, the store need not read any writes before the cursor.
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
        // If both devices need a snapshot of each other, one of them must receive its snapshot first. This is decided
        // for each lane alone. A device that needs a snapshot of a lane refuses everything else of this lane, but not
        // of the other lane.
        var peerDropped = VersionVector()
        for lane in Lane.allCases {
            let dropped = (own: own.dropped.restricted(to: lane), peer: peer.dropped.restricted(to: lane))
            let isNeeded = !dropped.own.isWithin(peer.complete)
            // A device that is receiving a snapshot can't send one, so it receives its snapshot first. If this is true
            // of both devices or of neither, the device with the smaller identifier is first.
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

    /// Returns the next request to the store.
    ///
    /// Activities are read before the index. Nothing is read while the window is full.
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
            // Writes for the repair are read only while the window is nearly empty. So they do not delay other writes
            // for long.
            return bytesInFlight < Limits.largestBatchBytes
                ? repair.nextRequest(bytes: bytes, holdingIndex: holdsIndex) : nil
        }
        return request(of: sender, bytes)
    }

    /// Whether another batch of a lane may be sent now.
    private func isOpen(for lane: Lane) -> Bool { hasRoom(for: lane) && !isHeld(lane) }

    /// Whether the window has room for another batch of a lane.
    private func hasRoom(for lane: Lane) -> Bool {
        bytesInFlight < (lane == .activities ? limits.sentBytes : limits.sentIndexBytes)
    }

    /// Whether the stored writes of a lane are held back for now.
    private func isHeld(_ lane: Lane) -> Bool { lane == .index ? holdsIndex : holdsActivities }

    /// Returns the request to the store for the lane that is read next.
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
    /// If this device lacks them, it must receive a snapshot before it sends anything. Its own writes may be older than
    /// deletions that no device has any more.
    private func needed(in lane: Lane) -> VersionVector { peerDropped.restricted(to: lane) }

    /// Creates a batch from changes that the store read; returns nil if the batch would bring the peer nothing new.
    mutating func handleChanges(_ changes: Changes, of lane: Lane) throws(CloseReason) -> Frame? {
        if let complete = changes.complete { try demandForward(complete, of: lane) }
        // The store was asked before the lane was held back. The lane is read again when it may be sent.
        if isHeld(lane) {
            senders[lane].giveBack()
            return nil
        }
        let passed = senders[lane].handleChanges(changes)
        if let complete = changes.complete { ownComplete.join(complete) }
        let tellsNothing = changes.complete.map { $0.isWithin(peerComplete) } ?? true
        // The peer may have claimed some of the writes while the store was reading them.
        let writes = knownToPeer.removed(from: changes.writes.filter { !peerComplete.covers($0.dot) })
        let finishes = changes.complete != nil && sentUnfinished.contains(lane)
        // If the peer has got all these writes from other devices, no batch is sent. But if the cursor has passed over
        // many places, an empty batch is sent to advance the peer's cursor.
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

    /// Creates a batch of this device's own writes before the store has stored them; returns nil if they can't be sent
    /// to the peer yet.
    ///
    /// The batch claims nothing and does not advance the cursor. When the store has stored these writes, it returns
    /// them again, and the peer is then sent only the claim. The writes are sent even while activities are held back,
    /// because only these writes can withdraw such activities.
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

    /// Throws if the store gave up claims that were sent to the peer.
    ///
    /// The session then ends, and the two devices must connect again.
    private mutating func demandForward(_ complete: VersionVector, of lane: Lane) throws(CloseReason) {
        guard told.restricted(to: lane).isWithin(complete) else {
            throw CloseReason(.startingOver, "this device claims less than it did before")
        }
        told.join(complete)
    }

    /// Called when the store answers that it can't be read now, because it is receiving a snapshot itself.
    mutating func postpone(_ lane: Lane) { senders[lane].postpone() }

    /// Called when the store has garbage-collected tombstones that the peer may lack.
    mutating func beginSnapshot(of lane: Lane) { senders[lane].beginSnapshot() }

    /// Creates the batches for a part of a snapshot.
    ///
    /// They wait until the window has room.
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

    /// Creates batches of clears that must be sent before the next part of a snapshot.
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

    /// Numbers a batch and counts it as in flight.
    ///
    /// The peer has these claims when it has stored the batch.
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

    /// Called when the peer has acknowledged all batches up to this number.
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

    /// Checks a received batch; returns the transaction that stores it.
    mutating func handleBatch(_ batch: Batch, bytes: Int) throws(CloseReason) -> StoreTransaction {
        guard batch.number == receivedNumber + 1 else {
            throw CloseReason(.outOfOrder, "batch \(batch.number) came after batch \(receivedNumber)")
        }
        // A sender checks the window before it reads a batch. So one batch of each lane may exceed the window.
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
            // Each side has garbage-collected something that the other side lacks. So neither snapshot could be
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
        // The peer's own claims and the claims that it was sent together fit this limit. If there are more, they can't
        // be true, and would waste memory.
        guard peerComplete.count <= 2 * Limits.vectorOrigins else {
            throw CloseReason(.malformed, "claims of more than \(Limits.vectorOrigins) origins")
        }
    }

    /// Called when the store has stored the oldest unstored batch of a lane; returns the number to acknowledge, if
    /// there is a new one.
    ///
    /// All batches up to the returned number are stored.
    ///
    /// A batch of one lane may be stored before an earlier batch of the other lane. If the store withheld the batch's
    /// claims because it quarantined a write, they are not added here, either.
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

    /// Returns the number of bytes that a batch takes from the window.
    ///
    /// A small batch counts as `Limits.leastBatchBytes`.
    private static func weight(_ bytes: Int) -> Int { max(bytes, Limits.leastBatchBytes) }

    // MARK: Repairing

    /// Runs a closure that changes the state of the repair, and queues the batches that result from it.
    mutating func advanceRepair<Result, Failure>(
        _ body: (inout DivergenceRepair) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = try body(&repair)
        for piece in repair.takePieces() { enqueue(piece) }
        return result
    }

    /// Queues the batches of a piece.
    ///
    /// These batches claim nothing and have no cursor.
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

    /// Handles a repair batch from the peer.
    private mutating func handlePlace(_ place: RepairPlace, of batch: Batch) throws(CloseReason) {
        guard batch.complete == nil, batch.range == nil else {
            throw CloseReason(.malformed, "a repair batch must not contain claims or a range")
        }
        try repair.handlePlace(place, of: batch.lane)
    }

    // MARK: Queries

    /// Whether the peer has not acknowledged everything that was sent.
    var awaitsAcknowledgement: Bool { !inFlight.isEmpty }

    /// Whether batches of activities that were read from the store wait to be sent.
    var hasWaitingActivities: Bool { waiting.contains { $0.batch.lane == .activities } }

    /// Whether no batch waits to be sent.
    var waitsForNothing: Bool { waiting.isEmpty }

    /// The number of batches that were sent and received.
    var batchCount: Int { Int(clamping: sentNumber + receivedNumber) }

    /// Whether this device claims everything that the peer claims.
    var hasAllOfPeer: Bool { peerComplete.isWithin(ownComplete) }

    /// Whether each side has everything that the other side has, as far as is known here.
    var isInStep: Bool { !isBusy && unfinished.isEmpty && hasAllOfPeer }

    /// Whether anything is in flight, is being read, or is being stored.
    var isBusy: Bool {
        !(senders.activities.isIdle && senders.index.isIdle && inFlight.isEmpty && waiting.isEmpty
            && applying.isEmpty)
    }

    /// Whether the peer is receiving a snapshot of this device's records.
    var isSendingSnapshot: Bool {
        senders.activities.snapshot != nil || senders.index.snapshot != nil
    }

    /// Whether this side is receiving a snapshot from the peer and still lacks a part of it.
    ///
    /// An unfinished snapshot does not count if everything that it would bring has arrived in another way.
    var isTakingSnapshot: Bool {
        Lane.allCases.contains { lane in
            receivers[lane].isUnderWay && !peerComplete.restricted(to: lane).isWithin(ownComplete)
        }
    }
}

extension [Write] {
    /// The writes, divided into parts that each fit into a batch.
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
