package import BatonCore

/// A node's durable state of one account, in SQLite: a database for each lane, so that an activity never
/// queues behind the index.
///
/// Whoever uses it has both lanes; while somebody has one of them, the other may be used by another thread
/// (`lane(_:)`).
package final class SQLiteStore: AccountStore {
    let activities: SQLiteLane
    let index: SQLiteLane

    /// Opens the store in a folder, and makes it where there is none.
    ///
    /// The folder must be there. Files lie on the usual file system, or on one that SQLite knows by a name, as tests
    /// have it.
    package init(
        folder: String, account: AccountIdentifier, device: DeviceIdentifier? = nil,
        fileSystem: String? = nil
    ) throws(StoreFailure) {
        let open = { (lane: Lane, name: String) throws(StoreFailure) in
            SQLiteLane(
                try LaneDatabase(
                    lane: lane, path: "\(folder)/\(name).sqlite", fileSystem: fileSystem, account: account,
                    device: device))
        }
        activities = try open(.activities, "activities")
        index = try open(.index, "index")
    }

    /// Opens the store in a folder on a disk that can't be written, as it stands there; whatever would change it fails.
    package init(
        readOnly folder: StoreFolder, account: AccountIdentifier, device: DeviceIdentifier
    ) throws(StoreFailure) {
        let open = { (lane: Lane) throws(StoreFailure) in
            SQLiteLane(
                try LaneDatabase(
                    readOnly: LaneFiles(lane: lane, folder: folder).path, fileSystem: folder.fileSystem,
                    owner: LaneOwner(account: account, device: device, lane: lane)))
        }
        activities = try open(.activities)
        index = try open(.index)
    }

    /// Whether the store is read as it stands on a disk that can't be written.
    package var isReadOnly: Bool { databases.contains(where: \.isReadOnly) }

    /// The store of two lanes that are open.
    init(activities: LaneDatabase, index: LaneDatabase) {
        (self.activities, self.index) = (SQLiteLane(activities), SQLiteLane(index))
    }

    package func lane(_ lane: Lane) -> any LaneStore { ownLane(lane) }

    /// The lane, by its type.
    package func ownLane(_ lane: Lane) -> SQLiteLane { lane == .activities ? activities : index }

    var lanes: [SQLiteLane] { [activities, index] }
    var databases: [LaneDatabase] { lanes.map(\.database) }

    /// How many records one clear or batch changes in its own transaction at the most; more of them in steps afterwards.
    package var recordsAtOnce: Int {
        get { index.database.recordsAtOnce }
        set { for database in databases { database.recordsAtOnce = newValue } }
    }

    /// How many bytes of items' texts wait for the end of a transaction at the most, but for one item's.
    package var searchBytesMost: Int {
        get { index.database.searchBytesMost }
        set { index.database.searchBytesMost = newValue }
    }

    func database(_ lane: Lane) -> LaneDatabase { ownLane(lane).database }

    /// How many steps SQLite's machine has made so far: what reading and writing costs, whatever the disk does.
    package var steps: Int { databases.reduce(0) { $0 + $1.connection.steps } }

    /// Whether a group is open, of both lanes or of one.
    package var isGrouping: Bool { lanes.contains(where: \.isGrouping) }

    package func group(
        durably isDurable: Bool, _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        try SQLiteLane.group(lanes, durably: isDurable, body)
    }

    /// Does with each database what is kept together with the rest of the group, or by itself if there is none.
    func change(_ body: (LaneDatabase) throws(StoreFailure) -> Void) throws(StoreFailure) {
        guard isGrouping else { return try group { () throws(StoreFailure) in try change(body) } }
        for database in databases {
            try database.begin()
            try body(database)
        }
    }

    package func begin(_ order: ArrivalOrder) throws(StoreFailure) {
        // It is told to peers, and begins anew with the next opening.
        guard !isReadOnly else { return databases.forEach { $0.progress.order = order } }
        try change { (database) in database.progress.order = order }
    }

    // MARK: Queries

    package func summary(for peer: DeviceIdentifier?) throws(StoreFailure) -> StoreSummary {
        var (settled, heads) = ([Lane: Arrival](), [Lane: Arrival]())
        for database in databases {
            settled[database.lane] = try database.findSettled()
            heads[database.lane] = try database.head()
        }
        return StoreSummary(
            complete: complete, settled: settled, heads: heads, clock: clock,
            order: activities.database.progress.order, resume: try resume(of: peer), dropped: dropped,
            reports: reports, snapshots: try snapshots(of: peer))
    }

    private func resume(of peer: DeviceIdentifier?) throws(StoreFailure) -> [Lane: ResumeToken] {
        var tokens: [Lane: ResumeToken] = [:]
        guard let peer else { return tokens }
        for database in databases { tokens[database.lane] = try database.resumeToken(of: peer) }
        return tokens
    }

    /// What is claimed of both lanes.
    package var complete: VersionVector { joined(\.complete) }

    /// What the progress of both lanes says together.
    func joined(_ part: KeyPath<LaneProgress, VersionVector>) -> VersionVector {
        databases.reduce(into: VersionVector()) { $0.join($1.progress[keyPath: part]) }
    }

    /// The largest hybrid time that was ever kept here.
    package var clock: HybridTime { max(activities.database.progress.clock, index.database.progress.clock) }

    package func strays(
        of devices: Set<DeviceIdentifier>, in lane: Lane
    ) throws(StoreFailure) -> [Write] {
        try database(lane).strays(of: devices, orIn: sharedLives())
    }

    /// Lives in which more than one machine wrote.
    func sharedLives() throws(StoreFailure) -> Set<Life> {
        Set(try activities.records(of: .sharedLife).compactMap(\.sharedLife))
    }

    package func digest(at time: WallTime) throws(StoreFailure) -> StateDigest {
        while try settle(most: 1000) != nil {}
        var digest = StateDigest()
        for database in databases { digest += try database.digest(at: time) }
        return digest
    }

    package func asides() -> [QuarantinedWrite] { databases.flatMap(\.progress.asides.sorted) }
}
