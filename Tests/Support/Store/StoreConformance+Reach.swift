import BatonCore

extension StoreConformance {
    /// Times that no clock shows, and writes to records that have such times.
    static let reach: [StoreCheck] = [
        StoreCheck("an impossible time is stored as it is, and moves no clock") { home, _ in
            let store = try home.open()
            let planted = strange(item("a"), .full(content))
            try keep([.told(item("b"), at: 5, .full()), planted], in: store)
            try require(store.summary().clock, is: HybridTime(value: 5), "the clock")
            try require(store.record(planted.identity), is: Record(planted), "the record")
        },
        StoreCheck(
            "a write over an impossible time is reported to have no effect, also after reopening"
        ) {
            home, _ in
            let scope = Scope.items(app: "org.example", index: "cleared")
            do {
                let store = try home.open()
                try keep(
                    [
                        strange(item("full"), .full(content)), strange(item("deleted"), .deletion),
                        strange(scope.clearKey(in: .index), .full(Write.Content(fields: Fields()))),
                    ], in: store)
            }
            let store = try home.open()
            var journal = Journal(life: Life(high: 9, low: 9), latest: try store.summary().clock)
            let cleared = ItemName(app: "org.example", index: "cleared", identifier: "a").key
            let within = Write.Content(scope: scope, fields: Fields())
            for (draft, isCounted) in [
                (Journal.Draft(.full(content), item("full")), false),
                (Journal.Draft(.deletion, item("full")), false),
                (Journal.Draft(.full(content), item("deleted")), false),
                (Journal.Draft(.deletion, item("deleted")), true),
                (Journal.Draft(.full(within), cleared), false),
                (Journal.Draft(.full(content), item("other")), true),
                (Journal.Draft(.full(Write.Content(fields: Fields())), index.clearKey(in: .index)), false),
                (Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index)), true),
            ] {
                let now = WallTime(milliseconds: 1000)
                let transaction = try require(journal.transaction(.index, [draft], now: now), "a transaction")
                let commit = try store.commit(transaction)
                try require(commit.outranked, is: isCounted ? [] : [draft.key.identity], "\(draft)")
            }
            let name = BatchIdentifier(value: 7)
            let drafts = ["full", "next", "deleted"].map { Journal.Draft(.full(content), item($0)) }
            try store.lane(.index).stage(drafts, in: name)
            let now = WallTime(milliseconds: 2000)
            let batch = try require(journal.ending(name, count: 3, with: nil, now: now), "a batch")
            let outranked = try store.commit(batch).outranked
            try require(
                Set(outranked), is: [item("full").identity, item("deleted").identity], "changes of the batch")
            try require(store.record(item("next").identity)?.isThere, is: true, "the others")
        },
        StoreCheck(
            "a write is reported to have no effect by its stamp, although the clock has followed the later one"
        ) {
            home, _ in
            let store = try home.open()
            // Clocks follow this time at once; the journal gave its stamps before.
            let followed = HybridTime(value: HybridTime.largestBelieved.value + 5)
            let usual = HybridTime(value: 1 << 40)
            let counted = Write.Content(scope: index, fields: content.fields)
            try keep(
                [
                    told(item("followed"), followed, .full(content)),
                    told(item("usual"), usual, .full(content)),
                    told(item("updated"), followed, .full(content)), told(item("gone"), followed, .deletion),
                    told(
                        item("counted"), followed, .count(begun: Stamp(time: followed, life: other), counted)
                    ),
                    told(
                        elsewhere.clearKey(in: .index), followed, .full(Write.Content(fields: Fields()))),
                ], in: store)
            try require(store.summary().clock, is: followed, "the clock")
            var journal = Journal(life: Life(high: 9, low: 9), latest: .zero)
            let cleared = ItemName(app: "org.example", index: "elsewhere", identifier: "a").key
            let clear = Journal.Draft(.full(Write.Content(fields: Fields())), index.clearKey(in: .index))
            let update = LateAction.update(
                ItemName(app: "org.example", index: "main", identifier: "updated"), domain: nil,
                content.fields)
            for (draft, isCounted) in [
                (Journal.Draft(.full(content), item("followed")), false),
                (Journal.Draft(.deletion, item("followed")), false),
                (Journal.Draft(.deletion, item("counted")), false),
                (Journal.Draft(late: update), false),
                (Journal.Draft(.full(content), item("gone")), false),
                (Journal.Draft(.deletion, item("gone")), true),
                // It loses as well, but to a later write of another device.
                (Journal.Draft(.full(content), item("usual")), true),
                (Journal.Draft(.full(Write.Content(scope: elsewhere, fields: Fields())), cleared), false),
                (clear, false),
            ] {
                let now = WallTime(milliseconds: 1000)
                let transaction = try require(journal.transaction(.index, [draft], now: now), "a transaction")
                let outranked = try store.commit(transaction).outranked
                try require(outranked, is: isCounted ? [] : [draft.key.identity], "\(draft)")
            }
            let name = BatchIdentifier(value: 7)
            let drafts = [clear, Journal.Draft(.full(content), item("next")), Journal.Draft(late: update)]
            try store.lane(.index).stage(drafts, in: name)
            let now = WallTime(milliseconds: 2000)
            let batch = try require(journal.ending(name, count: 3, with: nil, now: now), "a batch")
            try require(
                Set(store.commit(batch).outranked), is: [clear.key.identity, drafts[2].key.identity],
                "the batch")
        },
        StoreCheck("the smaller of two stamps with one impossible time is reported to have no effect") {
            home, _ in
            let time = HybridTime(value: HybridTime.largestBelieved.value + 5)
            for (life, isCounted) in [(Life(high: 0, low: 1), false), (Life(high: 9, low: 9), true)] {
                let store = try home.open()
                let key = item("\(life.high)")
                try keep([told(key, time, .full(content))], in: store)
                var journal = Journal(life: life, latest: HybridTime(value: time.value - 1))
                let draft = Journal.Draft(.full(content), key)
                let now = WallTime(milliseconds: 1000)
                let transaction = try require(journal.transaction(.index, [draft], now: now), "a transaction")
                try require(transaction.writes.map(\.stamp.time), is: [time], "the time")
                let outranked = try store.commit(transaction).outranked
                try require(outranked, is: isCounted ? [] : [key.identity], "\(life)")
            }
        },
        StoreCheck("tombstones with such a time stay, so that renewed writes are later than collected ones") {
            home, _ in
            let store = try home.open()
            let (planted, usual) = (strange(item("a"), .deletion), Write.told(item("b"), at: 6, .deletion))
            try keep([planted, usual], in: store, completing: [planted, usual])
            let device = DeviceIdentifier(high: 1, low: 1)
            let complete = try store.summary().complete
            var reports = Reports()
            reports.join(device, complete)
            _ = try store.keep(reports)
            try require(try store.collect(CollectRequest(roster: [device])), is: 1, "what goes")
            try require(
                store.record(planted.identity)?.tombstone != nil, "the tombstone with the largest time stays")
            try require(store.record(usual.identity)?.tombstone, is: nil, "the other tombstone")
        },
    ]

    private static func require<Value>(
        _ value: Value?, _ what: String
    ) throws(StoreViolation) -> Value {
        guard let value else { throw StoreViolation(description: "\(what) is not there") }
        return value
    }

    private static func item(_ identifier: String) -> RecordKey {
        ItemName(app: "org.example", index: "main", identifier: identifier).key
    }

    private static let content = Write.Content(
        scope: index, fields: Fields { $0.field(1) { $0.unsigned(1) } })

    private static let index = Scope.items(app: "org.example", index: "main")
    private static let elsewhere = Scope.items(app: "org.example", index: "elsewhere")
    /// The life of another device.
    private static let other = Stamp.told(4, by: 4).life

    /// A write with the largest time.
    private static func strange(_ key: RecordKey, _ action: Write.Action) -> Write {
        told(key, .largest, action)
    }

    /// A write of another device with that time.
    private static func told(_ key: RecordKey, _ time: HybridTime, _ action: Write.Action) -> Write {
        Write(
            dot: Write.told(key, at: 4, by: 4, action).dot, key: key, stamp: Stamp(time: time, life: other),
            action: action)
    }

    private static func keep(
        _ writes: [Write], in store: any AccountStore, completing: [Write] = []
    ) throws(StoreFailure) {
        let clock = writes.map(\.latestTime).max() ?? .zero
        var vector = VersionVector()
        for write in completing { vector.cover(write.dot) }
        var transaction = StoreTransaction(lane: .index, writes: writes, completing: vector, clock: clock)
        transaction.sender = VersionVector()
        _ = try store.commit(transaction)
    }
}
