import BatonCore

extension StoreConformance {
    /// Reports, garbage collection of tombstones, and snapshots.
    static let collection: [StoreCheck] = [
        StoreCheck("reports only grow, and are there when the store is opened again") { home, _ in
            let (own, other) = (DeviceIdentifier(high: 1, low: 1), DeviceIdentifier(high: 1, low: 2))
            do {
                let store = try home.open()
                try commit([.told(.told(), at: 3, .deletion)], claiming: true, to: store)
                var reports = Reports()
                reports.join(other, vector(2))
                reports.join(other, vector(1))
                _ = try store.keep(reports)
                let known = try store.report(of: own, having: try store.summary().complete)
                try require(known[own], is: vector(3), "the own report")
                try require(known[other], is: vector(2), "another's report")
            }
            let summary = try home.open().summary()
            try require(summary.reports[own], is: vector(3), "the own report after opening")
            try require(summary.reports[other], is: vector(2), "another's report after opening")
        },
        StoreCheck("an empty report is not stored, also when the store is opened again") { home, _ in
            let own = DeviceIdentifier(high: 1, low: 1)
            let known = try home.open().report(of: own, having: VersionVector())
            try require(known, is: Reports(), "what is known at once")
            try require(try home.open().summary().reports, is: Reports(), "the reports after opening")
        },
        StoreCheck("a tombstone is collected once every device has it, and never before") { home, _ in
            let other = DeviceIdentifier(high: 1, low: 2)
            var store = try home.open()
            let tombstone = Write.told(.told(), at: 3, .deletion)
            try commit([tombstone], claiming: true, to: store)
            let roster = CollectRequest(roster: [other])
            try require(try store.collect(roster), is: 0, "what goes without a report")
            for (reported, count) in [(vector(2), 0), (vector(3), 1)] {
                var reports = Reports()
                reports.join(other, reported)
                _ = try store.keep(reports)
                try require(try store.collect(roster), is: count, "what goes after \(reported)")
            }
            store = try home.open()
            try require(try store.record(tombstone.identity), is: nil, "the rest")
            try require(try store.summary().dropped, is: vector(3), "the collected writes")
            try require(
                try store.changes(
                    ChangesRequest(lane: .index, after: .none, covered: vector(2), bytes: 100)),
                is: .snapshotNeeded, "the answer to a peer that lacks it")
            try require(
                try read(store, .index, covered: vector(3)).writes, is: [], "the writes sent to others")
        },
        StoreCheck("a report of writes that are not here collects nothing") { home, _ in
            let other = DeviceIdentifier(high: 1, low: 2)
            let store = try home.open()
            try commit([.told(.told(), at: 3, .deletion)], claiming: true, to: store)
            var reports = Reports()
            reports.join(other, vector(4))
            _ = try store.keep(reports)
            try require(try store.collect(CollectRequest(roster: [other])), is: 0, "what goes")
        },
        StoreCheck("collection removes tombstones first, then clears, and keeps counters") { home, _ in
            let (scope, key, store) = (Scope.app("a"), RecordKey.told(), try home.open())
            let writes: [Write] = [
                .told(key, at: 1, .full(in: scope)), .clear(scope, at: 2, by: 1),
                .told(.told(2), at: 3, .deletion), .told(.told(2), at: 4, .count(1, begun: 4)),
            ]
            for write in writes { try commit([write], claiming: true, to: store) }
            let all = CollectRequest(roster: [], most: 1)
            for _ in 0..<2 { try require(try store.collect(all), is: 1, "how many go at once") }
            for key in [key, .told(2)] {
                try require(try store.record(key.identity)?.tombstone, is: nil, "the tombstone of \(key)")
            }
            try require(try store.records(of: .clear(in: .index)).count, is: 1, "how many clears are left")
            try require(try store.collect(all), is: 1, "how many go in the end")
            try require(try store.collect(all), is: 0, "how many are left")
            try require(
                try read(store, .index, covered: vector(3)).writes, is: [writes[3]], "the rest")
            try commit([.told(.told(3), at: 1, by: 5, .full(in: scope))], to: store)
            try require(
                try store.record(RecordKey.told(3).identity)?.isThere, is: true, "what the clear ended once")
        },
        StoreCheck("the tombstones of a clear stay until every device has the clear") { home, _ in
            let (scope, other, store) = (Scope.app("a"), DeviceIdentifier(high: 1, low: 2), try home.open())
            try commit([.told(.told(), at: 1, .full(in: scope))], claiming: true, to: store)
            try commit([.clear(scope, at: 2, by: 1)], claiming: true, to: store)
            var reports = Reports()
            reports.join(other, vector(1))
            _ = try store.keep(reports)
            try require(try store.collect(CollectRequest(roster: [other])), is: 0, "what goes")
        },
        StoreCheck("a clear stays as long as a deletion that it left") { home, _ in
            let (scope, other, store) = (Scope.app("a"), DeviceIdentifier(high: 1, low: 2), try home.open())
            try commit([.told(.told(), at: 1, .full(in: scope))], claiming: true, to: store)
            try commit([.clear(scope, at: 2, by: 1)], claiming: true, to: store)
            try commit([.clear(.app("b"), at: 3, by: 1)], claiming: true, to: store)
            // The deletion waits for a later clear, of which one can't tell that it did not leave it.
            for (reported, count) in [(vector(2), 0), (vector(3), 3)] {
                var reports = Reports()
                reports.join(other, reported)
                _ = try store.keep(reports)
                let collected = try store.collect(CollectRequest(roster: [other]))
                try require(collected, is: count, "what goes after \(reported)")
            }
        },
        StoreCheck("ranges have every record once and whole, and answer alike in every store") { home, seed in
            let history = History(seed: seed, lane: .index, keys: 20, length: 60)
            let (store, model) = (try home.open(), InMemoryStore())
            for transaction in history.transactions {
                _ = try store.commit(transaction)
                _ = try model.commit(transaction)
            }
            for bytes in [1, 700, 100_000] {
                var request = RangeRequest(lane: .index, after: nil, since: nil, covered: nil, bytes: bytes)
                var writes: [Write] = []
                repeat {
                    let answer = try store.range(request)
                    try require(answer, is: model.range(request), "the range behind \(request)")
                    guard case .range(let range) = answer else { break }
                    writes += range.writes
                    request.after = range.through
                } while request.after != nil
                try require(sorted(writes), is: surviving(history.writes), "all ranges of \(bytes)")
            }
        },
        StoreCheck("a received snapshot gives the same contents, whatever was there before") { home, seed in
            var generator = SeededGenerator(seed: seed)
            let history = History(seed: seed, lane: .index, keys: 6, length: 40)
            let (author, model, store) = (InMemoryStore(), InMemoryStore(), try home.open())
            for transaction in history.transactions { _ = try author.commit(transaction) }
            for transaction in history.transactions.prefix(generator.number(0...40)) {
                var part = transaction
                if generator.chance(50) { part.completing = VersionVector() }
                _ = try store.commit(part)
                _ = try model.commit(part)
            }
            while author.collect(CollectRequest(roster: [], most: 1000)) > 0 {}
            let peer = DeviceIdentifier(high: 1, low: 1)
            var request = RangeRequest(lane: .index, after: nil, since: nil, covered: nil, bytes: 300)
            var start: VersionVector?
            repeat {
                guard case .range(let range) = author.range(request) else { break }
                start = start ?? range.complete
                var transaction = StoreTransaction(
                    lane: .index, writes: range.writes, completing: VersionVector(), clock: range.horizon,
                    resume: StoreTransaction.Resume(peer: peer, token: ResumeToken(bytes: [7])))
                transaction.range = ReceivedRange(
                    after: request.after, through: range.through, isEndAhead: false, known: range.complete,
                    dropped: range.dropped, horizon: range.horizon, start: start ?? range.complete)
                transaction.renewingLife = Life(high: 7, low: seed)
                try require(try store.commit(transaction), is: try model.commit(transaction), "a commit")
                try require(
                    try store.summary(for: peer).snapshots, is: model.summary(for: peer).snapshots,
                    "how far it came")
                request.after = range.through
            } while request.after != nil
            let reopened = try home.open()
            try require(try snapshot(reopened), is: try snapshot(model), "everything")
            try require(
                try snapshot(reopened).writes[.index].map(sorted),
                is: try snapshot(author).writes[.index].map(sorted), "what the author has")
            try require(
                try reopened.summary().complete, is: author.summary().complete, "the claims then")
            try require(try reopened.summary().dropped, is: author.summary().dropped, "the collected writes")
        },
        StoreCheck("a range removes what its sender knows and lacks, and nothing else") { home, _ in
            let store = try home.open()
            let (gone, own, kept) = (RecordKey.told(1), RecordKey.told(2), RecordKey.told(3))
            try commit(
                [
                    .told(gone, at: 1, .full()), .told(gone, at: 2, .partial(of: 1, [1: 2])),
                    .told(gone, at: 3, by: 4, .partial(of: 1, [2: 2])), .told(own, at: 2, by: 4, .full()),
                    .told(kept, at: 4, .full()),
                ], to: store)
            var transaction = StoreTransaction(
                lane: .index, writes: [.told(kept, at: 4, .full())], completing: VersionVector())
            transaction.range = ReceivedRange(
                after: nil, through: nil, isEndAhead: false, known: vector(4), dropped: vector(1),
                horizon: .zero, start: vector(4))
            _ = try store.commit(transaction)
            try require(try store.record(gone.identity), is: nil, "what is known to be gone")
            try require(try store.record(own.identity)?.isThere, is: true, "what the sender can't know")
            try require(try store.record(kept.identity)?.isThere, is: true, "what was sent")
        },
        StoreCheck("a snapshot renews writes that are claimed and in doubt") {
            home, _ in
            let store = try home.open()
            let own = StoreTransaction(
                lane: .index, writes: [.told(.told(), at: 1, .full(in: .none, [1: 9]))],
                completing: vector(1))
            _ = try store.commit(own)
            try commit([.told(.told(3), at: 1001, by: 4, .full())], to: store)
            let life = Life(high: 6, low: 6)
            var transaction = StoreTransaction(lane: .index, writes: [], completing: VersionVector())
            transaction.range = ReceivedRange(
                after: nil, through: nil, isEndAhead: false, known: VersionVector(), dropped: VersionVector(),
                horizon: HybridTime(value: 1000), start: VersionVector())
            transaction.renewingLife = life
            transaction.clock = HybridTime(value: 1001)
            let commit = try store.commit(transaction)
            let anew = try store.record(RecordKey.told().identity)
            try require(anew?.incarnation, is: Stamp(time: HybridTime(value: 1002), life: life), "its stamp")
            try require(anew?.fields, is: .told([1: 9]), "its fields")
            try require(commit.clock, is: HybridTime(value: 1002), "the clock")
            try require(
                try store.record(RecordKey.told(3).identity)?.incarnation, is: .told(1001, by: 4),
                "what is later than everything collected")
            try require(
                try store.summary().complete[Origin(life: life, lane: .index)], is: 1, "the claims")
        },
        StoreCheck(
            "a range whose last record went ahead does not judge it, and the next one does not, either"
        ) {
            home, _ in
            let store = try home.open()
            let keys = (UInt64(1)...3).map { RecordKey.told($0) }.sorted { $0.identity < $1.identity }
            try commit(keys.map { .told($0, at: 3, .full()) }, to: store)
            for (after, through) in [(nil, keys[1].identity), (keys[1].identity, nil)] {
                var transaction = StoreTransaction(lane: .index, writes: [], completing: VersionVector())
                transaction.range = ReceivedRange(
                    after: after, through: through, isEndAhead: through != nil, known: vector(4),
                    dropped: VersionVector(), horizon: .zero, start: vector(4))
                _ = try store.commit(transaction)
            }
            let left = try keys.filter { try store.record($0.identity) != nil }
            try require(left, is: [keys[1]], "what is left of what the sender knows and did not send")
        },
        StoreCheck("a snapshot starts again if more was collected since") { home, _ in
            let store = try home.open()
            try commit([.told(.told(), at: 3, .deletion)], claiming: true, to: store)
            _ = try store.collect(CollectRequest(roster: []))
            var request = RangeRequest(lane: .index, after: nil, since: nil, covered: vector(2), bytes: 9)
            try require(try store.range(request), is: .anew, "what is told behind the beginning")
            request.covered = nil
            try require(try store.range(request) == .anew, is: false, "what is told at the beginning")
        },
        StoreCheck("a record that is too large for a range is sent ahead of it") { home, _ in
            let store = try home.open()
            var fields = Fields()
            fields.set(1) { $0.data([UInt8](repeating: 0, count: 200_000)) }
            let content = Write.Content(fields: fields)
            var other = Fields()
            other.set(2) { $0.data([UInt8](repeating: 0, count: 200_000)) }
            let stamp = Stamp.told(1)
            let key = RecordKey.told()
            let writes: [Write] = [
                .told(key, at: 1, .full(content)), .told(key, at: 2, .partial(of: stamp, other)),
            ]
            try commit(writes, claiming: true, to: store)
            let request = RangeRequest(
                lane: .index, after: nil, since: nil, covered: nil, bytes: Limits.largestBatchBytes)
            guard case .range(let range) = try store.range(request) else {
                throw StoreViolation(description: "no range")
            }
            try require(range.ahead, is: writes, "what goes ahead")
            try require(range.writes.isEmpty && range.isEndAhead, "the range itself")
            try require(range.through, is: key.identity, "its end")
        },
    ]

    /// The claims of the transactions of one life.
    private static func vector(_ sequence: UInt64) -> VersionVector {
        VersionVector([(Origin(life: Life(high: 1, low: 1), lane: .index), sequence)])
    }

    private static func commit(
        _ writes: [Write], claiming: Bool = false, to store: any AccountStore
    ) throws(StoreFailure) {
        let claims = VersionVector(writes.map { ($0.dot.origin, $0.dot.sequence) })
        _ = try store.commit(
            StoreTransaction(lane: .index, writes: writes, completing: claiming ? claims : VersionVector()))
    }
}
