import BatonCore

/// A device that indexes one index, ends batches with client states, and exchanges its records with others.
///
/// It may keep everything in two stores, which must answer alike.
final class IndexingDevice {
    static let name = ClientStateName(app: "a", index: "i")
    static let scope = Scope.items(app: "a", index: "i")

    let identifier: DeviceIdentifier
    /// The store under test, if this device has it, and the one in memory.
    private(set) var store: any AccountStore
    let model: InMemoryStore?
    /// Whether the store under test may put off the remaining work of batches and clears.
    var putsOff = false
    private var journal: Journal
    private var now = WallTime(milliseconds: 1_000_000)
    private var lives: UInt64 = 0
    /// The position of the snapshot for each peer.
    private var snapshots: [DeviceIdentifier: (after: RecordIdentity?, start: VersionVector)] = [:]
    /// All writes of this device.
    private(set) var written: [Write] = []

    init(_ number: UInt64, _ store: (any AccountStore)? = nil) {
        identifier = DeviceIdentifier(high: number << 32, low: number)
        let life = Life(after: HybridTime(value: 8 << 16), of: identifier, random: 0)
        journal = Journal(life: life, latest: .zero)
        model = store == nil ? nil : InMemoryStore()
        self.store = store ?? InMemoryStore()
    }

    /// The stores of this device; if there are two, they must be alike.
    private var stores: [any AccountStore] { [store] + (model.map { [$0] } ?? []) }

    /// Reopens the store under test.
    func reopen(_ home: StoreHome) throws {
        guard let model else { return }
        store = try home.open()
        // Unended batches are lost with the process.
        model.state.index.staged = [:]
    }

    // MARK: Writing

    /// Returns an item, or another version of it.
    static func item(_ number: UInt64, domain: String? = nil, says value: UInt64 = 0) -> Journal.Draft {
        var fields = Fields()
        fields.set(1) { $0.integer(Int64(value)) }
        let scope = Scope.items(app: "a", index: "i", domain: domain)
        return Journal.Draft(.full(Write.Content(scope: scope, fields: fields)), key(number))
    }

    static func key(_ number: UInt64) -> RecordKey {
        ItemName(app: "a", index: "i", identifier: "\(number)").key
    }

    static func deletion(_ number: UInt64) -> Journal.Draft { Journal.Draft(.deletion, key(number)) }

    static func clear(_ scope: Scope) -> Journal.Draft {
        Journal.Draft(.full(Write.Content(fields: Fields())), scope.clearKey(in: .index))
    }

    static func state(_ number: UInt8) throws -> Journal.Draft {
        try Journal.Draft(ending: [number], of: name, changed: WallTime(milliseconds: 5))
    }

    /// Writes a batch, which may end with a client state.
    @discardableResult
    func write(_ drafts: [Journal.Draft], state: UInt8? = nil) throws -> StoreCommit {
        try commit(try transaction(drafts, state: state))
    }

    /// Returns a batch that is named and not stored.
    func transaction(_ drafts: [Journal.Draft], state: UInt8? = nil) throws -> StoreTransaction {
        now = now.advanced(by: .milliseconds(1))
        let drafts = try drafts + (state.map { [try Self.state($0)] } ?? [])
        guard let transaction = journal.transaction(.index, drafts, now: now) else {
            throw StoreViolation(description: "a draft is beyond limits")
        }
        return transaction
    }

    /// The life of this device's writes.
    var life: Life { journal.life }

    // MARK: Batches

    func stage(_ drafts: [Journal.Draft], in batch: UInt64) throws {
        for store in stores { try store.stage(drafts, in: BatchIdentifier(value: batch)) }
    }

    func discard(_ batch: UInt64) throws {
        for store in stores { try store.discard(BatchIdentifier(value: batch)) }
    }

    @discardableResult
    func end(
        _ batch: UInt64, count: Int, state: UInt8?, _ condition: IndexCondition? = nil
    ) throws -> StoreCommit {
        putsOff = true
        var transaction = try ending(batch, count: count, state: state)
        transaction.condition = condition
        return try commit(transaction)
    }

    /// Returns the end of a staged batch, named and not stored.
    func ending(_ batch: UInt64, count: Int, state: UInt8?) throws -> StoreTransaction {
        now = now.advanced(by: .milliseconds(1))
        let state = try state.map { try Self.state($0) }
        guard
            let transaction = journal.ending(
                BatchIdentifier(value: batch), count: count, with: state, now: now)
        else { throw StoreViolation(description: "a draft is beyond limits") }
        return transaction
    }

    /// Names a batch and loses it; the device writes nothing after it in this life.
    func lose(_ drafts: [Journal.Draft], state: UInt8?) throws {
        let lost = try transaction(drafts, state: state)
        for store in stores {
            let outcome = Result { () throws(StoreFailure) in
                try store.group { () throws(StoreFailure) in
                    _ = try store.commit(lost)
                    throw StoreFailure(.full, "on purpose")
                }
            }
            guard case .failure(let failure) = outcome, failure.code == .full else {
                throw StoreViolation(description: "a group went otherwise than it was to: \(outcome)")
            }
        }
        journal.beginLife(newLife())
    }

