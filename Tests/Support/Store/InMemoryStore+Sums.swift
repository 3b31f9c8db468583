package import BatonCore

extension InMemoryStore {
    package func check(at time: WallTime) -> StateCheck? {
        claimedState(at: time).map { StateCheck(complete: complete.digest, state: $0, at: time) }
    }

    package func check(toldAt time: WallTime?, now: WallTime) -> StateCheck? {
        let compared = now.compared
        return compared.isComparable(with: time ?? compared) ? check(at: time ?? compared) : nil
    }

    package func summary(for peer: DeviceIdentifier, now: WallTime) -> StoreSummary {
        var summary = summary(for: peer)
        (summary.compared, summary.state) = (now.compared, check(at: now.compared)?.state)
        return summary
    }

    /// A time before anything expires.
    package static let past = WallTime(milliseconds: .min)

    package func recount(_ lane: Lane, at time: WallTime) -> LaneSums {
        countedLanes.append(lane)
        var sums = [StateDigest](repeating: StateDigest(), count: LaneSums.count)
        for record in records(in: lane) { sums[Int(record.identity.hash.part)] += record.digest(at: time) }
        return LaneSums(lane: lane, sums: sums, at: time)
    }

    package func part(_ request: PartRequest) -> RecordPart {
        var assembly = RangeAssembly(bytes: request.bytes)
        for record in records(in: request.lane) where record.identity.hash.part == request.part {
            if let after = request.after, record.identity <= after { continue }
            guard assembly.add(record.survivingWrites, of: record.identity) else {
                return RecordPart(assembly, isWhole: false)
            }
        }
        return RecordPart(assembly, isWhole: true)
    }

    /// Returns every record of a lane that has a surviving write, in the order of identities.
    private func records(in lane: Lane) -> [Record] { allRecords.filter { $0.identity.kind.lane == lane } }
}

extension InMemoryStore {
    /// A fault: removes a record without notice.
    package func lose(_ identity: RecordIdentity) { damage(identity) { _ in [] } }

    /// A fault: changes a record's writes without notice.
    package func damage(_ identity: RecordIdentity, _ change: ([Write]) -> [Write]) {
        let left = change(record(identity)?.survivingWrites ?? [])
        let record = left.isEmpty ? Record(identity) : Record(merging: left)
        keep(record, in: identity.kind.lane)
    }
}
