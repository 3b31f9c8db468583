import BatonCore
import Support

/// Operations of a node on its store, in an order that a seed draws: writes of apps and peers, batches that end with
/// client states, clears, reports, snapshots, garbage collection, forgotten devices, new lives and new orders of
/// arrival.
///
/// A store in memory does the same as the model.
struct StoreSeries {
    static let account = AccountIdentifier(high: 1, low: 2)
    static let own = DeviceIdentifier(high: 0x1111_1111 << 32, low: 1)
    private static let peer = DeviceIdentifier(high: 0x2222_2222 << 32, low: 1)
    private static let state = ClientStateName(app: "a", index: "i")

    private(set) var model = InMemoryStore()
    private var generator: SeededGenerator
    private var journal: Journal
    private var lives: UInt64 = 1
    private var now = WallTime(milliseconds: 1_000_000)
    private var incarnations: [RecordIdentity: Stamp] = [:]
    /// The writes of another device, and how many of them were sent; the other half comes as a snapshot.
    private let histories: [Lane: History]
    private var sent: [Lane: Int] = [:]
    /// A device that sends snapshots, and how far the current one has come.
    private let snapshooter = InMemoryStore()
    private var snapshots: [Lane: SnapshotProgress] = [:]
    /// The writes that each other device has by now.
    private var reported = VersionVector()
    private let isLarge: Bool

    /// Creates a series; a large one writes so much that SQLite moves its log into the database at times.
    init(seed: UInt64, isLarge: Bool = false) {
        (generator, self.isLarge) = (SeededGenerator(seed: seed), isLarge)
        journal = Journal(life: Self.life(1), latest: .zero)
        var histories: [Lane: History] = [:]
        for lane in Lane.allCases {
            histories[lane] = History(seed: seed &+ UInt64(lane.rawValue), lane: lane, keys: 6, length: 60)
            for transaction in History(seed: seed &+ 7, lane: lane, keys: 9, length: 12).transactions {
                snapshooter.keep(transaction)
            }
        }
        self.histories = histories
    }

    private static func life(_ number: UInt64) -> Life {
        Life(after: HybridTime(value: number << 16), of: own, random: number)
    }

    // MARK: Commands

    /// Draws the next step; the model follows once the store has done it.
    mutating func next() -> StoreStep {
        now = now.advanced(by: .milliseconds(generator.number(0...5)))
        switch generator.number(0...99) {
        case 0..<26: return write()
        case 26..<42: return endBatch()
        case 42..<56: return receive()
        case 56..<64: return report()
        case 64..<72: return collection()
        case 72..<82: return takeRange()
        case 82..<87: return giveUp()
        case 87..<90: return recount()
        case 90..<93: return forget()
        case 93..<95: return beginOrder()
        default: return .reopening
        }
    }

    /// Follows with the model after the store did a step; both must have the same outcome.
    mutating func take(_ step: StoreStep, _ outcome: StoreOutcome) throws {
        let expected = try step.perform(model)
        guard expected == outcome else {
            throw StoreViolation("\(step): came to \(outcome), and in memory to \(expected)")
        }
        journal.witness(model.clock)
    }

    /// Notes that the store did not do a step, so that writes of this life may be missing for good.
    mutating func lose() {
        beginLife()
        snapshots = [:]
    }

    /// Goes on with the state that was found after a fault.
    mutating func go(back state: InMemoryStore.State) {
        model = InMemoryStore(state)
        lose()
    }

    private mutating func beginLife() {
        lives += 1
        journal.beginLife(Self.life(lives))
    }

    // MARK: Writing

    private mutating func write() -> StoreStep {
        .commit((0...generator.number(0...2)).compactMap { _ in ownWrites() }, "own writes")
    }

    private mutating func ownWrites() -> StoreTransaction? {
        let lane = generator.pick(Lane.allCases)
        let drafts = (0...generator.number(0...2)).map { _ in
            generator.draft(lane, keys: 6, by: journal) { incarnations[$0.identity] }
        }
        guard var transaction = journal.transaction(lane, drafts, now: now) else { return nil }
        for write in transaction.writes where write.isOpening { incarnations[write.identity] = write.stamp }
        if lane == .activities, generator.chance(50) {
            let value = generator.chance(70) ? generator.bytes(0...3) : nil
            transaction.notes = [
                LocalNote(space: .ownActivity, name: generator.bytes(1...1).map { $0 % 4 }, value: value)
            ]
        }
        return transaction
    }

    private mutating func endBatch() -> StoreStep {
        var drafts = (0...generator.number(0...6)).map { _ in item() }
        if generator.chance(15) { drafts.insert(clear(), at: 0) }
        if generator.chance(70),
            let state = try? Journal.Draft(ending: generator.bytes(1...9), of: Self.state, changed: now)
        {
            drafts.append(state)
        }
        return .commit([journal.transaction(.index, drafts, now: now)].compactMap(\.self), "a batch")
    }

