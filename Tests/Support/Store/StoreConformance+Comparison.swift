import BatonCore

extension StoreConformance {
    /// Everything that a store can be asked.
    struct Snapshot: Equatable {
        var summary: StoreSummary
        var writes: [Lane: [Write]]
        var records: [RecordKind: [Record]]
        var notes: [LocalNote]
        /// The digests at a few times, because some records expire.
        var digests: [StateDigest]
    }

    static func snapshot(_ store: any AccountStore) throws -> Snapshot {
        var writes: [Lane: [Write]] = [:]
        let dropped = try store.summary().dropped
        for lane in Lane.allCases { writes[lane] = try read(store, lane, covered: dropped).writes }
        var records: [RecordKind: [Record]] = [:]
        for kind in Array(1...7) + [900, 901] as [UInt64] {
            records[RecordKind(rawValue: kind)] = try store.records(of: RecordKind(rawValue: kind))
        }
        return Snapshot(
            summary: try store.summary(), writes: writes, records: records,
            notes: try store.notes(in: .ownActivity) + store.notes(in: .address) + store.notes(in: .reindex),
            digests: try [-1, 1, 2, 1000].map { try store.digest(at: WallTime(milliseconds: $0)) })
    }

    /// A long run on the store and on `InMemoryStore` side by side.
    static let comparisons: [StoreCheck] = [
        StoreCheck("a store answers as the one in memory does") { home, seed in
            var generator = SeededGenerator(seed: seed)
            let histories = Lane.allCases.map { History(seed: seed, lane: $0, keys: 5, length: 40) }
            let (model, first) = (InMemoryStore(), try home.open())
            var store = first
            for step in 0..<60 {
                let transactions = (0...generator.number(0...3)).map { _ in
                    generator.transaction(from: generator.pick(histories))
                }
                let fails = generator.chance(15)
                var (expected, found): ([StoreCommit], [StoreCommit]) = ([], [])
                for (target, collect) in [(model as any AccountStore, true), (store, false)] {
                    do {
                        try target.group { () throws(StoreFailure) in
                            for transaction in transactions {
                                let commit = try target.commit(transaction)
                                if collect { expected.append(commit) } else { found.append(commit) }
                            }
                            if fails { throw StoreFailure(.failed, "on purpose") }
                        }
                    } catch let failure as StoreFailure where fails && failure.code == .failed {}
                }
                try require(found, is: expected, "the commits of step \(step)")
                if generator.chance(30) {
                    let request = ChangesRequest(
                        lane: generator.pick(Lane.allCases),
                        after: Arrival(value: UInt64(generator.number(0...40))),
                        covered: generator.pick(histories.flatMap(\.transactions)).completing,
                        bytes: generator.number(1...3000))
                    let (mine, yours) = (model.delta(request), try store.delta(request))
                    try require(
                        yours.writes, is: mine.writes, "writes after \(request.after) in step \(step)")
                    try require(
                        yours.complete, is: mine.complete, "claims after \(request.after) in step \(step)")
                }
                if generator.chance(20) { store = try home.open() }
                if generator.chance(30) {
                    try require(try snapshot(store), is: try snapshot(model), "everything after step \(step)")
                }
            }
            try require(try snapshot(store), is: try snapshot(model), "everything in the end")
        }
    ]
}

extension SeededGenerator {
    /// Returns a transaction with some writes of a history in any order, and at times a claim.
    fileprivate mutating func transaction(from history: History) -> StoreTransaction {
        let (all, count) = (history.writes, number(0...6))
        var writes = (0..<count).map { _ in pick(all) }
        // As another node would send them: cleared writes as deletions, and partial writes without the fields that were
        // overwritten there.
        if chance(30) {
            writes = shuffled(StoreConformance.surviving((0..<2 * count).map { _ in pick(all) }))
        }
        let claims = chance(40) ? pick(history.transactions).completing : VersionVector()
        let lane = history.transactions[0].lane
        let clock = writes.map(\.latestTime).max() ?? .zero
        let name = bytes(1...1).map { $0 % 4 }
        let space = lane == .activities ? NoteSpace.ownActivity : .reindex
        let notes =
            chance(30) ? [LocalNote(space: space, name: name, value: chance(30) ? nil : bytes(0...3))] : []
        return StoreTransaction(lane: lane, writes: writes, completing: claims, clock: clock, notes: notes)
    }
}
