import BatonCore
import Support

extension Benchmark {
    /// How much memory nodes take: with nothing, with all items, while someone searches, and while all is replicated.
    static func remember(_ home: NodeHome, _ settings: Settings) throws -> [Figure] {
        let folder = try TemporaryFolder()
        let empty = try NodeHome(folder.path + "/empty")
        try empty.start()
        try empty.rest()
        let idle = (try empty.memory("VmRSS"), try empty.memory("RssAnon"))
        try empty.stop()

        try home.start()
        try home.rest()
        let rest = try home.memory("VmRSS")
        var corpus = IndexCorpus(seed: 11)
        let words = corpus.words(20)
        // As it is typed, from the whole word back to the first letter: what one search took may not be given back.
        let searches = try [Int.max, 2, 1].map { letters in
            try home.forgetPeak()
            for word in words { use(try home.ask(SearchItems(String(word.prefix(letters)), most: 10))) }
            return try home.memory("VmHWM")
        }

        let joined = try NodeHome(folder.path + "/joined", joining: home)
        try home.forgetPeak()
        try joined.start()
        // More than that only takes longer.
        let enough = min(settings.largeItems, 100_000)
        try eventually("\(enough) items on another node", within: .seconds(600)) {
            PlainDatabase.recordCount(joined.store + "/index.sqlite") >= enough
        }
        let (sending, receiving) = (try home.memory("VmHWM"), try joined.memory("VmHWM"))
        try joined.stop()
        try home.stop()
        return [
            Figure("memory, idle and empty", idle.0, "MiB", reach: .atMost(16)),
            Figure("memory, idle and empty, anonymous", idle.1, "MiB", reach: .atMost(6)),
            Figure("memory at rest with all items", rest, "MiB", reach: .atMost(32)),
            Figure("memory, peak of searches for words", searches[0], "MiB", reach: .atMost(64)),
            Figure("memory, peak, for two letters", searches[1], "MiB", reach: .atMost(64)),
            Figure("memory, peak, for one letter", searches[2], "MiB", reach: .atMost(64)),
            Figure("memory, peak of who is filled", receiving, "MiB", reach: .atMost(64)),
            Figure("memory, peak of who fills another", sending, "MiB", reach: .atMost(64)),
        ]
    }
}
