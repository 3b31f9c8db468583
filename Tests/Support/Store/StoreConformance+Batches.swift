import BatonCore

extension StoreConformance {
    /// App changes to their indexes, in calls and in batches, beside records from elsewhere.
    ///
    /// A store may put off the remaining work of a batch or a clear, so these checks also run on one that puts off all
    /// of it.
    package static let batches: [StoreCheck] = [
        StoreCheck("a batch becomes visible whole when it ends, whatever happens meanwhile") { home, seed in
            var history = try BatchHistory(seed: seed, home)
            for _ in 0..<120 {
                try history.step()
                try history.judge()
            }
            try history.finish()
        },
        StoreCheck(
            "what a life follows has a place of its own, behind what the store makes and what was staged"
        ) {
            home, _ in
            let device = IndexingDevice(1, try home.open())
            try device.write([IndexingDevice.item(1)])
            device.restart()
            let name = ItemName(app: "a", index: "i", identifier: "1")
            let fields = Fields { $0.field(33) { $0.unsigned(1) } }
            try device.write([Journal.Draft(late: .update(name, domain: nil, fields))])
            device.restart()
            try device.stage([IndexingDevice.item(2), IndexingDevice.item(3)], in: 1)
            try device.end(1, count: 2, state: 1)
            while try device.store.settle(most: 1) != nil {}
            let dots = try read(device.store, .index).writes.map(\.dot)
            try require(Set(dots).count, is: dots.count, "how many dots name the writes \(dots)")
            try require(
                dots.count, is: 7, "an item and its change, two items, a state, and what two lives follow")
        },
        StoreCheck("a batch that has not ended is gone when the store is opened again") { home, _ in
            let device = IndexingDevice(1, try home.open())
            try device.stage([IndexingDevice.item(1)], in: 7)
            try device.reopen(home)
            try require(try device.store.record(IndexingDevice.key(1).identity) == nil, "nothing is seen")
            while try device.store.settle(most: 1) != nil {}
            let ending = try device.ending(7, count: 1, state: nil)
            let outcome = Result { () throws(StoreFailure) in try device.store.commit(ending) }
            guard case .failure = outcome else {
                throw StoreViolation(description: "a batch ended that was gone")
            }
        },
        StoreCheck("the claim of a batch is sent to others only with all of the batch") { home, seed in
            let device = IndexingDevice(1, try home.open())
            let drafts = (0..<10).map { IndexingDevice.item($0) }
            try device.stage(drafts, in: 1)
            try device.end(1, count: 10, state: 1)
            while try device.store.settle(most: 2) != nil {
                let all = RangeRequest(lane: .index, after: nil, since: nil, covered: nil, bytes: .max)
                if case .range(let range) = try device.store.range(all) {
                    let items = (range.ahead + range.writes).count { $0.identity.kind == .item }
                    try require(items, is: 10, "how many items a range has that claims them")
                }
                let covered = VersionVector()
                let request = ChangesRequest(lane: .index, after: .none, covered: covered, bytes: .max)
                guard case .changes(let changes) = try device.store.changes(request) else { continue }
                let count = changes.writes.count { $0.identity.kind == .item }
                try require(changes.complete == nil || count == 10, "a claim comes with all that it claims")
            }
            try require(
                try read(device.store, .index).writes.count { $0.identity.kind == .item } == 10, "all")
        },
        StoreCheck("an update finds a record of a batch that is not merged yet") { home, _ in
            let device = IndexingDevice(1, try home.open())
            device.putsOff = true
            let name = ItemName(app: "a", index: "i", identifier: "1")
            func update(_ number: UInt64, domain: String?) -> Journal.Draft {
                let fields = Fields { $0.field(32 + number) { $0.unsigned(number) } }
                return Journal.Draft(late: .update(name, domain: domain, fields))
            }
            try device.write([IndexingDevice.item(1)])
            try device.stage([update(1, domain: "d")], in: 1)
            try device.end(1, count: 1, state: nil)
            try device.write([update(2, domain: nil)])
            let look = { (what: String) in
                let record = try device.store.record(name.key.identity)
                let expected = device.model?.record(name.key.identity)
                try require(record?.content?.scope, is: expected?.content?.scope, "the scope, \(what)")
                try require(record?.fields, is: expected?.fields, "the fields, \(what)")
                try require(record?.fields?.count == 3, "all fields, \(what)")
            }
            try look("before it is merged")
            while try device.store.settle(most: 1) != nil {}
            try look("after it was merged")
        },
        StoreCheck("a clear ends no item that was moved before it out of the cleared scope") { home, _ in
            let device = IndexingDevice(1, try home.open())
            let clear = IndexingDevice.clear(.items(app: "a", index: "i", domain: "e"))
            func move(_ number: UInt64, to domain: String) -> Journal.Draft {
                let name = ItemName(app: "a", index: "i", identifier: "\(number)")
                return Journal.Draft(late: .update(name, domain: domain, Fields()))
            }
            func look(_ expected: Set<UInt64>, _ when: String) throws {
                let found = try Set(
                    (1...6).filter {
                        try device.store.record(IndexingDevice.key($0).identity)?.isThere == true
                    })
                try require(found, is: expected, "the items \(when)")
            }
            try device.write((1...5).map { IndexingDevice.item($0, domain: "e") })
            // The last item is written and moved in the batch itself; 2 is moved too late, and 5 comes back.
            let drafts = [
                move(1, to: "d"), IndexingDevice.item(6, domain: "e"), move(6, to: "d"), move(5, to: "d"),
                move(5, to: "e"), clear, move(2, to: "d"),
            ]
            try device.stage(drafts, in: 1)
            try device.end(1, count: drafts.count, state: nil)
            try look([1, 6], "once the batch has ended")
            while try device.store.settle(most: 1) != nil {}
            try look([1, 6], "once it is merged")
            try device.write([IndexingDevice.item(3, domain: "e"), IndexingDevice.item(4, domain: "e")])
            try device.stage([move(3, to: "d")], in: 2)
            try device.end(2, count: 1, state: nil)
            try device.write([clear])
            while try device.store.settle(most: 1) != nil {}
            try look([1, 3, 6], "once a clear of its own came behind a batch")
        },
        StoreCheck("an update or a deletion finds an item that only a batch has, which is not merged yet") {
            home, _ in
            let device = IndexingDevice(1, try home.open())
            device.putsOff = true
            func update(_ number: UInt64, says value: UInt64, domain: String? = nil) -> Journal.Draft {
                let name = ItemName(app: "a", index: "i", identifier: "\(number)")
                let fields = Fields { $0.field(32) { $0.unsigned(value) } }
                return Journal.Draft(late: .update(name, domain: domain, fields))
            }
            let look = { (when: String) in
                for number: UInt64 in 1...4 {
                    let record = try device.store.record(IndexingDevice.key(number).identity)
                    let expected = device.model?.record(IndexingDevice.key(number).identity)
                    try require(record?.fields, is: expected?.fields, "item \(number), \(when)")
                    try require(
                        record?.content?.scope, is: expected?.content?.scope, "its domain, \(when)")
                }
                let item = try device.store.record(IndexingDevice.key(2).identity)
                let last = Fields { $0.field(32) { $0.unsigned(7) } }
                try require(item?.fields?[.number(32)], is: last[.number(32)], "the last update, \(when)")
                try require(
                    try device.store.record(IndexingDevice.key(3).identity)?.isThere != true, "the deletion")
            }
            try device.stage((1...4).map { IndexingDevice.item($0, domain: "d") }, in: 1)
            try device.stage([update(2, says: 5)], in: 1)
            try device.end(1, count: 5, state: nil)
            try device.stage([update(2, says: 6), IndexingDevice.item(1, says: 1)], in: 2)
            try device.end(2, count: 2, state: nil)
            for draft in [update(2, says: 7), update(1, says: 8), update(4, says: 9, domain: "e")] {
                let commit = try device.write([draft])
                try require(commit.passedOver, is: 0, "how many updates found nothing")
            }
            try device.write([IndexingDevice.deletion(3)])
            try look("before all is merged")
            while try device.store.settle(most: 1) != nil {}
            try look("after all was merged")
        },
        StoreCheck("a transaction whose condition does not hold stores nothing, and its dot is used up") {
            home, _ in
            let device = IndexingDevice(1, try home.open())
            try device.write([IndexingDevice.item(1)], state: 1)
            var late = try device.transaction([IndexingDevice.item(2)], state: 2)
            late.condition = IndexCondition(state: .init(IndexingDevice.name, is: [9]))
            let refused = try device.commit(late)
            try require(refused.refusal, is: .otherState([1]), "why")
            try require(try device.store.record(IndexingDevice.key(2).identity) == nil, "nothing is kept")
            try require(try device.shown()?.state ?? [], is: [1], "the state")
            try require(try device.store.summary().complete.covers(refusedDot(late)), "the name is used up")
            var next = try device.transaction([IndexingDevice.item(2)], state: 2)
            next.condition = IndexCondition(state: .init(IndexingDevice.name, is: [1]))
            try require(try device.commit(next).refusal == nil, "what is expected is there")
            try require(try device.shown()?.state ?? [], is: [2], "the next state")
        },
        StoreCheck("a batch that comes again is not saved again") { home, _ in
            let device = IndexingDevice(1, try home.open())
            func write(
                _ drafts: [Journal.Draft], _ writer: UInt8, _ number: UInt64
            ) throws -> IndexRefusal? {
                var transaction = try device.transaction(drafts)
                let mark = BatchMark(
                    writer: [UInt8](repeating: writer, count: BatchMark.writerBytes), number: number)
                transaction.condition = IndexCondition(mark: mark)
                return try device.commit(transaction).refusal
            }
            try require(try write([IndexingDevice.item(1)], 1, 1) == nil, "the first batch")
            try require(try write([IndexingDevice.deletion(1)], 1, 2) == nil, "the second batch")
            try require(try write([IndexingDevice.item(1)], 1, 1), is: .savedBefore, "the first again")
            try require(try device.store.record(IndexingDevice.key(1).identity)?.isThere != true, "deleted")
            try require(try write([IndexingDevice.item(1)], 2, 1) == nil, "of another writer")
            try require(try device.store.record(IndexingDevice.key(1).identity)?.isThere == true, "there")
            let mark = BatchMark(writer: [UInt8](repeating: 1, count: BatchMark.writerBytes), number: 3)
            try device.stage([IndexingDevice.item(4)], in: 5)
            try require(
                try device.end(5, count: 1, state: nil, IndexCondition(mark: mark)).refusal == nil, "staged")
            try device.stage([IndexingDevice.item(5)], in: 6)
            try require(
                try device.end(6, count: 1, state: nil, IndexCondition(mark: mark)).refusal,
                is: .savedBefore, "staged again")
            try require(
                try device.store.record(IndexingDevice.key(5).identity) == nil, "nothing of it is there")
        },
        StoreCheck("an app can't have more than its quota, and can always have less") { home, _ in
            let device = IndexingDevice(1, try home.open())
            device.putsOff = true
            let quota = { (items: Int) in IndexCondition(quota: Quota(app: "a", items: items, bytes: .max)) }
            func write(_ drafts: [Journal.Draft], _ condition: IndexCondition) throws -> IndexRefusal? {
                var transaction = try device.transaction(drafts)
                transaction.condition = condition
                return try device.commit(transaction).refusal
            }
            try require(
                try write([IndexingDevice.item(1), IndexingDevice.item(2)], quota(2)) == nil, "two of two")
            guard case .quota(items: 3, _)? = try write([IndexingDevice.item(3)], quota(2)) else {
                throw StoreViolation(description: "three of two")
            }
            try require(try write([IndexingDevice.item(2, says: 5)], quota(2)) == nil, "the same once more")
            try require(try write([IndexingDevice.deletion(1)], quota(0)) == nil, "less")
            try require(try write([IndexingDevice.item(3)], quota(2)) == nil, "room again")
            try device.stage([IndexingDevice.item(4), IndexingDevice.item(3)], in: 5)
            let refused = try device.end(5, count: 2, state: nil, quota(2))
            guard case .quota(items: 3, _)? = refused.refusal else {
                throw StoreViolation(description: "a batch beyond the quota: \(refused)")
            }
            try device.write([IndexingDevice.clear(IndexingDevice.scope)])
            try require(try write([IndexingDevice.item(8)], quota(1)) == nil, "after a clear there is room")
            let again = [IndexingDevice.item(8), IndexingDevice.item(9), IndexingDevice.item(9, says: 6)]
            try require(try write(again, quota(2)) == nil, "an item that is written twice is one")
            let anew = [
                IndexingDevice.clear(IndexingDevice.scope), IndexingDevice.item(1), IndexingDevice.item(2),
            ]
            try require(try write(anew, quota(2)) == nil, "what a batch clears makes room for the rest of it")
            try device.stage(anew + [IndexingDevice.item(3)], in: 6)
            guard case .quota(items: 3, _)? = try device.end(6, count: 4, state: nil, quota(2)).refusal else {
                throw StoreViolation(description: "three of two after a clear")
            }
        },
        StoreCheck("an app can't clear more scopes than its quota, and can always clear one again") {
            home, _ in
            let device = IndexingDevice(1, try home.open())
            device.putsOff = true
            let quota = IndexCondition(quota: Quota(app: "a", items: .max, bytes: .max, clears: 2))
            let clear = { (domain: String) in
                IndexingDevice.clear(.items(app: "a", index: "i", domain: domain))
            }
            func write(_ domains: String...) throws -> IndexRefusal? {
                var transaction = try device.transaction(domains.map(clear))
                transaction.condition = quota
                return try device.commit(transaction).refusal
            }
            try require(try write("m", "n") == nil, "two of two")
            try require(try write("o"), is: .clears(3), "three of two")
            try require(try write("n", "m") == nil, "the same once more")
            try device.reopen(home)
            try device.stage([clear("m"), clear("o"), clear("p")], in: 5)
            try require(
                try device.end(5, count: 3, state: nil, quota).refusal, is: .clears(4), "two more in a batch")
            try device.stage([clear("m"), clear("n")], in: 6)
            try require(try device.end(6, count: 2, state: nil, quota).refusal == nil, "none in a batch")
        },
        StoreCheck("an update can't bring an app beyond its quota of bytes") { home, _ in
            let device = IndexingDevice(1, try home.open())
            device.putsOff = true
            try device.write([IndexingDevice.item(1)])
            let item = try device.store.record(IndexingDevice.key(1).identity)
            let bytes = item?.content?.encodedCount ?? 0
            let name = ItemName(app: "a", index: "i", identifier: "1")
            let fields = Fields { $0.field(33) { $0.unsigned(1) } }
            var update = try device.transaction([Journal.Draft(late: .update(name, domain: nil, fields))])
            update.condition = IndexCondition(quota: Quota(app: "a", items: .max, bytes: bytes))
            guard case .quota? = try device.commit(update).refusal else {
                throw StoreViolation(description: "an update beyond a quota of \(bytes) bytes")
            }
        },
        StoreCheck("a clear that a snapshot removes has first ended all its records") { home, _ in
            let store = try home.open()
            let scope = Scope.items(app: "a", index: "i")
            let item = Write.told(.told(), at: 7, by: 3, .full(in: scope))
            let (later, earlier) = (Write.clear(scope, at: 10), Write.clear(scope, at: 5, by: 4))
            let claims = { (write: Write) in VersionVector([(write.dot.origin, write.dot.sequence)]) }
            for write in [item, later] {
                _ = try store.commit(
                    StoreTransaction(lane: .index, writes: [write], completing: claims(write)))
            }
            // The peer has collected the later clear, and knows nothing of the item.
            var snapshot = StoreTransaction(lane: .index, writes: [], completing: VersionVector())
            snapshot.range = ReceivedRange(
                after: nil, through: nil, isEndAhead: false, known: claims(later), dropped: claims(later),
                horizon: .zero, start: claims(later))
            _ = try store.commit(snapshot)
            _ = try store.commit(
                StoreTransaction(lane: .index, writes: [earlier], completing: claims(earlier)))
            while try store.settle(most: 1) != nil {}
            try require(
                try store.record(item.identity)?.isThere != true,
                "what the later clear ended does not come back")
        },
        StoreCheck("a batch that was not merged yet counts against the quota") { home, _ in
            let device = IndexingDevice(1, try home.open())
            try device.stage((1...3).map { IndexingDevice.item($0) }, in: 1)
            try device.end(1, count: 3, state: nil)
            var transaction = try device.transaction([IndexingDevice.item(4)])
            transaction.condition = IndexCondition(quota: Quota(app: "a", items: 3, bytes: .max))
            guard case .quota(items: 4, _)? = try device.commit(transaction).refusal else {
                throw StoreViolation(description: "four of three")
            }
        },
        StoreCheck(
            "changes merged before a quota check are reported with the answer, also if it refuses"
        ) {
            home, _ in
            let device = IndexingDevice(1, try home.open())
            try device.write([IndexingDevice.item(1)])
            for (batch, limit) in [(1, 3), (2, 5)] as [(UInt64, Int)] {
                let drafts = [
                    IndexingDevice.item(2, says: batch), IndexingDevice.deletion(1), IndexingDevice.item(3),
                ]
                try device.stage(drafts, in: batch)
                var told = try device.end(batch, count: 3, state: 5).changed
                var transaction = try device.transaction([IndexingDevice.item(4), IndexingDevice.item(5)])
                transaction.condition = IndexCondition(quota: Quota(app: "a", items: limit, bytes: .max))
                let commit = try device.commit(transaction)
                try require(commit.refusal == nil, is: limit == 5, "whether it is kept")
                told += commit.changed
                while let step = try device.store.settle(most: 1) { told += step.commit.changed }
                for number: UInt64 in 1...3 {
                    let identity = IndexingDevice.key(number).identity
                    let last = told.last { $0.identity == identity }
                    try require(
                        last, is: try device.store.record(identity), "what was told of item \(number)")
                }
            }
        },
    ]

