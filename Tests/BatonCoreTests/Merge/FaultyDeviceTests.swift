import BatonCore
import Support
import Testing

/// Tests of writes that only a faulty device makes: several under one name.
@Suite struct `A record of a faulty device` {
    private let item = RecordKey.told()

    /// Returns the surviving writes, which are the same after each order in which the writes may arrive.
    private func surviving(_ writes: [Write], location: SourceLocation = #_sourceLocation) -> [Write] {
        var found: [[Write]] = []
        writes.forEachPermutation { order in
            let surviving = Record(merging: order).survivingWrites
            if !found.contains(surviving) { found.append(surviving) }
        }
        #expect(found.count == 1, "\(found)", sourceLocation: location)
        return found.first ?? []
    }

    /// Returns the same actions under one shared name.
    private func named(_ writes: Write...) -> [Write] {
        writes.map { write in
            Write(
                dot: Write.told(item, at: 7, .deletion).dot, key: item, stamp: .told(7), action: write.action)
        }
    }

    @Test func `sends writes with the same dot in the order of their actions`() {
        let base = Write.told(item, at: 7, .full(in: .app("a"), [1: 1]))
        let writes = named(
            base, .told(item, at: 7, .partial(of: 7, [2: 2])),
            .told(item, at: 7, .count(3, begun: 8, in: .app("a"))))
        #expect(surviving(writes) == writes)
        let deleted = named(
            .told(item, at: 7, .deletion), .told(item, at: 7, .count(3, begun: 8, in: .app("a"))))
        // The deletion comes first, also if it arrived last.
        #expect(surviving(deleted).map(\.action) == deleted.map(\.action))
    }

    @Test func `sends counters with the same dot in the order of their beginnings, then of their scopes`() {
        var writes: [Write] = []
        for scope in ["a", "b", "c"] {
            writes += named(.told(item, at: 7, .count(1, begun: 3, by: 2, in: .app(scope))))
        }
        writes += named(.told(item, at: 7, .count(1, begun: 4, by: 3, in: .app("aa"))))
        let found = surviving(writes)
        #expect(found == writes)
        // This must not depend on the grouping, which differs between processes.
        for number in UInt64(1)...40 {
            let more =
                writes + named(.told(item, at: 7, .count(number, begun: 3, by: 2, in: .app("b\(number)"))))
            let told = Record(merging: more).survivingWrites
            #expect(told == Record(merging: more.reversed()).survivingWrites)
        }
    }

    @Test func `sends partial writes with the same dot in the order of their stamps`() {
        let full = Write.told(item, at: 7, .full())
        let changes = (UInt64(8)...40).map { time in
            Write(dot: full.dot, key: item, stamp: .told(time), action: .partial(of: 7, [time: 1]))
        }
        // This must not depend on the grouping, which differs between processes.
        #expect(Record(merging: changes.reversed() + [full]).survivingWrites == [full] + changes)
    }

    @Test func `keeps different writes with the same dot`() {
        let writes = named(
            .told(item, at: 7, .full()), .told(item, at: 7, .partial(of: 7, [2: 2])),
            .told(item, at: 7, .partial(of: 6, [2: 2])), .told(item, at: 7, .count(1, begun: 3)),
            .told(item, at: 7, .count(1, begun: 4)), .told(item, at: 7, .count(1, begun: 3, in: .app("a"))))
        for (place, write) in writes.enumerated() {
            #expect(writes.indices.filter { writes[$0].isSame(as: write) } == [place])
        }
        // A clear turns a full write into a deletion with the same name.
        let deletion = named(.told(item, at: 7, .deletion))[0]
        #expect(deletion.isSame(as: writes[0]) && writes[0].isSame(as: deletion))
        #expect(!deletion.isSame(as: writes[1]) && !writes[3].isSame(as: deletion))
    }

