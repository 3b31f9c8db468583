import BatonCore

/// Receives snapshots from peers.
///
/// It removes the writes that the peer knows and no longer has, and stores how far each snapshot has come.
final class SnapshotReceiver {
    private let tables: LaneTables
    private let transaction: LaneTransaction
    private let records: RecordReader
    private let merger: RecordMerger
    private let claims: LaneClaims
    private let tombstones: LaneTombstones
    private let states: StateJudge

    init(
        _ tables: LaneTables, _ transaction: LaneTransaction, _ records: RecordReader,
        merger: RecordMerger, claims: LaneClaims, tombstones: LaneTombstones, states: StateJudge
    ) {
        (self.tables, self.transaction, self.records) = (tables, transaction, records)
        (self.merger, self.claims) = (merger, claims)
        (self.tombstones, self.states) = (tombstones, states)
    }

    // MARK: Taking a range

    /// Removes the writes that the peer knows and no longer has.
    ///
    /// `removed` has the records from which something was removed. `doubtful` has the records in which something
    /// remains that may be older than what was garbage-collected.
    func remove(
        _ range: ReceivedRange, _ arriving: StoreTransaction, isAllKnown: Bool,
        changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) -> (removed: Set<RecordIdentity>, doubtful: Set<RecordIdentity>) {
        var (removed, doubtful): (Set<RecordIdentity>, Set<RecordIdentity>) = ([], [])
        let sent = Dictionary(grouping: arriving.writes, by: \.identity)
        let kept = range.judgesClears ? try states.unseenClears() : []
        for number in try numbers(in: range) {
            guard let stored = try records.stored(number: number), !kept.contains(stored.record.identity)
            else { continue }
            let (identity, sent) = (stored.record.identity, sent[stored.record.identity] ?? [])
            let left = stored.record.remaining(
                judgedBy: range, sent: sent, unread: arriving.quarantined, isAllKnown: isAllKnown,
                by: arriving.renewingLife)
            let standing = left ?? stored.writes.map(\.write)
            if standing.contains(where: { range.isInDoubt($0, sent: sent) }) { doubtful.insert(identity) }
            guard let left else { continue }
            let record = left.isEmpty ? Record(identity) : Record(merging: left)
            try merger.save(record, over: stored, after: nil, changed: &changed)
            changed[identity] = record
            removed.insert(identity)
        }
        return (removed, doubtful)
    }

    private func numbers(in range: ReceivedRange) throws(StoreFailure) -> [Int64] {
        var numbers: [Int64] = []
        _ = try tables.records.visit(after: range.after) { (number, identity) in
            if let through = range.through, identity > through { return false }
            if range.judges(identity) { numbers.append(number) }
            return true
        }
        return numbers
    }

    /// Writes stored and arrived data that may be older than what was garbage-collected again, under later stamps.
    ///
    /// Only the horizon of this lane counts, because stamps are compared within a record, and the tombstones of the
    /// other lane belong to other records.
    func renew(
        _ arriving: StoreTransaction, _ arrived: [Write], doubtful: Set<RecordIdentity>,
        changed: inout [RecordIdentity: Record]
    ) throws(StoreFailure) {
        let horizon = transaction.state.tombstones.horizon
        guard var renewal = arriving.renewal(after: max(transaction.state.clock, horizon)) else { return }
        let sent = Dictionary(grouping: arriving.writes, by: \.identity)
        let arrived = Dictionary(grouping: arrived, by: \.identity)
        for identity in doubtful.union(arrived.keys).sorted() {
            guard let record = try records.stored(identity)?.record else { continue }
            let (sent, arrived) = (sent[identity] ?? [], arrived[identity] ?? [])
            let renewed = renewal.renew(record) {
                arriving.mustRenew($0, sent: sent, arrived: arrived, horizon: horizon)
            }
            for write in renewed { try merger.merge(write, changed: &changed) }
        }
        try claims.claim(renewal.claims)
        transaction.state.clock = max(transaction.state.clock, renewal.clock)
    }

    /// Stores how far a snapshot has come, or claims what the snapshot brought if it is complete.
    ///
    /// Returns true if something was not claimed for a reason other than the limit of origins.
    func keepProgress(
        _ range: ReceivedRange, _ resume: StoreTransaction.Resume?
    ) throws(StoreFailure) -> Bool {
        try tombstones.drop(range.dropped)
        // The horizon is limited to believed times. The clock follows every believed time at once, so a renewed write
        // is always later than the horizon.
        let horizon = max(transaction.state.tombstones.horizon, min(range.horizon, .largestBelieved))
        transaction.state.tombstones.horizon = horizon
        guard let resume else { return false }
        guard let through = range.through else {
            let isWithheld = try claims.claim(range.start)
            try end(of: resume.peer)
            try tables.peers.keep(resume)
            return isWithheld
        }
        try tables.peers.keepSnapshot(
            of: resume.peer, through: through, start: range.start, token: resume.token)
        return false
    }

    /// Ends the snapshot of a peer, because it is complete or no longer needed.
    func end(of peer: DeviceIdentifier) throws(StoreFailure) { try tables.peers.removeSnapshot(of: peer) }

    // MARK: Giving up

    /// Gives up the unfinished snapshots from these devices.
    ///
    /// Returns whether all claims were withdrawn because of that.
    func abandon(of devices: Set<DeviceIdentifier>) throws(StoreFailure) -> Bool {
        try transaction.atomically { () throws(StoreFailure) in
            // This is computed before the snapshots end, because it includes what the peers claimed at the start of
            // their snapshots.
            let answered = try claims.answered()
            var isUnderWay = false
            for device in devices.sorted() where try tables.peers.snapshot(of: device) != nil {
                isUnderWay = true
                try end(of: device)
            }
            guard isUnderWay, !transaction.state.isWhole else { return false }
            try claims.giveUp(answeringFor: answered)
            try states.judgeAll()
            return true
        }
    }
}
