import BatonCore
import Support
import Testing

@Suite struct `A counter` {
    private static let notes = Scope.items(app: "a", index: "i", domain: "notes")
    private static let archive = Scope.items(app: "a", index: "i", domain: "notesarchive")
    private let item = RecordKey.told()

    /// Returns the counters of two devices, which are the same after each order of the writes.
    private func counters(_ writes: [Write]) -> [UInt64?] {
        var found: Set<[UInt64?]> = []
        writes.forEachPermutation { order in
            var lane = InMemoryLane()
            for write in order { lane.merge(write) }
            let fields = lane.records[item.identity]?.fields
            // A small number is its own encoding.
            found.insert([1, 2].map { device in fields?[.counter(of: device)]?.first.map(UInt64.init) })
        }
        #expect(found.count == 1)
        return found.first ?? []
    }

    @Test func `keeps the last value of each device`() {
        let writes: [Write] = [
            .told(item, at: 2, .count(1, begun: 2)), .told(item, at: 5, .count(2, begun: 2)),
            .told(item, at: 4, by: 2, .count(7, begun: 4, by: 2)), .told(item, at: 1, by: 3, .full()),
        ]
        #expect(counters(writes) == [2, 7])
    }

    @Test func `ends with a clear, and starts at zero afterwards`() {
        let writes: [Write] = [
            .told(item, at: 2, .count(5, begun: 2, in: Self.notes)), .clear(Self.notes, at: 4),
            .told(item, at: 9, .count(1, begun: 6, in: Self.notes)),
            .told(item, at: 5, by: 3, .count(6, begun: 2, in: Self.notes)),
        ]
        #expect(counters(writes) == [1, nil])
        #expect(counters(Array(writes[..<2])) == [nil, nil])
    }

    @Test func `is deleted with its record if it began before the deletion, and survives if it began after`()
    {
        let writes: [Write] = [
            .told(item, at: 1, .full()), .told(item, at: 2, .count(5, begun: 2)),
            .told(item, at: 4, by: 3, .deletion), .told(item, at: 6, by: 2, .count(1, begun: 6, by: 2)),
        ]
        #expect(counters(writes) == [nil, 1])
    }

    @Test func `shows its earlier value in the old scope after a clear of the scope that it moved to`() {
        let writes: [Write] = [
            .told(item, at: 2, .count(5, begun: 2, in: Self.archive)),
            .told(item, at: 4, .count(6, begun: 2, in: Self.notes)),
        ]
        #expect(counters(writes) == [6, nil])
        #expect(counters(writes + [.clear(Self.notes, at: 8)]) == [5, nil])
        #expect(counters(writes + [.clear(.app("a"), at: 8)]) == [nil, nil])
    }

    /// The one that was begun last is shown, whatever the order of dots, and whichever of them are in doubt.
    @Test func `that moved to another scope shows the same value after a renewal has rewritten it`() {
        var generator = SeededGenerator(seed: 159_168_662)
        for number in 1...400 {
            let counts = (1...generator.number(1...4)).map { scope in
                let begun = UInt64(generator.number(2...9))
                let writer = UInt64(generator.number(1...3))
                return Write.told(
                    item, at: begun + UInt64(generator.number(0...2)), by: writer,
                    .count(UInt64(scope), begun: begun, by: writer, in: .app("a\(number)\(scope)")))
            }
            let record = Record(merging: [.told(item, at: 1, by: 4, .full())] + counts)
            let doubted = Set(record.survivingWrites.map(\.dot).filter { _ in generator.number(0...1) == 0 })
            var renewal = Renewal(
                life: Life(high: 9, low: 9), lane: .index, clock: HybridTime(value: 50), signer: nil)
            let writes = renewal.renew(record) { doubted.contains($0.dot) }
            let rest = record.survivingWrites.filter { !doubted.contains($0.dot) }
            for order in [rest + writes, record.survivingWrites + writes, writes + record.survivingWrites] {
                #expect(Record(merging: order).fields == record.fields)
            }
        }
    }

    /// A full write that is named anew is later than all, and would end the counts since.
    @Test(arguments: [true, false])
    func `survives a renewal that rewrites the record's full write`(_ isCountInDoubt: Bool) {
        for life in [1, 3] as [UInt64] {
            // The count comes before or after the full write in the order of dots.
            let record = Record(merging: [
                .told(item, at: 2, by: 2, .full()),
                .told(item, at: 4, by: life, .count(5, begun: 4, by: life)),
            ])
            var renewal = Renewal(
                life: Life(high: 9, low: 9), lane: .index, clock: HybridTime(value: 50), signer: nil)
            let writes = renewal.renew(record) { isCountInDoubt || $0.isFull }
            #expect(Record(merging: record.survivingWrites + writes).fields == record.fields)
            #expect(Record(merging: writes).fields == record.fields)
        }
    }

    @Test func `is ignored if it has no fields, or begins at the smallest stamp`() {
        var record = Record(item.identity)
        let nothing = Write.Action.count(begun: .told(3), Write.Content(fields: Fields()))
        let never = Write.Action.count(1, begun: 0)
        let isChanged = record.merge(.told(item, at: 4, nothing))
        let least = Write.told(item, at: 5, never)
        guard case .count(_, let content) = least.action else { return }
        let begun = Stamp(time: .zero, life: Life(high: 0, low: 0))
        let isChangedByLeast = record.merge(.told(item, at: 5, .count(begun: begun, content)))
        #expect(!isChanged && !isChangedByLeast && record == Record(item.identity))
    }
}
