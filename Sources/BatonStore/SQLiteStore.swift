package import BatonCore

/// A node's durable state of one account, in SQLite: a database for each lane, so that an activity never
/// queues behind the index.
///
/// It belongs to the one thread that made it.
package final class SQLiteStore: AccountStore {
    let activities: LaneDatabase
    let index: LaneDatabase
    /// Whether a group is open; outside of one, each transaction is a group of its own.
    package private(set) var isGrouping = false
    /// Whether the last report failed: what was to be synced with it may never come to the disk from its journal, because
    /// Linux takes for written what it once told that it could not write.
    var doubtsSyncs = false

    /// Opens the store in a folder, and makes it where there is none.
    ///
    /// The folder must be there. Files lie on the usual file system, or on one that SQLite knows by a name, as tests
    /// have it.
    package init(
        folder: String, account: AccountIdentifier, fileSystem: String? = nil
    ) throws(StoreFailure) {
        activities = try LaneDatabase(
            lane: .activities, path: folder + "/activities.sqlite", fileSystem: fileSystem, account: account)
        index = try LaneDatabase(
            lane: .index, path: folder + "/index.sqlite", fileSystem: fileSystem, account: account)
    }

    /// The store of two lanes that are open.
    init(activities: LaneDatabase, index: LaneDatabase) {
        (self.activities, self.index) = (activities, index)
    }

    var lanes: [LaneDatabase] { [activities, index] }

    /// How many records one clear or batch changes in its own transaction at the most; more of them in steps afterwards.
    package var recordsAtOnce: Int {
        get { index.recordsAtOnce }
        set { for database in lanes { database.recordsAtOnce = newValue } }
    }

    func database(_ lane: Lane) -> LaneDatabase { lane == .activities ? activities : index }

    /// How many steps SQLite's machine has made so far: what reading and writing costs, whatever the disk does.
    package var steps: Int { lanes.reduce(0) { $0 + $1.connection.steps } }

    package func group(
        durably isDurable: Bool, _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        guard isDurable else { return try groupOnce(body) }
        try syncing { () throws(StoreFailure) in
            try groupOnce { () throws(StoreFailure) in
                try body()
                for database in lanes {
                    try database.begin()
                    try database.touch()
                }
            }
        }
    }

    private func groupOnce(_ body: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        precondition(!isGrouping, "groups do not nest")
        isGrouping = true
        defer { isGrouping = false }
        // What could not be undone before is undone now, or nothing is kept.
        for database in lanes { try database.rollBack() }
        do {
            try body()
            for database in lanes { try database.demandSound() }
            for database in lanes { try database.finish() }
        } catch {
            for database in lanes { database.abandon() }
            throw error
        }
    }

    package func commit(_ transaction: StoreTransaction) throws(StoreFailure) -> StoreCommit {
        guard isGrouping else {
            var result: StoreCommit?
            try group { () throws(StoreFailure) in result = try commit(transaction) }
            guard let result else { preconditionFailure("a group that succeeds ran its body") }
            return result
        }
        let database = database(transaction.lane)
        try database.begin()
        guard !transaction.notes.isEmpty else { return try commit(transaction, to: database) }
        // Notes stand with the activities, whose transactions are the ones that have any, but for those of what an index
        // lost.
        for database in lanes { try database.begin() }
        return try activities.atomically { () throws(StoreFailure) in
            try index.atomically { () throws(StoreFailure) in
                for note in transaction.notes { try self.database(of: note.space).keep(note) }
                return try commit(transaction, to: database)
            }
        }
    }

    private func commit(
        _ transaction: StoreTransaction, to database: LaneDatabase
    ) throws(StoreFailure) -> StoreCommit {
        var commit = try database.commit(transaction, clock: clock)
        commit.clock = clock
        commit.isUnsettled = lanes.contains(where: \.hasPending)
        return commit
    }

    package func begin(_ order: ArrivalOrder) throws(StoreFailure) {
        guard isGrouping else { return try group { () throws(StoreFailure) in try begin(order) } }
        for database in lanes {
            try database.begin()
            database.progress.order = order
        }
    }

    package func mark(of life: Life) throws(StoreFailure) -> JournalMark? {
        var (sequences, heads): ([Lane: UInt64], [Lane: Arrival]) = ([:], [:])
        // A rescued lane begins without an order, and places in it are others than were told of it.
        guard activities.progress.order == index.progress.order else { return nil }
        for database in lanes {
            guard database.progress.complete.count < Limits.laneOrigins,
                !database.progress.abandoned.contains(life)
            else { return nil }
            sequences[database.lane] = database.progress.complete[Origin(life: life, lane: database.lane)]
            heads[database.lane] = try database.head()
        }
        return JournalMark(life: life, order: activities.progress.order, sequences: sequences, heads: heads)
    }

    package func summary(for peer: DeviceIdentifier?) throws(StoreFailure) -> StoreSummary {
        var complete = activities.progress.complete
        complete.join(index.progress.complete)
        return StoreSummary(
            complete: complete,
            settled: [.activities: try activities.findSettled(), .index: try index.findSettled()],
            heads: [.activities: try activities.head(), .index: try index.head()],
            clock: clock, order: activities.progress.order, resume: try resume(of: peer),
            dropped: dropped, reports: reports, snapshots: try snapshots(of: peer))
    }

    private func resume(of peer: DeviceIdentifier?) throws(StoreFailure) -> [Lane: ResumeToken] {
        var tokens: [Lane: ResumeToken] = [:]
        guard let peer else { return tokens }
        for database in lanes { tokens[database.lane] = try database.resumeToken(of: peer) }
        return tokens
    }

    /// The largest hybrid time that was ever kept here.
    package var clock: HybridTime { max(activities.progress.clock, index.progress.clock) }

    package func changes(_ request: ChangesRequest) throws(StoreFailure) -> ChangesAnswer {
        try database(request.lane).changes(request)
    }

    package func strays(
        of devices: Set<DeviceIdentifier>, in lane: Lane
    ) throws(StoreFailure) -> [Write] {
        try database(lane).strays(of: devices, orIn: sharedLives())
    }

    /// Lives in which more than one machine wrote.
    func sharedLives() throws(StoreFailure) -> Set<Life> {
        Set(try activities.records(of: .sharedLife).compactMap(\.sharedLife))
    }

    package func records(of kind: RecordKind) throws(StoreFailure) -> [Record] {
        try database(kind.lane).records(of: kind)
    }

    package func record(_ identity: RecordIdentity) throws(StoreFailure) -> Record? {
        try database(identity.kind.lane).recordWithPending(identity)
    }

    package func shownState(of name: ClientStateName) throws(StoreFailure) -> ShownState? {
        try index.shownState(name.key.identity)
    }

    package func digest(at time: WallTime) throws(StoreFailure) -> StateDigest {
        try settleAll()
        var digest = try activities.digest(at: time)
        digest += try index.digest(at: time)
        return digest
    }

    package func asides() -> [Aside] { activities.progress.asides.sorted + index.progress.asides.sorted }

    package func notes(in space: NoteSpace) throws(StoreFailure) -> [LocalNote] {
        try database(of: space).notes(in: space)
    }

    private func database(of space: NoteSpace) -> LaneDatabase { space == .reindex ? index : activities }
}
