import BatonCore
import BatonStore
import Support
import Testing

/// A store with writes of more lives than it remembers, as a malicious member can make them.
@Suite struct `A lane with many lives` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> SQLiteStore {
        try SQLiteStore(folder: folder.path, account: AccountIdentifier(high: 1, low: 2))
    }

    /// Returns a write of a life of its own, whose stamp has another life of its own.
    private static func write(_ number: UInt64) -> Write {
        Write(
            dot: Dot(origin: Origin(life: Life(high: 1, low: number), lane: .activities), sequence: 1),
            key: RecordKey(kind: .device, parts: 1) { $0.unsigned(number) },
            stamp: Stamp(time: HybridTime(value: 7), life: Life(high: 2, low: number)),
            action: .full(Write.Content(fields: Fields())))
    }

    private static func transaction(_ numbers: Range<UInt64>) -> StoreTransaction {
        StoreTransaction(
            lane: .activities, writes: numbers.map(write), completing: VersionVector(), notes: [])
    }

    /// Returns all writes of the store in the order of their arrival.
    private func writes(of store: SQLiteStore) throws -> [Write] {
        try store.delta(
            ChangesRequest(
                lane: .activities, after: .none, clearsAfter: Arrival.none, covered: VersionVector(),
                bytes: .max)
        ).writes
    }

    @Test func `thousands of lives are stored with their writes, and opening the store does not read them`()
        throws
    {
        var store = try open()
        _ = try store.commit(Self.transaction(0..<1))
        store = try open()
        let before = store.steps
        for part in 0..<UInt64(5) {
            _ = try store.commit(Self.transaction(part * 1200..<(part + 1) * 1200))
        }
        #expect(try writes(of: store) == (0..<6000).map(Self.write))
        // A write that comes once more finds its lives among thousands.
        _ = try store.commit(Self.transaction(0..<10))
        store = try open()
        #expect(store.steps < before + 1000, "\(before) steps, then \(store.steps)")
        #expect(try writes(of: store) == (0..<6000).map(Self.write))
    }

    @Test(arguments: [false, true])
    func `the claims of senders are stored for a limited number of lives`(isStream: Bool) throws {
        let store = try open()
        let size: UInt64 = 4096
        for part in 0..<UInt64(Limits.laneOrigins) / size + 2 {
            var transaction = Self.transaction(part * size..<(part + 1) * size)
            if isStream {
                transaction.isPart = true
                transaction.resume = StoreTransaction.Resume(
                    peer: DeviceIdentifier(high: 3, low: 4), token: ResumeToken(bytes: []))
            } else {
                transaction.sender = VersionVector(
                    transaction.writes.map { ($0.dot.origin, $0.dot.sequence) })
            }
            _ = try store.commit(transaction)
        }
        #expect(try store.expected(in: .activities).count == Limits.laneOrigins)
        #expect(try open().expected(in: .activities).count == Limits.laneOrigins)
    }

    @Test func `the number of a life in a rolled back transaction can be reused for another life`() throws {
        let store = try open()
        _ = try store.commit(Self.transaction(0..<3))
        #expect(throws: StoreFailure.self) {
            try store.group { () throws(StoreFailure) in
                _ = try store.commit(Self.transaction(3..<6))
                throw StoreFailure(.failed, "undone")
            }
        }
        _ = try store.commit(Self.transaction(6..<9))
        _ = try store.commit(Self.transaction(3..<6))
        let expected = [0..<3, 6..<9, 3..<6].flatMap { $0.map { Self.write(UInt64($0)) } }
        #expect(try writes(of: store) == expected)
        #expect(try writes(of: open()) == expected)
    }
}
