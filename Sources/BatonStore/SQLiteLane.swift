package import BatonCore

/// One lane of an account in SQLite, which is kept by itself: who uses it needs nothing of the other lane.
///
/// It belongs to one thread at a time.
package final class SQLiteLane: LaneStore {
    let database: LaneDatabase
    /// Whether a group is open; outside of one, each transaction is a group of its own.
    package private(set) var isGrouping = false
    /// Whether what was to be synced may never come to the disk from SQLite's journal, as that failed last: Linux takes
    /// for written what it once told that it could not write.
    private var doubtsSyncs = false

    init(_ database: LaneDatabase) { self.database = database }

    package var lane: Lane { database.lane }

    package func group(
        durably isDurable: Bool, _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        try Self.group([self], durably: isDurable, body)
    }

    /// Does with the database what is kept together with the rest of the group, or by itself if there is none.
    func change<Value>(
        _ body: (LaneDatabase) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        try grouped { (database) throws(StoreFailure) in
            try database.atomically { () throws(StoreFailure) in try body(database) }
        }
    }

    /// The same, where nothing of what was changed needs to be undone by itself.
    private func grouped<Value>(
        _ body: (LaneDatabase) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        guard !isGrouping else {
            try database.begin()
            return try body(database)
        }
        var result: Value?
        try group(durably: false) { () throws(StoreFailure) in result = try grouped(body) }
        guard let result else { preconditionFailure("a group that succeeds ran its body") }
        return result
    }

    // MARK: Transactions

    package func commit(_ transaction: StoreTransaction) throws(StoreFailure) -> StoreCommit {
        demandOwn(transaction.lane)
        let commit = try grouped { (database) throws(StoreFailure) in
            guard !transaction.notes.isEmpty else { return try database.commit(transaction) }
            return try database.atomically { () throws(StoreFailure) in
                for note in transaction.notes {
                    precondition(note.space.lane == lane, "a note stands with the lane of its space")
                    try database.keep(note)
                }
                return try database.commit(transaction)
            }
        }
        return completed(commit)
    }

    package func stage(_ drafts: [Journal.Draft], in batch: BatchIdentifier) throws(StoreFailure) {
        demandOwn(.index)
        try change { (database) throws(StoreFailure) in try database.stage(drafts, in: batch) }
    }

    package func discard(_ batch: BatchIdentifier) {
        demandOwn(.index)
        database.discard(batch)
    }

    package func settle(most: Int) throws(StoreFailure) -> StoreCommit? {
        guard database.hasPending else { return nil }
        return completed(try change { (database) throws(StoreFailure) in try database.settle(most: most) })
    }

    package func unsettled() throws(StoreFailure) -> Unsettled { try database.unsettled() }

    package func sweep(_ request: SweepRequest) throws(StoreFailure) -> SweepStep? {
        if let place = request.after { demandOwn(place.lane) }
        if let commit = try settle(most: request.most) {
            return SweepStep(lane: lane, commit: commit, next: request.after)
        }
        var step = try change { (database) throws(StoreFailure) in
            database.progress.swept = max(database.progress.swept, request.time)
            return try database.sweep(request)
        }
        if let commit = step?.commit { step?.commit = completed(commit) }
        return step
    }

    package func report(
        of own: DeviceIdentifier, having known: VersionVector
    ) throws(StoreFailure) {
        precondition(isGrouping, "a report is kept with all that it says is kept")
        try change { (database) throws(StoreFailure) in
            try database.report(own, known.meet(database.progress.complete))
        }
    }

    package func recount(at time: WallTime) throws(StoreFailure) -> LaneSums {
        try grouped { (database) throws(StoreFailure) in try database.recount(at: time) }
    }

    private func completed(_ commit: StoreCommit) -> StoreCommit {
        var commit = commit
        (commit.clock, commit.isUnsettled) = (database.progress.clock, database.hasPending)
        return commit
    }

    // MARK: Queries

    package func mark(of life: Life) throws(StoreFailure) -> LaneMark? {
        let progress = database.progress
        guard progress.complete.count < Limits.laneOrigins, !progress.abandoned.contains(life) else {
            return nil
        }
        return LaneMark(
            lane: lane, life: life, order: progress.order,
            sequence: progress.complete[Origin(life: life, lane: lane)], head: try database.head())
    }

    package func changes(_ request: ChangesRequest) throws(StoreFailure) -> ChangesAnswer {
        demandOwn(request.lane)
        return try database.changes(request)
    }

    package func range(_ request: RangeRequest) throws(StoreFailure) -> RangeAnswer {
        demandOwn(request.lane)
        return try database.range(request)
    }

    package func part(_ request: PartRequest) throws(StoreFailure) -> RecordPart {
        demandOwn(request.lane)
        return try database.part(request)
    }

    package func records(of kind: RecordKind) throws(StoreFailure) -> [Record] {
        demandOwn(kind.lane)
        return try database.records(of: kind)
    }

    package func record(_ identity: RecordIdentity) throws(StoreFailure) -> Record? {
        demandOwn(identity.kind.lane)
        return try database.recordWithPending(identity)
    }

    package func visitActivities(
        _ query: ActivityQuery, at now: WallTime, _ body: (ActivityEntry) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        demandOwn(.activities)
        try database.visitActivities(query, at: now, body)
    }

    package func visitActivityTotals(
        at now: WallTime, _ body: (ActivityTotal) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        demandOwn(.activities)
        try database.visitActivityTotals(at: now, body)
    }

    package func shownState(of name: ClientStateName) throws(StoreFailure) -> ShownState? {
        demandOwn(.index)
        return try database.shownState(name.key.identity)
    }

    package func notes(in space: NoteSpace) throws(StoreFailure) -> [LocalNote] {
        demandOwn(space.lane ?? lane)
        return try database.notes(in: space)
    }

    /// What is asked of a lane is about it.
    private func demandOwn(_ lane: Lane) {
        precondition(lane == self.lane, "what is about one lane is asked of that one")
    }
}

/// What is kept together, of one lane or of both.
extension SQLiteLane {
    /// Runs the closure so that all that it commits to those lanes is kept, or nothing of it.
    static func group(
        _ lanes: [SQLiteLane], durably isDurable: Bool, _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        guard isDurable else { return try group(lanes, body) }
        try sync(lanes) { () throws(StoreFailure) in
            try group(lanes) { () throws(StoreFailure) in
                try body()
                for lane in lanes { try lane.database.begin() }
            }
        }
    }

    private static func group(
        _ lanes: [SQLiteLane], _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        for lane in lanes {
            precondition(!lane.isGrouping, "groups do not nest")
            lane.isGrouping = true
        }
        defer { for lane in lanes { lane.isGrouping = false } }
        // What could not be undone before is undone now, or nothing is kept.
        for lane in lanes { try lane.database.rollBack() }
        do {
            try body()
            for lane in lanes { try lane.database.demandSound() }
            for lane in lanes { try lane.database.finish() }
        } catch {
            for lane in lanes { lane.database.abandon() }
            throw error
        }
    }

    /// Runs a closure that commits to those lanes, so that this and all that was committed to them before comes to stand
    /// on the disk.
    private static func sync(
        _ lanes: [SQLiteLane], _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        for lane in lanes { try lane.database.connection.apply(.durable) }
        let outcome = Result { () throws(StoreFailure) in
            for lane in lanes where lane.doubtsSyncs { try lane.database.moveJournal() }
            try body()
        }
        for lane in lanes { lane.doubtsSyncs = outcome.isFailure }
        for lane in lanes { try lane.database.connection.apply(.fast) }
        try outcome.get()
    }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
