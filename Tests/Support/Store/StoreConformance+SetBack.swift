import BatonCore

/// Writes of a peer that lacks tombstones that were collected here.
extension StoreConformance {
    static let setBack: [StoreCheck] = [
        StoreCheck(
            "writes of a peer that lacks what was collected here are refused, except for those of a snapshot"
        ) {
            home, _ in
            let store = try home.open()
            try collect(at: 3, in: store)
            let write = Write.told(.told(2), at: 9, by: 4, .full())
            let before = try snapshot(store)
            let lacking = [VersionVector(), claim(1, 2), claim(2, 9), activities]
            for sender in lacking {
                for refused in [
                    transaction([write], sender), transaction([], sender), repairing(write, sender),
                ] {
                    try require(refuses(refused, store), "\(refused) is taken")
                    try require(try snapshot(store), is: before, "what is left of what was refused")
                }
            }
            // A refused transaction does not undo others of the same group.
            let other = Write.told(.told(3), at: 1, by: 4, .full())
            try store.group { () throws(StoreFailure) in
                _ = try store.commit(transaction([other], claim(1, 3)))
                _ = refuses(transaction([write], VersionVector()), store)
            }
            try require(try store.record(other.identity)?.isThere, is: true, "what was taken before")
            let taken: [StoreTransaction] = [
                transaction([write], nil), transaction([write], claim(1, 3)), transaction([], claim(1, 4)),
                repairing(write, claim(1, 3)), ahead([write], VersionVector()),
                range([write], VersionVector()),
            ]
            for transaction in taken {
                try require(!refuses(transaction, store), "\(transaction) is refused")
            }
            // Tombstones that were collected in one lane say nothing about the other.
            let activity = Write.told(.told(kind: .device), at: 1, by: 4, .full())
            let elsewhere = StoreTransaction(
                lane: .activities, writes: [activity], completing: VersionVector())
            try require(!refuses(sent(elsewhere, by: VersionVector()), store), "the other lane is refused")
        },
        StoreCheck(
            "old writes in the snapshot of a peer that was set back are renewed, and the others are stored"
        ) {
            home, _ in
            for (round, isAhead) in [false, true].enumerated() {
                let store = try home.open()
                let base = UInt64(100 * round)
                try collect(at: base + 30, in: store)
                let old = base + 10
                let key = { (number: UInt64) in RecordKey.told(base + number) }
                let writes: [Write] = [
                    .told(key(2), at: old, by: 4, .full(in: .app("a"), [1: 7, 2: 8])),
                    .told(key(2), at: old + 1, by: 4, .partial(of: old, by: 4, [2: 9, 3: 9])),
                    .told(key(3), at: old + 2, by: 4, .count(5, begun: old + 2, by: 4, in: .app("a"))),
                    .told(key(4), at: old + 3, by: 4, .deletion),
                    .told(key(5), at: old + 30, by: 4, .full()),
                    .told(key(6), at: old + 31, by: 4, .count(5, begun: old + 31, by: 4)),
                    .told(RecordKey.told(base + 7, kind: .clear(in: .index)), at: old + 4, by: 4, .full()),
                ]
                // The write is here, and has not arrived: nothing is wrong with it.
                let own = Write.told(key(8), at: old, by: 5, .full())
                let count = Write.told(
                    key(3), at: old, by: 5, .count(4, begun: old, by: 5, in: .app("a")))
                _ = try store.commit(transaction([own, count], nil))
                let life = Life(high: 6, low: UInt64(round))
                var sent = isAhead ? ahead(writes, VersionVector()) : range(writes, VersionVector())
                // The sender knows what it sends: by the range alone nothing of it is in doubt.
                sent.range?.known = claim(4, old + 50)
                sent.renewingLife = life
                sent.clock = HybridTime(value: base + 60)
                let commit = try store.commit(sent)
                try require(commit.hasWritten(under: life), is: true, "whether something was written anew")
                let other = Life(high: 6, low: .max)
                try require(commit.hasWritten(under: other), is: false, "whether another life wrote")

                let anew = try writes.prefix(3).map { write in try store.record(write.identity) }
                let stamp = { (number: UInt64) in
                    Stamp(time: HybridTime(value: base + 60 + number), life: life)
                }
                let order = [key(2), key(3)].map(\.identity).sorted()
                let (full, begun) = order[0] == key(2).identity ? (stamp(1), stamp(2)) : (stamp(2), stamp(1))
                try require(
                    anew[0]?.survivingWrites.map(\.action),
                    is: [.full(in: .app("a"), [1: 7, 2: 9, 3: 9])], "a full write and its update")
                try require(anew[0]?.incarnation, is: full, "when it was written anew")
                let counts = anew[2]?.survivingWrites ?? []
                try require(counts.count, is: 2, "the counts of one record")
                try require(counts.contains(count), "a count of the same record that did not arrive")
                try require(
                    counts.map(\.action).contains(.count(begun: begun, writes[2].content)),
                    "a count that begins anew, with its scope")
                for write in writes.dropFirst(3) {
                    try require(
                        try store.record(write.identity)?.survivingWrites, is: [write], "what stays as it is")
                }
                try require(
                    try store.record(own.identity)?.survivingWrites, is: [own], "what did not arrive")
                try require(
                    try store.summary().complete[Origin(life: life, lane: .index)], is: 1, "the claims")
                try require(commit.clock, is: HybridTime(value: base + 62), "the clock")
            }
        },
        StoreCheck(
            "during a snapshot, writes of another peer are renewed if the first peer has collected them"
        ) {
            home, _ in
            // A peer knows more than is claimed here, and lacks tombstones that the first snapshot's sender collected.
            for isAhead in [false, true] {
                let store = try home.open()
                var first = range([], nil)
                first.range?.through = RecordKey.told(900).identity
                first.range?.known = claim(1, 30)
                first.range?.start = claim(1, 30)
                first.range?.dropped = claim(1, 30)
                first.range?.horizon = HybridTime(value: 30)
                first.resume = StoreTransaction.Resume(
                    peer: DeviceIdentifier(high: 4, low: 1), token: ResumeToken(bytes: [1]))
                _ = try store.commit(first)
                let write = Write.told(.told(isAhead ? 3 : 2), at: 10, by: 4, .full())
                var second = isAhead ? ahead([write], claim(4, 10)) : range([write], claim(4, 10))
                second.range?.known = claim(4, 10)
                second.renewingLife = Life(high: 6, low: isAhead ? 2 : 1)
                _ = try store.commit(second)
                try require(
                    try store.record(write.identity)?.incarnation.life, is: second.renewingLife,
                    "who wrote it \(isAhead ? "ahead of" : "in") a range")
            }
        },
        StoreCheck(
            "an activity that this device marked is marked again if it is renewed, and one that a member made up is not"
        ) {
            home, _ in
            let store = try home.open()
            let keys = ["own", "forged", "ended"].map {
                ActivityName(device: DeviceIdentifier(high: 4, low: 4), app: "org.example", instance: $0).key
            }
            let origin = Origin(life: Life(high: 1, low: 1), lane: .activities)
            let tombstone = Write(
                dot: Dot(origin: origin, sequence: 1), key: keys[2],
                stamp: Stamp(time: HybridTime(value: 1 << 40), life: origin.life), action: .deletion)
            _ = try store.commit(
                StoreTransaction(
                    lane: .activities, writes: [tombstone],
                    completing: VersionVector([(origin, 1 as UInt64)])))
            try require(try store.collect(CollectRequest(roster: [])), is: 1, "how many tombstones go")
            let (own, other) = (PlainSigner(1), PlainSigner(2))
            let activity = Activity(type: "org.example.edit", started: WallTime(milliseconds: 0))
            var sent = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
            for (number, signer) in [own, other].enumerated() {
                var journal = Journal(
                    life: Life(high: 4, low: UInt64(number)), latest: .zero, signer: signer)
                let draft = Journal.Draft(.full(activity.content), keys[number])
                let named = journal.transaction(.activities, [draft], now: WallTime(milliseconds: 0))
                sent.writes += named?.writes ?? []
            }
            (sent.sender, sent.isAhead) = (VersionVector(), true)
            sent.renewingLife = Life(high: 6, low: 6)
            sent.renewingSigner = StoreTransaction.Signer(own)
            _ = try store.commit(sent)
            let records = try keys.prefix(2).map { try store.record($0.identity) }
            try require(
                records.map { $0?.incarnation.life }, is: [sent.renewingLife, sent.renewingLife],
                "who wrote them anew")
            try require(
                records.map { $0.map(own.hasMarked) }, is: [true, false], "which of them this device marked")
        },
        StoreCheck("a snapshot of a peer that has everything collected here is stored unchanged") {
            home, _ in
            let store = try home.open()
            try collect(at: 30, in: store)
            let write = Write.told(.told(2), at: 10, by: 4, .full())
            var sent = range([write], claim(1, 30))
            sent.range?.known = claim(4, 10)
            sent.renewingLife = Life(high: 6, low: 6)
            _ = try store.commit(sent)
            try require(try store.record(write.identity)?.survivingWrites, is: [write], "what arrived")
            let origin = Origin(life: Life(high: 6, low: 6), lane: .index)
            try require(try store.summary().complete[origin], is: 0, "what is claimed of nothing")
        },
        StoreCheck("an arriving write that is already claimed here is not renewed, whoever sends it") {
            home, _ in
            let store = try home.open()
            let write = Write.told(.told(2), at: 10, by: 4, .full())
            _ = try store.commit(
                StoreTransaction(lane: .index, writes: [write], completing: claim(4, 10)))
            try collect(at: 30, in: store)
            var sent = ahead([write], VersionVector())
            sent.renewingLife = Life(high: 6, low: 6)
            try require(try store.commit(sent).changed, is: [], "what changed")
            try require(try store.record(write.identity)?.survivingWrites, is: [write], "what stands")
        },
        StoreCheck("a write and updates that are too large together are renewed without the updates") {
            home, _ in
            let store = try home.open()
            try collect(at: 30, in: store)
            for (number, large) in [Limits.writeBytes / 2 - 100, Limits.writeBytes / 2].enumerated() {
                let key = RecordKey.told(UInt64(2 + number))
                let writes: [Write] = [
                    .told(key, at: 10, by: 4, .full(Write.Content(fields: bytes(large, in: 1)))),
                    .told(key, at: 11, by: 4, .partial(of: .told(10, by: 4), bytes(large, in: 2))),
                ]
                var sent = ahead(writes, VersionVector())
                sent.renewingLife = Life(high: 6, low: UInt64(number))
                _ = try store.commit(sent)
                let record = try store.record(key.identity)
                let expected =
                    number == 0 ? bytes(large, in: 1).both(bytes(large, in: 2)) : bytes(large, in: 1)
                try require(record?.fields == expected, "the fields of a record of twice \(large) bytes")
                try require(record?.survivingWrites.count, is: 1, "the writes that are left")
                try require(record?.incarnation.life, is: sent.renewingLife, "who wrote it anew")
            }
        },
    ]

