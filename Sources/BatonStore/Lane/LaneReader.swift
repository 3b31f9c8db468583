import BatonCore

/// One lane of an account in a database that another connection writes, opened to be read.
final class LaneReader {
    let lane: Lane
    let path: String
    let tables: LaneTables
    let records: RecordReader
    let connection: Connection

    private let transaction: LaneTransaction
    /// SQLite's number for the state that was loaded last, which changes with each write; nil before the first load.
    private(set) var version: Int64?

    init(_ path: String, lane: Lane, fileSystem: String?) throws(StoreFailure) {
        (self.lane, self.path) = (lane, path)
        connection = try Connection(path: path, lane: lane, fileSystem: fileSystem, isReading: true)
        try connection.apply(.reading)
        try connection.addTokenizer()
        tables = LaneTables(LaneRows(lane: lane, path: path, connection: connection))
        transaction = LaneTransaction(tables, isReadOnly: true)
        records = RecordReader(tables, transaction)
    }

    /// Runs the closure in a read transaction, on a state that the writer has committed.
    func reading<Value>(_ body: () throws(StoreFailure) -> Value) throws(StoreFailure) -> Value {
        try tables.rows.run("BEGIN")
        let result: Result<Value, StoreFailure>
        do throws(StoreFailure) {
            try loadChanges()
            result = .success(try body())
        } catch {
            result = .failure(error)
        }
        // For reads, a rollback has the same effect as a commit, and is never interrupted.
        if connection.isInTransaction { try tables.rows.run("ROLLBACK") }
        return try result.get()
    }

    /// Begins to read the state of this moment, which later writes do not change.
    func beginMoment() throws(StoreFailure) {
        try tables.rows.run("BEGIN")
        // SQLite fixes the state at the first read.
        _ = try account()
    }

    /// Loads what is needed to read records, unless nothing was written since the last load.
    private func loadChanges() throws(StoreFailure) {
        // The first statement of a transaction fixes the state that is read.
        let version = try connection.setting("data_version")
        guard version != self.version else { return }
        self.version = nil
        try load()
        self.version = version
    }

    /// Loads everything that is needed to read records, and forgets what was cached of an earlier state.
    func load() throws(StoreFailure) {
        tables.rows.lives.forget()
        transaction.state.clears = LaneState.Clearing(unfinished: try tables.clears.sweeps())
    }

    /// Returns the account to which the database belongs; nil if it has none yet.
    func account() throws(StoreFailure) -> AccountIdentifier? {
        let bytes = try tables.rows.statement("SELECT identifier FROM account").first([]) { (row) in
            row.blob(0)
        }
        return bytes.flatMap { AccountIdentifier(bytes: $0[...]) }
    }
}
