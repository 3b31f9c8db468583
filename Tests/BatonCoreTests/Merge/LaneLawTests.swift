import BatonCore
import Glibc
import Support
import Testing

@Suite struct `Merging writes to a lane` {
    /// The number of merges in the test of drawn writes, unless `BATON_MERGES` sets it.
    private static let merges = getenv("BATON_MERGES").flatMap { Int(String(cString: $0)) } ?? 200_000

    private static let notes = Scope.items(app: "a", index: "i", domain: "notes")
    private static let work = Scope.items(app: "a", index: "i", domain: "notes.work")
    private static let archive = Scope.items(app: "a", index: "i", domain: "notesarchive")
    private static let (item, unknown) = (RecordKey.told(), RecordKey.told(kind: .unknown))

    /// The writes to be ordered: together they have all effects that one write can have on another.
    private static let alphabet: [Write] = [
        .told(item, at: 1, .full(in: work, [1: 1, 2: 2])),
        .told(item, at: 2, .partial(of: 1, [1: 7])),
        .told(item, at: 4, .full(in: archive, [1: 3])),
        // The same stamp twice: an adopted write has another dot.
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
    func `gives the same records in each order of up to four writes`(_ first: Int) {
        var walk = OrderWalk(Self.alphabet, length: 4)
        walk.run(beginningWith: [first])
        #expect(walk.failures.isEmpty)
    }

    /// A set of five has 325 beginnings of orders.
    @Test(arguments: Seeds.first(10))
    func `gives the same records in each order of random writes`(_ seed: UInt64) {
        let (_, failures) = OrderWalk.hunt(seed: seed, merges: Self.merges / 10)
        #expect(failures.isEmpty, "replay with BATON_SEED=\(seed)")
    }

    @Test(arguments: Seeds.first(40))
    func `gives the same records and digest if writes are repeated or passed on by other devices`(
        _ seed: UInt64
    ) {
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
