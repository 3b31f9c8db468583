import BatonCore

extension LaneDatabase {
    /// Merges writes, and claims what they complete; all of it or nothing.
    ///
    /// Where the transaction has a condition that does not hold, only its name is used up.
    func commit(_ transaction: StoreTransaction) throws(StoreFailure) -> StoreCommit {
        guard transaction.condition != nil else { return try merge(transaction) }
        return try atomically { () throws(StoreFailure) in
            var settled: StoreCommit?
            let refusal = try refusal(of: transaction, settling: &settled)
            if refusal != nil, let batch = transaction.batch { discard(batch.identifier) }
            var commit = try merge(refusal == nil ? transaction : transaction.emptied)
            commit.refusal = refusal
            return settled.map(commit.after) ?? commit
        }
    }

    private func merge(_ transaction: StoreTransaction) throws(StoreFailure) -> StoreCommit {
        let isPeerSetBack = transaction.sender.map { !progress.dropped.isWithin($0) } ?? false
        try transaction.demandSound(isPeerSetBack: isPeerSetBack)
        return try atomically { () throws(StoreFailure) in
            let standing = progress
            var commit = StoreCommit(head: .none, clock: .zero, changed: [])
            var changed: [RecordIdentity: Record] = [:]
            let ending = transaction.states.filter { !progress.complete.covers($0.dot) }
            commit.outranked = try outranked(by: transaction)
            var (doubtful, isAllKnown): (Set<RecordIdentity>, Bool) = ([], false)
            if let range = transaction.range {
                isAllKnown = range.knowsAll(expected: try expected, dropped: progress.dropped)
                doubtful = try remove(range, transaction, isAllKnown: isAllKnown, changed: &changed)
            }
            let removed = Set(changed.keys)
            progress.renamed.subtract(transaction.writes.map(\.dot.origin.life))
            var arrived: [Write] = []
            try transaction.visitWrites { (write, late) throws(StoreFailure) in
                if let late {
                    try mergePending(of: late.action.item.key.identity, changed: &changed)
                    let made = try late.write { (identity) throws(StoreFailure) in
                        try storedRecord(identity)?.record
                    }
                    if let made { commit.additions.append(made) } else { commit.passedOver += 1 }
                    if let made { try merge(made, changed: &changed) }
                }
                guard let write, !write.isEmpty,
                    try isNews(write, of: transaction)
                        || write.takesPlace(ofRemoved: removed, isAllKnown: isAllKnown)
                else { return }
                try merge(write, changed: &changed)
                if isPeerSetBack { arrived.append(write) }
            }
            if let batch = transaction.batch { commit.passedOver += try end(batch, changed: &changed) }
            try setAside(transaction, &commit)
            try resolveOverwritten(in: Array(changed.values), &commit)
            if let succession = transaction.succession(after: progress.complete, progress.lineage) {
                try merge(succession, changed: &changed)
                commit.additions.append(succession)
            }
            for record in changed.values { note(Succession(record)) }
            commit.isWithheld = try claim(transaction.completing(unlessOf: progress.abandoned))
            commit.additions += try end(ending, of: transaction, changed: &changed)
            try follow(transaction)
            try renew(transaction, arrived, doubtful: doubtful, changed: &changed)
            if let range = transaction.range {
                if try keepProgress(range, transaction.resume) { commit.isWithheld = true }
            } else if let resume = transaction.resume {
                try keep(resume)
                if !transaction.completing.isEmpty { try endSnapshot(of: resume.peer) }
            }
            try notePromises(of: transaction)
            commit.shown = try judgeStates(after: transaction, since: standing, changed)
            commit.changed = changed.values.sorted { $0.identity < $1.identity }
            commit.head = try head()
            if progress.dropped.isWithin(progress.complete) { commit.complete = progress.complete }
            return commit
        }
    }

    /// Merges one write, and lets a clear have its effect.
    func merge(
        _ arriving: Write, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        guard let write = progress.clears.remains(of: arriving) else { return }
        var record = Record(write.identity)
        // What does nothing to a record of which nothing is known does nothing to any.
        guard record.merge(write) else { return }
        // Most often there is none before, and then one look into the table tells so and makes its row.
        if try insert(record) {
            progress.digest += record.digest(at: progress.digestTime)
            try add(record.survivingWrites, of: record, to: connection.lastInserted, after: nil)
        } else {
            guard let stored = try storedRecord(write.identity) else { throw damaged(.outOfRange) }
            record = stored.record
            guard record.merge(write) else { return }
            try save(record, over: stored, after: write)
        }
        changed[record.identity] = record
        guard let clear = record.clear, !clear.scope.isEmpty else { return }
        progress.clears.add(clear)
        try sweep(clear, changed: &changed)
    }

