import BatonCore
import BatonDiscovery
import BatonNetwork

/// Looks for open invitations on local networks.
///
/// The search is for a machine that joins with a code and without an address.
final class InvitationSearch {
    private let discovery: LANDiscovery

    /// Begins to look for invitations whose code has these bits.
    ///
    /// `found` is called with the addresses of each machine that announces such an invitation.
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

    /// The reason why nothing might be found on a local network, in words; nil if there is none.
    var trouble: String? { discovery.trouble }
}
