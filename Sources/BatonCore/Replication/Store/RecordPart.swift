/// A request for the surviving writes of the records in a part, in the order of identities.
///
/// The writes of expired records are included. The other side may have such a record without the write that makes it
/// expire, or may have an earlier incarnation of it. The other side may also have swept the record. Then its tombstone
/// ends these writes, or the record comes back hidden and is swept again.
package struct PartRequest: Equatable, Sendable {
    package var lane: Lane
    package var part: UInt8
    /// The last record that was read; nil for the first request.
    package var after: RecordIdentity?
    /// The number of bytes of writes to return, counted as in `ChangesRequest`.
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

    /// Creates a part from the collected records.
    ///
    /// `isWhole` says whether they include the last record of the part.
    package init(_ assembly: RangeAssembly, isWhole: Bool) {
        self.init(
            writes: assembly.writes + assembly.ahead, through: isWhole ? nil : assembly.last)
    }
}
