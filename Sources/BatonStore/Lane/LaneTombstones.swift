import BatonCore

/// Keeps the reports of devices, garbage-collects tombstones that all of them have, and sweeps what has expired.
final class LaneTombstones {
    private let tables: LaneTables
    private let transaction: LaneTransaction
    private let records: RecordReader
    private let merger: RecordMerger
    private let claims: LaneClaims
    private let states: StateJudge

    init(
        _ tables: LaneTables, _ transaction: LaneTransaction, _ records: RecordReader,
        merger: RecordMerger, claims: LaneClaims, states: StateJudge
    ) {
        (self.tables, self.transaction, self.records) = (tables, transaction, records)
        (self.merger, self.claims, self.states) = (merger, claims, states)
    }

    private var lane: Lane { tables.rows.lane }

    // MARK: Reports

    /// Stores what a device reported to have durably of this lane.
    func report(_ device: DeviceIdentifier, _ vector: VersionVector) throws(StoreFailure) {
        let before = transaction.state.tombstones.reports[device] ?? VersionVector()
        let lineage = transaction.state.claims.lineage
        transaction.state.tombstones.reports.join(device, vector.restricted(to: lane), in: lineage)
        guard let now = transaction.state.tombstones.reports[device] else { return }
        try tables.tombstones.keep(now, insteadOf: before, of: device)
    }

    /// Removes the reports and claims of devices that have left the account.
    func forget(_ devices: Set<DeviceIdentifier>) throws(StoreFailure) {
        for device in devices.sorted() {
            try tables.peers.remove(device)
            try tables.tombstones.remove(device)
            try claims.endStream(of: device)
        }
        transaction.state.tombstones.reports.forget(devices)
    }

    /// Returns what all these devices and this one have durably; nil if one of them has not reported.
    func stable(among roster: Set<DeviceIdentifier>) -> VersionVector? {
        let claims = transaction.state.claims
        return transaction.state.tombstones.reports.stable(
            among: roster, within: claims.complete, claims.lineage)
    }

    /// Stores that the tombstones within a vector were garbage-collected, here or by the sender of a snapshot.
    func drop(_ vector: VersionVector) throws(StoreFailure) {
        let before = transaction.state.tombstones.dropped
        transaction.state.tombstones.dropped.claim(vector)
        try tables.tombstones.keepDropped(
            transaction.state.tombstones.dropped.beyond(before))
    }

    // MARK: Collecting

    /// Garbage-collects at most `most` tombstones that a vector covers, clears last; returns how many were removed.
    ///
    /// A tombstone that a clear left ends the write on each device that receives the tombstone, but devices that claim
    /// the write are not sent the tombstone. So a clear stays as long as a deletion that it may have left.
    func collect(_ stable: VersionVector, most: Int) throws(StoreFailure) -> Int {
        // Writes that are not swept or merged yet may be older than the tombstones to be removed.
        if transaction.state.isUnsettled { return 0 }
        return try transaction.atomically { () throws(StoreFailure) in
            let numbers = try collectable(stable, most: most)
            var dropped = transaction.state.tombstones.dropped
            // Nothing is reported as changed: tombstones are not shown, and no sweep is left that could change another
            // record.
            var changed: [RecordIdentity: Record] = [:]
            for number in numbers {
                guard let stored = try records.stored(number: number), let tombstone = stored.record.tombstone
                else { continue }
                dropped.cover(tombstone.dot)
                raiseHorizon(to: tombstone.stamp.time)
                try merger.save(stored.record.withoutTombstone, over: stored, after: nil, changed: &changed)
            }
            try drop(dropped)
            return numbers.count
        }
    }

    /// Returns the numbers of records whose tombstones a vector covers.
    ///
    /// It reads only the records to be removed, and clears that some device lacks: a lane may have millions of clears.
    private func collectable(_ stable: VersionVector, most: Int) throws(StoreFailure) -> [Int64] {
        // The tombstone that a clear left has the dot of the cleared write, which devices may have without the clear.
        let last = try tables.writes.latestClear(beyond: stable)
        var numbers: [Int64] = []
        for (origin, sequence) in stable.sorted where numbers.count < most {
            numbers += try tables.writes.deletions(
                of: origin, to: sequence, after: last, most: most - numbers.count)
        }
        guard numbers.count < most, let first = try tables.writes.earliestClear() else { return numbers }
        // A clear that may have left a deletion stays as long as the deletion.
        let left = try tables.writes.earliestDeletion(except: Set(numbers))
        if let left, left <= first { return numbers }
        let unseen = try states.unseenClears()
        for (origin, sequence) in stable.sorted where numbers.count < most {
            try tables.writes.visitClears(of: origin, to: sequence, before: left) { (clear) in
                if !unseen.contains(clear.identity) { numbers.append(clear.number) }
                return numbers.count < most
            }
        }
        return numbers
    }

    private func raiseHorizon(to time: HybridTime) {
        transaction.state.tombstones.horizon = max(transaction.state.tombstones.horizon, time)
    }

    // MARK: Expiry

    /// Sweeps the next records that have expired, in the order in which they expired; nil if there are none.
    func sweep(_ request: SweepRequest) throws(StoreFailure) -> SweepStep? {
        transaction.state.swept = max(transaction.state.swept, request.time)
        let place = request.after?.lane == lane ? request.after : nil
        let stable = self.stable(among: request.roster)?.without(request.shared) ?? VersionVector()
        var dropped = transaction.state.tombstones.dropped
        var changed: [RecordIdentity: Record] = [:]
        var step = SweepStep(
            lane: lane, commit: StoreCommit(head: .none, clock: .zero, changed: []), next: nil)
        for number in try tables.records.expired(at: request.time, after: place, most: request.most) {
            guard let stored = try records.stored(number: number), let end = stored.record.expiration else {
                throw tables.rows.damaged(.outOfRange)
            }
            step.next = SweepRequest.Place(lane: lane, expiration: end, identity: stored.record.identity)
            var record = stored.record
            // Sweeping a record drops its updates, so all of them must be collectable.
            guard record.survivingWrites.allSatisfy(\.isCollectable) else { continue }
            guard let gone = record.sweep(expiredAt: request.time, stable: stable) else { continue }
            for update in gone {
                dropped.cover(update.dot)
                raiseHorizon(to: update.stamp.time)
            }
            try merger.save(record, over: stored, after: nil, changed: &changed)
            changed[record.identity] = record
        }
        try drop(dropped)
        step.commit.changed = changed.values.sorted { $0.identity < $1.identity }
        step.commit.head = transaction.state.head
        return step.next == nil ? nil : step
    }
}
