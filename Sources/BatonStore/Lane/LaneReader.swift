import BatonCore

/// The database of one lane, opened to be read while another connection writes it.
final class LaneReader {
    let lane: Lane
    let path: String
    let tables: LaneTables
    let records: RecordReader
    let connection: Connection

    private let transaction: LaneTransaction
    /// SQLite's number of the state of the database that was loaded last.
    ///
    /// The number changes with each commit. It is nil before the first load.
    private(set) var version: Int64?

    /// Opens the database; `cipher` must be that of the writer.
    init(
        _ path: String, lane: Lane, fileSystem: String?, cipher: (any PageCipher)? = nil
    ) throws(StoreFailure) {
        (self.lane, self.path) = (lane, path)
        connection = try Connection(
            path: path, lane: lane, fileSystem: fileSystem, cipher: cipher, isReading: true)
        try connection.apply(.reading)
        try connection.addTokenizer()
        tables = LaneTables(LaneRows(lane: lane, path: path, connection: connection))
        transaction = LaneTransaction(tables, isReadOnly: true)
        records = RecordReader(tables, transaction)
    }

    /// Runs the closure in a read transaction, which sees the last state that the writer has committed.
    func reading<Value>(_ body: () throws(StoreFailure) -> Value) throws(StoreFailure) -> Value {
        try tables.rows.run("BEGIN")
        let result: Result<Value, StoreFailure>
        do throws(StoreFailure) {
            try loadChanges()
            result = .success(try body())
        } catch {
            result = .failure(error)
        }
        // After reads only, a rollback has the same effect as a commit, but it is never interrupted.
        if connection.isInTransaction { try tables.rows.run("ROLLBACK") }
        return try result.get()
    }

    /// Begins a read transaction that keeps seeing the present state of the database, without any later writes.
    func beginMoment() throws(StoreFailure) {
        try tables.rows.run("BEGIN")
        // SQLite fixes the state that a transaction sees at its first read.
        _ = try account()
    }

    /// Loads what is needed to read records, if something was written since the last load.
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
