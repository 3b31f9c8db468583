import CSQLite
import Foundation

/// A table with the values of reports, as an app would make it that searches by hand, with an index for each value.
final class ReportTable {
    private let connection: OpaquePointer

    /// The values of a report that was found.
    struct Row {
        let id: Int
        let texts: [String]
    }

    init(_ path: String) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
            throw BenchmarkFailure("can't open \(path)")
        }
        connection = opened
        try script(
            """
            PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            CREATE TABLE reports (
                identifier INTEGER PRIMARY KEY, title TEXT, summary TEXT, author TEXT, reference TEXT,
                pages INTEGER, created REAL, due REAL);
            CREATE TABLE keywords (
                keyword TEXT, identifier INTEGER, PRIMARY KEY (keyword, identifier)) WITHOUT ROWID;
            CREATE INDEX reports_by_author ON reports (author);
            CREATE INDEX reports_by_reference ON reports (reference);
            CREATE INDEX reports_by_pages ON reports (pages);
            CREATE INDEX reports_by_creation ON reports (created);
            CREATE INDEX reports_by_due_date ON reports (due);
            """)
    }

    deinit { sqlite3_close_v2(connection) }

    func add(_ reports: [ReportEntity]) throws {
        try script("BEGIN")
        let report = try prepare("INSERT INTO reports VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        let keyword = try prepare("INSERT INTO keywords VALUES (?, ?)")
        defer {
            sqlite3_finalize(report)
            sqlite3_finalize(keyword)
        }
        for added in reports {
            sqlite3_bind_int64(report, 1, Int64(added.id))
            for (place, text) in [added.title, added.summary, added.author, added.reference].enumerated() {
                bind(text, to: report, Int32(place + 2))
            }
            sqlite3_bind_int64(report, 6, Int64(added.pages))
            sqlite3_bind_double(report, 7, added.created.timeIntervalSince1970)
            if let due = added.due {
                sqlite3_bind_double(report, 8, due.timeIntervalSince1970)
            } else {
                sqlite3_bind_null(report, 8)
            }
            try step(report)
            for word in added.keywords {
                bind(word, to: keyword, 1)
                sqlite3_bind_int64(keyword, 2, Int64(added.id))
                try step(keyword)
            }
        }
        try script("COMMIT; ANALYZE")
    }

    /// Returns the first ten rows that meet a condition, with all columns, as an app would that shows them.
    func find(_ condition: String) throws -> [Row] {
        let statement = try prepare("SELECT * FROM reports WHERE \(condition) LIMIT 10")
        defer { sqlite3_finalize(statement) }
        var (rows, code) = ([Row](), sqlite3_step(statement))
        while code == SQLITE_ROW {
            let texts = (1..<sqlite3_column_count(statement)).map { column in
                sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
            }
            rows.append(Row(id: Int(sqlite3_column_int64(statement, 0)), texts: texts))
            code = sqlite3_step(statement)
        }
        guard code == SQLITE_DONE else { throw failure }
        return rows
    }

    private func bind(_ text: String, to statement: OpaquePointer?, _ place: Int32) {
        sqlite3_bind_text(statement, place, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }

    private func step(_ statement: OpaquePointer?) throws {
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
        sqlite3_reset(statement)
    }

    private func prepare(_ text: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, text, -1, &statement, nil) == SQLITE_OK else { throw failure }
        return statement
    }

    private func script(_ text: String) throws {
        guard sqlite3_exec(connection, text, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    private var failure: BenchmarkFailure {
        BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(connection)))")
    }
}
