import BatonCore

/// One node of a `World`: a journal, a store that answers late, and the sessions with its peers.
final class SimulatedNode {
    let identity: SessionIdentity
    let store = InMemoryStore()
    var endpoints: [Endpoint] = []
    private(set) var isUp = true
    /// Own writes that were acknowledged and must never be lost.
    private(set) var acknowledged: [Write] = []
    private var journal: Journal
    private unowned let world: World
    private var work: [Work] = []
    private var isWorking = false
    /// Counts the runs of the process: what an earlier one was waiting for does not come.
    private var run = 0
    /// What survives power loss.
    private var synced = (state: InMemoryStore.State(), acknowledged: 0)
    /// What the person may put back one day.
    private var backup = (state: InMemoryStore.State(), acknowledged: 0)
    /// Whether an older state was put back here.
    private(set) var wasRestored = false
    /// The reports that are known here, as the store said last.
    private var reports = Reports()

    /// What the store is to do, in the order in which it came.
    enum Work {
        case request(StoreRequest, Endpoint)
        case write(StoreTransaction)
        case report
        case collect
    }

    init(_ number: Int, in world: World) {
        self.world = world
        let device = world.generator.identifier(DeviceIdentifier.self)
        identity = SessionIdentity(account: World.account, device: device, name: "N\(number)", port: nil)
        journal = Journal(life: world.generator.identifier(), latest: .zero)
    }

    var name: String { identity.name }

    /// Whether all that it holds is claimed.
    var isSettled: Bool {
        let summary = store.summary()
        return Lane.allCases.allSatisfy { lane in
            let request = ChangesRequest(
                lane: lane, after: summary.settled[lane] ?? .none, covered: summary.dropped, bytes: 1)
            return store.delta(request).writes.isEmpty
        }
    }

    // MARK: What happens to it

    /// An app writes something.
    func write() {
        let lane = world.generator.pick(Lane.allCases)
        let drafts = (0..<world.generator.number(1...3)).map { _ in
            world.generator.draft(
                lane, keys: 3, by: journal, incarnation: { self.incarnation(of: $0) },
                counted: { self.counted($0) })
        }
        guard let transaction = journal.transaction(lane, drafts, now: world.wallTime(of: self)) else {
            return world.violate("\(name) has no more stamps")
        }
        world.tell("\(name) writes \(transaction.writes.map(\.dot.sequence)) in \(lane)")
        for write in transaction.writes { world.ledger.enter(write, world) }
        enter(.write(transaction))
    }

    /// What a change names; what is only counted has no incarnation that could be changed.
    private func incarnation(of key: RecordKey) -> Stamp? {
        store.record(key.identity).flatMap {
            $0.survivingWrites.contains(where: \.isFull) ? $0.incarnation : nil
        }
    }

    /// What this life counted.
    private func counted(_ key: RecordKey) -> (begun: Stamp, scope: Scope)? {
        for write in store.record(key.identity)?.survivingWrites ?? [] {
            if case .count(let begun, let content) = write.action, begun.life == journal.life {
                return (begun, content.scope)
            }
        }
        return nil
    }

    /// The process ends; with power loss, what was not synced is gone, too.
    func crash(powerLoss: Bool) {
        world.tell("\(name) \(powerLoss ? "loses power" : "crashes") with \(work.count) things to do")
        run += 1
        (isUp, work, isWorking) = (false, [], false)
        for endpoint in endpoints { endpoint.cut() }
        guard powerLoss else { return }
        store.state = synced.state
        acknowledged.removeLast(acknowledged.count - synced.acknowledged)
    }

    /// Reports what it has for good.
    func report() { enter(.report) }

    /// Lets go of what all have.
    func collect() { enter(.collect) }

    /// Remembers its state, as a backup does.
    func backUp() { backup = (store.state, acknowledged.count) }

    /// An older state is put in the place of its own, or an empty one; the process has ended.
    func restore(empty: Bool) {
        world.tell("\(name) comes from \(empty ? "nothing" : "a backup")")
        wasRestored = true
        if empty { backup = (InMemoryStore.State(), 0) }
        guard backup.acknowledged <= acknowledged.count else { return }
        (store.state, synced) = (backup.state, backup)
        acknowledged.removeLast(acknowledged.count - backup.acknowledged)
    }

    /// The process starts again, with a new life.
    func restart() {
        guard !isUp else { return }
        world.tell("\(name) starts")
        isUp = true
        journal = Journal(life: world.generator.identifier(), latest: store.summary().clock)
        store.begin(world.generator.identifier())
        reports = store.summary().reports
    }

    // MARK: The store

    func enter(_ item: Work) {
        if case .request(_, let endpoint) = item, endpoint.hasFailed { return }
        work.append(item)
        proceed()
    }

    private func proceed() {
        guard !isWorking, !work.isEmpty else { return }
        isWorking = true
        let run = run
        world.enter(after: 0...world.weather.delay) { [self] in
            guard run == self.run else { return }
            var items = Array(work.prefix(world.generator.number(1...work.count)))
            // A report stands by itself.
            if let place = items.firstIndex(where: \.isReport) {
                items = place == 0 ? [items[0]] : Array(items[..<place])
            }
            work.removeFirst(items.count)
            let outcomes = items[0].isReport ? performReport() : perform(items)
            world.enter(after: 0...world.weather.delay) { [self] in
                guard run == self.run else { return }
                isWorking = false
                for outcome in outcomes { outcome() }
                proceed()
            }
        }
    }

