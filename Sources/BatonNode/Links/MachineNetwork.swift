import BatonNetwork

/// The network as this machine knows it.
struct MachineNetwork {
    let resolver: HostResolver
    /// Returns whether an address belongs to this machine.
    let isOwn: (SocketAddress.Host) -> Bool
    /// The links of this machine.
    let links: PresentLinks
}

extension Place {
    /// Whether the place may lead to a device at an address, by what this machine knows of its network.
    func mayLead(to address: SocketAddress, over network: MachineNetwork) -> Bool {
        mayLead(to: address, isOwn: network.isOwn, present: { network.links.all })
    }
}
