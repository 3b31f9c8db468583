package import BatonCore

/// The new database of a lane that a restoration fills with the rows of a backup.
///
/// The database has the schema of the backup.
///
/// If the restoration is interrupted, the database is removed. So nothing is synced to the disk while it is filled.
package final class LaneDraft {
    private let connection: Connection
    private let path: String
    /// The columns of each table that can be filled.
    private var tables: [String: [String]] = [:]
    /// The statement that adds a row to the present table, and the number of values in a row.
    private var insertion: (statement: String, count: Int)?

    /// Creates a database with empty tables of this schema.
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

    /// Begins to fill a table; the following rows have these columns.
    package func begin(table: String, columns: [String]) throws(StoreFailure) {
        guard let known = tables[table], !columns.isEmpty, Set(columns).count == columns.count,
            Set(columns).isSubset(of: known)
        else { throw Self.unknown }
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        insertion = ("INSERT INTO \"\(table)\" (\(names)) VALUES (\(places))", columns.count)
    }

    /// Adds rows to the present table, and returns the number of rows.
    func insert(_ values: [SQLiteValue]) throws(StoreFailure) -> Int {
        guard let insertion, values.count % insertion.count == 0 else { throw Self.unknown }
        let statement = try connection.statement(insertion.statement)
        for first in stride(from: 0, to: values.count, by: insertion.count) {
            do throws(StoreFailure) {
                try statement.run(Array(values[first..<first + insertion.count]))
            } catch {
                // If the table refuses the row, the backup is not sound. Other failures, for example of the disk, are
                // rethrown.
                guard connection.hasRefusedRow else { throw error }
                throw StoreFailure(.failed, "a row does not fit: \(error)")
            }
        }
        return values.count / insertion.count
    }

    /// Runs several SQL statements.
    package func run(_ script: String) throws(StoreFailure) { try connection.script(script) }

    /// Checks and commits all rows.
    ///
    /// The full-text table and the table of activities are filled later, when the database is opened.
    package func end() throws(StoreFailure) {
        try connection.run("UPDATE search_progress SET rules = 0")
        // The table of activities in a forged backup is not trusted.
        try connection.run("UPDATE activities_progress SET is_whole = 0")
        // In a forged backup, a write may have a place after `head`, the last place that was given out, or two writes
        // may have the same place.
        let isGiven = try connection.statement(
            """
            SELECT head >= coalesce((SELECT max(arrival) FROM records), 0)
                AND head >= coalesce((SELECT max(arrival) FROM further_writes), 0)
                AND NOT EXISTS (SELECT 1 FROM further_writes JOIN records USING (arrival)) FROM progress
            """
        ).first([]) { (row) in row.integer(0) }
        guard isGiven == 1 else {
            throw StoreFailure(.failed, "it has writes at places that were never given out")
        }
        // If `head` were near the largest possible place, the store could soon accept no more writes.
        let isBeyond = try connection.statement("SELECT 1 FROM progress WHERE head > ?")
            .first([.integer(Self.largestPlace)]) { (_) in true }
        guard isBeyond == nil else {
            throw StoreFailure(.failed, "it gave out more places than a store can have writes")
        }
        try connection.script("COMMIT")
        let strays = try connection.statement("PRAGMA foreign_key_check").first([]) { (row) in row.text(0) }
        guard strays == nil else { throw StoreFailure(.failed, "it has rows that refer to missing rows") }
    }

    /// The largest place that a backup may have given out.
    ///
    /// At a million writes each second, a store would reach this place after a hundred thousand years.
    private static let largestPlace = Int64.max / 2

    private static var unknown: StoreFailure {
        StoreFailure(.failed, "it contains a table that is not in its schema")
    }
}
