import BatonCore
import BatonStore
import Foundation
import Support

extension Benchmark {
    static let ranking = Benchmark(
        name: "ranking",
        what: "Debian's packages, found by words of their programs' manual pages, against bm25 and Xapian"
    ) { settings in
        let folder = try TemporaryFolder()
        try python("ranking_corpus.py", folder.path)
        let queries = try lines(of: folder.path + "/queries.tsv")
        // Images of systems often leave out manual pages.
        guard queries.count > 50 else {
            return [Figure("ranking, queries", Double(queries.count), "queries; too few manual pages here")]
        }
        let filled = try FilledStore(folder.path)
        var items = try lines(of: folder.path + "/items.tsv")
        items = Array(items.prefix(settings.pick(.max, quick: 2000)))
        for first in stride(from: 0, to: items.count, by: FilledStore.transactionItems) {
            let part = items[first..<min(first + FilledStore.transactionItems, items.count)]
            use(try filled.store.commit(try filled.transaction(part.map(draft))))
        }
        let reader = try SearchReader(folder: folder.path, stop: SearchStop())
        let bare = try BareSearch(filled.indexPath)
        let numbers = try bare.names()
        let ours = try queries.map { query in
            try reader.find(query[0] + " ", most: 10, at: filled.now).things.compactMap(
                \.thing.item?.identifier)
        }
        let others = try queries.map { query in try bare.find(query[0] + " ").map { numbers[$0] ?? "" } }
        let places = { (found: [[String]]) in
            zip(found, queries).map { names, query in (names.firstIndex(of: query[1]) ?? -1) + 1 }
        }
        let xapian = try python("ranking_xapian.py", folder.path).split(separator: "\n").map { Int($0) ?? 0 }
        // Weights may be chosen by the other half, with TUNE=1.
        return figures(held(places(ours)), held(places(others)), held(xapian))
    }

    private static func figures(_ ours: [Int], _ bare: [Int], _ xapian: [Int]) -> [Figure] {
        [
            Figure("ranking, queries", Double(ours.count), "queries"),
            Figure("ranking, reciprocal rank", reciprocal(ours), "of 1"),
            Figure("ranking, nDCG@10", gain(ours), "of 1"),
            Figure("ranking, nDCG@10, bm25", gain(bare), "of 1"),
            Figure("ranking, nDCG@10 over bm25", gain(ours) / gain(bare), "times", reach: .atLeast(1)),
            Figure("ranking, nDCG@10, Xapian", gain(xapian), "of 1"),
            Figure("ranking, nDCG@10 over Xapian", gain(ours) / gain(xapian), "times", reach: .atLeast(1)),
        ]
    }

    /// The places for the queries that are held out.
    private static func held(_ places: [Int]) -> [Int] {
        let isChosen = ProcessInfo.processInfo.environment["TUNE"] == "1"
        return places.indices.filter { ($0 % 2 == 0) == isChosen }.map { places[$0] }
    }

    private static func reciprocal(_ places: [Int]) -> Double {
        places.reduce(0) { $0 + ($1 > 0 ? 1 / Double($1) : 0) } / Double(places.count)
    }

    /// The normalized discounted cumulative gain, where each query has one answer.
    private static func gain(_ places: [Int]) -> Double {
        places.reduce(0) { $0 + ($1 > 0 ? 1 / log2(Double($1) + 1) : 0) } / Double(places.count)
    }

    private static func draft(_ columns: [String]) -> Journal.Draft {
        var item = Item()
        item.attributes[.title] = .plain(.string(columns[0]))
        item.attributes[.contentDescription] = .plain(.string(columns[1]))
        item.attributes[.textContent] = .plain(.string(columns[2]))
        let name = ItemName(app: "org.debian.packages", index: "main", identifier: columns[0])
        return Journal.Draft(.full(item.content(name)), name.key)
    }

    private static func lines(of path: String) throws -> [[String]] {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
            .split(separator: "\n").map { line in
                line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
    }

    /// Runs one of the programs in Debian's Python, which has Debian's modules.
    @discardableResult
    static func python(_ program: String, _ folder: String) throws -> String {
        let words = ["/usr/bin/python3", "-B", "Benchmarks/Python/\(program)", folder]
        let child = try ChildProcess(
            words, environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"],
            files: folder + "/\(program).out")
        // recoll takes minutes for a hundred thousand files.
        guard try child.wait(within: .seconds(900)) == 0 else {
            throw BenchmarkFailure("\(program): \(child.errors)")
        }
        return child.output
    }
}
