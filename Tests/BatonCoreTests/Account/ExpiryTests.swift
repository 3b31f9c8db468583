import BatonCore
import Testing

/// The account consists of two devices, which have met and are in step.
@Suite("The removal of expired records") struct ExpiryTests {
    private var expiry: Expiry
    private var account = Surroundings()
    private let limits = Limits()

    init() {
        expiry = Expiry(of: Surroundings.own, at: account.clocks, limits: limits)
        account.time = .seconds(10 * 86_400)
        expiry.consider(in: account)
        expiry.recordMeeting(Surroundings.other, at: account.clocks.wall.compared)
    }

    private mutating func effects() -> [Expiry.Effect] {
        var effects: [Expiry.Effect] = []
        while let effect = expiry.nextEffect() { effects.append(effect) }
        return effects
    }

    private func step(_ lane: Lane, _ count: Int) -> SweepStep {
        let records = (0..<count).map { number in
            Record(RecordKey(kind: .item, name: [UInt8(number)]).identity)
        }
        return SweepStep(
            lane: lane, commit: StoreCommit(head: .none, clock: .zero, changed: records), next: nil)
    }

    /// Returns the time up to which expired items are swept if the person keeps them for this many days.
    private func bound(days: Int) -> WallTime {
        account.clocks.wall.compared.advanced(by: .zero - WallTime.day * days)
    }

    private func request(days: Int) -> SweepRequest {
        SweepRequest(
            time: bound(days: days), roster: [Surroundings.own, Surroundings.other],
            most: limits.settledRecords)
    }

    @Test
    mutating func `sweeps one lane after the other, step by step, and reports the number of removed records`()
    {
        expiry.consider(in: account)
        expiry.consider(in: account)
        #expect(effects() == [.askSharedLives])
        expiry.handleSharedLives([], in: account)
        #expect(effects() == [.sweep(request(days: 1), .activities)])
        expiry.handleStep(step(.activities, 2), in: account)
        #expect(effects() == [.sweep(request(days: 1), .activities)])
        expiry.handleStep(nil, in: account)
        #expect(effects() == [.sweep(request(days: 1), .index)])
        expiry.handleStep(nil, in: account)
        #expect(effects() == [.tell("removed 2 expired records")])
        expiry.consider(in: account)
        #expect(effects() == [], "it swept a moment ago")
    }

    @Test mutating func `keeps records whose retention the person extended after the sweep began`() {
        expiry.consider(in: account)
        _ = effects()
        account.keepingExpired = WallTime.day * 5
        expiry.handleSharedLives([], in: account)
        #expect(effects() == [.sweep(request(days: 5), .activities)])
        account.keepingExpired = nil
        expiry.handleStep(step(.activities, 1), in: account)
        #expect(effects() == [.tell("removed 1 expired record")])
    }

    @Test
    mutating func `removes nothing while expired items are kept forever, or while not all devices are known`()
    {
        account.keepingExpired = nil
        expiry.consider(in: account)
        (account.keepingExpired, account.waitedFor) = (WallTime.day, nil)
        expiry.consider(in: account)
        #expect(effects() == [])
    }

    @Test mutating func `reports a sweep that the disk refused, and retries it later`() {
        expiry.consider(in: account)
        expiry.handleSharedLives([], in: account)
        _ = effects()
        expiry.handleFailure(StoreFailure(.full, "the disk is full"))
        #expect(effects() == [.warn("could not remove expired data: the disk is full")])
        account.time += limits.sweepPause
        expiry.recordMeeting(Surroundings.other, at: account.clocks.wall.compared)
        expiry.consider(in: account)
        #expect(effects() == [.askSharedLives])
    }

    @Test mutating func `reports a device with a wrong clock while the device is connected`() {
        let wrong = account.clocks.wall.compared.advanced(by: WallTime.day * 40)
        expiry.recordComparison(wrong, by: Surroundings.other, at: account.clocks)
        guard case .differs(let difference) = expiry.doubt(at: account.clocks) else {
            Issue.record("nothing was reported")
            return
        }
        #expect(difference.leads.map(\.device) == [Surroundings.other])
        expiry.noteEnd(of: Surroundings.other)
        #expect(expiry.doubt(at: account.clocks) == nil)
    }
}
