import BatonCore
import Support
import Testing

/// Tests of what a node says of clocks that differ.
@Suite struct `A comparison of clocks` {
    private static let day = WallTime.day
    private let one = DeviceIdentifier(high: 1, low: 1)
    private let two = DeviceIdentifier(high: 1, low: 2)
    private let three = DeviceIdentifier(high: 1, low: 3)
    private let start = Instant(nanoseconds: 1)

    /// Returns the difference that shows between a clock and others, which are ahead by these durations.
    private func difference(_ leads: [DeviceIdentifier: Duration]) -> ClockDifference? {
        var sweeping = Sweeping(wall: SessionPair.noon, instant: start)
        for (device, lead) in leads {
            let time = SessionPair.noon.advanced(by: lead)
            sweeping.handleClock(time, of: device)
            sweeping.recordComparison(time.compared, by: device)
        }
        guard case .differs(let difference) = sweeping.doubt else { return nil }
        return difference
    }

    private func lead(_ device: DeviceIdentifier, _ time: Duration) -> ClockDifference.Lead {
        ClockDifference.Lead(device: device, time: time)
    }

    @Test func `finds no difference of a day or less`() {
        #expect(difference([:]) == nil)
        #expect(difference([one: .seconds(30), two: .zero - Self.day, three: Self.day]) == nil)
    }

    @Test(arguments: [3_652, 2, -2, -20_000])
    func `does not say which clock is wrong if there is only one other clock`(
        _ days: Int
    ) {
        let time = Self.day * days
        #expect(difference([one: time]) == ClockDifference(leads: [lead(one, time)], verdict: .undecided))
    }

    @Test func `says that a clock is wrong if two others agree with each other`() {
        let ahead = Self.day * 3_652
        #expect(
            difference([one: ahead, two: .seconds(2)])
                == ClockDifference(leads: [lead(one, ahead)], verdict: .othersAreWrong(agreeing: [two])))
        let (near, far) = (ahead, ahead + .seconds(3))
        #expect(
            difference([one: near, two: far])
                == ClockDifference(leads: [lead(one, near), lead(two, far)], verdict: .ownIsWrong))
    }

    @Test func `does not decide between clocks without a majority`() {
        let ahead = Self.day * 5
        #expect(difference([one: ahead, two: ahead, three: .zero])?.verdict == .undecided)
        #expect(difference([one: ahead, two: .zero - ahead])?.verdict == .undecided)
    }
}
