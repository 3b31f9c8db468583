package import BatonCore

extension SeededGenerator {
    /// Returns writes to one or two records and clears, with few stamps, scopes and values, so that all possible
    /// conflicts occur.
    ///
    /// Full writes of one stamp differ in their fields and not in their scope: a faulty device that moved a record
    /// without a new stamp would be cleared here and not there.
    package mutating func meetingWrites(_ count: ClosedRange<Int>) -> [Write] {
        let (count, keys) = (number(count), number(1...2))
        let scopes = (0..<12).map { _ in scope() }
        return (0..<count).map { place in
            let (stamp, begun) = (stamp(lives: 2, times: 5), stamp(lives: 2, times: 5))
            let dot = Dot(origin: Origin(life: stamp.life, lane: .index), sequence: UInt64(place + 1))
            let key = number(1...keys) == 1 ? RecordKey.told() : RecordKey.told(kind: .unknown)
            let own = scopes[Int(stamp.time.value)]
            let (target, action): (RecordKey, Write.Action) =
                switch number(0...9) {
                case 0: (key, .deletion)
                case 1...3: (key, .full(Write.Content(scope: own, fields: fewFields())))
                case 4, 5: (key, .partial(of: begun, fewFields()))
                case 6, 7:
                    (key, .count(begun: begun, Write.Content(scope: pick(scopes), fields: fewFields())))
                case 8 where chance(20):
                    (pick(scopes).clearKey(in: .index), pick([.deletion, .partial(of: begun, fewFields())]))
                default: (pick(scopes).clearKey(in: .index), .full(Write.Content(fields: Fields())))
                }
            return Write(dot: dot, key: target, stamp: stamp, action: action)
        }
    }

    private mutating func fewFields() -> Fields {
        var fields = Fields()
        let count = number(0...3)
        for _ in 0..<count { fields.set(UInt64(number(1...3))) { $0.unsigned(next() % 3) } }
        return fields
    }
}
