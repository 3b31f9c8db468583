import BatonCore
import BatonStore
import Foundation
import Support

extension Benchmark {
    static let liveSearches = Benchmark(
        name: "live-searches",
        what: "small writes beside a hundred searches a second, and how soon the words of a batch are found"
    ) { settings in
        let folder = try TemporaryFolder()
        var corpus = IndexCorpus(seed: 13)
        let live = try LiveWriting.filled(folder, from: &corpus, settings)
        defer { live.store.finish() }
        var (alone, beside) = ([Lane: [Double]](), [Lane: [Double]]())
        for _ in 0..<settings.pick(5, quick: 2) {
            let writes = settings.pick(200, quick: 50)
            alone.merge(try live.write(writes)) { $0 + $1 }
            let searching = Searching(folder.path, words: corpus.words(200))
            let background = Background { try searching.goOn() }
            let result = Result { try live.write(writes) }
            try background.stop()
            beside.merge(try result.get()) { $0 + $1 }
        }
        let found = try foundWithin(live, folder: folder.path, items: settings.pick(10_000, quick: 1000))
        return Lane.allCases.map { lane in
            Figure(
                "live write, \(lane), beside searches",
                beside[lane, default: []].median / alone[lane, default: []].median, "× alone",
                reach: .atMost(2))
        } + [Figure("found after a batch was acknowledged", found, "s", reach: .atMost(2))]
    }

    /// Returns the seconds from the acknowledgement of a batch until its last item is found.
    private static func foundWithin(_ live: LiveWriting, folder: String, items: Int) throws -> Double {
        var corpus = IndexCorpus(seed: 15)
        let (batch, word) = (BatchIdentifier(value: 900), "zyzzyvaesque")
        for start in stride(from: 0, to: items, by: 500) {
            var drafts = corpus.drafts(min(500, items - start - 1), domain: "batch")
            if start + 500 >= items { drafts.append(named(word)) }
            _ = try live.store.perform(in: .index) { [drafts] (store) throws(StoreFailure) in
                try store.stage(drafts, in: batch)
            }
        }
        try live.store.keep(in: .index, durably: true) { journal, now in
            journal.ending(batch, count: items, with: nil, now: now)
        }
        let (acknowledged, step) = (ContinuousClock.now, Limits().settledRecords)
        var isDone = false
        while !isDone {
            isDone = try live.store.perform(in: .index) { (store) throws(StoreFailure) in
                guard try store.settle(most: step) == nil else { return false }
                return try (store as? SQLiteLane)?.fillSearch() ?? true
            }.value
        }
        let reader = try SearchReader(folder: folder, stop: SearchStop())
        let now = WallTime(milliseconds: 1_800_000_000_000)
        guard try reader.find(word, most: 1, at: now).things.count == 1 else {
            throw BenchmarkFailure("a batch was merged, and its words are not found")
        }
        return (ContinuousClock.now - acknowledged).seconds
    }

    /// An item with a title that no other has.
    private static func named(_ title: String) -> Journal.Draft {
        var item = Item()
        item.attributes[.title] = .plain(.string(title))
        let name = ItemName(app: IndexCorpus.app, index: "main", identifier: title)
        return Journal.Draft(.full(item.content(name)), name.key)
    }
}

/// A person who types on a thread of their own: a hundred searches a second.
private final class Searching {
    private let folder: String
    private let words: [String]
    /// The reader belongs to the thread that makes it.
    private var reader: SearchReader?
    private var count = 0
    private var next = ContinuousClock.now

    init(_ folder: String, words: [String]) { (self.folder, self.words) = (folder, words) }

    /// Waits for the time of the next search, and searches.
    func goOn() throws -> Bool {
        let reader = if let reader { reader } else { try SearchReader(folder: folder, stop: SearchStop()) }
        self.reader = reader
        let pause = next - ContinuousClock.now
        if pause > .zero { usleep(UInt32(pause / .microseconds(1))) }
        next = max(next, .now) + .milliseconds(10)
        let word = words[count / 4 % words.count]
        use(
            try reader.find(
                String(word.prefix(count % 4 + 1)), most: 10, at: WallTime(milliseconds: 1_800_000_000_000)))
        count += 1
        return true
    }
}
