import BatonCore

/// The database of one lane, opened to be read and written.
///
/// `LaneDatabase` opens the database, reads the state of the lane, and owns the parts that work on the lane. All parts
/// share one transaction. It opens with the first commit of a group and ends with `finish()`.
final class LaneDatabase {
    let lane: Lane
    let path: String
    /// The name of the file system that SQLite uses; nil for the default one.
    let fileSystem: String?
    /// The cipher of the files; nil if they are plain.
    let cipher: (any PageCipher)?

    let tables: LaneTables
    let transaction: LaneTransaction
    let log: LaneLog

    let records: RecordReader
    let search: SearchIndex
    let history: SearchHistory
    let erasure: LaneErasure
    let usage: UsageCounter
    let claims: LaneClaims
    let states: StateJudge
    let batches: BatchMerger
    let tombstones: LaneTombstones
    let snapshots: SnapshotReceiver
    let changes: ChangeReader
    let digest: LaneDigest
    let committer: LaneCommitter

    private let clears: ClearFinder
    private let connection: Connection

    /// Opens the database, and creates it if there is none.
    ///
    /// The watch can interrupt this.
    convenience init(
        lane: Lane, path: String, fileSystem: String?, cipher: (any PageCipher)? = nil,
        account: AccountIdentifier, device: DeviceIdentifier? = nil, watch: RescueWatch? = nil,
        schema: Schema = .lane
    ) throws(StoreFailure) {
        watch?.recordRescue(lane)
        let connection = try Connection(
            path: path, lane: lane, fileSystem: fileSystem, cipher: cipher)
        connection.limit(by: watch.map { StepLimit($0) })
        // A journal that is damaged or belongs to another database must not be moved into this database.
        try connection.keepLog(true)
        try connection.apply(.waiting)
        // A database of a newer version must not be changed.
        try schema.demandKnown(connection, path: path)
        try connection.apply(.writing)
        unsafe connection.watchLog()
        try Self.demandLog(connection, path)
        try connection.addTokenizer()
        try schema.prepare(connection, path: path)
        try LaneOwner(account: account, device: device, lane: lane).claim(connection, at: path)
        self.init(lane, path, connection, fileSystem, cipher: cipher, isReadOnly: false)
        try load()
        try connection.keepLog(false)
        connection.limit(by: nil)
    }

    /// Opens a database on a disk that can't be written, without changing it.
    ///
    /// The database must have the newest schema already, because its schema can't be changed.
    convenience init(readOnly path: String, fileSystem: String?, owner: LaneOwner) throws(StoreFailure) {
        let connection = try Connection(
            path: path, lane: owner.lane, fileSystem: fileSystem, isReading: true)
        try connection.apply(.reading)
        try connection.addTokenizer()
        try Schema.lane.demandNewest(connection, path: path)
        try owner.claim(connection, at: path)
        self.init(owner.lane, path, connection, fileSystem, cipher: nil, isReadOnly: true)
        try load()
    }

    private init(
        _ lane: Lane, _ path: String, _ connection: Connection, _ fileSystem: String?,
        cipher: (any PageCipher)?, isReadOnly: Bool
    ) {
        self.lane = lane
        self.path = path
        self.connection = connection
        self.fileSystem = fileSystem
        self.cipher = cipher
        tables = LaneTables(LaneRows(lane: lane, path: path, connection: connection))
        transaction = LaneTransaction(tables, isReadOnly: isReadOnly)
        log = LaneLog(tables.rows)
        records = RecordReader(tables, transaction)
        search = SearchIndex(tables, transaction, records)
        history = SearchHistory(tables: tables)
        erasure = LaneErasure(transaction, search, log)
        usage = UsageCounter(tables, transaction, records)
        claims = LaneClaims(tables, transaction, records)
        states = StateJudge(tables, transaction, records)
        clears = ClearFinder(tables, transaction, records)
        let merger = RecordMerger(tables, transaction, records, clears: clears, search: search, usage: usage)
        batches = BatchMerger(tables, transaction, records, clears: clears, merger: merger)
        tombstones = LaneTombstones(
            tables, transaction, records, merger: merger, claims: claims, states: states)
        snapshots = SnapshotReceiver(
            tables, transaction, records, merger: merger, claims: claims, tombstones: tombstones,
            states: states)
        changes = ChangeReader(tables, transaction, records, claims)
        digest = LaneDigest(tables, transaction, records, claims)
        committer = LaneCommitter(
            tables, transaction, records, merger: merger, claims: claims,
            quarantine: LaneQuarantine(tables, transaction, records), states: states, batches: batches,
            search: search, usage: usage,
            checks: LocalChecks(tables, transaction, records, clears: clears, usage: usage, states: states),
            snapshots: snapshots)
    }

