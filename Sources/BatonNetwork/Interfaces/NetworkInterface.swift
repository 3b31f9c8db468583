import CLinux
import Glibc

/// A network interface of this machine, as it is at one moment.
package struct NetworkInterface: Hashable, Sendable {
    /// An address of an interface, and the network to which it belongs.
    package struct Address: Hashable, Sendable {
        /// The address; a link-local IPv6 address includes the number of the interface.
        package let host: SocketAddress.Host
        /// The number of leading bits of the address that identify its network.
        package let prefixLength: Int

        package init(host: SocketAddress.Host, prefixLength: Int) {
            (self.host, self.prefixLength) = (host, prefixLength)
        }
    }

    /// The kernel's number of the interface; the number is not used again while the machine runs.
    package let index: UInt32
    /// The name of the interface, which may change.
    package let name: String
    /// The addresses in use, always in the same order.
    ///
    /// An IPv6 address is left out while the kernel still checks whether another machine uses it, and when it is
    /// deprecated.
    package let addresses: [Address]
    /// The hardware address; empty for an interface without one.
    package let hardwareAddress: [UInt8]
    /// True if packets can be sent: the interface is up and has a carrier.
    package let isRunning: Bool
    /// True if only this machine itself can be reached through the interface.
    package let isLoopback: Bool
    /// True if exactly one other machine is at the other end, as on most VPNs.
    package let isPointToPoint: Bool
    /// True if packets can be sent to multicast groups.
    package let hasMulticast: Bool
    /// True for a tunnel, such as one of WireGuard or another VPN, whose packets travel over another interface.
    package let isTunnel: Bool
    /// True if the interface is a port of a bridge or a bond, which has the addresses and gets the packets.
    package let isPort: Bool

    package init(
        index: UInt32, name: String, addresses: [Address], hardwareAddress: [UInt8] = [],
        isRunning: Bool = true, isLoopback: Bool = false, isPointToPoint: Bool = false,
        hasMulticast: Bool = true, isTunnel: Bool = false, isPort: Bool = false
    ) {
        self.hardwareAddress = hardwareAddress
        (self.index, self.name, self.isRunning) = (index, name, isRunning)
        (self.isLoopback, self.isPointToPoint) = (isLoopback, isPointToPoint)
        (self.hasMulticast, self.isTunnel, self.isPort) = (hasMulticast, isTunnel, isPort)
        self.addresses = addresses.sorted { $0.host.description < $1.host.description }
    }

    /// True if multicast packets reach other machines of a local network through the interface.
    package var reachesOthersByMulticast: Bool { hasMulticast && !isLoopback && !isPointToPoint && !isPort }

    /// Returns whether an address belongs to a network of this interface, so that no router is needed to reach it.
    package func isOnLink(_ host: SocketAddress.Host) -> Bool {
        if host.isLinkLocal6 { return true }
        return addresses.contains { $0.contains(host) }
    }
}

extension NetworkInterface.Address {
    /// Returns whether another address belongs to the same network.
    func contains(_ other: SocketAddress.Host) -> Bool {
        switch (host, other) {
        case (.version4(let own), .version4(let other)):
            return Self.mask(own ^ other, UInt32.bitWidth - prefixLength) == 0
        case (.version6(let high, let low, _), .version6(let otherHigh, let otherLow, _)):
            return Self.mask(high ^ otherHigh, 64 - min(prefixLength, 64)) == 0
                && Self.mask(low ^ otherLow, 128 - max(prefixLength, 64)) == 0
        default: return false
        }
    }

    /// Returns a number without its lowest bits.
    private static func mask<Value: FixedWidthInteger>(_ value: Value, _ count: Int) -> Value {
        value >> count
    }
}

extension SocketAddress.Host {
    /// True for a link-local IPv6 address, which is valid only on one link.
    package var isLinkLocal6: Bool {
        guard case .version6(let high, _, _) = self else { return false }
        return high >> 54 == 0xfe80 >> 6
    }
}

