import BatonCore
import Testing

@Suite("Tombstone collection") struct TombstoneCollectorTests {
    private static let own = Surroundings.own
    private static let other = Surroundings.other
    private static let origin = Origin(life: Life(high: 1, low: 1), lane: .activities)
    private static let start = Instant(nanoseconds: 0)

    private let limits: Limits
    private var machine: TombstoneCollector
    private var account = Surroundings()
    private var now = Self.start
    private let claims = VersionVector([(Self.origin, 1 as UInt64)])
    private let failure = StoreFailure(.full, "the disk is full")

    init() {
        var limits = Limits()
        limits.reportTime = .seconds(30)
        self.limits = limits
        machine = TombstoneCollector(of: Self.own, knowing: Reports(), limits: limits)
    }

    private func time(_ seconds: Int) -> Instant { Self.start + .seconds(seconds) }

    private mutating func effects() -> [TombstoneCollector.Effect] {
        var effects: [TombstoneCollector.Effect] = []
        while let effect = machine.nextEffect() {
            // Every log line has words of its own; the tests look at the other effects.
            if case .warn = effect { continue }
            effects.append(effect)
        }
        return effects
    }

    private mutating func answer(_ answer: TombstoneCollector.Answer) -> [TombstoneCollector.Effect] {
        machine.handleAnswer(answer, in: account, at: now)
        return effects()
    }

    /// Lets the deadline come; returns the effects.
    private mutating func passTime() throws -> [TombstoneCollector.Effect] {
        now = try #require(machine.deadline)
        machine.handleDeadline(in: account, at: now)
        return effects()
    }

    /// Reports these claims up to the question for all reports.
    private mutating func report() throws {
        #expect(try passTime() == [.ask(.claims)])
        #expect(answer(.claims(claims)) == [.report(claims, .activities)])
        #expect(answer(.reported(claims, .activities)) == [.report(claims, .index)])
        #expect(answer(.reported(claims, .index)) == [.ask(.reports)])
    }

    /// Returns reports of those devices that these claims are durable there.
    private func reports(of devices: DeviceIdentifier...) -> Reports {
        var reports = Reports()
        for device in devices { reports.join(device, claims) }
        return reports
    }

    private var known: Reports { reports(of: Self.own) }
    private var collecting: TombstoneCollector.Effect {
        .ask(.collect(CollectRequest(roster: [Self.own, Self.other])))
    }

