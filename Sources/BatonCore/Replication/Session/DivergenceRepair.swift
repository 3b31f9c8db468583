/// Repairs the difference between two nodes whose claims are equal but whose states differ.
///
/// For each lane, each side sends a sum over each part of the lane. Then each side sends every surviving write of the
/// parts whose sums differ. The receiver merges these writes although it claims them already. So both sides end with
/// the merge of both states. A session repairs at most once.
///
///     idle ──begin(), or the peer's sums──▶ under way ──both have sent the last write──▶ over
struct DivergenceRepair: Sendable {
    private var lanes = PerLane { LaneRepair(lane: $0) }
    /// Whether either side has begun the repair.
    private(set) var isBegun = false
    /// The pieces that this side still has to send, oldest first.
    private var pieces: [Piece] = []

    /// A group of writes that the store read together.
    struct Piece: Equatable, Sendable {
        let lane: Lane
        let writes: [Write]
        /// Whether this is the last piece of the lane.
        let isLast: Bool
    }

    enum Phase: Equatable, Sendable {
        case idle, underWay, over
    }

    // MARK: Events

    /// Begins the repair; returns false if this session has begun one already.
    ///
    /// Records that have expired at `time` are left out.
    mutating func begin(at time: WallTime) -> Bool {
        guard !isBegun else { return false }
        isBegun = true
        for lane in Lane.allCases { lanes[lane].begin(at: time) }
        return true
    }

    /// Handles the sums of a lane from the store; returns the message for the peer.
    mutating func handleSums(_ sums: LaneSums) -> Frame {
        if lanes[sums.lane].handleOwnSums(sums) { tellNothing(of: sums.lane) }
        return PeerMessage.sums(sums).frame
    }

    /// Handles the peer's sums.
    ///
    /// The peer sends them once for each lane, and again if the nodes must use a later time.
    mutating func handleToldSums(_ sums: LaneSums) throws(CloseReason) {
        _ = begin(at: sums.time)
        guard let areSame = lanes[sums.lane].handleToldSums(sums) else {
            throw CloseReason(.unexpected, "the sums of a lane came twice")
        }
        if areSame { tellNothing(of: sums.lane) }
    }

    /// Handles writes that the store read.
    mutating func handlePart(_ part: RecordPart, of lane: Lane) {
        lanes[lane].handlePart(part)
        let isLast = lanes[lane].isSent
        guard isLast || !part.writes.isEmpty else { return }
        pieces.append(Piece(lane: lane, writes: part.writes, isLast: isLast))
    }

    /// Handles a repair batch that arrived.
    ///
    /// `place` says whether it is the last one of the lane.
    mutating func handlePlace(_ place: RepairPlace, of lane: Lane) throws(CloseReason) {
        guard lanes[lane].handlePlace(place) else {
            throw CloseReason(.unexpected, "a repair batch where nothing is to be repaired")
        }
    }

    /// Appends an empty last piece, because the peer waits for one even if there is nothing to send.
    private mutating func tellNothing(of lane: Lane) {
        pieces.append(Piece(lane: lane, writes: [], isLast: true))
    }

    // MARK: Outputs

    /// Returns the next request to the store.
    ///
    /// While the index is held back from the peer, there is no request for the index.
    mutating func nextRequest(bytes: Int, holdingIndex: Bool = false) -> StoreRequest? {
        guard isBegun else { return nil }
        if let request = lanes.activities.nextRequest(bytes: bytes) { return request }
        return holdingIndex ? nil : lanes.index.nextRequest(bytes: bytes)
    }

    /// Removes the pieces that are to be sent, and returns them.
    mutating func takePieces() -> [Piece] {
        defer { pieces = [] }
        return pieces
    }

    // MARK: Queries

    /// Whether the peer has sent all its writes for the repair.
    var isReceived: Bool { lanes.activities.isReceived && lanes.index.isReceived }

    /// How far the repair has come, on both sides together.
    var phase: Phase {
        guard isBegun else { return .idle }
        return isReceived && lanes.activities.isSent && lanes.index.isSent ? .over : .underWay
    }
}

