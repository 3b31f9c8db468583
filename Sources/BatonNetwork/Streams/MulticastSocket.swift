import CLinux
import Glibc

/// A UDP socket that has joined a multicast group, on one interface and for one IP version.
///
/// Other programs on this machine may have sockets at the same port. Each of these sockets gets every packet to the
/// group.
package struct MulticastSocket: ~Copyable {
    /// A packet that was sent to the group and arrived on this socket's interface.
    package struct Packet {
        package let bytes: [UInt8]
        package let source: SocketAddress
    }

    /// The socket; it becomes readable when there is a packet.
    package let descriptor: FileDescriptor
    private let group: MulticastGroup
    private let family: IPVersion
    private let interface: UInt32

    /// Opens a socket and joins the group.
    package init(
        _ group: MulticastGroup, _ family: IPVersion, on interface: UInt32
    ) throws(NetworkError) {
        (self.group, self.family, self.interface) = (group, family, interface)
        descriptor = try Self.open(group, family, on: interface)
    }

    /// Opens a socket at the port of the group, and joins the group.
    private static func open(
        _ group: MulticastGroup, _ family: IPVersion, on interface: UInt32
    ) throws(NetworkError) -> FileDescriptor {
        let domain = family == .version4 ? AF_INET : AF_INET6
        let operation = "open the port of \(group.name) for \(family.rawValue)"
        let number = try SystemCall.run(operation) {
            socket(domain, Int32(SOCK_DGRAM.rawValue) | Socket.flags, 0)
        }
        let descriptor = FileDescriptor(owning: number)
        try Socket.set(SO_REUSEADDR, to: 1, on: descriptor)
        try Socket.set(SO_REUSEPORT, to: 1, on: descriptor)
        switch family {
        case .version4: try join4(group, descriptor, interface)
        case .version6: try join6(group, descriptor, interface)
        }
        let any: SocketAddress.Host =
            family == .version4 ? .version4(0) : .version6(high: 0, low: 0, interface: 0)
        try SystemCall.run(operation) {
            unsafe SocketAddress(host: any, port: group.port).withSystemAddress { address, length in
                unsafe bind(number, address, length)
            }
        }
        return descriptor
    }

    /// Sets the options of an IPv4 socket.
    private static func join4(
        _ group: MulticastGroup, _ socket: borrowing FileDescriptor, _ interface: UInt32
    ) throws(NetworkError) {
        let level = Int32(IPPROTO_IP)
        try Socket.set(IP_PKTINFO, at: level, to: 1, on: socket)
        try Socket.set(IP_TTL, at: level, to: 255, on: socket)
        try Socket.set(IP_MULTICAST_TTL, at: level, to: 255, on: socket)
        try Socket.set(IP_MULTICAST_LOOP, at: level, to: 1, on: socket)
        // Without this option, the socket would also get packets to groups that only other sockets of this machine have
        // joined.
        try Socket.set(IP_MULTICAST_ALL, at: level, to: 0, on: socket)
        guard case .version4(let host) = group.host(.version4) else { return }
        var request = ip_mreqn()
        request.imr_multiaddr.s_addr = host.bigEndian
        request.imr_ifindex = Int32(bitPattern: interface)
        let file = socket.number
        let length = socklen_t(MemoryLayout<ip_mreqn>.size)
        for option in [IP_MULTICAST_IF, IP_ADD_MEMBERSHIP] {
            try SystemCall.run("join the group of \(group.name)") {
                unsafe setsockopt(file, level, option, &request, length)
            }
        }
    }

    /// Sets the options of an IPv6 socket.
    private static func join6(
        _ group: MulticastGroup, _ socket: borrowing FileDescriptor, _ interface: UInt32
    ) throws(NetworkError) {
        let level = Int32(IPPROTO_IPV6)
        try Socket.set(IPV6_V6ONLY, at: level, to: 1, on: socket)
        try Socket.set(IPV6_RECVPKTINFO, at: level, to: 1, on: socket)
        try Socket.set(IPV6_UNICAST_HOPS, at: level, to: 255, on: socket)
        try Socket.set(IPV6_MULTICAST_HOPS, at: level, to: 255, on: socket)
        try Socket.set(IPV6_MULTICAST_LOOP, at: level, to: 1, on: socket)
        try Socket.set(IPV6_MULTICAST_IF, at: level, to: Int32(bitPattern: interface), on: socket)
        try Socket.set(multicastAll6, at: level, to: 0, on: socket)
        var request = ipv6_mreq()
        request.ipv6mr_multiaddr = group.host(.version6).sixteenBytes
        request.ipv6mr_interface = interface
        let file = socket.number
        try SystemCall.run("join the group of \(group.name)") {
            unsafe setsockopt(
                file, level, IPV6_ADD_MEMBERSHIP, &request, socklen_t(MemoryLayout<ipv6_mreq>.size))
        }
    }

    /// The value of the option `IPV6_MULTICAST_ALL`, which older C libraries do not define.
    private static let multicastAll6: Int32 = 29

    // MARK: Packets

    /// Sends a packet to one machine; without a machine, to the group.
    package func send(_ packet: [UInt8], to machine: SocketAddress? = nil) throws(NetworkError) {
        let address =
            machine ?? SocketAddress(host: group.host(family, interface: interface), port: group.port)
        let file = descriptor.number
        try SystemCall.run("send to \(address.host)") {
            unsafe address.withSystemAddress { address, length in
                unsafe sendto(file, packet, packet.count, 0, address, length)
            }
        }
    }

    /// The result of an attempt to receive a packet.
    package enum Reception {
        /// A packet to the group.
        case packet(Packet)
        /// A packet that is too long, or that was not sent to the group on this interface.
        case stray
        /// No packet has arrived.
        case nothing
    }

    /// Receives the next packet, without waiting.
    package func receive() -> Reception {
        var (bytes, control) = (
            [UInt8](repeating: 0, count: group.packetBytesMost), [UInt8](repeating: 0, count: 256)
        )
        var (count, controlCount, isCut) = (0, 0, false)
        let file = descriptor.number
        let source = unsafe SocketAddress(filledBy: { address, length in
            unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe control.withUnsafeMutableBytes { control in
                    var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                    unsafe withUnsafeMutablePointer(to: &part) { part in
                        var message = unsafe msghdr()
                        unsafe message.msg_name = UnsafeMutableRawPointer(address)
                        unsafe message.msg_namelen = length.pointee
                        unsafe message.msg_iov = part
                        unsafe message.msg_iovlen = 1
                        unsafe message.msg_control = control.baseAddress
                        unsafe message.msg_controllen = numericCast(control.count)
                        let (result, _) = SystemCall.attempt { unsafe recvmsg(file, &message, 0) }
                        count = result
                        controlCount = unsafe Int(message.msg_controllen)
                        isCut = unsafe message.msg_flags & Int32(truncatingIfNeeded: MSG_TRUNC) != 0
                    }
                }
            }
        })
        guard count >= 0 else { return .nothing }
        guard let source, !isCut, isForGroup(control.prefix(controlCount)) else { return .stray }
        return .packet(Packet(bytes: Array(bytes.prefix(count)), source: source))
    }

    /// Returns whether the packet arrived on this interface and was sent to the group, according to the kernel.
    private func isForGroup(_ control: ArraySlice<UInt8>) -> Bool {
        let (level, kind) =
            family == .version4
            ? (Int32(IPPROTO_IP), IP_PKTINFO) : (Int32(IPPROTO_IPV6), IPV6_PKTINFO)
        var rest = control
        while rest.count >= MemoryLayout<cmsghdr>.size {
            let header = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: cmsghdr.self) }
            let length = Int(header.cmsg_len)
            guard length >= MemoryLayout<cmsghdr>.size, length <= rest.count else { return false }
            if header.cmsg_level == level, header.cmsg_type == kind {
                return isForGroup(arrival: rest.prefix(length).dropFirst(MemoryLayout<cmsghdr>.size))
            }
            let alignment = MemoryLayout<Int>.size
            rest = rest.dropFirst((length + alignment - 1) & ~(alignment - 1))
        }
        return false
    }

    /// Reads `struct in_pktinfo` or `struct in6_pktinfo`: the interface and the destination address of the packet.
    private func isForGroup(arrival: ArraySlice<UInt8>) -> Bool {
        switch family {
        case .version4:
            guard arrival.count >= 12 else { return false }
            let host = SocketAddress.Host.version4(UInt32(bigEndian: arrival.number(UInt32.self, at: 8)))
            return arrival.number(UInt32.self, at: 0) == interface && host == group.host(.version4)
        case .version6:
            guard arrival.count >= 20 else { return false }
            let host = SocketAddress.Host.version6(
                high: UInt64(bigEndian: arrival.number(UInt64.self, at: 0)),
                low: UInt64(bigEndian: arrival.number(UInt64.self, at: 8)), interface: 0)
            return arrival.number(UInt32.self, at: 16) == interface && host == group.host(.version6)
        }
    }
}
