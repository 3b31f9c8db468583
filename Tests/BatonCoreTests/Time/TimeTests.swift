import BatonCore
import Support
import Testing

@Suite struct `A hybrid clock` {
    @Test(arguments: Seeds.first(20))
    func `gives ever later times, whatever the wall clock and other devices show`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (clock, last) = (HybridClock(), HybridTime.zero)
        for _ in 0..<200 {
            if generator.chance(20) {
                let seen = HybridTime(value: generator.next() >> (16 + generator.next() % 40))
                clock.witness(seen)
                last = max(last, seen)
            }
            let wall = generator.chance(50) ? Int64(generator.number(-5...5)) : generator.integer()
            let time = clock.next(at: WallTime(milliseconds: wall))
            #expect(time == clock.latest && clock.latest > last)
            last = clock.latest
        }
    }

    @Test func `follows the wall clock while that is ahead`() {
        var clock = HybridClock()
        #expect(clock.next(at: WallTime(milliseconds: 1000)) == HybridTime(value: 1000 << 16))
        #expect(clock.next(at: WallTime(milliseconds: 1000)) == HybridTime(value: 1000 << 16 + 1))
        #expect(clock.next(at: WallTime(milliseconds: -1)) == HybridTime(value: 1000 << 16 + 2))
        #expect(clock.next(at: WallTime(milliseconds: 2000)) == HybridTime(value: 2000 << 16))
    }

    @Test func `increments the milliseconds when its counter overflows`() {
        var clock = HybridClock(latest: HybridTime(value: 7 << 16 + 0xffff))
        #expect(clock.next(at: WallTime(milliseconds: 7)) == HybridTime(value: 8 << 16))
    }

    @Test func `stays at the largest encodable time`() {
        var clock = HybridClock(latest: HybridTime(value: HybridTime.largest.value - 1))
        for _ in 0..<3 { #expect(clock.next(at: WallTime(milliseconds: .max)) == .largest) }
        #expect(clock.latest == .largest)
    }

    @Test func `follows another clock that is years ahead`() {
        let years = HybridTime(value: UInt64(1_700_000_000_000 + 10 * 31_557_600_000) << 16)
        var clock = HybridClock(latest: HybridTime(value: 1_700_000_000_000 << 16))
        clock.witness(clock.latest.following(years))
        #expect(clock.latest == years)
        #expect(clock.next(at: WallTime(milliseconds: 1_700_000_000_001)) > years)
    }

    @Test func `ignores a time from another device beyond the largest believable one`() {
        let now = HybridTime(value: 1_700_000_000_000 << 16)
        for time in [HybridTime.largest, HybridTime(value: HybridTime.largestFollowed.value + 1)] {
            #expect(now.following(time) == now)
        }
    }

    @Test func `follows times beyond the middle of the range only in small steps`() {
        var time = HybridTime(value: 1_700_000_000_000 << 16)
        for _ in 0..<1_000_000 { time = time.following(.largestFollowed) }
        #expect(time.value > 1 << 62 && time.value < 1 << 62 + 1 << 53)
        var clock = HybridClock(latest: time)
        #expect(clock.next(at: WallTime(milliseconds: 0)) < .largestFollowed)
        let next = HybridTime(value: time.value + 1000)
        #expect(time.following(next) == next, "what others write who have seen as much is followed")
    }

    @Test func `ignores a wall clock beyond the middle of the range`() {
        var clock = HybridClock()
        let last = Int64(HybridTime.largest.value >> 17)
        #expect(clock.next(at: WallTime(milliseconds: .max)) == HybridTime(value: 1))
        #expect(clock.next(at: WallTime(milliseconds: last + 1)) == HybridTime(value: 2))
        #expect(clock.next(at: WallTime(milliseconds: last)) == HybridTime(value: UInt64(last) << 16))
    }
}

@Suite struct `Stamps` {
    @Test func `are ordered by time, and by life at equal times`() {
        let (low, high) = (Life(high: 1, low: 9), Life(high: 2, low: 0))
        #expect(Stamp(time: HybridTime(value: 1), life: high) < Stamp(time: HybridTime(value: 2), life: low))
        #expect(Stamp(time: HybridTime(value: 1), life: low) < Stamp(time: HybridTime(value: 1), life: high))
    }
}

@Suite struct `Wall times` {
    @Test(arguments: Seeds.first(5))
    func `are added and subtracted without overflow`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let time = WallTime(milliseconds: generator.integer())
            let duration = Duration(
                secondsComponent: generator.integer(),
                attosecondsComponent: Int64(generator.number(0...999)) * 1_000_000_000_000_000)
            let sum = time.advanced(by: duration)
            if duration >= .zero { #expect(sum >= time) } else { #expect(sum <= time) }
            let other = WallTime(milliseconds: generator.integer())
            #expect(time.advanced(by: other.since(time)) == other)
        }
    }

    @Test func `stay at the ends of the representable range`() {
        let last = WallTime(milliseconds: .max)
        #expect(last.advanced(by: .milliseconds(1)) == last)
        #expect(WallTime(milliseconds: 0).advanced(by: .milliseconds(Int64.max)) == last)
        #expect(WallTime(milliseconds: .min).advanced(by: .milliseconds(-1)) == WallTime(milliseconds: .min))
    }
}
