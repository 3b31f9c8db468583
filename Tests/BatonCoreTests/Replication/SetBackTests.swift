import BatonCore
import Support
import Testing

/// Tests of messages from a peer that lacks tombstones that were collected here.
@Suite struct `A peer that lacks collected tombstones` {
    typealias Script = SessionScript

    private static func claim(_ sequence: UInt64, of origin: Origin = Script.origin(1)) -> VersionVector {
        VersionVector([(origin, sequence)])
    }

    private static let lost = Origin(life: Life(high: 1, low: 1), lane: .activities)

    /// Returns a store that wrote something, deleted it, and collected the tombstone.
    private static func store() -> InMemoryStore {
        let store = InMemoryStore()
        store.keep(
            StoreTransaction(
                lane: .activities, writes: [.told(.told(kind: .device), at: 5, .deletion)],
                completing: claim(5, of: lost)))
        #expect(store.collect(CollectRequest(roster: [])) == 1)
        return store
    }

    private static func batch(
        _ number: UInt64, _ writes: [Write], _ complete: VersionVector? = nil, isAhead: Bool = false,
        range: BatchRange? = nil
    ) -> PeerMessage {
        var batch = Batch(number: number, lane: .activities, writes: writes, complete: complete)
        (batch.isAhead, batch.range) = (isAhead, range)
        return .batch(batch)
    }

    private static let whole = BatchRange(
        after: nil, through: nil, complete: VersionVector(), dropped: VersionVector(), horizon: .zero)

