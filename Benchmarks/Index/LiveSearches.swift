import BatonCore
import BatonStore
import Foundation
import Support

extension Benchmark {
    static let liveSearches = Benchmark(
        name: "live-searches",
        what:
            "small writes beside a hundred searches a second and beside a batch, and how soon its words are found"
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
        let items = settings.pick(10_000, quick: 1000)
        let found = try foundWithin(live, folder: folder.path, items: items, from: 1_000_000)
        let replaced = try foundWithin(live, folder: folder.path, items: items, from: 0)
        let besideBatch = try besideBatch(live, items: items, writes: settings.pick(400, quick: 50))
        let ratio = { (writes: [Lane: [Double]], lane: Lane) in
            writes[lane, default: []].median / alone[lane, default: []].median
        }
        return Lane.allCases.flatMap { lane in
            [
                Figure(
                    "live write, \(lane), beside searches", ratio(beside, lane), "× alone", reach: .atMost(2)),
                Figure(
                    "live write, \(lane), beside a batch", ratio(besideBatch, lane), "× alone",
                    reach: .atMost(2)),
            ]
        } + [
            Figure("found after a batch was acknowledged", found, "s", reach: .atMost(2)),
            Figure("found after a batch that replaces items", replaced, "s", reach: .atMost(2)),
        ]
    }

    /// Has a batch of items with numbers from this one on staged and ended; returns once it is acknowledged.
    private static func endBatch(
        of items: Int, from first: Int, with last: Journal.Draft, in live: LiveWriting
    ) throws {
        let number = UInt64(first)
        var corpus = IndexCorpus(seed: 15 + number, from: first)
        let batch = BatchIdentifier(value: 900 + number)
        for start in stride(from: 0, to: items, by: 500) {
            let isLast = start + 500 >= items
            let drafts =
                corpus.drafts(min(500, items - start) - (isLast ? 1 : 0), domain: "batch\(number)")
                + (isLast ? [last] : [])
            _ = try live.store.perform(in: .index) { (store) throws(StoreFailure) in
                try store.stage(drafts, in: batch)
            }
        }
        try live.store.keep(in: .index, durably: true) { journal, now in
            journal.ending(batch, count: items, with: nil, now: now)
        }
    }

    /// Returns how many seconds small writes took while a batch was merged.
    private static func besideBatch(
        _ live: LiveWriting, items: Int, writes: Int
    ) throws -> [Lane: [Double]] {
        try endBatch(of: items, from: 2_000_000, with: named("another"), in: live)
        let settling = NodeSettling(live)
        let background = Background { try settling.goOn() }
        let result = Result {
            try live.write(writes, while: { background.goesOn }, telling: settling.noteWrite)
        }
        try background.stop()
        return try result.get()
    }

    /// Returns the seconds from the acknowledgement of a batch of items, with numbers from this one on, until its last item
    /// is found.
    private static func foundWithin(
        _ live: LiveWriting, folder: String, items: Int, from first: Int
    ) throws -> Double {
        let word = "zyzzyvaesque\(first)"
        try endBatch(of: items, from: first, with: named(word), in: live)
        let (acknowledged, settling) = (ContinuousClock.now, NodeSettling(live))
        while try settling.goOn() {}
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

/// Merges the batches that have ended, in the steps and with the pauses of a node.
///
/// Sendable because its state is only touched while the lock is held.
private final class NodeSettling: @unchecked Sendable {
    private let live: LiveWriting
    private let lock = NSLock()
    private var settling = Settling(Limits())
    private let begun = ContinuousClock.now

    init(_ live: LiveWriting) {
        self.live = live
        settling.begin(.index, at: now)
    }

    private var now: Instant { Instant(nanoseconds: 0) + (ContinuousClock.now - begun) }

    func noteWrite(in lane: Lane) { lock.withLock { settling.noteWrite(in: lane) } }

    /// Does the next step, or waits for it; returns false once nothing is left.
    func goOn() throws -> Bool {
        let (effect, deadline) = lock.withLock { (settling.nextEffect(), settling.deadline) }
        if case .settle(let lane, let most)? = effect {
            let commit = try live.store.perform(in: lane) { (store) throws(StoreFailure) in
                try store.settle(most: most)
            }.value
            lock.withLock { settling.handleCommit(commit, in: lane, at: now) }
            return true
        }
        guard let deadline else { return false }
        let pause = deadline.since(now)
        if pause > .zero { usleep(UInt32(pause / .microseconds(1))) }
        lock.withLock { settling.handleDeadline(at: now) }
        return true
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
