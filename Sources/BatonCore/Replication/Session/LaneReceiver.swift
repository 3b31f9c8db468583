/// Checks that a peer sends the ranges of one lane in order and without gaps.
struct LaneReceiver: Sendable {
    private let lane: Lane
    private var progress: SnapshotProgress?
    /// The claims and the garbage-collected writes that the peer reported last.
    private var known: VersionVector?
    private var dropped: VersionVector?
    /// The writes that arrived ahead of the next range; nil if there are too many to remember.
    private var ahead: Ahead? = Ahead()

    /// Writes that arrived ahead of a range.
    private struct Ahead {
        var writes: [Write] = [], quarantined: [QuarantinedWrite] = []
        var bytes = 0
    }

    /// Creates the receiver of a lane.
    ///
    /// `progress` is that of an interrupted snapshot from this peer, if there is one. The snapshot is continued.
    init(lane: Lane, progress: SnapshotProgress?) { (self.lane, self.progress) = (lane, progress) }

    /// Whether a snapshot has begun and has not ended.
    var isUnderWay: Bool { progress != nil }

    /// Remembers writes that arrive ahead of a range.
    ///
    /// If they exceed `Limits.aheadBytes`, all of them are forgotten.
    mutating func handleAhead(_ batch: Batch) {
        guard var ahead else { return }
        // The property is set to nil first. So the arrays have only one owner, and appending to them does not copy
        // them.
        self.ahead = nil
        ahead.bytes += batch.writes.reduce(0) { $0 + $1.byteCount }
        guard ahead.bytes <= Limits.aheadBytes else { return }
        ahead.writes += batch.writes
        ahead.quarantined += batch.quarantined
        self.ahead = ahead
    }

    /// Checks a batch that contains a range; returns the range for the store.
    mutating func handleBatch(_ batch: Batch, _ range: BatchRange) throws(CloseReason) -> ReceivedRange {
        guard batch.complete == nil else {
            throw CloseReason(.malformed, "a range must not contain claims of a whole batch")
        }
        for vector in [range.complete, range.dropped] {
            guard vector == vector?.restricted(to: lane) else {
                throw CloseReason(.malformed, "a range refers to another lane")
            }
        }
        (known, dropped) = (range.complete ?? known, range.dropped ?? dropped)
        guard let known, let dropped else {
            throw CloseReason(.malformed, "the first range does not say what its sender has")
        }
        let start: VersionVector
        if let after = range.after {
            guard let progress, progress.through == after else {
                throw CloseReason(.unexpected, "a range does not follow the one before it")
            }
            start = progress.start
        } else {
            start = known
        }
        let received = ReceivedRange(
            after: range.after, through: range.through, isEndAhead: range.isEndAhead, known: known,
            dropped: dropped, horizon: range.horizon, start: start)
        try judge(batch, received)
        progress = range.through.map { SnapshotProgress(through: $0, start: start, token: batch.resume) }
        return received
    }

    /// Adds the remembered writes to a transaction, if its range ends with a record whose writes arrived ahead of it.
    ///
    /// So the store can judge this record like all others. Nothing is added if there were too many writes to remember.
    mutating func complete(_ range: inout ReceivedRange, in transaction: inout StoreTransaction) {
        defer { ahead = Ahead() }
        guard range.isEndAhead, let through = range.through, let ahead else { return }
        range.isEndAhead = false
        transaction.writes += ahead.writes.filter { $0.identity == through }
        transaction.quarantined += ahead.quarantined
    }

    private func judge(_ batch: Batch, _ range: ReceivedRange) throws(CloseReason) {
        if let after = range.after, let through = range.through, through <= after {
            throw CloseReason(.malformed, "a range that ends before it begins")
        }
        guard range.through != nil || !range.isEndAhead,
            batch.writes.allSatisfy({ range.judges($0.identity) })
        else { throw CloseReason(.malformed, "a range contains writes from outside of it") }
    }
}
