/// Streams the writes of one lane to a peer that lacks them.
///
/// The same code serves to catch up and to send new writes.
///
///     behind ──startReading──▶ reading ──all read──▶ idle
///        ▲                        │ └──not now──▶ postponed
///        ├──── more to read ◀─────┘                    │
///        └──────────────── handleCommit ◀──────────────┘
///
/// The store may have garbage-collected tombstones that the peer lacks. In that case, the peer is sent a snapshot: all
/// records of the lane, range by range. Then the stream continues after the place at which the snapshot began.
struct LaneSender: Sendable {
    private enum State {
        /// Everything up to `cursor` was read, and no later write is known.
        case idle
        /// The store may have writes after `cursor`.
        case behind
        /// The store answered that it can't be read now.
        ///
        /// It is asked again after its next commit.
        case postponed
        /// The store was asked and has not answered yet.
        ///
        /// `again` says whether it has stored more writes since then.
        case reading(again: Bool)
    }

    /// A snapshot that is being sent.
    struct Snapshot: Sendable {
        /// The last record that was sent.
        var after: RecordIdentity?
        /// The claims and the store's place when the snapshot began; nil until the first range is read.
        var start: (complete: VersionVector, place: Arrival)?
        /// The store's place when the last range was read.
        ///
        /// Clears that arrived since then are sent before the next range.
        var since: Arrival?
    }

    let lane: Lane
    private var state = State.behind
    /// How far the store was read for this peer.
    private(set) var cursor: Cursor
    /// The cursor that was last sent to the peer.
    private(set) var told: Cursor
    private(set) var snapshot: Snapshot?
    /// The progress of an earlier snapshot that was interrupted; nil if there is none.
    private var begun: Snapshot?
    /// Whether the lane was read to its end in this session.
    ///
    /// If it was, neither the peer nor this device needs a snapshot.
    private var wasRead = false
    /// The claims and the garbage-collected writes that the peer was last sent.
    private(set) var toldRange: (complete: VersionVector, dropped: VersionVector)?

    /// Creates a sender that begins after the writes that the peer is known to have.
    ///
    /// If a snapshot is needed, it continues where `begun` was interrupted.
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

    /// Starts reading; returns false if there is nothing to read, or if the store was asked already.
    mutating func startReading() -> Bool {
        guard case .behind = state else { return false }
        state = .reading(again: false)
        return true
    }

    /// Handles the store's answer; returns the number of places that were read since the cursor was last sent to the
    /// peer.
    mutating func handleChanges(_ changes: Changes) -> UInt64 {
        let again = endReading()
        cursor = Cursor(writes: changes.next, clears: changes.clears)
        if changes.complete != nil { wasRead = true }
        state = again || changes.complete == nil ? .behind : .idle
        return cursor.writes.value - told.writes.value
    }

    /// Called when the store answers that a snapshot is needed, or that the current snapshot must be restarted.
    mutating func beginSnapshot() {
        _ = endReading()
        snapshot = snapshot == nil ? begun ?? Snapshot() : Snapshot()
        (begun, state, wasRead) = (nil, .behind, false)
    }

    /// Discards the store's answer without sending it.
    ///
    /// The same writes are read again later.
    mutating func giveBack() {
        _ = endReading()
        state = .behind
    }

    /// Called when the store answers that it is receiving a snapshot itself.
    mutating func postpone() {
        state = endReading() ? .behind : .postponed
        wasRead = false
    }

    /// Handles a range that the store read.
    ///
    /// Returns the record before the range, the claims at the beginning of the snapshot, and the cursor after the
    /// snapshot.
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

    /// Called when the store returned only clears that must be sent before the next range.
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

    /// Whether all writes that the store is known to have were read.
    var isIdle: Bool { if case .idle = state { true } else { false } }

    /// Whether a write can be sent to the peer before the store has stored it.
    ///
    /// This is only possible if the peer does not need a snapshot.
    var isLive: Bool { wasRead && snapshot == nil }

    /// Whether the store need not be asked until it has stored another write.
    var isWaiting: Bool {
        switch state {
        case .idle, .postponed: true
        case .behind, .reading: false
        }
    }
}