    private static func refusedDot(_ transaction: StoreTransaction) -> Dot { transaction.writes[0].dot }
}

/// A device with the store under test beside one in memory, and another device that writes, too.
private struct BatchHistory {
    private var generator: SeededGenerator
    private let home: StoreHome
    private let device: IndexingDevice
    private let other = IndexingDevice(2)
    private var state: UInt8 = 0
    /// The number of staged drafts of each unended batch.
    private var open: [UInt64: Int] = [:]
    private var next: UInt64 = 0

    init(seed: UInt64, _ home: StoreHome) throws {
        generator = SeededGenerator(seed: seed)
        self.home = home
        device = IndexingDevice(1, try home.open())
        device.putsOff = true
    }

    mutating func step() throws {
        switch generator.number(0...19) {
        case 0...3:
            var transaction = try device.transaction(drafts(), state: ending())
            transaction.condition = quota()
            try device.commit(transaction)
        case 4...9: try stage()
        case 10, 11:
            guard let (batch, count) = open.sorted(by: { $0.key < $1.key }).first else { return }
            open[batch] = nil
            try device.end(batch, count: count, state: ending(), quota())
        case 12:
            guard let batch = open.keys.sorted().last else { return }
            open[batch] = nil
            try device.discard(batch)
        case 13, 14: try other.write(drafts(late: false))
        case 15:
            // The effect of an update in a batch is found when the batch is merged; records that came meanwhile are
            // known by then.
            while try device.store.settle(most: 5) != nil {}
            try other.send(to: device, bytes: generator.number(1...600), parts: generator.number(1...4))
        case 16:
            if generator.chance(30) {
                try device.reopen(home)
                open = [:]
            }
        default: _ = try device.store.settle(most: generator.number(1...4))
        }
    }

