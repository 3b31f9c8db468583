/// Streams the writes of one lane to a peer that lacks them: catching up and live sending are one path.
///
///     behind ──startReading──▶ reading ──all read──▶ idle
///        ▲                        │ └──not now──▶ postponed
///        ├──── more to read ◀─────┘                    │
///        └──────────────── handleCommit ◀──────────────┘
///
/// A peer that may lack tombstones that the store garbage-collected is sent a snapshot: all records of the lane, range
/// by range. Then the stream continues after the place where the snapshot began.
struct LaneSender: Sendable {
    private enum State {
        /// Everything up to `cursor` was read, and no later write is known.
        case idle
        /// The store may have writes after `cursor`.
        case behind
        /// The store answered that it can't be read now; it is asked again after its next commit.
        case postponed
        /// The store was asked; `again` says that it has stored further writes since.
        case reading(again: Bool)
    }

    /// A snapshot under way.
    struct Snapshot: Sendable {
        /// The last record that was sent.
        var after: RecordIdentity?
        /// The claims and the store's place when the snapshot began; nil before the first range.
        var start: (complete: VersionVector, place: Arrival)?
        /// The store's place when the last range was read; clears that came since are sent first.
        var since: Arrival?
    }

    let lane: Lane
    private var state = State.behind
    /// The place up to which the store was read for this peer.
    private(set) var cursor: Cursor
    /// The cursor that was last sent to the peer.
    private(set) var told: Cursor
    private(set) var snapshot: Snapshot?
    /// The progress of a snapshot that was cut off before.
    private var begun: Snapshot?
    /// Whether the lane was read to its end in this session; then neither the peer nor this device needs a snapshot.
    private var wasRead = false
    /// The claims and the garbage-collected writes that were last sent to the peer.
    private(set) var toldRange: (complete: VersionVector, dropped: VersionVector)?

    /// Begins after what the peer is known to have; a snapshot, if one is needed, continues where it was cut off.
    init(lane: Lane, after cursor: Cursor, begun: Snapshot?) {
        self.lane = lane
        self.cursor = cursor
        told = cursor
        self.begun = begun
    }

    /// Called when the store has stored writes of this lane.
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

    /// Handles the store's answer; returns how many places were read since the cursor was last sent to the peer.
    mutating func handleChanges(_ changes: Changes) -> UInt64 {
        let again = endReading()
        cursor = Cursor(writes: changes.next, clears: changes.clears)
        if changes.complete != nil { wasRead = true }
        state = again || changes.complete == nil ? .behind : .idle
        return cursor.writes.value - told.writes.value
    }

    /// Called when the store answers that a snapshot is needed, or that the current one must restart.
    mutating func beginSnapshot() {
        _ = endReading()
        snapshot = snapshot == nil ? begun ?? Snapshot() : Snapshot()
        (begun, state, wasRead) = (nil, .behind, false)
    }

    /// Discards the store's answer without sending it; the same writes are read again later.
    mutating func giveBack() {
        _ = endReading()
        state = .behind
    }

    /// Called when the store answers that it is itself receiving a snapshot.
    mutating func postpone() {
        state = endReading() ? .behind : .postponed
        wasRead = false
    }

    /// Handles a range that the store read; returns the record after which it began, the claims at the beginning of the
    /// snapshot, and the cursor after its end.
    mutating func handleRange(
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

    /// Called when the store returned only clears that go ahead of the next range.
    mutating func handleAhead(upTo place: Arrival) {
        _ = endReading()
        snapshot?.since = place
        state = .behind
    }

    private func endReading() -> Bool {
        guard case .reading(let again) = state else {
            preconditionFailure("the store answers only what it was asked")
        }
        return again
    }

    /// Called when the cursor is sent to the peer.
    mutating func handleTold() { told = cursor }

    /// Whether everything that the store is known to have was read.
    var isIdle: Bool { if case .idle = state { true } else { false } }

    /// Whether a write can be sent to the peer before the store has stored it: only if the peer needs no snapshot.
    var isLive: Bool { wasRead && snapshot == nil }

    /// Whether the store need not be asked again until it stores another write.
    var isWaiting: Bool {
        switch state {
        case .idle, .postponed: true
        case .behind, .reading: false
        }
    }
}
