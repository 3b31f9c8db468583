import BatonCore
import BatonNetwork
import BatonNode
import BatonSecurity
import Testing

/// Announcements that a machine hears, and the devices of its accounts among them.
@Suite struct `Found devices` {
    private static let account = AccountIdentifier(high: 1, low: 1)
    private static let (laptop, desktop) = (
        DeviceIdentifier(high: 3, low: 3), DeviceIdentifier(high: 4, low: 4)
    )
    private static let (hour, link): (UInt32, [UInt8]) = (500_000, [1, 2, 3])
    private let key: AnnouncementKey
    private var found = FoundDevices(hour: Self.hour)

    init() throws {
        key = try AnnouncementKey(root: PrivateKey.generate().publicKey)
        try found.set([Self.laptop, Self.desktop], of: Self.account, by: key)
        for network in [UInt32(2), 3] { _ = try found.set([Self.link], of: network) }
    }

    /// An announcement of a device, under a name, with seals for the addresses or for others.
    private func announcement(
        of device: DeviceIdentifier, as name: String, at addresses: [String], on network: UInt32 = 2,
        by other: AnnouncementKey? = nil, sealing sealed: [String]? = nil, in hour: UInt32 = Self.hour,
        link: [UInt8] = Self.link
    ) throws -> FoundDevices.Announcement {
        let key = other ?? key
        let marks = try #require(
            AnnouncementKey.numbers(
                try key.marks(of: device, in: name, hour: hour, links: [[9], link])))
        let seals = try (sealed ?? addresses).map { text in
            let address = try SocketAddress(text: text)
            return try key.seal(of: address.host.bytes, port: address.port, in: name)
        }
        let read = try #require(AnnouncementKey.seals(AnnouncementKey.text(ofSeals: seals)))
        return FoundDevices.Announcement(
            network: network, instance: name, hour: try key.masked(hour, in: name), marks: marks,
            seals: read,
            addresses: try addresses.map { try SocketAddress(text: $0) })
    }

    @Test
    mutating func `a device of the account is recognised by the mark in its announcement, under any name`()
        throws
    {
        for (name, device) in [("a", Self.laptop), ("b", Self.desktop)] {
            let heard = try announcement(of: device, as: name, at: ["192.0.2.\(name == "a" ? 1 : 2):1"])
            #expect(try found.handleAnnouncement(heard))
        }
        #expect(
            found.addresses(of: Self.account) == [
                Self.laptop: ["192.0.2.1:1"], Self.desktop: ["192.0.2.2:1"],
            ])
        #expect(found.addresses(of: AccountIdentifier(high: 9, low: 9)).isEmpty)
    }

    @Test mutating func `a mark copied to another name, or of another account, is not recognised`()
        throws
    {
        let heard = try announcement(of: Self.laptop, as: "a", at: ["192.0.2.1:1"])
        let renamed = FoundDevices.Announcement(
            network: 2, instance: "b", hour: heard.hour, marks: heard.marks, seals: heard.seals,
            addresses: heard.addresses)
        #expect(try !found.handleAnnouncement(renamed))
        let other = try AnnouncementKey(root: PrivateKey.generate().publicKey)
        #expect(
            try !found.handleAnnouncement(
                announcement(of: Self.laptop, as: "c", at: ["192.0.2.1:1"], by: other)))
        #expect(found.addresses(of: Self.account).isEmpty)
    }

    @Test mutating func `a copied mark leads only to addresses that the device has sealed`() throws {
        let real = "[fe80::1%1]:4817"
        let heard = try announcement(
            of: Self.laptop, as: "a", at: ["192.0.2.66:4817", real, "[fe80::1%1]:22", "[2001:db8::1]:4817"],
            sealing: ["[fe80::1]:4817", "192.0.2.1:4817"])
        #expect(try found.handleAnnouncement(heard))
        #expect(found.addresses(of: Self.account) == [Self.laptop: [real]])
        // A seal of an earlier name is worth nothing under another one.
        let later = try announcement(of: Self.laptop, as: "b", at: ["192.0.2.1:4817"], sealing: [])
        let mixed = FoundDevices.Announcement(
            network: 2, instance: "b", hour: later.hour, marks: later.marks, seals: heard.seals,
            addresses: later.addresses)
        _ = found.handleEnd(of: "a", on: 2)
        #expect(try found.handleAnnouncement(mixed) && found.addresses(of: Self.account).isEmpty)
    }

    @Test mutating func `an announcement repeated three hours later is ignored`() throws {
        let heard = try announcement(of: Self.laptop, as: "a", at: ["192.0.2.1:1"])
        #expect(try found.handleAnnouncement(heard))
        // It stands while its hour is tolerated, however often it is heard again.
        for hour in Self.hour...Self.hour + 2 {
            _ = try found.handleTime(hour: hour)
            #expect(try found.handleAnnouncement(heard) && found.addresses(of: Self.account).count == 1)
        }
        #expect(try found.handleTime(hour: Self.hour + 3))
        #expect(found.addresses(of: Self.account).isEmpty)
        #expect(try !found.handleAnnouncement(heard))
        // One that was recorded under a clock that is ahead leads nowhere either.
        #expect(try found.handleTime(hour: Self.hour - 3))
        #expect(try !found.handleAnnouncement(heard))
    }

    @Test mutating func `an announcement repeated on another link is ignored`() throws {
        let heard = try announcement(of: Self.laptop, as: "a", at: ["192.0.2.1:1"])
        #expect(try found.set([[7], [8]], of: 2))
        #expect(try !found.handleAnnouncement(heard))
        #expect(found.addresses(of: Self.account).isEmpty)
        // The kernel may learn later which link it is.
        #expect(try found.set([[7], Self.link], of: 2))
        #expect(found.addresses(of: Self.account).count == 1)
        #expect(try !found.set([[7], Self.link], of: 2))
    }

    @Test
    mutating func `addresses found on several networks are combined, and dropped with their announcements`()
        throws
    {
        _ = try found.handleAnnouncement(
            announcement(of: Self.laptop, as: "a", at: ["192.0.2.1:1", "192.0.2.2:1"]))
        _ = try found.handleAnnouncement(
            announcement(of: Self.laptop, as: "b", at: ["192.0.2.2:1", "192.0.2.3:1"], on: 3))
        #expect(found.addresses(of: Self.account)[Self.laptop]?.count == 3)
        let isLastGone = found.handleEnd(of: "a", on: 2)
        #expect(isLastGone)
        #expect(found.addresses(of: Self.account) == [Self.laptop: ["192.0.2.2:1", "192.0.2.3:1"]])
        let isElsewhere = found.handleEnd(of: "b", on: 2)
        #expect(!isElsewhere)
        // The same name with other addresses takes the place of the earlier one.
        _ = try found.handleAnnouncement(announcement(of: Self.laptop, as: "b", at: ["192.0.2.9:1"], on: 3))
        #expect(found.addresses(of: Self.account) == [Self.laptop: ["192.0.2.9:1"]])
    }

    @Test
    mutating func
        `an announcement received before its device was admitted is recognised after the admission`()
        throws
    {
        let tablet = DeviceIdentifier(high: 5, low: 5)
        #expect(try !found.handleAnnouncement(announcement(of: tablet, as: "t", at: ["192.0.2.5:1"])))
        try found.set([tablet], of: Self.account, by: key)
        #expect(found.addresses(of: Self.account) == [tablet: ["192.0.2.5:1"]])
        try found.remove(Self.account)
        #expect(found.addresses(of: Self.account).isEmpty)
    }
}
