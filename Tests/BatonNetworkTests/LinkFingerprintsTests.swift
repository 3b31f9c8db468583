import Testing

@testable import BatonNetwork

/// The values by which machines recognise that they are on one link.
@Suite struct `Link fingerprints` {
    private static let (router, other): ([UInt8], [UInt8]) = ([2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 2])

    private static func fingerprints(
        of addresses: [String], routers: Set<[UInt8]> = [], hardware: [UInt8] = [2, 0, 0, 0, 0, 9]
    ) throws -> LinkFingerprints {
        let parsed = try addresses.map { text in
            let parts = text.split(separator: "/")
            return NetworkInterface.Address(
                host: try #require(SocketAddress.Host(text: String(parts[0]))),
                prefixLength: try #require(Int(parts[1])))
        }
        return LinkFingerprints(
            of: NetworkInterface(index: 2, name: "eth0", addresses: parsed, hardwareAddress: hardware),
            routers: routers)
    }

    /// Whether one of two machines recognises what the other one tells.
    private static func meet(_ one: LinkFingerprints, _ two: LinkFingerprints) -> Bool {
        !one.recognised.isDisjoint(with: two.told) || !two.recognised.isDisjoint(with: one.told)
    }

    @Test func `machines with the same router recognise each other, whatever their prefixes`() throws {
        let one = try Self.fingerprints(of: ["192.168.1.5/24"], routers: [Self.router])
        let two = try Self.fingerprints(of: ["10.1.0.7/16"], routers: [Self.router, Self.other])
        #expect(Self.meet(one, two))
        #expect(one.told == [[1] + Self.router] && one.remembered == [[1] + Self.router])
    }

    @Test func `two networks with the same prefix and different routers are different`() throws {
        let home = try Self.fingerprints(of: ["192.168.1.5/24"], routers: [Self.router])
        let cafe = try Self.fingerprints(of: ["192.168.1.7/24"], routers: [Self.other])
        #expect(!Self.meet(home, cafe))
        #expect(home.remembered.isDisjoint(with: cafe.recognised))
    }

    @Test
    func `a machine without a router is recognised by its prefix, and a router by its own hardware address`()
        throws
    {
        let guest = try Self.fingerprints(of: ["192.168.1.5/24", "fe80::1/64"], routers: [Self.router])
        let printer = try Self.fingerprints(of: ["192.168.1.9/24"])
        let router = try Self.fingerprints(of: ["192.168.1.1/24"], hardware: Self.router)
        #expect(Self.meet(guest, printer) && Self.meet(guest, router) && Self.meet(printer, router))
        let prefix: [UInt8] = [2] + [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 192, 168, 1, 0, 120]
        #expect(printer.told == [prefix])
        let elsewhere = try Self.fingerprints(of: ["192.168.2.9/24"])
        #expect(!Self.meet(printer, elsewhere))
    }

    @Test func `machines that have only link-local addresses recognise each other`() throws {
        let one = try Self.fingerprints(of: ["fe80::1/64"])
        let two = try Self.fingerprints(of: ["fe80::2/64", "169.254.3.4/16"])
        #expect(one.told == [[3]] && Self.meet(one, two))
        #expect(one.remembered.isEmpty)
    }

    @Test func `a machine with only link-local addresses is not recognised on a link with other addresses`()
        throws
    {
        let new = try Self.fingerprints(of: ["fe80::1/64"])
        for routers in [[], [Self.router]] as [Set<[UInt8]>] {
            let settled = try Self.fingerprints(of: ["192.168.1.5/24", "fe80::2/64"], routers: routers)
            #expect(settled.recognised.isDisjoint(with: new.told))
        }
    }

    @Test func `the single address of a VPN is remembered, and not sent to others`() throws {
        let tunnel = try Self.fingerprints(of: ["100.64.0.3/32"], hardware: [])
        #expect(tunnel.told == [[3]] && tunnel.remembered.count == 1)
    }

    @Test func `the fingerprints of this machine's links can be read`() throws {
        for (index, link) in try LinkFingerprints.present() {
            #expect(index == link.0.index && !link.1.told.isEmpty)
            #expect(link.1.recognised.isSuperset(of: link.1.told))
        }
    }
}
