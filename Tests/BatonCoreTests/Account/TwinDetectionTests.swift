import BatonCore
import Testing

/// Tests of the signs that another machine uses a device's identity.
@Suite("The detection of a twin of this device") struct TwinDetectionTests {
    private static let device = DeviceIdentifier(high: 7 << 40, low: 1)
    private static let peer = DeviceIdentifier(high: 9 << 40, low: 2)
    private static let start = Instant(nanoseconds: 5)
    private var twin = TwinDetection(
        of: device, in: life(1), since: WallTime(milliseconds: 1_000_000), knowing: VersionVector(),
        latest: .zero, unsynced: .seconds(998))

    private static func life(_ random: UInt64, of device: DeviceIdentifier = device) -> Life {
        Life(after: .zero, of: device, random: random)
    }

    private static func writes(in life: Life, at milliseconds: Int64) -> [Write] {
        var journal = Journal(life: life, latest: .zero)
        let drafts = [Journal.Draft(.full(Write.Content(fields: Fields())), Device.key(device))]
        return journal.transaction(.activities, drafts, now: WallTime(milliseconds: milliseconds))?.writes
            ?? []
    }

    /// Returns the effects of writes of that life that a peer sends.
    private mutating func effects(
        _ life: Life, madeAt milliseconds: Int64, at now: Instant = start
    ) -> [TwinDetection.Effect] {
        twin.handleArriving(Self.writes(in: life, at: milliseconds), from: Self.peer, at: now)
        return effects()
    }

    private mutating func effects() -> [TwinDetection.Effect] {
        var effects: [TwinDetection.Effect] = []
        while let effect = twin.nextEffect() { effects.append(effect) }
        return effects
    }

    @Test
    mutating func
        `a write of another life of this device, made after this process began, is a sign of a twin`()
    {
        twin.noteToldAll(by: Self.peer, knowing: .zero)
        #expect(effects(Self.life(2), madeAt: 1_000_001) == [.appeared(.writes(shownBy: Self.peer))])
    }

    @Test
    mutating func `writes of this process, of an earlier process and of other devices are no sign of a twin`()
    {
        twin.noteToldAll(by: Self.peer, knowing: .zero)
        // As after a home was put back.
        #expect(effects(Self.life(2), madeAt: 999_999) == [])
        #expect(effects(Self.life(1), madeAt: 1_000_001) == [])
        twin.begin(Self.life(3))
        #expect(effects(Self.life(3), madeAt: 1_000_001) == [])
        #expect(effects(Self.life(4, of: Self.peer), madeAt: 1_000_001) == [])
    }

    @Test
    mutating func
        `writes that a peer sends before it has sent all it had are no sign of a twin, whatever their date`()
    {
        #expect(effects(Self.life(2), madeAt: 2_000_000) == [])
    }

    @Test mutating func `a sign of a twin is reported once, and again after a time without signs`() {
        twin.noteToldAll(by: Self.peer, knowing: .zero)
        #expect(twin.sign(at: Self.start) == nil)
        let sign = TwinDetection.Sign.writes(shownBy: Self.peer)
        #expect(effects(Self.life(2), madeAt: 1_000_001) == [.appeared(sign)])
        let later = Self.start + TwinDetection.signTime / 2
        #expect(effects(Self.life(2), madeAt: 1_000_002, at: later) == [])
        #expect(twin.sign(at: Self.start + TwinDetection.signTime) == sign)
        let end = Self.start + TwinDetection.signTime * 2
        #expect(twin.sign(at: end) == nil)
        #expect(effects(Self.life(2), madeAt: 1_000_003, at: end) == [.appeared(sign)])
    }

    @Test mutating func `a device is set back if a peer has its lost writes from before the process began`() {
        let setBack = [TwinDetection.Effect.setBack(shownBy: Self.peer, isOlderCopy: true)]
        #expect(effects(Self.life(2), madeAt: 999_999) == setBack)
        #expect(effects(Self.life(1), madeAt: 999_999) == [])
        #expect(effects(Self.life(2, of: Self.peer), madeAt: 999_999) == [])
        #expect(effects(Self.life(2), madeAt: 1_000_002) == [])
        twin.noteToldAll(by: Self.peer, knowing: .zero)
        #expect(effects(Self.life(2), madeAt: 999_999) == [])
        let dot = Self.writes(in: Self.life(2), at: 999_999)[0].dot
        twin = TwinDetection(
            of: Self.device, in: Self.life(1), since: WallTime(milliseconds: 1_000_000),
            knowing: VersionVector([(dot.origin, dot.sequence)]), latest: .zero, unsynced: .zero)
        #expect(effects(Self.life(2), madeAt: 999_999) == [], "it has that")
    }

