import BatonNetwork

/// The facts that this machine knows about its network.
struct MachineNetwork {
    let resolver: HostResolver
    /// Returns whether an address belongs to this machine.
    let isOwn: (SocketAddress.Host) -> Bool
    /// The links to which this machine is connected.
    let links: PresentLinks
}

extension Place {
    /// Returns whether the place may lead to a device at an address, as far as this machine knows its network.
    func mayLead(to address: SocketAddress, over network: MachineNetwork) -> Bool {
        mayLead(to: address, isOwn: network.isOwn, present: { network.links.all })
    }
}
