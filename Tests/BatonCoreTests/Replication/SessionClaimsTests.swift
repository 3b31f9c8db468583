import BatonCore
import Testing

/// The changes that wait for a device that is not connected.
@Suite struct `Changes that wait for a device` {
    // The upper halves tell whose a life is.
    private static let near = DeviceIdentifier(high: 1 << 32, low: 1)
    private static let far = DeviceIdentifier(high: 2 << 32, low: 2)

    private static func life(of device: DeviceIdentifier, _ number: UInt64) -> Life {
        Life(after: HybridTime(value: number << 16), of: device, random: number)
    }

    private static func vector(_ pairs: (Life, UInt64)...) -> VersionVector {
        VersionVector(pairs.map { (Origin(life: $0.0, lane: .activities), $0.1) })
    }

    @Test func `are the changes that it lacked at the end of the session, and those made since`() {
        let (earlier, present) = (Self.life(of: Self.near, 1), Self.life(of: Self.near, 2))
        let claims = SessionClaims(
            own: Self.vector((earlier, 5), (present, 7)), peer: Self.vector((earlier, 5), (present, 6)))
        #expect(claims.waiting(named: nil) == 1)
        let named = JournalPosition(life: present, sequences: [.activities: 9, .index: 2])
        #expect(claims.waiting(named: named) == 5)
        #expect(
            claims.waiting(named: JournalPosition(life: Self.life(of: Self.near, 3), sequences: [:])) == 1)
    }

    @Test func `without a session are this device's own changes that it has not reported`() {
        let (own, other) = (Self.life(of: Self.near, 1), Self.life(of: Self.far, 1))
        let complete = Self.vector((own, 5), (other, 40))
        let written = complete.written(by: Self.near)
        let claims = SessionClaims(own: written, peer: Self.vector((own, 3), (other, 30)))
        #expect(claims.waiting(named: nil) == 2, "a device has its own changes, reported or not")
        let present = JournalPosition(life: Self.life(of: Self.near, 2), sequences: [.activities: 4])
        #expect(claims.waiting(named: present) == 6)
        #expect(SessionClaims(own: written, peer: VersionVector()).waiting(named: nil) == 5)
    }
}
