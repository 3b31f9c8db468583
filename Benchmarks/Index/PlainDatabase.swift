import BatonCore
import BatonStore
import CSQLite

/// The baseline for the store: the same rows in the same tables, written by SQLite alone.
///
/// The tables and their indexes are copied from a database of the store, the tokenizer is the same one. Nothing is
/// merged, looked up, checked or summed, and SQLite writes its files itself.
final class PlainDatabase {
    private let connection: OpaquePointer
    private let path: String
    private var record: OpaquePointer?
    private var words: OpaquePointer?
    private var count: OpaquePointer?
    private var rowCount: Int64 = 0

    /// Makes a database with the tables that another one has, and the settings of a store.
    init(path: String, like other: String) throws {
        var opened: OpaquePointer?
        guard
            sqlite3_open_v2(
                path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
                == SQLITE_OK, let opened
        else { throw BenchmarkFailure("can't open \(path)") }
        (connection, self.path) = (opened, path)
        try demand(addTokenizer(to: connection))
        try script(
            """
            PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY;
            """)
        for table in try Self.tables(of: other) { try script(table) }
        record = try prepare(
            """
            INSERT INTO records (number, kind, hash, name, arrival, life, sequence, place, time, time_life, action,
                scope, fields)
            VALUES (?1, 9, ?2, ?3, ?1, 1, ?4, ?5, ?6, 1, 0, ?7, ?8)
            """)
        words = try prepare(
            "INSERT INTO search (rowid, title, names, keywords, description, body) VALUES (?, ?, ?, ?, ?, ?)")
        count = try prepare(
            """
            INSERT INTO words (word, items, level) VALUES (?1, ?2, 1)
            ON CONFLICT DO UPDATE SET items = items + ?2
            """)
    }

    /// How many bytes it has on the disk.
    var byteCount: Int { FilledStore.bytes(ofDatabase: path) }

    deinit {
        for statement in [record, words, count] { sqlite3_finalize(statement) }
        sqlite3_close_v2(connection)
    }

    /// Writes rows in one transaction: those of the tables, then those for the words, as it is quickest.
    func write(_ rows: PlainRows) throws {
        try script("BEGIN IMMEDIATE")
        try rows.bytes.withUnsafeBytes { bytes in
            var number = rowCount
            for row in rows.rows {
                number += 1
                sqlite3_bind_int64(record, 1, number)
                bind(record, 2, bytes, row.hash)
                bind(record, 3, bytes, row.name)
                sqlite3_bind_int64(record, 4, row.sequence)
                sqlite3_bind_int64(record, 5, row.place)
                sqlite3_bind_int64(record, 6, row.time)
                bind(record, 7, bytes, row.scope)
                bind(record, 8, bytes, row.fields)
                try step(record)
            }
            number = rowCount
            for row in rows.rows {
                number += 1
                sqlite3_bind_int64(words, 1, number)
                for (place, text) in row.texts.enumerated() {
                    guard !text.isEmpty else {
                        sqlite3_bind_null(words, Int32(place + 2))
                        continue
                    }
                    let letters = bytes.baseAddress.map {
                        ($0 + text.lowerBound).assumingMemoryBound(to: CChar.self)
                    }
                    sqlite3_bind_text(words, Int32(place + 2), letters, Int32(text.count), nil)
                }
                try step(words)
            }
            for (word, items) in rows.words {
                bind(count, 1, bytes, word)
                sqlite3_bind_int64(count, 2, items)
                try step(count)
            }
        }
        try script("COMMIT")
        rowCount += Int64(rows.rows.count)
    }

    /// Binds bytes where they are; they stay there until the statement has run.
    private func bind(
        _ statement: OpaquePointer?, _ place: Int32, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
    ) {
        sqlite3_bind_blob(
            statement, place, bytes.baseAddress.map { $0 + range.lowerBound }, Int32(range.count), nil)
    }

    private func step(_ statement: OpaquePointer?) throws {
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
        sqlite3_reset(statement)
    }

    private func prepare(_ text: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        try demand(
            sqlite3_prepare_v3(connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        return statement
    }

    private func script(_ text: String) throws { try demand(sqlite3_exec(connection, text, nil, nil, nil)) }

    private func demand(_ code: Int32) throws { if code != SQLITE_OK { throw failure } }

    private var failure: BenchmarkFailure {
        BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(connection)))")
    }

    /// How the tables of items are made in that database, with their indexes.
    private static func tables(of path: String) throws -> [String] {
        let query = """
            SELECT sql FROM sqlite_master WHERE tbl_name IN ('lives', 'records', 'search', 'words') AND sql IS NOT NULL
            ORDER BY type DESC, rowid
            """
        return try rows(query, in: path)
    }

    /// How many records stand in a database of the store; none where there is no such database yet.
    static func recordCount(_ path: String) -> Int {
        guard let rows = try? rows("SELECT max(number) FROM records", in: path) else { return 0 }
        return rows.first.flatMap { Int($0) } ?? 0
    }

    /// How many of a hundred pages of a database are free to be written anew.
    static func freePercent(_ path: String) throws -> Double {
        let counts = try ["freelist_count", "page_count"].map {
            try rows("PRAGMA \($0)", in: path).first ?? ""
        }
        guard let free = Double(counts[0]), let all = Double(counts[1]) else {
            throw BenchmarkFailure("\(path) does not tell how large it is")
        }
        return free / all * 100
    }

    /// The first column of what a query finds, as text.
    private static func rows(_ query: String, in path: String) throws -> [String] {
        var connection: OpaquePointer?
        var statement: OpaquePointer?
        defer {
            sqlite3_finalize(statement)
            sqlite3_close_v2(connection)
        }
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
            sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK
        else { throw BenchmarkFailure("can't read \(path)") }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 0) { rows.append(String(cString: text)) }
        }
        return rows
    }
}
