import BatonCore
import Support
import Testing

@Suite struct `A peer that misbehaves` {
    typealias Script = SessionScript

    private static let life = Life(high: 8, low: 8)

    private static func own(_ sequence: UInt64, _ lane: Lane = .activities) -> VersionVector {
        VersionVector([(Origin(life: life, lane: lane), sequence)])
    }

    private static func claim(_ sequence: UInt64, _ lane: Lane = .activities) -> VersionVector {
        VersionVector([(Script.origin(1, lane), sequence)])
    }

    /// Returns a peer that has sent a write, which is acknowledged.
    private static func honestSoFar(named: JournalPosition? = nil, limits: Limits = Limits()) -> ActedPeer {
        let peer = ActedPeer(named: named, limits: limits)
        peer.say(batch(1, [Script.write(1), Script.write(2)], claim(2)))
        return peer
    }

    private static func batch(
        _ number: UInt64, _ writes: [Write] = [], _ complete: VersionVector? = VersionVector(),
        range: BatchRange? = nil
    ) -> PeerMessage {
        var batch = Batch(number: number, lane: .activities, writes: writes, complete: complete)
        batch.range = range
        return .batch(batch)
    }

    /// Checks that the session broke off with that code, and that the acknowledged writes are there.
    private func expect(
        _ code: CloseCode, _ peer: ActedPeer, location: SourceLocation = #_sourceLocation
    ) {
        #expect(peer.reason?.code == code, "\(String(describing: peer.reason))", sourceLocation: location)
        #expect(peer.acknowledged >= 1, sourceLocation: location)
        for write in [Script.write(1), Script.write(2)] {
            #expect(peer.store.survivingWrites.contains(write), sourceLocation: location)
        }
        #expect(Self.claim(2).isWithin(peer.store.summary().complete), sourceLocation: location)
        // The peer's later messages are ignored.
        let frames = peer.frameCount
        peer.say(Self.batch(2, [Script.write(3)]))
        #expect(peer.frameCount == frames, sourceLocation: location)
    }

    // MARK: Claims

    @Test func `can't claim less than it claimed earlier in the session`() {
        let peer = Self.honestSoFar()
        peer.say(Self.batch(2, [], Self.claim(7)))
        peer.say(Self.batch(3, [], Self.claim(7)))
        #expect(peer.reason == nil)
        peer.say(Self.batch(4, [], Self.claim(6)))
        expect(.backwards, peer)
    }

    @Test func `can't claim less than it claimed when the session opened`() {
        let store = InMemoryStore()
        let peer = ActedPeer(store, claiming: Self.claim(9))
        peer.say(Self.batch(1, [Script.write(1), Script.write(2)], nil))
        peer.say(Self.batch(2, [], Self.claim(8)))
        #expect(peer.reason?.code == .backwards)
        #expect(store.survivingWrites.count == 2 && store.summary().complete.isEmpty)
    }

    @Test func `can't omit its earlier claims from a range`() {
        let peer = Self.honestSoFar()
        let range = BatchRange(
            after: nil, through: nil, complete: Self.claim(1), dropped: VersionVector(), horizon: .zero)
        peer.say(Self.batch(2, [], nil, range: range))
        expect(.backwards, peer)
    }

    @Test func `may claim less in a new session, as a restored device does`() {
        let store = InMemoryStore()
        _ = ActedPeer(store, claiming: Self.claim(9))
        let peer = ActedPeer(store, claiming: Self.claim(3))
        peer.say(Self.batch(1, [Script.write(1), Script.write(2)], Self.claim(4)))
        #expect(peer.reason == nil && peer.acknowledged == 1)
    }

    // MARK: The names of others

    @Test func `can't claim writes that this device's present life has not made`() {
        let names = JournalPosition(life: Self.life, sequences: [.activities: 5])
        let write = Write(
            dot: Dot(origin: Origin(life: Self.life, lane: .activities), sequence: 6), key: Script.key(9),
            stamp: Stamp(time: HybridTime(value: 9), life: Self.life),
            action: .full(Write.Content(fields: Fields())))
        let device = DeviceIdentifier(high: 4, low: 4)
        var reports = Reports()
        reports.join(device, Self.own(6))
        let range = { (complete: VersionVector, dropped: VersionVector) in
            BatchRange(after: nil, through: nil, complete: complete, dropped: dropped, horizon: .zero)
        }
        let lies: [PeerMessage] = [
            Self.batch(2, [], Self.own(6)), Self.batch(2, [write], nil), .reports(reports),
            Self.batch(2, [], nil, range: range(Self.own(6).joined(Self.claim(2)), VersionVector())),
            Self.batch(2, [], nil, range: range(Self.claim(2), Self.own(6))),
        ]
        for lie in lies {
            let peer = Self.honestSoFar(named: names)
            peer.say(lie)
            #expect(peer.taken == [Self.life])
            #expect(peer.store.summary().complete == Self.claim(2))
            expect(.lifeTaken, peer)
        }
        for complete in [Self.own(6), Self.own(1, .index)] {
            let peer = ActedPeer(claiming: complete, named: names)
            #expect(peer.reason?.code == .lifeTaken && peer.taken == [Self.life])
        }
    }

