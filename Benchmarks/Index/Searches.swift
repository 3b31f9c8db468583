import BatonCore
import BatonStore
import CSQLite
import Support

extension Benchmark {
    static let search = Benchmark(
        name: "search",
        what: "the ten best items as a person types, against the same words in bare FTS5, ranked by bm25"
    ) { settings in
        let folder = try TemporaryFolder()
        let filled = try FilledStore(folder.path)
        var corpus = IndexCorpus(seed: 11)
        try filled.fill(settings.largeItems, from: &corpus)
        try filled.settle(most: 5000)
        let reader = try SearchReader(folder: folder.path, stop: SearchStop())
        let bare = try BareSearch(filled.indexPath)
        let now = filled.now
        // The first search for a letter reads the newest items.
        let letter = String(corpus.words(1)[0].prefix(1))
        let first = try milliseconds { use(try reader.find(letter, most: 10, at: now)) }
        var figures = [Figure("search, the first one", first, "ms")]
        for (name, queries) in typed(&corpus) {
            var (own, others) = ([Double](), [Double]())
            for (number, query) in queries.enumerated() {
                own.append(try milliseconds { use(try reader.find(query, most: 10, at: now)) })
                // Bare FTS5 takes a second for one letter.
                if number < 20 { others.append(try milliseconds { use(try bare.find(query)) }) }
            }
            figures += [
                Figure("search, \(name), median", own.median, "ms"),
                Figure(
                    "search, \(name), 99th", own.percentile(99), "ms", reach: .atMost(50)),
                Figure(
                    "search, \(name), median ratio",
                    // Both are of the same queries: one text has many more matches than another.
                    Array(own.prefix(others.count)).median / others.median, "× of bare",
                    reach: .atMost(1.3)),
            ]
        }
        return figures
    }

    static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let started = ContinuousClock.now
        try body()
        return (ContinuousClock.now - started).nanoseconds / 1e6
    }

    /// Texts as they are typed, by what they have in common.
    static func typed(_ corpus: inout IndexCorpus) -> [(name: String, queries: [String])] {
        let words = corpus.words(2000).filter { $0.count > 4 }
        let frequent = Dictionary(grouping: words, by: \.self)
            .sorted { ($0.value.count, $0.key) > ($1.value.count, $1.key) }.map(\.key)
        let count = 100
        let beginnings = { (letters: Int) in words.prefix(count).map { String($0.prefix(letters)) } }
        let several = { (words: ArraySlice<String>, number: Int) in
            (0..<count).map { first in
                (0..<number).map { words[words.startIndex + (first * number + $0) % words.count] }
                    .joined(separator: " ")
            }
        }
        return [
            ("one letter", beginnings(1)), ("two letters", beginnings(2)), ("three letters", beginnings(3)),
            ("a word", several(words[...], 1)), ("two words", several(words[...], 2)),
            ("three words", several(words[...], 3)),
            ("a frequent word", several(frequent.prefix(20), 1).map { $0 + " " }),
            ("two frequent words", several(frequent.prefix(20), 2).map { $0 + " " }),
        ]
    }
}

/// The full-text table of a store, searched by SQLite alone.
final class BareSearch {
    private let connection: OpaquePointer
    private let query: OpaquePointer

    init(_ path: String) throws {
        var (opened, prepared): (OpaquePointer?, OpaquePointer?)
        guard sqlite3_open_v2(path, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
            let opened, addTokenizer(to: opened) == SQLITE_OK
        else { throw BenchmarkFailure("can't open \(path)") }
        connection = opened
        let text = """
            SELECT rowid FROM search WHERE search MATCH ? ORDER BY bm25(search, 8, 5, 4, 2, 1) LIMIT 10
            """
        guard sqlite3_prepare_v2(opened, text, -1, &prepared, nil) == SQLITE_OK, let prepared else {
            throw BenchmarkFailure("can't prepare a search")
        }
        query = prepared
    }

    deinit {
        sqlite3_finalize(query)
        sqlite3_close_v2(connection)
    }

    /// Returns the identifiers of all items, by the numbers of their rows.
    func names() throws -> [Int64: String] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let text = "SELECT number, name FROM records WHERE kind = 9"
        guard sqlite3_prepare_v2(connection, text, -1, &statement, nil) == SQLITE_OK else {
            throw BenchmarkFailure("can't read the records")
        }
        var names: [Int64: String] = [:]
        while sqlite3_step(statement) == SQLITE_ROW {
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, 1), count: Int(sqlite3_column_bytes(statement, 1)))
            let key = RecordKey(kind: .item, name: Array(bytes))
            names[sqlite3_column_int64(statement, 0)] = try ItemName(key).identifier
        }
        return names
    }

    /// Returns the rows of the ten best matches.
    func find(_ text: String) throws -> [Int64] {
        let words = Phrase.all(of: text).map(\.expression).joined(separator: " AND ")
        sqlite3_reset(query)
        sqlite3_bind_text(query, 1, words, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        var (rows, code) = ([Int64](), sqlite3_step(query))
        while code == SQLITE_ROW {
            rows.append(sqlite3_column_int64(query, 0))
            code = sqlite3_step(query)
        }
        guard code == SQLITE_DONE else { throw BenchmarkFailure("bare FTS5 could not search for \(words)") }
        return rows
    }
}
