/// What a node holds and what it claims, of one moment: two that claim the same must hold the same.
package struct StateCheck: Equatable, Sendable {
    /// The digest of `complete`.
    package let complete: [UInt8]
    /// The sum over all records that are there and have not expired at `time`.
    package let state: StateDigest
    /// At which time it is judged what has expired.
    package let time: WallTime

    package init(complete: [UInt8], state: StateDigest, at time: WallTime) {
        (self.complete, self.state, self.time) = (complete, state, time)
    }
}

/// What became of comparing what two nodes hold.
package enum Difference: Equatable, Sendable {
    /// They claim the same and differ; both tell each other what they hold.
    case found
    /// They differ although that was done.
    case remaining
}

/// The sums over the parts of a lane: where two nodes differ, these tell them in which parts.
///
/// A record is in the part that the first byte of its key's hash names.
package struct LaneSums: Equatable, Sendable {
    package let lane: Lane
    /// One for each part, over the records that have not expired at `time`.
    package let sums: [StateDigest]
    package let time: WallTime

    /// How many parts a lane has.
    package static let count = 256

    package init(lane: Lane, sums: [StateDigest], at time: WallTime) {
        precondition(sums.count == Self.count, "a lane has a sum for each of its parts")
        (self.lane, self.sums, self.time) = (lane, sums, time)
    }
}

extension KeyHash {
    /// The part of its lane to which a record belongs.
    package var part: UInt8 { UInt8(truncatingIfNeeded: high >> 56) }
}

/// Asks for the surviving writes of the records of a part, in the order of identities.
///
/// Those of records that have expired are among them: the other side may hold such a record without what makes it
/// expire, or an earlier one of its key. Where it was swept they are ended by its trace, or come back, hidden, and are
/// swept again.
package struct PartRequest: Equatable, Sendable {
    package var lane: Lane
    package var part: UInt8
    /// The last record that was read; nothing at the beginning.
    package var after: RecordIdentity?
    /// How many bytes of writes are wanted, as of changes.
    package var bytes: Int

    package init(lane: Lane, part: UInt8, after: RecordIdentity?, bytes: Int) {
        (self.lane, self.part, self.after, self.bytes) = (lane, part, after, bytes)
    }
}

/// The surviving writes of some records of a part.
package struct RecordPart: Equatable, Sendable {
    package var writes: [Write]
    /// The last record that was read; nothing if the part is at its end.
    package var through: RecordIdentity?

    package init(writes: [Write], through: RecordIdentity?) {
        (self.writes, self.through) = (writes, through)
    }

    /// What was gathered, which may be all that there is.
    package init(_ assembly: RangeAssembly, isWhole: Bool) {
        self.init(
            writes: assembly.writes + assembly.ahead, through: isWhole ? nil : assembly.last)
    }
}
