import BatonCore
import Testing

@Suite("The quarantine of unreadable writes") struct QuarantineTests {
    private static let stranger = DeviceIdentifier(high: 0, low: 3)
    private var quarantine = Quarantine([Self.write(1, from: Surroundings.other), Self.write(2, from: nil)])

    private static func write(_ sequence: UInt64, from peer: DeviceIdentifier?) -> QuarantinedWrite {
        let origin = Origin(life: Life(high: 9, low: 9), lane: .index)
        return QuarantinedWrite(
            dot: Dot(origin: origin, sequence: sequence), target: nil, reason: "a test", peer: peer)
    }

    private static func commit(
        _ quarantined: [QuarantinedWrite], resolving resolved: [QuarantinedWrite] = []
    ) -> StoreCommit {
        var commit = StoreCommit(head: .none, clock: .zero, changed: [])
        (commit.quarantined, commit.resolved) = (quarantined, resolved.map(\.dot))
        return commit
    }

    private mutating func effects() -> [Quarantine.Effect] {
        var effects: [Quarantine.Effect] = []
        while let effect = quarantine.nextEffect() { effects.append(effect) }
        return effects
    }

    /// The senders of quarantined writes, each with their number.
    private var counts: [DeviceIdentifier: Int] {
        Dictionary(uniqueKeysWithValues: quarantine.counts.map { ($0.device, $0.count) })
    }

    @Test mutating func `counts the writes that each device sent, including those before the process began`()
    {
        #expect(effects() == [], "the previous process reported these")
        #expect(counts == [Surroundings.other: 1])
        let writes = [Self.write(3, from: Surroundings.other), Self.write(4, from: Self.stranger)]
        quarantine.handleCommit(Self.commit(writes))
        #expect(effects() == writes.map { .quarantined($0) })
        #expect(counts == [Surroundings.other: 2, Self.stranger: 1])
    }

    @Test mutating func `a write that has become readable is no longer counted`() {
        quarantine.handleCommit(
            Self.commit([], resolving: [Self.write(1, from: nil), Self.write(2, from: nil)]))
        #expect(counts == [:] && effects() == [])
    }

    @Test
    mutating func
        `a device is refused each time it exceeds the limit of void writes, and other devices are not refused`()
    {
        quarantine.handleVoidWrites(count: Limits.voidWrites, from: Self.stranger)
        quarantine.handleVoidWrites(count: Limits.voidWrites, from: Surroundings.other)
        #expect(effects() == [.void(Self.stranger), .void(Surroundings.other)])
        quarantine.handleVoidWrites(count: 1, from: Self.stranger)
        #expect(effects() == [.refuse(Self.stranger)])
        quarantine.handleVoidWrites(count: 1, from: Self.stranger)
        #expect(effects() == [], "it begins anew")
        quarantine.handleVoidWrites(count: Limits.voidWrites, from: Self.stranger)
        #expect(effects() == [.refuse(Self.stranger)])
        #expect(quarantine.voidCounts.map(\.count) == [Limits.voidWrites, 2 * Limits.voidWrites + 2])
    }

    @Test mutating func `after the store was reopened only the writes that it quarantined are counted`() {
        quarantine.handleReopening(knowing: [Self.write(7, from: Self.stranger)])
        #expect(counts == [Self.stranger: 1] && effects() == [])
    }
}