    @Test func `may claim every write of this device, also those made during the session`() {
        let peer = Self.honestSoFar(named: JournalPosition(life: Self.life, sequences: [.activities: 5]))
        peer.say(Self.batch(2, [], Self.own(5)))
        peer.named = JournalPosition(life: Self.life, sequences: [.activities: 6])
        peer.say(Self.batch(3, [], Self.own(6)))
        // Another life of this device may have gone further than this machine knows, if it came from a backup.
        peer.named = JournalPosition(life: Life(high: 8, low: 9), sequences: [:])
        peer.say(Self.batch(4, [], Self.own(70)))
        #expect(peer.reason == nil && peer.acknowledged == 4)
    }

    @Test func `may redial soon after a transient close reason, such as a taken life`() {
        #expect(
            CloseCode.lifeTaken.isTransient && CloseCode.silent.isTransient && CloseCode.unread.isTransient)
        for code in [CloseCode.backwards, .idle, .notSent, .outOfOrder] { #expect(!code.isTransient) }
    }

    // MARK: Numbers

    @Test(arguments: [1, 2, 7, .max] as [UInt64])
    func `can't acknowledge a batch that is not in flight`(_ number: UInt64) {
        let peer = Self.honestSoFar()
        peer.commit(Self.ownTransaction)
        #expect(peer.batches.map(\.number) == [1])
        if number == 1 { peer.say(.acknowledgement(1)) }
        peer.say(.acknowledgement(number))
        expect(.notSent, peer)
    }

    @Test(arguments: [1, 3, 0, .max] as [UInt64])
    func `can't repeat a batch or leave one out`(_ number: UInt64) {
        let peer = Self.honestSoFar()
        peer.say(Self.batch(number, [Script.write(3)], Self.claim(3)))
        #expect(!peer.store.survivingWrites.contains(Script.write(3)))
        expect(.outOfOrder, peer)
    }

    private static let ownTransaction = StoreTransaction(
        lane: .activities,
        writes: [
            Write(
                dot: Dot(origin: Origin(life: life, lane: .activities), sequence: 1), key: Script.key(90),
                stamp: Stamp(time: HybridTime(value: 90), life: life),
                action: .full(Write.Content(fields: Fields())))
        ], completing: own(1))

    // MARK: Silence

    @Test func `has a limited time to acknowledge a batch`() {
        var limits = Limits()
        limits.acknowledgingTime = .seconds(7)
        let peer = Self.honestSoFar(limits: limits)
        #expect(peer.session.deadline == nil, "an idle session has no timer")
        peer.commit(Self.ownTransaction)
        #expect(peer.session.deadline == Script.started + .seconds(7))
        peer.wait(.seconds(6))
        #expect(peer.reason == nil)
        peer.wait(.seconds(1))
        expect(.silent, peer)
        #expect(peer.session.deadline == nil)
    }

    @Test func `has the full time again after each acknowledgement`() {
        let peer = Self.honestSoFar()
        let most = peer.limit
        for number in UInt64(1)...3 {
            peer.commit(
                StoreTransaction(
                    lane: .index, writes: [Script.write(number, .index)],
                    completing: Self.claim(number, .index)))
        }
        for number in UInt64(1)...3 {
            peer.wait(most - .seconds(1))
            peer.say(.acknowledgement(number))
        }
        #expect(peer.reason == nil && peer.session.deadline == nil)
        peer.wait(.seconds(100_000))
        #expect(peer.reason == nil)
    }

    // MARK: Idle talk

    /// Sends a message again and again, until the session breaks off.
    private func expectEnough(
        _ peer: ActedPeer, after count: Int = Limits.idleMessages, _ code: CloseCode = .idle,
        _ message: (UInt64) -> PeerMessage
    ) {
        peer.say(message(0))
        let (state, frames) = (peer.store.state, peer.frameCount)
        for number in UInt64(1)..<UInt64(count) { peer.say(message(number)) }
        #expect(peer.reason == nil, "\(String(describing: peer.reason))")
        // Nothing grows, and each message gets one answer at most.
        #expect(peer.store.state == state && peer.frameCount <= frames + count)
        peer.say(message(UInt64(count)))
        expect(code, peer)
    }