    @Test
    mutating func
        `reports both lanes, one after the other, some time after the first change`() throws
    {
        #expect(machine.deadline == nil)
        machine.handleCommit(at: time(1))
        machine.handleCommit(at: time(20))
        #expect(machine.deadline == time(31))
        try report()
        #expect(
            answer(.reports(known)) == [
                .tell(known), collecting, .ask(.strays(of: [Self.own])),
            ])
        #expect(answer(.collected(0)) == [] && machine.deadline == nil)
        // The same claims are not synced again, although the commit may be a lost write, which changes no claim.
        machine.handleCommit(at: time(40))
        #expect(try passTime() == [.ask(.claims)])
        #expect(
            answer(.claims(claims)) == [
                collecting, .ask(.strays(of: [Self.own])),
            ])
    }

    @Test mutating func `repeats a report that a failed disk did not store`()
        throws
    {
        machine.handleCommit(at: time(1))
        try report()
        machine.handleFailure(failure, of: .reports, at: time(32))
        #expect(effects() == [] && machine.deadline == time(62))
        try report()
        #expect(answer(.reports(known)).first == .tell(known))
    }

    @Test mutating func `sends its report even if the store forgets devices after storing the report`() throws
    {
        machine.handleCommit(at: time(1))
        try report()
        #expect(answer(.forgotten(givesUp: false, known)).first == .tell(known))
    }

    @Test mutating func `collects tombstones until none is left, one request at a time`() {
        machine.handleReports(known, in: account)
        #expect(effects() == [.tell(known), collecting])
        // A second reason to collect waits while the store is at the first.
        let more = reports(of: Self.own, Self.other)
        machine.handleReports(more, in: account)
        #expect(effects() == [.tell(more)])
        #expect(answer(.collected(0)) == [collecting])
        #expect(answer(.collected(7)) == [collecting])
        #expect(answer(.collected(0)) == [])
    }

    @Test
    mutating func `collects nothing while not all devices are known, and retries after each meeting`() {
        account.waitedFor = nil
        machine.handleReports(known, in: account)
        #expect(effects() == [.tell(known)])
        account.waitedFor = [Self.other]
        machine.handleMeeting(in: account)
        #expect(effects() == [collecting])
    }

    @Test mutating func `retries collecting and the search for lost writes if the disk refused them`() throws
    {
        machine.handleReports(known, in: account)
        machine.handleFailure(failure, of: .collect(CollectRequest(roster: [])), at: time(1))
        machine.handleFailure(failure, of: .strays(of: []), at: time(1))
        _ = effects()
        #expect(machine.deadline == time(31))
        #expect(try passTime() == [collecting, .ask(.strays(of: [Self.own]))])
    }

    @Test
    mutating func `collects as soon as a device reports, even if the disk has refused the previous attempt`()
    {
        machine.handleReports(known, in: account)
        machine.handleFailure(failure, of: .collect(CollectRequest(roster: [])), at: time(1))
        _ = effects()
        let more = reports(of: Self.own, Self.other)
        machine.handleReports(more, in: account)
        #expect(effects() == [.tell(more), collecting])
    }

    @Test(arguments: [
        TombstoneCollector.Request.forget([Surroundings.other]), .abandonSnapshots(of: Surroundings.other),
    ])
    mutating func `begins new sessions once the disk works again, if a lane may have given up its claims`(
        _ request: TombstoneCollector.Request
    ) throws {
        machine.handleFailure(failure, of: request, at: time(1))
        #expect(effects() == [] && machine.deadline == time(31))
        #expect(try passTime() == [.ask(.forget([]))])
        #expect(
            answer(.forgotten(givesUp: false, known)) == [.tell(known), collecting, .beginAnew(without: nil)])
        // It does so once.
        machine.forgetGone(in: account)
        _ = effects()
        #expect(
            answer(.forgotten(givesUp: false, known)) == [
                .ask(.strays(of: [Self.own]))
            ])
    }

    @Test mutating func `begins new sessions only if abandoning a peer's snapshot gave up claims`() {
        #expect(answer(.abandoned(Self.other, nil)) == [])
        #expect(
            answer(.abandoned(Self.other, known))
                == [.tell(known), collecting, .beginAnew(without: Self.other)])
    }

    @Test mutating func `retries storing a peer's reports that the disk refused`() throws {
        account.heeded = known
        machine.keep(account.heeded)
        #expect(effects() == [.ask(.keep(known))])
        machine.handleFailure(failure, of: .keep(known), at: time(1))
        #expect(effects() == [])
        #expect(try passTime() == [.ask(.keep(known))])
    }

    @Test
    mutating func
        `searches once for lost writes when devices meet in step, if they were not in step before`()
        throws
    {
        account.isInStep = false
        #expect(answer(.forgotten(givesUp: false, Reports())) == [collecting])
        _ = answer(.collected(0))
        machine.handleMeeting(in: account)
        #expect(effects() == [collecting])
        _ = answer(.collected(0))
        account.isInStep = true
        machine.handleMeeting(in: account)
        #expect(effects() == [collecting, .ask(.strays(of: [Self.own]))])
        _ = answer(.collected(0))
        machine.handleMeeting(in: account)
        #expect(effects() == [collecting])
    }

    @Test mutating func `collects once after a device that was set back has caught up`() {
        account.waitedFor = nil
        machine.handleReports(known, in: account)
        #expect(effects() == [.tell(known)] && machine.awaitsStep)
        machine.handleProgress(in: account)
        #expect(effects() == [] && machine.awaitsStep)
        account.waitedFor = [Self.other]
        machine.handleProgress(in: account)
        #expect(effects() == [collecting] && !machine.awaitsStep)
        machine.handleProgress(in: account)
        #expect(effects() == [])
    }

    @Test
    mutating func
        `searches once for lost writes when sessions have brought all devices into step`()
    {
        account.isInStep = false
        #expect(answer(.forgotten(givesUp: false, Reports())) == [collecting])
        #expect(machine.awaitsStep)
        machine.handleProgress(in: account)
        #expect(effects() == [] && machine.awaitsStep)
        account.isInStep = true
        machine.handleProgress(in: account)
        #expect(effects() == [.ask(.strays(of: [Self.own]))])
        #expect(!machine.awaitsStep)
        machine.handleProgress(in: account)
        #expect(effects() == [])
    }

    /// Returns a write of this device, or of another one, that is lost.
    private func write(_ sequence: UInt64, in lane: Lane = .activities) -> Write {
        Write(
            dot: Dot(origin: Origin(life: Self.origin.life, lane: lane), sequence: sequence),
            key: RecordKey(kind: lane == .index ? .item : .currentActivity, name: [1]),
            stamp: Stamp(time: .zero, life: Self.origin.life), action: .deletion)
    }

    private var seeking: TombstoneCollector.Effect { .ask(.strays(of: [Self.own])) }

    @Test
    mutating func
        `adopts writes that are still lost after the adopting time, but no write claimed in the meantime`()
        throws
    {
        #expect(answer(.strays([.activities: [write(1), write(2)]])) == [])
        #expect(machine.deadline == Self.start + limits.adoptingTime)
        // Another look before that time changes nothing.
        #expect(answer(.strays([.activities: [write(1), write(2), write(3)]])) == [])
        #expect(try passTime() == [seeking])
        #expect(
            answer(.strays([.activities: [write(2), write(3)]])) == [.adopt([write(2)], .activities)])
        // The third write was found only now.
        #expect(try passTime() == [seeking])
        #expect(answer(.strays([.activities: [write(3)]])) == [.adopt([write(3)], .activities)])
        #expect(answer(.strays([:])) == [] && machine.deadline == nil)
    }

    @Test mutating func `adopts many lost writes in groups, without waiting between the groups`() throws {
        let lost = (1...UInt64(limits.adoptedWrites) + 2).map { write($0) }
        _ = answer(.strays([.activities: lost]))
        _ = try passTime()
        #expect(
            answer(.strays([.activities: lost]))
                == [.adopt(Array(lost.prefix(limits.adoptedWrites)), .activities)])
        let rest = Array(lost.suffix(2))
        #expect(
            answer(.strays([.activities: rest + [write(5000)]])) == [.adopt(rest, .activities)])
    }

    @Test mutating func `searches for more lost writes once it has reported the adopted ones`() throws {
        _ = answer(.strays([.activities: [write(1)]]))
        #expect(try passTime() == [seeking])
        #expect(answer(.strays([.activities: [write(1)]])) == [.adopt([write(1)], .activities)])
        machine.handleCommit(at: time(11))
        try report()
        #expect(answer(.reports(known)) == [.tell(known), collecting, seeking])
    }

    @Test mutating func `searches for lost writes only while all connected devices are in step`() throws {
        account.isInStep = false
        account.gone = [Self.other]
        #expect(answer(.forgotten(givesUp: false, Reports())) == [collecting])
        account.isInStep = true
        let seeking = TombstoneCollector.Effect.ask(.strays(of: [Self.own, Self.other]))
        #expect(answer(.forgotten(givesUp: false, Reports())) == [seeking])
        let strays: [Lane: [Write]] = [.activities: [], .index: [write(1, in: .index)]]
        #expect(answer(.strays(strays)) == [])
        account.isInStep = false
        #expect(try passTime() == [])
        account.isInStep = true
        machine.handleProgress(in: account)
        #expect(effects() == [seeking])
        #expect(answer(.strays(strays)) == [.adopt([write(1, in: .index)], .index)])
    }
}
