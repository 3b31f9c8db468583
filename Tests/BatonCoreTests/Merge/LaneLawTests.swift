import BatonCore
import Glibc
import Support
import Testing

/// Walks all orders of some writes, up to a length, and holds each lane on the way against what its writes
/// amount to, whatever their order.
private struct OrderWalk {
    let writes: [Write]
    let length: Int
    private(set) var merges = 0
    /// The first orders after which the records were others.
    private(set) var failures: [[Write]] = []
    private var expected: [UInt64: [RecordIdentity: Record]] = [:]

    init(_ writes: [Write], length: Int) { (self.writes, self.length) = (writes, length) }

    mutating func run(beginningWith places: [Int]) {
        for place in places { walk(InMemoryLane(), [], place) }
    }

    private mutating func walk(_ standing: InMemoryLane, _ order: [Int], _ place: Int) {
        var (lane, order) = (standing, order)
        lane.merge(writes[place])
        order.append(place)
        merges += 1
        if lane.records != expectedRecords(order), failures.count < 3 {
            failures.append(order.map { writes[$0] })
        }
        guard order.count < length else { return }
        for next in writes.indices where !order.contains(next) { walk(lane, order, next) }
    }

    private mutating func expectedRecords(_ order: [Int]) -> [RecordIdentity: Record] {
        let set = order.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        if let known = expected[set] { return known }
        let records = StoreConformance.merged(order.sorted().map { writes[$0] })
        let pairs = Dictionary(uniqueKeysWithValues: records.map { ($0.identity, $0) })
        expected[set] = pairs
        return pairs
    }
}

@Suite struct `Merging writes to a lane` {
    /// How many merges the test of drawn writes makes, unless `BATON_MERGES` says it.
    private static let merges = getenv("BATON_MERGES").flatMap { Int(String(cString: $0)) } ?? 200_000

    private static let notes = Scope.items(app: "a", index: "i", domain: "notes")
    private static let work = Scope.items(app: "a", index: "i", domain: "notes.work")
    private static let archive = Scope.items(app: "a", index: "i", domain: "notesarchive")
    private static let (item, unknown) = (RecordKey.told(), RecordKey.told(kind: .unknown))

    /// What there is to be put in order: all that one write can do to another.
    private static let alphabet: [Write] = [
        .told(item, at: 1, .full(in: work, [1: 1, 2: 2])),
        .told(item, at: 2, .partial(of: 1, [1: 7])),
        .told(item, at: 4, .full(in: archive, [1: 3])),
        // The same stamp twice: what was adopted has another dot.
        .told(item, at: 4, .full(in: archive, [1: 3])).adopted,
        .told(item, at: 4, by: 3, .partial(of: 4, [2: 9])),
        .told(item, at: 5, by: 2, .deletion),
        .told(item, at: 3, .count(1, begun: 3, in: work)),
        .told(item, at: 8, .count(2, begun: 3, in: archive)),
        .told(item, at: 9, .count(1, begun: 7, in: work)),
        .told(unknown, at: 6, .full(in: notes)),
        .clear(notes, at: 6),
        .clear(.app("a"), at: 8),
        .clear(archive, at: 10),
    ]

    /// All orders of up to four of thirteen, some 19,000 merges.
    @Test(arguments: alphabet.indices)
    func `gives the same records after each order of a few writes`(_ first: Int) {
        var walk = OrderWalk(Self.alphabet, length: 4)
        walk.run(beginningWith: [first])
        #expect(walk.failures.isEmpty)
    }

    /// A set of five has 325 beginnings of orders.
    @Test(arguments: Seeds.first(10))
    func `gives the same records after each order of writes that were drawn`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var merges = 0
        while merges < Self.merges / 10 {
            let writes = generator.meetingWrites(2...5)
            var walk = OrderWalk(writes, length: 5)
            walk.run(beginningWith: Array(writes.indices))
            merges += walk.merges
            #expect(walk.failures.isEmpty, "replay with BATON_SEED=\(seed)")
            guard walk.failures.isEmpty else { return }
        }
    }

    @Test(arguments: Seeds.first(40))
    func `gives the same records and digest when writes come twice, and by way of others`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let writes = generator.meetingWrites(1...9)
            let whole = InMemoryLane(merging: writes)
            #expect(Array(whole.records.values).inOrder == StoreConformance.merged(writes))
            let twice = InMemoryLane(merging: generator.shuffled(writes + writes))
            let cut = generator.number(0...writes.count)
            let parts = [writes[..<cut], writes[cut...]].map {
                InMemoryLane(merging: generator.shuffled(Array($0)))
            }
            let onward = InMemoryLane(merging: generator.shuffled(parts.flatMap(\.survivingWrites)))
            for lane in [twice, onward] {
                #expect(lane.records == whole.records, "\(writes)")
                #expect(lane.digest(at: .past) == whole.digest(at: .past))
            }
            #expect(InMemoryLane(merging: whole.survivingWrites).records == whole.records)
        }
    }
}

extension [Record] {
    fileprivate var inOrder: [Record] { sorted { $0.identity < $1.identity } }
}

extension InMemoryLane {
    fileprivate init(merging writes: [Write]) {
        self.init()
        for write in writes { merge(write) }
    }
}

extension WallTime {
    fileprivate static let past = WallTime(milliseconds: .min)
}

extension Write {
    /// The same write once more, with a dot of another life.
    fileprivate var adopted: Write {
        guard let key else { return self }
        let origin = Origin(life: Life(high: 1, low: 9), lane: dot.origin.lane)
        return Write(dot: Dot(origin: origin, sequence: 1), key: key, stamp: stamp, action: action)
    }
}

extension SeededGenerator {
    /// Writes to one or two records and clears, with few stamps, scopes and values, so that all that can meet
    /// does.
    ///
    /// Full writes of one stamp differ in their fields and not in their scope: a faulty device that moved a
    /// record without a new stamp would be cleared here and not there.
    fileprivate mutating func meetingWrites(_ count: ClosedRange<Int>) -> [Write] {
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
