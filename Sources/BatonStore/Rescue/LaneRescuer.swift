import BatonCore

/// Copies what can be read of a damaged database into a new database.
///
/// The new database claims nothing and has garbage-collected nothing. So the device fetches everything from the other
/// devices, as a new device does. It shows no client states to apps before this is complete. The new database also has
/// a new order of arrival, which no peer has seen.
final class LaneRescuer {
    private let source: DamagedDatabase
    private let target: LaneDatabase
    private let tables: LaneTables
    private let watch: RescueWatch
    /// The number of writes that were copied.
    private(set) var count = 0
    /// Whether some rows could not be read.
    private(set) var hasLosses: Bool
    private var writes: [Write] = []
    /// The indexes of which at least one row was read.
    private var indexes: Set<ClientStateName> = []

    /// The number of writes that are copied in one transaction.
    private static let groupSize = 256

    /// Creates a rescuer that copies from `source` to `target`.
    ///
    /// `hasLosses` is true if the source already lacks rows of the damaged database.
    init(
        _ source: DamagedDatabase, _ target: LaneDatabase, _ watch: RescueWatch, hasLosses: Bool = false
    ) {
        self.source = source
        self.target = target
        self.watch = watch
        self.hasLosses = hasLosses
        tables = target.tables
    }

    /// Copies everything that can be read.
    func run(_ owner: LaneOwner) throws(StoreFailure) {
        let mayLackAny = hasLosses
        try demand(owner)
        try takeLives()
        try takeNotes()
        try takeTimes()
        try takeClaims()
        let (lost, hasLostFurther) = try takeWrites()
        let isWhole = try takeBatches()
        if !lost.isEmpty || hasLostFurther || !isWhole { hasLosses = true }
        // It is unknown which item a lost update changed, so a lost update is treated as a lost item.
        guard target.lane == .index else { return }
        let mayLackItems = try mayHoldItems(lost)
        if mayLackAny || mayLackItems || hasLostFurther || !isWhole { try askApps() }
    }

    /// Throws if the damaged database belongs to another account, device or lane.
    ///
    /// An owner that can't be read is accepted.
    private func demand(_ owner: LaneOwner) throws(StoreFailure) {
        if let found = try source.owner(else: owner.lane) {
            return try found.owner.demand(owner, at: source.path)
        }
        let found = try source.first("SELECT identifier FROM account", []) {
            (row) throws(StoreFailure) in row.blob(0)
        }
        guard let account = found.flatMap({ AccountIdentifier(bytes: $0[...]) }) else { return }
        try LaneOwner(account: account, lane: owner.lane).demand(owner, at: source.path)
    }

    // MARK: Rows beside the writes

    /// Copies the lives and their numbers.
    ///
    /// The lives are in a table and also in the index of that table. Each of the two is read from both ends, until one
    /// of these reads finds all rows.
    private func takeLives() throws(StoreFailure) {
        var lives: [Int64: Life] = [:]
        for order in [
            "NOT INDEXED ORDER BY number", "NOT INDEXED ORDER BY number DESC",
            "INDEXED BY sqlite_autoindex_lives_1 ORDER BY life",
            "INDEXED BY sqlite_autoindex_lives_1 ORDER BY life DESC",
        ] {
            let isWhole = try source.rows("SELECT number, life FROM lives \(order)") { (row) in
                if let life = Life(bytes: row.blob(1)) { lives[row.integer(0)] = life }
            }
            if isWhole { break }
        }
        for (number, life) in lives.sorted(by: { $0.key < $1.key }) {
            try tables.rows.insert(life, number: number)
        }
    }

    /// Copies the notes, except those about claims and received writes.
    private func takeNotes() throws(StoreFailure) {
        let spaces: [NoteSpace] = [
            .ownActivity, .address, .lastContact, .setting, .reindex, .dismissal, .keptActivity,
            .keptUse, .pastUse, .signWeights, .donation, .arrivalTime, .activitiesChange, .indexChange,
            .batchMark, .skippedStatement, .restoration,
        ]
        for space in spaces {
            for order in ["ASC", "DESC"] {
                let query =
                    "SELECT name, value FROM notes WHERE space = \(space.rawValue) ORDER BY name \(order)"
                let isWhole = try source.rows(query) { (row) throws(StoreFailure) in
                    try tables.notes.keep(LocalNote(space: space, name: row.blob(0), value: row.blob(1)))
                }
                if isWhole { break }
                hasLosses = true
            }
        }
    }

