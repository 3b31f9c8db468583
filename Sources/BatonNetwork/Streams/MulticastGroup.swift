/// A multicast group of a protocol: one address for each IP version, and a port.
package struct MulticastGroup: Sendable {
    /// The name of the protocol, for error messages.
    let name: String
    let port: UInt16
    /// The size of the longest packet that is received, in bytes.
    let packetBytesMost: Int
    private let version4: UInt32
    private let version6: (high: UInt64, low: UInt64)

    package init(
        _ name: String, version4: UInt32, version6: (high: UInt64, low: UInt64), port: UInt16,
        packetBytesMost: Int
    ) {
        (self.name, self.port, self.packetBytesMost) = (name, port, packetBytesMost)
        (self.version4, self.version6) = (version4, version6)
    }

    /// The address to which packets for the group are sent.
    func host(_ version: IPVersion, interface: UInt32 = 0) -> SocketAddress.Host {
        switch version {
        case .version4: .version4(version4)
        case .version6: .version6(high: version6.high, low: version6.low, interface: interface)
        }
    }
}
