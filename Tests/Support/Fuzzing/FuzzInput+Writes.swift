import BatonCore

extension FuzzInput {
    private static let scopes: [Scope] = [
        .none, .app("a"), .items(app: "a", index: "i"), .items(app: "a", index: "i", domain: "notes"),
        .items(app: "a", index: "i", domain: "notes.work"),
        .items(app: "a", index: "i", domain: "notesarchive"),
        .items(app: "b", index: "i", domain: "notes"), .activities(app: "a", domain: "notes.work"),
    ]

    mutating func scope() -> Scope { pick(Self.scopes) }

    mutating func stamp(times: Int = 5) -> Stamp {
        let choice = byte()
        return .told(UInt64(1 + Int(choice >> 1) % times), by: UInt64(1 + choice % 2))
    }

    /// Up to three fields with one of a few values each.
    mutating func fields() -> Fields {
        var (fields, choice) = (Fields(), byte())
        for name in UInt64(1)...3 {
            let value = choice & 3
            if value > 0 { fields.set(name) { $0.unsigned(UInt64(value)) } }
            choice >>= 2
        }
        return fields
    }

    /// Returns writes to one or two records and clears, with few stamps, scopes and values, so that all possible
    /// conflicts occur.
    ///
    /// Full writes of one stamp differ in their fields and not in their scope: a faulty device that moved a record
    /// without a new stamp would be cleared here and not there.
    mutating func meetingWrites(_ count: ClosedRange<Int>, _ lane: Lane = .index) -> [Write] {
        let (count, shift) = (number(count), number(0...7))
        return (1...count).map { sequence in
            let stamp = stamp()
            let own = Self.scopes[(Int(stamp.time.value) + shift) % Self.scopes.count]
            let dot = Dot(origin: Origin(life: stamp.life, lane: lane), sequence: UInt64(sequence))
            let (key, action) = target(in: own, lane)
            return Write(dot: dot, key: key, stamp: stamp, action: action)
        }
    }

    private mutating func target(in own: Scope, _ lane: Lane) -> (RecordKey, Write.Action) {
        let choice = byte()
        let kind = (choice < 0x80 ? 8 : 900) + UInt64(lane.rawValue)
        let key = RecordKey.told(kind: RecordKind(rawValue: kind))
        switch choice & 0xf {
        case 0: return (key, .deletion)
        case 1...4: return (key, .full(Write.Content(scope: own, fields: fields())))
        case 5...7: return (key, .partial(of: stamp(), fields()))
        case 8...10: return (key, .count(begun: stamp(), Write.Content(scope: scope(), fields: fields())))
        case 11: return (scope().clearKey(in: lane), .deletion)
        case 12: return (scope().clearKey(in: lane), .partial(of: stamp(), fields()))
        default: return (scope().clearKey(in: lane), .full(Write.Content(fields: Fields())))
        }
    }
}

extension FuzzInput {
    /// Returns a few claims.
    mutating func vector() -> VersionVector {
        var vector = VersionVector()
        for _ in 0..<number(0...3) {
            let choice = byte()
            let origin = SessionScript.origin(UInt64(choice & 3), choice & 4 == 0 ? .activities : .index)
            vector.extend(origin, to: UInt64(choice >> 3))
        }
        return vector
    }

    /// Returns a peer's batch of writes, large ones at times, with its claims.
    mutating func batch(_ number: UInt64) -> Batch {
        let (choice, lane) = (byte(), pick(Lane.allCases))
        var writes: [Write] = []
        if choice < 0xf0 {
            writes = meetingWrites(1...5, lane).map { write in
                let origin = write.dot.origin
                let dot = Dot(origin: origin, sequence: write.dot.sequence + 5 * number)
                guard let key = write.key else {
                    return Write(deleting: write.identity, dot: dot, stamp: write.stamp)
                }
                return Write(dot: dot, key: key, stamp: write.stamp, action: write.action)
            }
        } else {
            writes = [SessionScript.write(number, lane, bytes: 400_000)]
        }
        let complete = choice & 1 == 0 ? nil : vector()
        return Batch(
            number: choice & 0x0e == 0x0e ? 0 : number, lane: lane, writes: writes, complete: complete)
    }
}
