/// Collects the clears that must be sent before a range of a snapshot, in the order of their arrival.
package struct ClearsAhead {
    package private(set) var writes: [Write] = []
    /// The place of the last added clear, if more clears were left; otherwise nil.
    ///
    /// If it is not nil, the clears are sent without a range.
    package private(set) var cut: Arrival?
    private var bytes = 0
    private var last = Arrival.none
    private let most: Int

    /// Creates a collection that takes about this number of bytes.
    package init(bytes: Int) { most = bytes }

    /// Adds the next clear; returns false if it is left for later.
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

/// Collects records for a range of a snapshot.
///
/// All writes of a record are collected together.
package struct RangeAssembly {
    package private(set) var writes: [Write] = []
    /// The writes of a record that is too large for a range.
    ///
    /// Such a record is the last one of the range.
    package private(set) var ahead: [Write] = []
    /// The last record that was added.
    package private(set) var last: RecordIdentity?
    private var bytes = 0
    private let most: Int
    private let recordMost: Int

    /// Creates a range of about `bytes` bytes of writes.
    ///
    /// A record with more than `recordBytes` bytes of writes is too large for the range.
    package init(bytes: Int, ofRecord recordBytes: Int = Limits.largestRangeRecordBytes) {
        (most, recordMost) = (bytes, recordBytes)
    }

    /// Adds the next record; returns false if it is left for the next range.
    package mutating func add(_ record: [Write], of identity: RecordIdentity) -> Bool {
        let count = record.reduce(0) { $0 + $1.byteCount }
        let isLarge = record.count > 1 && count > recordMost
        guard ahead.isEmpty, last == nil || (bytes < most && !isLarge) else { return false }
        if isLarge { ahead = record } else { writes += record }
        (last, bytes) = (identity, bytes + count)
        return true
    }
}
