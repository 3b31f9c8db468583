import BatonCore
import BatonStore
import CSQLite
import Support
import Testing

/// A database from which a fault of the disk removed rows.
@Suite struct `A store that lost a record` {
    private static let account = AccountIdentifier(high: 1, low: 2)

    private func run(_ script: String, in path: String) throws {
        var handle: OpaquePointer?
        let files = try CheckedFileSystem(over: nil)
        #expect(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, files.name) == SQLITE_OK)
        #expect(sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK)
        withExtendedLifetime(files) { #expect(sqlite3_close(handle) == SQLITE_OK) }
    }

    @Test func `a recount finds that a record was lost, and another device repairs it`() throws {
        let folder = try TemporaryFolder()
        let open = { try SQLiteStore(folder: folder.path, account: Self.account) }
        let (model, history) = (InMemoryStore(), History(seed: 1, lane: .index, keys: 20, length: 40))
        for transaction in history.transactions {
            _ = try open().commit(transaction)
            _ = try model.commit(transaction)
        }
        let whole = try open().check(at: InMemoryStore.past)
        #expect(whole == model.check(at: InMemoryStore.past) && whole != nil)
        let lost = try #require(model.allRecords.first { $0.isThere && !$0.identity.kind.isClear })
        try run(
            """
            DELETE FROM further_writes WHERE record IN (SELECT number FROM records WHERE hash = x'\(lost.hashDigits)');
            DELETE FROM records WHERE hash = x'\(lost.hashDigits)';
            """, in: folder.path + "/index.sqlite")
        // The digest is kept in step with changes, and not computed from the records.
        #expect(try open().check(at: InMemoryStore.past) == whole)
        let sums = try open().recount(.index, at: InMemoryStore.past)
        #expect(sums != model.recount(.index, at: InMemoryStore.past))
        let known = try #require(try open().check(at: InMemoryStore.past))
        #expect(known != whole && known.complete == whole?.complete)

        let part = lost.identity.hash.part
        let request = PartRequest(lane: .index, part: part, after: nil, bytes: .max)
        var transaction = StoreTransaction(
            lane: .index, writes: model.part(request).writes, completing: VersionVector())
        transaction.isRepair = true
        #expect(try open().commit(transaction).changed.map(\.identity).contains(lost.identity))
        #expect(try open().check(at: InMemoryStore.past) == whole)
        #expect(
            try open().recount(.index, at: InMemoryStore.past)
                == model.recount(.index, at: InMemoryStore.past))
    }
}

extension Record {
    /// The hash of the key, as a blob in SQL.
    fileprivate var hashDigits: String {
        identity.hash.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