    @Test func `is refused with the reason that it needs a snapshot first, and may reconnect for it`() {
        for writes in [[Script.write(1)], []] {
            let peer = ActedPeer(Self.store())
            peer.say(Self.batch(1, writes, Self.claim(1)))
            #expect(peer.reason?.code == .setBack && peer.reason?.code.isTransient == true)
            #expect(peer.acknowledged == 0 && peer.store.survivingWrites.isEmpty)
            #expect(
                peer.store.complete == Self.claim(5, of: Self.lost), "nothing is claimed of what is refused")
        }
    }

    @Test func `may send a snapshot, and writes ahead of its ranges`() {
        let peer = ActedPeer(Self.store())
        peer.say(Self.batch(1, [Script.write(1)], isAhead: true))
        peer.say(Self.batch(2, [Script.write(2)], range: Self.whole))
        #expect(peer.reason == nil && peer.acknowledged == 2)
        #expect(peer.store.survivingWrites.count == 2)
        // Sending a snapshot gives the peer nothing of what it lacks.
        peer.say(Self.batch(3, [Script.write(9)], Self.claim(9)))
        #expect(peer.reason?.code == .setBack)
    }

    @Test func `is accepted once it claims the tombstones, or has acknowledged the snapshot`() {
        let said = ActedPeer(Self.store())
        var complete = Self.claim(1)
        complete.join(Self.claim(5, of: Self.lost))
        said.say(Self.batch(1, [Script.write(1)], complete))
        #expect(said.reason == nil && said.acknowledged == 1)

        let told = ActedPeer(Self.store())
        #expect(told.batches.map(\.range?.through) == [nil], "it is sent a snapshot")
        told.say(.acknowledgement(1))
        told.say(Self.batch(1, [Script.write(1)], Self.claim(1)))
        #expect(told.reason == nil && told.acknowledged == 1)
    }

    /// The client state may speak of an item whose deletion was collected, so its job starts over.
    @Test func `has its items rewritten and its client state deleted`() {
        let name = ClientStateName(app: "org.example", index: "main")
        for (key, isThere) in [(name.key, false), (RecordKey.told(kind: .item), true)] {
            let record = Record(merging: [.told(key, at: 5, .full())])
            var renewal = Renewal(
                life: Life(high: 9, low: 9), lane: .index, clock: HybridTime(value: 50), signer: nil)
            let renewed = renewal.renew(record) { _ in true }
            #expect(renewed.count == 1 && renewed.allSatisfy { $0.stamp.time > HybridTime(value: 50) })
            #expect(Record(merging: record.survivingWrites + renewed).isThere == isThere)
        }
    }

    // MARK: Nonsense

    @Test func `can't send writes ahead of a range together with a claim or a range`() {
        for (complete, range) in [
            (Self.claim(1), nil), (VersionVector(), nil), (nil, Self.whole), (Self.claim(1), Self.whole),
        ] {
            let peer = ActedPeer(InMemoryStore())
            peer.say(Self.batch(1, [Script.write(1)], complete, isAhead: true, range: range))
            #expect(peer.reason?.code == .malformed && peer.transactionCount == 0)
        }
        let peer = ActedPeer(InMemoryStore())
        peer.say(Self.batch(1, [Script.write(1)], isAhead: true))
        #expect(peer.reason == nil && peer.acknowledged == 1)
        #expect(peer.store.complete.isEmpty, "what goes ahead lets nothing be claimed")
    }

    @Test func `can't send a range that ends at its beginning or before`() {
        let ends = (UInt64(1)...3).map { Script.write($0).identity }.sorted()
        for end in [ends[0], ends[1]] {
            let peer = ActedPeer(InMemoryStore())
            var range = Self.whole
            range.through = ends[1]
            peer.say(Self.batch(1, [], range: range))
            (range.after, range.through) = (ends[1], end)
            (range.complete, range.dropped) = (nil, nil)
            peer.say(Self.batch(2, [], range: range))
            #expect(peer.reason?.code == .malformed && peer.acknowledged == 1)
        }
    }

    @Test func `can't announce a record ahead of a range if the range does not end with a record`() {
        let peer = ActedPeer(InMemoryStore())
        var range = Self.whole
        range.isEndAhead = true
        peer.say(Self.batch(1, [], range: range))
        #expect(peer.reason?.code == .malformed)
    }

    @Test func `does not put a counter in doubt if it has sent a counter with the same beginning`() {
        let range = ReceivedRange(
            after: nil, through: nil, isEndAhead: false, known: VersionVector(), dropped: VersionVector(),
            horizon: .largest, start: VersionVector())
        let count = Write.told(.told(), at: 5, .count(1, begun: 5))
        for (beginning, isInDoubt) in [(5, false), (6, true)] as [(UInt64, Bool)] {
            let sent = Write.told(.told(), at: 7, .count(2, begun: beginning))
            #expect(range.isInDoubt(count, sent: [sent]) == isInDoubt)
        }
    }

    /// Nothing deletes the record of a device, and its signature would not hold for a later stamp.
    @Test func `does not put a device's record or a roster statement in doubt`() {
        let kinds: [(RecordKind, Bool)] = [(.device, false), (.rosterStatement, false), (.item, true)]
        for (kind, isInDoubt) in kinds {
            let write = Write.told(.told(kind: kind), at: 5, .full())
            #expect(write.isInDoubt(at: .largest) == isInDoubt)
        }
    }

    /// Only a faulty device counts in two scopes with one write.
    @Test func `ends a counter that it claims and lacks, even if it sends the counter in another scope`() {
        let counts = ["a", "b"].map { Write.told(.told(), at: 5, .count(1, begun: 5, in: .app($0))) }
        let range = ReceivedRange(
            after: nil, through: nil, isEndAhead: false, known: Self.claim(5, of: counts[0].dot.origin),
            dropped: VersionVector(), horizon: .zero, start: VersionVector())
        let left = Record(merging: counts).remaining(
            judgedBy: range, sent: [counts[1]], unread: [], isAllKnown: true, by: nil)
        #expect(left == [counts[1]])
    }

    @Test func `ends no roster statement and no device record that it claims and lacks`() {
        let kinds: [(RecordKind, Bool)] = [
            (.device, true), (.rosterStatement, true), (.savedActivity, false),
        ]
        for (kind, stays) in kinds {
            let write = Write.told(.told(kind: kind), at: 5, .full())
            let range = ReceivedRange(
                after: nil, through: nil, isEndAhead: false, known: Self.claim(5, of: write.dot.origin),
                dropped: VersionVector(), horizon: .zero, start: VersionVector())
            let left = Record(merging: [write]).remaining(
                judgedBy: range, sent: [], unread: [], isAllKnown: true, by: nil)
            #expect(left == (stays ? nil : []), "\(kind)")
        }
    }

    /// An update has the stamp of the full write that it changes only where times have come to their end.
    @Test
    func `ends a partial write that it claims and lacks, even if it sends the full write of the same stamp`()
    {
        let full = Write.told(.told(), at: 5, .full([1: 1]))
        let dot = Dot(origin: full.dot.origin, sequence: 6)
        let update = Write(dot: dot, key: .told(), stamp: full.stamp, action: .partial(of: 5, [2: 1]))
        let range = ReceivedRange(
            after: nil, through: nil, isEndAhead: false, known: Self.claim(6, of: dot.origin),
            dropped: VersionVector(), horizon: .zero, start: VersionVector())
        let left = Record(merging: [full, update]).remaining(
            judgedBy: range, sent: [full], unread: [], isAllKnown: true, by: nil)
        #expect(left == [full])
    }

    @Test func `leaves a partial write that it does not claim, beside another that it ended`() {
        let full = Write.told(.told(), at: 5, .full([1: 1]))
        let ended = Write.told(.told(), at: 6, by: 2, .partial(of: 5, [2: 1]))
        let unknown = Write.told(.told(), at: 7, by: 3, .partial(of: 5, [3: 1]))
        var known = Self.claim(5, of: full.dot.origin)
        known.cover(ended.dot)
        let range = ReceivedRange(
            after: nil, through: nil, isEndAhead: false, known: known, dropped: VersionVector(),
            horizon: .zero, start: VersionVector())
        let left = Record(merging: [full, ended, unknown]).remaining(
            judgedBy: range, sent: [full], unread: [], isAllKnown: true, by: nil)
        #expect(left == [full, unknown])
    }

    /// A copy of the machine passed the update on and ended what it changed; nobody here can tell that any more.
    @Test(arguments: [true, false])
    func `does not end a partial write that it claims and lacks if this device will renew the full write`(
        isOwn: Bool
    ) {
        let full = Write.told(.told(), at: 5, .full([1: 1]))
        let update = Write.told(.told(), at: 6, by: 2, .partial(of: 5, [2: 1]))
        let range = ReceivedRange(
            after: nil, through: nil, isEndAhead: false, known: Self.claim(6, of: update.dot.origin),
            dropped: VersionVector(), horizon: .largest, start: VersionVector())
        let left = Record(merging: [full, update]).remaining(
            judgedBy: range, sent: [], unread: [], isAllKnown: true, by: isOwn ? full.dot.origin.life : nil)
        #expect(left == (isOwn ? nil : []))
    }
}