    private mutating func stage() throws {
        if open.count < 3, generator.chance(40) { next += 1 }
        let batch = open.isEmpty ? next : generator.pick(open.keys.sorted() + [next])
        let drafts = drafts().filter { $0.key.kind != .engagement }
        guard !drafts.isEmpty else { return }
        open[batch, default: 0] += drafts.count
        if open[batch] == drafts.count { next += 1 }
        try device.stage(drafts, in: batch)
    }

    private mutating func quota() -> IndexCondition? {
        guard generator.chance(30) else { return nil }
        let bytes = generator.chance(50) ? Int.max : generator.number(0...120)
        return IndexCondition(quota: Quota(app: "a", items: generator.number(0...5), bytes: bytes))
    }

    private mutating func ending() -> UInt8? {
        guard generator.chance(60) else { return nil }
        state &+= 1
        return state
    }

    private mutating func drafts(late: Bool = true) -> [Journal.Draft] {
        (0..<generator.number(0...5)).map { _ in
            let number = UInt64(generator.number(1...5))
            let name = ItemName(app: "a", index: "i", identifier: "\(number)")
            switch generator.number(0...19) {
            case 0: return IndexingDevice.clear(IndexingDevice.scope)
            case 1: return IndexingDevice.clear(.app("a"))
            case 2: return IndexingDevice.clear(.items(app: "a", index: "i", domain: domain()))
            case 3, 4: return IndexingDevice.deletion(number)
            case 5...6 where late:
                let time = WallTime(milliseconds: Int64(generator.number(1...9)))
                return Journal.Draft(late: .opening(name, device.identifier, time))
            case 7...10 where late:
                let fields = Fields { fields in
                    fields.field(32) { $0.integer(Int64(generator.number(0...9))) }
                    if generator.chance(30) { fields.field(33) { $0.null() } }
                }
                let domain = generator.chance(40) ? domain() : nil
                return Journal.Draft(late: .update(name, domain: domain, fields))
            default:
                return IndexingDevice.item(
                    number, domain: generator.chance(50) ? domain() : nil,
                    says: UInt64(generator.number(0...9)))
            }
        }
    }

