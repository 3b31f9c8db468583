package import BatonNetwork

/// A service of this machine that is announced on one interface.
///
/// Everything in it can be read by every machine on that network. So that nothing links two networks or two times, its
/// owner chooses other names, and another text, for each interface and each period.
package struct ServiceAnnouncement: Hashable, Sendable {
    /// The name of the instance: one label, of 63 bytes at most.
    package let instance: String
    /// The name of the host without `.local`: one label, of 63 bytes at most.
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
/// Anyone on the network can announce anything. The addresses are only places to try, and the text comes from
/// strangers. Only one thing is certain: the addresses belong to the network of the interface, and are neither loopback
/// nor multicast addresses.
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
    /// The addresses with the port, IPv4 first, link-local ones with the number of the interface; never empty.
    package let addresses: [SocketAddress]
    /// The entries of the TXT record.
    package let text: ServiceEntries

    package init(id: ID, interfaceName: String, addresses: [SocketAddress], text: ServiceEntries) {
        (self.id, self.interfaceName) = (id, interfaceName)
        (self.addresses, self.text) = (addresses, text)
    }
}
