import BatonCore

/// Snapshots: all that a part of the records is made of, sent and taken.
extension LaneDatabase {
    /// All surviving writes of the records that come next.
    func range(_ request: RangeRequest, clock: HybridTime) throws(StoreFailure) -> RangeAnswer {
        if let covered = request.covered, !progress.dropped.isWithin(covered) { return .anew }
        var assembly = RangeAssembly(bytes: request.bytes)
        let isWhole = try records(after: request.after) { (number, identity) throws(StoreFailure) in
            guard let stored = try storedRecord(number: number) else { return true }
            return assembly.add(stored.record.survivingWrites, of: identity)
        }
        return .range(
            RecordRange(
                ahead: try clears(since: request.since) + assembly.ahead, writes: assembly.writes,
                through: isWhole && assembly.ahead.isEmpty ? nil : assembly.last,
                isEndAhead: !assembly.ahead.isEmpty,
                complete: progress.complete, dropped: progress.dropped, clock: clock, head: try head()))
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

    /// The clears that arrived after a place.
    private func clears(since place: Arrival?) throws(StoreFailure) -> [Write] {
        var numbers: [Int64] = []
        guard let place else { return [] }
        let query = """
            SELECT number FROM records JOIN writes ON record = number WHERE kind = ? AND arrival > ?
            ORDER BY arrival
            """
        try connection.statement(query).rows(
            [.integer(RecordKind.clear(in: lane).rawValue), .integer(place.value)]
        ) { (row) throws(StoreFailure) in
            numbers.append(row.integer(0))
            return true
        }
        var writes: [Write] = []
        for number in numbers { writes += try storedRecord(number: number)?.writes.map(\.write) ?? [] }
        return writes
    }

    // MARK: Taking

    /// Removes what another store knows and does not have.
    func remove(
        _ range: ReceivedRange, sent: [Write], changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        let sent = Dictionary(grouping: sent, by: \.identity)
        for number in try numbers(in: range) {
            guard let stored = try storedRecord(number: number),
                let left = stored.record.remaining(
                    known: range.known, sent: sent[stored.record.identity] ?? [])
            else { continue }
            let record = left.isEmpty ? Record(stored.record.identity) : Record(merging: left)
            try save(record, over: stored, after: nil)
            changed[record.identity] = record
        }
    }

    /// Writes anew, with later stamps, what this device wrote and what may be older than what was let go there.
    func renew(
        _ range: ReceivedRange, sent: [Write], clock: HybridTime, changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        // Most devices that take a snapshot made nothing that is not known yet.
        let known = progress.complete.sorted.contains { origin, sequence in
            progress.ownLives.contains(origin.life) && range.known[origin] < sequence
        }
        guard let life = range.life, known else { return }
        var renewal = Renewal(life: life, lane: lane, clock: max(clock, progress.clock))
        let sent = Dictionary(grouping: sent, by: \.identity)
        for number in try numbers(in: range) {
            guard let stored = try storedRecord(number: number) else { continue }
            let record = stored.record
            let renewed = renewal.renew(
                record, known: range.known, sent: sent[record.identity] ?? [], own: progress.ownLives)
            for write in renewed { try merge(write, changed: &changed) }
        }
        try claim(renewal.claims)
        progress.clock = renewal.clock
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

    /// Keeps how far a snapshot came, or claims what it brought.
    func keepProgress(
        _ range: ReceivedRange, _ resume: StoreTransaction.Resume?
    ) throws(StoreFailure) {
        try drop(range.dropped)
        guard let resume else { return }
        guard let through = range.through else {
            try claim(range.start)
            try endSnapshot(of: resume.peer)
            return try keep(resume)
        }
        var start = CBORWriter()
        range.start.encode(to: &start)
        try connection.run(
            "INSERT OR REPLACE INTO snapshots (device, kind, hash, start, token) VALUES (?, ?, ?, ?, ?)",
            .blob(resume.peer.bytes), .integer(through.kind.rawValue), .blob(through.hash.bytes),
            .blob(start.bytes), .blob(resume.token.bytes))
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
