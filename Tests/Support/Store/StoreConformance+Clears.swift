import BatonCore

extension StoreConformance {
    /// The effects of clears and counters on stored records and on the digest.
    static let clearing: [StoreCheck] = [
        StoreCheck("the digest is the sum over all records, also when the store is opened again") {
            home, seed in
            let history = History(seed: seed, lane: .index, length: 40)
            var generator = SeededGenerator(seed: seed)
            var (store, model) = (try home.open(), InMemoryLane())
            for write in generator.shuffled(history.writes + history.writes) {
                try commit([write], to: store)
                model.merge(write)
                for time in [
                    WallTime(milliseconds: .min), WallTime(milliseconds: 2), WallTime(milliseconds: .max),
                ] {
                    try require(
                        try store.digest(at: time), is: model.digest(at: time), "the digest at \(time)")
                }
                if generator.chance(10) { store = try home.open() }
            }
            let sum = merged(history.writes).reduce(into: StateDigest()) { $0 += $1.digest }
            try require(try store.digest(at: WallTime(milliseconds: .min)), is: sum, "the digest in the end")
        },
        StoreCheck("a record counts as expired from its expiration on") { home, _ in
            let store = try home.open()
            var fields = Fields()
            fields.set(0) { $0.integer(-5) }
            try commit([.told(.told(kind: .unknown), at: 1, .full(Write.Content(fields: fields)))], to: store)
            try require(
                try store.digest(at: WallTime(milliseconds: -6)) == StateDigest(), is: false, "before")
            try require(try store.digest(at: WallTime(milliseconds: -5)), is: StateDigest(), "at its end")
            try require(try store.records(of: .unknown).count, is: 1, "expiry is not a deletion")
        },
        StoreCheck("a clear affects stored and later records, also after the store is reopened") {
            home, _ in
            let (scope, far) = (
                Scope.items(app: "a", index: "i", domain: "n"), Scope.items(app: "a", index: "j")
            )
            var store = try home.open()
            let (one, two, other) = (RecordKey.told(1), RecordKey.told(2, kind: .unknown), RecordKey.told(3))
            let full = Write.told(one, at: 1, .full(in: scope))
            let before = try commit([full, .told(other, at: 1, by: 3, .full(in: far))], to: store).head
            let cleared = try commit([.clear(.items(app: "a", index: "i"), at: 5)], to: store)
            try require(
                Set(cleared.changed.map(\.identity)).contains(one.identity), "the cleared record changed")
            let tombstone = Write(deleting: one.identity, dot: full.dot, stamp: full.stamp)
            try require(try store.record(one.identity)?.survivingWrites, is: [tombstone], "the rest")
            try require(try store.record(other.identity)?.isThere, is: true, "what belongs elsewhere")
            try require(
                try read(store, .index, after: before).writes.count, is: 1, "a tombstone stays in its place")
            store = try home.open()
            try commit(
                [
                    .told(two, at: 4, by: 4, .full(in: scope)),
                    .told(one, at: 9, by: 4, .partial(of: 1, [2: 2])),
                ],
                to: store)
            try require(try store.record(two.identity)?.isThere, is: false, "what comes late")
            try require(try store.record(one.identity)?.isThere, is: false, "what a late change concerns")
            try commit([.told(two, at: 6, by: 4, .full(in: scope))], to: store)
            try require(try store.record(two.identity)?.isThere, is: true, "what was begun later")
        },
        StoreCheck("a clear that is rolled back with its group clears nothing") { home, _ in
            let (scope, store) = (Scope.app("a"), try home.open())
            let full = Write.told(.told(), at: 1, .full(in: scope))
            do {
                try store.group { () throws(StoreFailure) in
                    for write in [full, .clear(scope, at: 5)] {
                        _ = try store.commit(
                            StoreTransaction(lane: .index, writes: [write], completing: VersionVector()))
                    }
                    throw StoreFailure(.full, "on purpose")
                }
            } catch is StoreFailure {}
            try require(try store.digest(at: WallTime(milliseconds: 0)), is: StateDigest(), "the digest")
            try commit([full], to: store)
            try require(try store.record(full.identity)?.isThere, is: true, "what is written afterwards")
        },
        StoreCheck("counters that are cleared leave nothing, and can be written again") { home, _ in
            let (scope, store, key) = (Scope.app("a"), try home.open(), RecordKey.told())
            let begun = Write.told(key, at: 1, .count(1, begun: 1, in: scope))
            try commit([begun], to: store)
            let gone = try commit([.clear(scope, at: 5)], to: store)
            try require(gone.changed.contains(Record(key.identity)), "who watches is told")
            try commit([begun, .told(key, at: 4, by: 2, .count(1, begun: 2, by: 2, in: scope))], to: store)
            try require(try store.record(key.identity), is: nil, "the rest")
            try commit([.told(key, at: 9, .count(2, begun: 8, in: scope))], to: store)
            try require(try store.record(key.identity)?.isThere, is: true, "what was begun anew")
            try commit([.told(key, at: 10, by: 3, .deletion)], to: store)
            try require(try store.record(key.identity)?.isThere, is: false, "the deleted records")
        },
        StoreCheck("a write that survived in part survives whole once it arrives whole") { home, _ in
            let (store, key) = (try home.open(), RecordKey.told())
            let part = Write.told(key, at: 2, .partial(of: 1, [1: 1]))
            let whole = Write.told(key, at: 2, .partial(of: 1, [1: 1, 2: 2]))
            let head = try commit([part, .told(key, at: 1, .full())], to: store).head
            try commit([whole], to: store)
            try require(
                try read(store, .index, after: head).writes, is: [whole],
                "the writes that peers have not seen")
            try commit([part], to: store)
            let writes = sorted(try read(store, .index).writes)
            try require(writes, is: [.told(key, at: 1, .full()), whole], "the writes")
        },
        StoreCheck("a waiting partial write survives a clear of the counter beside it") { home, _ in
            let (scope, store, key) = (Scope.app("a"), try home.open(), RecordKey.told())
            let waiting = Write.told(key, at: 5, .partial(of: 2, [1: 7]))
            let count = Write.told(key, at: 6, .count(1, begun: 6, in: scope))
            try commit([waiting, count, .clear(scope, at: 8)], to: store)
            try require(try store.record(key.identity)?.survivingWrites, is: [waiting], "the rest")
        },
        StoreCheck("two writes to which a faulty device gave one dot are both kept, and counted") { home, _ in
            var (store, model) = (try home.open(), InMemoryLane())
            let key = RecordKey.told()
            let full = Write.told(key, at: 3, .full())
            for write in [
                full, Write(dot: full.dot, key: key, stamp: .told(9), action: .count(1, begun: 8)),
                Write(dot: full.dot, key: key, stamp: .told(7), action: .partial(of: 3, [2: 2])),
            ] {
                try commit([write], to: store)
                model.merge(write)
            }
            store = try home.open()
            try require(try store.record(key.identity), is: model.records[key.identity], "the record")
            let time = WallTime(milliseconds: 0)
            try require(try store.digest(at: time), is: model.digest(at: time), "the digest")
        },
        StoreCheck("unknown kinds and fields are kept byte for byte") { home, _ in
            var fields = Fields()
            fields[.number(99)] = [UInt8](hex: "d90400a1f5826161fb3ff199999999999a")
            fields[.part(77, DeviceIdentifier(high: 1, low: 2))] = [UInt8](hex: "f6")
            fields[.custom([0x78])] = [UInt8](hex: "8301f6a0")
            let key = RecordKey(kind: .unknown, name: [UInt8](hex: "a1016161"))
            let write = Write.told(
                key, at: 1, .full(Write.Content(scope: Scope(["new", "kind"]), fields: fields)))
            try commit([write], to: try home.open())
            try require(try read(try home.open(), .index).writes, is: [write], "what is read again")
        },
    ]

    @discardableResult
    private static func commit(_ writes: [Write], to store: any AccountStore) throws -> StoreCommit {
        try store.commit(StoreTransaction(lane: .index, writes: writes, completing: VersionVector()))
    }
}
