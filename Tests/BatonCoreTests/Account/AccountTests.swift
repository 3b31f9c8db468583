import BatonCore
import Support
import Testing

/// What concerns more than one part of an account.
@Suite("An account") struct AccountTests {
    private var account: Account
    private let surroundings = Surroundings()

    init() {
        let life = Life(after: .zero, of: Surroundings.own, random: 1)
        account = Account(
            of: Surroundings.own, in: Journal(life: life, latest: .zero), knowing: Reports(),
            at: surroundings.clocks, limits: Limits(), drawingFrom: SeededGenerator(seed: 1))
    }

    private var life: Life { account.writing.journal.life }

    private mutating func effects() -> [Account.Effect] {
        var effects: [Account.Effect] = []
        while let effect = account.nextEffect() { effects.append(effect) }
        return effects
    }

    @Test mutating func `settles and reports what the process before left to be done`() throws {
        account.start(in: surroundings, at: surroundings.now)
        let most = Limits().settledRecords
        #expect(
            effects() == [
                .settling(.settle(.activities, most: most)), .settling(.settle(.index, most: most)),
            ])
        #expect(account.deadline == surroundings.now + Limits().reportTime)
        account.handleDeadline(in: surroundings, at: try #require(account.deadline))
        #expect(effects() == [.collector(.ask(.claims))])
    }

    @Test
    mutating func `begins another life and meets all devices anew where the store gave up what it claimed`() {
        let (before, device) = (life, Surroundings.other)
        account.collector.handle(.abandoned(device, Reports()), in: surroundings)
        let effects = effects()
        #expect(life > before)
        #expect(
            effects == [
                .collector(.beginAnew(without: device)), .writing(.begin(life)), .writing(.witness(life)),
                .writing(.meetAnew),
            ])
    }

    @Test mutating func `names lost writes once more that letting go has found`() {
        let lost = Write(
            dot: Dot(origin: Origin(life: life, lane: .index), sequence: 3),
            key: RecordKey(kind: .item, name: [1]), stamp: Stamp(time: .zero, life: life), action: .deletion)
        account.collector.handle(.strays([.index: [lost]]), in: surroundings)
        let kept = effects().compactMap { effect in
            if case .writing(.keep(let transaction, _, _)) = effect { transaction } else { nil }
        }
        #expect(kept.map { $0.writes.map(\.dot.origin.life) } == [[life]])
        #expect(lost.dot.origin.life < life)
    }

    @Test mutating func `writes later than what it saw, and settles what a commit has left to be done`() {
        let seen = HybridTime(value: 1 << 50)
        var commit = StoreCommit(head: .none, clock: seen, changed: [])
        commit.isUnsettled = true
        account.handle(commit, of: .index, in: surroundings, at: surroundings.now)
        #expect(effects() == [.settling(.settle(.index, most: Limits().settledRecords))])
        #expect(account.writing.newLife().birth > seen)
    }
}
