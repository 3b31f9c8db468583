import BatonCore
import Foundation
import Support

extension Benchmark {
    static let firstSync = Benchmark(
        name: "first-sync",
        what: "a new node takes 1,000,000 items of another, against plain SQLite that writes the same rows"
    ) { settings in
        let folder = try TemporaryFolder()
        let home = try NodeHome(folder.path + "/large")
        let floor = try fillBeside(home, settings.largeItems, in: folder.path)
        try home.start()
        let joined = try NodeHome(folder.path + "/joined", joining: home)
        let index = joined.store + "/index.sqlite"
        let before = try ProcessCost(of: home.process)
        let started = ContinuousClock.now
        try joined.start()
        try eventually("\(settings.largeItems) items on another node", within: .seconds(3600)) {
            usleep(20_000)
            return PlainDatabase.recordCount(index) >= settings.largeItems
        }
        let seconds = (ContinuousClock.now - started).seconds
        let crossed = try bytesCrossed(home)
        let sending = try ProcessCost(of: home.process) - before
        let receiving = try ProcessCost(of: joined.process)
        try eventually("two nodes in step", within: .seconds(600)) {
            usleep(20_000)
            return try joined.status.peers.allSatisfy(\.isInStep)
        }
        let inStep = (ContinuousClock.now - started).seconds
        try joined.stop()
        try home.stop()
        let count = Double(settings.largeItems)
        return [
            Figure("first sync", count / seconds, "items a second"),
            Figure("first sync, plain", count / floor.spent.seconds, "items a second"),
            Figure("first sync, ratio", seconds / floor.spent.seconds, "× of plain", reach: .atMost(1.5)),
            Figure("first sync, until in step", inStep / floor.spent.seconds, "× of plain"),
            Figure(
                "first sync, processor, receiving", receiving.processor / floor.spent.processor, "× of plain"),
            Figure("first sync, processor, sending", sending.processor / floor.spent.processor, "× of plain"),
            Figure("first sync, on the wire", crossed / Double(floor.rawBytes), "× raw bytes"),
        ]
    }

    /// Fills the store of a home, and plain SQLite with the same rows; what the latter took, and how much it was.
    private static func fillBeside(
        _ home: NodeHome, _ count: Int, in folder: String
    ) throws -> (spent: Spent, rawBytes: Int) {
        var corpus = IndexCorpus(seed: 11)
        let filled = try FilledStore(home.store, account: home.account)
        let plain = try PlainDatabase(path: folder + "/plain.sqlite", like: filled.indexPath)
        var journal = Journal(life: Life(high: 1, low: 2), latest: .zero)
        var (spent, rawBytes) = (Spent(), 0)
        for _ in 0..<count / FilledStore.transactionItems {
            let drafts = corpus.drafts(FilledStore.transactionItems)
            let rows = try PlainRows(drafts, &journal, now: filled.now)
            rawBytes += rows.toldBytes
            use(try filled.store.commit(try filled.transaction(drafts)))
            try spent.add { try plain.write(rows) }
        }
        return (spent, rawBytes)
    }

    /// How many bytes crossed the connections of a node's port, both ways, by what the system counted.
    private static func bytesCrossed(_ home: NodeHome) throws -> Double {
        guard let port = try home.status.listening.split(separator: ":").last else {
            throw BenchmarkFailure("the node does not listen")
        }
        let words = ["ss", "-tiHnO", "state", "established", "sport", "=", ":\(port)"]
        let files = home.store + "/../connections"
        let lister = try ChildProcess(
            words, environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"], files: files)
        guard try lister.wait() == 0 else { throw BenchmarkFailure("ss: \(lister.errors)") }
        let counts = lister.output.split(whereSeparator: \.isWhitespace).compactMap { word -> Double? in
            let parts = word.split(separator: ":")
            guard parts.count == 2, ["bytes_sent", "bytes_received"].contains(parts[0]) else { return nil }
            return Double(parts[1])
        }
        guard !counts.isEmpty else { throw BenchmarkFailure("ss tells of no connection: \(lister.output)") }
        return counts.reduce(0, +)
    }
}
