package import BatonCore

extension InMemoryStore {
    package func check() -> StateCheck? {
        claimedState.map { StateCheck(complete: complete.digest, state: $0) }
    }

    package func recount(_ lane: Lane) -> LaneSums {
        countedLanes.append(lane)
        var sums = [StateDigest](repeating: StateDigest(), count: LaneSums.count)
        for record in records(in: lane) { sums[Int(record.identity.hash.part)] += record.digest }
        return LaneSums(lane: lane, sums: sums)
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

    /// Every record of a lane of which there is a trace, in the order of identities.
    private func records(in lane: Lane) -> [Record] { allRecords.filter { $0.identity.kind.lane == lane } }
}

extension InMemoryStore {
    /// A fault: a record is gone, and nobody knows of it.
    package func lose(_ identity: RecordIdentity) { damage(identity) { _ in [] } }

    /// A fault: a record is made of other writes than those that were taken.
    package func damage(_ identity: RecordIdentity, _ change: ([Write]) -> [Write]) {
        let left = change(record(identity)?.survivingWrites ?? [])
        let record = left.isEmpty ? Record(identity) : Record(merging: left)
        keep(record, in: identity.kind.lane)
    }
}
