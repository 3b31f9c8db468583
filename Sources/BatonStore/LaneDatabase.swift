import BatonCore

/// One lane of an account in one database: surviving writes in the order of their arrival, and what is
/// claimed of them.
///
/// A transaction opens with the first commit of a group and ends with `finish()`; what `complete` and
/// `clock` say goes back with it if it fails.
final class LaneDatabase {
    let lane: Lane
    let path: String
    let connection: Connection

    /// How many records one clear or batch changes in its own transaction at the most.
    var recordsAtOnce = 500
    /// How many bytes of texts wait for the end of a transaction at the most, but for one item's.
    var searchBytesMost = 1 << 20
    /// How long SQLite's log may get.
    var logBytes = Limits().logBytes
    /// How many pages the log had when what stood in it was last moved into the database.
    var movedAt = 0
    /// The gate that searches of this database pass.
    var readers = ReaderGate()
    /// What the tables say as a whole.
    var progress = LaneProgress()
    /// What the full-text table does not show yet of the open transaction.
    var search = SearchChanges()
    /// Numbers of lives, which are never given up.
    private var lives = LifeNumbers()
    /// What `progress` was before the open transaction.
    private var before: LaneProgress?
    /// How often pages had been spilled when the transaction was opened.
    private var spillsBefore = 0
    /// Why the open transaction can't be kept any more.
    private var spoiled: StoreFailure?

    /// Whether the database is read as it stands on a disk that can't be written.
    let isReadOnly: Bool

    /// Opens the database, and makes it where there is none; the watch may end that.
    init(
        lane: Lane, path: String, fileSystem: String?, account: AccountIdentifier,
        device: DeviceIdentifier? = nil, watch: RescueWatch? = nil
    ) throws(StoreFailure) {
        (self.lane, self.path, isReadOnly) = (lane, path, false)
        watch?.note(lane)
        connection = try Connection(path: path, fileSystem: fileSystem)
        connection.limit(by: watch.map { StepLimit($0) })
        // A journal that is damaged or belongs elsewhere must not be written into the database.
        try connection.keepJournal(true)
        try connection.apply(.waiting)
        // What a newer version wrote is not touched.
        try Schema.demandKnown(connection, path: path)
        try connection.apply(.writing)
        unsafe connection.watchLog()
        try demandJournal()
        try connection.addTokenizer()
        try Schema.prepare(connection, path: path)
        try demand(LaneOwner(account: account, device: device, lane: lane))
        try load()
        try connection.keepJournal(false)
        connection.limit(by: nil)
    }

    /// Opens a database that another connection writes, to read records.
    init(reading path: String, lane: Lane, fileSystem: String?) throws(StoreFailure) {
        (self.lane, self.path, isReadOnly) = (lane, path, true)
        connection = try Self.reader(path, fileSystem)
    }

    /// Opens a database on a disk that can't be written, as it stands there.
    ///
    /// It must be of this version's schema, because nothing can be changed.
    init(readOnly path: String, fileSystem: String?, owner: LaneOwner) throws(StoreFailure) {
        (lane, self.path, isReadOnly) = (owner.lane, path, true)
        connection = try Self.reader(path, fileSystem)
        try Schema.demandNewest(connection, path: path)
        try demand(owner)
        try load()
    }

    private static func reader(_ path: String, _ fileSystem: String?) throws(StoreFailure) -> Connection {
        let connection = try Connection(path: path, fileSystem: fileSystem, isReading: true)
        try connection.apply(.reading)
        try connection.addTokenizer()
        return connection
    }

    /// Refuses a file system on which processes can't share memory: there SQLite keeps another kind of journal without a
    /// word, under which neither readers go on beside the writer nor a report survives the loss of power for certain.
    private func demandJournal() throws(StoreFailure) {
        guard try connection.journalMode() == "wal" else {
            throw StoreFailure(
                .failed,
                "the file system of \(path) can't share memory between programs; move the home to a local disk"
            )
        }
    }

    func loadLives() throws(StoreFailure) {
        var found = LifeNumbers()
        try connection.statement("SELECT number, life FROM lives").rows([]) { (row) throws(StoreFailure) in
            guard let life = Life(bytes: row.blob(1)) else { throw damaged(.outOfRange) }
            found.add(life, number: row.integer(0))
            return true
        }
        lives = found
    }

