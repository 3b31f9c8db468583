import BatonCore
import Support
import Testing

/// Tests of activities whose times lie in the future.
@Suite struct `Arrival times` {
    private let now = SessionPair.noon
    private let identity = RecordIdentity(kind: .currentActivity, hash: KeyHash(high: 1, low: 1))

    private func later(_ days: Int) -> WallTime { now.advanced(by: WallTime.day * days) }

    @Test func `an activity from a clock that is ahead always counts as changed at the time of its arrival`()
    {
        var arrivals = ArrivalTimes()
        let changed = later(2)
        let notes = arrivals.handleChange(identity, changed: changed, at: now)
        #expect(notes.count == 1 && notes.allSatisfy { $0.space.lane == .activities })
        for arrivals in [arrivals, ArrivalTimes(notes)] {
            for days in 0...5 {
                #expect(arrivals.time(of: identity, changed: changed, at: later(days)) == now)
            }
        }
        #expect(arrivals.handleChange(identity, changed: changed, at: later(1)) == [], "it is known")
        // The next change has a right time.
        let removed = arrivals.handleChange(identity, changed: later(1), at: later(1))
        #expect(removed.map(\.value) == [nil] && arrivals == ArrivalTimes())
        #expect(arrivals.time(of: identity, changed: later(1), at: later(3)) == later(1))
    }

    @Test func `a difference of seconds between clocks is ignored`() {
        var arrivals = ArrivalTimes()
        let changed = now.advanced(by: .seconds(20))
        #expect(arrivals.handleChange(identity, changed: changed, at: now) == [])
        #expect(arrivals.time(of: identity, changed: changed, at: now) == changed)
        #expect(arrivals.handleChange(identity, changed: nil, at: now) == [])
    }

    @Test func `a time ahead of this device's clock is trusted once the clock is set forward past it`() {
        var arrivals = ArrivalTimes()
        let other = RecordIdentity(kind: .currentActivity, hash: KeyHash(high: 2, low: 2))
        _ = arrivals.handleChange(identity, changed: later(3), at: now)
        _ = arrivals.handleChange(other, changed: later(3_650), at: now)
        #expect(arrivals.handleJump(of: .seconds(10)) == [])
        #expect(arrivals.handleJump(of: WallTime.day * 3).count == 1)
        #expect(arrivals.time(of: identity, changed: later(3), at: later(4)) == later(3))
        #expect(arrivals.time(of: other, changed: later(3_650), at: later(4)) == now)
    }

    @Test func `a member that writes many future times fills a bounded number of notes`() {
        var (arrivals, stored) = (ArrivalTimes(), [[UInt8]: LocalNote]())
        for number in 0..<UInt64(3 * ArrivalTimes.most) {
            let identity = RecordIdentity(kind: .currentActivity, hash: KeyHash(high: 3, low: number))
            for note in arrivals.handleChange(identity, changed: later(9), at: now) {
                stored[note.name] = note.value == nil ? nil : note
            }
        }
        #expect(stored.count == ArrivalTimes.most && ArrivalTimes(Array(stored.values)) == arrivals)
        #expect(arrivals.time(of: identity, changed: later(9), at: now) == now)
    }
}
