/// Asks for what a peer lacks.
package struct ChangesRequest: Equatable, Sendable {
    package var lane: Lane
    package var after: Arrival
    /// What the peer has.
    package var covered: VersionVector
    /// How many bytes of writes are wanted, by `Write.byteCount`; one more write may come, so that there is
    /// always one.
    ///
    /// More than `Limits.batchWrites` never come.
    package var bytes: Int

    package init(lane: Lane, after: Arrival, covered: VersionVector, bytes: Int) {
        (self.lane, self.after, self.covered, self.bytes) = (lane, after, covered, bytes)
    }
}

/// What became of a request for changes.
package enum ChangesAnswer: Equatable, Sendable {
    case changes(Changes)
    /// The store let go of traces that the peer may lack, so that what stands here says too little.
    case snapshotNeeded
}

/// What a peer lacks, or the first part of it.
package struct Changes: Equatable, Sendable {
    package var writes: [Write]
    /// Where to go on.
    package var next: Arrival
    /// What the store claims of the lane, if nothing further was there to be sent.
    package var complete: VersionVector?

    package init(writes: [Write], next: Arrival, complete: VersionVector?) {
        (self.writes, self.next, self.complete) = (writes, next, complete)
    }
}