    /// Reads what the tables say as a whole.
    private func load() throws(StoreFailure) {
        try loadLives()
        try connection.statement("SELECT life, sequence FROM complete").rows([]) {
            (row) throws(StoreFailure) in
            let origin = Origin(life: try life(row.integer(0)), lane: lane)
            progress.complete.extend(origin, to: row.unsigned(1))
            return true
        }
        try loadLettingGo()
        try loadAsides()
        try loadPromises()
        try loadReach()
        try connection.statement(
            "SELECT time, settled, digest, arrival_order, horizon, digest_time, swept FROM progress"
        )
        .rows([]) {
            (row) throws(StoreFailure) in
            guard let digest = StateDigest(bytes: row.blob(2)), let order = ArrivalOrder(bytes: row.blob(3))
            else { throw damaged(.outOfRange) }
            progress.order = order
            progress.clock = HybridTime(value: row.unsigned(0))
            progress.settled = Arrival(value: row.unsigned(1))
            progress.digest = digest
            progress.horizon = HybridTime(value: row.unsigned(4))
            if !row.isNull(5) { progress.digestTime = WallTime(milliseconds: row.integer(5)) }
            if !row.isNull(6) { progress.swept = WallTime(milliseconds: row.integer(6)) }
            return true
        }
        try loadSweeps()
        try loadBatches()
        try loadUsage()
        for clear in try records(of: .clear(in: lane)).compactMap(\.clear) { progress.clears.add(clear) }
        try loadLineage()
        try loadStates()
        try loadSearch()
        try loadActivities()
    }

    // MARK: Transactions

    /// Opens a transaction if none is open; one that can't be kept takes nothing more.
    func begin() throws(StoreFailure) {
        try demandSound()
        guard before == nil else { return }
        guard !isReadOnly else { throw StoreFailure(.readOnly, "\(path) can't be written") }
        try connection.run("BEGIN IMMEDIATE")
        spillsBefore = connection.spillCount
        before = progress
    }

    /// Throws if the open transaction can't be kept any more.
    func demandSound() throws(StoreFailure) {
        if let spoiled { throw spoiled }
    }

    /// Keeps what was done since `begin()`.
    func finish() throws(StoreFailure) {
        try demandSound()
        guard let before else { return }
        try changeSearch()
        try keepUsage()
        // What was just written is at hand; whoever asks next, perhaps after a restart, need not read it again.
        try findSettled(most: Self.settledAtOnce)
        if !progress.differsInRow(from: before) { try touch() }
        try connection.run(
            """
            UPDATE progress
            SET time = ?, settled = ?, digest = ?, arrival_order = ?, horizon = ?, digest_time = ?,
                swept = ?
            """,
            .integer(progress.clock.value), .integer(progress.settled.value), .blob(progress.digest.bytes),
            .blob(progress.order.bytes), .integer(progress.horizon.value),
            .integer(progress.digestTime.milliseconds), .integer(progress.swept.milliseconds))
        try connection.run("COMMIT")
        self.before = nil
        shortenLog()
    }

    /// How many writes the end of a transaction looks at: more than one makes, so that what is behind is made up for.
    private static var settledAtOnce: Int { 20_000 }

    /// Sees to it that the open transaction writes the table of the progress, which says whose the journal is.
    ///
    /// SQLite takes no note of a row that becomes what it was, and where a transaction has nothing to write it syncs
    /// nothing either, although earlier ones may wait for that.
    private func touch() throws(StoreFailure) {
        // `finish()` puts the time right.
        try connection.run("UPDATE progress SET time = ~time")
    }

    /// Writes what stands in SQLite's journal into the database, and begins the journal anew with the next commit.
    func moveJournal() throws(StoreFailure) {
        guard try connection.restartLog() else { throw StoreFailure(.locked, "\(path) is being read") }
    }

    /// Undoes what was done since `begin()`; if it throws, it is to be called again.
    func rollBack() throws(StoreFailure) {
        guard let before else { return }
        if connection.isInTransaction { try connection.run("ROLLBACK") }
        progress = before
        search = SearchChanges()
        // Lives that were numbered in the transaction are not in the table any more.
        try loadLives()
        (self.before, spoiled) = (nil, nil)
    }

