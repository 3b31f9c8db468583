import BatonCore
import BatonStore
import Foundation
import Support

extension Benchmark {
    /// Measures opening a store and looking up one item, compared with a store of 1000 items.
    static func open(_ home: NodeHome, _ settings: Settings) throws -> [Figure] {
        let folder = try TemporaryFolder()
        var corpus = IndexCorpus(seed: 12)
        try FilledStore(folder.path).fill(1000, from: &corpus)
        var (large, small): ([Opening], [Opening]) = ([], [])
        for round in 0..<settings.pick(41, quick: 11) {
            large.append(try Opening(home.store, home.account, item: round * 479 % settings.largeItems))
            small.append(try Opening(folder.path, FilledStore.account, item: round * 23 % 1000))
        }
        let ratio = { (value: (Opening) -> Double) in zip(large, small).map { value($0) / value($1) }.median }
        return [
            Figure("opening", large.map(\.seconds).median * 1e6, "µs"),
            Figure("opening ratio", ratio(\.seconds), "×", reach: .atMost(1.5)),
            Figure("opening, bytes read", large.map(\.bytes).median, "bytes"),
            Figure("opening, bytes read, ratio", ratio(\.bytes), "×", reach: .atMost(1.5)),
        ]
    }
}

/// The cost of opening a store, reading its summary, as a node does first, and looking up an item.
private struct Opening {
    let seconds, bytes: Double

    init(_ folder: String, _ account: AccountIdentifier, item: Int) throws {
        let (started, read) = (ContinuousClock.now, try Self.bytesRead())
        let store = try SQLiteStore(folder: folder, account: account)
        use(try store.summary(for: nil))
        let record = try store.record(IndexCorpus.name(item).key.identity)
        seconds = (ContinuousClock.now - started).seconds
        bytes = Double(try Self.bytesRead() - read)
        guard record?.isThere == true else { throw BenchmarkFailure("item \(item) is missing") }
    }

    /// How many bytes this process has read so far, wherever they came from.
    private static func bytesRead() throws -> Int {
        guard
            let line = File.read("/proc/self/io")?.split(separator: "\n").first(where: {
                $0.hasPrefix("rchar:")
            }),
            let bytes = Int(line.dropFirst(7))
        else { throw BenchmarkFailure("the system does not tell how much was read") }
        return bytes
    }
}