    private mutating func domain() -> String { generator.chance(50) ? "d" : "e" }

    // MARK: Invariants

    func judge() throws {
        guard let model = device.model else { return }
        for number in 1...5 {
            let item = IndexingDevice.key(UInt64(number))
            for identity in [item.identity, EngagementName(counting: item).key.identity] {
                let (found, expected) = (try device.store.record(identity), model.record(identity))
                try StoreConformance.require(found?.fields, is: expected?.fields, "item \(number)")
                try StoreConformance.require(
                    found?.content?.scope, is: expected?.content?.scope, "scope of item \(number)")
            }
        }
        try StoreConformance.require(
            try device.store.shownState(of: IndexingDevice.name),
            is: model.shownState(of: IndexingDevice.name),
            "the shown state")
        try StoreConformance.require(
            try device.store.summary().complete, is: model.summary().complete, "the claims")
    }

    func finish() throws {
        guard let model = device.model else { return }
        while try device.store.settle(most: 3) != nil {}
        try judge()
        let now = WallTime(milliseconds: 0)
        try StoreConformance.require(
            try device.store.digest(at: now), is: model.digest(at: now), "the digest")
        let (found, expected) = (
            try StoreConformance.read(device.store, .index).writes,
            try StoreConformance.read(model, .index).writes
        )
        try StoreConformance.require(
            found.filter { $0.name != nil && !expected.contains($0) },
            is: expected.filter { $0.name != nil && !found.contains($0) }, "what stands in one of them only")
        try StoreConformance.require(
            try device.store.check(at: InMemoryStore.past), is: model.check(at: InMemoryStore.past),
            "what both compare")
        try device.send(to: other)
        try StoreConformance.require(
            try other.store.summary().complete.covers(
                Dot(origin: Origin(life: device.life, lane: .index), sequence: 1))
                || device.written.isEmpty, "the other has it")
    }
}
