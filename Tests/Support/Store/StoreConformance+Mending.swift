import BatonCore

extension StoreConformance {
    /// What two stores compare, and how a difference is mended.
    static let mending: [StoreCheck] = [
        StoreCheck("what is compared counts every record, and is of what is claimed") { home, seed in
            let (model, store) = (InMemoryStore(), try home.open())
            for lane in Lane.allCases {
                for transaction in History(seed: seed, lane: lane, keys: 8, length: 30).transactions {
                    for target in [model as any AccountStore, store] { _ = try target.commit(transaction) }
                    try require(try store.check(), is: model.check(), "what is compared")
                    try require(try store.summary().state, is: model.check()?.state, "what a summary says")
                }
            }
            let expired = Write.told(
                .told(1, kind: .savedActivity), at: 1, by: 7, .full([0: 5]))
            let before = try require(try store.check(), "what is compared")
            _ = try store.commit(expired.claimed)
            let after = try require(try store.check(), "what is compared")
            try require(after.state != before.state, "what has expired counts")
            try require(
                after.complete, is: try store.summary().complete.digest, "the digest of what is claimed")
        },
        StoreCheck("nothing is to be compared while something is held that is not claimed") { home, _ in
            let store = try home.open()
            let write = Write.told(.told(), at: 3, .full())
            for lane in Lane.allCases {
                try require(try store.check() != nil, "an empty lane is compared: \(lane)")
            }
            _ = try store.commit(StoreTransaction(lane: .index, writes: [write], completing: VersionVector()))
            try require(try store.check(), is: nil, "what is compared")
            try require(try home.open().summary().state, is: nil, "what a summary says")
            _ = try store.commit(
                StoreTransaction(lane: .index, writes: [], completing: write.claimed.completing))
            try require(try store.check() != nil, "it is claimed now")
        },
        StoreCheck("nothing is to be compared while what was let go elsewhere is not claimed") { home, _ in
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
                try require(try store.check() == nil, is: through != nil, "a snapshot is under way")
            }
        },
        StoreCheck("the sums of the parts come to what is compared") { home, seed in
            let (model, store) = (InMemoryStore(), try home.open())
            var digest = StateDigest()
            for lane in Lane.allCases {
                for transaction in History(seed: seed, lane: lane, keys: 30, length: 60).transactions {
                    for target in [model as any AccountStore, store] { _ = try target.commit(transaction) }
                }
                let sums = try store.recount(lane)
                try require(sums, is: model.recount(lane), "the sums of \(lane)")
                for sum in sums.sums { digest += sum }
            }
            try require(try store.check()?.state, is: digest, "the sum of all")
            try require(try home.open().check()?.state, is: digest, "the sum of all, once more")
        },
        StoreCheck("a part is read in pieces of any size, and holds its records and no others") {
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
        StoreCheck("what mends is merged although it is claimed, and what is claimed stays") { home, _ in
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
                transaction.isMending = true
                _ = try store.commit(transaction)
                try require(try store.record(key.identity), is: Record(expected), "the record")
                try require(try store.summary().complete, is: complete, "what is claimed")
            }
            try require(try store.check()?.state, is: Record(clone).digest, "what is compared")
        },
    ]

    /// All of a part of the index, in pieces of about that many bytes.
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
