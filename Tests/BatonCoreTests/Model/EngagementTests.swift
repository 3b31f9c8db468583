import BatonCore
import Support
import Testing

@Suite struct `Engagements` {
    private static let notes = Scope.items(app: "a", index: "i", domain: "notes")
    private static let archive = Scope.items(app: "a", index: "i", domain: "archive")
    private let thing = ItemName(app: "a", index: "i", identifier: "1").key
    private let laptop = DeviceIdentifier(high: 1, low: 1)
    private let desktop = DeviceIdentifier(high: 1, low: 2)

    private func counter(_ device: DeviceIdentifier, _ times: UInt64, _ last: Int64) -> Engagement.Counter {
        Engagement.Counter(device: device, times: times, last: WallTime(milliseconds: last))
    }

    @Test(arguments: Seeds.first(10))
    func `survive encoding, with counters of a newer version`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let engagement = generator.engagement()
            #expect(try Engagement(engagement.fields) == engagement)
            let fields = engagement.fields.completed(by: generator.unknownFields(2...31))
            let read = try Engagement(fields)
            #expect(read.fields == fields && read.counters == engagement.counters)
        }
    }

    @Test func `have their counters in the order of devices`() {
        let both = Engagement([counter(desktop, 3, 9), counter(laptop, 2, 5)])
        #expect(both.counters.map(\.device) == [laptop, desktop])
    }

    @Test func `count an opening in the opening device's counter, up to the largest number`() {
        let engagement = Engagement([counter(laptop, 2, 5), counter(desktop, .max, 5)])
        let now = WallTime(milliseconds: 4)
        #expect(engagement.opened(by: laptop, at: now) == counter(laptop, 3, 4))
        #expect(engagement.opened(by: desktop, at: now) == counter(desktop, .max, 4))
        #expect(Engagement().opened(by: laptop, at: now) == counter(laptop, 1, 4))
    }

    @Test(arguments: ["80", "8101", "820161" + "61", "82200" + "1", "83010101", "a0", "f6"])
    func `with a malformed counter are refused`(_ form: String) {
        var fields = Fields()
        fields[.part(1, laptop)] = [UInt8](hex: form)
        #expect(throws: CBORError.self) { try Engagement(fields) }
    }

    // MARK: Counting

    /// A device's openings of the thing, in its own record.
    private struct Opening {
        var record: Record?
        var journal = Journal(life: Life(high: 3, low: 3), latest: .zero)

        mutating func open(_ thing: RecordKey, in scope: Scope, by device: DeviceIdentifier, at time: Int64)
            throws
        {
            let draft = Engagement.draft(
                opening: thing, in: scope, by: device, at: WallTime(milliseconds: time), after: record)
            try merge(draft)
        }

        mutating func merge(_ draft: Journal.Draft) throws {
            let transaction = journal.transaction(.index, [draft], now: WallTime(milliseconds: 100))
            for write in try #require(transaction).writes {
                if record == nil { record = Record(write.identity) }
                _ = record?.merge(write)
            }
        }

        var engagement: Engagement {
            get throws { try Engagement(record?.fields ?? Fields()) }
        }
    }

    @Test func `grow by one with each opening on any device`() throws {
        var opening = Opening()
        for time in 1...3 { try opening.open(thing, in: Self.notes, by: laptop, at: Int64(time)) }
        try opening.open(thing, in: Self.notes, by: desktop, at: 9)
        #expect(try opening.engagement == Engagement([counter(laptop, 3, 3), counter(desktop, 1, 9)]))
        #expect(opening.record?.key == EngagementName(counting: thing).key)
    }

    @Test func `stay in the scope in which they began until a clear of that scope ends them`() throws {
        var opening = Opening()
        try opening.open(thing, in: Self.notes, by: laptop, at: 1)
        try opening.open(thing, in: Self.archive, by: laptop, at: 2)
        let later = Stamp.told(UInt64(Int64.max))
        var elsewhere = opening
        _ = elsewhere.record?.clear(Clear(scope: Self.archive, stamp: later))
        let expected = Engagement([counter(laptop, 2, 2)])
        #expect(try elsewhere.engagement == expected, "a clear of where the thing went says nothing of it")
        _ = opening.record?.clear(Clear(scope: Self.notes, stamp: later))
        #expect(try opening.engagement == Engagement())
        try opening.open(thing, in: Self.archive, by: laptop, at: 3)
        #expect(try opening.engagement == Engagement([counter(laptop, 1, 3)]))
    }

    @Test func `that began before a clear end with it, even if a later opening followed`() throws {
        var opening = Opening()
        try opening.open(thing, in: Self.notes, by: laptop, at: 1)
        let cleared = Stamp(time: opening.journal.clock.latest, life: Life(high: .max, low: 0))
        for time in 2...4 { try opening.open(thing, in: Self.notes, by: laptop, at: Int64(time)) }
        #expect(try opening.engagement == Engagement([counter(laptop, 4, 4)]))
        _ = opening.record?.clear(Clear(scope: Self.notes, stamp: cleared))
        #expect(try opening.engagement == Engagement())
    }

    @Test func `begin at zero after a deletion`() throws {
        var opening = Opening()
        try opening.open(thing, in: Self.notes, by: laptop, at: 1)
        try opening.merge(Journal.Draft(.deletion, EngagementName(counting: thing).key))
        #expect(try opening.engagement == Engagement())
        try opening.open(thing, in: Self.notes, by: laptop, at: 2)
        #expect(try opening.engagement == Engagement([counter(laptop, 1, 2)]))
    }

    @Test func `begin at zero if the stored record can't be read`() throws {
        var opening = Opening()
        var fields = Fields()
        fields[.part(1, laptop)] = [0xf6]
        let content = Write.Content(scope: Self.notes, fields: fields)
        try opening.merge(Journal.Draft(counting: content, EngagementName(counting: thing).key))
        try opening.open(thing, in: Self.notes, by: laptop, at: 2)
        #expect(try opening.engagement == Engagement([counter(laptop, 1, 2)]))
    }
}
