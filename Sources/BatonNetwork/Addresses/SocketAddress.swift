import CLinux
import Glibc

/// An IPv4 or IPv6 address with a port.
///
/// An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) counts as an IPv4 address.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address without its port.
    package enum Host: Hashable, Sendable {
        /// The four bytes of IPv4, most significant first.
        case version4(UInt32)
        /// The sixteen bytes of IPv6 as two numbers, most significant first, and the number of a network interface.
        ///
        /// The address is valid only on that interface; zero means that it is valid on all interfaces.
        case version6(high: UInt64, low: UInt64, interface: UInt32)
    }

    package let host: Host
    /// The TCP port; zero lets the system choose the port of a listener.
    package let port: UInt16

    package init(host: Host, port: UInt16) { (self.host, self.port) = (host, port) }

    /// The wildcard address `[::]`; a listener at this address accepts connections to all addresses of this machine.
    package static func any(port: UInt16) -> SocketAddress {
        SocketAddress(host: .version6(high: 0, low: 0, interface: 0), port: port)
    }

    /// Reads `ADDRESS:PORT`, `[ADDRESS]:PORT` or `:PORT`; the host must not be a name.
    ///
    /// `:PORT` is the wildcard address.
    package init(text: some StringProtocol) throws(NetworkError) {
        try self.init(text, spelling: try Endpoint(text: text))
    }

    /// Reads the forms of `init(text:)`, and also an address without a port, which gets the usual port.
    package init(text: some StringProtocol, usualPort: UInt16) throws(NetworkError) {
        try self.init(text, spelling: try Endpoint(text: text, usualPort: usualPort))
    }

    private init(_ text: some StringProtocol, spelling endpoint: Endpoint) throws(NetworkError) {
        guard let address = SocketAddress(endpoint) else {
            throw NetworkError(
                .malformed, operation: "read the address \(String(text).debugDescription)",
                reason: "the host is not an IPv4 or IPv6 address")
        }
        self = address
    }

    /// The address of an endpoint; nil if its host is a name.
    package init?(_ endpoint: Endpoint) {
        guard let host = endpoint.host.isEmpty ? Self.any(port: 0).host : Host(text: endpoint.host) else {
            return nil
        }
        self.init(host: host, port: endpoint.port)
    }

    /// The text in a form that `init(text:)` reads.
    package var description: String { Endpoint(host: host.description, port: port).description }

    /// True for a wildcard address.
    package var isAny: Bool {
        switch host {
        case .version4(let value): value == 0
        case .version6(let high, let low, _): high == 0 && low == 0
        }
    }
}

extension SocketAddress.Host {
    /// True if the address belongs to one particular machine, wherever in a network it is used.
    ///
    /// Loopback, link-local, multicast, unspecified, broadcast and reserved addresses are not routable.
    package var isRoutable: Bool {
        switch self {
        case .version4(let value):
            let isLinkLocal = value >> 16 == 0xa9fe
            return !isLinkLocal && ![0, 127].contains(value >> 24) && value >> 28 < 0xe
        case .version6(let high, _, let interface):
            // The first 2⁶⁴ addresses include the loopback address, the unspecified address, and obsolete forms of IPv4
            // addresses.
            let isLinkLocal = high >> 54 == 0xfe80 >> 6 || high >> 54 == 0xfec0 >> 6
            return interface == 0 && high != 0 && !isLinkLocal && high >> 56 != 0xff && !holdsUnroutable
        }
    }

    /// True if the address belongs to different machines on different networks.
    ///
    /// This is true of private networks (RFC 1918, RFC 6598), and of unique local and link-local addresses.
    package var isPrivate: Bool {
        switch self {
        case .version4(let value):
            value >> 24 == 10 || value >> 20 == 0xac1 || value >> 16 == 0xc0a8 || value >> 22 == 0x6440 >> 6
                || value >> 16 == 0xa9fe
        case .version6(let high, _, _): high >> 57 == 0xfc >> 1 || high >> 55 == 0xfe80 >> 7
        }
    }

