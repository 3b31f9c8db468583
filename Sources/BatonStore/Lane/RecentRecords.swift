import BatonCore

/// The records that were written last, as their rows have them.
///
/// An activity that goes on changes often. Since its record is in memory, a change of it reads no rows, hashes only the
/// new state, and is sent to peers as it was written.
struct RecentRecords {
    private var records: [Recent] = []

    /// A record as its rows have it.
    struct Recent {
        let number: Int64
        /// The record that its rows make, without unfinished clears.
        let record: Record
        let writes: [PlacedWrite]
        let digest: StateDigest
    }

    /// The largest number of records, and of bytes of each, that are remembered.
    private static let most = 8
    private static let bytesMost = 16 << 10

    subscript(identity: RecordIdentity) -> Recent? {
        records.first { $0.record.identity == identity }
    }

    /// Returns the writes with places after `place` and up to `head`, in the order of arrival; nil unless all of these
    /// writes are remembered.
    func writes(after place: Arrival, upTo head: Arrival) -> [PlacedWrite]? {
        guard place < head, head.value - place.value <= UInt64(records.count) else { return nil }
        let writes = records.map { $0.writes[0] }.filter { $0.place > place }
        guard writes.count == head.value - place.value else { return nil }
        return writes.sorted { $0.place < $1.place }
    }

    /// Remembers a record that was written, if it is a small current activity that one full write made.
    mutating func keep(_ recent: Recent) {
        forget(recent.record.identity)
        guard recent.record.identity.kind == .currentActivity, recent.writes.count == 1,
            recent.writes[0].write.isFull, recent.writes[0].write.byteCount <= Self.bytesMost
        else { return }
        if records.count == Self.most { records.removeFirst() }
        records.append(recent)
    }

    /// Forgets a record that was removed, or written in another way.
    mutating func forget(_ identity: RecordIdentity) {
        records.removeAll { $0.record.identity == identity }
    }
}
