package import BatonCore
package import BatonNetwork
package import BatonSecurity

/// The devices of this machine's accounts that are announced on local networks.
///
/// An announcement can be repeated by anybody, but leads only to the addresses that a member has sealed under its name. It
/// says where to try, and no more.
package struct FoundDevices {
    /// An announcement that was heard on a network.
    package struct Announcement: Equatable, Sendable {
        /// The number of the interface.
        package let network: UInt32
        package let instance: String
        /// The mark, as a number.
        package let mark: UInt64
        /// The seals of the addresses that the device itself announces.
        package let seals: Set<UInt32>
        /// The addresses to connect to, best first, among which a stranger may have put others.
        package let addresses: [SocketAddress]

        package init(
            network: UInt32, instance: String, mark: UInt64, seals: Set<UInt32>, addresses: [SocketAddress]
        ) {
            (self.network, self.instance, self.mark) = (network, instance, mark)
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

    private var circles: [AccountIdentifier: Circle] = [:]
    /// Every announcement with a mark that stands, of whichever account.
    private var announcements: [Key: Announcement] = [:]
    /// The devices that were recognised.
    private var recognised: [Key: [Recognised]] = [:]

    /// A device that announces itself.
    private struct Recognised {
        let account: AccountIdentifier, device: DeviceIdentifier
        /// The addresses that the device has sealed.
        let addresses: [String]
    }

    package init() {}

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

    /// Recognises no device of an account any more.
    package mutating func remove(_ account: AccountIdentifier) throws(SecurityError) {
        guard circles.removeValue(forKey: account) != nil else { return }
        try recogniseAll()
    }

    /// Takes an announcement, in place of an earlier one of that name; returns whether it is of a known device.
    package mutating func handle(_ announcement: Announcement) throws(SecurityError) -> Bool {
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

    /// Returns the devices whose mark it is, each with its account; nil if there is none.
    private func recognise(_ announcement: Announcement) throws(SecurityError) -> [Recognised]? {
        var found: [Recognised] = []
        let name = announcement.instance
        for (account, circle) in circles {
            let tag = try circle.key.tag(in: announcement.mark, named: name)
            guard let device = circle.devices[tag] else { continue }
            var sealed: [String] = []
            for address in announcement.addresses {
                let seal = try circle.key.seal(of: address.host.bytes, port: address.port, in: name)
                if announcement.seals.contains(seal) { sealed.append(address.description) }
            }
            found.append(Recognised(account: account, device: device, addresses: sealed))
        }
        return found.isEmpty ? nil : found
    }
}
