import CLinux
import Glibc

/// Values by which machines recognise that they are on the same network link.
///
/// A link is identified by the hardware addresses of its routers, which all machines on the link see. A link without a
/// known router is identified by its address prefixes. If a machine has only link-local addresses on a link, nothing
/// distinguishes that link from other such links. Machines behind two access points of one network see the same router.
/// Fingerprints prove nothing: somebody else can give another network the same values.
package struct LinkFingerprints: Hashable, Sendable {
    /// The values that this machine sends to tell other machines which link it is on, at most `limit`.
    package let told: [[UInt8]]
    /// The values that identify this link if another machine sends them.
    package let recognised: Set<[UInt8]>
    /// The values that this machine stores to remember the link.
    package let remembered: Set<[UInt8]>

    /// The largest number of values of a link that are sent to other machines or stored.
    package static let limit = 2

    /// Makes the fingerprints of the link of an interface; the routers are given by their hardware addresses.
    package init(of interface: NetworkInterface, routers: Set<[UInt8]>) {
        let known = routers.map { [Kind.router.rawValue] + $0 }.sorted { $0.lexicographicallyPrecedes($1) }
        let prefixes = interface.addresses.filter { $0.host.isRoutable }
            .map { (bytes: [Kind.prefix.rawValue] + $0.prefixBytes, isShared: !$0.isHostAlone) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        let shared = prefixes.filter(\.isShared).map(\.bytes)
        let first = known.isEmpty ? shared : known
        told = first.isEmpty ? [Self.nameless] : Array(first.prefix(Self.limit))
        // This machine may itself be the router whose address the other machines use to identify the link.
        let own = [Kind.router.rawValue] + interface.hardwareAddress
        // A machine that has just connected to a link has only link-local addresses for a moment, and already announces
        // itself. That announcement must not be valid on any other link.
        recognised = Set(known + shared + [own] + (first.isEmpty ? [Self.nameless] : []))
        remembered = Set((known.isEmpty ? prefixes.map(\.bytes) : known).prefix(Self.limit))
    }

    /// The first byte of a fingerprint.
    private enum Kind: UInt8 {
        /// The hardware address of a router follows, in six or more bytes.
        case router = 1
        /// Seventeen bytes follow: an address prefix, padded with zero bits, and the length of the prefix.
        case prefix = 2
        /// Nothing follows, because this machine has only link-local addresses on the link.
        case nameless = 3
    }

    /// The fingerprint of a link on which a machine has only link-local addresses.
    private static let nameless = [Kind.nameless.rawValue]
}

extension LinkFingerprints {
    /// Asks the kernel for the links of all running interfaces, keyed by the numbers of the interfaces.
    package static func present() throws(NetworkError) -> [UInt32: (NetworkInterface, LinkFingerprints)] {
        let routers = try Routers.present()
        var found: [UInt32: (NetworkInterface, LinkFingerprints)] = [:]
        for interface in try NetworkInterface.present() where interface.isRunning && !interface.isLoopback {
            let routers = routers[interface.index] ?? []
            found[interface.index] = (interface, LinkFingerprints(of: interface, routers: routers))
        }
        return found
    }
}

extension NetworkInterface.Address {
    /// Whether the address is a network of its own, without neighbours, as on many VPNs.
    fileprivate var isHostAlone: Bool { prefixLength == (host.isVersion4 ? 32 : 128) }

    /// The prefix as the sixteen bytes of an IPv6 address, and its length; an IPv4 prefix is IPv4-mapped.
    fileprivate var prefixBytes: [UInt8] {
        let length = host.isVersion4 ? prefixLength + 96 : prefixLength
        let masked = host.bytes.enumerated().map { place, byte in
            byte & UInt8(truncatingIfNeeded: 0xff00 >> min(max(length - 8 * place, 0), 8))
        }
        return masked + [UInt8(length)]
    }
}

/// Reads from the kernel the default routers of this machine's links.
private enum Routers {
    /// The sizes of `struct rtmsg` and `struct ndmsg`, which are part of the kernel's interface.
    private static let (routeCount, neighbourCount) = (12, 12)

    /// The interface and the address of a machine on one of the links.
    private struct Neighbour: Hashable {
        let interface: UInt32
        let address: [UInt8]
    }

    /// Returns the hardware addresses of the routers, keyed by the numbers of the interfaces.
    ///
    /// The result leaves out a router if the kernel does not know its hardware address at the moment.
    static func present() throws(NetworkError) -> [UInt32: Set<[UInt8]>] {
        let operation = "list the routers of this machine"
        var routers: Set<Neighbour> = []
        try Netlink.list(RTM_GETROUTE, zeros: routeCount, answer: RTM_NEWROUTE, for: operation) { body in
            if let router = router(body) { routers.insert(router) }
        }
        guard !routers.isEmpty else { return [:] }
        var found: [UInt32: Set<[UInt8]>] = [:]
        try Netlink.list(RTM_GETNEIGH, zeros: neighbourCount, answer: RTM_NEWNEIGH, for: operation) { body in
            guard let (neighbour, hardware) = neighbour(body), routers.contains(neighbour) else { return }
            found[neighbour.interface, default: []].insert(hardware)
        }
        return found
    }

    /// Reads a route; nil if it is not a default route that leads through a router.
    private static func router(_ body: ArraySlice<UInt8>) -> Neighbour? {
        guard body.count >= routeCount, body.number(UInt8.self, at: 1) == 0,
            Int(body.number(UInt8.self, at: 4)) == Int(RT_TABLE_MAIN.rawValue),
            Int(body.number(UInt8.self, at: 7)) == RTN_UNICAST
        else { return nil }
        let attributes = body.dropFirst(routeCount)
        guard let gateway = Netlink.attribute(Int(RTA_GATEWAY.rawValue), of: attributes),
            let interface = Netlink.attribute(Int(RTA_OIF.rawValue), of: attributes), interface.count == 4
        else { return nil }
        return Neighbour(interface: interface.number(UInt32.self, at: 0), address: Array(gateway))
    }

    /// Reads a neighbour and its hardware address; nil if the hardware address is not known.
    private static func neighbour(_ body: ArraySlice<UInt8>) -> (Neighbour, [UInt8])? {
        guard body.count >= neighbourCount else { return nil }
        let state = Int32(body.number(UInt16.self, at: 8))
        let attributes = body.dropFirst(neighbourCount)
        guard state & (NUD_INCOMPLETE | NUD_FAILED | NUD_NOARP) == 0,
            let address = Netlink.attribute(Int(NDA_DST), of: attributes),
            let hardware = Netlink.attribute(Int(NDA_LLADDR), of: attributes), hardware.count >= 6
        else { return nil }
        return (
            Neighbour(interface: body.number(UInt32.self, at: 4), address: Array(address)), Array(hardware)
        )
    }
}

/// The links of this machine, read from the kernel on demand and cached for some seconds.
package final class PresentLinks {
    private let loop: EventLoop
    private var links: [UInt32: (interface: NetworkInterface, fingerprints: LinkFingerprints)] = [:]
    /// The time when the links were last read; nil if they must be read again.
    private var looked: MonotonicTime?

    /// How long the cached links are valid.
    private static let freshness = Duration.seconds(2)

    package init(on loop: EventLoop) { self.loop = loop }

    /// Drops the cached links, because the network has changed.
    package func forget() { looked = nil }

    /// Returns the fingerprints of the link of an interface; nil if there is no such interface.
    package func fingerprints(of interface: UInt32) -> LinkFingerprints? {
        look()
        return links[interface]?.fingerprints
    }

    /// Returns the values to store for the link that a connection uses; `address` is this machine's end of the
    /// connection.
    ///
    /// The result is empty if the address is on no link, as for the loopback interface.
    package func remembered(carrying address: SocketAddress.Host?) -> Set<[UInt8]> {
        guard let address else { return [] }
        look()
        let bytes = address.bytes
        let link = links.values.first { $0.interface.addresses.contains { $0.host.bytes == bytes } }
        return link?.fingerprints.remembered ?? []
    }

    /// All values under which this machine may have stored one of the links that are present now.
    package var all: Set<[UInt8]> {
        look()
        return links.values.reduce(into: []) { $0.formUnion($1.fingerprints.recognisedOrRemembered) }
    }

    private func look() {
        if let looked, loop.now < looked + Self.freshness { return }
        looked = loop.now
        do throws(NetworkError) {
            links = try LinkFingerprints.present()
                .mapValues { (interface: $0.0, fingerprints: $0.1) }
        } catch {
            // The kernel is out of memory. Until the next read, no link is known, so no private addresses are dialled.
            links = [:]
        }
    }
}

extension LinkFingerprints {
    /// The values that may be stored with a device's address if the device was reached on this link.
    fileprivate var recognisedOrRemembered: Set<[UInt8]> { recognised.union(remembered) }
}
