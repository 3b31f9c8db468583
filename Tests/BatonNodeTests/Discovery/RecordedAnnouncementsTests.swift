import BatonCore
import BatonDiscovery
import BatonNetwork
import BatonNode
import BatonSecurity
import Support
import Testing

/// A listener that records everything that a machine announces on two networks for a week.
@Suite struct `A week of announcements` {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private static let hosts: [SocketAddress.Host] = [
        .version4(0xc000_0207), .version6(high: 0xfd00_0000_0000_0000, low: 7, interface: 0),
    ]

    /// An announcement, without the addresses, which the packets' source shows anyway.
    private struct Recorded {
        let network: UInt32
        /// The names, and the values of the text but for the version.
        let values: Set<String>
        /// All bytes, to search for names and identifiers.
        let bytes: [UInt8]
    }

    private let accounts = [AccountIdentifier(high: 1, low: 1), AccountIdentifier(high: 2, low: 2)]
    private let device = DeviceIdentifier(high: 0x0123_4567_89ab_cdef, low: 0x1122_3344_5566_7788)
    private let keys: [AnnouncementKey]
    private let invitation: PairingCode

    init() throws {
        keys = [
            try AnnouncementKey(root: PrivateKey.generate().publicKey),
            try AnnouncementKey(root: PrivateKey.generate().publicKey),
        ]
        invitation = try PairingCode.random()
    }

    /// Plays a week of a machine with two accounts on two networks, which sleeps at night.
    private func record() throws -> [Recorded] {
        var plan = AnnouncementPlan(Limits().announcementPeriod, drawingFrom: SeededGenerator(seed: 7))
        var recorded: [Recorded] = []
        var known: Set<String> = []
        plan.set(Set(accounts.map { .device($0) }), now: Self.start)
        for network in [UInt32(2), 3] { plan.use(network, with: Set(Self.hosts), now: Self.start) }
        var (now, hours) = (Self.start, 0)
        while now < Self.start + .seconds(7 * 86_400), let deadline = plan.deadline {
            for network in [UInt32(2), 3] {
                for (subject, names) in plan.names(on: network) where known.insert(names.instance).inserted {
                    let text = try text(of: subject, named: names.instance)
                    let values = text.entries.filter { $0.key != "v" }.map { "\($0.key)=\($0.value ?? [])" }
                    recorded.append(
                        Recorded(
                            network: network, values: Set(values + [names.instance, names.host]),
                            bytes: Array(names.instance.utf8) + Array(names.host.utf8)
                                + text.entries.flatMap { Array($0.key.utf8) + ($0.value ?? []) }))
                }
            }
            hours += 1
            now = deadline
            if hours % 200 == 0 { plan.renewAll(now: now) } else { plan.handleTime(now) }
        }
        return recorded
    }

    private func text(
        of subject: AnnouncementPlan.Subject, named name: String, in hour: UInt32 = 500_000
    ) throws -> ServiceEntries {
        switch subject {
        case .device(let account):
            let key = keys[try #require(accounts.firstIndex(of: account))]
            return try DeviceAnnouncement.text(
                for: device, named: name, in: hour, on: [[1, 2, 3]], at: Self.hosts,
                port: 4817, by: key)
        case .invitation: return DeviceAnnouncement.text(forInvitation: try invitation.announcedBits())
        }
    }

    @Test
    func `repeats no value in another period, on another network or for another account`()
        throws
    {
        let recorded = try record()
        #expect(recorded.count > 1200)
        var seen: Set<String> = []
        for announcement in recorded {
            #expect(seen.isDisjoint(with: announcement.values))
            seen.formUnion(announcement.values)
        }
    }

    @Test func `contains no name, device, account or code`() throws {
        let secrets: [[UInt8]] =
            [device.bytes, Array(device.description.utf8), Array(device.short.utf8)]
            + accounts.flatMap { [$0.bytes, Array($0.description.utf8)] }
            + [Array(invitation.text.utf8), Array(device.description.prefix(8).utf8)]
        for announcement in try record() {
            for secret in secrets { #expect(!announcement.bytes.contains(secret)) }
            // Every announcement of a device looks the same but for random characters.
            #expect(announcement.bytes.count == 16 + 16 + 2 + 14 + 14 + 8)
        }
    }

    @Test func `is fully recognised by a member, and not at all by a stranger`() throws {
        var (member, stranger) = (FoundDevices(hour: 500_000), FoundDevices(hour: 500_000))
        _ = try member.set([[1, 2, 3]], of: UInt32(2))
        _ = try stranger.set([[1, 2, 3]], of: UInt32(2))
        try member.set([device], of: accounts[0], by: keys[0])
        try stranger.set(
            [device], of: accounts[0], by: AnnouncementKey(root: PrivateKey.generate().publicKey))
        var plan = AnnouncementPlan(Limits().announcementPeriod, drawingFrom: SeededGenerator(seed: 8))
        plan.set([.device(accounts[0])], now: Self.start)
        plan.use(2, with: Set(Self.hosts), now: Self.start)
        for _ in 0..<500 {
            let names = try #require(plan.names(on: 2).values.first)
            let service = FoundService(
                id: FoundService.ID(interface: 2, instance: names.instance), interfaceName: "eth0",
                addresses: Self.hosts.map { SocketAddress(host: $0, port: 4817) },
                text: try text(of: .device(accounts[0]), named: names.instance))
            let announcement = try #require(DeviceAnnouncement.device(service))
            #expect(try member.handleAnnouncement(announcement))
            #expect(try !stranger.handleAnnouncement(announcement))
            #expect(member.addresses(of: accounts[0])[device]?.count == 2)
            _ = member.handleEnd(of: names.instance, on: 2)
            plan.handleTime(try #require(plan.deadline))
        }
    }
}
