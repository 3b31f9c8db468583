import BatonCore
import BatonStore
import CSQLite
import Support
import Testing

/// A store that is opened again.
@Suite struct `A reopened store` {
    private static let account = AccountIdentifier(high: 1, low: 2)

    /// Makes a store with this many items of its own device, each written in a transaction, and closes it.
    private func folder(items count: Int) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(folder: folder.path, account: Self.account)
        var journal = Journal(life: Life(high: 1, low: 1), latest: .zero)
        for number in 0..<count { try write(number, to: store, &journal) }
        return folder
    }

    private func write(_ number: Int, to store: SQLiteStore, _ journal: inout Journal) throws {
        let name = ItemName(app: "org.example.notes", index: "main", identifier: "\(number)")
        let draft = Journal.Draft(.full(Item(domain: "notes").content(name)), name.key)
        let transaction = journal.transaction(.index, [draft], now: WallTime(milliseconds: 1))
        _ = try store.commit(try #require(transaction))
    }

    /// Changes the lane of the index behind the back of a store that is closed.
    private func run(_ script: String, in folder: TemporaryFolder) throws {
        var handle: OpaquePointer?
        let files = try CheckedFileSystem(over: nil)
        #expect(
            sqlite3_open_v2(folder.path + "/index.sqlite", &handle, SQLITE_OPEN_READWRITE, files.name)
                == SQLITE_OK)
        #expect(sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK)
        withExtendedLifetime(files) { #expect(sqlite3_close(handle) == SQLITE_OK) }
    }

    @Test func `does not read all records when it opens`() throws {
        let steps = try [10, 1000].map { count in
            let folder = try folder(items: count)
            let store = try SQLiteStore(folder: folder.path, account: Self.account)
            #expect(try store.summary(for: nil).settled[.index] == Arrival(value: UInt64(count)))
            return store.steps
        }
        #expect(steps[1] < steps[0] + 100, "\(steps)")
    }

    /// The last place was given to a write that nobody claimed until a range removed it.
    @Test func `counts the places of removed writes as settled`() throws {
        let folder = try folder(items: 3)
        let store = try SQLiteStore(folder: folder.path, account: Self.account)
        let write = Write.told(.told(9), at: 5, by: 9, .full())
        var transaction = StoreTransaction(
            lane: .index, writes: [write], completing: VersionVector(), clock: store.clock)
        _ = try store.commit(transaction)
        let before = try store.summary(for: nil)
        let (settled, head) = (try #require(before.settled[.index]), try #require(before.heads[.index]))
        #expect(settled.value == head.value - 1)
        let known = VersionVector([(write.dot.origin, write.dot.sequence)])
        transaction.writes = []
        transaction.range = ReceivedRange(
            after: nil, through: nil, isEndAhead: false, known: known, dropped: VersionVector(),
            horizon: .zero, start: known)
        #expect(try store.commit(transaction).changed.map(\.identity) == [write.identity])
        let summary = try SQLiteStore(folder: folder.path, account: Self.account).summary(for: nil)
        #expect(summary.heads[.index] == head && summary.settled[.index] == head)
    }

    @Test func `reports a record without its writes as damage`() throws {
        let folder = try folder(items: 3)
        try run("UPDATE records SET arrival = NULL, action = NULL WHERE arrival = 2", in: folder)
        let store = try SQLiteStore(folder: folder.path, account: Self.account)
        var journal = Journal(life: Life(high: 1, low: 2), latest: .zero)
        try write(0, to: store, &journal)
        let failure = #expect(throws: StoreFailure.self) { try write(1, to: store, &journal) }
        #expect(failure?.code == .damaged && store.damagedLanes == [.index])
    }

    /// A migration may leave all items to be counted later.
    @Test func `counts uncounted items in steps, and only once`() throws {
        let folder = try folder(items: 5)
        let counted = try SQLiteStore(folder: folder.path, account: Self.account).usages()
        #expect(counted.values.map(\.items) == [5])
        try run("DELETE FROM usage; UPDATE usage_progress SET through = 0", in: folder)
        let store = try SQLiteStore(folder: folder.path, account: Self.account)
        var steps = 0
        while steps < 9, try store.lane(.index).settle(most: 2) != nil { steps += 1 }
        #expect(steps == 3 && !store.isUnsettled(.index))
        #expect(try store.usages() == counted)
    }
}
