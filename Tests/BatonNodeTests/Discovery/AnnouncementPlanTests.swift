import BatonCore
import BatonNetwork
import BatonNode
import Support
import Testing

/// The names under which a machine is announced on its networks.
@Suite struct `Announcement plan` {
    private static let home = AnnouncementPlan.Subject.device(AccountIdentifier(high: 1, low: 1))
    private static let work = AnnouncementPlan.Subject.device(AccountIdentifier(high: 2, low: 2))
    private static let invitation = AnnouncementPlan.Subject.invitation(AccountIdentifier(high: 1, low: 1))
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private static let addresses: Set<SocketAddress.Host> = [.version4(0xc000_0201)]

    private var plan = AnnouncementPlan(
        .seconds(600)...(.seconds(1200)), drawingFrom: SeededGenerator(seed: 1))

    /// The names that stand on a network, instances and hosts.
    private func names(on network: UInt32) -> Set<String> {
        Set(plan.names(on: network).values.flatMap { [$0.instance, $0.host] })
    }

    @Test mutating func `every subject has separate names on every network`() {
        plan.set([Self.home, Self.work, Self.invitation], now: Self.start)
        for network in [UInt32(2), 3] { plan.use(network, with: Self.addresses, now: Self.start) }
        #expect(plan.names(on: 2).count == 3 && plan.names(on: 3).count == 3)
        let all = names(on: 2).union(names(on: 3))
        #expect(all.count == 12)
        #expect(all.allSatisfy { $0.utf8.count == 16 })
        #expect(plan.names(on: 4).isEmpty)
    }

    @Test mutating func `a period has a random length within its limits, and ends with new names`() throws {
        plan.set([Self.home], now: Self.start)
        plan.use(2, with: Self.addresses, now: Self.start)
        let before = names(on: 2)
        let deadline = try #require(plan.deadline)
        #expect(deadline - Self.start >= .seconds(600) && deadline - Self.start <= .seconds(1200))
        plan.handleTime(deadline + .nanoseconds(-1))
        #expect(names(on: 2) == before)
        plan.handleTime(deadline)
        #expect(names(on: 2).isDisjoint(with: before))
    }

    @Test
    mutating func `names change immediately when a network's addresses change, and only on that network`() {
        plan.set([Self.home, Self.work], now: Self.start)
        for network in [UInt32(2), 3] { plan.use(network, with: Self.addresses, now: Self.start) }
        let (wired, wireless) = (names(on: 2), names(on: 3))
        plan.use(2, with: Self.addresses, now: Self.start + .seconds(1))
        #expect(names(on: 2) == wired)
        plan.use(2, with: [.version4(0xc000_0209)], now: Self.start + .seconds(1))
        #expect(names(on: 2).isDisjoint(with: wired) && names(on: 3) == wireless)
        plan.renewAll(now: Self.start + .seconds(2))
        #expect(names(on: 3).isDisjoint(with: wireless))
    }

    @Test mutating func `names change when the fingerprint of a network's link changes`() {
        plan.set([Self.home], now: Self.start)
        plan.use(2, with: Self.addresses, link: [[1]], now: Self.start)
        let before = names(on: 2)
        plan.use(2, with: Self.addresses, link: [[1]], now: Self.start + .seconds(1))
        #expect(names(on: 2) == before)
        plan.use(2, with: Self.addresses, link: [[2]], now: Self.start + .seconds(2))
        #expect(names(on: 2).isDisjoint(with: before))
        #expect(plan.names(on: 2).values.allSatisfy { $0.drawn == Self.start + .seconds(2) })
    }

    @Test mutating func `if another machine uses a name, all names on that network are replaced`()
        throws
    {
        plan.set([Self.home, Self.work], now: Self.start)
        plan.use(2, with: Self.addresses, now: Self.start)
        let before = names(on: 2)
        let host = try #require(plan.names(on: 2)[Self.work]?.host)
        plan.use(2, with: Self.addresses, taken: [host], now: Self.start)
        #expect(names(on: 2).isDisjoint(with: before) && names(on: 2).count == 4)
        plan.keep([])
        #expect(names(on: 2).isEmpty && plan.deadline == nil)
    }

    @Test mutating func `starting and ending an invitation changes no other name`() {
        plan.set([Self.home], now: Self.start)
        plan.use(2, with: Self.addresses, now: Self.start)
        let before = plan.names(on: 2)[Self.home]
        plan.set([Self.home, Self.invitation], now: Self.start + .seconds(5))
        #expect(plan.names(on: 2)[Self.home] == before)
        #expect(plan.names(on: 2)[Self.invitation] != nil)
        plan.set([Self.home], now: Self.start + .seconds(9))
        #expect(Set(plan.names(on: 2).keys) == [Self.home])
        plan.set([], now: Self.start + .seconds(9))
        #expect(plan.deadline == nil)
    }

    @Test mutating func `in a year no name is repeated, and the periods have no regular length`() {
        plan.set([Self.home], now: Self.start)
        for network in [UInt32(2), 3] { plan.use(network, with: Self.addresses, now: Self.start) }
        var seen: Set<String> = []
        var now = Self.start
        var lengths: Set<Int64> = []
        var periods = 0
        while now < Self.start + .seconds(365 * 86_400), let deadline = plan.deadline {
            lengths.insert((deadline - now).nanoseconds / 1_000_000_000)
            now = deadline
            let before = (names(on: 2), names(on: 3))
            plan.handleTime(now)
            for (old, new) in [(before.0, names(on: 2)), (before.1, names(on: 3))] where old != new {
                periods += 1
                #expect(old.isDisjoint(with: new) && seen.isDisjoint(with: new))
                seen.formUnion(new)
            }
        }
        #expect(periods > 50_000)
        #expect(lengths.count > 500)
    }
}
