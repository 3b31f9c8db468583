import BatonDiscovery
import BatonNetwork

/// The person's choice of how machines on local networks are found.
package struct DiscoverySettings: Equatable, Sendable {
    /// Whether this machine is announced on local networks, and looks for others there.
    ///
    /// If not, no socket for it exists, and no packet is sent.
    package var isOn: Bool
    /// The interfaces, or addresses of interfaces, to use; empty for all.
    package var interfaces: [String]

    package init(isOn: Bool = true, interfaces: [String] = []) {
        (self.isOn, self.interfaces) = (isOn, interfaces)
    }
}

extension DiscoverySettings {
    /// Returns whether a node that listens on these addresses takes part.
    ///
    /// A node that only this machine can reach is not announced, unless the person has named an interface.
    func isOn(listeningOn addresses: [SocketAddress]) -> Bool {
        isOn && (!interfaces.isEmpty || addresses.contains { !$0.host.isLoopback })
    }

    /// Returns the interfaces to use for a node that listens on these addresses: those that have one of the addresses,
    /// if the person has not named others.
    func interfaces(listeningOn addresses: [SocketAddress]) -> LANDiscovery.Interfaces {
        if !interfaces.isEmpty { return .only(Set(interfaces)) }
        if addresses.isEmpty || addresses.contains(where: \.isAny) { return .usual }
        return .only(Set(addresses.map { String($0.host.description.prefix { $0 != "%" }) }))
    }
}