    private static func claim(_ life: UInt64, _ sequence: UInt64) -> VersionVector {
        VersionVector([(Origin(life: Life(high: 1, low: life), lane: .index), sequence)])
    }

    /// A claim of the other lane, by the life that collected something in this one.
    private static let activities = VersionVector([
        (Origin(life: Life(high: 1, low: 1), lane: .activities), 99 as UInt64)
    ])

    /// Deletes something at that time, and collects its tombstone.
    private static func collect(at time: UInt64, in store: any AccountStore) throws {
        let tombstone = Write.told(.told(900), at: time, .deletion)
        _ = try store.commit(StoreTransaction(lane: .index, writes: [tombstone], completing: claim(1, time)))
        try require(try store.collect(CollectRequest(roster: [])), is: 1, "how many tombstones go")
    }

    private static func sent(_ transaction: StoreTransaction, by sender: VersionVector?) -> StoreTransaction {
        var transaction = transaction
        transaction.sender = sender
        return transaction
    }

    /// Returns writes of a peer with these claims; nil stands for this device.
    private static func transaction(_ writes: [Write], _ sender: VersionVector?) -> StoreTransaction {
        sent(StoreTransaction(lane: .index, writes: writes, completing: VersionVector()), by: sender)
    }

    private static func repairing(_ write: Write, _ sender: VersionVector) -> StoreTransaction {
        var transaction = transaction([write], sender)
        transaction.isRepair = true
        return transaction
    }

