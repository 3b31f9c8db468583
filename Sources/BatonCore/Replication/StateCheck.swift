/// What a node holds and what it claims, of one moment: two that claim the same must hold the same.
package struct StateCheck: Equatable, Sendable {
    /// The digest of `complete`.
    package let complete: [UInt8]
    /// The sum over all records that are there, whether they have expired or not.
    package let state: StateDigest

    package init(complete: [UInt8], state: StateDigest) { (self.complete, self.state) = (complete, state) }
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
    /// One for each part.
    package let sums: [StateDigest]

    /// How many parts a lane has.
    package static let count = 256

    package init(lane: Lane, sums: [StateDigest]) {
        precondition(sums.count == Self.count, "a lane has a sum for each of its parts")
        (self.lane, self.sums) = (lane, sums)
    }
}

extension KeyHash {
    /// The part of its lane to which a record belongs.
    package var part: UInt8 { UInt8(truncatingIfNeeded: high >> 56) }
}

/// Asks for the surviving writes of the records of a part, in the order of identities.
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
