import BatonCore

/// A device that writes items, a thousand in a transaction, as an indexing job does.
struct ItemWriter {
    private var words: Words
    private var journal: Journal
    private var now: WallTime
    /// How many items a transaction has.
    static let transactionItems = 1000

    /// A device whose clock is so many days ahead.
    init(seed: UInt64, daysAhead: Int64 = 0) {
        now = WallTime(milliseconds: 1_790_000_000_000 + daysAhead * 86_400_000)
        words = Words(seed: seed)
        journal = Journal(life: Life(high: words.random(), low: words.random()), latest: .zero)
    }

    /// Writes items with these numbers.
    mutating func transaction(_ numbers: Range<Int>) throws -> StoreTransaction {
        now = now.advanced(by: .milliseconds(200))
        let drafts = numbers.map { number in
            let item = SampleItem(&words, number: number)
            return Journal.Draft(.full(item.item.content(item.name)), item.name.key)
        }
        guard let transaction = journal.transaction(.index, drafts, now: now) else {
            throw BenchmarkFailure("items are larger than the limits allow")
        }
        return transaction
    }
}
