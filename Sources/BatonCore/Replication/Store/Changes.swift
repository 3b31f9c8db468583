/// A request to the store for the writes that a peer lacks.
package struct ChangesRequest: Equatable, Sendable {
    package var lane: Lane
    package var after: Arrival
    /// The place up to which clears were already sent.
    ///
    /// Clears are sent before other writes. A clear removes some writes of a record, and leaves others at their places,
    /// which are before the clear's place. A peer without the clear would treat the remaining writes as the whole
    /// record.
    package var clearsAfter: Arrival
    /// The writes that the peer has.
    package var covered: VersionVector
    /// The claims that this store must have before it sends anything.
    ///
    /// The peer has garbage-collected what these claims cover. Writes in this store may be older than the collected
    /// deletions.
    package var needed = VersionVector()
    /// The number of bytes of writes to return, by `Write.byteCount`.
    ///
    /// The last write may exceed it, so that there is always at least one write.
    package var bytes: Int

    package init(
        lane: Lane, after: Arrival, clearsAfter: Arrival? = nil, covered: VersionVector, bytes: Int
    ) {
        (self.lane, self.after, self.clearsAfter) = (lane, after, clearsAfter ?? after)
        (self.covered, self.bytes) = (covered, bytes)
    }
}

/// The answer to a request for changes.
package enum ChangesAnswer: Equatable, Sendable {
    case changes(Changes)
    /// The store garbage-collected tombstones that the peer may lack, so the peer needs a snapshot.
    case snapshotNeeded
    /// The store does not have the needed claims yet.
    case notNow
}

/// The writes that a peer lacks, or the first of them.
package struct Changes: Equatable, Sendable {
    package var writes: [Write]
    /// The place at which the next request continues.
    package var next: Arrival
    /// The place up to which all clears are in this answer, or were sent before.
    package var clears: Arrival
    /// The store's claims in the lane; nil if there are more writes to send.
    package var complete: VersionVector?

    package init(writes: [Write], next: Arrival, clears: Arrival? = nil, complete: VersionVector?) {
        (self.writes, self.next, self.clears) = (writes, next, clears ?? next)
        self.complete = complete
    }
}
