import BatonCore

/// Each lane is stored by itself, because a thread of its own may use it.
extension StoreConformance {
    static let lanes: [StoreCheck] = Lane.allCases.flatMap { lane in
        let other: Lane = lane == .activities ? .index : .activities
        return [
            StoreCheck("a lane stores writes while a group of the other lane is open: \(lane)") {
                home, _ in
                let judge = { (store: any AccountStore) throws in
                    try require(try store.lane(other).mark(of: life)?.sequence, is: 0, "the lane that failed")
                    try require(try store.lane(lane).mark(of: life)?.sequence, is: 1, "the lane that did not")
                    try require(try store.notes(in: space(lane)).count, is: 1, "its notes")
                    try require(try store.notes(in: space(other)).count, is: 0, "the notes of the other")
                }
                do {
                    let store = try home.open()
                    try keepOne(lane, whileFailing: other, in: store)
                    try judge(store)
                }
                try judge(try home.open())
            },
            StoreCheck("the result of a commit to a lane is about that lane: \(lane)") { home, _ in
                let store = try home.open()
                _ = try store.commit(transaction(9, in: other))
                let commit = try store.commit(transaction(1, in: lane))
                try require(commit.clock, is: HybridTime(value: 1), "the clock")
                try require(try store.summary().clock, is: HybridTime(value: 9), "that of both lanes")
                let marks = try Lane.allCases.map { try store.lane($0).mark(of: life) }
                try require(marks.compactMap { $0?.lane }, is: Lane.allCases, "the lanes of marks")
                let order = ArrivalOrder(high: 7, low: 8)
                try store.begin(order)
                for lane in Lane.allCases {
                    try require(try store.lane(lane).mark(of: life)?.order, is: order, "the order of a lane")
                }
            },
            StoreCheck("records that notes name are passed over, and notes are visited in order: \(lane)") {
                home, _ in
                do {
                    let store = try home.open()
                    for sequence in 1...3 {
                        var one = transaction(UInt64(sequence), in: lane)
                        if sequence == 2 { one.notes[0].name = one.writes[0].identity.hash.bytes }
                        _ = try store.commit(one)
                    }
                    try judgeNoted(in: store.lane(lane), lane)
                }
                try judgeNoted(in: try home.open().lane(lane), lane)
            },
        ]
    }

    private static func judgeNoted(in store: some LaneStore, _ lane: Lane) throws {
        let identities = (1...3).map { transaction($0, in: lane).writes[0].identity }
        let kind = identities[0].kind
        try require(try store.records(of: kind).count, is: 3, "all records")
        let left = try store.records(of: kind, besides: space(lane)) { $0.identity != identities[2] }
        try require(left.map(\.identity), is: [identities[0]], "the record that is wanted and has no note")
        let all = try store.notes(in: space(lane)).map(\.name)
        let names = [[1], identities[1].hash.bytes].sorted { $0.lexicographicallyPrecedes($1) }
        try require(all, is: names, "the notes in order")
        var visited: [[UInt8]] = []
        try store.visitNotes(in: space(lane)) { note in
            visited.append(note.name)
            return false
        }
        try require(visited, is: Array(names.prefix(1)), "the notes until the closure returns false")
    }

    private static func keepOne(
        _ lane: Lane, whileFailing other: Lane, in store: any AccountStore
    ) throws {
        do {
            try store.lane(other).group(durably: false) { () throws(StoreFailure) in
                _ = try store.lane(other).commit(transaction(1, in: other))
                try store.lane(lane).group(durably: true) { () throws(StoreFailure) in
                    _ = try store.lane(lane).commit(transaction(1, in: lane))
                }
                throw StoreFailure(.full, "on purpose")
            }
            throw StoreViolation(description: "a group that fails ends without an error")
        } catch let failure as StoreFailure {
            try require(failure.code, is: .full, "the error of the closure")
        }
    }

    private static let life = Life(high: 4, low: 5)

    private static func space(_ lane: Lane) -> NoteSpace { lane == .activities ? .ownActivity : .reindex }

    private static func transaction(_ sequence: UInt64, in lane: Lane) -> StoreTransaction {
        let origin = Origin(life: life, lane: lane)
        let key = RecordKey(kind: RecordKind(rawValue: 8 + UInt64(lane.rawValue)), parts: 1) {
            $0.unsigned(sequence)
        }
        let write = Write(
            dot: Dot(origin: origin, sequence: sequence), key: key,
            stamp: Stamp(time: HybridTime(value: sequence), life: life),
            action: .full(Write.Content(fields: Fields())))
        return StoreTransaction(
            lane: lane, writes: [write], completing: VersionVector([(origin, sequence)]),
            clock: write.stamp.time, notes: [LocalNote(space: space(lane), name: [1], value: [2])])
    }
}
