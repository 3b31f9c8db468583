import CLinux
import Glibc

/// A netlink socket with the kernel's notices about changed addresses and routes.
///
/// The kernel sends them only when something changes, so nothing wakes up on a steady network.
struct RouteMessages: ~Copyable {
    /// The socket; it becomes readable when there is a notice.
    let socket: FileDescriptor
    /// The memory for a datagram, which holds several notices.
    private var buffer: [UInt8]

    /// The subjects of a number of notices.
    struct Summary: Equatable {
        /// True if an address was added, removed or confirmed.
        var hasAddress = false
        /// True if a route to another network was added.
        var hasRoute = false

        /// The summary to assume when notices were lost.
        static let everything = Summary(hasAddress: true, hasRoute: true)
    }

    init() throws(NetworkError) {
        let socket = try Self.open()
        self.socket = socket
        buffer = [UInt8](repeating: 0, count: 32 << 10)
    }

    /// Opens a socket to which the kernel sends all changes of addresses and routes.
    private static func open() throws(NetworkError) -> FileDescriptor {
        let operation = "watch the network for changes"
        let flags = Int32(SOCK_RAW.rawValue) | Socket.flags
        let file = try SystemCall.run(operation) { Glibc.socket(AF_NETLINK, flags, NETLINK_ROUTE) }
        let socket = FileDescriptor(owning: file)
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(
            RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE)
        try SystemCall.run(operation) {
            unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(file, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
                }
            }
        }
        return socket
    }

    /// Reads all pending notices.
    mutating func take() -> Summary {
        var summary = Summary()
        let file = socket.number
        while true {
            let (count, error) = SystemCall.attempt { unsafe recv(file, &buffer, buffer.count, 0) }
            guard count >= 0 else {
                // `ENOBUFS` means that the kernel has dropped notices. Any other error means that none is pending.
                guard error == ENOBUFS else { return summary }
                summary = .everything
                continue
            }
            guard count > 0 else { return summary }
            Self.read(buffer.prefix(count), into: &summary)
        }
    }

    /// Reads the notices of one datagram.
    static func read(_ datagram: ArraySlice<UInt8>, into summary: inout Summary) {
        var rest = datagram
        while rest.count >= headerCount {
            let length = Int(rest.number(UInt32.self, at: 0))
            guard length >= headerCount, length <= rest.count else { return }
            let body = rest.prefix(length).dropFirst(headerCount)
            switch Int(rest.number(UInt16.self, at: 4)) {
            case Int(RTM_NEWADDR), Int(RTM_DELADDR): summary.hasAddress = true
            case Int(RTM_NEWROUTE): summary.hasRoute = summary.hasRoute || leadsElsewhere(body)
            default: break
            }
            rest = rest.dropFirst((length + 3) & ~3)
        }
    }

    /// Returns whether the body of a notice is about a route to other machines, and not one that every interface has.
    private static func leadsElsewhere(_ body: ArraySlice<UInt8>) -> Bool {
        guard body.count >= routeCount else { return false }
        let (family, prefix) = (Int32(body.number(UInt8.self, at: 0)), body.number(UInt8.self, at: 1))
        let (table, kind) = (body.number(UInt8.self, at: 4), body.number(UInt8.self, at: 7))
        guard Int(table) == Int(RT_TABLE_MAIN.rawValue), Int(kind) == RTN_UNICAST else {
            return false
        }
        guard family == AF_INET6, prefix > 0 else { return true }
        let destination = attribute(Int(RTA_DST.rawValue), of: body.dropFirst(routeCount)) ?? []
        // 0xfe is link-local, and 0xff multicast.
        return ![0xfe, 0xff].contains(destination.first ?? 0)
    }

    /// Returns the value of an attribute; nil if there is none.
    private static func attribute(_ kind: Int, of attributes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = attributes
        while rest.count >= 4 {
            let length = Int(rest.number(UInt16.self, at: 0))
            guard length >= 4, length <= rest.count else { return nil }
            if Int(rest.number(UInt16.self, at: 2)) == kind { return rest.prefix(length).dropFirst(4) }
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return nil
    }

    /// The sizes of `struct nlmsghdr` and `struct rtmsg`, which are part of the kernel's interface.
    private static let headerCount = 16
    private static let routeCount = 12
}

extension ArraySlice<UInt8> {
    /// Reads a number in this machine's byte order at a distance from the start.
    fileprivate func number<Value: FixedWidthInteger>(_: Value.Type, at distance: Int) -> Value {
        unsafe withUnsafeBytes { bytes in unsafe bytes.loadUnaligned(fromByteOffset: distance, as: Value.self)
        }
    }
}
