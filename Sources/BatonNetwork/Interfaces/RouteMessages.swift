import CLinux
import Glibc

/// A netlink socket that receives the kernel's notices about changed addresses, routes and interfaces.
///
/// The kernel sends a notice only when something changes, so a steady network causes no work.
package struct RouteMessages: ~Copyable {
    /// The socket; it becomes readable when there is a notice.
    package let socket: FileDescriptor
    /// The buffer for one datagram, which may hold several notices.
    private var buffer: [UInt8]

    /// The subjects that a number of notices were about.
    package struct Summary: Equatable {
        /// True if an address was added, removed or confirmed.
        var hasAddress = false
        /// True if a route to another network was added.
        var hasRoute = false
        /// True if an interface was added, removed or renamed, or if it got or lost its carrier.
        var hasInterface = false

        /// True if there was no notice.
        package var isEmpty: Bool { self == Summary() }

        /// The summary that is used if the kernel dropped notices.
        static let everything = Summary(hasAddress: true, hasRoute: true, hasInterface: true)
    }

    /// The subjects about which the kernel sends notices.
    package struct Subjects: OptionSet {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The addresses of this machine.
        package static let addresses = Subjects(rawValue: UInt32(RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR))
        /// The routes of this machine.
        static let routes = Subjects(rawValue: UInt32(RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE))
        /// The interfaces of this machine.
        package static let interfaces = Subjects(rawValue: UInt32(RTMGRP_LINK))
    }

    package init(of subjects: Subjects) throws(NetworkError) {
        let socket = try Self.open(subjects)
        self.socket = socket
        buffer = [UInt8](repeating: 0, count: 32 << 10)
    }

    /// Opens a socket that receives a notice about every change of these subjects.
    private static func open(_ subjects: Subjects) throws(NetworkError) -> FileDescriptor {
        let operation = "watch the network for changes"
        let socket = try Netlink.open(flags: Socket.flags, for: operation)
        let file = socket.number
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = subjects.rawValue
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
    package mutating func readSummary() -> Summary {
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
        Netlink.forEachMessage(in: datagram) { kind, body in
            switch kind {
            case Int(RTM_NEWADDR), Int(RTM_DELADDR): summary.hasAddress = true
            case Int(RTM_NEWLINK), Int(RTM_DELLINK): summary.hasInterface = true
            case Int(RTM_NEWROUTE): summary.hasRoute = summary.hasRoute || leadsElsewhere(body)
            default: break
            }
        }
    }

    /// Returns whether a notice is about a route to other machines, and not about a local route that every interface
    /// has.
    private static func leadsElsewhere(_ body: ArraySlice<UInt8>) -> Bool {
        guard body.count >= routeCount else { return false }
        let (family, prefix) = (Int32(body.number(UInt8.self, at: 0)), body.number(UInt8.self, at: 1))
        let (table, kind) = (body.number(UInt8.self, at: 4), body.number(UInt8.self, at: 7))
        guard Int(table) == Int(RT_TABLE_MAIN.rawValue), Int(kind) == RTN_UNICAST else {
            return false
        }
        guard family == AF_INET6, prefix > 0 else { return true }
        let destination = Netlink.attribute(Int(RTA_DST.rawValue), of: body.dropFirst(routeCount)) ?? []
        // 0xfe begins a link-local address, and 0xff a multicast address.
        return ![0xfe, 0xff].contains(destination.first ?? 0)
    }

    /// The size of `struct rtmsg`, which is part of the kernel's interface.
    private static let routeCount = 12
}
