import BatonCore

/// Lives that follow others, and need not be named beside them.
extension StoreConformance {
    static let succession: [StoreCheck] = [
        StoreCheck(
            "client states and reports of a device with many lives name one life, which stands for all"
        ) { home, _ in
            let (author, other) = (IndexingDevice(1, try home.open()), IndexingDevice(2))
            try begin(40, author)
            try author.write([IndexingDevice.item(40)], state: 7)
            let complete = try author.store.summary().complete
            try require(complete.count, is: 40, "the claims")
            let covers = try author.newest()?.covers
            try require(covers?.count, is: 1, "the lives that it names")
            try require(
                try author.lineage().expanded(covers ?? VersionVector()), is: complete, "its contents")
            try author.reopen(home)
            let reports = try author.store.report(of: author.identifier, having: complete)
            try require(reports[author.identifier], is: covers, "the reported writes")
            try require(try home.open().summary().reports, is: reports, "the stored report")
            try author.send(to: other, bytes: 1)
            try other.require(shows: 7, "on another device")
        },
        StoreCheck("a report that grows names what it named before no more") { home, _ in
            let author = IndexingDevice(1)
            try begin(2, author)
            var store = try home.open()
            for lives in 3...5 {
                try begin(1, author)
                let told = try author.store.report(
                    of: author.identifier, having: try author.store.summary().complete)
                for write in author.written.suffix(2 * lives) {
                    _ = try store.commit(
                        StoreTransaction(lane: .index, writes: [write], completing: VersionVector()))
                }
                _ = try store.commit(
                    StoreTransaction(
                        lane: .index, writes: [], completing: try author.store.summary().complete))
                try require(try store.keep(told), is: told, "the new reports")
                store = try home.open()
                try require(try store.summary().reports, is: told, "the reports after opening")
            }
        },
        StoreCheck("a life is claimed once the life that it follows is claimed, and not before") { home, _ in
            let author = IndexingDevice(1)
            try begin(3, author)
            let store = try home.open()
            let origins = try author.store.summary().complete.sorted
            let take = { (writes: [Write], claims: [(Origin, UInt64)]) in
                try store.commit(
                    StoreTransaction(lane: .index, writes: writes, completing: VersionVector(claims)))
            }
            let last = [(origins[2].origin, origins[2].sequence)]
            let commit = try take(author.written, last)
            try require(commit.isWithheld, "claims are withheld")
            try require(try store.summary().complete, is: VersionVector(), "the claims")
            let all = try take([], origins.map { ($0.origin, $0.sequence) })
            try require(!all.isWithheld, "nothing is withheld")
            try require(try store.summary().complete.count, is: 3, "the claims in the end")
        },
        StoreCheck("a quarantined write of a life holds back the claims of lives that follow it") { home, _ in
            let author = IndexingDevice(1)
            try begin(1, author)
            try author.write([IndexingDevice.item(100)])
            try begin(2, author, from: 50)
            let complete = try author.store.summary().complete
            let store = try home.open()
            let unread = author.written.first { $0.dot.sequence == 2 }
            guard let unread else { throw StoreViolation(description: "a second transaction") }
            let rest = author.written.filter { $0 != unread }
            var transaction = StoreTransaction(lane: .index, writes: rest, completing: complete)
            transaction.quarantined = [QuarantinedWrite(dot: unread.dot, target: nil, reason: "a test")]
            try require(try store.commit(transaction).isWithheld, "claims are withheld")
            let claimed = try store.summary().complete
            try require(
                claimed.sorted.map { [$0.sequence] }, is: [[1]],
                "how much is claimed, of the first life alone")
            _ = try store.commit(StoreTransaction(lane: .index, writes: [unread], completing: complete))
            try require(try store.summary().complete, is: complete, "the claims once it came")
        },
        StoreCheck("a state contains a clear that only a life speaks of which it need not name") { home, _ in
            let (author, other) = (IndexingDevice(1), IndexingDevice(2, try home.open()))
            try author.write([IndexingDevice.item(1)], state: 1)
            try author.write([IndexingDevice.clear(IndexingDevice.scope)])
            try begin(3, author)
            try author.write([IndexingDevice.item(2)], state: 2)
            try author.send(to: other)
            try other.require(shows: 2, "behind a clear of an earlier life")
            try other.reopen(home)
            try other.require(shows: 2, "after opening")
            let unseen = other.model?.unseenClears ?? []
            try require(unseen.isEmpty, "no clear waits for it")
        },
        StoreCheck("tombstones of lives that nothing names any more are collected") { home, _ in
            let (author, other) = (IndexingDevice(1, try home.open()), IndexingDevice(2))
            try author.write([IndexingDevice.item(1)])
            try author.write([IndexingDevice.deletion(1)])
            try begin(3, author, from: 50)
            try author.send(to: other)
            try author.collect([author, other])
            let tombstone = try author.store.record(IndexingDevice.key(1).identity)
            try require(tombstone, is: nil, "what is left of the deletion")
        },
        StoreCheck("a life with an invalid predecessor follows none") {
            home, _ in
            let lives = (0..<3).map {
                Life(
                    after: HybridTime(value: (9 + $0) << 16), of: DeviceIdentifier(high: 1 << 32, low: 0),
                    random: 1)
            }
            let origins = lives.map { Origin(life: $0, lane: .index) }
            let stranger = Origin(
                life: Life(after: .zero, of: DeviceIdentifier(high: 7 << 32, low: 0), random: 1), lane: .index
            )
            let store = try home.open()
            let following = { (origin: Origin) in
                Fields { fields in
                    fields.field(1) { VersionVector([(origin, 9 as UInt64)]).encode(to: &$0) }
                }
            }
            let write = { (fields: Fields, time: HybridTime) in
                Write(
                    dot: Dot(origin: origins[1], sequence: 1), key: Succession.key(of: origins[1]),
                    stamp: Stamp(time: time, life: lives[1]), action: .full(Write.Content(fields: fields)))
            }
            let birth = lives[1].birth
            let possible = Succession(Record(write(following(origins[0]), birth)))
            try require(possible?.follows.map(\.origin), is: [origins[0]], "what a life may follow")
            let impossible = [stranger, origins[2], Origin(life: lives[0], lane: .activities)].map(following)
            let crowd = VersionVector(
                (0...UInt64(Limits.followedOrigins)).lazy.map { number in
                    let life = Life(
                        after: .zero, of: DeviceIdentifier(high: 1 << 32, low: 0), random: number)
                    return (Origin(life: life, lane: .index), 1 as UInt64)
                })
            let crowded = Fields { fields in fields.field(1) { crowd.encode(to: &$0) } }
            let strange =
                (impossible + [crowded, Fields(), .told([1: 1])]).map { write($0, birth) }
                + [write(following(origins[0]), HybridTime(value: birth.value + 1))]
            for (number, write) in strange.enumerated() {
                try require(Succession(Record(write)), is: nil, "what form \(number) says")
                _ = try store.commit(
                    StoreTransaction(lane: .index, writes: [write], completing: VersionVector()))
            }
            let claims = VersionVector([(origins[1], 1 as UInt64)])
            let commit = try store.commit(StoreTransaction(lane: .index, writes: [], completing: claims))
            try require(!commit.isWithheld, "nothing is withheld")
            try require(try store.summary().complete, is: claims, "the claims")
        },
    ]

    /// Begins this many lives, each with one item.
    private static func begin(_ count: UInt64, _ device: IndexingDevice, from first: UInt64 = 0) throws {
        for number in 0..<count {
            device.restart()
            try device.write([IndexingDevice.item(first + number)])
        }
    }
}
