import BatonCore
import Support
import Testing

@Suite struct `A record` {
    @Test func `has the fields of its full write, with the changes of partial writes`() {
        let record = Record(merging: [
            .full(at: 1, [1: 10, 2: 20]), .partial(at: 2, of: 1, [2: 21]), .partial(at: 3, of: 1, [3: 30]),
        ])
        #expect(record.fields == .numbered([1: 10, 2: 21, 3: 30]))
        #expect(record.survivingWrites.count == 3)
    }

    @Test func `loses the fields that a new full write does not have`() {
        let record = Record(merging: [
            .full(at: 1, [1: 10, 2: 20]), .partial(at: 2, of: 1, [3: 30]), .full(at: 3, [2: 22]),
        ])
        #expect(record.fields == .numbered([2: 22]))
        #expect(record.survivingWrites == [.full(at: 3, [2: 22])])
    }

    @Test func `keeps concurrent changes of different fields, and the later change of the same field`() {
        let record = Record(merging: [
            .full(at: 1, [1: 0, 2: 0]), .partial(at: 5, of: 1, [1: 5]), .partial(at: 4, of: 1, [1: 4, 2: 4]),
        ])
        #expect(record.fields == .numbered([1: 5, 2: 4]))
        // The earlier partial write comes back with the field that it still has.
        #expect(record.survivingWrites.contains(.partial(at: 4, of: 1, [2: 4])))
    }

    @Test func `is not revived by a partial write, before or after its deletion`() {
        let deletion = Write.deletion(at: 3)
        for partial in [Write.partial(at: 4, of: 3, [1: 1]), .partial(at: 4, of: 1, [1: 1])] {
            #expect(Record(merging: [.full(at: 1, [1: 0]), deletion, partial]).fields == nil)
            #expect(Record(merging: [partial, deletion]).survivingWrites == [deletion])
        }
    }

    @Test func `keeps a partial write until the full write that it changes arrives`() {
        var record = Record(.partial(at: 6, of: 5, [1: 1]))
        #expect(record.fields == nil)
        #expect(record.merge(.full(at: 4, [1: 0, 2: 0])) == false)
        #expect(record.merge(.full(at: 5, [1: 0, 2: 0])) == true)
        #expect(record.fields == .numbered([1: 1, 2: 0]))
    }

    @Test func `ignores a change to an older incarnation`() {
        var record = Record(.full(at: 5, [1: 0]))
        #expect(record.merge(.partial(at: 9, of: 4, [1: 1])) == false)
        #expect(record.fields == .numbered([1: 0]))
    }

    @Test func `ignores a partial write without fields`() {
        let nothing = Write.partial(at: 9, of: 9, [:])
        let full = Write.full(at: 5, [1: 0])
        #expect(Record(merging: [full, nothing]) == Record(full))
        #expect(Record(merging: [nothing, full]) == Record(full))
        #expect(Record(nothing).survivingWrites.isEmpty)
    }

    @Test func `ignores a partial write whose stamp is before the incarnation that it changes`() {
        let record = Record(merging: [.full(at: 5, [1: 0]), .partial(at: 4, of: 5, [1: 9])])
        #expect(record.fields == .numbered([1: 0]))
    }

    @Test func `can still be changed by a device whose clock has reached the largest time`() {
        var journal = Journal(life: Life(high: 1, low: 1), latest: .largest)
        let key = RecordKey(kind: .device, name: [0x01])
        let commit = { (action: Write.Action) -> [Write] in
            let draft = Journal.Draft(action, key)
            return journal.transaction(.activities, [draft], now: WallTime(milliseconds: 0))?.writes ?? []
        }
        var writes: [Write] = []
        for value in UInt8(9)...11 {
            writes += commit(.full(Write.Content(fields: .numbered([1: value, 2: 20 - value]))))
            let incarnation = writes[writes.count - 1].stamp
            writes += commit(.partial(of: incarnation, .numbered([3: value])))
        }
        #expect(writes.count == 6 && Set(writes.map(\.stamp)).count == 1)
        writes.forEachPermutation {
            #expect(Record(merging: $0).fields == .numbered([1: 11, 2: 9, 3: 11]))
        }
    }

    @Test func `can be written again after its deletion`() {
        let record = Record(merging: [.full(at: 1, [1: 1]), .deletion(at: 2), .full(at: 3, [2: 2])])
        #expect(record.fields == .numbered([2: 2]))
    }
}

extension Write {
    /// Creates a write to one key by one life, whose dots follow their stamps.
    private init(at time: UInt64, _ action: Action) {
        let stamp = Stamp.at(time)
        self.init(
            dot: Dot(origin: Origin(life: stamp.life, lane: .activities), sequence: time),
            key: RecordKey(kind: .device, name: [0x01]), stamp: stamp, action: action)
    }

    fileprivate static func full(at time: UInt64, _ fields: [UInt64: UInt8]) -> Write {
        Write(at: time, .full(Content(fields: .numbered(fields))))
    }

    fileprivate static func deletion(at time: UInt64) -> Write { Write(at: time, .deletion) }

    fileprivate static func partial(at time: UInt64, of base: UInt64, _ fields: [UInt64: UInt8]) -> Write {
        Write(at: time, .partial(of: .at(base), .numbered(fields)))
    }
}

extension Stamp {
    fileprivate static func at(_ time: UInt64) -> Stamp {
        Stamp(time: HybridTime(value: time), life: Life(high: 1, low: 1))
    }
}

extension Fields {
    /// Returns fields with small numbers as values.
    fileprivate static func numbered(_ values: [UInt64: UInt8]) -> Fields {
        var fields = Fields()
        for (name, value) in values { fields.set(name) { $0.unsigned(UInt64(value)) } }
        return fields
    }
}
