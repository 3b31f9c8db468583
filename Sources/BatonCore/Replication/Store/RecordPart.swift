/// Asks for the surviving writes of the records of a part, in the order of identities.
///
/// The writes of expired records are included: the other side may have such a record without the write that makes it
/// expire, or an earlier incarnation. If the other side has swept the record, its tombstone ends these writes, or they
/// come back, hidden, and are swept again.
package struct PartRequest: Equatable, Sendable {
    package var lane: Lane
    package var part: UInt8
    /// The last record that was read; nil at the beginning.
    package var after: RecordIdentity?
    /// How many bytes of writes are wanted, counted as for changes.
    package var bytes: Int

    package init(lane: Lane, part: UInt8, after: RecordIdentity?, bytes: Int) {
        self.lane = lane
        self.part = part
        self.after = after
        self.bytes = bytes
    }
}

/// The surviving writes of some records of a part.
package struct RecordPart: Equatable, Sendable {
    package var writes: [Write]
    /// The last record that was read; nil if the whole part was read.
    package var through: RecordIdentity?

    package init(writes: [Write], through: RecordIdentity?) {
        (self.writes, self.through) = (writes, through)
    }

    /// Creates a part from the gathered records; `isWhole` says whether they are the last ones of the part.
    package init(_ assembly: RangeAssembly, isWhole: Bool) {
        self.init(
            writes: assembly.writes + assembly.ahead, through: isWhole ? nil : assembly.last)
    }
}
