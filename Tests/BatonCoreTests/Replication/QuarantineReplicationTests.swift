import BatonCore
import Support
import Testing

@Suite struct `One record that can't be read` {
    private static let origin = SessionScript.origin(1)

    /// A write that no receiver can read: its name is no CBOR.
    private static let bad = Write(
        dot: Dot(origin: origin, sequence: 5), key: RecordKey(kind: .device, name: [0xff]),
        stamp: Stamp(time: HybridTime(value: 5), life: origin.life),
        action: .full(Write.Content(fields: Fields())))

    /// Returns the first store of a chain: it wrote nine records, and the fifth is unreadable.
    private static func author() -> InMemoryStore {
        let store = InMemoryStore()
        for sequence in UInt64(1)...9 {
            let write = sequence == 5 ? bad : SessionScript.write(sequence)
            _ = store.keep(
                StoreTransaction(
                    lane: .activities, writes: [write], completing: VersionVector([(origin, sequence)])))
        }
        return store
    }

    /// Lets three stores in a chain exchange their records until nothing moves.
    private static func play(_ stores: [InMemoryStore], bytes: Int) -> [SessionPair] {
        var limits = Limits()
        limits.batchBytes = bytes
        let pairs = [
            SessionPair(stores[0], stores[1], limits: limits),
            SessionPair(stores[1], stores[2], limits: limits),
        ]
        for _ in 0..<3 {
            for pair in pairs {
                pair.play()
                for store in stores {
                    for other in pairs where other !== pair { other.handleCommit(in: store) }
                }
            }
        }
        for pair in pairs { pair.play() }
        return pairs
    }

    @Test(arguments: [1, 300, Limits.largestBatchBytes])
    func `delays no other record, and no device of a chain of three claims it`(_ bytes: Int) {
        let stores = [Self.author(), InMemoryStore(), InMemoryStore()]
        // Several meetings: none of them is stopped, and no write is resent for ever.
        for round in 0..<3 {
            let own = SessionScript.write(UInt64(100 + round), .index)
            stores[0].keep(
                StoreTransaction(
                    lane: .index, writes: [own],
                    completing: VersionVector([(SessionScript.origin(1, .index), own.dot.sequence)])))
            let pairs = Self.play(stores, bytes: bytes)
            for store in stores[1...] {
                let expected = [1, 2, 3, 4, 6, 7, 8, 9].map { SessionScript.write($0) }
                #expect(store.survivingWrites.filter { $0.dot.origin == Self.origin } == expected)
                #expect(store.survivingWrites.contains(own))
                #expect(store.summary().complete[Self.origin] == 4)
            }
            #expect(stores[1].quarantined().map(\.dot) == [Self.bad.dot] && stores[2].quarantined().isEmpty)
            #expect(pairs.map(\.isInStep) == [false, true], "what is withheld is not in step")
            if round > 0 { #expect(pairs[0].carriedWrites <= 2, "\(pairs[0].carriedWrites)") }
        }
    }

    @Test func `is claimed by all devices once its author overwrites it`() {
        let stores = [Self.author(), InMemoryStore(), InMemoryStore()]
        _ = Self.play(stores, bytes: 300)
        let deletion = Write(
            deleting: Self.bad.identity, dot: Dot(origin: Self.origin, sequence: 10),
            stamp: Stamp(time: HybridTime(value: 10), life: Self.origin.life))
        stores[0].keep(
            StoreTransaction(
                lane: .activities, writes: [deletion],
                completing: VersionVector([(Self.origin, 10 as UInt64)])))
        let pairs = Self.play(stores, bytes: 300)
        for store in stores {
            #expect(store.quarantined().isEmpty && store.summary().complete[Self.origin] == 10)
            #expect(store.allRecords == stores[0].allRecords)
        }
        let areInStep = pairs.map(\.isInStep)
        #expect(areInStep == [true, true])
    }

    @Test func `leaves the session open, and the other writes are acknowledged`() {
        let peer = ActedPeer()
        peer.say(
            .batch(
                Batch(
                    number: 1, lane: .activities,
                    writes: [SessionScript.write(1), Self.bad, SessionScript.write(6)],
                    complete: VersionVector([(Self.origin, 6 as UInt64)]))))
        #expect(peer.reason == nil && peer.acknowledged == 1)
        #expect(peer.store.quarantined().first?.peer == SessionScript.peer)
        #expect(peer.store.summary().complete[Self.origin] == 4)
        peer.commit(
            StoreTransaction(
                lane: .index, writes: [SessionScript.write(1, .index)],
                completing: VersionVector([(SessionScript.origin(1, .index), 1 as UInt64)])))
        // This device sends no more of the origin to others than it claims.
        for batch in peer.batches { #expect((batch.complete?[Self.origin] ?? 0) <= 4) }
    }
}
