import CLinux
import Glibc

/// Functions that list the addresses of this machine's network interfaces.
package enum LocalAddresses {
    /// An address, and the interface that has the address.
    struct Entry: Hashable {
        let host: SocketAddress.Host
        let interface: String
        /// True if the interface is up and has a carrier.
        let isRunning: Bool
    }

    /// Returns the names of the interfaces that have an address but no carrier; empty if any interface has a carrier.
    ///
    /// The loopback interface and tunnels are left out.
    package static func unpluggedInterfaces() throws(NetworkError) -> [String] {
        unplugged(among: try NetworkInterface.present())
    }

    /// Returns the unplugged ones of these interfaces; empty if any of them is running.
    static func unplugged(among interfaces: [NetworkInterface]) -> [String] {
        let outer = interfaces.filter { !$0.isLoopback && !$0.isTunnel && !$0.addresses.isEmpty }
        return outer.contains(where: \.isRunning) ? [] : outer.map(\.name).sorted()
    }

    /// Returns all addresses, including those of the loopback interface.
    static func present() throws(NetworkError) -> Set<SocketAddress.Host> { Set(try entries().map(\.host)) }

    /// Returns the addresses at which other machines can probably reach this machine, the best address first.
    ///
    /// These are the routable addresses of the interfaces with a default route. If there is no default route, they are
    /// the routable addresses of all running interfaces. IPv4 addresses come first, because they are easier to type.
    package static func reachable() throws(NetworkError) -> [SocketAddress.Host] {
        try reachable(among: try entries(), defaultRoutes: DefaultRoutes.interfaces())
    }

    /// Returns those of these addresses that other machines can probably reach; `interfaces` are those with a default
    /// route.
    static func reachable(
        among entries: [Entry], defaultRoutes interfaces: [String]
    ) throws(NetworkError) -> [SocketAddress.Host] {
        let usable = entries.filter { $0.isRunning && $0.host.isRoutable }
        let routed = interfaces.flatMap { interface in usable.filter { $0.interface == interface } }
        var hosts: [SocketAddress.Host] = []
        for entry in routed.isEmpty ? usable : routed where !hosts.contains(entry.host) {
            hosts.append(entry.host)
        }
        return hosts.filter(\.isVersion4) + hosts.filter { !$0.isVersion4 }
    }

    /// Asks the kernel for all addresses.
    static func entries() throws(NetworkError) -> [Entry] {
        var list: UnsafeMutablePointer<ifaddrs>?
        try SystemCall.run("list the addresses of this machine") { unsafe getifaddrs(&list) }
        defer { unsafe freeifaddrs(list) }
        var entries: [Entry] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let system = unsafe entry.pointee.ifa_addr, let address = unsafe SocketAddress(system) {
                let flags = Int32(bitPattern: unsafe entry.pointee.ifa_flags)
                let running = Int32(IFF_UP | IFF_RUNNING)
                entries.append(
                    Entry(
                        host: address.host, interface: unsafe String(cString: entry.pointee.ifa_name),
                        isRunning: flags & running == running))
            }
            unsafe next = entry.pointee.ifa_next
        }
        return entries
    }
}

/// Reads the kernel's default routes.
enum DefaultRoutes {
    /// Returns the names of the interfaces with a default route, the preferred one first; empty if the routes can't be
    /// read.
    static func interfaces() -> [String] {
        let four = lines(of: "/proc/net/route").compactMap(version4)
        let six = lines(of: "/proc/net/ipv6_route").compactMap(version6)
        var names: [String] = []
        for route in (four + six).sorted(by: { $0.metric < $1.metric }) where !names.contains(route.interface)
        {
            names.append(route.interface)
        }
        return names
    }

    /// A default route; the kernel prefers the route with the smallest metric.
    struct Route: Equatable {
        let interface: String
        let metric: UInt32
    }

    /// Reads a line of `/proc/net/route`: interface, destination, gateway, flags, two counters, metric, mask.
    static func version4(_ line: Substring) -> Route? {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count > 7, words[1] == "00000000", words[7] == "00000000",
            let flags = UInt32(words[3], radix: 16), flags & isUp != 0, flags & isReject == 0,
            let metric = UInt32(words[6])
        else { return nil }
        return Route(interface: String(words[0]), metric: metric)
    }

    /// Reads a line of `/proc/net/ipv6_route`: destination, its length, source, its length, next hop, metric, two
    /// counters, flags, interface.
    static func version6(_ line: Substring) -> Route? {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count > 9, words[0].allSatisfy({ $0 == "0" }), words[1] == "00",
            let metric = UInt32(words[5], radix: 16),
            let flags = UInt32(words[8], radix: 16), flags & isUp != 0, flags & isReject == 0
        else { return nil }
        return Route(interface: String(words[9]), metric: metric)
    }

    /// The flags `RTF_UP` and `RTF_REJECT` of a route.
    private static let isUp: UInt32 = 0x1
    private static let isReject: UInt32 = 0x200

    /// Returns the lines of a file; empty if the file does not exist, as for IPv6 on a machine without IPv6.
    private static func lines(of path: String) -> [Substring] {
        do throws(NetworkError) {
            let text = String(decoding: try FileDescriptor.contents(of: path, limit: 1 << 20), as: UTF8.self)
            return text.split(separator: "\n")
        } catch {
            return []
        }
    }
}
