import BatonCore
import BatonStore
import Support

extension Benchmark {
    static let liveWrites = Benchmark(
        name: "live-writes",
        what: "how long small writes take while an index is filled, against the same with nothing beside them"
    ) { settings in
        let folder = try TemporaryFolder()
        var corpus = IndexCorpus(seed: 13)
        let live = try LiveWriting.filled(folder, from: &corpus, settings)
        defer { live.store.finish() }
        var fills = settings.pick([10, 25, 50], quick: [stepSize]).map { BackgroundFill(step: $0, corpus) }
        var alone: [Lane: [Double]] = [:]
        for _ in 0..<settings.pick(10, quick: 3) {
            let count = settings.pick(100, quick: 50)
            alone.merge(try live.write(count)) { $0 + $1 }
            for place in fills.indices { try fills[place].go(beside: live, writes: count) }
        }
        return alone.figures("live write alone") + fills.flatMap { $0.figures(alone) }
    }

    /// How many items are staged or merged at once so that a live write in the index waits no longer than it may.
    ///
    /// It is what a node settles in one step.
    fileprivate static let stepSize = Limits().settledRecords
}

extension [Lane: [Double]] {
    fileprivate func figures(_ name: String) -> [Figure] {
        sorted { $0.key < $1.key }.flatMap { lane, seconds in
            [
                Figure("\(name), \(lane), median", seconds.median * 1000, "ms"),
                Figure("\(name), \(lane), 99th", seconds.percentile(99) * 1000, "ms"),
            ]
        }
    }
}

/// A fill by batches, which are staged and merged by so many items, and how live writes did beside it.
private struct BackgroundFill {
    let step: Int
    private var corpus: IndexCorpus
    private var (items, time) = (0, 0.0)
    private var seconds: [Lane: [Double]] = [:]

    init(step: Int, _ corpus: IndexCorpus) { (self.step, self.corpus) = (step, corpus) }

    mutating func go(beside live: LiveWriting, writes: Int) throws {
        let indexing = Indexing(live, corpus, step: step)
        let started = ContinuousClock.now
        let background = Background { try indexing.goOn() }
        let result = Result { try live.write(writes) }
        try background.stop()
        time += (ContinuousClock.now - started).seconds
        items += indexing.count
        corpus = indexing.corpus
        try indexing.end()
        seconds.merge(try result.get()) { $0 + $1 }
    }

    func figures(_ alone: [Lane: [Double]]) -> [Figure] {
        let isChosen = step == Benchmark.stepSize
        return [Figure("fill by \(step) beside live writes", Double(items) / time, "items a second")]
            + seconds.sorted { $0.key < $1.key }.flatMap { lane, seconds in
                let floor = alone[lane, default: []]
                return [
                    Figure("live write, \(lane), fill by \(step), 99th", seconds.percentile(99) * 1000, "ms"),
                    Figure(
                        "live write, \(lane), fill by \(step), 99th ratio",
                        seconds.percentile(99) / floor.percentile(99), "×",
                        reach: isChosen ? .atMost(5) : nil),
                ]
            }
    }
}

/// An app that indexes batch after batch, on a thread of its own.
private final class Indexing {
    private let live: LiveWriting
    private let step: Int
    private(set) var corpus: IndexCorpus
    /// How many items were merged.
    private(set) var count = 0
    private var batch = BatchIdentifier(value: 1)
    private var staged = 0
    /// How many items a batch has: more than are merged together with its end.
    private let batchItems = 2000

    init(_ live: LiveWriting, _ corpus: IndexCorpus, step: Int) {
        (self.live, self.corpus, self.step) = (live, corpus, step)
    }

    /// Has the next piece staged or merged.
    func goOn() throws -> Bool {
        if staged < batchItems {
            let (drafts, batch) = (corpus.drafts(step), batch)
            staged += step
            _ = try live.store.perform(in: .index) { (store) throws(StoreFailure) in
                try store.stage(drafts, in: batch)
            }
            if staged >= batchItems { try endBatch() }
        } else {
            let commit = try live.store.perform(in: .index) { [step] (store) throws(StoreFailure) in
                try store.settle(most: step)
            }
            if commit.value == nil { staged = 0 } else { count += step }
        }
        return true
    }

    private func endBatch() throws {
        try live.store.keep(in: .index, durably: true) { journal, now in
            journal.ending(batch, count: staged, with: nil, now: now)
        }
        batch = BatchIdentifier(value: batch.value + 1)
    }

    /// Merges what was staged by now.
    func end() throws {
        if staged > 0, staged < batchItems { try endBatch() }
        while staged > 0 {
            staged = max(staged, batchItems)
            _ = try goOn()
        }
    }
}
