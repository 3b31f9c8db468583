import BatonCore
import BatonStore
import Foundation

/// A store that is filled with items, as a device fills it with its own ones.
final class FilledStore {
    let store: SQLiteStore
    private let folder: String
    private var journal: Journal
    private(set) var now = WallTime(milliseconds: 1_790_000_000_000)

    /// The store in a folder that is there, as a node has it; it is made where there is none.
    init(_ folder: String, account: AccountIdentifier = FilledStore.account) throws {
        self.folder = folder
        store = try SQLiteStore(folder: folder, account: account)
        // A life that nobody had before, as a node begins one whenever it is in doubt.
        var generator = SystemRandomNumberGenerator()
        let clock = try store.summary(for: nil).clock
        journal = Journal(life: Life(high: 1, low: generator.next()), latest: clock)
    }

    static let account = AccountIdentifier(high: 3, low: 4)

    /// How many items a transaction of a bulk fill has.
    static let transactionItems = 10_000

    /// The database of the index.
    var indexPath: String { folder + "/index.sqlite" }

    /// How many bytes the index has on the disk.
    var indexBytes: Int { Self.bytes(ofDatabase: indexPath) }

    /// How many bytes a database has on the disk, with its log.
    static func bytes(ofDatabase path: String) -> Int {
        ["", "-wal"].reduce(0) { sum, ending in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + ending)
            return sum + ((attributes?[.size] as? Int) ?? 0)
        }
    }

    /// Names the writes of one transaction.
    func transaction(_ drafts: [Journal.Draft], in lane: Lane = .index) throws -> StoreTransaction {
        now = now.advanced(by: .milliseconds(200))
        guard let transaction = journal.transaction(lane, drafts, now: now) else {
            throw BenchmarkFailure("items are larger than the limits allow")
        }
        return transaction
    }

    /// Names a staged batch.
    func ending(_ batch: BatchIdentifier, count: Int) throws -> StoreTransaction {
        now = now.advanced(by: .milliseconds(200))
        guard let transaction = journal.ending(batch, count: count, with: nil, now: now) else {
            throw BenchmarkFailure("a batch is larger than the limits allow")
        }
        return transaction
    }

    /// Writes items in transactions of some 10,000.
    func fill(_ count: Int, from corpus: inout IndexCorpus, domain: String? = nil) throws {
        for start in stride(from: 0, to: count, by: Self.transactionItems) {
            let drafts = corpus.drafts(min(Self.transactionItems, count - start), domain: domain)
            use(try store.commit(try transaction(drafts)))
        }
    }

    /// Does what batches and clears have left to be done, in steps of so many records.
    func settle(most: Int) throws {
        while try store.settle(most: most) != nil {}
    }
}
