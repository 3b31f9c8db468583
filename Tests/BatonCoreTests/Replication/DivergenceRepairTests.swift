import BatonCore
import Support
import Testing

@Suite struct `Two stores with the same claims` {
    /// The faults of a disk or program in one of them.
    enum Fault: CaseIterable {
        case recordLost, fieldsLost, fieldChanged, notDeleted, lostOnBothSides
    }

    /// The times of both clocks; records of a history that expire do so later.
    private static let clocks = [WallTime](repeating: WallTime(milliseconds: -864_000_000), count: 2)

    /// Returns stores with the same history of both lanes.
    private func stores(_ seed: UInt64, keys: Int = 12, length: Int = 60) -> (InMemoryStore, InMemoryStore) {
        let (one, two) = (InMemoryStore(), InMemoryStore())
        for store in [one, two] {
            for lane in Lane.allCases {
                for transaction in History(seed: seed, lane: lane, keys: keys, length: length).transactions {
                    store.keep(transaction)
                }
            }
        }
        return (one, two)
    }

    private func visible(_ store: InMemoryStore) -> [Record] {
        store.allRecords.filter { $0.isThere && !$0.identity.kind.isClear }
    }

    /// Inflicts a fault on one of the records that are there.
    private func inflict(_ fault: Fault, on one: InMemoryStore, _ two: InMemoryStore) throws {
        let records = visible(one)
        let first = try #require(records.first).identity
        switch fault {
        case .recordLost: two.lose(first)
        case .fieldsLost:
            let changed = try #require(
                records.first { $0.survivingWrites.count > 1 && $0.survivingWrites.contains(where: \.isFull) }
            )
            two.damage(changed.identity) { $0.filter(\.isFull) }
        case .fieldChanged:
            // No update is later than the changed write.
            let changed = try #require(
                records.first { $0.survivingWrites.count == 1 && $0.survivingWrites[0].isFull })
            two.damage(changed.identity) { writes in
                [writes[0].withOtherFields] + writes.dropFirst()
            }
        case .notDeleted:
            let gone = try #require(one.allRecords.first { !$0.isThere })
            let key = RecordKey.told(7, kind: .device)
            one.lose(gone.identity)
            one.damage(key.identity) { _ in [.told(key, at: 5, by: 5, .full())] }
        case .lostOnBothSides:
            one.lose(first)
            two.lose(try #require(records.last).identity)
        }
    }

    @Test(arguments: Fault.allCases, Seeds.first(5))
    func `find a difference with their first messages, and repair the difference`(
        _ fault: Fault, _ seed: UInt64
    ) throws {
        let (one, two) = stores(seed)
        try inflict(fault, on: one, two)
        if fault == .notDeleted {
            // Both have the claims of the write that came back.
            for store in [one, two] {
                store.keep(
                    StoreTransaction(
                        lane: .activities, writes: [],
                        completing: VersionVector([
                            (Origin(life: Stamp.told(5, by: 5).life, lane: .activities), 5 as UInt64)
                        ])))
            }
        }
        #expect(
            one.check(at: InMemoryStore.past)?.state != two.check(at: InMemoryStore.past)?.state
                && one.check(at: InMemoryStore.past)?.complete == two.check(at: InMemoryStore.past)?.complete)
        let most = visible(one).count + visible(two).count
        let pair = SessionPair(one, two, clocks: Self.clocks)
        pair.play()
        #expect(pair.isInStep && pair.closed == nil)
        #expect(
            one.check(at: InMemoryStore.past) == two.check(at: InMemoryStore.past)
                && one.check(at: InMemoryStore.past) != nil)
        #expect(visible(one) == visible(two))
        #expect(pair.differences == [[.found, nil], [.found, nil]])
        #expect(pair.carried.count { $0 == .sums } == 4 && pair.carriedWrites < 4 * most)
        // It is not found again, and nothing of it is sent.
        let again = SessionPair(one, two, clocks: Self.clocks)
        again.play()
        #expect(again.carried == [.hello, .hello] && again.differences == [[], []])
    }

    @Test(arguments: [1, 500, Limits.largestBatchBytes], Seeds.first(4))
    func `find a difference after catching up, and repair it while both write more`(
        _ bytes: Int, _ seed: UInt64
    )
        throws
    {
        let (one, two) = stores(seed, keys: 60, length: 150)
        for record in visible(two).prefix(20) { two.lose(record.identity) }
        one.keep(History(seed: seed + 50, length: 1).transactions[0])
        var limits = Limits()
        limits.batchBytes = bytes
        let pair = SessionPair(one, two, limits: limits, clocks: Self.clocks)
        // Both write more while they repair.
        for (number, transaction) in History(seed: seed + 60, lane: .index, length: 6).transactions
            .enumerated()
        {
            pair.play(frames: 7)
            let store = number % 2 == 0 ? one : two
            store.keep(transaction)
            pair.handleCommit(in: store)
        }
        pair.play()
        pair.handleDeadlines()
        pair.play()
        #expect(pair.isInStep && pair.closed == nil)
        #expect(
            one.check(at: InMemoryStore.past) == two.check(at: InMemoryStore.past)
                && one.check(at: InMemoryStore.past) != nil)
        #expect(pair.differences.allSatisfy { $0.first == .found && $0.last == .some(nil) })
        #expect(pair.carried.contains(.check) && pair.carried.count { $0 == .sums } == 4)
    }

    @Test func `and the same content exchange no sums, and compare again only after a change and a pause`() {
        let (one, two) = stores(1)
        let pair = SessionPair(one, two, clocks: Self.clocks)
        pair.play()
        #expect(pair.carried == [.hello, .hello] && pair.deadlines == [nil, nil])
        one.keep(History(seed: 9, length: 1).transactions[0])
        pair.handleCommit(in: one)
        pair.play()
        #expect(pair.carried == [.hello, .hello, .batch, .acknowledgement])
        #expect(pair.deadlines.allSatisfy { $0 != nil })
        pair.handleDeadlines()
        pair.play()
        #expect(pair.carried.dropFirst(4) == [.check, .check] && pair.deadlines == [nil, nil])
        #expect(one.countedLanes.isEmpty && two.countedLanes.isEmpty && pair.differences == [[], []])
    }

    @Test func `find a fault that occurs while they are connected`() throws {
        let (one, two) = stores(2)
        let pair = SessionPair(one, two, clocks: Self.clocks)
        pair.play()
        two.lose(try #require(visible(two).first).identity)
        one.keep(History(seed: 9, length: 1).transactions[0])
        pair.handleCommit(in: one)
        pair.play()
        #expect(pair.differences == [[], []])
        pair.handleDeadlines()
        pair.play()
        #expect(
            pair.differences == [[.found, nil], [.found, nil]]
                && one.check(at: InMemoryStore.past) == two.check(at: InMemoryStore.past))
        // A second fault is reported, and left to the next session.
        two.lose(try #require(visible(two).first).identity)
        one.keep(History(seed: 10, length: 1).transactions[0])
        pair.handleCommit(in: one)
        pair.play()
        pair.handleDeadlines()
        pair.play()
        #expect(
            pair.differences.contains { $0.last == .remaining }
                && one.check(at: InMemoryStore.past) != two.check(at: InMemoryStore.past))
        SessionPair(one, two, clocks: Self.clocks).play()
        #expect(one.check(at: InMemoryStore.past) == two.check(at: InMemoryStore.past))
    }

    @Test func `send neither digests nor sums to a program without the feature`() throws {
        let (one, two) = stores(3)
        two.lose(try #require(visible(two).first).identity)
        let pair = SessionPair(one, two, offering: Features([Features.collection]), clocks: Self.clocks)
        pair.play()
        one.keep(History(seed: 9, length: 1).transactions[0])
        pair.handleCommit(in: one)
        pair.play()
        pair.handleDeadlines()
        pair.play()
        #expect(pair.carried == [.hello, .hello, .batch, .acknowledgement] && pair.deadlines == [nil, nil])
    }

    // MARK: Expired records

    /// Returns two stores with the same history and one expired record, which the second has lost.
    private func expired(_ seed: UInt64, at time: WallTime) -> (InMemoryStore, InMemoryStore, Write) {
        let (one, two) = stores(seed)
        var fields = Fields()
        fields.set(0) { $0.integer(time.milliseconds) }
        let origin = Origin(life: Stamp.told(1, by: 8).life, lane: .index)
        let write = Write(
            dot: Dot(origin: origin, sequence: 1), key: .told(500, kind: .item), stamp: .told(1, by: 8),
            action: .full(Write.Content(fields: fields)))
        for store in [one, two] {
            store.keep(
                StoreTransaction(
                    lane: .index, writes: [write], completing: VersionVector([(origin, 1 as UInt64)])))
        }
        two.lose(write.identity)
        return (one, two, write)
    }

    /// Returns the time this many hours after the noon at which one of them begins.
    private func hours(_ count: Int) -> WallTime { SessionPair.noon.advanced(by: .seconds(3600 * count)) }

    @Test(arguments: [-37, -36, -35, 30])
    func `compare records that expired yesterday or later, and ignore those that expired earlier`(
        _ hour: Int
    ) {
        let (one, two, write) = expired(5, at: hours(hour))
        let pair = SessionPair(one, two)
        pair.play()
        // Yesterday began 36 hours before noon.
        let isOver = hour <= -36
        #expect(pair.differences == (isOver ? [[], []] : [[.found, nil], [.found, nil]]))
        #expect((two.record(write.identity) == nil) == isOver)
    }

    @Test func `delete expired records with tombstones while they repair another record of the same part`()
        throws
    {
        let (one, two, write) = expired(6, at: hours(-100))
        let other = try #require(
            (0..<10_000).lazy.map { RecordKey.told($0, kind: .item) }.first {
                $0.identity.hash.part == write.identity.hash.part && $0.identity != write.identity
            })
        let lost = Write(
            dot: Dot(origin: write.dot.origin, sequence: 2), key: other, stamp: .told(2, by: 8),
            action: .full(Write.Content(fields: Fields())))
        for store in [one, two] {
            store.keep(
                StoreTransaction(
                    lane: .index, writes: [lost],
                    completing: VersionVector([(lost.dot.origin, 2 as UInt64)])))
        }
        two.lose(lost.identity)
        // A record that one store has swept is not lost, and its tombstone ends the other store's record.
        two.damage(write.identity) { _ in [write] }
        var request = SweepRequest(time: hours(-99), roster: [], most: 1000)
        while let step = try two.sweep(request) { request.after = step.next }
        let pair = SessionPair(one, two)
        pair.play()
        #expect(pair.differences == [[.found, nil], [.found, nil]])
        #expect(two.record(lost.identity) != nil)
        #expect([one, two].allSatisfy { $0.record(write.identity)?.isThere == false })
    }

    /// Records that are left out of the sums must not keep the stores apart.
    @Test func `find that one of them lacks the write that sets a record's expiration`() throws {
        let (one, two, write) = expired(9, at: hours(50))
        let update = Write(
            dot: Dot(origin: write.dot.origin, sequence: 2), key: .told(500, kind: .item),
            stamp: .told(2, by: 8),
            action: .partial(of: write.stamp, .told([0: 5])))
        for store in [one, two] {
            store.damage(write.identity) { _ in [write] }
            store.keep(
                StoreTransaction(
                    lane: .index, writes: [update],
                    completing: VersionVector([(update.dot.origin, 2 as UInt64)])))
        }
        two.damage(write.identity) { _ in [write] }
        let pair = SessionPair(one, two)
        pair.play()
        #expect(pair.differences == [[.found, nil], [.found, nil]])
        #expect(two.record(write.identity) == one.record(write.identity))
    }

    /// Midnight lies between the two clocks: each compares at the other's time with a check, and both repair at one
    /// time.
    @Test func `also compare if midnight has passed for only one of them`() throws {
        let clocks = [hours(11), hours(13)]
        let (one, two, write) = expired(7, at: hours(-30))
        let pair = SessionPair(one, two, clocks: clocks)
        pair.play()
        #expect(pair.carried.contains(.check) && pair.isInStep && pair.closed == nil)
        // By one clock the record had expired by the compared time, by the other it had not.
        #expect(pair.differences.allSatisfy { $0.first == .found && $0.last == .some(nil) })
        #expect(two.record(write.identity) != nil)
        let again = SessionPair(one, two, clocks: clocks)
        again.play()
        #expect(again.differences == [[], []] && !again.carried.contains(.sums))
    }

    @Test func `compare nothing if one clock is wrong by days`() {
        let (one, two, write) = expired(8, at: hours(2))
        let pair = SessionPair(one, two, clocks: [hours(0), hours(72)])
        pair.play()
        #expect(!pair.carried.contains(.check) && !pair.carried.contains(.sums))
        #expect(pair.differences == [[], []] && two.record(write.identity) == nil && pair.isInStep)
    }

    @Test func `do not compare while one of them holds unclaimed writes`() {
        let (one, two) = stores(4)
        let write = Write.told(.told(99), at: 5, by: 9, .full())
        two.keep(StoreTransaction(lane: .index, writes: [write], completing: VersionVector()))
        #expect(two.check(at: InMemoryStore.past) == nil && one.check(at: InMemoryStore.past) != nil)
        let pair = SessionPair(one, two, clocks: Self.clocks)
        pair.play()
        #expect(!pair.carried.contains(.sums) && pair.differences == [[], []])
    }
}

extension Write {
    /// The same full write with other fields, as a device makes it that uses a dot twice.
    fileprivate var withOtherFields: Write {
        guard case .full(let content) = action, let name else { return self }
        let fields = Fields.told([1: 77, 2: 78])
        return Write(
            dot: dot, identity: identity, name: name, stamp: stamp,
            action: .full(Content(scope: content.scope, fields: fields)))
    }
}