    private mutating func item() -> Journal.Draft {
        let name = ItemName(app: "a", index: "i", identifier: "\(generator.number(1...20))")
        guard generator.chance(85) else { return Journal.Draft(.deletion, name.key) }
        var fields = Fields()
        let value = [UInt8](
            repeating: generator.bytes(1...1)[0], count: isLarge ? 20_000 : generator.number(1...40))
        fields.set(1) { $0.data(value) }
        let domain = generator.pick([nil, "d", "d.e"])
        return Journal.Draft(
            .full(Write.Content(scope: .items(app: "a", index: "i", domain: domain), fields: fields)),
            name.key)
    }

    private mutating func clear() -> Journal.Draft {
        let scope = Scope.items(app: "a", index: "i", domain: generator.pick([nil, "d"]))
        return Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))
    }

    // MARK: Receiving

    private mutating func receive() -> StoreStep {
        let lane = generator.pick(Lane.allCases)
        let all = histories[lane]?.transactions ?? []
        let first = sent[lane, default: 0]
        let part = all[first..<min(all.count, first + generator.number(1...3))]
        sent[lane] = part.endIndex
        return .commit(
            part.map { told in
                var told = told
                told.sender = model.complete
                told.resume = StoreTransaction.Resume(
                    peer: Self.peer, token: ResumeToken(bytes: generator.bytes(1...4)))
                return told
            }, "what a peer sent")
    }

    /// Returns the next range of a snapshot, or the first of a new one.
    private mutating func takeRange() -> StoreStep {
        let lane = generator.pick(Lane.allCases)
        let progress = snapshots[lane]
        let request = RangeRequest(
            lane: lane, after: progress?.through, since: nil, covered: nil,
            bytes: generator.pick([1, 100, 400]))
        guard case .range(let range) = snapshooter.range(request) else { return beginOrder() }
        let start = progress?.start ?? range.complete
        let token = ResumeToken(bytes: generator.bytes(1...4))
        snapshots[lane] = range.through.map { SnapshotProgress(through: $0, start: start, token: token) }
        var transaction = StoreTransaction(
            lane: lane, writes: range.writes, completing: VersionVector(), clock: range.horizon,
            resume: StoreTransaction.Resume(peer: Self.peer, token: token))
        transaction.range = ReceivedRange(
            after: progress?.through, through: range.through, isEndAhead: range.isEndAhead,
            known: range.complete,
            dropped: range.dropped, horizon: range.horizon, start: start)
        lives += 1
        transaction.renewingLife = Self.life(lives)
        transaction.sender = range.complete
        var transactions = [transaction]
        if !range.ahead.isEmpty {
            var ahead = StoreTransaction(lane: lane, writes: range.ahead, completing: VersionVector())
            (ahead.isAhead, ahead.sender, ahead.renewingLife) = (
                true, range.complete, transaction.renewingLife
            )
            transactions.insert(ahead, at: 0)
        }
        return .commit(transactions, "a part of a snapshot")
    }

    // MARK: Other steps

    private mutating func report() -> StoreStep {
        let complete = model.complete
        if generator.chance(50) { reported = complete }
        return StoreStep(description: "a report", isReport: true) { (store) throws(StoreFailure) in
            .reports(try store.report(of: Self.own, having: complete))
        }
    }

    private mutating func collection() -> StoreStep {
        if generator.chance(50), !reported.isEmpty {
            var reports = Reports()
            reports.join(Self.peer, reported)
            return StoreStep(description: "reports of others") { [reports] (store) throws(StoreFailure) in
                .reports(try store.keep(reports))
            }
        }
        let most = generator.pick([1, 3, 1000])
        return StoreStep(description: "a collection of tombstones") { (store) throws(StoreFailure) in
            .count(try store.collect(CollectRequest(roster: [Self.own, Self.peer], most: most)))
        }
    }

    private mutating func giveUp() -> StoreStep {
        let step = StoreStep.giveUp([ownWrites(), ownWrites()].compactMap(\.self))
        beginLife()
        return step
    }

    private mutating func recount() -> StoreStep {
        let lane = generator.pick(Lane.allCases)
        let time = WallTime(milliseconds: lane == .index ? 2 : 1)
        return StoreStep(description: "a sum of all records") { (store) throws(StoreFailure) in
            .sums(try store.recount(lane, at: time))
        }
    }

    private mutating func forget() -> StoreStep {
        let (forgets, peer) = (generator.chance(30), Self.peer)
        snapshots = [:]
        // A lane that gives up its claims does not claim what this life wrote.
        beginLife()
        return StoreStep(description: "a device that is forgotten") { (store) throws(StoreFailure) in
            .gaveUp(forgets ? try store.forget([peer]) : try store.abandonSnapshots(of: [peer]))
        }
    }

    private mutating func beginOrder() -> StoreStep {
        let order: ArrivalOrder = generator.identifier()
        return StoreStep(description: "a new order of arrival") { (store) throws(StoreFailure) in
            try store.begin(order)
            return .nothing
        }
    }
}

/// A store broke its contract.
struct StoreViolation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