    /// Does some of the work in one group; answers with what is to be done once that is known.
    private func perform(_ items: [Work]) -> [() -> Void] {
        var (outcomes, notices): ([() -> Void], [() -> Void]) = ([], [])
        do throws(StoreFailure) {
            try store.group { () throws(StoreFailure) in
                for item in items { perform(item, &outcomes, &notices) }
                if world.generator.chance(world.weather.storeFailures) {
                    throw StoreFailure(.full, "no room")
                }
            }
        } catch {
            world.tell("\(name) keeps nothing of \(items.count) things: \(error)")
            drop(afterFailureOf: items)
            return [{ self.fail(items, error) }]
        }
        if world.generator.chance(50) { synced = (store.state, acknowledged.count) }
        world.check(self)
        return world.generator.chance(50) ? outcomes + notices : notices + outcomes
    }

    /// Everything so far survives the loss of power from now on.
    private func performReport() -> [() -> Void] {
        let reports = store.report(of: identity.device)
        synced = (store.state, acknowledged.count)
        return [{ self.handle(reports) }]
    }

    /// Passes reports on, and lets go of what they allow.
    private func handle(_ reports: Reports) {
        self.reports = reports
        for endpoint in endpoints { endpoint.handle { $0.tellReports(reports) } }
        collect()
    }

    /// A session opened.
    func handleOpening(of endpoint: Endpoint) { endpoint.session.tellReports(reports) }

    private func perform(_ item: Work, _ outcomes: inout [() -> Void], _ notices: inout [() -> Void]) {
        switch item {
        case .request(.summary(let peer), let endpoint):
            let summary = store.summary(for: peer)
            outcomes.append { endpoint.handle { $0.handle(StoreAnswer.summary(summary)) } }
        case .request(.changes(let request), let endpoint):
            let changes = store.changes(request)
            if changes == .snapshotNeeded { world.marks.snapshots += 1 }
            outcomes.append { endpoint.handle { $0.handle(StoreAnswer.changes(request.lane, changes)) } }
        case .request(.range(let request), let endpoint):
            let range = store.range(request)
            endpoint.note(request, world)
            outcomes.append { endpoint.handle { $0.handle(StoreAnswer.range(request.lane, range)) } }
        case .request(.apply(let transaction), let endpoint):
            let commit = apply(transaction)
            notices.append { self.handle(commit, transaction.lane) }
            outcomes.append { endpoint.handle { $0.handle(StoreAnswer.applied(commit)) } }
        case .request(.keepReports(let reports), let endpoint):
            let known = store.keep(reports)
            outcomes.append { endpoint.handle { $0.handle(StoreAnswer.keptReports(known)) } }
            notices.append { self.handle(known) }
        case .report: preconditionFailure("a report stands by itself")
        case .collect: letGo()
        case .write(let transaction):
            let commit = store.commit(transaction)
            notices.append { self.handle(commit, transaction.lane) }
            // Who asked is told only later, but a crash that comes between may not take it, either.
            outcomes.append { self.acknowledged += transaction.writes }
        }
    }

    /// Takes what a peer sent.
    private func apply(_ transaction: StoreTransaction) -> StoreCommit {
        var transaction = transaction
        for write in transaction.writes { world.ledger.compare(write, world) }
        guard transaction.range != nil else { return store.commit(transaction) }
        let life = world.generator.identifier(Life.self)
        transaction.range?.life = life
        if transaction.range?.after != nil { world.marks.laterRanges += 1 }
        let commit = store.commit(transaction)
        for write in commit.changed.flatMap(\.survivingWrites) where write.dot.origin.life == life {
            world.tell("\(name) writes anew: \(write)")
            world.marks.renewals += 1
            world.ledger.enter(write, world)
        }
        return commit
    }

    private func letGo() {
        guard !endpoints.contains(where: { $0.session.isPeerSetBack }) else { return }
        let others = Set(world.nodes.map(\.identity.device)).subtracting([identity.device])
        let count = store.collect(CollectRequest(roster: others, most: world.generator.pick([1, 3, 1000])))
        guard count > 0 else { return }
        world.tell("\(name) lets go of \(count) traces")
        world.marks.traces += count
        if world.nodes.contains(where: { peer in
            peer !== self && !endpoints.contains { $0.peer === peer }
        }) {
            world.marks.tracesWhileAway += count
        }
        collect()
    }

    private func handle(_ commit: StoreCommit, _ lane: Lane) {
        journal.witness(commit.clock)
        for endpoint in endpoints { endpoint.handle { $0.handleCommit(lane) } }
    }

    /// What a session asked after what failed is not done: a batch would claim what an earlier one brought.
    private func drop(afterFailureOf items: [Work]) {
        for case .request(_, let endpoint) in items { endpoint.hasFailed = true }
        work.removeAll { if case .request(_, let endpoint) = $0 { endpoint.hasFailed } else { false } }
    }

    /// Nothing of a group was kept: sessions hear of it, and what this life named is not claimed.
    private func fail(_ items: [Work], _ failure: StoreFailure) {
        for item in items {
            switch item {
            case .request(_, let endpoint): endpoint.handle { $0.handle(StoreAnswer.failed(failure)) }
            case .write: journal.beginLife(world.generator.identifier())
            case .report, .collect: break
            }
        }
        let life = journal.life
        work.removeAll {
            if case .write(let transaction) = $0 { transaction.writes[0].stamp.life != life } else { false }
        }
    }
}

extension SimulatedNode.Work {
    fileprivate var isReport: Bool { if case .report = self { true } else { false } }
}