    /// Begins another life, as after a start.
    func restart() { journal.beginLife(newLife()) }

    private func newLife() -> Life {
        lives += 1
        return Life(after: HybridTime(value: (9 + lives) << 16), of: identifier, random: 0)
    }

    @discardableResult
    func commit(_ transaction: StoreTransaction) throws -> StoreCommit {
        let commit = try store.commit(transaction)
        if let model {
            let expected = try model.commit(transaction)
            if putsOff {
                try StoreConformance.require(commit.refusal, is: expected.refusal, "the refusal")
            } else {
                try StoreConformance.require(commit, is: expected, "what a commit did")
            }
        }
        if transaction.sender == nil, transaction.resume == nil {
            written += transaction.writes + commit.additions
        }
        journal.witness(commit.clock)
        return commit
    }

    // MARK: Passing on

    /// Sends what the other device lacks: all of it, or this many parts of about this many bytes; a snapshot if it must
    /// be one.
    func send(to other: IndexingDevice, bytes: Int = .max, parts: Int = .max) throws {
        let (own, peer) = (try store.summary(), try other.store.summary())
        // A device that lacks tombstones that the other has collected sends nothing until it has taken a snapshot,
        // unless both must take one.
        guard peer.dropped.isWithin(own.complete) || !own.dropped.isWithin(peer.complete) else { return }
        var (after, parts) = (Arrival.none, parts)
        while parts > 0 {
            parts -= 1
            let covered = try other.store.summary().complete
            let request = ChangesRequest(lane: .index, after: after, covered: covered, bytes: bytes)
            guard case .changes(let changes) = try store.changes(request) else {
                return try sendSnapshot(to: other, bytes: bytes, parts: parts + 1)
            }
            try other.commit(
                StoreTransaction(
                    lane: .index, writes: changes.writes, completing: changes.complete ?? VersionVector(),
                    clock: changes.writes.map(\.latestTime).max() ?? .zero))
            if changes.complete != nil { return }
            after = changes.next
        }
    }

    /// Sends this many ranges of a snapshot, behind those that were sent before.
    func sendSnapshot(to other: IndexingDevice, bytes: Int = 1, parts: Int = .max) throws {
        var parts = parts
        while parts > 0 {
            parts -= 1
            let progress = snapshots[other.identifier]
            var covered = progress?.start
            covered?.join(try other.store.summary().complete)
            let request = RangeRequest(
                lane: .index, after: progress?.after, since: nil, covered: covered, bytes: bytes)
            guard case .range(let range) = try store.range(request) else {
                snapshots[other.identifier] = nil
                continue
            }
            let start = progress?.start ?? range.complete
            try other.take(range, after: progress?.after, start: start, from: identifier)
            snapshots[other.identifier] = range.through.map { ($0, start) }
            if range.through == nil { return }
        }
    }

    private func take(
        _ range: RecordRange, after: RecordIdentity?, start: VersionVector, from peer: DeviceIdentifier
    ) throws {
        let token = ResumeToken(bytes: [7])
        if !range.ahead.isEmpty {
            try commit(
                StoreTransaction(
                    lane: .index, writes: range.ahead, completing: VersionVector(), clock: range.horizon))
        }
        var transaction = StoreTransaction(
            lane: .index, writes: range.writes, completing: VersionVector(), clock: range.horizon,
            resume: StoreTransaction.Resume(peer: peer, token: token))
        transaction.range = ReceivedRange(
            after: after, through: range.through, isEndAhead: range.isEndAhead, known: range.complete,
            dropped: range.dropped, horizon: range.horizon, start: start)
        transaction.renewingLife = newLife()
        try commit(transaction)
    }

    /// Collects tombstones that those devices have, by their present reports.
    func collect(_ others: [IndexingDevice]) throws {
        for store in stores {
            for other in others {
                _ = try store.keep(
                    try other.store.report(
                        of: other.identifier, having: try other.store.summary().complete))
            }
            _ = try store.collect(CollectRequest(roster: Set(others.map(\.identifier)), most: 1000))
        }
    }

    // MARK: Looking

    /// Returns the shown state, on which both stores must agree.
    func shown() throws -> ClientState? {
        let shown = try store.shownState(of: Self.name)
        if let model {
            try StoreConformance.require(shown, is: model.shownState(of: Self.name), "the shown state")
        }
        return shown?.state
    }

    func require(shows state: UInt8?, _ when: String) throws {
        try StoreConformance.require(try shown()?.state, is: state.map { [$0] }, "what is shown \(when)")
    }

    /// Returns the lineage of the lives of stored writes.
    func lineage() throws -> Lineage {
        var lineage = Lineage()
        for succession in try store.records(of: .indexSuccession).compactMap(Succession.init) {
            lineage.recordOrigin(succession.origin, following: succession.follows)
        }
        return lineage
    }

    /// Returns the newest state, shown or not.
    func newest() throws -> ClientState? {
        try store.record(Self.name.key.identity).flatMap(ShownState.init(newestOf:))?.state
    }
}
