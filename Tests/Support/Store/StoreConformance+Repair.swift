import BatonCore

extension StoreConformance {
    /// Comparison of two stores, and the repair of a difference.
    static let repair: [StoreCheck] = [
        StoreCheck("a comparison covers what is claimed, and leaves out expired records") { home, seed in
            let (model, store) = (InMemoryStore(), try home.open())
            var generator = SeededGenerator(seed: seed)
            for lane in Lane.allCases {
                for transaction in History(seed: seed, lane: lane, keys: 8, length: 30).transactions {
                    for target in [model as any AccountStore, store] { _ = try target.commit(transaction) }
                    // Histories have records that expire at such times.
                    for _ in 0..<2 {
                        let time = WallTime(milliseconds: Int64(generator.number(-1...4)))
                        let check = try require(try store.check(at: time), "the compared state")
                        try require(check, is: model.check(at: time), "what is compared at \(time)")
                        try require(check.state, is: try store.digest(at: time), "the digest at \(time)")
                    }
                }
            }
            let expiring = Write.told(
                .told(1, kind: .savedActivity), at: 1, by: 7, .full([0: 1000]))
            _ = try store.commit(expiring.claimed)
            for (time, isOver) in [(999, false), (1000, true), (998, false), (5000, true)] {
                let check = try require(
                    try store.check(at: WallTime(milliseconds: Int64(time))), "the compared state")
                let rest = model.check(at: WallTime(milliseconds: Int64(time)))?.state
                try require((check.state == rest), is: isOver, "what expires counts until then, at \(time)")
                try require(
                    check.complete, is: try store.summary().complete.digest, "the digest of what is claimed")
            }
            // A sum that was kept for one time is found again.
            let check = try store.check(at: WallTime(milliseconds: 2))
            try require(
                try home.open().check(at: WallTime(milliseconds: 3)),
                is: store.check(at: WallTime(milliseconds: 3)), "once more")
            try require(try home.open().check(at: WallTime(milliseconds: 2)), is: check, "and back")
        },
        StoreCheck("nothing is compared while a stored write is not claimed") { home, _ in
            let store = try home.open()
            let write = Write.told(.told(), at: 3, .full())
            for lane in Lane.allCases {
                try require(
                    try store.check(at: InMemoryStore.past) != nil, "an empty lane is compared: \(lane)")
            }
            _ = try store.commit(StoreTransaction(lane: .index, writes: [write], completing: VersionVector()))
            try require(try store.check(at: InMemoryStore.past), is: nil, "the compared state")
            let summary = try home.open().summary(
                for: DeviceIdentifier(high: 1, low: 1), now: SessionPair.noon)
            try require(summary.state, is: nil, "what a summary says")
            try require(summary.compared, is: SessionPair.noon.compared, "the time that it says")
            _ = try store.commit(
                StoreTransaction(lane: .index, writes: [], completing: write.claimed.completing))
            try require(try store.check(at: InMemoryStore.past) != nil, "it is claimed now")
        },
        StoreCheck("nothing is compared while writes that were collected elsewhere are not claimed") {
            home, _ in
            let store = try home.open()
            let gone = VersionVector([(Origin(life: Stamp.told(9).life, lane: .index), 9 as UInt64)])
            let peer = DeviceIdentifier(high: 1, low: 1)
            for through in [RecordKey.told().identity, nil] {
                var transaction = StoreTransaction(
                    lane: .index, writes: [], completing: VersionVector(),
                    resume: StoreTransaction.Resume(peer: peer, token: ResumeToken(bytes: [1])))
                transaction.range = ReceivedRange(
                    after: through == nil ? RecordKey.told().identity : nil, through: through,
                    isEndAhead: false, known: gone, dropped: gone, horizon: .zero, start: gone)
                _ = try store.commit(transaction)
                try require(
                    try store.check(at: InMemoryStore.past) == nil, is: through != nil,
                    "a snapshot is under way")
            }
        },
        StoreCheck("the sums of all parts add up to the compared sum") { home, seed in
            let (model, store) = (InMemoryStore(), try home.open())
            var digest = StateDigest()
            for lane in Lane.allCases {
                for transaction in History(seed: seed, lane: lane, keys: 30, length: 60).transactions {
                    for target in [model as any AccountStore, store] { _ = try target.commit(transaction) }
                }
                let sums = try store.recount(lane, at: InMemoryStore.past)
                try require(sums, is: model.recount(lane, at: InMemoryStore.past), "the sums of \(lane)")
                for sum in sums.sums { digest += sum }
            }
            try require(try store.check(at: InMemoryStore.past)?.state, is: digest, "the sum of all")
            try require(
                try home.open().check(at: InMemoryStore.past)?.state, is: digest, "the sum of all, once more")
        },
        StoreCheck("sums leave out expired records") { home, seed in
            let (model, store) = (InMemoryStore(), try home.open())
            for transaction in History(seed: seed, lane: .index, keys: 30, length: 60).transactions {
                for target in [model as any AccountStore, store] { _ = try target.commit(transaction) }
            }
            for time in [0, 2, 1000, -1].map({ WallTime(milliseconds: $0) }) {
                let sums = try store.recount(.index, at: time)
                try require(sums, is: model.recount(.index, at: time), "the sums at \(time)")
                try require(
                    try store.check(at: time)?.state,
                    is: sums.sums.reduce(into: StateDigest()) { $0 += $1 }, "the sum of all at \(time)")
            }
        },
        StoreCheck("a part is read in pieces of any size, and has exactly its records") {
            home, seed in
            let store = try home.open()
            let history = History(seed: seed, lane: .index, keys: 400, length: 300)
            for transaction in history.transactions { _ = try store.commit(transaction) }
            var found: [Write] = []
            for number in 0..<LaneSums.count {
                let part = UInt8(number)
                for bytes in [1, 400, .max] {
                    let writes = try readPart(store, part, bytes)
                    try require(
                        writes.allSatisfy { $0.identity.hash.part == part }, "the writes are of part \(part)")
                    if bytes == 1 { found += writes }
                    try require(
                        Array(found.suffix(writes.count)), is: writes, "part \(part) by \(bytes) bytes")
                }
            }
            let all = try read(store, .index).writes
            try require(found.count, is: all.count, "the writes of all parts")
            try require(merged(found), is: merged(all), "what they come to")
        },
        StoreCheck("a part with the largest possible record can be read to its end") { home, _ in
            let store = try home.open()
            let last = RecordKey.told(kind: RecordKind(rawValue: RecordKind.largest))
            let first = try require(
                (1...10_000).lazy.map { RecordKey.told($0) }.first {
                    $0.identity.hash.part == last.identity.hash.part
                }, "an item of the same part")
            let writes = [Write.told(first, at: 3, .full()), Write.told(last, at: 4, .full())]
            for write in writes { _ = try store.commit(write.claimed) }
            for bytes in [1, 1000] {
                try require(
                    try readPart(store, last.identity.hash.part, bytes), is: writes, "by \(bytes) bytes")
            }
        },
        StoreCheck("a repair is merged although its dots are claimed, and the claims stay") { home, _ in
            let store = try home.open()
            let key = RecordKey.told()
            let write = Write.told(key, at: 3, .full([1: 1]))
            let clone = Write.told(key, at: 3, .full([1: 2]))
            _ = try store.commit(
                StoreTransaction(lane: .index, writes: [], completing: write.claimed.completing))
            let complete = try store.summary().complete
            for (arriving, expected) in [(write, write), (clone, clone), (write, clone)] {
                var transaction = StoreTransaction(
                    lane: .index, writes: [arriving], completing: VersionVector())
                _ = try store.commit(transaction)
                transaction.isRepair = true
                _ = try store.commit(transaction)
                try require(try store.record(key.identity), is: Record(expected), "the record")
                try require(try store.summary().complete, is: complete, "the claims")
            }
            try require(
                try store.check(at: InMemoryStore.past)?.state, is: Record(clone).digest, "the compared state"
            )
        },
    ]

    /// Returns all of a part of the index, in pieces of about this many bytes.
    private static func readPart(
        _ store: any AccountStore, _ part: UInt8, _ bytes: Int
    ) throws -> [Write] {
        var (writes, after): ([Write], RecordIdentity?) = ([], nil)
        while true {
            let request = PartRequest(lane: .index, part: part, after: after, bytes: bytes)
            let piece = try store.part(request)
            writes += piece.writes
            guard let through = piece.through else { return writes }
            if let after { try require(through > after, "reading goes forward") }
            after = through
        }
    }

    private static func require<Value>(
        _ value: Value?, _ what: @autoclosure () -> String
    ) throws(StoreViolation) -> Value {
        guard let value else { throw StoreViolation(description: "there is nothing: \(what())") }
        return value
    }
}

extension Write {
    /// A transaction of this write that claims it.
    fileprivate var claimed: StoreTransaction {
        StoreTransaction(
            lane: dot.origin.lane, writes: [self], completing: VersionVector([(dot.origin, dot.sequence)]))
    }
}