/// The repair of one lane.
///
/// If both sides begin on their own around the beginning of a day, they may send sums for two different times. Then
/// both use the later time, and the side that used the earlier time sends its sums again.
private struct LaneRepair: Sendable {
    let lane: Lane
    private var stage = Stage.summing(own: nil, told: nil)
    private(set) var isReceived = false
    /// The time by which both sides decide which records have expired.
    ///
    /// It is the latest time that either side sent.
    private var time: WallTime?
    /// The time in the last request for sums that the store got.
    private var asked: WallTime?

    private enum Stage {
        /// The sums of at least one side are unknown, or the sums of both sides are for different times.
        case summing(own: LaneSums?, told: LaneSums?)
        /// The store must read these parts, from the last to the first.
        ///
        /// In the last part, it continues with the records after `after`.
        case reading(parts: [UInt8], after: RecordIdentity?, isAsked: Bool)
    }

    init(lane: Lane) { self.lane = lane }

    /// Whether the store has not answered the last request for sums yet.
    private var awaitsSums: Bool {
        guard let asked, case .summing(let own, _) = stage else { return false }
        return own?.time != asked
    }

    /// Whether the store has read all writes that this side has to send.
    var isSent: Bool { if case .reading(parts: [], _, _) = stage { true } else { false } }

    /// Begins the repair of the lane.
    ///
    /// Records that have expired at this time, or at a later time that the peer sends, are left out.
    mutating func begin(at time: WallTime) { self.time = time }

    /// Handles the store's sums; returns true if there is nothing to send because no part differs.
    mutating func handleOwnSums(_ sums: LaneSums) -> Bool {
        guard case .summing(_, let told) = stage else {
            preconditionFailure("the store answers only what it was asked")
        }
        return compare(own: sums, told: told)
    }

    /// Handles the peer's sums; returns true if there is nothing to send.
    ///
    /// It returns nil if the peer should not have sent sums.
    mutating func handleToldSums(_ sums: LaneSums) -> Bool? {
        guard case .summing(let own, let last) = stage else { return nil }
        if let last {
            guard last.time < sums.time, sums.time == time else { return nil }
        } else if let known = time, known < sums.time {
            time = sums.time
        }
        return compare(own: own, told: sums)
    }

    /// Finds the parts that differ, if the sums of both sides are known and are for the same time; returns true if none
    /// differs.
    private mutating func compare(own: LaneSums?, told: LaneSums?) -> Bool {
        guard let own, let told, own.time == told.time else {
            stage = .summing(own: own, told: told)
            return false
        }
        let parts = own.sums.indices.filter { own.sums[$0] != told.sums[$0] }.map { UInt8($0) }
        stage = .reading(parts: parts.reversed(), after: nil, isAsked: false)
        return parts.isEmpty
    }

    /// Handles writes that the store read.
    mutating func handlePart(_ part: RecordPart) {
        guard case .reading(let parts, _, isAsked: true) = stage else {
            preconditionFailure("the store answers only what it was asked")
        }
        stage = .reading(
            parts: part.through == nil ? parts.dropLast() : parts, after: part.through, isAsked: false)
    }

    /// Handles a repair batch from the peer; returns false if the peer may not send one now.
    mutating func handlePlace(_ place: RepairPlace) -> Bool {
        // A peer sends writes only after both sides have sent their sums. So this side knows both sums by then.
        guard case .reading = stage, !isReceived else { return false }
        isReceived = place == .last
        return true
    }

    mutating func nextRequest(bytes: Int) -> StoreRequest? {
        // If the time changed, the sums are requested again, but only after the store has answered the first request.
        guard let time, !awaitsSums else { return nil }
        if asked != time {
            asked = time
            return .sums(lane, at: time)
        }
        guard case .reading(let parts, let after, isAsked: false) = stage, let part = parts.last else {
            return nil
        }
        stage = .reading(parts: parts, after: after, isAsked: true)
        return .part(PartRequest(lane: lane, part: part, after: after, bytes: bytes))
    }
}
