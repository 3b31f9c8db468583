/// Brings two nodes together that claim the same and hold different things.
///
/// Of each lane both tell the sums over its parts, and then every surviving write of the parts whose sums differ. What
/// arrives is merged although it is claimed, so that both end with the join of what they held. It is done once in a
/// session.
///
///     idle ──begin(), or the peer's sums──▶ under way ──both have told the last write──▶ over
struct DivergenceRepair: Sendable {
    private var activities = LaneMending(lane: .activities)
    private var index = LaneMending(lane: .index)
    /// Whether it was begun, by whichever side.
    private(set) var isBegun = false
    /// What is to be sent, the oldest first.
    private var pieces: [Piece] = []

    /// Writes that were read together.
    struct Piece: Equatable, Sendable {
        let lane: Lane
        let writes: [Write]
        /// Whether nothing of the lane follows.
        let isLast: Bool
    }

    enum Phase: Equatable, Sendable {
        case idle, underWay, over
    }

    // MARK: Events

    /// Begins with what has not expired at that time; false if that was done in this session already.
    mutating func begin(at time: WallTime) -> Bool {
        guard !isBegun else { return false }
        isBegun = true
        for lane in Lane.allCases { with(lane) { $0.begin(at: time) } }
        return true
    }

    /// The store summed up a lane; answers with what the peer is to be told.
    mutating func handle(_ sums: LaneSums) -> Frame {
        if with(sums.lane, { $0.handle(own: sums) }) { tellNothing(of: sums.lane) }
        return PeerMessage.sums(sums).frame
    }

    /// The peer told its sums, which is done once for each lane, or once more for a later time.
    mutating func handle(told sums: LaneSums) throws(CloseReason) {
        _ = begin(at: sums.time)
        guard let areSame = with(sums.lane, { $0.handle(told: sums) }) else {
            throw CloseReason(.unexpected, "the sums of a lane once more")
        }
        if areSame { tellNothing(of: sums.lane) }
    }

    /// The store answered with some writes.
    mutating func handle(_ part: RecordPart, of lane: Lane) {
        let isLast = with(lane) { lane in
            lane.handle(part)
            return lane.isSent
        }
        guard isLast || !part.writes.isEmpty else { return }
        pieces.append(Piece(lane: lane, writes: part.writes, isLast: isLast))
    }

    /// A batch of the peer arrived that mends.
    mutating func handle(_ place: MendingPlace, of lane: Lane) throws(CloseReason) {
        guard with(lane, { $0.handle(place) }) else {
            throw CloseReason(.unexpected, "a batch that mends what is not to be mended")
        }
    }

    /// The peer waits for the last piece, also where there is nothing to be told.
    private mutating func tellNothing(of lane: Lane) {
        pieces.append(Piece(lane: lane, writes: [], isLast: true))
    }

    private mutating func with<Result>(_ lane: Lane, _ body: (inout LaneMending) -> Result) -> Result {
        lane == .activities ? body(&activities) : body(&index)
    }

    // MARK: Outputs

    /// What to ask the store next; nothing of the index while the peer is sent nothing of it.
    mutating func nextRequest(bytes: Int, holdingIndex: Bool = false) -> StoreRequest? {
        guard isBegun else { return nil }
        if let request = activities.nextRequest(bytes: bytes) { return request }
        return holdingIndex ? nil : index.nextRequest(bytes: bytes)
    }

    /// What is to be sent and was not taken yet.
    mutating func takePieces() -> [Piece] {
        defer { pieces = [] }
        return pieces
    }

    // MARK: Queries

    /// Whether the peer has told all that it is to tell.
    var isReceived: Bool { activities.isReceived && index.isReceived }

    /// How far both sides have come.
    var phase: Phase {
        guard isBegun else { return .idle }
        return isReceived && activities.isSent && index.isSent ? .over : .underWay
    }
}

/// One lane of it.
///
/// If both sides begin at once, and a day has begun in between, they tell sums of two times. Then the later one counts,
/// and who told those of the earlier one tells its sums once more.
private struct LaneMending: Sendable {
    let lane: Lane
    private var stage = Stage.summing(own: nil, told: nil)
    private(set) var isReceived = false
    /// The time at which both judge what has expired: the latest that either told.
    private var time: WallTime?
    /// For which time the store was asked last.
    private var asked: WallTime?

    private enum Stage {
        /// Of one side at least the sums are not known.
        case summing(own: LaneSums?, told: LaneSums?)
        /// Parts are to be read, the last one first, and that one behind the record that was read last.
        case reading(parts: [UInt8], after: RecordIdentity?, isAsked: Bool)
    }

    init(lane: Lane) { self.lane = lane }

    /// Whether all that is to be told was read.
    var isSent: Bool { if case .reading(parts: [], _, _) = stage { true } else { false } }

    /// What has expired is judged at that time, or a later one.
    mutating func begin(at time: WallTime) { self.time = time }

    /// The store summed up the lane; true if nothing is to be told, as nothing differs.
    mutating func handle(own sums: LaneSums) -> Bool {
        guard case .summing(_, let told) = stage else {
            preconditionFailure("the store answers only what it was asked")
        }
        return compare(own: sums, told: told)
    }

    /// The peer told its sums; true if nothing is to be told, and nothing if it told them before, and need not do so
    /// again.
    mutating func handle(told sums: LaneSums) -> Bool? {
        guard case .summing(let own, let last) = stage else { return nil }
        if let last {
            guard last.time < sums.time, sums.time == time else { return nil }
        } else if let known = time, known < sums.time {
            time = sums.time
        }
        return compare(own: own, told: sums)
    }

    /// Finds the parts that differ once both sums are known, and of one time.
    private mutating func compare(own: LaneSums?, told: LaneSums?) -> Bool {
        guard let own, let told, own.time == told.time else {
            stage = .summing(own: own, told: told)
            return false
        }
        let parts = own.sums.indices.filter { own.sums[$0] != told.sums[$0] }.map { UInt8($0) }
        stage = .reading(parts: parts.reversed(), after: nil, isAsked: false)
        return parts.isEmpty
    }

    /// The store answered with some writes.
    mutating func handle(_ part: RecordPart) {
        guard case .reading(let parts, _, isAsked: true) = stage else {
            preconditionFailure("the store answers only what it was asked")
        }
        stage = .reading(
            parts: part.through == nil ? parts.dropLast() : parts, after: part.through, isAsked: false)
    }

    /// A batch of the peer arrived; false if none may.
    mutating func handle(_ place: MendingPlace) -> Bool {
        // A peer sends writes once it knows both sums, of which one was sent from here.
        guard case .reading = stage, !isReceived else { return false }
        isReceived = place == .last
        return true
    }

    mutating func nextRequest(bytes: Int) -> StoreRequest? {
        guard let time else { return nil }
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
