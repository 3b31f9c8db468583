import BatonCore
import Support
import Testing

/// Tests of interactions between parts of an account.
@Suite("An account") final class AccountTests {
    private var account: Account
    private let driver = Driver()

    init() {
        let life = Life(after: .zero, of: Surroundings.own, random: 1)
        account = Account(
            in: Journal(life: life, latest: .zero),
            admitted: OwnAdmission(device: Surroundings.own, name: "desk", statement: nil, owner: nil),
            knowing: Membership(own: Surroundings.own), keeping: [], lacking: [], by: TrustingVerifier(),
            havingWritten: VersionVector(), reports: Reports(), quarantined: [], contacts: [],
            keepingFinished: 30, at: driver.clocks, limits: Limits(),
            drawingFrom: SeededGenerator(seed: 1))
    }

    private var life: Life { account.writing.journal.life }

    private func effects() -> [Account.Effect] {
        var effects: [Account.Effect] = []
        while let effect = account.nextEffect() { effects.append(effect) }
        return effects
    }

    @Test func `settles and reports the work that the previous process left unfinished`() throws {
        account.start(isFirst: false, in: driver)
        let most = Limits().settledRecords
        #expect(
            effects() == [
                .settling(.settle(.activities, most: most)), .settling(.settle(.index, most: most)),
            ])
        #expect(account.deadline == driver.clocks.steady + Limits().reportTime)
        account.handleDeadline(in: Driver(time: Limits().reportTime))
        #expect(effects() == [.collector(.ask(.claims))])
    }

    @Test func `an ending process still stores contacts, and still reports quarantined writes`() {
        let hello = Hello(
            account: AccountIdentifier(high: 4, low: 4), device: Surroundings.other, name: "far",
            completeDigest: [], port: nil, build: "1.2")
        account.handleHello(hello, of: Surroundings.other, in: driver)
        account.recordConnected([Surroundings.other], in: driver)
        let seen = LastContact(seen: driver.clocks.wall, version: "1.2", clockLead: nil)
        let write = QuarantinedWrite(
            dot: Dot(origin: Origin(life: life, lane: .index), sequence: 1), target: nil, reason: "a test")
        var commit = StoreCommit(head: .none, clock: .zero, changed: [])
        commit.quarantined = [write]
        account.handleCommit(commit, of: .index, in: driver)
        #expect(
            effects().filter(\.isDoneWhileEnding) == [
                .quarantine(.quarantined(write)), .contacts(.keep(seen.note(for: Surroundings.other))),
            ])
        account.handleContactFailure(StoreFailure(.full, "the disk is full"))
        #expect(
            effects() == [
                .contacts(.warn("could not save the last contact with a device: the disk is full"))
            ])
    }

    @Test
    func `begins another life and new sessions after the store gave up its claims`() {
        let (before, device) = (life, Surroundings.other)
        account.handleAnswer(.abandoned(device, Reports()), in: driver)
        let effects = effects()
        #expect(life > before)
        guard case .writing(.beginOrder(let order))? = effects.dropFirst(2).first else {
            Issue.record("no order of arrival is begun: \(effects)")
            return
        }
        #expect(
            effects == [
                .collector(.beginAnew(without: device)), .writing(.begin(life)),
                .writing(.beginOrder(order)), .writing(.meetAnew),
            ])
    }

    @Test func `adopts lost writes that the tombstone collector has found`() {
        let lost = Write(
            dot: Dot(origin: Origin(life: life, lane: .index), sequence: 3),
            key: RecordKey(kind: .item, name: [1]), stamp: Stamp(time: .zero, life: life), action: .deletion)
        account.handleAnswer(.strays([.index: [lost]]), in: driver)
        #expect(effects() == [])
        account.handleAnswer(.strays([.index: [lost]]), in: Driver(time: Limits().adoptingTime))
        let kept = effects().compactMap { effect in
            if case .writing(.keep(let transaction, _, _)) = effect { transaction } else { nil }
        }
        #expect(kept.map { $0.writes.map(\.dot.origin.life) } == [[life]])
        #expect(lost.dot.origin.life < life)
    }

    @Test func `begins a new life later than every time it saw, and settles the remaining work of a commit`()
    {
        let seen = HybridTime(value: 1 << 50)
        var commit = StoreCommit(head: .none, clock: seen, changed: [])
        commit.isUnsettled = true
        _ = account.learn([], verified: [:], at: commit.clock, in: driver)
        account.handleCommit(commit, of: .index, in: driver)
        #expect(effects() == [.settling(.settle(.index, most: Limits().settledRecords))])
        #expect(account.writing.newLife().birth > seen)
    }

    @Test func `writes that are named go to the store before an activity's answers`() throws {
        let key = RecordKey(kind: .item, name: [1])
        let ticket = account.writing.write { journal in
            journal.transaction(.index, [Journal.Draft(.deletion, key)], now: WallTime(milliseconds: 0))
        }
        #expect(ticket != nil)
        let name = ActivityName(device: Surroundings.own, app: "org.example", instance: "1")
        // Nothing is going on under that name, so the answer needs no store.
        account.activities.resign(name, for: 7, at: driver.clocks)
        let effects = effects()
        let kept = effects.firstIndex { if case .writing(.keep) = $0 { true } else { false } }
        let answered = effects.firstIndex(of: .activities(.answer(7, nil)))
        #expect(try #require(kept) < #require(answered), "\(effects)")
    }

    @Test func `writes the roster's records, and reports the results to the roster`() throws {
        let (own, owner) = (Surroundings.own, OwnerIdentifier(high: 7, low: 7))
        let statement = try TrustingVerifier.admission(of: own, by: owner)
        account.use(
            OwnAdmission(device: own, name: "desk", statement: statement, owner: nil), in: driver)
        let tickets = effects().compactMap { effect in
            if case .writing(.keep(_, let ticket, _)) = effect { ticket } else { nil }
        }
        let ticket = try #require(tickets.first)
        account.handleFailure(StoreFailure(.full, "there is no room"), of: ticket, in: driver)
        let warnings = effects().filter { if case .roster(.warn) = $0 { true } else { false } }
        #expect(warnings.count == 1)
        account.handleDeadline(in: Driver(time: Limits().reportTime))
        #expect(effects().contains { if case .writing(.keep) = $0 { true } else { false } })
    }
}

/// The connections and clocks of an account in these tests.
private struct Driver: AccountDriver {
    /// The time for which the process has run.
    var time = Duration.zero

    var isSomeoneSetBack: Bool { false }
    var isInStep: Bool { true }
    var keepingExpired: Duration? { WallTime.day }
    var clocks: Clocks { Surroundings(time: time).clocks }
}
