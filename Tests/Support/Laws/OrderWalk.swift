package import BatonCore

/// Walks all orders of some writes, up to a length, and compares each lane on the way with the result of its writes,
/// which must not depend on their order.
package struct OrderWalk {
    private let writes: [Write]
    private let length: Int
    package private(set) var merges = 0
    /// The first orders that gave different records.
    package private(set) var failures: [[Write]] = []
    private var expected: [UInt64: [RecordIdentity: Record]] = [:]

    package init(_ writes: [Write], length: Int) { (self.writes, self.length) = (writes, length) }

    package mutating func run(beginningWith places: [Int]) {
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

extension OrderWalk {
    /// Draws sets of up to five writes that meet, and merges each in all orders, until this many merges were made;
    /// stops at a failure.
    package static func hunt(seed: UInt64, merges: Int) -> (merges: Int, failures: [[Write]]) {
        var (generator, made) = (SeededGenerator(seed: seed), 0)
        while made < merges {
            let writes = generator.meetingWrites(2...5)
            var walk = OrderWalk(writes, length: 5)
            walk.run(beginningWith: Array(writes.indices))
            made += walk.merges
            guard walk.failures.isEmpty else { return (made, walk.failures) }
        }
        return (made, [])
    }
}
