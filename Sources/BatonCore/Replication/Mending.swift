/// Brings two nodes together that claim the same and hold different things.
///
/// Of each lane both tell the sums over its parts, and then every surviving write of the parts whose sums differ. What
/// arrives is merged although it is claimed, so that both end with the join of what they held. It is done once in a
/// session.
///
///     idle ──begin(), or the peer's sums──▶ under way ──both have told the last write──▶ over
struct Mending: Sendable {
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

    /// Begins; false if that was done in this session already.
    mutating func begin() -> Bool {
        guard !isBegun else { return false }
        isBegun = true
        return true
    }

    /// The store summed up a lane; answers with what the peer is to be told.
    mutating func handle(_ sums: LaneSums) -> Frame {
        with(sums.lane) { $0.handle(own: sums.sums) }
        collect(sums.lane)
        return PeerMessage.sums(sums).frame
    }

    /// The peer told its sums, which is done once for each lane.
    mutating func handle(told sums: LaneSums) throws(CloseReason) {
        _ = begin()
        guard with(sums.lane, { $0.handle(told: sums.sums) }) else {
            throw CloseReason(.unexpected, "the sums of a lane once more")
        }
        collect(sums.lane)
    }

    /// The store answered with some writes.
    mutating func handle(_ part: RecordPart, of lane: Lane) {
        let isLast = with(lane) { $0.handle(part) }
        guard isLast || !part.writes.isEmpty else { return }
        pieces.append(Piece(lane: lane, writes: part.writes, isLast: isLast))
    }

    /// A batch of the peer arrived that mends.
    mutating func handle(_ place: MendingPlace, of lane: Lane) throws(CloseReason) {
        guard with(lane, { $0.handle(place) }) else {
            throw CloseReason(.unexpected, "a batch that mends what is not to be mended")
        }
    }

    private mutating func collect(_ lane: Lane) {
        guard with(lane, { $0.compare() }) else { return }
        // The peer waits for the last piece, also where there is nothing to be told.
        pieces.append(Piece(lane: lane, writes: [], isLast: true))
    }

    private mutating func with<Result>(_ lane: Lane, _ body: (inout LaneMending) -> Result) -> Result {
        lane == .activities ? body(&activities) : body(&index)
    }

    // MARK: Outputs

    /// What to ask the store next.
    mutating func nextRequest(bytes: Int) -> StoreRequest? {
        guard isBegun else { return nil }
        return activities.nextRequest(bytes: bytes) ?? index.nextRequest(bytes: bytes)
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
private struct LaneMending: Sendable {
    let lane: Lane
    private var hasAsked = false
    private var own: [StateDigest]?
    private var told: [StateDigest]?
    private var wasTold = false
    /// Parts that are still to be read, the last one first; nothing before it is known which they are.
    private var parts: [UInt8]?
    private var after: RecordIdentity?
    private var isReading = false
    private(set) var isSent = false
    private(set) var isReceived = false

    init(lane: Lane) { self.lane = lane }

    mutating func handle(own sums: [StateDigest]) { own = sums }

    /// The peer told its sums; false if it did so before.
    mutating func handle(told sums: [StateDigest]) -> Bool {
        guard !wasTold else { return false }
        (told, wasTold) = (sums, true)
        return true
    }

    /// Finds the parts that differ once both sums are known; true if there are none, which is found once.
    mutating func compare() -> Bool {
        guard let mine = own, let theirs = told else { return false }
        let parts = mine.indices.filter { mine[$0] != theirs[$0] }.map { UInt8($0) }
        self.parts = parts.reversed()
        (own, told) = (nil, nil)
        isSent = parts.isEmpty
        return isSent
    }

    /// The store answered with some writes; says whether they are the last ones.
    mutating func handle(_ part: RecordPart) -> Bool {
        precondition(isReading, "the store answers only what it was asked")
        (isReading, after) = (false, part.through)
        if part.through == nil { parts?.removeLast() }
        isSent = parts?.isEmpty ?? false
        return isSent
    }

    /// A batch of the peer arrived; false if none may.
    mutating func handle(_ place: MendingPlace) -> Bool {
        // A peer sends writes once it knows both sums, of which one was sent from here.
        guard parts != nil, !isReceived else { return false }
        isReceived = place == .last
        return true
    }

    mutating func nextRequest(bytes: Int) -> StoreRequest? {
        if !hasAsked {
            hasAsked = true
            return .sums(lane)
        }
        guard !isReading, let part = parts?.last else { return nil }
        isReading = true
        return .part(PartRequest(lane: lane, part: part, after: after, bytes: bytes))
    }
}
