import BatonCore
import BatonStore
import CSQLite
import Disks

/// A database of a store, read with plain SQLite.
final class RawDatabase {
    private let handle: OpaquePointer
    /// Released after the handle, which uses it.
    private let files: CheckedFileSystem

    /// Opens a lane's database on a disk; nil if there is none.
    init?(_ lane: Lane, on disk: TestDisk, _ cipher: (any PageCipher)? = nil) throws {
        let name = lane == .activities ? "activities.sqlite" : "index.sqlite"
        guard disk.image.fileNames.contains(name) else { return nil }
        var opened: OpaquePointer?
        files = try CheckedFileSystem(over: disk.name, cipher: cipher, lane: lane)
        guard sqlite3_open_v2("/" + name, &opened, SQLITE_OPEN_READWRITE, files.name) == SQLITE_OK, let opened
        else {
            sqlite3_close(opened)
            return nil
        }
        handle = opened
    }

    deinit { sqlite3_close_v2(handle) }

    /// Returns the first column of all rows, as text.
    func texts(_ query: String) throws -> [String] {
        var (statement, texts): (OpaquePointer?, [String]) = (nil, [])
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK else {
            throw failure(query)
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
            case SQLITE_DONE: return texts
            default: throw failure(query)
            }
        }
    }

    private func failure(_ query: String) -> StoreViolation {
        StoreViolation("\(String(cString: sqlite3_errmsg(handle))) in \(query)")
    }
}

/// Hashes of all rows of a lane's database.
struct LaneDump: Equatable {
    /// A hash of the rows of each table.
    private var tables: [String: Int] = [:]
    /// The faults that SQLite finds in the database.
    private(set) var troubles: [String] = []

    init(_ lane: Lane, on disk: TestDisk, _ cipher: (any PageCipher)? = nil) throws {
        guard let database = try RawDatabase(lane, on: disk, cipher) else { return }
        // A check sorts rows, for which it would make a temporary file.
        _ = try database.texts("PRAGMA temp_store = MEMORY")
        // A virtual table has its rows in other tables, whose names begin with its own.
        for table in try database.texts(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name")
        {
            let columns = try database.texts(
                "SELECT 'quote(\"' || name || '\")' FROM pragma_table_info('\(table)')")
            let row = columns.joined(separator: " || ',' || ")
            let rows = try database.texts("SELECT \(row) FROM \"\(table)\" ORDER BY 1")
            var hasher = Hasher()
            hasher.combine(rows)
            tables[table] = hasher.finalize()
        }
        for check in ["integrity_check", "foreign_key_check"] {
            troubles += try database.texts("PRAGMA \(check)").filter { $0 != "ok" }
        }
        guard tables["records"] != nil else { return }
        for query in [
            """
            SELECT 'a record without writes: ' || number FROM records
            WHERE arrival IS NULL AND number NOT IN (SELECT record FROM further_writes)
            """,
            """
            SELECT 'a write without its record: ' || arrival FROM further_writes
            WHERE record NOT IN (SELECT number FROM records)
            """,
            "SELECT 'two writes at one place: ' || arrival FROM further_writes JOIN records USING (arrival)",
            """
            SELECT 'a place that is given out again: ' || max(arrival)
            FROM (SELECT arrival FROM records UNION ALL SELECT arrival FROM further_writes)
            HAVING max(arrival) > (SELECT head FROM progress)
            """,
        ] {
            troubles += try database.texts(query)
        }
    }

    /// Returns the tables that differ in another dump, in order.
    func difference(from other: LaneDump) -> [String] {
        Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
    }
}
