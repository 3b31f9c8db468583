package import BatonCore
package import BatonDiscovery
package import BatonNetwork
package import BatonSecurity

/// The text entries of announcements.
///
/// Members recognise a device by them, and a joiner recognises an invitation.
package enum DeviceAnnouncement {
    /// The keys of the text entries.
    private enum Key {
        static let version = "v"
        static let hour = "t"
        static let marks = "h"
        static let seals = "a"
        static let invitation = "i"
    }

    /// The largest number of an interface's addresses that are sealed.
    ///
    /// These seals fit into one text entry.
    private static let sealsMost = 32

    /// Returns the text entries for a device.
    ///
    /// They contain the name, the hour in which the name was drawn, and the device's addresses on a link. `link` has
    /// the values by which other machines recognise the link (`LinkFingerprints.told`).
    package static func text(
        for device: DeviceIdentifier, named name: String, in hour: UInt32, on link: [[UInt8]],
        at addresses: [SocketAddress.Host], port: UInt16, by key: AnnouncementKey
    ) throws(SecurityError) -> ServiceEntries {
        var seals: [UInt32] = []
        for address in addresses.prefix(sealsMost) {
            seals.append(try key.seal(of: address.bytes, port: port, in: name))
        }
        return ServiceEntries([
            Key.version: "1", Key.hour: try key.text(ofHour: hour, in: name),
            Key.marks: try key.marks(of: device, in: name, hour: hour, links: link),
            Key.seals: AnnouncementKey.text(ofSeals: seals),
        ])
    }

    /// Returns the text entries for an open invitation, which contain the bits of the invitation's code.
    package static func text(forInvitation bits: String) -> ServiceEntries {
        ServiceEntries([Key.version: "1", Key.invitation: bits])
    }

    /// Reads the announcement of a device.
    ///
    /// Returns nil if the service does not announce a device, or if the announcement is malformed.
    package static func device(_ service: FoundService) -> FoundDevices.Announcement? {
        guard let marks = entry(Key.marks, of: service).flatMap({ AnnouncementKey.numbers($0) }),
            let hour = entry(Key.hour, of: service).flatMap({ AnnouncementKey.seals($0) })?.first,
            let seals = entry(Key.seals, of: service).flatMap({ AnnouncementKey.seals($0) })
        else { return nil }
        return FoundDevices.Announcement(
            network: service.id.interface, instance: service.id.instance, hour: hour, marks: marks,
            seals: seals, addresses: service.addresses)
    }

    /// Returns the bits of an invitation's code; nil if the service does not announce an invitation.
    package static func invitation(_ service: FoundService) -> String? { entry(Key.invitation, of: service) }

    /// Returns the value of a text entry as text.
    private static func entry(_ key: String, of service: FoundService) -> String? {
        service.text[key].map { String(decoding: $0, as: UTF8.self) }
    }
}
