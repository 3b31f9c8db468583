import BatonDiscovery
import BatonNetwork

/// The person's choice of how to find machines on local networks.
package struct DiscoverySettings: Equatable, Sendable {
    /// Whether this machine is announced on local networks, and looks for other machines there.
    ///
    /// If this is false, no socket for discovery is opened, and no packet is sent.
    package var isOn: Bool
    /// The interfaces to use, each by its name or by one of its addresses.
    ///
    /// If the list is empty, all interfaces are used.
    package var interfaces: [String]

    package init(isOn: Bool = true, interfaces: [String] = []) {
        (self.isOn, self.interfaces) = (isOn, interfaces)
    }
}

extension DiscoverySettings {
    /// Returns whether a node that listens on these addresses uses discovery.
    ///
    /// If only this machine can reach the node, the node is not announced, unless the person has named an interface.
    func isOn(listeningOn addresses: [SocketAddress]) -> Bool {
        isOn && (!interfaces.isEmpty || addresses.contains { !$0.host.isLoopback })
    }

    /// Returns the interfaces on which a node that listens on these addresses uses discovery.
    ///
    /// If the person has named interfaces, these are used. Otherwise, the interfaces that have the addresses are used.
    func interfaces(listeningOn addresses: [SocketAddress]) -> LANDiscovery.Interfaces {
        if !interfaces.isEmpty { return .only(Set(interfaces)) }
        if addresses.isEmpty || addresses.contains(where: \.isAny) { return .usual }
        return .only(Set(addresses.map { String($0.host.description.prefix { $0 != "%" }) }))
    }
}
