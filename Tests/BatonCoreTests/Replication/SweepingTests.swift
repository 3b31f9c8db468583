import BatonCore
import Support
import Testing

/// Tests of the conditions for sweeping expired records.
@Suite struct `A node that sweeps expired records` {
    private static let day = WallTime.day
    private let near = DeviceIdentifier(high: 1, low: 1)
    private let far = DeviceIdentifier(high: 1, low: 2)
    /// Returns the instant this long after the start, by the monotonic clock.
    private func instant(_ time: Duration) -> Instant { Instant(nanoseconds: 1) + time }
    private func wall(_ time: Duration) -> WallTime { SessionPair.noon.advanced(by: time) }

    private func started(_ roster: Set<DeviceIdentifier> = []) -> Sweeping {
        var sweeping = Sweeping(wall: wall(.zero), instant: instant(.zero))
        sweeping.recordRoster(roster)
        return sweeping
    }

    /// Lets both clocks go on evenly until then.
    private func pass(_ time: Duration, _ sweeping: inout Sweeping) {
        sweeping.recordClocks(wall: wall(time), instant: instant(time))
    }

    @Test func `in a single-device account sweeps after an hour, and at most every six hours`() {
        var sweeping = started()
        #expect(sweeping.bound() == nil)
        pass(.seconds(3600), &sweeping)
        let bound = wall(.seconds(3600)).compared.advanced(by: .zero - Self.day)
        #expect(sweeping.bound() == bound)
        sweeping.noteSweep()
        pass(.seconds(7200), &sweeping)
        #expect(sweeping.bound() == nil, "not twice in six hours")
        pass(.seconds(8 * 3600), &sweeping)
        #expect(sweeping.bound() == bound)
    }

    @Test func `keeps expired records as long as its person set, and at least for a day`() {
        var sweeping = started()
        pass(.seconds(3600), &sweeping)
        let compared = wall(.seconds(3600)).compared
        for (days, least) in [(0, 1), (1, 1), (2, 2), (400, 400)] {
            #expect(
                sweeping.bound(keeping: Self.day * days)
                    == compared.advanced(by: .zero - Self.day * least))
        }
    }

    @Test func `waits until every device was met, and sweeps up to the earliest of their times`() {
        var sweeping = started([near, far])
        pass(Self.day * 9, &sweeping)
        sweeping.recordMeeting(near, at: wall(Self.day * 9).compared)
        #expect(sweeping.bound() == nil, "one was never met")
        // The report may be old when it arrives.
        sweeping.recordMeeting(far, at: wall(Self.day * 4).compared)
        let bound = wall(Self.day * 4).compared.advanced(by: .zero - Self.day)
        #expect(sweeping.bound() == bound)
        // Other devices may hold unsent writes of a gone device.
        sweeping.recordRoster([near])
        #expect(sweeping.bound() == nil)
        sweeping.recordMeeting(near, at: wall(Self.day * 9).compared)
        #expect(sweeping.bound() != nil)
    }

    @Test(arguments: [-2, 2, 4000, -4000]) func `does not sweep for a day after its clock was changed`(
        _ days: Int
    ) {
        var sweeping = started()
        let jump = Self.day * days
        sweeping.recordClocks(wall: wall(jump + .seconds(4000)), instant: instant(.seconds(4000)))
        #expect(sweeping.doubt == .jumped && sweeping.bound() == nil)
        sweeping.recordClocks(wall: wall(jump + .seconds(80_000)), instant: instant(.seconds(80_000)))
        #expect(sweeping.doubt == .jumped)
        sweeping.recordClocks(wall: wall(jump + .seconds(90_500)), instant: instant(.seconds(90_500)))
        #expect(sweeping.doubt == nil && sweeping.bound() != nil)
    }

    @Test func `does not mistake the machine's sleep or a small clock correction for a jump`() {
        var sweeping = started()
        pass(Self.day * 30, &sweeping)
        sweeping.recordClocks(
            wall: wall(Self.day * 31 + .seconds(3600)), instant: instant(Self.day * 31))
        #expect(sweeping.doubt == nil && sweeping.bound() != nil)
    }

    @Test func `does not sweep while the clock of a connected device differs by days`() {
        var sweeping = started([near])
        pass(Self.day, &sweeping)
        sweeping.recordMeeting(near, at: wall(Self.day).compared)
        #expect(sweeping.doubt == nil && sweeping.bound() != nil)
        for days in [-3, 4] {
            sweeping.recordComparison(wall(Self.day * days).compared, by: near)
            #expect(sweeping.isInDoubt(about: near) && sweeping.bound() == nil)
            sweeping.recordComparison(wall(Self.day * 2).compared, by: near)
            #expect(sweeping.doubt == nil, "a day is nothing")
        }
        sweeping.recordComparison(wall(.zero - Self.day * 9).compared, by: near)
        sweeping.noteEnd(of: near)
        #expect(sweeping.doubt == nil, "it is not connected any more")
    }

    @Test func `sweeps again in the same connection once its own clock is corrected`() {
        var sweeping = started([near])
        pass(Self.day, &sweeping)
        sweeping.handleClock(wall(Self.day * 3_651), of: near)
        sweeping.recordComparison(wall(Self.day * 3_651).compared, by: near)
        #expect(sweeping.isInDoubt(about: near))
        // A connection that lasts for long makes no difference.
        pass(Self.day * 20, &sweeping)
        #expect(sweeping.isInDoubt(about: near))
        sweeping.recordClocks(wall: wall(Self.day * 3_671), instant: instant(Self.day * 21))
        #expect(sweeping.doubt == .jumped)
        sweeping.recordClocks(wall: wall(Self.day * 3_673), instant: instant(Self.day * 23))
        sweeping.recordMeeting(near, at: wall(Self.day * 3_673).compared)
        #expect(sweeping.doubt == nil && sweeping.bound() != nil)
    }

    @Test func `compares records as of the beginning of the previous day`() {
        for (time, compared) in [
            (0, -86_400_000), (86_399_999, -86_400_000), (86_400_000, 0), (-1, -172_800_000),
            (Int64.min, Int64.min),
        ] as [(Int64, Int64)] {
            #expect(WallTime(milliseconds: time).compared.milliseconds == compared, "\(time)")
        }
        let (one, far) = (WallTime(milliseconds: .min), WallTime(milliseconds: .max))
        #expect(!one.isComparable(with: far) && !far.isComparable(with: one) && far.isComparable(with: far))
    }
}

extension Sweeping {
    /// Whether nothing is swept because the clock of that device, and of no other, differs.
    fileprivate func isInDoubt(about device: DeviceIdentifier) -> Bool {
        guard case .differs(let difference) = doubt else { return false }
        return difference.leads.map(\.device) == [device]
    }
}
