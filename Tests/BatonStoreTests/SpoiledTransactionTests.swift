import BatonCore
import BatonStore
import CSQLite
import Support
import Testing

/// A group in the middle of which SQLite fails, as on a full disk.
@Suite struct `A group of transactions in which SQLite fails` {
    private static let origin = Origin(life: Life(high: 1, low: 1), lane: .activities)

    private static func write(
        _ sequence: UInt64, key: UInt64, fields: Fields = Fields(), isPartial: Bool = false
    )
        -> Write
    {
        let stamp = Stamp(time: HybridTime(value: 7), life: origin.life)
        return Write(
            dot: Dot(origin: origin, sequence: sequence),
            key: RecordKey(kind: .device, parts: 1) { $0.unsigned(key) }, stamp: stamp,
            action: isPartial ? .partial(of: stamp, fields) : .full(Write.Content(fields: fields)))
    }

    private static func transaction(_ sequence: UInt64, claims: Bool, notes: [LocalNote] = [])
        -> StoreTransaction
    {
        StoreTransaction(
            lane: .activities, writes: [write(sequence, key: sequence)],
            completing: claims ? VersionVector([(origin, sequence)]) : VersionVector(), notes: notes)
    }

    /// Passes a store to the closure in which a trigger fails as a disk would.
    private func withStore(_ trigger: String, _ body: (SQLiteStore, () throws -> SQLiteStore) throws -> Void)
        throws
    {
        let folder = try TemporaryFolder()
        let open = { try SQLiteStore(folder: folder.path, account: AccountIdentifier(high: 1, low: 2)) }
        _ = try open().summary()
        var handle: OpaquePointer?
        let files = try CheckedFileSystem(over: nil)
        let path = folder.path + "/activities.sqlite"
        try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, files.name) == SQLITE_OK)
        try #require(sqlite3_exec(handle, "CREATE TRIGGER fault " + trigger, nil, nil, nil) == SQLITE_OK)
        withExtendedLifetime(files) { _ = sqlite3_close(handle) }
        try body(try open(), open)
    }

    @Test func `loses and does not claim a batch that follows a lost batch`() throws {
        let trigger =
            "BEFORE INSERT ON records WHEN NEW.sequence = 2 BEGIN SELECT RAISE(ROLLBACK, 'full'); END"
        try withStore(trigger) { store, open in
            #expect(throws: StoreFailure.self) {
                try store.group { () throws(StoreFailure) in
                    for transaction in [(1, false), (2, false), (3, true)].map(Self.transaction) {
                        do { _ = try store.commit(transaction) } catch {}
                    }
                }
            }
            for store in [store, try open()] {
                #expect(try store.summary().complete.isEmpty)
                #expect(try store.records(of: .device).isEmpty)
            }
            _ = try store.commit(Self.transaction(4, claims: true))
            #expect(try store.summary() == open().summary())
            #expect(try open().records(of: .device).count == 1)
        }
    }

    private static func transaction(_ sequence: UInt64, _ claims: Bool) -> StoreTransaction {
        transaction(sequence, claims: claims)
    }

    @Test func `keeps a new order of arrival although the next change can't be stored`() throws {
        let trigger = "BEFORE INSERT ON notes BEGIN SELECT RAISE(ABORT, 'no'); END"
        try withStore(trigger) { store, open in
            let order = ArrivalOrder(high: 8, low: 9)
            let note = LocalNote(space: .ownActivity, name: [1], value: [2])
            try store.group { () throws(StoreFailure) in
                try store.begin(order)
                do { _ = try store.commit(Self.transaction(1, claims: true, notes: [note])) } catch {}
            }
            for store in [store, try open()] {
                #expect(try store.summary().order == order)
                #expect(try store.records(of: .device).isEmpty)
            }
        }
    }

    @Test func `stores no change whose note can't be stored`() throws {
        let trigger = "BEFORE INSERT ON notes BEGIN SELECT RAISE(ABORT, 'no'); END"
        try withStore(trigger) { store, open in
            let note = LocalNote(space: .ownActivity, name: [1], value: [2])
            try store.group { () throws(StoreFailure) in
                do { _ = try store.commit(Self.transaction(1, claims: true, notes: [note])) } catch {}
                _ = try store.commit(Self.transaction(2, claims: false))
            }
            for store in [store, try open()] {
                #expect(try store.summary().complete.isEmpty)
                #expect(try store.records(of: .device).count == 1)
            }
        }
    }
}