extension NetworkInterface {
    /// Asks the kernel for all interfaces.
    package static func present() throws(NetworkError) -> [NetworkInterface] {
        let operation = "list the network interfaces of this machine"
        var addresses: [UInt32: [Address]] = [:]
        try Netlink.list(RTM_GETADDR, zeros: addressCount, answer: RTM_NEWADDR, for: operation) { body in
            guard let (index, address) = address(body) else { return }
            addresses[index, default: []].append(address)
        }
        var interfaces: [NetworkInterface] = []
        try Netlink.list(RTM_GETLINK, zeros: linkCount, answer: RTM_NEWLINK, for: operation) { body in
            guard body.count >= linkCount else { return }
            let (index, flags) = (body.number(UInt32.self, at: 4), Int32(body.number(UInt32.self, at: 8)))
            let attributes = body.dropFirst(linkCount)
            let name = Netlink.attribute(Int(IFLA_IFNAME), of: attributes) ?? []
            let running = Int32(IFF_UP | IFF_RUNNING)
            interfaces.append(
                NetworkInterface(
                    index: index, name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self),
                    addresses: addresses[index] ?? [],
                    hardwareAddress: Array(Netlink.attribute(Int(IFLA_ADDRESS), of: attributes) ?? []),
                    isRunning: flags & running == running,
                    isLoopback: flags & Int32(IFF_LOOPBACK) != 0,
                    isPointToPoint: flags & Int32(IFF_POINTOPOINT) != 0,
                    hasMulticast: flags & Int32(IFF_MULTICAST) != 0, isTunnel: isTunnel(attributes),
                    isPort: isPort(attributes)))
        }
        return interfaces
    }

    /// The sizes of `struct ifaddrmsg` and `struct ifinfomsg`, which are part of the kernel's interface.
    private static let addressCount = 8
    private static let linkCount = 16

    /// Reads an address and the number of its interface; nil if the address is not usable now.
    private static func address(_ body: ArraySlice<UInt8>) -> (UInt32, Address)? {
        guard body.count >= addressCount else { return nil }
        let (family, prefix) = (Int32(body.number(UInt8.self, at: 0)), body.number(UInt8.self, at: 1))
        let index = body.number(UInt32.self, at: 4)
        let attributes = body.dropFirst(addressCount)
        let flags =
            Netlink.attribute(Int(IFA_FLAGS), of: attributes).flatMap { bytes in
                bytes.count == 4 ? bytes.number(UInt32.self, at: 0) : nil
            } ?? UInt32(body.number(UInt8.self, at: 2))
        // On a point-to-point connection, `IFA_ADDRESS` is the address of the other end.
        let bytes =
            Netlink.attribute(Int(IFA_LOCAL), of: attributes)
            ?? Netlink.attribute(Int(IFA_ADDRESS), of: attributes)
        guard flags & UInt32(IFA_F_TENTATIVE | IFA_F_DADFAILED | IFA_F_DEPRECATED) == 0, let bytes else {
            return nil
        }
        switch (family, bytes.count) {
        case (AF_INET, 4):
            let host = SocketAddress.Host.version4(UInt32(bigEndian: bytes.number(UInt32.self, at: 0)))
            return (index, Address(host: host, prefixLength: min(Int(prefix), 32)))
        case (AF_INET6, 16):
            let high = UInt64(bigEndian: bytes.number(UInt64.self, at: 0))
            let low = UInt64(bigEndian: bytes.number(UInt64.self, at: 8))
            let host = SocketAddress.Host.version6(high: high, low: low, interface: 0)
            let scoped = SocketAddress.Host.version6(high: high, low: low, interface: index)
            return (
                index, Address(host: host.isLinkLocal6 ? scoped : host, prefixLength: min(Int(prefix), 128))
            )
        default: return nil
        }
    }

    /// Returns whether the attributes belong to a port of another interface.
    ///
    /// An interface in a separate routing table (a VRF) also has another interface as its master. But it keeps its own
    /// addresses, so it does not count as a port.
    private static func isPort(_ attributes: ArraySlice<UInt8>) -> Bool {
        kind(Int(IFLA_INFO_SLAVE_KIND), attributes).map { $0 != "vrf" } ?? false
    }

    /// The names that the kernel gives to kinds of tunnels.
    ///
    /// A connection of the Point-to-Point Protocol does not count as a tunnel, because it may be the only way to other
    /// networks.
    private static let tunnels: Set<String> = [
        "wireguard", "tun", "ipip", "sit", "gre", "gretap", "ip6tnl", "ip6gre", "ip6gretap", "vti", "vti6",
        "xfrm", "amneziawg",
    ]

    /// Returns whether the attributes belong to a tunnel.
    private static func isTunnel(_ attributes: ArraySlice<UInt8>) -> Bool {
        kind(Int(IFLA_INFO_KIND), attributes).map(tunnels.contains) ?? false
    }

    /// Returns the name that the kernel gives to the kind of the interface, or to the kind of its master.
    private static func kind(_ attribute: Int, _ attributes: ArraySlice<UInt8>) -> String? {
        guard let information = Netlink.attribute(Int(IFLA_LINKINFO), of: attributes),
            let kind = Netlink.attribute(attribute, of: information)
        else { return nil }
        return String(decoding: kind.prefix { $0 != 0 }, as: UTF8.self)
    }
}