    @Test mutating func `all devices count as heard once each of them has sent all it had`() {
        let other = DeviceIdentifier(high: 9 << 40, low: 3)
        #expect(twin.hasHeardAll(of: []) && !twin.hasHeardAll(of: [Self.peer]))
        twin.noteToldAll(by: Self.peer, knowing: .zero)
        #expect(twin.hasHeardAll(of: [Self.peer]) && !twin.hasHeardAll(of: [Self.peer, other]))
    }

    @Test
    mutating func
        `lost writes later than any that a power failure can lose show that the home is an older copy`()
    {
        for (milliseconds, isOlderCopy) in [(Int64(998_000), false), (998_001, true)] {
            let expected = [TwinDetection.Effect.setBack(shownBy: Self.peer, isOlderCopy: isOlderCopy)]
            #expect(effects(Self.life(2), madeAt: milliseconds) == expected)
        }
    }

    /// A device that begins while the stamps it knows are an hour ahead of its clock.
    private static var behindStamps: TwinDetection {
        TwinDetection(
            of: device, in: life(1), since: WallTime(milliseconds: 1_000_000), knowing: VersionVector(),
            latest: HybridTime(value: 4_600_000 << 16), unsynced: .seconds(60))
    }

    @Test(arguments: [(Int64(4_600_001), false), (4_660_001, true)])
    mutating func `a device is set back although the stamps of its lost writes are ahead of its clock`(
        milliseconds: Int64, isOlderCopy: Bool
    ) {
        twin = Self.behindStamps
        let expected = [TwinDetection.Effect.setBack(shownBy: Self.peer, isOlderCopy: isOlderCopy)]
        #expect(effects(Self.life(2), madeAt: milliseconds) == expected)
    }

    @Test
    mutating func
        `a stamp ahead of the clock is a sign of a twin only if it is later than all that a peer had sent`()
    {
        twin = Self.behindStamps
        twin.noteToldAll(by: Self.peer, knowing: HybridTime(value: 4_700_000 << 16))
        // Another device gave the peer later what this device had written and lost.
        #expect(effects(Self.life(2), madeAt: 4_699_999) == [])
        #expect(effects(Self.life(2), madeAt: 4_700_001) == [.appeared(.writes(shownBy: Self.peer))])
    }

    @Test
    mutating func
        `a peer that repeatedly replaces its connection by one to another machine is a sign of a twin`()
    {
        let other = DeviceIdentifier(high: 11 << 40, low: 3)
        let ends = [
            (Self.peer, true), (other, true), (Self.peer, true), (other, true), (other, false), (other, true),
        ]
        for (device, isReplaced) in ends {
            twin.handleEnd(with: device, isReplacedElsewhere: isReplaced, at: Self.start)
        }
        #expect(effects() == [])
        twin.handleEnd(with: Self.peer, isReplacedElsewhere: true, at: Self.start)
        #expect(effects() == [.appeared(.connection(of: Self.peer))])
    }

    @Test mutating func `a life that a peer reports as used elsewhere is a sign of a twin`() {
        twin.handleTakenLife(shownBy: Self.peer, at: Self.start)
        #expect(effects() == [.appeared(.writes(shownBy: Self.peer))])
    }

    @Test
    mutating func
        `a machine that announces this device's identity is a sign of a twin until the announcement ends`()
    {
        twin.handleAnnouncement(at: "192.0.2.7:4817", at: Self.start)
        let sign = TwinDetection.Sign.announcement(at: "192.0.2.7:4817")
        #expect(effects() == [.appeared(sign)])
        twin.handleAnnouncement(at: "192.0.2.7:4817", at: Self.start + .seconds(3000))
        #expect(effects().isEmpty && twin.sign(at: Self.start + .seconds(3000)) == sign)
        twin.handleAnnouncement(at: nil, at: Self.start + .seconds(3001))
        #expect(effects().isEmpty && twin.sign(at: Self.start + .seconds(3001)) == nil)
    }
}
