import BatonCore

/// Writes that a write in doubt had overwritten.
extension StoreConformance {
    static let doubts: [StoreCheck] = [
        StoreCheck(
            "a write that was overwritten by one in doubt comes back with the range that removes that one"
        ) {
            home, _ in
            let store = try home.open()
            let actions: [Write.Action] = [
                .full(in: .none, [1: 9]), .count(begun: .told(5), Write.Content(fields: .told([1: 9]))),
            ]
            for (number, action) in actions.enumerated() {
                let overwritten = Write.told(.told(UInt64(number)), at: 5, action)
                _ = try store.commit(
                    StoreTransaction(lane: .index, writes: [overwritten], completing: claim(1, 5)))
                let stray = try overwrite(overwritten, in: store)
                _ = try store.commit(range([overwritten], knowing: claim(1, 5)))
                let writes = try store.record(stray.identity)?.survivingWrites
                try require(writes, is: [overwritten], "the rest")
                try require(try store.check(at: InMemoryStore.past) != nil, "all that is held is claimed")
            }
        },
        StoreCheck("records that ended here do not come back with a range of a peer that lacks the ends") {
            home, _ in
            let store = try home.open()
            let ended = Write.told(.told(), at: 5, .full())
            let tombstone = Write.told(.told(), at: 6, by: 3, .deletion)
            _ = try store.commit(
                StoreTransaction(
                    lane: .index, writes: [ended, tombstone], completing: claim(1, 5).united(claim(3, 6))))
            try require(try store.collect(CollectRequest(roster: [])), is: 1, "how many tombstones go")
            let stray = try overwrite(ended, in: store)
            _ = try store.commit(range([ended], knowing: claim(1, 5)))
            let left = try store.record(stray.identity)
            try require(left?.incarnation.life, is: anew, "who wrote what is left")
            try require(left?.fields, is: .told([2: 7]), "its contents")
        },
        StoreCheck("a write in doubt is renewed if the sender may lack what it had overwritten") {
            home, _ in
            let store = try home.open()
            let sender = claim(9, 1)
            for (number, hold) in holdings.enumerated() {
                // Each write is of a life of its own, and the sender knows what the others brought.
                let known = try store.summary().complete.united(sender)
                let overwritten = Write.told(
                    .told(UInt64(number)), at: 5, by: UInt64(20 + number), .full())
                try hold(overwritten, store)
                let stray = try overwrite(overwritten, in: store)
                _ = try store.commit(range([], knowing: known))
                let left = try store.record(stray.identity)
                try require(left?.incarnation.life, is: anew, "who wrote what is left, in round \(number)")
                try require(left?.fields, is: .told([2: 7]), "its contents")
                // The device that is to claim the write does.
                _ = try store.commit(
                    StoreTransaction(lane: .index, writes: [], completing: VersionVector(of: overwritten)))
            }
        },
        StoreCheck("a write in doubt is renewed if the sender does not know a snapshot that was given up") {
            home, _ in
            for (isKnown, kept) in [(false, 1), (true, 0)] {
                let brought = Write.told(.told(isKnown ? 1 : 2), at: 5, by: 20, .full())
                let stray = Write.told(.told(isKnown ? 3 : 4), at: 6, by: 21, .full())
                let all = VersionVector(of: brought).united(claim(9, 1)).united(claim(anew, 100))
                do {
                    let store = try home.open()
                    _ = try store.commit(
                        StoreTransaction(lane: .index, writes: [stray], completing: VersionVector()))
                    var part = range([brought], knowing: all)
                    part.range?.through = brought.identity
                    part.range?.dropped = all
                    part.range?.horizon = .zero
                    _ = try store.commit(part)
                    try require(
                        try store.abandonSnapshots(of: [DeviceIdentifier(high: 4, low: 1)]), is: true,
                        "whether claims are given up")
                }
                let store = try home.open()
                _ = try store.commit(range([], knowing: isKnown ? all : claim(9, 1)))
                for write in [brought, stray] {
                    let left = try store.record(write.identity)
                    try require(left == nil ? 0 : 1, is: kept, "how much is left of \(write)")
                    if let left { try require(left.incarnation.life, is: anew, "who wrote it") }
                }
            }
        },
        StoreCheck("a deleted client state does not come back, although its deletion was collected") {
            home, _ in
            let store = try home.open()
            let state = Write.told(.told(kind: .clientState), at: 5, .full())
            let tombstone = Write.told(.told(kind: .clientState), at: 6, by: 3, .deletion)
            _ = try store.commit(
                StoreTransaction(
                    lane: .index, writes: [state, tombstone], completing: claim(1, 5).united(claim(3, 6))))
            try require(try store.collect(CollectRequest(roster: [])), is: 1, "how many tombstones go")
            var late = StoreTransaction(lane: .index, writes: [state], completing: VersionVector())
            late.sender = try store.summary().complete
            try require(try store.commit(late).changed, is: [], "what a late batch changed")
            try require(
                try store.commit(range([state], knowing: claim(1, 5))).changed, is: [], "what a range changed"
            )
        },
        StoreCheck("a client state in doubt is removed, and the one before it comes back, whoever sends it") {
            home, _ in
            let store = try home.open()
            let before = Write.told(.told(kind: .clientState), at: 5, .full())
            _ = try store.commit(
                StoreTransaction(lane: .index, writes: [before], completing: claim(1, 5)))
            _ = try overwrite(before, in: store)
            // The store answers for more than the sender knows.
            _ = try store.commit(StoreTransaction(lane: .index, writes: [], completing: claim(7, 1)))
            _ = try store.commit(range([before], knowing: claim(1, 5)))
            let writes = try store.record(before.identity)?.survivingWrites
            try require(writes, is: [before], "the rest")
        },
        StoreCheck("a count in doubt is renewed, also if its record was deleted before") { home, _ in
            let store = try home.open()
            let writes: [Write] = [
                .told(.told(), at: 5, by: 4, .deletion),
                .told(.told(), at: 6, by: 4, .count(3, begun: 6, by: 4)),
            ]
            // The sender does not know everything that is claimed here, so nothing is removed.
            _ = try store.commit(StoreTransaction(lane: .index, writes: writes, completing: claim(4, 6)))
            _ = try store.commit(range([], knowing: claim(1, 5)))
            let left = try store.record(writes[1].identity)?.survivingWrites ?? []
            try require(left.count, is: 2, "how many writes are left")
            try require(left.map(\.stamp.life).contains(anew), "the count is written anew")
        },
    ]

