package import BatonCore
package import BatonNetwork
package import BatonSecurity

/// The devices of this machine's accounts that announce themselves on local networks.
///
/// Anybody can replay an announcement. However, an announcement counts only on the link and in the hours for which it
/// was made, and only with addresses that a member has sealed under its name. An announcement only says where to try to
/// connect. It proves nothing.
package struct FoundDevices {
    /// An announcement that was heard on a network.
    package struct Announcement: Equatable, Sendable {
        /// The index of the interface on which the announcement was heard.
        package let network: UInt32
        package let instance: String
        /// The hour in which the announcement was made, encrypted so that strangers can't read it.
        package let hour: UInt32
        /// The marks as numbers.
        ///
        /// There is one mark for each value by which the sender identifies its link.
        package let marks: [UInt64]
        /// The seals that the device has announced for its addresses.
        package let seals: Set<UInt32>
        /// The addresses to connect to, best first.
        ///
        /// A stranger may have added some of them.
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

    /// The name of an announcement, together with the network on which it was heard.
    private struct Key: Hashable {
        let network: UInt32, instance: String
    }

    /// The devices of one account, and the key by which their announcements are recognised.
    private struct Circle {
        let key: AnnouncementKey
        let devices: [UInt64: DeviceIdentifier]
    }

    /// The present hour, counted from 1970.
    private var hour: UInt32
    /// The values that identify the link of each network.
    private var links: [UInt32: Set<[UInt8]>] = [:]
    private var circles: [AccountIdentifier: Circle] = [:]
    /// All current announcements, including those of unknown accounts.
    private var announcements: [Key: Announcement] = [:]
    /// The recognised devices of each announcement.
    private var recognised: [Key: [Recognised]] = [:]

    /// A device that announces itself.
    private struct Recognised {
        let account: AccountIdentifier, device: DeviceIdentifier
        /// The announced addresses that the device has sealed.
        let addresses: [String]
    }

    /// Creates a table that recognises no device yet.
    ///
    /// Hours are counted from 1970.
    package init(hour: UInt32) { self.hour = hour }

    // MARK: Commands

    /// Recognises exactly these devices of an account from now on.
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

    /// Sets the present hour, and returns whether it has changed.
    ///
    /// In another hour, other announcements count.
    package mutating func handleTime(hour: UInt32) throws(SecurityError) -> Bool {
        guard self.hour != hour else { return false }
        self.hour = hour
        try recogniseAll()
        return true
    }

    /// Sets the values that identify the link of a network, and returns whether the values have changed.
    package mutating func set(_ values: Set<[UInt8]>, of network: UInt32) throws(SecurityError) -> Bool {
        guard links[network] != values else { return false }
        links[network] = values
        for (key, announcement) in announcements where key.network == network {
            recognised[key] = try recognise(announcement)
        }
        return true
    }

    /// Adds an announcement, and returns whether it comes from a known device.
    ///
    /// It replaces an earlier announcement with the same name.
    package mutating func handleAnnouncement(_ announcement: Announcement) throws(SecurityError) -> Bool {
        let key = Key(network: announcement.network, instance: announcement.instance)
        announcements[key] = announcement
        recognised[key] = try recognise(announcement)
        return recognised[key] != nil
    }

    /// Removes an announcement that has ended, and returns whether it came from a known device.
    package mutating func handleEnd(of instance: String, on network: UInt32) -> Bool {
        let key = Key(network: network, instance: instance)
        announcements[key] = nil
        return recognised.removeValue(forKey: key) != nil
    }

    // MARK: Queries

    /// Returns the addresses that the devices of an account announce.
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

    /// Returns the devices that an announcement's marks identify, each with its account.
    ///
    /// The result is nil if no mark identifies a known device.
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

    /// Returns the device of an account that one of an announcement's marks identifies.
    ///
    /// A mark counts only for the hour and for the link on which the announcement was heard.
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