    /// Undoes what was done since `begin()`, if not now, then before anything else is kept.
    func abandon() {
        do { try rollBack() } catch { spoiled = error }
    }

    /// Runs the closure so that nothing of it stays if it fails.
    func atomically<Result>(_ body: () throws(StoreFailure) -> Result) throws(StoreFailure) -> Result {
        let standing = progress
        try connection.run("SAVEPOINT one")
        do {
            let result = try body()
            try connection.run("RELEASE one")
            return result
        } catch {
            undo(to: standing, because: error)
            throw error
        }
    }

    /// Goes back to the savepoint, or gives the whole transaction up.
    ///
    /// After some errors, such as a full disk, SQLite has rolled all of it back. The next writes would then
    /// be kept by themselves, and could claim what was lost.
    ///
    /// A transaction is given up, too, once pages were spilled to the journal. If it went back to a savepoint then, SQLite
    /// (seen with 3.40) might go on with the checksum of a frame that is none any more. After a crash, everything committed
    /// from there on would be as if it had never been written.
    private func undo(to standing: LaneProgress, because failure: StoreFailure) {
        do {
            guard connection.isInTransaction, connection.spillCount == spillsBefore, undoSearch(to: standing)
            else { throw failure }
            try connection.run("ROLLBACK TO one")
            try connection.run("RELEASE one")
            progress = standing
            try loadLives()
        } catch {
            spoiled = failure
        }
    }

    // MARK: Claims

    /// Claims what the vector covers, too, as far as nothing holds it back; answers whether something else
    /// does than the limit of origins.
    @discardableResult
    func claim(_ vector: VersionVector) throws(StoreFailure) -> Bool {
        let before = progress.complete
        var (complete, lineage) = (before, progress.lineage)
        try lineage.claim(progress.asides.claimable(of: vector), in: &complete) {
            (origin) throws(StoreFailure) in
            try storedRecord(Succession.key(of: origin).identity).flatMap { Succession($0.record) }?.follows
                ?? []
        }
        (progress.complete, progress.lineage) = (complete, lineage)
        for (origin, sequence) in progress.complete.beyond(before).sorted {
            try connection.run(
                "INSERT INTO complete (life, sequence) VALUES (?, ?) ON CONFLICT DO UPDATE SET sequence = excluded.sequence",
                .integer(try number(of: origin.life)), .integer(sequence))
        }
        return !vector.isWithin(progress.complete) && progress.complete.count < Limits.laneOrigins
    }

    /// Takes note of what the lives follow that are claimed.
    func loadLineage() throws(StoreFailure) {
        for record in try records(of: .succession(in: lane)) { note(Succession(record)) }
    }

    /// Takes note of what a life follows, if it is claimed.
    func note(_ succession: Succession?) {
        guard let succession, progress.complete[succession.origin] > 0 else { return }
        progress.lineage.note(succession.origin, following: succession.follows)
    }

    // MARK: Lives

    /// The number of a life, which is given one where it has none.
    func number(of life: Life) throws(StoreFailure) -> Int64 {
        if let number = lives.number(of: life) { return number }
        try connection.run("INSERT INTO lives (life) VALUES (?)", .blob(life.bytes))
        lives.add(life, number: connection.lastInserted)
        return connection.lastInserted
    }

    /// The life of a number.
    func life(_ number: Int64) throws(StoreFailure) -> Life {
        guard let life = lives.life(number) else { throw damaged(.outOfRange) }
        return life
    }

    /// What stands in the database can't have been written by this program.
    func damaged(_ reason: CBORError.Reason) -> StoreFailure {
        damaged(CBORError(reason, at: 0))
    }

    /// What stands in the database can't be read for that reason.
    func damaged(_ reason: CBORError) -> StoreFailure {
        connection.hasSeenDamage = true
        return StoreFailure(damaged: reason, in: path)
    }
}

/// The lives of one database and their numbers.
private struct LifeNumbers {
    private var numbers: [Life: Int64] = [:]
    private var lives: [Int64: Life] = [:]

    mutating func add(_ life: Life, number: Int64) {
        numbers[life] = number
        lives[number] = life
    }

    func number(of life: Life) -> Int64? { numbers[life] }

    func life(_ number: Int64) -> Life? { lives[number] }
}
