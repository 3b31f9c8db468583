/// Asks for what a peer lacks.
package struct ChangesRequest: Equatable, Sendable {
    package var lane: Lane
    package var after: Arrival
    /// Up to which place the clears were told already.
    ///
    /// Clears go first: what they left of other writes stands at those writes' places, before them, and is no more
    /// than half of the truth without them.
    package var clearsAfter: Arrival
    /// What the peer has.
    package var covered: VersionVector
    /// What must be claimed before anything is told: the peer let go of it, and what stands here may be older.
    package var needed = VersionVector()
    /// How many bytes of writes are wanted, by `Write.byteCount`; one more write may come, so that there is
    /// always one.
    package var bytes: Int

    package init(
        lane: Lane, after: Arrival, clearsAfter: Arrival? = nil, covered: VersionVector, bytes: Int
    ) {
        (self.lane, self.after, self.clearsAfter) = (lane, after, clearsAfter ?? after)
        (self.covered, self.bytes) = (covered, bytes)
    }
}

/// What became of a request for changes.
package enum ChangesAnswer: Equatable, Sendable {
    case changes(Changes)
    /// The store let go of traces that the peer may lack, so that what stands here says too little.
    case snapshotNeeded
    /// What is needed is not claimed yet.
    case notNow
}

/// What a peer lacks, or the first part of it.
package struct Changes: Equatable, Sendable {
    package var writes: [Write]
    /// Where to go on.
    package var next: Arrival
    /// Up to which place the clears are among these writes, or were told before.
    package var clears: Arrival
    /// What the store claims of the lane, if nothing further was there to be sent.
    package var complete: VersionVector?

    package init(writes: [Write], next: Arrival, clears: Arrival? = nil, complete: VersionVector?) {
        (self.writes, self.next, self.clears) = (writes, next, clears ?? next)
        self.complete = complete
    }
}
