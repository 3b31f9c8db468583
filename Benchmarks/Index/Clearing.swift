import BatonCore
import BatonStore
import Support

extension Benchmark {
    static let clearing = Benchmark(
        name: "clearing",
        what: "clears of large domains, against those of small ones, and who waits meanwhile"
    ) { settings in
        let folder = try TemporaryFolder()
        let large = settings.pick(100_000, quick: 5000)
        let indexPath = try fill(folder.path, large)
        let live = LiveWriting(try LiveStore(folder.path), IndexCorpus(seed: 16))
        defer { live.store.finish() }
        let alone = try live.write(settings.pick(500, quick: 100))
        // Until one is swept, the next clear of a domain finds as much as the first one did.
        let clears = try (0..<21).map { _ in (small: try live.clear("small"), large: try live.clear("large"))
        }
        let (sweeping, waiting) = try live.sweep()
        return [
            Figure("clear of \(large) items", clears.map(\.large).median * 1000, "ms"),
            Figure(
                "clear, ratio to one of 1000", clears.map { $0.large / $0.small }.median, "×",
                reach: .atMost(1.5)),
            Figure("clear, until the space is free", sweeping, "s"),
            Figure(
                "clear, space that is free then", try PlainDatabase.freePercent(indexPath), "% of all"),
        ]
            + [Lane.activities, .index].flatMap { lane in
                let (waits, floor) = (waiting[lane, default: []], alone[lane, default: []])
                return [
                    Figure("live write, \(lane), while swept, longest", (waits.max() ?? .nan) * 1000, "ms"),
                    Figure("live write, \(lane), while swept, 99th", waits.percentile(99) * 1000, "ms"),
                    Figure("live write, \(lane), alone, longest", (floor.max() ?? .nan) * 1000, "ms"),
                    Figure("live write, \(lane), alone, 99th", floor.percentile(99) * 1000, "ms"),
                ]
            }
    }

    /// Fills a large domain and a small one; answers where the index is.
    private static func fill(_ folder: String, _ large: Int) throws -> String {
        let filled = try FilledStore(folder)
        var corpus = IndexCorpus(seed: 15)
        try filled.fill(large, from: &corpus, domain: "large")
        try filled.fill(1000, from: &corpus, domain: "small")
        return filled.indexPath
    }

    /// How many records one step of sweeping looks at, so that a live write waits for few.
    fileprivate static let sweptAtOnce = 25
}

extension LiveWriting {
    /// Clears a domain; answers how many seconds that took until it was kept.
    fileprivate func clear(_ domain: String) throws -> Double {
        let scope = Scope.items(app: IndexCorpus.app, index: "main", domain: domain)
        return try keep(
            [Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))], in: .index
        ).seconds
    }

    /// Sweeps all that is cleared, step by step; answers how many seconds that took, and how long live writes waited.
    fileprivate func sweep() throws -> (seconds: Double, waits: [Lane: [Double]]) {
        let started = ContinuousClock.now
        var ended = started
        let store = store
        let background = Background {
            let commit = try store.perform(in: .index) { (store) throws(StoreFailure) in
                try store.settle(most: Benchmark.sweptAtOnce)
            }
            ended = .now
            return commit.value != nil
        }
        let waits = Result { try write(.max) { background.goesOn } }
        try background.stop()
        return ((ended - started).seconds, try waits.get())
    }
}
