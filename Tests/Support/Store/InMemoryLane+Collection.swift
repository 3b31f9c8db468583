import BatonCore

/// Garbage collection of tombstones, and snapshots for peers that lack them.
extension InMemoryLane {
    /// Removes writes that another store knows and does not have; returns the records that changed.
    mutating func remove(
        _ range: ReceivedRange, _ transaction: StoreTransaction, isAllKnown: Bool
    ) -> [Record] {
        let sent = Dictionary(grouping: transaction.writes, by: \.identity)
        var changed: [Record] = []
        let kept = unseenClears
        for record in records.values where range.judges(record.identity) && !kept.contains(record.identity) {
            guard
                let left = record.remaining(
                    judgedBy: range, sent: sent[record.identity] ?? [], unread: transaction.quarantined,
                    isAllKnown: isAllKnown, by: transaction.renewingLife)
            else { continue }
            changed.append(replace(record, by: left))
        }
        return changed
    }

    /// The claims, and those that will be added once the snapshots and streams under way have ended.
    var expected: VersionVector {
        var expected = complete
        expected.join(promised)
        for stream in openStreams.values { expected.join(stream) }
        for snapshot in snapshots.values { expected.join(snapshot.start) }
        return expected
    }

    /// All that this lane answers for: what is expected, what was collected, and what was given up.
    var answered: VersionVector {
        var answered = expected
        answered.join(dropped)
        answered.join(givenUp)
        return answered
    }

    /// Notes the claims of a sender about its writes, and forgets those that are claimed here by now.
    mutating func notePromises(of transaction: StoreTransaction) {
        promised = promised.beyond(complete)
        promised.claim(transaction.promised(beyond: complete))
    }

    /// Notes what has come of a stream that has not ended, and forgets it when the stream ends or a snapshot has taken
    /// its place.
    mutating func noteStream(_ transaction: StoreTransaction) {
        guard let peer = transaction.resume?.peer, !transaction.isAhead, transaction.range?.through == nil
        else { return }
        if let part = transaction.partOfStream {
            let part = part.beyond(complete)
            if !part.isEmpty { openStreams[peer, default: VersionVector()].claim(part) }
        } else {
            openStreams[peer] = nil
        }
    }

    /// Returns whether an arriving write is to be merged: claimed writes are skipped.
    ///
    /// A snapshot sends what a clear left of a write that is here in full, also if the clear was garbage-collected.
    func isNews(_ write: Write, of transaction: StoreTransaction) -> Bool {
        if transaction.isRepair || !complete.covers(write.dot) { return true }
        guard transaction.range != nil, let record = records[write.identity] else { return false }
        return record.survivingWrites.contains { $0.isSame(as: write) }
    }

    /// Writes anew, with later stamps, the stored and the arrived writes that may be older than collected ones.
    mutating func renew(
        _ transaction: StoreTransaction, _ arrived: [Write]
    ) -> [Record] {
        guard var renewal = transaction.renewal(after: max(clock, horizon)) else { return [] }
        let sent = Dictionary(grouping: transaction.writes, by: \.identity)
        let arrived = Dictionary(grouping: arrived, by: \.identity)
        var changed: [RecordIdentity: Record] = [:]
        for record in records.values.sorted(by: { $0.identity < $1.identity }) {
            let (sent, arrived) = (sent[record.identity] ?? [], arrived[record.identity] ?? [])
            let renewed = renewal.renew(record) {
                transaction.mustRenew($0, sent: sent, arrived: arrived, horizon: horizon)
            }
            for write in renewed {
                for record in merge(write) { changed[record.identity] = record }
            }
        }
        claim(renewal.claims)
        clock = max(clock, renewal.clock)
        return Array(changed.values)
    }

    /// Stores how far a snapshot came, or claims what it brought.
    mutating func keepProgress(
        _ range: ReceivedRange, _ resume: StoreTransaction.Resume?, _ commit: inout StoreCommit
    ) {
        dropped.claim(range.dropped)
        horizon = max(horizon, min(range.horizon, .largestBelieved))
        guard let resume else { return }
        guard range.through != nil else {
            claim(range.start, &commit)
            snapshots[resume.peer] = nil
            return
        }
        snapshots[resume.peer] = SnapshotProgress(
            through: range.through, start: range.start, token: resume.token)
    }

