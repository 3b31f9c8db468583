import BatonCore

/// Snapshots: all that a part of the records is made of, sent and taken.
extension LaneDatabase {
    /// All surviving writes of the records that come next.
    func range(_ request: RangeRequest) throws(StoreFailure) -> RangeAnswer {
        guard progress.dropped.isWithin(progress.complete), !isMerging else { return .notNow }
        if let covered = request.covered, !progress.dropped.isWithin(covered) { return .anew }
        var assembly = RangeAssembly(bytes: request.bytes, ofRecord: request.recordBytes)
        let isWhole = try records(after: request.after) { (number, identity) throws(StoreFailure) in
            guard let stored = try storedRecord(number: number) else { return true }
            return assembly.add(stored.record.survivingWrites, of: identity)
        }
        return .range(
            RecordRange(
                ahead: try
                    (request.since.map { (place) throws(StoreFailure) in try clears(after: place) } ?? [])
                    .map(\.write) + assembly.ahead, writes: assembly.writes,
                through: isWhole && assembly.ahead.isEmpty ? nil : assembly.last,
                isEndAhead: !assembly.ahead.isEmpty,
                complete: progress.complete, dropped: progress.dropped, horizon: progress.horizon,
                head: try head()))
    }

    /// Visits the records behind that one in their order, while the closure wants more; false if it had enough.
    private func records(
        after last: RecordIdentity?,
        _ body: (Int64, RecordIdentity) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) -> Bool {
        var isWhole = true
        let query = """
            SELECT number, kind, hash FROM records WHERE (kind, hash) > (?, ?) ORDER BY kind, hash
            """
        // The least kind is a clear's, and what comes before all of them is of none.
        let values: [SQLiteValue] =
            last.map { [.integer($0.kind.rawValue), .blob($0.hash.bytes)] } ?? [
                .integer(Int64(-1)), .blob([]),
            ]
        try connection.statement(query).rows(values) { (row) throws(StoreFailure) in
            isWhole = try body(row.integer(0), try identity(row, from: 1))
            return isWhole
        }
        return isWhole
    }

    // MARK: Taking

    /// Removes what another store knows and does not have; answers with the records of which something stays in doubt.
    func remove(
        _ range: ReceivedRange, _ transaction: StoreTransaction, isAllKnown: Bool,
        changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) -> Set<RecordIdentity> {
        var doubtful: Set<RecordIdentity> = []
        let sent = Dictionary(grouping: transaction.writes, by: \.identity)
        let kept = range.judgesClears ? try unseenClears(among: try records(of: .clear(in: lane))) : []
        for number in try numbers(in: range) {
            guard let stored = try storedRecord(number: number), !kept.contains(stored.record.identity)
            else { continue }
            let (identity, sent) = (stored.record.identity, sent[stored.record.identity] ?? [])
            let left = stored.record.remaining(
                judgedBy: range, sent: sent, unread: transaction.asides, isAllKnown: isAllKnown,
                by: transaction.renewingLife)
            let standing = left ?? stored.writes.map(\.write)
            if standing.contains(where: { range.isInDoubt($0, sent: sent) }) { doubtful.insert(identity) }
            guard let left else { continue }
            let record = left.isEmpty ? Record(identity) : Record(merging: left)
            try save(record, over: stored, after: nil)
            changed[identity] = record
        }
        return doubtful
    }

    /// Whether a write that arrives is to be merged: what is claimed already is passed over.
    ///
    /// A snapshot tells what a clear left of a write that stands here in full also where the clear was let go.
    func isNews(_ write: Write, of transaction: StoreTransaction) throws(StoreFailure) -> Bool {
        if transaction.isMending || !progress.complete.covers(write.dot) { return true }
        guard transaction.range != nil, let stored = try storedRecord(write.identity) else { return false }
        return stored.writes.contains { $0.write.isSame(as: write) }
    }

    /// Writes anew, with later stamps, what stands here and what has arrived that may be older than what was let go.
    ///
    /// Stamps are compared within a record, and what was let go was of this lane: the times of the other one say
    /// nothing.
    func renew(
        _ transaction: StoreTransaction, _ arrived: [Write], doubtful: Set<RecordIdentity>,
        changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        guard let life = transaction.renewingLife else { return }
        var renewal = Renewal(life: life, lane: lane, clock: max(progress.clock, progress.horizon))
        let sent = Dictionary(grouping: transaction.writes, by: \.identity)
        let arrived = Dictionary(grouping: arrived, by: \.identity)
        for identity in doubtful.union(arrived.keys).sorted() {
            guard let record = try storedRecord(identity)?.record else { continue }
            let (sent, arrived) = (sent[identity] ?? [], arrived[identity] ?? [])
            let renewed = renewal.renew(record) {
                transaction.mustRenew($0, sent: sent, arrived: arrived, horizon: progress.horizon)
            }
            for write in renewed { try merge(write, changed: &changed) }
        }
        try claim(renewal.claims)
        progress.clock = max(progress.clock, renewal.clock)
    }

    private func numbers(in range: ReceivedRange) throws(StoreFailure) -> [Int64] {
        var numbers: [Int64] = []
        _ = try records(after: range.after) { (number, identity) in
            if let through = range.through, identity > through { return false }
            if range.judges(identity) { numbers.append(number) }
            return true
        }
        return numbers
    }

    /// Keeps how far a snapshot came, or claims what it brought; answers as `claim(_:)` does.
    func keepProgress(
        _ range: ReceivedRange, _ resume: StoreTransaction.Resume?
    ) throws(StoreFailure) -> Bool {
        try drop(range.dropped)
        // A write that is made anew is later than the horizon, because the clock follows every believed time at once.
        progress.horizon = max(progress.horizon, min(range.horizon, .largestBelieved))
        guard let resume else { return false }
        guard let through = range.through else {
            let isWithheld = try claim(range.start)
            try endSnapshot(of: resume.peer)
            try keep(resume)
            return isWithheld
        }
        var start = CBORWriter()
        range.start.encode(to: &start)
        try connection.run(
            "INSERT OR REPLACE INTO snapshots (device, kind, hash, start, token) VALUES (?, ?, ?, ?, ?)",
            .blob(resume.peer.bytes), .integer(through.kind.rawValue), .blob(through.hash.bytes),
            .blob(start.bytes), .blob(resume.token.bytes))
        return false
    }

    /// The snapshot of a peer is at its end, or needed no more.
    func endSnapshot(of peer: DeviceIdentifier) throws(StoreFailure) {
        try connection.run("DELETE FROM snapshots WHERE device = ?", .blob(peer.bytes))
    }

    /// How far the snapshot of a peer came.
    func snapshot(of peer: DeviceIdentifier) throws(StoreFailure) -> SnapshotProgress? {
        try connection.statement("SELECT kind, hash, start, token FROM snapshots WHERE device = ?")
            .first([.blob(peer.bytes)]) { (row) throws(StoreFailure) in
                let start = try read(row.blob(2)) { (reader) throws(CBORError) in
                    try VersionVector(from: &reader)
                }
                return SnapshotProgress(
                    through: try identity(row, from: 0), start: start,
                    token: ResumeToken(bytes: row.blob(3)))
            }
    }
}