    @Test func `can't send empty batches without limit`() {
        expectEnough(Self.honestSoFar()) { Self.batch($0 + 2) }
        expectEnough(Self.honestSoFar()) { Self.batch($0 + 2, [], nil) }
    }

    @Test func `can't send the same small batch without limit`() {
        expectEnough(Self.honestSoFar()) { Self.batch($0 + 2, [Script.write(1)], Self.claim(2)) }
        let peer = Self.honestSoFar()
        // An unclaimed write is merged each time, without effect.
        peer.say(Self.batch(2, [Script.write(3)], nil))
        expectEnough(peer) { Self.batch($0 + 3, [Script.write(3)], nil) }
    }

    @Test func `can't send empty ranges without limit`() {
        let through = { (number: UInt64) in
            RecordIdentity(kind: .device, hash: KeyHash(high: number, low: 0))
        }
        let peer = Self.honestSoFar()
        let nothing = VersionVector()
        peer.say(
            Self.batch(
                2, [], nil,
                range: BatchRange(
                    after: nil, through: through(0), complete: Self.claim(2), dropped: nothing, horizon: .zero
                ))
        )
        for number in UInt64(1)...UInt64(Limits.idleMessages) {
            peer.say(
                Self.batch(
                    number + 2, [], nil,
                    range: BatchRange(
                        after: through(number - 1), through: through(number), complete: nil, dropped: nil,
                        horizon: .zero)))
        }
        #expect(peer.reason?.code == .idle)
    }

    @Test func `can't begin snapshots without limit`() {
        let peer = Self.honestSoFar()
        var number: UInt64 = 1
        while peer.reason == nil, number < 5000 {
            number += 1
            peer.say(
                Self.batch(
                    number, [Script.write(1), Script.write(2)], nil,
                    range: BatchRange(
                        after: nil, through: nil, complete: Self.claim(2), dropped: VersionVector(),
                        horizon: .zero)))
        }
        #expect(number == 2 + UInt64(Limits.idleMessages))
        expect(.idle, peer)
    }

    @Test func `can't send the same reports without limit`() {
        var reports = Reports()
        reports.join(DeviceIdentifier(high: 4, low: 4), Self.claim(1))
        // The first one is news.
        expectEnough(Self.honestSoFar(), after: Limits.idleMessages + 1) { _ in .reports(reports) }
    }

    @Test func `can't send addresses without limit`() {
        let told = { (number: UInt64) in
            DeviceAddresses(
                device: DeviceIdentifier(high: 4, low: number), name: "x", addresses: ["host\(number):1"])
        }
        expectEnough(Self.honestSoFar()) { .addresses([told($0)]) }
    }

    @Test func `can't continue activities without limit`() {
        let peer = Self.honestSoFar()
        let ask = { (number: UInt64) in
            peer.say(.continueRequest(ContinueRequest(number: number, identity: Script.write(1).identity)))
            peer.tell { $0.answerContinue(number, .gone(to: nil)) }
        }
        for number in UInt64(1)...UInt64(Limits.continuingMost) { ask(number) }
        peer.wait(Limits.continuingPeriod)
        for number in UInt64(1)...UInt64(Limits.continuingMost) { ask(number) }
        #expect(peer.reason == nil)
        ask(0)
        expect(.idle, peer)
    }

    @Test func `may send any number of empty messages if useful ones come in between`() {
        let peer = Self.honestSoFar()
        var number: UInt64 = 1
        for sequence in UInt64(3)...5 {
            for _ in 0..<Limits.idleMessages {
                number += 1
                peer.say(Self.batch(number))
            }
            number += 1
            peer.say(Self.batch(number, [Script.write(sequence)], Self.claim(sequence)))
        }
        #expect(peer.reason == nil && peer.acknowledged == number)
    }

    // MARK: Memory

    @Test func `can't make a session buffer more than its window while the store is slow`() {
        let peer = Self.honestSoFar()
        peer.isStoreAnswering = false
        let transactions = peer.transactionCount
        var number: UInt64 = 1
        while peer.reason == nil, number < 100_000 {
            number += 1
            peer.say(Self.batch(number))
        }
        let most = (Limits.windowBytes + Lane.allCases.count * Limits.frameBytes) / Limits.leastBatchBytes
        #expect(number == UInt64(most) + 2 && peer.transactionCount == transactions)
        expect(.windowExceeded, peer)
    }
}

extension ActedPeer {
    fileprivate var limit: Duration { Limits().acknowledgingTime }
}
