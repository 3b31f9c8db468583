import BatonCore
import BatonStore
import Support
import Testing

@Suite struct `The store in SQLite` {
    @Test(arguments: StoreConformance.checks, [1, 2, 3] as [UInt64])
    func `keeps the contract`(_ check: StoreCheck, seed: UInt64) throws {
        let folder = try TemporaryFolder()
        try check.run(
            StoreHome { try SQLiteStore(folder: folder.path, account: AccountIdentifier(high: 1, low: 2)) },
            seed)
    }

    @Test(arguments: StoreConformance.batches, Seeds.first(10))
    func `keeps the contract of batches, whatever it puts off`(_ check: StoreCheck, seed: UInt64) throws {
        let folder = try TemporaryFolder()
        try check.run(
            StoreHome {
                let store = try SQLiteStore(
                    folder: folder.path, account: AccountIdentifier(high: 1, low: 2))
                store.recordsAtOnce = 0
                return store
            }, seed)
    }

    @Test func `of one account is shown to no other`() throws {
        let folder = try TemporaryFolder()
        _ = try SQLiteStore(folder: folder.path, account: AccountIdentifier(high: 1, low: 2))
        _ = try SQLiteStore(folder: folder.path, account: AccountIdentifier(high: 1, low: 2))
        let failure = #expect(throws: StoreFailure.self) {
            _ = try SQLiteStore(folder: folder.path, account: AccountIdentifier(high: 1, low: 3))
        }
        #expect(failure?.text.contains("belongs to another account") == true)
    }
}
