import BatonCore

extension FuzzTarget {
    /// The merge rule: up to five writes and clears give the same records in every order.
    package static let records = FuzzTarget("records") { bytes throws(FuzzViolation) in
        var input = FuzzInput(bytes)
        let writes = input.meetingWrites(2...5)
        let expected = InMemoryLane(fuzz: writes)
        var walk = AllOrders(of: writes, expected: expected.records)
        walk.run()
        if let order = walk.failure {
            throw FuzzViolation(description: "other records after \(order) than after \(writes)")
        }
        let surviving = expected.survivingWrites
        for (arriving, path) in [
            (writes + writes, "twice"), (writes + writes.reversed(), "twice, and backwards"),
            (surviving, "by way of another"), (surviving.reversed(), "by way of another, and backwards"),
            (writes + surviving, "again by way of another"),
        ] {
            let lane = InMemoryLane(fuzz: arriving)
            try require(lane.records, is: expected.records, "the records when \(writes) arrive \(path)")
            let past = WallTime(milliseconds: .min)
            try require(lane.digest(at: past), is: expected.digest(at: past), "their digest")
        }
        for record in expected.records.values {
            try require(Record(merging: record.survivingWrites), is: record, "a record made again")
        }
    }
}

/// Walks all orders of some writes; orders with the same prefix share that part of the walk.
private struct AllOrders {
    private let writes: [Write]
    private let expected: [RecordIdentity: Record]
    /// The first order that gave different records.
    private(set) var failure: [Write]?

    init(of writes: [Write], expected: [RecordIdentity: Record]) {
        (self.writes, self.expected) = (writes, expected)
    }

    mutating func run() { walk(InMemoryLane(), []) }

    private mutating func walk(_ lane: InMemoryLane, _ order: [Int]) {
        guard failure == nil else { return }
        guard order.count < writes.count else {
            if lane.records != expected { failure = order.map { writes[$0] } }
            return
        }
        for place in writes.indices where !order.contains(place) {
            var further = lane
            further.merge(writes[place])
            walk(further, order + [place])
        }
    }
}

extension InMemoryLane {
    fileprivate init(fuzz writes: [Write]) {
        self.init()
        for write in writes { merge(write) }
    }
}