    @Test func `is sent in parts if its contents exceed the limit of a write`() throws {
        let half = Limits.writeBytes / 2
        var fields = [Fields(), Fields(), Fields()]
        for place in fields.indices {
            fields[place].set(UInt64(place + 1)) { $0.data([UInt8](repeating: 1, count: half)) }
        }
        let (full, count) = (
            Write.told(item, at: 1, .full()), Write.Content(scope: .app("a"), fields: Fields())
        )
        for isCount in [false, true] {
            let writes = named(
                contentsOf: fields.map { part in
                    isCount
                        ? .count(begun: .told(3), Write.Content(scope: count.scope, fields: part))
                        : .partial(of: .told(1), part)
                })
            let record = Record(merging: [full] + writes)
            let told = record.survivingWrites.dropFirst()
            #expect(told.count == 3)
            for write in told {
                #expect(write.action.writtenFields.encoded.count <= Limits.writeBytes)
                #expect(write.dot == writes[0].dot && write.stamp == writes[0].stamp)
            }
            #expect(Record(merging: Array(record.survivingWrites.reversed())) == record)
        }
    }

    @Test func `is sent in parts if its counters exceed the limit of a write`() {
        let most = UInt64(Fields.countMost)
        let parts = [1...most, most + 1...most + 5].map { numbers in
            var fields = Fields()
            for number in numbers { fields[.counter(of: number)] = [1] }
            return Write.Action.count(begun: .told(3), Write.Content(fields: fields))
        }
        let record = Record(merging: named(contentsOf: parts))
        #expect(record.survivingWrites.map { $0.action.writtenFields.count } == [Int(most), 5])
        #expect(Record(merging: record.survivingWrites.reversed()) == record)
    }

    @Test func `counts the names of fields towards the limit of a write`() {
        let parts = [0..<50, 50..<100].map { numbers in
            var fields = Fields()
            for number in numbers {
                let name = [UInt8](repeating: UInt8(ascii: "a"), count: 6000) + Array("\(number)".utf8)
                fields[.custom(name)] = [1]
            }
            return Write.Action.partial(of: .told(1), fields)
        }
        let record = Record(merging: [.told(item, at: 1, .full())] + named(contentsOf: parts))
        let told = record.survivingWrites.dropFirst().map(\.action.writtenFields)
        #expect(told.count == 2 && told.allSatisfy { $0.encoded.count <= Limits.writeBytes })
        #expect(Record(merging: record.survivingWrites) == record)
    }

    private func named(contentsOf actions: [Write.Action]) -> [Write] {
        actions.flatMap { named(.told(item, at: 7, $0)) }
    }

    @Test func `shows the same value on every device if one counter has two scopes`() {
        let writes = named(
            .told(item, at: 7, .count(5, begun: 3, in: .app("a"))),
            .told(item, at: 7, .count(5, begun: 3, in: .app("b"))))
        #expect(surviving(writes) == writes)
        let record = Record(merging: writes)
        #expect(record.fields?[.counter(of: 1)] == [5])
        #expect(record.digest == Record(merging: [writes[0]]).digest)
        // Its device continues the count in the later scope.
        let next = Engagement.draft(
            opening: item, in: .none, by: DeviceIdentifier(high: 5, low: 1), at: WallTime(milliseconds: 0),
            after: record)
        var journal = Journal(life: Life(high: 9, low: 9), latest: .zero)
        let counted = journal.transaction(.index, [next], now: WallTime(milliseconds: 0))?.writes.first
        guard case .count(let begun, let content)? = counted?.action else {
            Issue.record("nothing is counted")
            return
        }
        #expect(begun == .told(3) && content.scope == .app("b"))
    }

    @Test func `never expires if its expiration is not a date`() {
        var fields = Fields()
        for wrong in [{ $0.text("tomorrow") }, { $0.data([1]) }] as [(inout CBORWriter) -> Void] {
            fields.set(0, wrong)
            let record = Record(.told(item, at: 1, .full(Write.Content(fields: fields))))
            #expect(record.isThere && record.expiration == nil)
        }
        fields.set(0) { $0.unsigned(99) }
        let record = Record(.told(item, at: 1, .full(Write.Content(fields: fields))))
        #expect(record.expiration == WallTime(milliseconds: 99))
    }
}

extension Write.Action {
    /// All fields that it writes.
    fileprivate var writtenFields: Fields {
        switch self {
        case .full(let content), .count(_, let content): content.fields
        case .partial(_, let fields): fields
        case .deletion: Fields()
        }
    }
}
