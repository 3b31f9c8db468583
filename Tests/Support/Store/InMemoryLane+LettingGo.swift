import BatonCore

/// What is let go, and what is taken instead of it.
extension InMemoryLane {
    /// Removes what another store knows and does not have; answers with the records that changed.
    mutating func remove(_ range: ReceivedRange, sent: [Write]) -> [Record] {
        let sent = Dictionary(grouping: sent, by: \.identity)
        var changed: [Record] = []
        for record in records.values where range.judges(record.identity) {
            guard let left = record.remaining(known: range.known, sent: sent[record.identity] ?? []) else {
                continue
            }
            changed.append(replace(record, by: left))
        }
        return changed
    }

    /// Writes anew, with later stamps, what this device wrote and what may be older than what was let go there.
    mutating func renew(_ range: ReceivedRange, sent: [Write], clock: inout HybridTime) -> [Record] {
        guard let life = range.life else { return [] }
        var namer = Renewal(life: life, lane: lane, clock: clock)
        let sent = Dictionary(grouping: sent, by: \.identity)
        var changed: [RecordIdentity: Record] = [:]
        for record in records.values.sorted(by: { $0.identity < $1.identity })
        where range.judges(record.identity) {
            let renewed = namer.renew(
                record, known: range.known, sent: sent[record.identity] ?? [], own: ownLives)
            for write in renewed {
                for record in merge(write) { changed[record.identity] = record }
            }
        }
        complete.claim(namer.claims)
        clock = namer.clock
        return Array(changed.values)
    }

    /// Keeps how far a snapshot came, or claims what it brought.
    mutating func keepProgress(_ range: ReceivedRange, _ resume: StoreTransaction.Resume?) {
        dropped.claim(range.dropped)
        guard let resume else { return }
        guard range.through != nil else {
            complete.claim(range.start)
            snapshots[resume.peer] = nil
            return
        }
        snapshots[resume.peer] = SnapshotProgress(
            through: range.through, start: range.start, token: resume.token)
    }

    /// Lets go of so many traces that are covered, clears first; answers how many went.
    mutating func collect(_ stable: VersionVector, most: Int) -> Int {
        // A trace that a clear left bears the dot of what was cleared, which devices may have without the clear.
        let last = records.values.filter { $0.clear != nil }.compactMap(\.trace)
            .filter { !stable.covers($0.dot) }.map(\.stamp.time).max()
        let traces = records.values.compactMap { record in
            record.trace.flatMap { trace in
                let isCleared = trace.action == .deletion && last.map { trace.stamp.time <= $0 } ?? false
                return stable.covers(trace.dot) && !isCleared ? (record, trace) : nil
            }
        }.sorted { $0.0.identity < $1.0.identity }.prefix(most)
        for (record, trace) in traces {
            dropped.cover(trace.dot)
            _ = replace(record, by: record.withoutTrace.survivingWrites)
        }
        return traces.count
    }

    /// Puts the writes that are left in the place of a record.
    private mutating func replace(_ record: Record, by left: [Write]) -> Record {
        if let clear = record.clear, left.isEmpty { forget(clear) }
        let record = left.isEmpty ? Record(record.identity) : Record(merging: left)
        keep(record, after: nil)
        return record
    }

    /// All surviving writes of the records that come next.
    func range(_ request: RangeRequest, clock: HybridTime) -> RangeAnswer {
        if let covered = request.covered, !dropped.isWithin(covered) { return .anew }
        var range = RecordRange(
            ahead: clears(since: request.since), writes: [], through: nil, isEndAhead: false,
            complete: complete, dropped: dropped, clock: clock, head: head)
        var assembly = RangeAssembly(bytes: request.bytes)
        let rest = records.values.filter { record in request.after.map { $0 < record.identity } ?? true }
            .sorted { $0.identity < $1.identity }
        for record in rest {
            guard assembly.add(record.survivingWrites, of: record.identity) else {
                range.through = assembly.last
                break
            }
        }
        range.writes = assembly.writes
        range.ahead += assembly.ahead
        if !assembly.ahead.isEmpty { (range.through, range.isEndAhead) = (assembly.last, true) }
        return .range(range)
    }
}
