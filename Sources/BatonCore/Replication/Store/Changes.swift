/// Asks for the writes that a peer lacks.
package struct ChangesRequest: Equatable, Sendable {
    package var lane: Lane
    package var after: Arrival
    /// The place up to which the clears were sent already.
    ///
    /// Clears go first: what they left of other writes stands at those writes' places, before the clears, and is only
    /// half of the truth without them.
    package var clearsAfter: Arrival
    /// The writes that the peer has.
    package var covered: VersionVector
    /// The claims needed before anything is sent: the peer garbage-collected what they cover, and writes here may be
    /// older.
    package var needed = VersionVector()
    /// How many bytes of writes are wanted, by `Write.byteCount`; one more write may come, so that there is always one.
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
    /// The store garbage-collected tombstones that the peer may lack, so that the changes here are not enough.
    case snapshotNeeded
    /// The needed claims are not made here yet.
    case notNow
}

/// The writes that a peer lacks, or the first part of them.
package struct Changes: Equatable, Sendable {
    package var writes: [Write]
    /// Where to continue.
    package var next: Arrival
    /// The place up to which the clears are among these writes, or were sent before.
    package var clears: Arrival
    /// The store's claims in the lane, if nothing further was there to be sent.
    package var complete: VersionVector?

    package init(writes: [Write], next: Arrival, clears: Arrival? = nil, complete: VersionVector?) {
        (self.writes, self.next, self.clears) = (writes, next, clears ?? next)
        self.complete = complete
    }
}