    private static func ahead(_ writes: [Write], _ sender: VersionVector) -> StoreTransaction {
        var transaction = transaction(writes, sender)
        transaction.isAhead = true
        return transaction
    }

    /// Returns all of a lane, as a peer has it that knows nothing else.
    private static func range(_ writes: [Write], _ sender: VersionVector?) -> StoreTransaction {
        var transaction = transaction(writes, sender)
        transaction.range = ReceivedRange(
            after: nil, through: nil, isEndAhead: false, known: VersionVector(), dropped: VersionVector(),
            horizon: .zero, start: VersionVector())
        return transaction
    }

    private static func refuses(_ transaction: StoreTransaction, _ store: any AccountStore) -> Bool {
        do throws(StoreFailure) {
            _ = try store.commit(transaction)
            return false
        } catch {
            return error.code == .peerSetBack
        }
    }

    private static func bytes(_ count: Int, in field: UInt64) -> Fields {
        var fields = Fields()
        fields.set(field) { $0.data([UInt8](repeating: 7, count: count)) }
        return fields
    }
}

extension Write {
    /// The content of a count.
    fileprivate var content: Content {
        if case .count(_, let content) = action { content } else { Content(fields: Fields()) }
    }
}

extension Fields {
    /// Returns these fields and the others.
    fileprivate func both(_ others: Fields) -> Fields { others.completed(by: self) }
}
