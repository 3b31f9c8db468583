import BatonCore

/// Writes that devices made and lost, so that nobody claims them, and how they are named once more.
extension StoreConformance {
    static let strays: [StoreCheck] = [
        StoreCheck(
            "a write with a dot of a shared life is a stray, whoever claims it, and its tombstones stay"
        ) {
            home, _ in
            let device = DeviceIdentifier(high: 9 << 32, low: 1)
            let shared = Life(after: HybridTime(value: 1 << 16), of: device, random: 1)
            let origin = Origin(life: shared, lane: .index)
            let writes = [
                Write(
                    dot: Dot(origin: origin, sequence: 1), key: .told(1),
                    stamp: Stamp(time: HybridTime(value: 5), life: shared),
                    action: .full(.init(fields: Fields()))),
                Write(
                    dot: Dot(origin: origin, sequence: 2), key: .told(2),
                    stamp: Stamp(time: HybridTime(value: 6), life: shared), action: .deletion),
            ]
            let store = try home.open()
            _ = try store.commit(
                StoreTransaction(
                    lane: .index, writes: writes, completing: VersionVector([(origin, 2 as UInt64)])))
            try require(try store.strays(of: [device], in: .index), is: [], "strays while nobody says so")
            var journal = Journal(
                life: Life(after: HybridTime(value: 9 << 16), of: device, random: 2), latest: .zero)
            let draft = Journal.Draft(.full(Write.Content(fields: Fields())), SharedLife(shared).key)
            guard let told = journal.transaction(.activities, [draft], now: WallTime(milliseconds: 9)) else {
                throw StoreViolation(description: "nothing is named")
            }
            _ = try store.commit(told)
            for _ in 0..<2 {
                try require(try store.strays(of: [device], in: .index), is: writes, "strays of a shared life")
            }
            try require(try store.collect(CollectRequest(roster: [])), is: 0, "collected tombstones")
            guard let adoption = journal.adoption(of: writes, in: .index) else {
                throw StoreViolation(description: "nothing is adopted")
            }
            _ = try store.commit(adoption)
            for _ in 0..<2 {
                try require(try store.strays(of: [device], in: .index), is: [], "strays in the end")
            }
            try require(try store.collect(CollectRequest(roster: [])), is: 1, "tombstones by their new names")
        },
        StoreCheck(
            "strays are the surviving writes of the devices that nobody claims, in the order of arrival"
        ) {
            home, seed in
            var generator = SeededGenerator(seed: seed)
            let authors = (0..<6).map { life(of: $0 / 2, begun: 10 + $0) }
            var store = try home.open()
            var arrived: [Write] = []
            for sequence in UInt64(1)...60 {
                let author = generator.pick(authors)
                let key = RecordKey.told(UInt64(generator.number(0...40)))
                let write = write(key, sequence, by: author, .full(in: .none, [1: sequence]))
                let claims = VersionVector(generator.chance(10) ? [(write.dot.origin, sequence)] : [])
                _ = try store.commit(
                    StoreTransaction(lane: .index, writes: [write], completing: claims))
                arrived.append(write)
                if generator.chance(5) { store = try home.open() }
            }
            // A later claim covers the writes before it; the write of a record with the largest stamp survives.
            let claimed = try store.summary().complete
            let surviving = arrived.filter { write in
                !claimed.covers(write.dot)
                    && !arrived.contains { $0.identity == write.identity && $0.stamp > write.stamp }
            }
            try require(surviving.count > 3, "the seed draws nothing that anyone could look for")
            for devices in [[], [0], [1], [0, 2], [0, 1, 2], [7]] as [[UInt64]] {
                let expected = surviving.filter { write in
                    devices.contains { write.dot.origin.life.isOf(device($0)) }
                }
                let found = try store.strays(of: Set(devices.map(device)), in: .index)
                try require(found, is: expected, "the strays of \(devices)")
            }
            try require(
                try store.strays(of: Set((0...2).map { device($0) }), in: .activities), is: [],
                "the strays of the other lane")
        },
        StoreCheck("an adopted stray is the same write under another dot, and claimed") { home, _ in
            let (lost, other) = (life(of: 1, begun: 10), life(of: 2, begun: 11))
            do {
                let store = try home.open()
                let base = write(.told(2), 1, by: other, .full(in: .app("a"), [1: 1]))
                let writes = [
                    write(.told(1), 1, by: lost, .full(in: .app("a"), [1: 7])), base,
                    write(.told(2), 2, by: lost, .partial(of: base.stamp, .told([2: 8]))),
                    write(.told(3), 3, by: lost, .deletion),
                    write(.told(4), 4, by: lost, .count(3, begun: 4, in: .app("a"))),
                ]
                let claims = VersionVector([(base.dot.origin, 1 as UInt64)])
                _ = try store.commit(
                    StoreTransaction(lane: .index, writes: writes, completing: claims))
                let strays = try store.strays(of: [device(1)], in: .index)
                try require(strays.count, is: 4, "how many were lost")
                let (before, head) = (
                    try store.digest(at: WallTime(milliseconds: 0)), try store.summary().heads[.index]
                )
                try require(
                    try store.check(at: InMemoryStore.past), is: nil,
                    "what is told of a state that is not claimed")

                let present = life(of: 1, begun: 20)
                let transaction = try adoption(of: strays, by: present, in: store)
                try require(
                    transaction.writes.map { [$0.dot.sequence, UInt64($0.dot.place)] },
                    is: (0..<4).map { [1, $0] }, "the new names")
                let commit = try store.commit(transaction)
                try require(
                    commit.changed.map(\.identity),
                    is: Set(strays.map(\.identity)).sorted(), "the records of which something was named anew")
                try require(try store.digest(at: WallTime(milliseconds: 0)), is: before, "what is seen")
                try require(
                    try read(store, .index, after: head ?? .none).writes, is: transaction.writes,
                    "what is told to others")
            }
            let store = try home.open()
            let claimed = try store.summary().complete
            try require(
                claimed[Origin(life: life(of: 1, begun: 20), lane: .index)], is: 1, "the claims")
            try require(
                claimed[Origin(life: lost, lane: .index)], is: 0, "what is claimed of the life that lost it")
            let writes = try read(store, .index).writes
            try require(writes.count, is: 5, "what stands here")
            try require(
                writes.contains { $0.dot.origin.life == lost }, is: false, "something stands by its old name")
            try require(try store.strays(of: [device(1)], in: .index), is: [], "what is left to be adopted")
            try require(try store.check(at: InMemoryStore.past) != nil, "all that stands here is claimed")
        },
        StoreCheck("a snapshot renews the device's own strays in doubt, and removes those of others") {
            home, _ in
            // The sender knows everything that is claimed here. Only a device that knows its own life can tell its
            // writes.
            for (number, life) in [life(of: 1, begun: 30), nil].enumerated() {
                let store = try home.open()
                let key = { RecordKey.told(UInt64(10 * number + $0)) }
                let (own, other) = (
                    write(key(0), 1, by: Self.life(of: 1, begun: 10), .full(in: .none, [1: 7])),
                    write(key(1), 1, by: Self.life(of: 2, begun: 10), .full())
                )
                var claims = VersionVector([(Origin(life: Life(high: 1, low: 1), lane: .index), 5 as UInt64)])
                claims.join(try store.summary().complete)
                _ = try store.commit(
                    StoreTransaction(lane: .index, writes: [own, other], completing: claims))
                var snapshot = StoreTransaction(lane: .index, writes: [], completing: VersionVector())
                snapshot.range = ReceivedRange(
                    after: nil, through: nil, isEndAhead: false, known: claims, dropped: VersionVector(),
                    horizon: HybridTime(value: 1000), start: claims)
                snapshot.renewingLife = life
                _ = try store.commit(snapshot)
                try require(try store.record(other.identity), is: nil, "a stray of another device")
                guard let life else {
                    try require(try store.record(own.identity), is: nil, "a stray of nobody")
                    continue
                }
                let record = try store.record(own.identity)
                try require(record?.incarnation.life, is: life, "who wrote the own stray")
                try require(record?.fields, is: .told([1: 7]), "its contents")
                try require(
                    try store.strays(of: [device(1), device(2)], in: .index), is: [], "what is left of strays"
                )
            }
        },
        StoreCheck("the larger of two dots for one stray stays, in any order of arrival") { home, _ in
            let store = try home.open()
            let (lost, one, two) = (
                life(of: 1, begun: 10), life(of: 2, begun: 20), life(of: 3, begun: 20)
            )
            let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
            var claims = VersionVector()
            for (number, order) in orders.enumerated() {
                let sequence = UInt64(number + 1)
                let stray = write(.told(sequence), sequence, by: lost, .full(in: .none, [1: sequence]))
                let names = [lost, one, two].map { life in
                    stray.named(Dot(origin: Origin(life: life, lane: .index), sequence: sequence))
                }
                for place in order {
                    let write = names[place]
                    let completes = VersionVector(place == 0 ? [] : [(write.dot.origin, sequence)])
                    claims.join(completes)
                    _ = try store.commit(
                        StoreTransaction(lane: .index, writes: [write], completing: completes))
                }
                let record = try store.record(stray.identity)
                try require(record?.survivingWrites, is: [names[2]], "what stands after \(order)")
            }
            try require(try store.strays(of: [device(1)], in: .index), is: [], "what is left to be adopted")
            try require(try store.summary().complete, is: claims, "the claims")
            try require(try read(store, .index).writes.count, is: orders.count, "the writes sent to others")
            try require(try store.check(at: InMemoryStore.past) != nil, "all that stands here is claimed")
        },
        StoreCheck("two devices that adopt the lost writes of a third converge, and claim them") {
            home, _ in
            let (near, far, lost) = (try home.open(), InMemoryStore(), life(of: 1, begun: 10))
            let writes = (UInt64(1)...4).map { sequence in
                write(.told(sequence), sequence, by: lost, .full(in: .none, [1: sequence]))
            }
            let lives = [life(of: 2, begun: 20), life(of: 3, begun: 20)]
            var adoptions: [StoreTransaction] = []
            for (store, life) in zip([near, far] as [any AccountStore], lives) {
                _ = try store.commit(
                    StoreTransaction(lane: .index, writes: writes, completing: VersionVector()))
                let strays = try store.strays(of: [device(1)], in: .index)
                adoptions.append(try adoption(of: strays, by: life, in: store))
            }
            // Each keeps its own write before it receives the other's.
            for (store, order) in zip([near, far] as [any AccountStore], [[0, 1], [1, 0]]) {
                for place in order { _ = try store.commit(adoptions[place]) }
                try require(
                    sorted(try read(store, .index).writes), is: adoptions[1].writes, "what stands")
                try require(try store.strays(of: [device(1)], in: .index), is: [], "the rest")
            }
            let check = try near.check(at: InMemoryStore.past)
            try require(check != nil, "all that stands here is claimed")
            try require(check, is: far.check(at: InMemoryStore.past), "what both claim and hold")
        },
    ]

