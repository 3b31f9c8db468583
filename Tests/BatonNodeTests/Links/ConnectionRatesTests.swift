import BatonCore
import BatonNetwork
import BatonNode
import Testing

/// How often a device may connect, in virtual time.
@Suite struct `Connection rates` {
    private static let (noisy, quiet) = (DeviceIdentifier(high: 1, low: 1), DeviceIdentifier(high: 2, low: 2))

    @Test
    func
        `a device that connects constantly is slowed down and logged once a minute, and others are not slowed`()
    {
        let limits = Limits()
        var rates = ConnectionRates(limits)
        var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
        var (accepted, lines) = (0, [Int]())
        for _ in 0..<65 * 120 {
            switch rates.count(Self.noisy, at: now) {
            case .accepted: accepted += 1
            case .refused(let logged): if let logged { lines.append(logged) }
            }
            now = now + .nanoseconds(1_000_000_000 / 65)
        }
        #expect(accepted <= limits.connectionsAtOnce + 120 * limits.connectionsPerSecond + 1)
        #expect(accepted >= 120 * limits.connectionsPerSecond)
        #expect(lines.count == 2 && lines[0] == 1 && lines[1] > 3000, "\(lines)")
        #expect(rates.count(Self.quiet, at: now) == .accepted)
        // After a pause the device is like any other.
        now = now + .seconds(60)
        #expect(rates.count(Self.noisy, at: now) == .accepted)
    }
}
