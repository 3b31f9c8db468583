/// The part of a session that goes on for as long as it lives: batches out, batches in, and who knows what.
struct Exchange: Sendable {
    /// What the peer has, or will have once it has applied what was sent.
    private(set) var peerComplete: VersionVector
    /// What is claimed here, as far as this session was told.
    private(set) var ownComplete: VersionVector
    private let peer: DeviceIdentifier
    /// In which places are told to the peer.
    private let order: ArrivalOrder
    private var activities: LaneSender
    private var index: LaneSender

    /// Batches on the way, oldest first.
    private var inFlight: [(number: UInt64, bytes: Int)] = []
    private var sentNumber: UInt64 = 0
    private var bytesInFlight = 0

    /// Batches that wait for the store, oldest first.
    private var applying: [(batch: UInt64, bytes: Int, complete: VersionVector?)] = []
    private var receivedNumber: UInt64 = 0
    private var bytesApplying = 0

    /// Begins with what both sides said they have; what stands before the cursors need not be read.
    init(
        with device: DeviceIdentifier, own: StoreSummary, peer: VersionVector, after cursors: [Lane: Arrival]
    ) {
        (self.peer, order) = (device, own.order)
        (ownComplete, peerComplete) = (own.complete, peer)
        activities = LaneSender(lane: .activities, after: cursors[.activities] ?? .none)
        index = LaneSender(lane: .index, after: cursors[.index] ?? .none)
    }

    // MARK: Sending

    /// How many places are passed over at the most before the peer is told where to go on.
    private static let untoldMost: UInt64 = 1000

    /// The store took writes of a lane.
    mutating func handleCommit(_ lane: Lane) {
        if lane == .activities { activities.handleCommit() } else { index.handleCommit() }
    }

    /// What to ask the store next; activities go before the index, and nothing goes beyond the window.
    mutating func nextRead(bytes: Int) -> ChangesRequest? {
        guard bytesInFlight < Limits.windowBytes else { return nil }
        let sender: LaneSender
        if activities.startReading() {
            sender = activities
        } else if activities.isIdle, index.startReading() {
            sender = index
        } else {
            return nil
        }
        return ChangesRequest(lane: sender.lane, after: sender.cursor, covered: peerComplete, bytes: bytes)
    }

    /// Makes a batch of what the store has for the peer; nothing if it has all and knows all.
    mutating func handle(_ changes: Changes, of lane: Lane) -> Frame? {
        let passed = lane == .activities ? activities.handle(changes) : index.handle(changes)
        if let complete = changes.complete { ownComplete.join(complete) }
        let tellsNothing = changes.complete.map { $0.isWithin(peerComplete) } ?? true
        // What the peer had from others is passed over, but not each time it comes back.
        if changes.writes.isEmpty, tellsNothing, passed < Self.untoldMost { return nil }
        if lane == .activities { activities.handleTold() } else { index.handleTold() }
        sentNumber += 1
        let batch = Batch(
            number: sentNumber, lane: lane, writes: changes.writes,
            complete: changes.complete?.beyond(peerComplete),
            resume: ResumeToken(changes.next, in: order))
        let frame = PeerMessage.batch(batch).frame
        let weight = Self.weight(frame.body.count)
        inFlight.append((sentNumber, weight))
        bytesInFlight += weight
        if let complete = changes.complete { peerComplete.join(complete) }
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
            peerComplete.join(complete)
            // What it has and what it was sent; more can't be true, and would be kept for nothing.
            guard peerComplete.count <= 2 * Limits.vectorOrigins else {
                throw CloseReason(.malformed, "claims of more than \(Limits.vectorOrigins) origins")
            }
        }
        receivedNumber = batch.number
        applying.append((batch.number, weight, batch.complete))
        bytesApplying += weight
        return StoreTransaction(
            lane: batch.lane, writes: batch.writes, completing: batch.complete ?? VersionVector(),
            clock: batch.writes.map(\.latestTime).max() ?? .zero,
            resume: StoreTransaction.Resume(peer: peer, token: batch.resume))
    }

    /// The store kept the oldest batch that waited; answers with its number.
    mutating func handleApplied() -> UInt64 {
        let first = applying.removeFirst()
        bytesApplying -= first.bytes
        if let complete = first.complete { ownComplete.join(complete) }
        return first.batch
    }

    /// What a batch of so many bytes counts for in a window.
    private static func weight(_ bytes: Int) -> Int { max(bytes, Limits.leastBatchBytes) }

    // MARK: Queries

    /// Whether each side has all that the other has, as far as is known here.
    var isInStep: Bool {
        activities.isIdle && index.isIdle && inFlight.isEmpty && applying.isEmpty
            && peerComplete.isWithin(ownComplete)
    }
}
