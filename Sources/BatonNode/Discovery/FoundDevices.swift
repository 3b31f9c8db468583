package import BatonCore
package import BatonNetwork
package import BatonSecurity

/// The devices of this machine's accounts that are announced on local networks.
///
/// Anybody can replay an announcement, but it counts only on the link and in the hours for which it was made, and leads
/// only to addresses that a member has sealed under its name. It only says where to try, and proves nothing.
package struct FoundDevices {
    /// An announcement that was heard on a network.
    package struct Announcement: Equatable, Sendable {
        /// The number of the interface.
        package let network: UInt32
        package let instance: String
        /// The hour, hidden from strangers.
        package let hour: UInt32
        /// The marks, as numbers: one for each value by which the sender identifies its link.
        package let marks: [UInt64]
        /// The seals of the addresses that the device itself announces.
        package let seals: Set<UInt32>
        /// The addresses to connect to, best first; a stranger may have added some.
        package let addresses: [SocketAddress]

        package init(
            network: UInt32, instance: String, hour: UInt32, marks: [UInt64], seals: Set<UInt32>,
            addresses: [SocketAddress]
        ) {
            (self.network, self.instance) = (network, instance)
            (self.hour, self.marks) = (hour, marks)
            (self.seals, self.addresses) = (seals, addresses)
        }
    }

    /// The name of an announcement on its network.
    private struct Key: Hashable {
        let network: UInt32, instance: String
    }

    /// An account whose devices are recognised.
    private struct Circle {
        let key: AnnouncementKey
        let devices: [UInt64: DeviceIdentifier]
    }

    /// The present hour.
    private var hour: UInt32
    /// The values that identify the link of each network.
    private var links: [UInt32: Set<[UInt8]>] = [:]
    private var circles: [AccountIdentifier: Circle] = [:]
    /// Every current announcement of any account.
    private var announcements: [Key: Announcement] = [:]
    /// The devices that were recognised.
    private var recognised: [Key: [Recognised]] = [:]

    /// A device that announces itself.
    private struct Recognised {
        let account: AccountIdentifier, device: DeviceIdentifier
        /// The addresses that the device has sealed.
        let addresses: [String]
    }

    /// Creates a table that recognises no device yet; hours are counted from 1970.
    package init(hour: UInt32) { self.hour = hour }

    // MARK: Commands

    /// Recognises these devices of an account from now on.
    package mutating func set(
        _ devices: some Sequence<DeviceIdentifier>, of account: AccountIdentifier, by key: AnnouncementKey
    ) throws(SecurityError) {
        var tags: [UInt64: DeviceIdentifier] = [:]
        for device in devices { tags[try key.tag(of: device)] = device }
        circles[account] = Circle(key: key, devices: tags)
        try recogniseAll()
    }

    /// Stops recognising the devices of an account.
    package mutating func remove(_ account: AccountIdentifier) throws(SecurityError) {
        guard circles.removeValue(forKey: account) != nil else { return }
        try recogniseAll()
    }

    /// Sets the present hour; returns whether it has changed, so that other announcements count.
    package mutating func handleTime(hour: UInt32) throws(SecurityError) -> Bool {
        guard self.hour != hour else { return false }
        self.hour = hour
        try recogniseAll()
        return true
    }

    /// Sets the values that identify the link of a network; returns whether they have changed.
    package mutating func set(_ values: Set<[UInt8]>, of network: UInt32) throws(SecurityError) -> Bool {
        guard links[network] != values else { return false }
        links[network] = values
        for (key, announcement) in announcements where key.network == network {
            recognised[key] = try recognise(announcement)
        }
        return true
    }

    /// Adds an announcement, replacing an earlier one of the same name; returns whether it is of a known device.
    package mutating func handleAnnouncement(_ announcement: Announcement) throws(SecurityError) -> Bool {
        let key = Key(network: announcement.network, instance: announcement.instance)
        announcements[key] = announcement
        recognised[key] = try recognise(announcement)
        return recognised[key] != nil
    }

    /// Notes that an announcement has ended; returns whether it was of a known device.
    package mutating func handleEnd(of instance: String, on network: UInt32) -> Bool {
        let key = Key(network: network, instance: instance)
        announcements[key] = nil
        return recognised.removeValue(forKey: key) != nil
    }

    // MARK: Queries

    /// The addresses at which devices of an account are announced.
    package func addresses(of account: AccountIdentifier) -> [DeviceIdentifier: [String]] {
        var found: [DeviceIdentifier: [String]] = [:]
        let keys = recognised.keys.sorted { ($0.network, $0.instance) < ($1.network, $1.instance) }
        for key in keys {
            for one in recognised[key] ?? [] where one.account == account {
                for address in one.addresses where found[one.device]?.contains(address) != true {
                    found[one.device, default: []].append(address)
                }
            }
        }
        return found
    }

    // MARK: Recognising

    private mutating func recogniseAll() throws(SecurityError) {
        recognised = [:]
        for (key, announcement) in announcements { recognised[key] = try recognise(announcement) }
    }

    /// Returns the devices whose marks an announcement has, each with its account; nil if it has no known mark.
    private func recognise(_ announcement: Announcement) throws(SecurityError) -> [Recognised]? {
        var found: [Recognised] = []
        let name = announcement.instance
        for (account, circle) in circles {
            let hour = try circle.key.masked(announcement.hour, in: name)
            guard AnnouncementKey.tolerates(hour, in: self.hour),
                let device = try markedDevice(in: announcement, hour, circle)
            else { continue }
            var sealed: [String] = []
            for address in announcement.addresses {
                let seal = try circle.key.seal(of: address.host.bytes, port: address.port, in: name)
                if announcement.seals.contains(seal) { sealed.append(address.description) }
            }
            found.append(Recognised(account: account, device: device, addresses: sealed))
        }
        return found.isEmpty ? nil : found
    }

    /// Returns the account's device whose mark an announcement has, for an hour and the link on which it was heard.
    private func markedDevice(
        in announcement: Announcement, _ hour: UInt32, _ circle: Circle
    ) throws(SecurityError) -> DeviceIdentifier? {
        for link in links[announcement.network] ?? [] {
            for mark in announcement.marks {
                let tag = try circle.key.tag(
                    in: mark, named: announcement.instance, hour: hour, link: link)
                if let device = circle.devices[tag] { return device }
            }
        }
        return nil
    }
}
