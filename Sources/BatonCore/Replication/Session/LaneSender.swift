/// Streams what one lane of the store has to a peer that lacks it: catching up and going on are one path.
///
///     behind ──startReading──▶ reading ──all read──▶ idle
///        ▲                        │ └──not now──▶ postponed
///        ├──── more to read ◀─────┘                    │
///        └──────────────── handleCommit ◀──────────────┘
///
/// A peer that may lack traces which the store let go is sent all that stands there, range by range; then the
/// stream goes on behind the place where that began.
struct LaneSender: Sendable {
    private enum State {
        /// Everything up to `cursor` was read, and nothing is known to stand behind it.
        case idle
        /// The store may have writes after `cursor`.
        case behind
        /// The store can't say what it has before it takes something further.
        case postponed
        /// The store was asked; `again` says that it took further writes since.
        case reading(again: Bool)
    }

    /// A snapshot under way.
    struct Snapshot: Sendable {
        /// The last record that was sent.
        var after: RecordIdentity?
        /// What was claimed when it began, and where the store stood; nothing before the first range.
        var start: (complete: VersionVector, place: Arrival)?
        /// Where the store stood when the last range was read; clears that came since go first.
        var since: Arrival?
    }

    let lane: Lane
    private var state = State.behind
    /// Up to where the store was read for this peer.
    private(set) var cursor: Cursor
    /// What the peer was told last of the cursor.
    private(set) var told: Cursor
    private(set) var snapshot: Snapshot?
    /// How far a snapshot had come that was cut before.
    private var begun: Snapshot?
    /// Whether all that stood here was read in this session, so that the peer needs no snapshot and this device none.
    private var wasRead = false
    /// What the peer was told last of what is claimed and what was let go.
    private(set) var toldRange: (complete: VersionVector, dropped: VersionVector)?

    /// Begins after what the peer is known to have; a snapshot, if there must be one, goes on where it was cut.
    init(lane: Lane, after cursor: Cursor, begun: Snapshot?) {
        (self.lane, self.cursor, told, self.begun) = (lane, cursor, cursor, begun)
    }

    /// The store took writes of this lane.
    mutating func handleCommit() {
        switch state {
        case .idle, .behind, .postponed: state = .behind
        case .reading: state = .reading(again: true)
        }
    }

    /// Begins to read; false if there is nothing to read, or the store was asked already.
    mutating func startReading() -> Bool {
        guard case .behind = state else { return false }
        state = .reading(again: false)
        return true
    }

    /// The store answered; says how many places were read since the peer was told of the cursor.
    mutating func handle(_ changes: Changes) -> UInt64 {
        let again = endReading()
        cursor = Cursor(writes: changes.next, clears: changes.clears)
        if changes.complete != nil { wasRead = true }
        state = again || changes.complete == nil ? .behind : .idle
        return cursor.writes.value - told.writes.value
    }

    /// The store answered that a snapshot must come, or that it must begin anew.
    mutating func beginSnapshot() {
        _ = endReading()
        snapshot = snapshot == nil ? begun ?? Snapshot() : Snapshot()
        (begun, state, wasRead) = (nil, .behind, false)
    }

    /// What the store answered is not sent, and is to be read anew.
    mutating func giveBack() {
        _ = endReading()
        state = .behind
    }

    /// The store answered that it takes a snapshot itself.
    mutating func postpone() {
        state = endReading() ? .behind : .postponed
        wasRead = false
    }

    /// The store answered with a range; says behind which record it began, what was claimed when the snapshot did, and
    /// where to go on behind its end.
    mutating func handle(
        _ range: RecordRange
    ) -> (after: RecordIdentity?, start: VersionVector, next: Cursor) {
        guard var snapshot else { preconditionFailure("the store answers only what it was asked") }
        _ = endReading()
        let after = snapshot.after
        let start = snapshot.start ?? (range.complete, range.head)
        (snapshot.start, snapshot.after, snapshot.since) = (start, range.through, range.head)
        toldRange = (range.complete, range.dropped)
        if range.through == nil {
            self.snapshot = nil
            cursor = Cursor(writes: start.place, clears: range.head)
            told = cursor
        } else {
            self.snapshot = snapshot
        }
        state = .behind
        return (after, start.complete, Cursor(writes: start.place, clears: range.head))
    }

    private func endReading() -> Bool {
        guard case .reading(let again) = state else {
            preconditionFailure("the store answers only what it was asked")
        }
        return again
    }

    /// The peer is told of the cursor.
    mutating func handleTold() { told = cursor }

    /// Whether everything that the store is known to have was read.
    var isIdle: Bool { if case .idle = state { true } else { false } }

    /// Whether the peer can be told of a write before the store has it: nothing but writes is owed to it.
    var isLive: Bool { wasRead && snapshot == nil }

    /// Whether nothing is to be asked before the store takes something further.
    var isWaiting: Bool {
        switch state {
        case .idle, .postponed: true
        case .behind, .reading: false
        }
    }
}
