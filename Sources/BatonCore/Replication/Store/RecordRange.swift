/// Asks for the next part of all records of a lane, in the order of identities.
///
/// Clears have the smallest kinds, so they come first.
package struct RangeRequest: Equatable, Sendable {
    package var lane: Lane
    /// The last record that the peer was sent; nil at the beginning.
    package var after: RecordIdentity?
    /// The place after which clears are sent first: a clear precedes the range's records in the order of identities, so
    /// the snapshot has passed it already, and it may have changed these records.
    package var since: Arrival?
    /// The writes that the peer has or will have at the end of the snapshot; everything that was garbage-collected must
    /// be within them.
    ///
    /// Nil at the beginning, when anything may have been garbage-collected.
    package var covered: VersionVector?
    /// How many bytes of writes are wanted, counted as for changes.
    package var bytes: Int
    /// The largest size in bytes of one record's writes in the range; the writes of a larger record go ahead of it.
    package var recordBytes: Int

    package init(
        lane: Lane, after: RecordIdentity?, since: Arrival?, covered: VersionVector?, bytes: Int,
        recordBytes: Int = Limits.largestRangeRecordBytes
    ) {
        self.lane = lane
        self.after = after
        self.since = since
        self.covered = covered
        self.bytes = bytes
        self.recordBytes = recordBytes
    }
}

/// The answer to a request for a range.
package enum RangeAnswer: Equatable, Sendable {
    case range(RecordRange)
    /// Only clears, which go ahead of the next range because they are too many to go with it. The place is that of the
    /// last clear; the next request asks for clears after it.
    case ahead([Write], upTo: Arrival)
    /// More was garbage-collected since the snapshot began, so it must restart.
    case anew
    /// The store is itself receiving a snapshot, and can't send one before that is completed.
    case notNow
}

/// All surviving writes of the records of a part of a lane.
package struct RecordRange: Equatable, Sendable {
    /// The writes that the peer must store before this range.
    package var ahead: [Write]
    package var writes: [Write]
    /// The last record of the range; nil if the range goes to the end of the lane.
    package var through: RecordIdentity?
    /// Whether the writes of the last record are too large for the range; they are then in `ahead`.
    package var isEndAhead: Bool
    /// The store's claims in the lane.
    package var complete: VersionVector
    /// A vector that covers all that the store garbage-collected in the lane.
    package var dropped: VersionVector
    /// The latest time of all tombstones that the store garbage-collected in the lane.
    package var horizon: HybridTime
    /// The last place in the order of arrival.
    package var head: Arrival

    package init(
        ahead: [Write], writes: [Write], through: RecordIdentity?, isEndAhead: Bool, complete: VersionVector,
        dropped: VersionVector, horizon: HybridTime, head: Arrival
    ) {
        self.ahead = ahead
        self.writes = writes
        self.through = through
        self.isEndAhead = isEndAhead
        self.complete = complete
        self.dropped = dropped
        self.horizon = horizon
        self.head = head
    }
}

/// A range of a snapshot that arrived, as it is passed to the store.
package struct ReceivedRange: Equatable, Sendable {
    package var after: RecordIdentity?
    package var through: RecordIdentity?
    package var isEndAhead: Bool
    /// The claims of the peer in the lane when it read the range: the peer lacks a claimed write only if the write was
    /// overwritten or deleted.
    package var known: VersionVector
    package var dropped: VersionVector
    /// The latest time of all tombstones that the peer garbage-collected: these ended no later write here.
    package var horizon: HybridTime
    /// The claims of the peer when the snapshot began; the receiver may claim them at its end.
    package var start: VersionVector

    package init(
        after: RecordIdentity?, through: RecordIdentity?, isEndAhead: Bool, known: VersionVector,
        dropped: VersionVector, horizon: HybridTime, start: VersionVector
    ) {
        (self.after, self.through, self.isEndAhead) = (after, through, isEndAhead)
        self.known = known
        self.dropped = dropped
        self.horizon = horizon
        self.start = start
    }

    /// Whether a record lies in the range, and is judged by it.
    package func judges(_ identity: RecordIdentity) -> Bool {
        if let after, identity <= after { return false }
        guard let through else { return true }
        return isEndAhead ? identity < through : identity <= through
    }
}