    /// Writes down what became of a record: what survives keeps its place, and the new write gets one.
    ///
    /// A write of which a part stood here already moves: a peer may have read past the place of the part.
    func save(
        _ record: Record, over stored: StoredRecord, after write: Write?
    ) throws(StoreFailure) {
        var arriving = record.survivingWrites
        for (arrival, standing) in stored.writes {
            guard write?.isSame(as: standing) != true,
                let place = arriving.firstIndex(where: { $0.isSame(as: standing) }),
                // What another write ended has to be told to peers who have read it already.
                write == nil || arriving[place].isFull || !standing.isFull
            else {
                try connection.run("DELETE FROM writes WHERE arrival = ?", .integer(arrival.value))
                continue
            }
            let now = arriving.remove(at: place)
            if now != standing { try update(now, at: arrival) }
        }
        progress.digest -= stored.raw.digest(at: progress.digestTime)
        progress.digest += record.digest(at: progress.digestTime)
        guard record.isTraced else {
            if let clear = stored.record.clear {
                try finishSweep(of: clear)
                progress.clears.remove(clear)
            }
            try noteSearch(stored.number, from: stored.raw, to: nil)
            noteUsage(stored.number, from: stored.raw, to: nil)
            try noteActivity(stored.number, from: stored.raw, to: nil)
            return try connection.run("DELETE FROM records WHERE number = ?", .integer(stored.number))
        }
        try connection.run(
            "UPDATE records SET name = ?, expires = ? WHERE number = ?", record.storedName,
            record.storedExpiration, .integer(stored.number))
        try add(arriving, of: record, to: stored.number, after: stored.raw)
    }

    /// Makes the row of a record, unless there is one.
    private func insert(_ record: Record) throws(StoreFailure) -> Bool {
        try connection.run(
            "INSERT INTO records (kind, hash, name, expires) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            .integer(record.identity.kind.rawValue), .blob(record.identity.hash.bytes), record.storedName,
            record.storedExpiration)
        return connection.lastChangeCount > 0
    }

    /// Puts writes to the row of a record, and takes note of what became of it.
    private func add(
        _ writes: [Write], of record: Record, to number: Int64, after old: Record?
    ) throws(StoreFailure) {
        // A write of single fields may come too late for all of them.
        for write in writes { try insert(write, into: number) }
        try noteSearch(number, from: old, to: record)
        noteUsage(number, from: old, to: record)
        try noteActivity(number, from: old, to: record)
    }

    private func insert(_ write: Write, into record: Int64) throws(StoreFailure) {
        let columns = try ActionColumns(write.action) { (life) throws(StoreFailure) in try number(of: life) }
        try connection.run(
            """
            INSERT INTO writes
                (record, life, sequence, place, time, time_life, action, base, base_life, scope, fields)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(record), .integer(try number(of: write.dot.origin.life)), .integer(write.dot.sequence),
            .integer(Int64(write.dot.place)), .integer(write.stamp.time.value),
            .integer(try number(of: write.stamp.life)), columns.action, columns.base, columns.baseLife,
            columns.scope, columns.fields)
    }

    /// Replaces what a write does, where some of its fields were overwritten, or it was cleared.
    private func update(_ write: Write, at arrival: Arrival) throws(StoreFailure) {
        let columns = try ActionColumns(write.action) { (life) throws(StoreFailure) in try number(of: life) }
        try connection.run(
            "UPDATE writes SET action = ?, base = ?, base_life = ?, scope = ?, fields = ? WHERE arrival = ?",
            columns.action, columns.base, columns.baseLife, columns.scope, columns.fields,
            .integer(arrival.value))
    }
}

extension Record {
    /// What stands in the row of the record.
    fileprivate var storedName: SQLiteValue { name.map(SQLiteValue.blob) ?? .null }
    fileprivate var storedExpiration: SQLiteValue {
        expiration.map { .integer($0.milliseconds) } ?? .null
    }
}

/// The columns that say what a write does.
private struct ActionColumns {
    let action: SQLiteValue
    var base = SQLiteValue.null
    var baseLife = SQLiteValue.null
    var scope = SQLiteValue.null
    var fields = SQLiteValue.null

    init(_ action: Write.Action, number: (Life) throws(StoreFailure) -> Int64) throws(StoreFailure) {
        switch action {
        case .full(let content):
            self.action = .integer(StoredAction.full.rawValue)
            (scope, fields) = (.blob(content.scope.encoded), .blob(content.fields.encoded))
        case .deletion:
            self.action = .integer(StoredAction.deletion.rawValue)
        case .partial(let base, let fields):
            self.action = .integer(StoredAction.partial.rawValue)
            (self.base, baseLife) = (.integer(base.time.value), .integer(try number(base.life)))
            self.fields = .blob(fields.encoded)
        case .count(let begun, let content):
            self.action = .integer(StoredAction.count.rawValue)
            (base, baseLife) = (.integer(begun.time.value), .integer(try number(begun.life)))
            (scope, fields) = (.blob(content.scope.encoded), .blob(content.fields.encoded))
        }
    }
}

/// What stands in the column `action`.
enum StoredAction: Int64 {
    case full = 0
    case deletion = 1
    case partial = 2
    case count = 3
}
