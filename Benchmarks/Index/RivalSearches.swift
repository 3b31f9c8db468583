import BatonCore
import BatonStore
import Foundation
import Support

extension Benchmark {
    static let rivalSearches = Benchmark(
        name: "rival-searches",
        what: "the ten best of the same items as a person types, against Xapian and recoll"
    ) { settings in
        let folder = try TemporaryFolder()
        let count = min(settings.largeItems, 100_000)
        var corpus = IndexCorpus(seed: 11)
        let filled = try FilledStore(folder.path)
        var items: [String] = []
        for start in stride(from: 0, to: count, by: FilledStore.transactionItems) {
            let drafts = corpus.drafts(min(FilledStore.transactionItems, count - start))
            let transaction = try filled.transaction(drafts)
            items += transaction.writes.map { line(Record($0)) }
            use(try filled.store.commit(transaction))
        }
        try filled.settle(most: 5000)
        let typed = typed(&corpus).map { (name: $0.name, queries: Array($0.queries.prefix(20))) }
        let queries = typed.flatMap { kind in kind.queries.map { "\(kind.name)\t\($0)" } }
        for (name, lines) in [("items", items), ("queries", queries)] {
            try Data((lines.joined(separator: "\n") + "\n").utf8)
                .write(to: URL(fileURLWithPath: folder.path + "/\(name).tsv"))
        }
        let reader = try SearchReader(folder: folder.path, stop: SearchStop())
        // The first search reads the newest items.
        use(try reader.find("a", most: 10, at: filled.now))
        let rivals = try rivals(in: folder.path)
        let bare = try BareSearch(filled.indexPath)
        return try typed.flatMap { kind in
            let own = try kind.queries.map { query in
                try milliseconds { use(try reader.find(query, most: 10, at: filled.now)) }
            }
            // The store can't be faster than what SQLite needs alone, where it has to ask SQLite.
            let sqlite = try kind.queries.map { query in try milliseconds { use(try bare.find(query)) } }
            return ["Xapian", "recoll"].flatMap { rival in
                let theirs = rivals["\(rival) \(kind.name)", default: []].median
                return [
                    Figure(
                        "search, \(kind.name), against \(rival)", own.median / theirs, "× its median",
                        reach: .atMost(1)),
                    Figure(
                        "bare FTS5, \(kind.name), against \(rival)", sqlite.median / theirs, "× its median"),
                ]
            }
        }
    }

    /// A line with the name of an item, its title, and its other texts.
    private static func line(_ record: Record) -> String {
        guard let texts = SearchText(record)?.texts, let name = ItemName(record) else { return "" }
        let clean = texts.map { text in
            String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        }
        return [name.identifier, clean.first ?? "", clean.dropFirst().joined(separator: " ")]
            .joined(separator: "\t")
    }

    /// Returns the milliseconds that the other programs took, by their names and the kinds of queries.
    private static func rivals(in folder: String) throws -> [String: [Double]] {
        var times: [String: [Double]] = [:]
        for line in try python("search_rivals.py", folder).split(separator: "\n") {
            let parts = line.split(separator: "\t").map(String.init)
            guard parts.count == 3, let milliseconds = Double(parts[2]) else {
                throw BenchmarkFailure("search_rivals.py printed “\(line)”")
            }
            let kind = parts[1].split(separator: "_").joined(separator: " ")
            times["\(parts[0]) \(kind)", default: []].append(milliseconds)
        }
        return times
    }
}
