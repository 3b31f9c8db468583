package import BatonCore

/// A database of a lane that is put together from rows, at a schema that may be an earlier one.
///
/// It is worth nothing before it is whole, so nothing is synced until then, and what was begun is thrown away.
package final class LaneDraft {
    private let connection: Connection
    private let path: String
    /// The columns of each table that rows can be put into.
    private var tables: [String: [String]] = [:]
    /// Where rows go, and how many values each has.
    private var insertion: (statement: String, count: Int)?

    /// Makes a database of that schema, whose tables are empty.
    package init(
        path: String, schema: Int = Schema.lane.newest, of all: Schema = .lane, fileSystem: String? = nil
    ) throws(StoreFailure) {
        self.path = path
        connection = try Connection(path: path, fileSystem: fileSystem)
        try connection.apply(.drafting)
        try connection.addTokenizer()
        try all.prepare(connection, path: path, upTo: schema)
        try connection.script("BEGIN")
        for table in try connection.ownTables() {
            tables[table] = try connection.columns(of: table)
            try connection.run("DELETE FROM \"\(table)\"")
        }
    }

    /// The rows that come now are of this table, and have these columns.
    package func begin(table: String, columns: [String]) throws(StoreFailure) {
        guard let known = tables[table], !columns.isEmpty, Set(columns).count == columns.count,
            Set(columns).isSubset(of: known)
        else { throw Self.unknown }
        // By now SQLite has written there what it knows of the rows that came.
        if table == Connection.sequence { try connection.run("DELETE FROM \(table)") }
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        insertion = ("INSERT INTO \"\(table)\" (\(names)) VALUES (\(places))", columns.count)
    }

    /// Puts rows into the table; answers how many.
    func insert(_ values: [SQLiteValue]) throws(StoreFailure) -> Int {
        guard let insertion, values.count % insertion.count == 0 else { throw Self.unknown }
        let statement = try connection.statement(insertion.statement)
        for first in stride(from: 0, to: values.count, by: insertion.count) {
            do throws(StoreFailure) {
                try statement.run(Array(values[first..<first + insertion.count]))
            } catch {
                // What the tables refuse is no row that was read from them; a disk that fails is another matter.
                guard connection.hasRefusedRow else { throw error }
                throw StoreFailure(.failed, "a row does not fit: \(error)")
            }
        }
        return values.count / insertion.count
    }

    /// Runs a script, such as one of rows.
    package func run(_ script: String) throws(StoreFailure) { try connection.script(script) }

    /// All rows are there; the words of items, and what finds activities, are to be
    /// gathered anew.
    package func end() throws(StoreFailure) {
        try connection.run("UPDATE search_progress SET rules = 0")
        // A forged backup's index of activities is not believed.
        try connection.run("UPDATE activities_progress SET is_whole = 0")
        // A forged one may say that places were not given out yet at which something stands.
        let given = try connection.statement(
            """
            SELECT count(*) FROM sqlite_sequence
            WHERE name = 'writes' AND seq >= (SELECT coalesce(max(arrival), 0) FROM writes)
            """
        ).first([]) { (row) in row.integer(0) }
        let hasWrites = try connection.statement("SELECT 1 FROM writes LIMIT 1").first([]) { (_) in true }
        guard given == 1 || hasWrites == nil else {
            throw StoreFailure(.failed, "it has writes at places that were not given out")
        }
        // A store that stands near the end of all places could soon take no write any more.
        let query = "SELECT 1 FROM sqlite_sequence WHERE typeof(seq) <> 'integer' OR seq > ?"
        let isBeyond = try connection.statement(query).first([.integer(Self.largestPlace)]) { (_) in true }
        guard isBeyond == nil else {
            throw StoreFailure(.failed, "it gave out more places than a store can have writes")
        }
        try connection.script("COMMIT")
        let strays = try connection.statement("PRAGMA foreign_key_check").first([]) { (row) in row.text(0) }
        guard strays == nil else { throw StoreFailure(.failed, "rows refer to others that are not there") }
    }

    /// The largest place of a write that is taken from a backup.
    ///
    /// A store that takes a million writes in each second reaches it in a hundred thousand years.
    private static let largestPlace = Int64.max / 2

    private static var unknown: StoreFailure {
        StoreFailure(.failed, "it holds a table that there is none of in its schema")
    }
}
