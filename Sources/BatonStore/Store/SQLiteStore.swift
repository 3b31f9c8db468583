package import BatonCore

/// A node's durable state of one account, with one SQLite database for each lane.
///
/// Since each lane has its own database, a change of an activity never waits for the index.
///
/// A thread that uses the store as a whole uses both lanes. Instead, two threads may use one lane each (`lane(_:)`).
package final class SQLiteStore: AccountStore {
    let lanes: PerLane<SQLiteLane>

    /// Opens the store in an existing folder, and creates the databases if there are none.
    ///
    /// `fileSystem` is the name of a file system that tests have registered with SQLite; nil means the default one.
    /// Tests may also pass a schema with more steps.
    ///
    /// `cipher` encrypts the files of the store, and must be passed to each `SearchReader` of the store, too. With nil,
    /// the files are plain. Rescues, backups and stores on a read-only disk have no cipher: an encrypted store is a
    /// cache, and its owner deletes and refills it if it is damaged or can't be written. With a wrong key, opening the
    /// store fails as if it were damaged.
    package init(
        folder: String, account: AccountIdentifier, device: DeviceIdentifier? = nil,
        fileSystem: String? = nil, cipher: (any PageCipher)? = nil, schema: Schema = .lane
    ) throws(StoreFailure) {
        lanes = try PerLane { (lane) throws(StoreFailure) in
            SQLiteLane(
                try LaneDatabase(
                    lane: lane, path: "\(folder)/\(lane).sqlite", fileSystem: fileSystem, cipher: cipher,
                    account: account, device: device, schema: schema))
        }
    }

    /// Opens a store on a read-only disk without changing its files.
    ///
    /// Every later change of the store throws an error.
    package init(
        readOnly folder: StoreFolder, account: AccountIdentifier, device: DeviceIdentifier
    ) throws(StoreFailure) {
        lanes = try PerLane { (lane) throws(StoreFailure) in
            SQLiteLane(
                try LaneDatabase(
                    readOnly: LaneFiles(lane: lane, folder: folder).path, fileSystem: folder.fileSystem,
                    owner: LaneOwner(account: account, device: device, lane: lane)))
        }
    }

    /// Whether the store was opened on a disk that can't be written.
    package var isReadOnly: Bool { databases.contains(where: \.isReadOnly) }

    /// Creates a store from the open databases of both lanes.
    init(_ databases: PerLane<LaneDatabase>) { lanes = PerLane { SQLiteLane(databases[$0]) } }

    package func lane(_ lane: Lane) -> any LaneStore { ownLane(lane) }

    /// Returns a lane as an `SQLiteLane` instead of `any LaneStore`.
    package func ownLane(_ lane: Lane) -> SQLiteLane { lanes[lane] }

    var databases: [LaneDatabase] { lanes.all.map(\.database) }

    /// The largest number of records that one clear or batch changes in its own transaction.
    ///
    /// Further records are changed in steps afterwards.
    package var recordsAtOnce: Int {
        get { lanes.index.database.transaction.recordsAtOnce }
        set { for database in databases { database.transaction.recordsAtOnce = newValue } }
    }

    /// The largest number of bytes of items' texts that wait for the end of a transaction.
    ///
    /// The text of the last item is not counted.
    package var searchBytesMost: Int {
        get { lanes.index.database.search.bytesMost }
        set { lanes.index.database.search.bytesMost = newValue }
    }

    /// The smallest number of items in a step of a batch for which the words of the step are counted later.
    package var wordsKeptLeast: Int {
        get { lanes.index.database.search.keptLeast }
        set { lanes.index.database.search.keptLeast = newValue }
    }

    /// The largest number of bytes in the log of each lane.
    package var logBytes: Int {
        get { lanes.index.database.log.byteLimit }
        set { for database in databases { database.log.byteLimit = newValue } }
    }

    /// The gate that every search of the index passes.
    package var readers: ReaderGate {
        get { lanes.index.database.log.readers }
        set { lanes.index.database.log.readers = newValue }
    }

    func database(_ lane: Lane) -> LaneDatabase { ownLane(lane).database }

    /// The number of steps that SQLite's virtual machine has made.
    ///
    /// It measures the cost of reading and writing independently of the speed of the disk.
    package var steps: Int { databases.reduce(0) { $0 + $1.steps } }

    // MARK: Transactions

    /// Whether a group is open in at least one lane.
    package var isGrouping: Bool { lanes.all.contains(where: \.isGrouping) }

    package func group(
        durably isDurable: Bool, _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        try SQLiteLane.group(lanes.all, durably: isDurable, body)
    }

    /// Runs the closure for each database as a part of the open group, or as a group of its own.
    private func change(_ body: (LaneDatabase) throws(StoreFailure) -> Void) throws(StoreFailure) {
        guard isGrouping else { return try group { () throws(StoreFailure) in try change(body) } }
        for database in databases {
            try database.begin()
            try body(database)
        }
    }

    package func begin(_ order: ArrivalOrder) throws(StoreFailure) {
        // A store on a read-only disk sends this order to peers without storing it. When the store is reopened, it
        // begins another order.
        guard !isReadOnly else { return databases.forEach { $0.transaction.state.order = order } }
        try change { (database) in database.transaction.state.order = order }
    }

    /// Makes a rescued lane claim no more writes of a life, because the rescue may have lost earlier writes of that
    /// life.
    ///
    /// Until the node begins a new life, it still writes under this life.
    package func abandon(_ life: Life, in rescued: Lane) {
        database(rescued).transaction.state.claims.abandoned.insert(life)
    }

    /// Moves the clock of a rescued lane to the time of the rescue.
    ///
    /// This way, no write that the lane has lost is later than its clock.
    package func moveClock(to time: HybridTime, in rescued: Lane) throws(StoreFailure) {
        try change { (database) in
            guard database.lane == rescued else { return }
            database.transaction.state.clock = max(database.state.clock, time)
        }
    }

    // MARK: Tombstones

    package func keep(_ reports: Reports) throws(StoreFailure) -> Reports {
        let kept = reports.within(complete).sorted
        try change { (database) throws(StoreFailure) in
            for (device, vector) in kept { try database.tombstones.report(device, vector) }
        }
        return self.reports
    }

    package func collect(_ request: CollectRequest) throws(StoreFailure) -> Int {
        var count = 0
        let shared = try sharedLives()
        guard isGrouping else {
            try group { () throws(StoreFailure) in count = try collect(request) }
            return count
        }
        for database in databases {
            guard let stable = database.tombstones.stable(among: request.roster) else { continue }
            try database.begin()
            count += try database.tombstones.collect(stable.without(shared), most: request.most - count)
        }
        return count
    }

    package func forget(_ devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool {
        var givesUp = false
        try change { (database) throws(StoreFailure) in
            try database.tombstones.forget(devices)
            if try database.snapshots.abandon(of: devices) { givesUp = true }
        }
        return givesUp
    }

    package func abandonSnapshots(of devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool {
        var givesUp = false
        try change { (database) throws(StoreFailure) in
            if try database.snapshots.abandon(of: devices) { givesUp = true }
        }
        return givesUp
    }

    // MARK: Digests

    /// The store keeps its digest for the time of the last call.
    ///
    /// The first call for a new time reads the records that have expired in between. Later calls for the same time read
    /// no records.
    ///
    /// If a fault of the disk destroyed records, they still count in the digest until `SQLiteLane.recount(at:)` is
    /// called.
    package func check(at time: WallTime) throws(StoreFailure) -> StateCheck? {
        for database in databases
        where try !database.digest.holdsWhatItClaims() || time < database.state.swept {
            return nil
        }
        if databases.contains(where: { $0.state.digestTime != time }) {
            try change { (database) throws(StoreFailure) in try database.digest.move(to: time) }
        }
        var digest = lanes.activities.database.state.digest
        digest += lanes.index.database.state.digest
        return StateCheck(complete: complete.digest, state: digest, at: time)
    }

    package func digest(at time: WallTime) throws(StoreFailure) -> StateDigest {
        while try settle(most: 1000) != nil {}
        var digest = StateDigest()
        for database in databases { digest += try database.digest.digest(at: time) }
        return digest
    }

    // MARK: Queries

    package func summary(for peer: DeviceIdentifier?) throws(StoreFailure) -> StoreSummary {
        var summary = StoreSummary(
            complete: complete, settled: [:], heads: [:], clock: clock,
            order: lanes.activities.database.state.order, dropped: dropped, reports: reports)
        for database in databases {
            summary.settled[database.lane] = try database.claims.findSettled()
            summary.heads[database.lane] = database.state.head
            guard let peer else { continue }
            summary.resume[database.lane] = try database.tables.peers.resumeToken(of: peer)
            summary.snapshots[database.lane] = try database.tables.peers.snapshot(of: peer)
        }
        return summary
    }

    /// The claims of both lanes.
    package var complete: VersionVector {
        databases.reduce(into: VersionVector()) { $0.join($1.state.claims.complete) }
    }

    /// A vector that covers all tombstones that were garbage-collected in either lane.
    package var dropped: VersionVector {
        databases.reduce(into: VersionVector()) { $0.join($1.state.tombstones.dropped) }
    }

    /// All reports of devices that this store knows.
    package var reports: Reports {
        databases.reduce(into: Reports()) { $0.join($1.state.tombstones.reports) }
    }

    /// The largest hybrid time of any write that this store has ever stored.
    package var clock: HybridTime {
        max(lanes.activities.database.state.clock, lanes.index.database.state.clock)
    }

    package func strays(
        of devices: Set<DeviceIdentifier>, in lane: Lane
    ) throws(StoreFailure) -> [Write] {
        try database(lane).changes.strays(of: devices, orIn: sharedLives())
    }

    /// Returns the lives in which more than one machine wrote.
    private func sharedLives() throws(StoreFailure) -> Set<Life> {
        Set(try lanes.activities.records(of: .sharedLife).compactMap(\.sharedLife))
    }

    package func quarantined() -> [QuarantinedWrite] { databases.flatMap(\.state.quarantine.sorted) }

    // MARK: Search

    /// Adds the words of the next items to the full-text table of the index.
    ///
    /// Adds at most `most` items. Returns true if no item is missing in the table afterwards.
    package func fillSearch(most: Int = 500) throws(StoreFailure) -> Bool {
        try lanes.index.fillSearch(most: most)
    }

    /// Empties the full-text table of the index.
    ///
    /// The caller must fill the table again.
    package func emptySearch() throws(StoreFailure) { try lanes.index.emptySearch() }
}