    /// Collects at most this many covered tombstones, clears last; returns how many were collected.
    ///
    /// A clear stays as long as a deletion that it may have left does.
    mutating func collect(_ stable: VersionVector, most: Int) -> Int {
        // A tombstone that a clear left bears the dot of the cleared write, which devices may have without the clear.
        let (all, kept) = (tombstones, unseenClears)
        let last = all.clears.filter { !stable.covers($0.tombstone.dot) }.map(\.tombstone.stamp.time).max()
        let isStable = { (tombstone: Write) in stable.covers(tombstone.dot) && tombstone.isCollectable }
        let deletions = all.deletions.filter { _, tombstone in
            isStable(tombstone) && last.map { tombstone.stamp.time > $0 } ?? true
        }.prefix(most)
        let gone = Set(deletions.map(\.record.identity))
        let left = all.deletions.filter { !gone.contains($0.record.identity) }.map(\.tombstone.stamp.time)
            .min()
        let clears = all.clears.filter { record, tombstone in
            isStable(tombstone) && !kept.contains(record.identity)
                && left.map { tombstone.stamp.time < $0 } ?? true
        }.prefix(most - deletions.count)
        let tombstones = deletions + clears
        #if MISTAKES
            if Faults.isPlanted(.tombstoneNotAskedAgain) {
                defer { chosen = tombstones.map(\.1) }
                return max(collect(chosen.prefix(most)), tombstones.count)
            }
        #endif
        for (record, tombstone) in tombstones {
            dropped.cover(tombstone.dot)
            horizon = max(horizon, tombstone.stamp.time)
            _ = replace(record, by: record.withoutTombstone.survivingWrites)
        }
        return tombstones.count
    }

    /// Every record that has a tombstone, in the order of collection: by their dots, those of one transaction as they
    /// arrived.
    private var tombstones: (deletions: [Tombstone], clears: [Tombstone]) {
        let found = survivingWrites.enumerated().compactMap { place, write in
            records[write.identity].flatMap { record in
                record.tombstone.flatMap {
                    $0.isSame(as: write) ? (place: place, record: record, tombstone: $0) : nil
                }
            }
        }
        let sorted = found.sorted {
            ($0.tombstone.dot.origin, $0.tombstone.dot.sequence, $0.place)
                < ($1.tombstone.dot.origin, $1.tombstone.dot.sequence, $1.place)
        }
        let clears = sorted.filter { $0.record.clear != nil }
        let deletions = sorted.filter { $0.record.clear == nil }
        return (deletions.map { ($0.record, $0.tombstone) }, clears.map { ($0.record, $0.tombstone) })
    }

    private typealias Tombstone = (record: Record, tombstone: Write)

    #if MISTAKES
        /// Collects the tombstones that an earlier transaction chose, whatever is there by now (`Faults`).
        private mutating func collect(_ chosen: some Sequence<Write>) -> Int {
            var count = 0
            for tombstone in chosen {
                guard let record = records[tombstone.identity], record.tombstone != nil else { continue }
                dropped.cover(tombstone.dot)
                horizon = max(horizon, tombstone.stamp.time)
                _ = replace(record, by: record.withoutTombstone.survivingWrites)
                count += 1
            }
            return count
        }

        /// Collects old tombstones without any report (`Faults`).
        mutating func collect(before time: HybridTime) {
            let old = records.values.filter { record in record.tombstone.map { $0.stamp.time < time } ?? false
            }
            for record in old { _ = replace(record, by: record.withoutTombstone.survivingWrites) }
        }
    #endif

    /// Replaces a record by one of the writes that are left.
    private mutating func replace(_ record: Record, by left: [Write]) -> Record {
        if let clear = record.clear, left.isEmpty { forget(clear) }
        let record = left.isEmpty ? Record(record.identity) : Record(merging: left)
        keep(record, after: nil)
        return record
    }

    /// Abandons those snapshots; returns whether that makes the lane give up its claims.
    mutating func abandonSnapshots(of devices: Set<DeviceIdentifier>) -> Bool {
        let (count, answered) = (snapshots.count, answered)
        for device in devices { snapshots[device] = nil }
        guard snapshots.count < count, !dropped.isWithin(complete) else { return false }
        giveUpClaims(answeringFor: answered)
        return true
    }

    /// Returns all surviving writes of the next records.
    func range(_ request: RangeRequest) -> RangeAnswer {
        guard dropped.isWithin(complete) else { return .notNow }
        #if MISTAKES
            let isAskedAgain = !Faults.isPlanted(.snapshotNotAskedAgain)
        #else
            let isAskedAgain = true
        #endif
        if isAskedAgain, let covered = request.covered, !dropped.isWithin(covered) { return .anew }
        let clears = clears(since: request.since, bytes: request.bytes)
        if let place = clears.cut { return .ahead(clears.writes, upTo: place) }
        var range = RecordRange(
            ahead: clears.writes, writes: [], through: nil, isEndAhead: false,
            complete: complete, dropped: dropped, horizon: horizon, head: head)
        var assembly = RangeAssembly(bytes: request.bytes, ofRecord: request.recordBytes)
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
