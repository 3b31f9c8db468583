/// One thing that is measured, under a name that `make bench ONLY=` takes.
struct Benchmark: Sendable {
    let name: String
    /// A description of the measurement, in half a line.
    let what: String
    let run: @Sendable (Settings) throws -> [Figure]

    /// All of them, in the order in which they run.
    static let all: [Benchmark] = [
        .activityEncode, .activityDecode, .itemEncode, .itemDecode, .merge, .wireOverhead, .reconnect,
        .catchUp,
        .worlds, .index, .search, .rivalSearches, .queries, .ranking, .rankingByUse, .liveSearches, .clearing,
        .liveWrites,
        .library, .entityQueries, .entityIndexing, .handshakes, .bulk, .idleConnections, .flood,
        .handOver, .handOverBatch,
        .handOverUnderLoad, .rivals, .stream, .path, .firstSync, .idleNode,
        .joinByCode, .renumbered, .idleWakeUps, .suggestions,
    ]
}

/// Why a benchmark can't be run.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// How long and how carefully to measure.
struct Settings: Sendable {
    /// Whether only to see that each benchmark runs, and roughly what comes out.
    let isQuick: Bool
    /// How many items a large index has, where that was asked for.
    var largeIndex: Int?

    /// How many items a large index has.
    var largeItems: Int { largeIndex ?? pick(1_000_000, quick: 20_000) }

    /// One of two numbers, the second where it must be quick.
    func pick<Number>(_ usual: Number, quick: Number) -> Number { isQuick ? quick : usual }
}
