import BatonCore

/// The records that were written last, kept in memory.
///
/// A current activity changes often. Since its record is in memory, a change reads no rows and hashes only the new
/// state. The change is also sent to peers without being read from the database.
struct RecentRecords {
    private var records: [Recent] = []

    /// A record as it is stored in its rows.
    struct Recent {
        let number: Int64
        /// The record as its rows say, without the effect of clears whose sweeps have not finished.
        let record: Record
        let writes: [PlacedWrite]
        let digest: StateDigest
    }

    /// The largest number of remembered records, and the largest number of bytes of one of them.
    private static let most = 8
    private static let bytesMost = 16 << 10

    subscript(identity: RecordIdentity) -> Recent? {
        records.first { $0.record.identity == identity }
    }

    /// Returns the writes with places after `place` and up to `head`, in the order of arrival.
    ///
    /// Returns nil if not all of these writes are remembered.
    func writes(after place: Arrival, upTo head: Arrival) -> [PlacedWrite]? {
        guard place < head, head.value - place.value <= UInt64(records.count) else { return nil }
        let writes = records.map { $0.writes[0] }.filter { $0.place > place }
        guard writes.count == head.value - place.value else { return nil }
        return writes.sorted { $0.place < $1.place }
    }

    /// Remembers a written record if it is a small current activity and consists of one full write.
    mutating func keep(_ recent: Recent) {
        forget(recent.record.identity)
        guard recent.record.identity.kind == .currentActivity, recent.writes.count == 1,
            recent.writes[0].write.isFull, recent.writes[0].write.byteCount <= Self.bytesMost
        else { return }
        if records.count == Self.most { records.removeFirst() }
        records.append(recent)
    }

    /// Forgets a record, if it is remembered.
    mutating func forget(_ identity: RecordIdentity) {
        records.removeAll { $0.record.identity == identity }
    }
}
