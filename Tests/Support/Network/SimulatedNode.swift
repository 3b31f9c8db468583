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

    /// What the store is to do, in the order in which it came.
    enum Work {
        case request(StoreRequest, Endpoint)
        case write(StoreTransaction)
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
                lane: lane, after: summary.settled[lane] ?? .none, covered: VersionVector(), bytes: 1)
            return store.changes(request).writes.isEmpty
        }
    }

    // MARK: What happens to it

    /// An app writes something.
    func write() {
        let lane = world.generator.pick(Lane.allCases)
        let drafts = (0..<world.generator.number(1...3)).map { _ in
            world.generator.draft(lane, keys: 3, by: journal) {
                store.record($0.identity).flatMap { $0.isThere ? $0.incarnation : nil }
            }
        }
        guard let transaction = journal.transaction(lane, drafts, now: world.wallTime(of: self)) else {
            return world.violate("\(name) has no more stamps")
        }
        world.tell("\(name) writes \(transaction.writes.map(\.dot.sequence)) in \(lane)")
        for write in transaction.writes { world.ledger.enter(write, world) }
        enter(.write(transaction))
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

    /// The process starts again, with a new life.
    func restart() {
        guard !isUp else { return }
        world.tell("\(name) starts")
        isUp = true
        journal = Journal(life: world.generator.identifier(), latest: store.summary().clock)
        store.begin(world.generator.identifier())
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
            let items = Array(work.prefix(world.generator.number(1...work.count)))
            work.removeFirst(items.count)
            let outcomes = perform(items)
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

    private func perform(_ item: Work, _ outcomes: inout [() -> Void], _ notices: inout [() -> Void]) {
        switch item {
        case .request(.summary(let peer), let endpoint):
            let summary = store.summary(for: peer)
            outcomes.append { endpoint.handle { $0.handle(StoreAnswer.summary(summary)) } }
        case .request(.changes(let request), let endpoint):
            let changes = store.changes(request)
            outcomes.append { endpoint.handle { $0.handle(StoreAnswer.changes(request.lane, changes)) } }
        case .request(.apply(let transaction), let endpoint):
            for write in transaction.writes { world.ledger.compare(write, world) }
            let commit = store.commit(transaction)
            notices.append { self.handle(commit, transaction.lane) }
            outcomes.append { endpoint.handle { $0.handle(StoreAnswer.applied(commit)) } }
        case .write(let transaction):
            let commit = store.commit(transaction)
            notices.append { self.handle(commit, transaction.lane) }
            // Who asked is told only later, but a crash that comes between may not take it, either.
            outcomes.append { self.acknowledged += transaction.writes }
        }
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
            }
        }
        let life = journal.life
        work.removeAll {
            if case .write(let transaction) = $0 { transaction.writes[0].stamp.life != life } else { false }
        }
    }
}
