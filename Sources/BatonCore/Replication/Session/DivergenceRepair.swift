/// Repairs the difference between two nodes that claim the same and have different states.
///
/// For each lane, both sides send the sums over its parts, and then every surviving write of the parts whose sums
/// differ. The writes that arrive are merged although they are claimed, so that both sides end with the merge of both
/// states. A session repairs once.
///
///     idle ──begin(), or the peer's sums──▶ under way ──both have sent the last write──▶ over
struct DivergenceRepair: Sendable {
    private var lanes = PerLane { LaneRepair(lane: $0) }
    /// Whether either side has begun the repair.
    private(set) var isBegun = false
    /// The pieces that are to be sent, oldest first.
    private var pieces: [Piece] = []

    /// Writes that were read together.
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

    /// Begins with the records that have not expired at that time; false if this session has repaired already.
    mutating func begin(at time: WallTime) -> Bool {
        guard !isBegun else { return false }
        isBegun = true
        for lane in Lane.allCases { lanes[lane].begin(at: time) }
        return true
    }

    /// Handles the store's sums of a lane; returns the message for the peer.
    mutating func handleSums(_ sums: LaneSums) -> Frame {
        if lanes[sums.lane].handleOwnSums(sums) { tellNothing(of: sums.lane) }
        return PeerMessage.sums(sums).frame
    }

    /// Handles the peer's sums, which come once for each lane, and again if a later time counts.
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

    /// Handles the place of a repair batch that arrived.
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

    /// Returns the next request to the store; none for the index while the index is held back from the peer.
    mutating func nextRequest(bytes: Int, holdingIndex: Bool = false) -> StoreRequest? {
        guard isBegun else { return nil }
        if let request = lanes.activities.nextRequest(bytes: bytes) { return request }
        return holdingIndex ? nil : lanes.index.nextRequest(bytes: bytes)
    }

    /// Returns the pieces that are to be sent and were not taken yet.
    mutating func takePieces() -> [Piece] {
        defer { pieces = [] }
        return pieces
    }

    // MARK: Queries

    /// Whether the peer has sent everything that it has to send.
    var isReceived: Bool { lanes.activities.isReceived && lanes.index.isReceived }

    /// How far both sides have come.
    var phase: Phase {
        guard isBegun else { return .idle }
        return isReceived && lanes.activities.isSent && lanes.index.isSent ? .over : .underWay
    }
}

/// The repair of one lane.
///
/// If both sides begin by themselves around the beginning of a day, they may send sums for two times. Then the later
/// time counts, and the side that sent sums for the earlier time sends its sums again.
private struct LaneRepair: Sendable {
    let lane: Lane
    private var stage = Stage.summing(own: nil, told: nil)
    private(set) var isReceived = false
    /// The time at which both sides judge expiry: the latest that either side sent.
    private var time: WallTime?
    /// The time of the last request for sums to the store.
    private var asked: WallTime?

    private enum Stage {
        /// The sums of one side are not known, or the two are of different times.
        case summing(own: LaneSums?, told: LaneSums?)
        /// Parts are to be read, the last part first; its next records are those after `after`.
        case reading(parts: [UInt8], after: RecordIdentity?, isAsked: Bool)
    }

    init(lane: Lane) { self.lane = lane }

    /// Whether the store was asked for sums and has not answered yet.
    private var awaitsSums: Bool {
        guard let asked, case .summing(let own, _) = stage else { return false }
        return own?.time != asked
    }

    /// Whether everything that is to be sent was read.
    var isSent: Bool { if case .reading(parts: [], _, _) = stage { true } else { false } }

    /// Begins; expiry is judged at that time, or at a later one.
    mutating func begin(at time: WallTime) { self.time = time }

    /// Handles the store's sums; true if there is nothing to send, because nothing differs.
    mutating func handleOwnSums(_ sums: LaneSums) -> Bool {
        guard case .summing(_, let told) = stage else {
            preconditionFailure("the store answers only what it was asked")
        }
        return compare(own: sums, told: told)
    }

    /// Handles the peer's sums; true if there is nothing to send, nil if the peer had no reason to send them again.
    mutating func handleToldSums(_ sums: LaneSums) -> Bool? {
        guard case .summing(let own, let last) = stage else { return nil }
        if let last {
            guard last.time < sums.time, sums.time == time else { return nil }
        } else if let known = time, known < sums.time {
            time = sums.time
        }
        return compare(own: own, told: sums)
    }

    /// Finds the parts that differ, once both sums are known and are of the same time.
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

    /// Handles a batch that arrived from the peer; false if none may arrive.
    mutating func handlePlace(_ place: RepairPlace) -> Bool {
        // A peer sends writes only after both sides have sent their sums, so both are known here by then.
        guard case .reading = stage, !isReceived else { return false }
        isReceived = place == .last
        return true
    }

    mutating func nextRequest(bytes: Int) -> StoreRequest? {
        // If a later time counts, sums are requested again, but only after the first request was answered.
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
