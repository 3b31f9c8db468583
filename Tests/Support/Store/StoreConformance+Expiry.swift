import BatonCore

extension StoreConformance {
    private static let own = DeviceIdentifier(high: 1, low: 1)

    /// Expired records, and their sweep.
    static let expiry: [StoreCheck] = [
        StoreCheck("expired records are swept in steps of any size, and no others") { home, seed in
            let (model, store) = (InMemoryStore(), try home.open())
            var generator = SeededGenerator(seed: seed)
            for lane in Lane.allCases {
                for transaction in History(seed: seed, lane: lane, keys: 20, length: 60).transactions {
                    for target in [model as any AccountStore, store] { _ = try target.commit(transaction) }
                }
            }
            // Either nobody has reported anything, or all have everything: then updates may say when a record expires.
            for (time, isStable) in [(0, false), (2, false), (2, true)] {
                let time = WallTime(milliseconds: Int64(time))
                if isStable {
                    for target in [model as any AccountStore, store] {
                        _ = try target.report(of: own, having: target.summary().complete)
                    }
                }
                let (before, heads) = (try store.digest(at: time), try store.summary().heads)
                var request = SweepRequest(time: time, roster: [own], most: generator.number(1...5))
                while let step = try store.sweep(request) {
                    let expected = try model.sweep(request)
                    try require(step.lane, is: expected?.lane ?? .activities, "the lane of a step")
                    try require(step.commit, is: expected?.commit ?? step.commit, "a step at \(time)")
                    try require(step.next, is: expected?.next, "where the next step begins")
                    try require(step.commit.changed.allSatisfy { !$0.isThere }, "what is swept is gone")
                    request.after = step.next
                }
                try require(try model.sweep(request) == nil, "the model is done, too")
                try require(try store.digest(at: time), is: before, "the digest at \(time)")
                try require(try store.summary().heads, is: heads, "nothing takes a new place")
                let dropped = try store.summary().dropped
                try require(model.summary().dropped, is: dropped, "the writes collected with it")
                for lane in Lane.allCases {
                    let mine = try read(store, lane, covered: dropped)
                    let other = try read(model, lane, covered: dropped)
                    try require(mine.writes, is: other.writes, "what is told of \(lane)")
                }
            }
            for kind in [RecordKind.currentActivity, .item] {
                let left = try home.open().records(of: kind).filter {
                    $0.isExpired(at: WallTime(milliseconds: 2))
                        && $0.survivingWrites.allSatisfy {
                            if case .count = $0.action { false } else { true }
                        }
                }
                try require(left, is: [], "what has expired and counts nothing")
            }
        },
        StoreCheck("an expiration set by an update counts only once every device has the update") { home, _ in
            let store = try home.open()
            let peer = DeviceIdentifier(high: 1, low: 2)
            let whole = Write.told(.told(1), at: 3, by: 1, .full([0: 900]))
            let update = Write.told(.told(1), at: 4, by: 2, .partial(of: 3, [0: 5]))
            for write in [whole, update] { _ = try store.commit(write.kept) }
            let request = SweepRequest(time: WallTime(milliseconds: 9), roster: [own, peer])
            let (known, all) = (whole.kept.completing, try store.summary().complete)
            _ = try store.report(of: own, having: all)
            for (report, isSwept) in [(known, false), (all, true)] {
                var reports = Reports()
                reports.join(peer, report)
                _ = try store.keep(reports)
                try require(try store.sweep(request)?.commit.changed.count, is: isSwept ? 1 : 0, "a step")
                try require(try store.record(whole.identity)?.isThere, is: !isSwept, "after that")
            }
            // A device that is set back to before the update must not be sent the rest alone.
            let lacking = ChangesRequest(
                lane: .index, after: Arrival.none, clearsAfter: Arrival.none, covered: known, bytes: .max)
            try require(try store.changes(lacking), is: .snapshotNeeded, "who lacks the update")
            try require(
                try store.summary().dropped, is: VersionVector([(update.dot.origin, update.dot.sequence)]),
                "the collected writes")
            let tombstone = Write(deleting: whole.identity, dot: whole.dot, stamp: whole.stamp)
            let covered = try store.summary().dropped
            try require(try read(store, .index, covered: covered).writes, is: [tombstone], "what is told")
        },
        StoreCheck("a swept record leaves a tombstone with its dot and stamp, at its place") {
            home, _ in
            let store = try home.open()
            let (old, new) = (
                Write.told(.told(1, kind: .item), at: 3, by: 1, .full([0: 5])),
                Write.told(.told(2, kind: .item), at: 4, by: 1, .full([1: 5]))
            )
            let update = Write.told(.told(1, kind: .item), at: 5, by: 1, .partial(of: 3, [2: 2]))
            for write in [old, new, update] { _ = try store.commit(write.kept) }
            _ = try store.sweep(SweepRequest(time: WallTime(milliseconds: 5), roster: [own]))
            let tombstone = Write(deleting: old.identity, dot: old.dot, stamp: old.stamp)
            try require(try read(store, .index).writes, is: [tombstone, new], "what is told")
            // A late write meets the tombstone; a newer write does not.
            for late in [old, update, Write.told(.told(1, kind: .item), at: 2, by: 2, .full([1: 1]))] {
                var transaction = StoreTransaction(lane: .index, writes: [late], completing: VersionVector())
                transaction.isRepair = true
                _ = try store.commit(transaction)
                try require(try store.record(old.identity)?.isThere, is: false, "\(late) comes late")
            }
            let again = Write.told(.told(1, kind: .item), at: 6, by: 2, .full([1: 1]))
            _ = try store.commit(again.kept)
            try require(try store.record(old.identity), is: Record(again), "it is written anew")
        },
        StoreCheck("records with counters, and other kinds than items and activities, are not swept") {
            home, _ in
            let store = try home.open()
            let counted = Write.told(.told(3, kind: .item), at: 3, by: 1, .full([0: 5]))
            let writes = [
                counted, Write.told(.told(3, kind: .item), at: 4, by: 1, .count(1, begun: 4)),
                Write.told(
                    .told(4, kind: .engagement), at: 5, by: 1,
                    .count(begun: .told(5), Write.Content(scope: .none, fields: .told([0: 5])))),
                Write.told(.told(5, kind: RecordKind(rawValue: 5)), at: 6, by: 1, .full([0: 5])),
                Write.told(.told(6, kind: .clientState), at: 7, by: 1, .full([0: 5])),
            ]
            for write in writes { _ = try store.commit(write.kept) }
            let step = try store.sweep(SweepRequest(time: WallTime(milliseconds: .max), roster: [own]))
            try require(step?.commit.changed ?? [], is: [], "the swept records")
            for write in writes {
                try require(try store.record(write.identity)?.isThere, is: true, "\(write) stands")
            }
        },
        StoreCheck("states from before a sweep are no longer compared") { home, _ in
            let store = try home.open()
            let write = Write.told(.told(1, kind: .item), at: 3, by: 1, .full([0: 5]))
            _ = try store.commit(write.kept)
            let whole = try store.check(at: WallTime(milliseconds: 4))
            try require(whole?.state, is: Record(write).digest, "before it is swept")
            _ = try store.sweep(SweepRequest(time: WallTime(milliseconds: 7), roster: [own]))
            for store in [store, try home.open()] {
                try require(
                    try store.check(at: WallTime(milliseconds: 6)), is: nil, "before the sweep's time")
                try require(
                    try store.check(at: WallTime(milliseconds: 7))?.state, is: StateDigest(), "from then on")
            }
        },
        StoreCheck(
            "the tombstone of a swept record is collected once every device has it, and a snapshot agrees"
        ) {
            home, _ in
            let store = try home.open()
            let peer = DeviceIdentifier(high: 1, low: 2)
            let (old, new) = (
                Write.told(.told(1, kind: .item), at: 3, by: 1, .full([0: 5])),
                Write.told(.told(2, kind: .item), at: 4, by: 1, .full([1: 5]))
            )
            for write in [old, new] { _ = try store.commit(write.kept) }
            _ = try store.sweep(SweepRequest(time: WallTime(milliseconds: 5), roster: [own]))
            let roster: Set = [own, peer]
            let complete = try store.summary().complete
            _ = try store.report(of: own, having: complete)
            try require(try store.collect(CollectRequest(roster: roster)), is: 0, "it is waited for")
            var reports = Reports()
            reports.join(peer, complete)
            _ = try store.keep(reports)
            try require(try store.collect(CollectRequest(roster: roster)), is: 1, "all have it")
            try require(try store.record(old.identity), is: nil, "nothing is left")
            try require(try store.summary().dropped.covers(old.dot), "it was collected")
            // Another device that did not sweep sends it in a snapshot: it is claimed, and skipped.
            let range = ReceivedRange(
                after: nil, through: nil, isEndAhead: false, known: complete, dropped: VersionVector(),
                horizon: .zero, start: complete)
            var transaction = StoreTransaction(
                lane: .index, writes: [old, new], completing: VersionVector(),
                resume: StoreTransaction.Resume(peer: peer, token: ResumeToken(bytes: [1])))
            transaction.range = range
            _ = try store.commit(transaction)
            try require(try store.record(old.identity)?.isThere ?? false, is: false, "it stays away")
            try require(try store.record(new.identity), is: Record(new), "the other one stands")
        },
    ]
}

extension Write {
    /// A transaction of this write that claims it.
    fileprivate var kept: StoreTransaction {
        StoreTransaction(
            lane: dot.origin.lane, writes: [self], completing: VersionVector([(dot.origin, dot.sequence)]))
    }
}
