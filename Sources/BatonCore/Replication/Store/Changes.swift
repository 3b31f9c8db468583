/// Asks the store for the writes that a peer lacks.
package struct ChangesRequest: Equatable, Sendable {
    package var lane: Lane
    package var after: Arrival
    /// The place up to which the clears were sent already.
    ///
    /// Clears are sent first. A clear leaves a part of some older writes, at their places, which are before the clear's
    /// place; a peer without the clear would take that part for the whole record.
    package var clearsAfter: Arrival
    /// The writes that the peer has.
    package var covered: VersionVector
    /// The claims that this store needs before it sends anything: the peer garbage-collected what they cover, and
    /// writes here may be older.
    package var needed = VersionVector()
    /// How many bytes of writes are wanted, by `Write.byteCount`; the last write may exceed them, so that there is
    /// always one.
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
    /// The store garbage-collected tombstones that the peer may lack, so the changes here are not enough.
    case snapshotNeeded
    /// The store does not have the needed claims yet.
    case notNow
}

/// The writes that a peer lacks, or the first part of them.
package struct Changes: Equatable, Sendable {
    package var writes: [Write]
    /// Where to continue.
    package var next: Arrival
    /// The place up to which all clears are among these writes, or were sent before.
    package var clears: Arrival
    /// The store's claims in the lane; nil if there are more writes to send.
    package var complete: VersionVector?

    package init(writes: [Write], next: Arrival, clears: Arrival? = nil, complete: VersionVector?) {
        (self.writes, self.next, self.clears) = (writes, next, clears ?? next)
        self.complete = complete
    }
}