    private static func device(_ number: UInt64) -> DeviceIdentifier {
        DeviceIdentifier(high: (0xd0 + number) << 32, low: number)
    }

    /// A life of a device that began at that time.
    private static func life(of number: UInt64, begun time: UInt64) -> Life {
        Life(after: HybridTime(value: time << 16), of: device(number), random: time)
    }

    private static func life(of number: Int, begun time: Int) -> Life {
        life(of: UInt64(number), begun: UInt64(time))
    }

    /// Returns a write of a life, with its sequence as the time of its stamp.
    private static func write(
        _ key: RecordKey, _ sequence: UInt64, by life: Life, _ action: Write.Action
    ) -> Write {
        Write(
            dot: Dot(origin: Origin(life: life, lane: .index), sequence: sequence), key: key,
            stamp: Stamp(time: HybridTime(value: sequence), life: life), action: action)
    }

    /// Returns the adoption of strays by a device in its present life.
    private static func adoption(
        of strays: [Write], by life: Life, in store: any AccountStore
    ) throws -> StoreTransaction {
        var journal = Journal(life: life, latest: try store.summary().clock)
        guard let adoption = journal.adoption(of: strays, in: .index) else {
            throw StoreViolation(description: "there is nothing to be adopted")
        }
        try require(adoption.writes.map(\.stamp), is: strays.map(\.stamp), "the stamps")
        try require(adoption.writes.map(\.action), is: strays.map(\.action), "what is written")
        return adoption
    }
}