    /// Copies the clock, the horizon, and the time for which expired records were swept.
    ///
    /// The clock is copied because no new write may have an earlier time. If the row with these times can't be read,
    /// they begin as on a new device, and advance with the snapshots that the device receives next.
    private func takeTimes() throws(StoreFailure) {
        let query = "SELECT time, horizon, swept FROM progress"
        let times = try source.first(query, []) { (row) throws(StoreFailure) in
            (
                HybridTime(value: row.unsigned(0)), HybridTime(value: row.unsigned(1)),
                swept: row.isNull(2) ? .never : WallTime(milliseconds: row.integer(2))
            )
        }
        guard let times else { return }
        try target.begin()
        target.transaction.state.clock = max(target.state.clock, times.0)
        target.transaction.state.tombstones.horizon = max(target.state.tombstones.horizon, times.1)
        target.transaction.state.swept = max(target.state.swept, times.swept)
        try target.finish()
    }

    /// Stores the vector that the damaged database answered for, as far as it can be read.
    ///
    /// The new database claims none of this.
    private func takeClaims() throws(StoreFailure) {
        var answered = VersionVector()
        for table in ["complete", "dropped"] {
            _ = try source.rows("SELECT life, sequence FROM \(table)") { (row) throws(StoreFailure) in
                answered.extend(try tables.rows.origin(row.integer(0)), to: row.unsigned(1))
            }
        }
        let vectors = """
            SELECT start FROM snapshots UNION ALL SELECT value FROM notes
            WHERE space IN (\(NoteSpace.openStream.rawValue), \(NoteSpace.givenUp.rawValue))
            """
        _ = try source.rows(vectors) { (row) throws(StoreFailure) in
            answered.join(
                try tables.rows.decode(row.blob(0)) { (reader) throws(CBORError) in
                    try VersionVector(from: &reader)
                })
        }
        _ = try source.rows("SELECT name, value FROM notes WHERE space = \(NoteSpace.promise.rawValue)") {
            (row) throws(StoreFailure) in
            answered.join(try tables.claims.promise(row.blob(0), row.blob(1)))
        }
        guard !answered.isEmpty else { return }
        try target.begin()
        try target.claims.noteGivenUp(answered)
        try target.finish()
    }

    // MARK: Writes

    /// Copies the writes in the order of their arrival.
    ///
    /// Returns the numbers of the records that can't be read, and whether there is a row of `further_writes` that can't
    /// be read.
    private func takeWrites() throws(StoreFailure) -> (records: [ClosedRange<Int64>], hasLostFurther: Bool) {
        var order: [(place: UInt64, number: Int64, isFurther: Bool)] = []
        let openings = "SELECT number, arrival FROM records WHERE number >= ? ORDER BY number"
        var lost = try source.numberedRows(openings) { (row) in
            if !row.isNull(1) { order.append((row.unsigned(1), row.integer(0), isFurther: false)) }
        }
        let further = "SELECT arrival FROM further_writes WHERE arrival >= ? ORDER BY arrival"
        var hasLostFurther = try !source.numberedRows(further) { (row) in
            order.append((row.unsigned(0), row.integer(0), isFurther: true))
        }.isEmpty
        for (_, number, isFurther) in order.sorted(by: { $0.place < $1.place }) {
            if let write = isFurther ? try furtherWrite(at: number) : try opening(of: number) {
                try rescueWrite(write)
            } else if isFurther {
                hasLostFurther = true
            } else {
                lost.append(number...number)
            }
        }
        try flush()
        return (lost.sorted { $0.lowerBound < $1.lowerBound }, hasLostFurther)
    }

    /// Returns the write that opens a record; nil if the write can't be read.
    private func opening(of number: Int64) throws(StoreFailure) -> Write? {
        let query = "SELECT kind, hash, name, \(WriteColumns.opening) FROM records WHERE number = ?"
        return try source.first(query, [.integer(number)]) { (row) throws(StoreFailure) in
            let (identity, name) = try record(row, from: 0)
            return try WriteColumns.write(row, from: 3, identity: identity, name: name, tables.rows)
        }
    }

    /// Returns the write at a place of `further_writes`; nil if the write or its record can't be read.
    private func furtherWrite(at place: Int64) throws(StoreFailure) -> Write? {
        let query = """
            SELECT kind, hash, name, \(WriteColumns.further) FROM further_writes JOIN records ON number = record
            WHERE further_writes.arrival = ?
            """
        return try source.first(query, [.integer(place)]) { (row) throws(StoreFailure) in
            let (identity, name) = try record(row, from: 0)
            return try WriteColumns.write(row, from: 3, identity: identity, name: name, tables.rows)
        }
    }

    private func rescueWrite(_ write: Write) throws(StoreFailure) {
        if let key = write.key { recordKey(key) }
        writes.append(write)
        if writes.count >= Self.groupSize { try flush() }
    }

