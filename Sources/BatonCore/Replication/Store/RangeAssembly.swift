/// Gathers the clears that go ahead of a range of a snapshot, in the order of their arrival.
package struct ClearsAhead {
    package private(set) var writes: [Write] = []
    /// The place of the last clear that was added, if further clears were left; the clears are then sent without a
    /// range.
    package private(set) var cut: Arrival?
    private var bytes = 0
    private var last = Arrival.none
    private let most: Int

    /// Gathers writes up to a number of bytes.
    package init(bytes: Int) { most = bytes }

    /// Adds the next clear; false if it is left for later.
    package mutating func add(_ write: Write, at place: Arrival) -> Bool {
        guard bytes < most || writes.isEmpty else {
            cut = last
            return false
        }
        writes.append(write)
        (bytes, last) = (bytes + write.byteCount, place)
        return true
    }
}

/// Gathers records for a range of a snapshot, each with all its writes.
package struct RangeAssembly {
    package private(set) var writes: [Write] = []
    /// The writes of a record that is too large for a range; it is then the last record.
    package private(set) var ahead: [Write] = []
    /// The last record that was added.
    package private(set) var last: RecordIdentity?
    private var bytes = 0
    private let most: Int
    private let recordMost: Int

    /// Gathers about `bytes` bytes of writes, at most `recordBytes` of them from one record.
    package init(bytes: Int, ofRecord recordBytes: Int = Limits.largestRangeRecordBytes) {
        (most, recordMost) = (bytes, recordBytes)
    }

    /// Adds the next record; false if it is left for the next range.
    package mutating func add(_ record: [Write], of identity: RecordIdentity) -> Bool {
        let count = record.reduce(0) { $0 + $1.byteCount }
        let isLarge = record.count > 1 && count > recordMost
        guard ahead.isEmpty, last == nil || (bytes < most && !isLarge) else { return false }
        if isLarge { ahead = record } else { writes += record }
        (last, bytes) = (identity, bytes + count)
        return true
    }
}
