package import BatonCore

extension InMemoryStore {
    package func sweep(_ request: SweepRequest) -> SweepStep? {
        for lane in Lane.allCases { noteSwept(request.time, in: lane) }
        for lane in Lane.allCases where lane >= request.after?.lane ?? .activities {
            let place = request.after?.lane == lane ? request.after : nil
            let reported = summary().reports.restricted(to: lane).stable(
                among: request.roster, within: self.lane(of: lane).complete, self.lane(of: lane).lineage)
            let stable = reported?.without(sharedLives) ?? VersionVector()
            var expired: [(end: WallTime, record: Record)] = []
            for record in self.lane(of: lane).records.values where record.isExpired(at: request.time) {
                guard let end = record.expiration,
                    place.map({ ($0.expiration, $0.identity) < (end, record.identity) }) ?? true
                else { continue }
                expired.append((end, record))
            }
            expired.sort { ($0.end, $0.record.identity) < ($1.end, $1.record.identity) }
            expired = Array(expired.prefix(request.most))
            guard let last = expired.last else { continue }
            var commit = StoreCommit(head: self.lane(of: lane).head, clock: clock, changed: [])
            for (_, record) in expired {
                var swept = record
                guard let gone = swept.sweep(expiredAt: request.time, stable: stable) else { continue }
                keep(swept, without: gone, in: lane)
                commit.changed.append(swept)
            }
            commit.changed.sort { $0.identity < $1.identity }
            let next = SweepRequest.Place(lane: lane, expiration: last.end, identity: last.record.identity)
            return SweepStep(lane: lane, commit: commit, next: next)
        }
        return nil
    }
}
