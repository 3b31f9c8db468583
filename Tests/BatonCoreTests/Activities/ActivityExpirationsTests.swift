import BatonCore
import Testing

@Suite("Expirations of listed activities") struct ActivityExpirationsTests {
    private var expirations = ActivityExpirations()

    private func activity(_ number: Int) -> RecordIdentity {
        RecordKey(kind: .currentActivity, name: [UInt8(number >> 8), UInt8(number & 0xff)]).identity
    }

    private func time(_ milliseconds: Int) -> WallTime { WallTime(milliseconds: Int64(milliseconds)) }

    @Test mutating func `an activity expires once, at the last date that was noted`() {
        expirations.recordExpiration(activity(1), at: time(10))
        expirations.recordExpiration(activity(2), at: time(20))
        expirations.recordExpiration(activity(1), at: time(30))
        #expect(expirations.nearest == time(20))
        #expect(expirations.removeExpired(at: time(20)) == [activity(2)])
        #expect(expirations.removeExpired(at: time(20)) == [])
        expirations.recordExpiration(activity(1), at: nil)
        #expect(expirations.nearest == nil && expirations.removeExpired(at: time(99)) == [])
    }

    @Test mutating func `only the activities that expire first are remembered`() {
        for number in 0...ActivityChangeLog.most {
            expirations.recordExpiration(activity(number), at: time(5000 - number))
        }
        let expired = expirations.removeExpired(at: time(5000))
        #expect(expired.count == ActivityChangeLog.most && !expired.contains(activity(0)))
    }
}
