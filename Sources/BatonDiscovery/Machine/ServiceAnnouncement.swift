package import BatonNetwork

/// A service of this machine that is announced on one interface.
///
/// Every machine on the network can read the whole announcement. An observer must not recognize this machine on another
/// network or at another time. So the owner chooses other names and another text for each interface and each period.
package struct ServiceAnnouncement: Hashable, Sendable {
    /// The name of the instance, which is one label of at most 63 bytes.
    package let instance: String
    /// The name of the host without `.local`, which is one label of at most 63 bytes.
    package let host: String
    /// The TCP port.
    package let port: UInt16
    /// The entries of the TXT record.
    package let text: ServiceEntries

    package init(instance: String, host: String, port: UInt16, text: ServiceEntries) {
        self.instance = instance
        self.host = host
        self.port = port
        self.text = text
    }
}

/// A service that another machine announces, or another process of this machine.
///
/// Anyone on the network can announce anything. So the text may come from a stranger, and the addresses may be wrong.
/// Only one thing is certain: the addresses belong to the network of the interface, and are neither loopback nor
/// multicast addresses.
package struct FoundService: Hashable, Sendable, Identifiable {
    /// Identifies a service as long as it is found.
    package struct ID: Hashable, Sendable {
        /// The number of the interface.
        package let interface: UInt32
        /// The name of the instance, as its announcer writes it; letters may differ in case.
        package let instance: String

        package init(interface: UInt32, instance: String) {
            (self.interface, self.instance) = (interface, instance)
        }
    }

    package let id: ID
    /// The name of the interface.
    package let interfaceName: String
    /// The addresses and the port, IPv4 addresses first.
    ///
    /// Link-local addresses have the number of the interface. There is at least one address.
    package let addresses: [SocketAddress]
    /// The entries of the TXT record.
    package let text: ServiceEntries

    package init(id: ID, interfaceName: String, addresses: [SocketAddress], text: ServiceEntries) {
        (self.id, self.interfaceName) = (id, interfaceName)
        (self.addresses, self.text) = (addresses, text)
    }
}
