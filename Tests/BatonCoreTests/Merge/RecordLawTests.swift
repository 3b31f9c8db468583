import BatonCore
import Support
import Testing

@Suite struct `Merging writes to one record` {
    /// Every order of up to five writes: some 250,000 merges.
    @Test(arguments: Seeds.first(80))
    func `gives the same record in every order`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let writes = generator.collidingWrites(2...5)
            let expected = Record(merging: writes)
            var (orders, same) = (0, 0)
            writes.forEachPermutation { order in
                orders += 1
                if Record(merging: order) == expected { same += 1 }
            }
            #expect(same == orders, "\(writes)")
        }
    }

    @Test(arguments: Seeds.first(80))
    func `gives the same record if writes are repeated or merged in groups first`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let writes = generator.collidingWrites(1...8)
            let expected = Record(merging: writes)
            #expect(Record(merging: generator.shuffled(writes + writes)) == expected)
            // A merge of two other devices, as it would arrive from them.
            let cut = generator.number(0...writes.count)
            let parts = [writes[..<cut], writes[cut...]].filter { !$0.isEmpty }
            let arriving = parts.flatMap { Record(merging: Array($0)).survivingWrites }
            if !arriving.isEmpty { #expect(Record(merging: generator.shuffled(arriving)) == expected) }
        }
    }

    @Test(arguments: Seeds.first(80))
    func `leaves surviving writes that have their own dots and merge to the same record`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let writes = generator.collidingWrites(1...8)
            let record = Record(merging: writes)
            let surviving = record.survivingWrites
            guard !surviving.isEmpty else {
                #expect(!writes.contains { !$0.isEmpty })
                continue
            }
            #expect(Record(merging: surviving) == record)
            #expect(surviving.map(\.dot) == surviving.map(\.dot).sorted())
            #expect(
                surviving.allSatisfy { write in
                    writes.contains { $0.dot == write.dot && $0.stamp == write.stamp }
                })
        }
    }

    @Test(arguments: Seeds.first(80))
    func `returns whether the record changed`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let writes = generator.collidingWrites(2...8)
            var record = Record(writes[0])
            for write in writes.dropFirst() {
                let before = record
                let isChanged = record.merge(write)
                #expect(isChanged == (record != before))
                let isChangedAgain = record.merge(write)
                #expect(!isChangedAgain)
            }
        }
    }
}

extension SeededGenerator {
    /// Returns writes to one key with few stamps, fields and values, so that all possible collisions occur: equal
    /// stamps with different content, and one dot that was used twice.
    fileprivate mutating func collidingWrites(_ count: ClosedRange<Int>) -> [Write] {
        let count = number(count)
        let key = RecordKey(kind: .device, name: [0x01])
        return (0..<count).map { place in
            let stamp = stamp(lives: 2, times: 4)
            let action: Write.Action =
                switch number(0...5) {
                case 0: .deletion
                case 1, 2:
                    .full(Write.Content(scope: scope(), fields: fewFields(0...2)))
                default: .partial(of: self.stamp(lives: 2, times: 4), fewFields(0...3))
                }
            let dot =
                chance(90)
                ? Dot(origin: Origin(life: stamp.life, lane: .activities), sequence: UInt64(place + 1))
                : dot(lives: 2, sequences: 2)
            return Write(dot: dot, key: key, stamp: stamp, action: action)
        }
    }

    private mutating func fewFields(_ count: ClosedRange<Int>) -> Fields {
        var fields = Fields()
        let count = number(count)
        for _ in 0..<count { fields.set(UInt64(number(1...3))) { $0.unsigned(next() % 3) } }
        return fields
    }
}
