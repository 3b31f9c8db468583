import CLinux
import Glibc

/// Values by which the machines on one link recognise that they are on the same one.
///
/// A link is recognised by the hardware addresses of its routers, which all its machines see. A link without a known
/// router is recognised by its address prefixes. If a machine has only link-local addresses there, nothing tells the
/// link from others like it. Machines behind two access points of one network have the same router. Somebody who runs
/// another network can give it the same values.
package struct LinkFingerprints: Hashable, Sendable {
    /// The values by which this machine identifies the link to others, the first one first; at most `limit`.
    package let told: [[UInt8]]
    /// The values that stand for this link when other machines use them.
    package let recognised: Set<[UInt8]>
    /// The values under which this machine remembers the link.
    package let remembered: Set<[UInt8]>

    /// The most values of a link that are sent to others or remembered.
    package static let limit = 2

    /// Makes the fingerprints of an interface's link, which has routers with these hardware addresses.
    package init(of interface: NetworkInterface, routers: Set<[UInt8]>) {
        let known = routers.map { [Kind.router.rawValue] + $0 }.sorted { $0.lexicographicallyPrecedes($1) }
        let prefixes = interface.addresses.filter { $0.host.isRoutable }
            .map { (bytes: [Kind.prefix.rawValue] + $0.prefixBytes, isShared: !$0.isHostAlone) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        let shared = prefixes.filter(\.isShared).map(\.bytes)
        let first = known.isEmpty ? shared : known
        told = first.isEmpty ? [Self.nameless] : Array(first.prefix(Self.limit))
        // This machine may be the router itself, by whose address other machines identify the link.
        let own = [Kind.router.rawValue] + interface.hardwareAddress
        // A machine that just came to a link has link-local addresses alone for a moment, and announces itself. That
        // announcement must not count on any other link.
        recognised = Set(known + shared + [own] + (first.isEmpty ? [Self.nameless] : []))
        remembered = Set((known.isEmpty ? prefixes.map(\.bytes) : known).prefix(Self.limit))
    }

    /// The first byte of a fingerprint.
    private enum Kind: UInt8 {
        /// Six or more bytes follow: the hardware address of a router.
        case router = 1
        /// Seventeen bytes follow: a prefix, filled up with zero bits, and its length.
        case prefix = 2
        /// Nothing follows: this machine has no address there but link-local ones.
        case nameless = 3
    }

    /// The fingerprint of a link on which a machine has only link-local addresses.
    private static let nameless = [Kind.nameless.rawValue]
}

extension LinkFingerprints {
    /// Asks the kernel for the links of all interfaces that are running, by the numbers of the interfaces.
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
    /// Whether the address has no neighbours, as on many VPNs.
    fileprivate var isHostAlone: Bool { prefixLength == (host.isVersion4 ? 32 : 128) }

    /// The prefix in sixteen bytes, IPv4-mapped if it is one of IPv4, and its length.
    fileprivate var prefixBytes: [UInt8] {
        let length = host.isVersion4 ? prefixLength + 96 : prefixLength
        let masked = host.bytes.enumerated().map { place, byte in
            byte & UInt8(truncatingIfNeeded: 0xff00 >> min(max(length - 8 * place, 0), 8))
        }
        return masked + [UInt8(length)]
    }
}

/// The default routers of this machine's links, as the kernel knows them.
private enum Routers {
    /// The sizes of `struct rtmsg` and `struct ndmsg`, which are part of the kernel's interface.
    private static let (routeCount, neighbourCount) = (12, 12)

    /// A neighbour on a link.
    private struct Neighbour: Hashable {
        let interface: UInt32
        let address: [UInt8]
    }

    /// Returns the hardware addresses of the routers, by the numbers of the interfaces.
    ///
    /// A router is left out while the kernel does not know its hardware address.
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

    /// Reads a route; nil if it is not a default route through a router.
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

    /// Reads a neighbour and its hardware address; nil if that is not known.
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
    /// When the links were read; nil if they have changed since.
    private var looked: MonotonicTime?

    /// How long the cached links are valid.
    private static let freshness = Duration.seconds(2)

    package init(on loop: EventLoop) { self.loop = loop }

    /// Drops the cached links, because the network has changed.
    package func forget() { looked = nil }

    /// Returns the fingerprints of an interface's link; nil if there is no such interface.
    package func fingerprints(of interface: UInt32) -> LinkFingerprints? {
        look()
        return links[interface]?.fingerprints
    }

    /// Returns the values under which to remember the link that a connection from this address of the machine uses;
    /// none if the address is on no link, as that of the loopback interface.
    package func remembered(carrying address: SocketAddress.Host?) -> Set<[UInt8]> {
        guard let address else { return [] }
        look()
        let bytes = address.bytes
        let link = links.values.first { $0.interface.addresses.contains { $0.host.bytes == bytes } }
        return link?.fingerprints.remembered ?? []
    }

    /// The values under which links that are present now may be remembered.
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
            // The kernel is out of memory. Without links, private addresses are not dialled until the next read.
            links = [:]
        }
    }
}

extension LinkFingerprints {
    /// The values that a stored address may have if the device was reached on this link.
    fileprivate var recognisedOrRemembered: Set<[UInt8]> { recognised.union(remembered) }
}
