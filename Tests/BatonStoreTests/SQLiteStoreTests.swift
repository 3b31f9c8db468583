import BatonCore
import BatonStore
import Disks
import Foundation
import Support
import Synchronization
import Testing

@Suite struct `The store in SQLite` {
    @Test(arguments: StoreConformance.checks, [1, 2, 3] as [UInt64])
    func `fulfils the contract of a store`(_ check: StoreCheck, seed: UInt64) throws {
        let folder = try TemporaryFolder()
        try check.run(
            StoreHome { try SQLiteStore(folder: folder.path, account: AccountIdentifier(high: 1, low: 2)) },
            seed)
    }

    @Test(arguments: StoreConformance.checks)
    func `fulfils the contract of a store with encrypted pages`(_ check: StoreCheck) throws {
        let folder = try TemporaryFolder()
        try check.run(
            StoreHome {
                try SQLiteStore(
                    folder: folder.path, account: AccountIdentifier(high: 1, low: 2), cipher: TestCipher())
            }, 4)
    }

    @Test(arguments: StoreConformance.batches + StoreConformance.unsettledRanges, Seeds.first(10))
    func `fulfils the contract of batches, even if all merging is postponed`(
        _ check: StoreCheck, seed: UInt64
    ) throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        try withinAMinute {
            try check.run(
                StoreHome {
                    let store = try SQLiteStore(folder: path, account: AccountIdentifier(high: 1, low: 2))
                    store.recordsAtOnce = 0
                    return store
                }, seed)
        }
    }

    /// Runs the body on a thread of its own, and fails if it takes longer than a minute.
    ///
    /// A store that sweeps without end would otherwise block the test run.
    private func withinAMinute(_ body: @escaping @Sendable () throws -> Void) throws {
        let (outcome, ended) = (Outcome(), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            let result = Result { try body() }
            outcome.result.withLock { $0 = result }
            ended.signal()
        }
        try #require(ended.wait(timeout: .now() + 60) == .success, "the store does not come to an end")
        try outcome.result.withLock { $0 }?.get()
    }

    /// The outcome of a body that runs on another thread.
    private final class Outcome: Sendable {
        let result = Mutex<Result<Void, any Error>?>(nil)
    }

    @Test func `commits a transaction within its quota without waiting for a batch to be merged`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(folder: folder.path, account: AccountIdentifier(high: 1, low: 2))
        store.recordsAtOnce = 0
        var journal = Journal(life: Life(high: 1, low: 1), latest: .zero)
        let drafts = (0..<4).map { number in
            let name = ItemName(app: "a", index: "i", identifier: "\(number)")
            return Journal.Draft(.full(Item(domain: "d").content(name)), name.key)
        }
        let batch = BatchIdentifier(value: 1)
        try store.stage(Array(drafts.prefix(3)), in: batch)
        let ending = journal.ending(batch, count: 3, with: nil, now: WallTime(milliseconds: 1))
        _ = try store.commit(try #require(ending))
        let written = journal.transaction(.index, [drafts[3]], now: WallTime(milliseconds: 2))
        var transaction = try #require(written)
        transaction.condition = IndexCondition(quota: Quota(app: "a", items: 4, bytes: .max))
        #expect(try store.commit(transaction).refusal == nil)
        #expect(store.isUnsettled(.index))
    }

    @Test func `refuses to open the files of another account`() throws {
        let folder = try TemporaryFolder()
        _ = try SQLiteStore(folder: folder.path, account: AccountIdentifier(high: 1, low: 2))
        _ = try SQLiteStore(folder: folder.path, account: AccountIdentifier(high: 1, low: 2))
        let failure = #expect(throws: StoreFailure.self) {
            _ = try SQLiteStore(folder: folder.path, account: AccountIdentifier(high: 1, low: 3))
        }
        #expect(failure?.text.contains("belongs to another account") == true)
    }
}
