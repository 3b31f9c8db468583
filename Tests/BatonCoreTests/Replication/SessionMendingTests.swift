import BatonCore
import Support
import Testing

@Suite struct `Two stores that claim the same` {
    /// What a faulty disk or program made of one of them.
    enum Fault: CaseIterable {
        case recordLost, fieldsLost, fieldChanged, notDeleted, lostOnBothSides
    }

    /// Stores with the same history of both lanes.
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

    /// Does the harm; the records are among those that are there.
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
            // No update stands over what is changed.
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
    func `find a difference with their first messages, and mend it`(_ fault: Fault, _ seed: UInt64) throws {
        let (one, two) = stores(seed)
        try inflict(fault, on: one, two)
        if fault == .notDeleted {
            // What claims the write that came back is in both.
            for store in [one, two] {
                store.keep(
                    StoreTransaction(
                        lane: .activities, writes: [],
                        completing: VersionVector([
                            (Origin(life: Stamp.told(5, by: 5).life, lane: .activities), 5 as UInt64)
                        ])))
            }
        }
        #expect(one.check()?.state != two.check()?.state && one.check()?.complete == two.check()?.complete)
        let most = visible(one).count + visible(two).count
        let pair = SessionPair(one, two)
        pair.play()
        #expect(pair.isInStep && pair.closed == nil)
        #expect(one.check() == two.check() && one.check() != nil)
        #expect(visible(one) == visible(two))
        #expect(pair.differences == [[.found, nil], [.found, nil]])
        #expect(pair.carried.count { $0 == .sums } == 4 && pair.carriedWrites < 4 * most)
        // It is not found again, and nothing is told of it.
        let again = SessionPair(one, two)
        again.play()
        #expect(again.carried == [.hello, .hello] && again.differences == [[], []])
    }

    @Test(arguments: [1, 500, Limits.largestBatchBytes], Seeds.first(4))
    func `find it after they have caught up, and mend it while they go on`(_ bytes: Int, _ seed: UInt64)
        throws
    {
        let (one, two) = stores(seed, keys: 60, length: 150)
        for record in visible(two).prefix(20) { two.lose(record.identity) }
        one.keep(History(seed: seed + 50, length: 1).transactions[0])
        var limits = Limits()
        limits.batchBytes = bytes
        let pair = SessionPair(one, two, limits: limits)
        // Both write more while they mend.
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
        #expect(one.check() == two.check() && one.check() != nil)
        #expect(pair.differences.allSatisfy { $0.first == .found && $0.last == .some(nil) })
        #expect(pair.carried.contains(.check) && pair.carried.count { $0 == .sums } == 4)
    }

    @Test func `and hold it sum up nothing, and compare again only after a change and a pause`() {
        let (one, two) = stores(1)
        let pair = SessionPair(one, two)
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

    @Test func `find what goes wrong while they are connected`() throws {
        let (one, two) = stores(2)
        let pair = SessionPair(one, two)
        pair.play()
        two.lose(try #require(visible(two).first).identity)
        one.keep(History(seed: 9, length: 1).transactions[0])
        pair.handleCommit(in: one)
        pair.play()
        #expect(pair.differences == [[], []])
        pair.handleDeadlines()
        pair.play()
        #expect(pair.differences == [[.found, nil], [.found, nil]] && one.check() == two.check())
        // What goes wrong once more is told, and left to the next session.
        two.lose(try #require(visible(two).first).identity)
        one.keep(History(seed: 10, length: 1).transactions[0])
        pair.handleCommit(in: one)
        pair.play()
        pair.handleDeadlines()
        pair.play()
        #expect(pair.differences.contains { $0.last == .remaining } && one.check() != two.check())
        SessionPair(one, two).play()
        #expect(one.check() == two.check())
    }

    @Test func `tell a program without the feature nothing of it`() throws {
        let (one, two) = stores(3)
        two.lose(try #require(visible(two).first).identity)
        let pair = SessionPair(one, two, offering: Features([Features.lettingGo]))
        pair.play()
        one.keep(History(seed: 9, length: 1).transactions[0])
        pair.handleCommit(in: one)
        pair.play()
        pair.handleDeadlines()
        pair.play()
        #expect(pair.carried == [.hello, .hello, .batch, .acknowledgement] && pair.deadlines == [nil, nil])
    }

    @Test func `do not compare while one holds what it does not claim`() {
        let (one, two) = stores(4)
        let write = Write.told(.told(99), at: 5, by: 9, .full())
        two.keep(StoreTransaction(lane: .index, writes: [write], completing: VersionVector()))
        #expect(two.check() == nil && one.check() != nil)
        let pair = SessionPair(one, two)
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
