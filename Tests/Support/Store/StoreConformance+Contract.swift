package import BatonCore

extension StoreConformance {
    /// Each rule of the contract by itself.
    static let contract: [StoreCheck] = [
        StoreCheck("a new store is empty") { home, _ in
            let store = try home.open()
            let summary = try store.summary()
            try require(summary.complete.isEmpty && summary.clock == .zero, "a new store claims something")
            for lane in Lane.allCases {
                try require(summary.settled[lane], is: Arrival.none, "settled of \(lane)")
                let read = try read(store, lane)
                try require(read.writes.isEmpty && read.complete.isEmpty, "a new store has writes")
            }
        },
        StoreCheck("a record is the merge of its writes, in any order of arrival") { home, seed in
            let history = History(seed: seed, length: 30)
            var generator = SeededGenerator(seed: seed)
            let store = try home.open()
            for write in generator.shuffled(history.writes + history.writes) {
                _ = try store.commit(
                    StoreTransaction(lane: .activities, writes: [write], completing: VersionVector()))
            }
            for record in merged(history.writes) {
                try require(try store.record(record.identity), is: record, "the record \(record.identity)")
                let stands = try store.records(of: record.identity.kind).contains(record)
                try require(stands, is: record.isThere, "a record is listed if it is there")
            }
        },
        StoreCheck("records of a kind come in the order of their identities") { home, seed in
            let history = History(seed: seed, keys: 30, length: 60)
            let store = try home.open()
            for transaction in history.transactions { _ = try store.commit(transaction) }
            let identities = try store.records(of: RecordKind(rawValue: 1)).map(\.identity)
            try require(identities, is: identities.sorted(), "the order of records")
            try require(try store.records(of: RecordKind(rawValue: 77)).isEmpty, "records of another kind")
        },
        StoreCheck("a covered write is skipped") { home, seed in
            let history = History(seed: seed, length: 10)
            let store = try home.open()
            let claim = StoreTransaction(lane: .activities, writes: [], completing: history.complete)
            _ = try store.commit(claim)
            let commit = try store.commit(
                StoreTransaction(lane: .activities, writes: history.writes, completing: VersionVector()))
            try require(commit.changed.isEmpty && commit.head == .none, "a covered write was taken")
        },
        StoreCheck("a transaction may claim its own writes") { home, seed in
            let history = History(seed: seed, length: 10)
            let store = try home.open()
            _ = try store.commit(
                StoreTransaction(lane: .activities, writes: history.writes, completing: history.complete))
            try require(try read(store, .activities).complete, is: history.complete, "the claims")
            for record in merged(history.writes) {
                try require(try store.record(record.identity), is: record, "the record \(record.identity)")
            }
        },
        StoreCheck("surviving writes are read in the order of their arrival, clears first") { home, seed in
            let history = History(seed: seed, length: 40)
            let store = try home.open()
            var places: [Dot: Arrival] = [:]
            var last = Arrival.none
            for write in history.writes {
                let commit = try store.commit(
                    StoreTransaction(lane: .activities, writes: [write], completing: VersionVector()))
                try require(commit.head >= last, "a head goes back")
                if commit.head > last { places[write.dot] = commit.head }
                last = commit.head
            }
            let (writes, _, _) = try read(store, .activities)
            let surviving = merged(history.writes).flatMap(\.survivingWrites)
            try require(sorted(writes), is: sorted(surviving), "the surviving writes")
            let arrivals = writes.compactMap { places[$0.dot] }
            let clears = arrivals.prefix(writes.count { $0.identity.kind.isClear })
            let others = arrivals.dropFirst(clears.count)
            try require(writes.prefix(clears.count).allSatisfy { $0.identity.kind.isClear }, "the clears")
            try require(
                arrivals.count == writes.count && Array(clears) == clears.sorted()
                    && Array(others) == others.sorted(), "the order of arrival")
            // A write that was trimmed since stays at its place: a reader behind that place does not see it again.
            for (write, arrival) in zip(writes, arrivals) {
                let after = try read(store, .activities, after: arrival).writes
                let expected = zip(writes, arrivals).filter { $0.1 > arrival }.map(\.0)
                try require(after, is: expected, "what stands behind \(write.dot)")
            }
        },
        StoreCheck("reading in parts of any size gives the same, and claims at the end only") { home, seed in
            let history = History(seed: seed, length: 40)
            let store = try home.open()
            for transaction in history.transactions { _ = try store.commit(transaction) }
            let whole = try read(store, .activities)
            for bytes in [1, 100, 300, 1000, 5000] {
                let parts = try read(store, .activities, bytes: bytes)
                try require(parts.writes, is: whole.writes, "what is read in parts of \(bytes)")
                try require(parts.complete, is: history.complete, "the claims in the end")
            }
            let first = try store.delta(
                ChangesRequest(lane: .activities, after: .none, covered: VersionVector(), bytes: 1))
            try require(first.writes.count, is: 1, "how many writes one byte asks for")
        },
        StoreCheck("a part ends at its limit of bytes, and the rest follows in further parts") {
            home, seed in
            let history = History(seed: seed, keys: 300, length: 100)
            let store = try home.open()
            let transaction = StoreTransaction(
                lane: .activities, writes: history.writes, completing: VersionVector())
            _ = try store.commit(transaction)
            for bytes in [200, 2000, 9000] {
                let request = ChangesRequest(
                    lane: .activities, after: .none, covered: VersionVector(), bytes: bytes)
                let bytes = try store.delta(request).writes.dropLast().reduce(0) { $0 + $1.byteCount }
                try require(bytes < request.bytes, "\(bytes) bytes before the last write")
            }
            var count = 0
            _ = try store.group { () throws(StoreFailure) in
                for number in UInt64(0)..<3000 {
                    let key = RecordKey(kind: RecordKind(rawValue: 9), parts: 1) { $0.unsigned(number) }
                    let stamp = Stamp(time: HybridTime(value: number + 1), life: Life(high: 1, low: 1))
                    let dot = Dot(origin: Origin(life: stamp.life, lane: .index), sequence: number + 1)
                    let write = Write(dot: dot, key: key, stamp: stamp, action: .deletion)
                    _ = try store.commit(
                        StoreTransaction(lane: .index, writes: [write], completing: VersionVector()))
                    count += 1
                }
            }
            let request = ChangesRequest(
                lane: .index, after: .none, covered: VersionVector(), bytes: Limits.largestBatchBytes)
            let part = try store.delta(request)
            let most = Limits.largestBatchBytes / part.writes[0].byteCount
            try require(part.writes.count, is: most, "the writes of a part")
            try require(part.complete == nil, "something stays for the next part")
            try require(
                try read(store, .index, bytes: request.bytes).writes.count, is: count,
                "the writes of all parts")
        },
        StoreCheck("writes that the peer has are not read, and the claim is sent all the same") {
            home, seed in
            let history = History(seed: seed, length: 30)
            let store = try home.open()
            for transaction in history.transactions { _ = try store.commit(transaction) }
            let half = history.transactions.prefix(15).reduce(into: VersionVector()) {
                $0.join($1.completing)
            }
            let read = try read(store, .activities, covered: half, bytes: 200)
            let all = try Self.read(store, .activities).writes
            try require(
                read.writes, is: all.filter { !half.covers($0.dot) }, "the writes that the peer lacks")
            try require(read.complete, is: history.complete, "the claims")
            let rest = try Self.read(store, .activities, covered: history.complete)
            try require(rest.writes.isEmpty && rest.complete == history.complete, "a peer that has all")
        },
        StoreCheck("the lanes are independent") { home, seed in
            let (first, second) = (
                History(seed: seed, length: 9), History(seed: seed, lane: .index, length: 12)
            )
            let store = try home.open()
            for transaction in first.transactions + second.transactions { _ = try store.commit(transaction) }
            try require(try read(store, .activities).complete, is: first.complete, "claims of activities")
            try require(try read(store, .index).complete, is: second.complete, "claims of the index")
            var both = first.complete
            both.join(second.complete)
            try require(try store.summary().complete, is: both, "all claims")
            try require(
                sorted(try read(store, .index).writes), is: surviving(second.writes), "writes of the index")
        },
        StoreCheck("settled is the place up to which everything is claimed") { home, seed in
            let history = History(seed: seed, keys: 40, length: 12)
            let store = try home.open()
            for transaction in history.transactions.prefix(6) { _ = try store.commit(transaction) }
            let before = try store.summary()
            var open = history.transactions[6]
            open.completing = VersionVector()
            let head = try store.commit(open).head
            for transaction in history.transactions[7...] { _ = try store.commit(transaction) }
            let settled = try store.summary().settled[.activities] ?? .none
            let (skipped, _, _) = try read(store, .activities, after: settled)
            let claimed = try store.summary().complete
            let unclaimed = try read(store, .activities).writes.filter { !claimed.covers($0.dot) }
            try require(unclaimed.allSatisfy(skipped.contains), "a write before \(settled) is not claimed")
            try require(settled >= (before.settled[.activities] ?? .none), "settled goes back")
            try require(
                unclaimed.isEmpty || settled < head, "settled at \(settled), with an open write by \(head)")
            _ = try store.commit(
                StoreTransaction(lane: .activities, writes: [], completing: history.complete))
            let now = try store.summary().settled[.activities] ?? .none
            try require(
                try read(store, .activities, after: now).writes.isEmpty,
                "something is claimed and not settled")
        },
        StoreCheck("a lane claims no more origins than a version vector may name") { home, _ in
            let store = try home.open()
            let lives = (0..<UInt64(Limits.laneOrigins + 5)).map { Life(high: 1, low: $0) }
            for first in stride(from: 0, to: lives.count, by: 5000) {
                let part = lives.dropFirst(first).prefix(5000)
                let claim = VersionVector(part.map { (Origin(life: $0, lane: .index), 7 as UInt64) })
                _ = try store.commit(StoreTransaction(lane: .index, writes: [], completing: claim))
            }
            let known = Origin(life: lives[0], lane: .index)
            _ = try store.commit(
                StoreTransaction(lane: .index, writes: [], completing: VersionVector([(known, 9 as UInt64)])))
            let complete = try store.summary().complete
            try require(complete.count, is: Limits.laneOrigins, "claimed origins")
            try require(complete[known], is: 9, "an origin that was claimed before")
        },
        StoreCheck("a failed group stores nothing") { home, seed in
            let history = History(seed: seed, length: 20)
            let store = try home.open()
            for transaction in history.transactions.prefix(10) { _ = try store.commit(transaction) }
            let before = try snapshot(store)
            let note = LocalNote(space: .address, name: [1], value: [2])
            do {
                try store.group { () throws(StoreFailure) in
                    for transaction in history.transactions.dropFirst(10) {
                        _ = try store.commit(transaction)
                    }
                    _ = try store.commit(
                        StoreTransaction(
                            lane: .activities, writes: [], completing: VersionVector(),
                            clock: .largest, notes: [note]))
                    throw StoreFailure(.full, "on purpose")
                }
                throw StoreViolation(description: "a group that fails ends without an error")
            } catch let failure as StoreFailure {
                try require(failure.code, is: .full, "the error of the closure")
            }
            try require(try snapshot(store), is: before, "what stands after the group")
            for transaction in history.transactions { _ = try store.commit(transaction) }
            try require(
                sorted(try read(store, .activities).writes), is: surviving(history.writes), "going on")
        },
        StoreCheck("stored writes are there when the store is opened again") { home, seed in
            let history = History(seed: seed, length: 25)
            let before: Snapshot
            do {
                let store = try home.open()
                try store.group { () throws(StoreFailure) in
                    for transaction in history.transactions { _ = try store.commit(transaction) }
                }
                _ = try store.commit(
                    StoreTransaction(
                        lane: .activities, writes: [], completing: VersionVector(),
                        clock: HybridTime(value: 1 << 50),
                        notes: [LocalNote(space: .ownActivity, name: [1], value: [2])]))
                before = try snapshot(store)
            }
            let store = try home.open()
            try require(try snapshot(store), is: before, "what is found")
            try require(before.summary.clock, is: HybridTime(value: 1 << 50), "the clock")
        },
        StoreCheck("a place is never reused, not even by another opening") { home, _ in
            let (life, key) = (Life(high: 1, low: 1), RecordKey(kind: .device, parts: 0) { _ in })
            var last = Arrival.none
            for sequence in UInt64(1)...4 {
                let store = try home.open()
                let stamp = Stamp(time: HybridTime(value: sequence), life: life)
                let dot = Dot(origin: Origin(life: life, lane: .activities), sequence: sequence)
                let write = Write(dot: dot, key: key, stamp: stamp, action: .deletion)
                let transaction = StoreTransaction(
                    lane: .activities, writes: [write], completing: VersionVector())
                let head = try store.commit(transaction).head
                try require(head > last, "the place \(head) came after \(last)")
                try require(
                    try read(store, .activities, after: last).writes, is: [write], "what arrived last")
                last = head
            }
        },
        StoreCheck("notes are kept by space and name, and nothing removes them") { home, _ in
            let store = try home.open()
            let notes = [[3], [1, 2], [1]].map { LocalNote(space: .ownActivity, name: $0, value: [9] + $0) }
            let other = LocalNote(space: .address, name: [1], value: [])
            let empty = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
            var transaction = empty
            transaction.notes = notes + [other]
            _ = try store.commit(transaction)
            try require(
                try store.notes(in: .ownActivity), is: [notes[2], notes[1], notes[0]], "notes by name")
            try require(try store.notes(in: .address), is: [other], "notes of another space")
            transaction = empty
            transaction.notes = [
                LocalNote(space: .ownActivity, name: [1], value: nil),
                LocalNote(space: .ownActivity, name: [3], value: [0]),
                LocalNote(space: .ownActivity, name: [8], value: nil),
            ]
            _ = try store.commit(transaction)
            let left = [notes[1], LocalNote(space: .ownActivity, name: [3], value: [0])]
            try require(try store.notes(in: .ownActivity), is: left, "notes after a removal and a change")
        },
        StoreCheck("the last change of each device is stored together with its writes, or not at all") {
            home, seed in
            let own = DeviceIdentifier(high: 1, low: 1)
            let history = History(seed: seed, length: 20)
            var changes = LastChanges(of: own)
            do {
                let store = try home.open()
                for (place, transaction) in history.transactions.enumerated() {
                    var (transaction, before) = (transaction, changes)
                    let taken = changes.receiveWrites(
                        transaction.writes, of: transaction.lane,
                        from: DeviceIdentifier(high: 2, low: UInt64(place % 3)),
                        at: WallTime(milliseconds: Int64(place))
                    ) { [] }
                    transaction.notes += taken.notes
                    guard place % 4 == 3 else {
                        _ = try store.commit(transaction)
                        continue
                    }
                    do {
                        try store.group { () throws(StoreFailure) in
                            _ = try store.commit(transaction)
                            throw StoreFailure(.full, "on purpose")
                        }
                    } catch {
                        changes.giveBack(taken)
                    }
                    swap(&before, &changes)
                    for life in history.writes.map(\.stamp.life) {
                        let device = DeviceIdentifier(high: UInt64(life.deviceTag) << 32, low: 0)
                        try require(
                            changes.change(of: device), is: before.change(of: device), "what is given back")
                    }
                }
            }
            let store = try home.open()
            let kept = try store.notes(in: .activitiesChange) + store.notes(in: .indexChange)
            let read = LastChanges(of: own, kept)
            try require(!kept.isEmpty, "something was noted")
            for life in history.writes.map(\.stamp.life) {
                let device = DeviceIdentifier(high: UInt64(life.deviceTag) << 32, low: 0)
                try require(read.change(of: device), is: changes.change(of: device), "the last change")
            }
        },
        StoreCheck("a write without effect leaves no record") { home, _ in
            let store = try home.open()
            let life = Life(high: 1, low: 1)
            let (early, late) = (
                Stamp(time: HybridTime(value: 5), life: life), Stamp(time: HybridTime(value: 9), life: life)
            )
            let key = RecordKey(kind: .device, parts: 0) { _ in }
            let origin = Origin(life: life, lane: .activities)
            let nothing = Write(
                dot: Dot(origin: origin, sequence: 2), key: key, stamp: late,
                action: .partial(of: late, Fields()))
            let full = Write(
                dot: Dot(origin: origin, sequence: 1), key: key, stamp: early,
                action: .full(Write.Content(fields: Fields())))
            for writes in [[nothing], [full], [nothing]] {
                _ = try store.commit(
                    StoreTransaction(lane: .activities, writes: writes, completing: VersionVector()))
            }
            try require(try read(store, .activities).writes, is: [full], "the writes")
            try require(try store.record(key.identity), is: Record(full), "the record")
        },
    ]

    // MARK: Expectations

    /// Returns the records that writes of a lane make, in the order of identities: the clears among them are applied to
    /// each write, and the results merged.
    package static func merged(_ writes: [Write]) -> [Record] {
        var (clears, records) = (Clears(), [RecordIdentity: Record]())
        for write in writes { if let clear = Record(write).clear { clears.add(clear) } }
        for write in writes.compactMap({ clears.remains(of: $0) }) {
            _ = records[write.identity, default: Record(write.identity)].merge(write)
        }
        return records.values.filter { !$0.survivingWrites.isEmpty }.sorted { $0.identity < $1.identity }
    }

    /// Returns the surviving writes, in the order of dots.
    static func surviving(_ writes: [Write]) -> [Write] {
        sorted(merged(writes).flatMap(\.survivingWrites))
    }

    static func sorted(_ writes: [Write]) -> [Write] { writes.sorted { $0.dot < $1.dot } }
}