    /// Copies the drafts that are not merged yet of batches that have ended.
    ///
    /// Returns false if some drafts can't be read.
    private func takeBatches() throws(StoreFailure) -> Bool {
        let hasBatches = try source.first("SELECT 1 FROM sqlite_schema WHERE name = 'batches'", []) {
            (_) throws(StoreFailure) in true
        }
        // Like the table of the owner, this table may be missing in a damaged database.
        guard hasBatches == true else { return true }
        var batches: [PendingBatch] = []
        let query = """
            SELECT \(BatchTable.columns) FROM batches WHERE life IS NOT NULL ORDER BY time
            """
        var isWhole = try source.rows(query) { (row) throws(StoreFailure) in
            batches.append(try tables.batches.pendingBatch(row))
        }
        for pending in batches {
            var (count, reached) = (0, Int64.min)
            let query = """
                SELECT number, draft FROM staged WHERE number >= \(pending.staged.lowerBound)
                AND number < \(pending.staged.upperBound) ORDER BY number
                """
            let isRead = try source.rows(query) { (row) throws(StoreFailure) in
                guard row.integer(0) > reached else { throw tables.rows.damaged(.outOfRange) }
                (count, reached) = (count + 1, row.integer(0))
                let (dot, stamp) = pending.batch.name(at: StagedNumber.place(row.integer(0)))
                let draft = try tables.batches.draft(row.blob(1))
                let write = try draft.write(dot, at: stamp) { (identity) throws(StoreFailure) in
                    // The item that an update changes may be in `writes`, which are merged first.
                    try flush()
                    return try target.records.stored(identity)?.record
                }
                if let write { writes.append(write) }
                recordKey(draft.key)
                if writes.count >= Self.groupSize { try flush() }
            }
            if !isRead || count < pending.staged.count { isWhole = false }
        }
        try flush()
        return isWhole
    }

    /// Returns the identity and the name of a record from three columns: kind, hash and name.
    private func record(
        _ row: borrowing Row, from first: Int32
    ) throws(StoreFailure) -> (RecordIdentity, name: [UInt8]?) {
        let identity = try tables.rows.identity(row, from: first)
        let name = row.isNull(first + 2) ? nil : row.blob(first + 2)
        if let name, RecordKey(kind: identity.kind, name: name).identity != identity {
            throw tables.rows.damaged(.outOfRange)
        }
        return (identity, name)
    }

    /// Merges the writes that were read, with their original dots and without claiming them.
    private func flush() throws(StoreFailure) {
        guard let clock = writes.map(\.latestTime).max() else { return }
        let transaction = StoreTransaction(
            lane: target.lane, writes: writes, completing: VersionVector(), clock: clock)
        count += writes.count
        writes = []
        try target.begin()
        _ = try target.committer.commit(transaction)
        try target.finish()
        watch.recordRescue(target.lane, writes: count)
        try watch.demandGoingOn()
    }

    // MARK: Requests to index again

    /// Notes the index to which an item or a client state belongs.
    private func recordKey(_ key: RecordKey) {
        do throws(CBORError) {
            switch key.kind {
            case .item:
                let name = try ItemName(key)
                indexes.insert(ClientStateName(app: name.app, index: name.index))
            case .clientState: indexes.insert(try ClientStateName(key))
            default: return
            }
        } catch {
            // A newer version of Baton made the name. The app is asked to index again when it opens the index.
            return
        }
    }

    /// Asks all apps to index everything again.
    ///
    /// The name of an item is in the same row as its content. So it is unknown which items are lost.
    private func askApps() throws(StoreFailure) {
        try tables.notes.requestReindexing(.all, of: nil)
        for index in indexes.sorted(by: { $0.key.name.lexicographicallyPrecedes($1.key.name) }) {
            try tables.notes.requestReindexing(.all, of: index)
        }
    }

    /// Whether an item may be among the records with these numbers.
    ///
    /// The kinds of the records are also in an index, which may still be readable.
    private func mayHoldItems(_ lost: [ClosedRange<Int64>]) throws(StoreFailure) -> Bool {
        guard !lost.isEmpty else { return false }
        var holds = false
        let query =
            "SELECT number, kind FROM records INDEXED BY sqlite_autoindex_records_1 ORDER BY kind, hash"
        let isWhole = try source.rows(query) { (row) in
            if lost.holds(row.integer(0)), RecordKind(rawValue: row.unsigned(1)) == .item { holds = true }
        }
        return holds || !isWhole
    }
}

extension [ClosedRange<Int64>] {
    /// Whether one of these ranges contains a number.
    ///
    /// The ranges must be in ascending order.
    fileprivate func holds(_ number: Int64) -> Bool {
        var (first, end) = (startIndex, endIndex)
        while first < end {
            let middle = first + (end - first) / 2
            if self[middle].upperBound < number { first = middle + 1 } else { end = middle }
        }
        return first < endIndex && self[first].contains(number)
    }
}