    /// Refuses a file system on which processes can't share memory.
    ///
    /// On such a file system SQLite silently keeps another kind of journal, with which readers would wait for the
    /// writer, and a report might not survive a power loss.
    private static func demandLog(_ connection: Connection, _ path: String) throws(StoreFailure) {
        guard try connection.journalMode() == "wal" else {
            throw StoreFailure(
                .failed,
                "the file system of \(path) can't share memory between programs; move the home to a local disk"
            )
        }
    }

    // MARK: Loading

    /// Reads the state of the lane as a whole from the tables.
    private func load() throws(StoreFailure) {
        try loadRows()
        try search.load()
        try usage.load()
        try clears.load()
        try claims.loadLineage()
        try judgeStates()
        try fillActivities()
    }

    private func loadRows() throws(StoreFailure) {
        if let progress = try tables.progress.content() { transaction.state.progress = progress }
        transaction.state.lastClear = try tables.writes.lastClearPlace()
        transaction.state.lastFurther = try tables.writes.lastFurtherPlace()
        transaction.state.claims.complete = try tables.claims.complete()
        transaction.state.claims.promised = try tables.claims.promised()
        transaction.state.claims.openStreams = try tables.claims.openStreams()
        transaction.state.claims.givenUp = try tables.claims.givenUp()
        transaction.state.tombstones.dropped = try tables.tombstones.dropped()
        transaction.state.tombstones.reports = try tables.tombstones.reports()
        transaction.state.quarantine = try tables.quarantine.writes()
        transaction.state.hasUnbelievedTime = try tables.notes.hasUnbelievedTime()
        transaction.state.clears = LaneState.Clearing(unfinished: try tables.clears.sweeps())
        try batches.load()
    }

    /// Judges all client states when the lane is opened.
    ///
    /// This is necessary because the states that can't be shown yet are listed only in memory.
    private func judgeStates() throws(StoreFailure) {
        guard try states.isNeeded() else { return }
        // A read-only store finds no change to write: the shown states were decided when the store was last written.
        guard !isReadOnly else { return try states.judgeAll() }
        try begin()
        do {
            try states.judgeAll()
            try finish()
        } catch {
            transaction.abandon()
            throw error
        }
    }

    /// Fills the table of activities if activities are missing in it.
    ///
    /// This is the case in a new or a restored database.
    private func fillActivities() throws(StoreFailure) {
        guard try !tables.activities.isFilled() else { return }
        try connection.atomically { () throws(StoreFailure) in
            try tables.rows.removeAll(from: "activities")
            var last = Int64.min
            while let number = try tables.records.activity(after: last) {
                if let record = try records.stored(number: number)?.raw {
                    try tables.activities.recordChange(number, from: nil, to: record)
                }
                last = number
            }
            try tables.activities.keepFilled()
        }
    }

    // MARK: Transactions

    /// The state of the lane as a whole.
    var state: LaneState { transaction.state }

    /// Whether the database is on a read-only disk.
    var isReadOnly: Bool { transaction.isReadOnly }

    /// Opens a transaction if none is open.
    func begin() throws(StoreFailure) { try transaction.begin() }

    /// Commits what was done since `begin()`.
    func finish() throws(StoreFailure) {
        let isCommitted = try transaction.finish { () throws(StoreFailure) in
            try search.write()
            try usage.write()
            // The rows of the new writes are still in the page cache. If the settled place were found later, perhaps
            // after a restart, they would have to be read from the disk.
            try claims.findSettled(most: Self.settledAtOnce)
        }
        if isCommitted { log.shorten() }
    }

    /// The largest number of writes that are checked for the settled place when a transaction ends.
    ///
    /// A transaction makes fewer writes, so a backlog shrinks.
    private static let settledAtOnce = 20_000

    // MARK: The database as a whole

    /// Whether data was read that differs from the data that was written.
    var hasSeenDamage: Bool { connection.hasSeenDamage }

    /// The number of steps that SQLite's virtual machine has made.
    var steps: Int { connection.steps }

    /// The number of rows that were changed since the database was opened, including changes that were undone.
    var changeCount: Int64 { connection.changeCount }

    /// The number of bytes of the database that are cached in memory.
    var cachedBytes: Int { connection.cachedBytes }

    /// Frees the memory of cached pages, which can be read again.
    func releaseMemory() { connection.releaseMemory() }

    /// Makes SQLite sync each commit from now on, or only each checkpoint if `isDurable` is false.
    func sync(each isDurable: Bool) throws(StoreFailure) {
        try connection.apply(isDurable ? .durable : .fast)
    }

    /// Moves all of SQLite's log into the database.
    func restartLog() throws(StoreFailure) {
        guard try connection.restartLog() else { throw StoreFailure(.locked, "\(path) is being read") }
    }

    /// Moves the log into the database file and removes the log, so that the file can be renamed alone.
    func seal() throws(StoreFailure) {
        guard try connection.removeLog() else {
            throw StoreFailure(.locked, "\(path) is held by another program")
        }
    }
}
