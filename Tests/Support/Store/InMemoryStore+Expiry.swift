import BatonCore

extension InMemoryStore {
    /// Does a step of sweeping a lane.
    func sweep(_ lane: Lane, _ request: SweepRequest) -> SweepStep? {
        noteSwept(request.time, in: lane)
        let reported = state[lane].reports.stable(
            among: request.roster, within: state[lane].complete, state[lane].lineage)
        let stable = reported?.without(request.shared) ?? VersionVector()
        var expired: [(end: WallTime, record: Record)] = []
        for record in state[lane].records.values where record.isExpired(at: request.time) {
            guard let end = record.expiration,
                request.after.map({ ($0.expiration, $0.identity) < (end, record.identity) }) ?? true
            else { continue }
            expired.append((end, record))
        }
        expired.sort { ($0.end, $0.record.identity) < ($1.end, $1.record.identity) }
        expired = Array(expired.prefix(request.most))
        guard let last = expired.last else { return nil }
        var commit = StoreCommit(head: state[lane].head, clock: state[lane].clock, changed: [])
        for (_, record) in expired {
            var swept = record
            guard record.survivingWrites.allSatisfy(\.isCollectable) else { continue }
            guard let gone = swept.sweep(expiredAt: request.time, stable: stable) else { continue }
            keep(swept, without: gone, in: lane)
            commit.changed.append(swept)
        }
        commit.changed.sort { $0.identity < $1.identity }
        let next = SweepRequest.Place(lane: lane, expiration: last.end, identity: last.record.identity)
        return SweepStep(lane: lane, commit: commit, next: next)
    }
}
