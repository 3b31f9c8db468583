import BatonCore

/// What has expired is swept in small steps, between which others write.
extension LaneDatabase {
    /// Sweeps some of the records that have expired, those first that expired first; nothing if there are no more.
    func sweep(_ request: SweepRequest) throws(StoreFailure) -> SweepStep? {
        let place = request.after?.lane == lane ? request.after : nil
        let reported = progress.reports.stable(
            among: request.roster, within: progress.complete, progress.lineage)
        let stable = reported?.without(request.shared) ?? VersionVector()
        var dropped = progress.dropped
        var step = SweepStep(
            lane: lane, commit: StoreCommit(head: .none, clock: .zero, changed: []), next: nil)
        for number in try expired(at: request.time, after: place, most: request.most) {
            guard let stored = try storedRecord(number: number), let end = stored.record.expiration else {
                throw damaged(.outOfRange)
            }
            step.next = SweepRequest.Place(lane: lane, expiration: end, identity: stored.record.identity)
            var record = stored.record
            // The sweep lets go of updates.
            guard record.survivingWrites.allSatisfy(\.mayBeLetGo) else { continue }
            guard let gone = record.sweep(expiredAt: request.time, stable: stable) else { continue }
            for update in gone {
                dropped.cover(update.dot)
                progress.horizon = max(progress.horizon, update.stamp.time)
            }
            try save(record, over: stored, after: nil)
            step.commit.changed.append(record)
        }
        try drop(dropped)
        step.commit.changed.sort { $0.identity < $1.identity }
        step.commit.head = try head()
        return step.next == nil ? nil : step
    }

    private func expired(
        at time: WallTime, after place: SweepRequest.Place?, most: Int
    ) throws(StoreFailure) -> [Int64] {
        var numbers: [Int64] = []
        let query = """
            SELECT number FROM records WHERE expires <= ? AND (expires, kind, hash) > (?, ?, ?)
            ORDER BY expires, kind, hash LIMIT ?
            """
        try connection.statement(query).rows(
            [
                .integer(time.milliseconds), .integer(place?.expiration.milliseconds ?? .min),
                // No kind is below the least one, of which nothing expires.
                .integer(place?.identity.kind.rawValue ?? 0), .blob(place?.identity.hash.bytes ?? []),
                .integer(Int64(most)),
            ]
        ) { (row) throws(StoreFailure) in
            numbers.append(row.integer(0))
            return true
        }
        return numbers
    }
}
