import BatonCore
import BatonDiscovery
import BatonNetwork

/// Looks for open invitations on local networks, for a machine that has a code and no address.
final class InvitationSearch {
    private let discovery: LANDiscovery

    /// Calls back with the addresses of each machine that announces an invitation with these bits of its code.
    init(
        _ bits: String, _ settings: DiscoverySettings, on loop: EventLoop, limits: Limits,
        found: @escaping ([SocketAddress]) -> Void
    ) throws(NetworkError) {
        var search = LANDiscovery.Settings()
        search.interfaces = settings.interfaces(listeningOn: [])
        search.multicast.instancesMost = limits.announcements
        discovery = try LANDiscovery(
            on: loop, settings: search,
            handlers: LANDiscovery.Handlers(
                announcements: { _, _ in [] },
                found: { service in
                    if DeviceAnnouncement.invitation(service) == bits { found(service.addresses) }
                }, lost: { _ in }))
    }

    /// Ends the search.
    func close() { discovery.close() }

    /// Why nothing can be found on some network; nil if all is well.
    var trouble: String? { discovery.trouble }
}
