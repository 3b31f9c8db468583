import BatonCore

/// Keeps the reports of devices, garbage-collects tombstones that all devices have, and sweeps expired records.
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

    /// Stores the report of a device about what the device has stored durably of this lane.
    func report(_ device: DeviceIdentifier, _ vector: VersionVector) throws(StoreFailure) {
        let before = transaction.state.tombstones.reports[device] ?? VersionVector()
        let lineage = transaction.state.claims.lineage
        transaction.state.tombstones.reports.join(device, vector.restricted(to: lane), in: lineage)
        guard let now = transaction.state.tombstones.reports[device] else { return }
        try tables.tombstones.keep(now, insteadOf: before, of: device)
    }

    /// Removes what is stored about devices that have left the account: reports, resume tokens, and open streams.
    func forget(_ devices: Set<DeviceIdentifier>) throws(StoreFailure) {
        for device in devices.sorted() {
            try tables.peers.remove(device)
            try tables.tombstones.remove(device)
            try claims.endStream(of: device)
        }
        transaction.state.tombstones.reports.forget(devices)
    }

    /// Returns a vector of the writes that all these devices have stored durably and that this store claims.
    ///
    /// Returns nil if one of the devices has not reported yet.
    func stable(among roster: Set<DeviceIdentifier>) -> VersionVector? {
        let claims = transaction.state.claims
        return transaction.state.tombstones.reports.stable(
            among: roster, within: claims.complete, claims.lineage)
    }

    /// Stores that the tombstones that a vector covers were garbage-collected, by this device or by the sender of a
    /// snapshot.
    func drop(_ vector: VersionVector) throws(StoreFailure) {
        let before = transaction.state.tombstones.dropped
        transaction.state.tombstones.dropped.claim(vector)
        try tables.tombstones.keepDropped(
            transaction.state.tombstones.dropped.beyond(before))
    }

    // MARK: Collecting

    /// Garbage-collects at most `most` of the tombstones that a vector covers, and returns the number of removed
    /// tombstones.
    ///
    /// Clears are removed after all other tombstones.
    ///
    /// A clear leaves a tombstone of each cleared write. A device that already claims the write is not sent the
    /// tombstone, so the device needs the clear itself. So a clear is kept while a deletion remains that the clear may
    /// have left.
    func collect(_ stable: VersionVector, most: Int) throws(StoreFailure) -> Int {
        // Some writes are not swept or merged yet, and may be older than the tombstones to be removed.
        if transaction.state.isUnsettled { return 0 }
        return try transaction.atomically { () throws(StoreFailure) in
            let numbers = try collectable(stable, most: most)
            var dropped = transaction.state.tombstones.dropped
            // The changed records are not reported to the caller. Tombstones are not visible, and no sweep is left that
            // could change another record.
            var changed: [RecordIdentity: Record] = [:]
            for number in numbers {
                guard let stored = try records.stored(number: number), let tombstone = stored.record.tombstone
                else { continue }
                dropped.cover(tombstone.dot)
                raiseHorizon(to: tombstone.stamp.time)
                try merger.save(stored.record.withoutTombstone, over: stored, after: nil, changed: &changed)
            }
            if !numbers.isEmpty { transaction.state.removals += 1 }
            try drop(dropped)
            return numbers.count
        }
    }

    /// Returns the numbers of records whose tombstones a vector covers.
    ///
    /// A lane may have millions of clears. So only the records to be removed are read, and the clears that some device
    /// lacks.
    private func collectable(_ stable: VersionVector, most: Int) throws(StoreFailure) -> [Int64] {
        // A tombstone that a clear left has the dot of the cleared write. Devices may have that write without having
        // the clear.
        let last = try tables.writes.latestClear(beyond: stable)
        var numbers: [Int64] = []
        for (origin, sequence) in stable.sorted where numbers.count < most {
            numbers += try tables.writes.deletions(
                of: origin, to: sequence, after: last, most: most - numbers.count)
        }
        guard numbers.count < most, let first = try tables.writes.earliestClear() else { return numbers }
        // A clear that may have left a deletion is kept while the deletion remains.
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

    /// Sweeps the next expired records, in the order in which they expired; returns nil if there are none.
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
            // Sweeping a record removes its updates, so all updates must be collectable.
            guard record.survivingWrites.allSatisfy(\.isCollectable) else { continue }
            guard let gone = record.sweep(expiredAt: request.time, stable: stable) else { continue }
            for update in gone {
                dropped.cover(update.dot)
                raiseHorizon(to: update.stamp.time)
            }
            try merger.save(record, over: stored, after: nil, changed: &changed)
            changed[record.identity] = record
        }
        if !changed.isEmpty { transaction.state.removals += 1 }
        try drop(dropped)
        step.commit.changed = changed.values.sorted { $0.identity < $1.identity }
        step.commit.head = transaction.state.head
        return step.next == nil ? nil : step
    }
}
