import BatonCore
import BatonStore
import Support

extension Benchmark {
    /// How long the first fill takes: transactions of a device's own, against the same rows by SQLite and nothing else.
    static func fill(_ count: Int, in home: NodeHome, beside folder: String) throws -> [Figure] {
        var corpus = IndexCorpus(seed: 11)
        let filled = try FilledStore(home.store, account: home.account)
        let plain = try PlainDatabase(path: folder + "/plain.sqlite", like: filled.indexPath)
        var plainJournal = Journal(life: Life(high: 1, low: 2), latest: .zero)
        var (store, floor) = (Spent(), Spent())
        var toldBytes = 0
        for number in 0..<count / FilledStore.transactionItems {
            let drafts = corpus.drafts(FilledStore.transactionItems)
            let rows = try PlainRows(drafts, &plainJournal, now: filled.now)
            toldBytes += rows.toldBytes
            // Each goes first as often as the other.
            let turns = [
                { try store.add { use(try filled.store.commit(try filled.transaction(drafts))) } },
                { try floor.add { try plain.write(rows) } },
            ]
            for turn in number % 2 == 0 ? turns : turns.reversed() { try turn() }
        }
        return [
            Figure("fill", Double(count) / store.seconds, "items a second"),
            Figure("fill plain", Double(count) / floor.seconds, "items a second"),
            Figure("fill ratio", store.seconds / floor.seconds, "×", reach: .atMost(1.5)),
            Figure("fill ratio, processor alone", store.processor / floor.processor, "×"),
            Figure(
                "index on the disk", Double(filled.indexBytes) / Double(toldBytes), "× raw bytes",
                reach: .atMost(2.2)),
            Figure(
                "index on the disk, ratio", Double(filled.indexBytes) / Double(plain.byteCount), "× of plain",
                reach: .atMost(1.2)),
        ]
    }

    /// How long the same takes as one batch that an app stages piece by piece.
    static func fillStaged(_ count: Int, in folder: String) throws -> [Figure] {
        let folder = folder + "/staged"
        try makeFolder(folder)
        let filled = try FilledStore(folder)
        var corpus = IndexCorpus(seed: 11)
        var (staging, ending, merging) = (Spent(), Spent(), Spent())
        let batch = BatchIdentifier(value: 1)
        for _ in 0..<count / pieceItems {
            let drafts = corpus.drafts(pieceItems)
            try staging.add { try filled.store.stage(drafts, in: batch) }
        }
        let staged = count / pieceItems * pieceItems
        try ending.add { use(try filled.store.commit(try filled.ending(batch, count: staged))) }
        try merging.add { try filled.settle(most: 1000) }
        return [
            Figure(
                "staged fill, until acknowledged", Double(staged) / (staging.seconds + ending.seconds),
                "items a second"),
            Figure("staged fill, its end alone", ending.seconds * 1000, "ms"),
            Figure("staged fill, merged afterwards", Double(staged) / merging.seconds, "items a second"),
        ]
    }

    /// How many items a piece has: fewer bytes than a frame may have.
    private static let pieceItems = 2000
}

/// The total time of several pieces of work.
struct Spent {
    private(set) var seconds = 0.0, processor = 0.0

    mutating func add(_ work: () throws -> Void) rethrows {
        let (started, processorStarted) = (ContinuousClock.now, processorSeconds())
        try work()
        seconds += (ContinuousClock.now - started).seconds
        processor += processorSeconds() - processorStarted
    }
}
