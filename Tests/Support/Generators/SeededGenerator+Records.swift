package import BatonCore

extension SeededGenerator {
    /// Returns one of few keys, so that writes meet.
    package mutating func key(of count: Int, _ lane: Lane = .activities) -> RecordKey {
        let number = UInt64(self.number(1...count))
        let kind = (number % 2 == 0 ? 8 : 10) + UInt64(lane.rawValue)
        return RecordKey(kind: RecordKind(rawValue: kind), parts: 1) { $0.unsigned(number) }
    }

    package mutating func fieldName() -> FieldName {
        switch number(0...9) {
        case 0...5: .number(UInt64(number(0...40)))
        case 6: .part(UInt64(number(1...3)), identifier(of: 3))
        default: .custom(Array(text(1...2).utf8))
        }
    }

    /// Returns some of few fields, each with a short value.
    package mutating func fields(_ count: ClosedRange<Int> = 0...4) -> Fields {
        var fields = Fields()
        let count = number(count)
        while fields.count < count { fields[fieldName()] = value(depth: 1).encoded }
        return fields
    }

    package mutating func stamp(lives: Int, times: UInt64) -> Stamp {
        Stamp(time: HybridTime(value: 1 + next() % times), life: identifier(of: lives))
    }

    package mutating func dot(_ lane: Lane = .activities, lives: Int, sequences: Int) -> Dot {
        let origin = Origin(life: identifier(of: lives), lane: lane)
        return Dot(origin: origin, sequence: UInt64(number(1...sequences)), place: UInt32(number(0...3)))
    }

    package mutating func vector(origins: ClosedRange<Int> = 0...5) -> VersionVector {
        var vector = VersionVector()
        let count = number(origins)
        for _ in 0..<count {
            let origin = Origin(life: identifier(of: 6), lane: pick(Lane.allCases))
            vector.extend(origin, to: chance(80) ? UInt64(number(1...9)) : UInt64(Int64.max) - 1)
        }
        return vector
    }

    /// Returns one of few scopes, of which some lie within others and some only seem to.
    package mutating func scope() -> Scope {
        switch number(0...7) {
        case 0: .none
        case 1: .app("org.example")
        case 2: .items(app: "org.example", index: "main")
        case 3: .items(app: "org.example", index: "main", domain: "notes")
        case 4: .items(app: "org.example", index: "main", domain: "notes.work")
        case 5: .items(app: "org.example", index: "main", domain: "notesarchive")
        case 6: .items(app: "org.example.other", index: "main", domain: "notes")
        default: .activities(app: "org.example", domain: "notes.work")
        }
    }

    /// Returns a write of any kind to one of few keys; stamps meet as well.
    package mutating func write(_ lane: Lane = .activities, keys: Int = 6) -> Write {
        let stamp = stamp(lives: 4, times: 50)
        let action: Write.Action =
            switch number(0...4) {
            case 0: .deletion
            case 1: .partial(of: self.stamp(lives: 4, times: 50), fields(0...3))
            case 2:
                .count(
                    begun: self.stamp(lives: 4, times: 50),
                    Write.Content(scope: scope(), fields: fields(0...3)))
            default: .full(Write.Content(scope: scope(), fields: fields()))
            }
        return Write(
            dot: dot(lane, lives: 4, sequences: 1000), key: key(of: keys, lane), stamp: stamp, action: action)
    }

    package mutating func writes(_ count: ClosedRange<Int>, _ lane: Lane = .activities) -> [Write] {
        let count = number(count)
        return (0..<count).map { _ in write(lane) }
    }
}
