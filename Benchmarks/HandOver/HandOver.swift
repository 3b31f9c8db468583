import BatonCore
import Support

extension Benchmark {
    static let handOver = Benchmark(
        name: "hand-over",
        what: "one change of an activity, from app to app through two nodes and through two bare relays"
    ) { settings in
        let folder = try TemporaryFolder()
        let rounds = settings.pick(40, quick: 4)
        let nodes = try NodePair(in: folder)
        let times = try HandOverTimes(
            [
                ("bare", try BareFloor.apps(rounds: rounds, in: folder)),
                ("nodes", try nodes.apps(try .activities(), rounds: rounds, in: folder)),
            ], rounds: rounds)
        try nodes.stop()
        return times.figures("hand-over", median: .atMost(1.5), slow: .atMost(2))
    }

    static let handOverBatch = Benchmark(
        name: "hand-over-batch",
        what: "a batch of one item with its client state, from app to app, and bare relays that sync"
    ) { settings in
        let folder = try TemporaryFolder()
        let rounds = settings.pick(40, quick: 4)
        let nodes = try NodePair(in: folder)
        let times = try HandOverTimes(
            [
                ("bare", try BareFloor.apps(keepsForGood: true, rounds: rounds, in: folder)),
                ("nodes", try nodes.apps(try .batches(), rounds: rounds, in: folder)),
            ], rounds: rounds)
        try nodes.stop()
        return times.figures("hand-over batch", median: .atMost(1.5), slow: nil)
    }

    static let handOverUnderLoad = Benchmark(
        name: "hand-over-under-load",
        what: "a change of an activity while 1,000,000 items are synced between the same two nodes"
    ) { settings in
        let folder = try TemporaryFolder()
        var corpus = IndexCorpus(seed: 17)
        // Fewer items would all be sent before both nodes and their apps have connected.
        let items = max(settings.largeItems, 60_000)
        let home = try NodeHome(folder.path + "/large")
        try FilledStore(home.store, account: home.account).fill(items, from: &corpus)
        // More rounds than fit beside the sync.
        let rounds = settings.pick(400, quick: 20)
        let floor = try BareFloor.apps(rounds: rounds, in: folder)
        let nodes = try NodePair(in: folder, first: home)
        let apps = try nodes.apps(try .activities(), rounds: rounds, in: folder)
        let index = nodes.second.store + "/index.sqlite"
        let times = try HandOverTimes([("bare", floor), ("nodes", apps)], rounds: rounds) {
            PlainDatabase.recordCount(index) < items
        }
        let count = times.microseconds["nodes", default: []].count
        guard count > 0 else { throw BenchmarkFailure("all was synced before anything was handed over") }
        try nodes.stop()
        return [Figure("hand-over under load, changes", Double(count), "measured")]
            + times.figures("hand-over under load", median: nil, slow: .atMost(2))
    }
}
