package import BatonCore

/// One lane of an account in an SQLite database.
///
/// The two lanes of an account are independent of each other.
///
/// Only one thread at a time may use a lane.
package final class SQLiteLane: LaneStore {
    let database: LaneDatabase
    /// Whether a group of transactions is open.
    ///
    /// If no group is open, each transaction is a group of its own.
    package private(set) var isGrouping = false
    /// Whether the last sync failed.
    ///
    /// Parts of SQLite's log may then never reach the disk: Linux reports a failed write only once, and from then on
    /// treats the page as written.
    private var doubtsSyncs = false

    init(_ database: LaneDatabase) { self.database = database }

    package var lane: Lane { database.lane }

    package func group(
        durably isDurable: Bool, _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        try Self.group([self], durably: isDurable, body)
    }

    /// Runs the closure as a part of the open group, or as a group of its own if none is open.
    ///
    /// If the closure fails, its changes are undone.
    func change<Value>(
        _ body: (LaneDatabase) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        try grouped { (database) throws(StoreFailure) in
            try database.transaction.atomically { () throws(StoreFailure) in try body(database) }
        }
    }

    /// Runs the closure as `change` does, but doesn't undo its changes in an open group if it fails.
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
        for note in transaction.notes {
            precondition(note.space.lane == lane, "a note stands with the lane of its space")
        }
        return completed(
            try grouped { (database) throws(StoreFailure) in try database.committer.commit(transaction) })
    }

    package func stage(_ drafts: [Journal.Draft], in batch: BatchIdentifier) throws(StoreFailure) {
        demandOwn(.index)
        try change { (database) throws(StoreFailure) in try database.batches.stage(drafts, in: batch) }
    }

    package func discard(_ batch: BatchIdentifier) {
        demandOwn(.index)
        database.batches.discard(batch)
    }

    package func settle(most: Int) throws(StoreFailure) -> StoreCommit? {
        guard database.state.isUnsettled else { return nil }
        return completed(
            try change { (database) throws(StoreFailure) in try database.committer.settle(most: most) })
    }

    package func unsettled() throws(StoreFailure) -> Unsettled { try database.committer.unsettled() }

    package func sweep(_ request: SweepRequest) throws(StoreFailure) -> SweepStep? {
        if let place = request.after { demandOwn(place.lane) }
        if let commit = try settle(most: request.most) {
            return SweepStep(lane: lane, commit: commit, next: request.after)
        }
        var step = try change { (database) throws(StoreFailure) in try database.tombstones.sweep(request) }
        if let commit = step?.commit { step?.commit = completed(commit) }
        return step
    }

    package func report(
        of own: DeviceIdentifier, having known: VersionVector
    ) throws(StoreFailure) {
        precondition(isGrouping, "a report is kept with all that it says is kept")
        try change { (database) throws(StoreFailure) in
            try database.tombstones.report(own, known.meet(database.state.claims.complete))
        }
    }

    package func recount(at time: WallTime) throws(StoreFailure) -> LaneSums {
        try grouped { (database) throws(StoreFailure) in try database.digest.recount(at: time) }
    }

    private func completed(_ commit: StoreCommit) -> StoreCommit {
        var commit = commit
        (commit.clock, commit.isUnsettled) = (database.state.clock, database.state.isUnsettled)
        return commit
    }

    // MARK: Queries

    package func mark(of life: Life) throws(StoreFailure) -> LaneMark? {
        let (claims, order, head) = (database.state.claims, database.state.order, database.state.head)
        guard claims.complete.count < Limits.laneOrigins, !claims.abandoned.contains(life) else { return nil }
        return LaneMark(
            lane: lane, life: life, order: order,
            sequence: claims.complete[Origin(life: life, lane: lane)], head: head)
    }

    package func changes(_ request: ChangesRequest) throws(StoreFailure) -> ChangesAnswer {
        demandOwn(request.lane)
        return try database.changes.changes(request)
    }

    package func range(_ request: RangeRequest) throws(StoreFailure) -> RangeAnswer {
        demandOwn(request.lane)
        return try database.changes.range(request)
    }

    package func part(_ request: PartRequest) throws(StoreFailure) -> RecordPart {
        demandOwn(request.lane)
        return try database.changes.part(request)
    }

    package func records(
        of kind: RecordKind, besides space: NoteSpace?, where isWanted: (Record) -> Bool
    ) throws(StoreFailure) -> [Record] {
        demandOwn(kind.lane)
        return try database.records.records(of: kind, besides: space, where: isWanted)
    }

    package func record(_ identity: RecordIdentity) throws(StoreFailure) -> Record? {
        demandOwn(identity.kind.lane)
        return try database.batches.record(identity)
    }

    package func visitActivities(
        _ query: ActivityQuery, at now: WallTime, _ body: (ActivityEntry) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        demandOwn(.activities)
        try database.tables.activities.visit(query, at: now, body)
    }

    package func visitActivityTotals(
        at now: WallTime, _ body: (ActivityTotal) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        demandOwn(.activities)
        try database.tables.activities.visitTotals(at: now, body)
    }

    package func shownState(of name: ClientStateName) throws(StoreFailure) -> ShownState? {
        demandOwn(.index)
        return try database.states.shownState(name.key.identity)
    }

    package func visitNotes(in space: NoteSpace, _ body: (LocalNote) -> Bool) throws(StoreFailure) {
        demandOwn(space.lane ?? lane)
        try database.tables.notes.visit(space, body)
    }

    // MARK: Earlier searches

    /// Remembers a search that was useful to the person.
    ///
    /// `app` is the app in which the person searched; nil if the person searched all apps.
    package func remember(
        search text: String, in app: String? = nil, at now: WallTime
    ) throws(StoreFailure) {
        demandOwn(.index)
        try change { (database) throws(StoreFailure) in
            try database.history.remember(text, in: app, at: now)
        }
    }

    /// Forgets a remembered search in all apps, or all remembered searches if `text` is nil.
    package func forgetSearches(_ text: String?) throws(StoreFailure) {
        demandOwn(.index)
        try change { (database) throws(StoreFailure) in try database.history.forget(text) }
    }

    /// Forgets the remembered searches that no longer find anything.
    ///
    /// Otherwise, these searches would still contain words of removed items.
    ///
    /// The activities are in the file of the other lane. They are read only if one of the searches finds no item.
    package func forgetVainSearches(at now: WallTime) throws(StoreFailure) {
        demandOwn(.index)
        let texts = try database.history.withoutItems()
        guard !texts.isEmpty, let folder = database.path.lastIndex(of: "/") else { return }
        let saved = SavedActivities(
            try LaneReader(
                database.path[..<folder] + "/\(Lane.activities).sqlite", lane: .activities,
                fileSystem: database.fileSystem, cipher: database.cipher))
        let vain = try saved.finding(none: texts, at: now)
        guard !vain.isEmpty else { return }
        try change { (database) throws(StoreFailure) in
            for text in vain { try database.history.forget(text) }
        }
    }

    // MARK: The database as a whole

    /// Adds the words of the next items to the full-text table.
    ///
    /// Adds at most `most` items. Returns true if no item is missing in the table afterwards.
    package func fillSearch(most: Int = 500) throws(StoreFailure) -> Bool {
        guard database.search.isFilling else { return true }
        return try change { (database) throws(StoreFailure) in try database.search.fill(most: most) }
    }

    /// Empties the full-text table after it was found damaged.
    ///
    /// The caller must fill the table again (`fillSearch`).
    package func emptySearch() throws(StoreFailure) {
        try change { (database) throws(StoreFailure) in try database.search.empty() }
    }

    /// Does the next step of erasing deleted content from the files.
    ///
    /// Returns the progress before this step.
    ///
    /// If `words` is `.replaced`, the words of texts that were only replaced are erased, too. Otherwise, they are
    /// erased only if an item was removed as well.
    package func erase(
        _ words: RemovedWords, pages: Int? = nil, at now: WallTime = WallTime(milliseconds: .min)
    ) throws(StoreFailure) -> ErasureProgress {
        let before = database.erasure.progress(words)
        guard before != .done else { return .done }
        // Remembered searches may contain words of removed items. So the searches that no longer find anything are
        // forgotten.
        if lane == .index, !database.search.isRewriting { try forgetVainSearches(at: now) }
        try change { (database) throws(StoreFailure) in
            try database.erasure.goOn(words, pages: pages ?? LaneErasure.pagesAtOnce)
        }
        return before
    }

    /// Whether more than 2 MiB of the database is in memory.
    ///
    /// The caller then releases the memory when nobody needs it. Changes of activities take much less memory than this.
    package var holdsMuch: Bool { database.cachedBytes > 2 << 20 }

    /// Frees the memory of cached pages, which can be read from the database again.
    package func releaseMemory() { database.releaseMemory() }

    /// Truncates SQLite's log if it grew long while a backup was made.
    package func truncateLog() { database.log.truncateIfLong() }

    /// Whether this lane has read data that differs from what was written.
    package var isDamaged: Bool { database.hasSeenDamage }

    /// Stops the program if a caller passes something that belongs to the other lane.
    func demandOwn(_ lane: Lane) {
        precondition(lane == self.lane, "the call is about the other lane")
    }
}

/// Groups of transactions, in one lane or in both.
extension SQLiteLane {
    /// Runs the closure, and keeps either everything that it commits to these lanes or nothing.
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
        // A failed transaction that could not be rolled back earlier is rolled back first.
        for lane in lanes { try lane.database.transaction.rollBack() }
        do {
            try body()
            for lane in lanes { try lane.database.transaction.demandSound() }
            for lane in lanes { try lane.database.finish() }
        } catch {
            for lane in lanes { lane.database.transaction.abandon() }
            throw error
        }
    }

    /// Runs a closure that commits to these lanes, and syncs these commits and all earlier commits to the disk.
    private static func sync(
        _ lanes: [SQLiteLane], _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        for lane in lanes { try lane.database.sync(each: true) }
        let outcome = Result { () throws(StoreFailure) in
            for lane in lanes where lane.doubtsSyncs { try lane.database.restartLog() }
            try body()
        }
        for lane in lanes { lane.doubtsSyncs = outcome.isFailure }
        for lane in lanes { try lane.database.sync(each: false) }
        try outcome.get()
    }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