    /// True if the address can belong to exactly one other machine.
    ///
    /// This excludes unspecified, loopback, multicast and broadcast addresses. A link-local IPv6 address counts only
    /// together with its interface.
    package var isOfOneMachine: Bool {
        switch self {
        case .version4(let value): return ![0, 127].contains(value >> 24) && value >> 28 < 0xe
        case .version6(let high, _, let interface):
            let isLinkLocal = high >> 54 == 0xfe80 >> 6
            return isLinkLocal ? interface != 0 : isRoutable
        }
    }

    /// The address as sixteen bytes, most significant first, without its interface; an IPv4 address is IPv4-mapped.
    package var bytes: [UInt8] {
        let (high, low): (UInt64, UInt64) =
            switch self {
            case .version4(let value): (0, 0xffff_0000_0000 | UInt64(value))
            case .version6(let high, let low, _): (high, low)
            }
        return [high, low].flatMap { half in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
        }
    }

    /// True for an address that only programs of this machine can reach.
    package var isLoopback: Bool {
        switch self {
        case .version4(let value): value >> 24 == 127
        case .version6(let high, let low, _): high == 0 && low == 1
        }
    }

    package var isVersion4: Bool {
        switch self {
        case .version4: true
        case .version6: false
        }
    }

    /// True for a NAT64 or 6to4 address that contains an IPv4 address which is not routable.
    private var holdsUnroutable: Bool {
        guard case .version6(let high, let low, _) = self else { return false }
        let held: UInt64
        if high == 0x0064_ff9b_0000_0000 {
            held = low
        } else if high >> 48 == 0x2002 {
            held = high >> 16
        } else {
            return false
        }
        return !SocketAddress.Host.version4(UInt32(truncatingIfNeeded: held)).isRoutable
    }

    /// One value for all addresses that one subscriber usually has: an IPv4 address, or the first 64 bits of an IPv6
    /// address.
    package var subscriber: SocketAddress.Host {
        switch self {
        case .version4: self
        case .version6(let high, _, let interface): .version6(high: high, low: 0, interface: interface)
        }
    }
}

extension SocketAddress.Host: CustomStringConvertible {
    /// Reads an address; nil if it is malformed.
    ///
    /// After an IPv6 address, `%` and the name or number of an interface may follow.
    package init?(text: String) {
        var four = in_addr()
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            self = .version4(UInt32(bigEndian: four.s_addr))
            return
        }
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var interface: UInt32 = 0
        if parts.count == 2 {
            let name = String(parts[1])
            guard let number = UInt32(name) ?? Self.interface(named: name) else { return nil }
            interface = number
        }
        var six = in6_addr()
        guard unsafe inet_pton(AF_INET6, String(parts[0]), &six) == 1 else { return nil }
        self.init(six, interface: interface)
    }

    /// Reads sixteen bytes in network byte order; an IPv4-mapped address becomes an IPv4 address.
    init(_ six: in6_addr, interface: UInt32) {
        let (high, low) = unsafe withUnsafeBytes(of: six) { bytes in
            unsafe (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        let isVersion4 = high == 0 && low >> 32 == 0xffff
        self =
            isVersion4
            ? .version4(UInt32(truncatingIfNeeded: low))
            : .version6(high: high, low: low, interface: interface)
    }

    package var description: String {
        switch self {
        case .version4(let value):
            return [24, 16, 8, 0].map { String(value >> $0 & 255) }.joined(separator: ".")
        case .version6(_, _, let interface):
            var six = sixteenBytes
            var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            let text = unsafe inet_ntop(AF_INET6, &six, &buffer, socklen_t(buffer.count))
            precondition(unsafe text != nil, "an address could not be written as text")
            let address = String(
                decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return interface == 0 ? address : "\(address)%\(interface)"
        }
    }

    /// The address as sixteen bytes in network byte order.
    var sixteenBytes: in6_addr {
        let (high, low): (UInt64, UInt64)
        switch self {
        case .version4(let value): (high, low) = (0, 0xffff_0000_0000 | UInt64(value))
        case .version6(let first, let last, _): (high, low) = (first, last)
        }
        var six = in6_addr()
        unsafe withUnsafeMutableBytes(of: &six) { bytes in
            unsafe bytes.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
            unsafe bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return six
    }

    /// Returns the number of the network interface with this name; nil if there is none.
    private static func interface(named name: String) -> UInt32? {
        let number = unsafe if_nametoindex(name)
        return number == 0 ? nil : number
    }
}