    /// The ways in which a store comes to answer for a write.
    private static let holdings: [@Sendable (Write, any AccountStore) throws -> Void] = [
        { write, store in
            _ = try store.commit(
                StoreTransaction(lane: .index, writes: [write], completing: VersionVector(of: write)))
        },
        { write, store in
            // A part of a stream, of which the peer claims all.
            var part = StoreTransaction(lane: .index, writes: [write], completing: VersionVector())
            part.sender = try store.summary().dropped.united(VersionVector(of: write))
            _ = try store.commit(part)
        },
        { write, store in
            // A part of a snapshot.
            var part = range([write], knowing: VersionVector(of: write))
            part.range?.through = write.identity
            part.range?.horizon = .zero
            _ = try store.commit(part)
        },
        { write, store in
            // The write was collected elsewhere, and nothing is known of the claims there.
            var part = range([], knowing: VersionVector())
            part.range?.dropped = VersionVector(of: write)
            part.range?.horizon = .zero
            part.resume = nil
            _ = try store.commit(part)
        },
    ]

    private static let anew = Life(high: 6, low: 1)

    private static func claim(_ life: UInt64, _ sequence: UInt64) -> VersionVector {
        claim(Life(high: 1, low: life), sequence)
    }

    private static func claim(_ life: Life, _ sequence: UInt64) -> VersionVector {
        VersionVector([(Origin(life: life, lane: .index), sequence)])
    }

    /// Stores a later write of that record, of which nobody claims anything.
    private static func overwrite(_ write: Write, in store: any AccountStore) throws -> Write {
        let stray = Write.told(
            write.key ?? .told(), at: 10 + write.dot.origin.life.low, by: 4, .full(in: .none, [2: 7]))
        _ = try store.commit(
            StoreTransaction(lane: .index, writes: [stray], completing: VersionVector()))
        return stray
    }

    /// Returns a whole snapshot of a peer that has collected something later than everything here.
    private static func range(_ writes: [Write], knowing known: VersionVector) -> StoreTransaction {
        var transaction = StoreTransaction(lane: .index, writes: writes, completing: VersionVector())
        (transaction.sender, transaction.clock) = (known, HybridTime(value: 1000))
        transaction.resume = StoreTransaction.Resume(
            peer: DeviceIdentifier(high: 4, low: 1), token: ResumeToken(bytes: [1]))
        transaction.range = ReceivedRange(
            after: nil, through: nil, isEndAhead: false, known: known, dropped: VersionVector(),
            horizon: HybridTime(value: 1000), start: known)
        transaction.renewingLife = anew
        return transaction
    }
}

extension VersionVector {
    fileprivate init(of write: Write) { self.init([(write.dot.origin, write.dot.sequence)]) }

    fileprivate func united(_ other: VersionVector) -> VersionVector {
        var united = self
        united.join(other)
        return united
    }
}
