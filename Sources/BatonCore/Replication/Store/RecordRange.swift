/// A request for the next range of a lane's records, in the order of identities.
///
/// Clears come first, because they have the smallest kinds.
package struct RangeRequest: Equatable, Sendable {
    package var lane: Lane
    /// The last record that the peer was sent; nil for the first request.
    package var after: RecordIdentity?
    /// The clears that arrived after this place are sent before the range.
    ///
    /// In the order of identities, a clear comes before the records of the range. So the snapshot has passed it
    /// already, although it may have changed these records.
    package var since: Arrival?
    /// The writes that the peer has, or will have at the end of the snapshot.
    ///
    /// They must cover everything that was garbage-collected.
    ///
    /// The value is nil for the first request, when anything may have been garbage-collected.
    package var covered: VersionVector?
    /// The number of bytes of writes to return, counted as in `ChangesRequest`.
    package var bytes: Int
    /// The maximum size in bytes of one record's writes in the range.
    ///
    /// The writes of a larger record are sent before the range.
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
    /// Only clears, which are too many to be sent together with the next range.
    ///
    /// The place is that of the last clear. The next request asks for the clears after it.
    case ahead([Write], upTo: Arrival)
    /// More was garbage-collected since the snapshot began, so the snapshot must be restarted.
    case anew
    /// The store is receiving a snapshot itself.
    ///
    /// It can't send one until that is completed.
    case notNow
}

/// All surviving writes of the records in a range of a lane.
package struct RecordRange: Equatable, Sendable {
    /// The writes that the peer must store before this range.
    package var ahead: [Write]
    package var writes: [Write]
    /// The last record of the range; nil if the range reaches the end of the lane.
    package var through: RecordIdentity?
    /// Whether the writes of the last record are in `ahead`, because they are too large for the range.
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

/// A received range of a snapshot, in the form in which the store gets it.
package struct ReceivedRange: Equatable, Sendable {
    package var after: RecordIdentity?
    package var through: RecordIdentity?
    package var isEndAhead: Bool
    /// The peer's claims in the lane when it read the range.
    ///
    /// If the peer lacks a write that it claims, the write was overwritten or deleted.
    package var known: VersionVector
    package var dropped: VersionVector
    /// The latest time of all tombstones that the peer garbage-collected.
    ///
    /// These tombstones did not end any later write here.
    package var horizon: HybridTime
    /// The peer's claims when the snapshot began.
    ///
    /// The receiver may claim them at the end of the snapshot.
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

    /// Whether a record is in the range and is judged by it.
    package func judges(_ identity: RecordIdentity) -> Bool {
        if let after, identity <= after { return false }
        guard let through else { return true }
        return isEndAhead ? identity < through : identity <= through
    }
}
