import BatonCore
import BatonNetwork
import Testing

@testable import BatonNode

/// The networks on which an address of a device is dialled.
@Suite struct `The networks on which an address is dialled` {
    private static let (home, cafe): (Set<[UInt8]>, Set<[UInt8]>) = ([[1, 1]], [[1, 2], [2, 2]])

    /// Whether the first address of a route is dialled on these links.
    private func isDialled(_ route: Route, on links: Set<[UInt8]>) throws -> Bool {
        let place = try #require(route.places.first)
        return place.mayLead(
            to: try SocketAddress(text: place.address), isOwn: { _ in false }, present: { links })
    }

    private static let privateAddresses = [
        "192.168.1.5:4817", "10.0.0.1:4817", "172.31.0.1:4817", "100.64.0.1:4817", "169.254.1.1:4817",
        "[fd00::1]:4817",
    ]

    @Test(arguments: privateAddresses)
    func `are those on which the device was met, for a private address`(_ address: String) throws {
        var route = Route(name: "desktop")
        route.meet(at: address, on: Self.home)
        #expect(try isDialled(route, on: Self.home))
        #expect(try isDialled(route, on: Self.home.union(Self.cafe)))
        #expect(try !isDialled(route, on: Self.cafe) && !isDialled(route, on: []))
        route.meet(at: address, on: Self.cafe)
        #expect(try isDialled(route, on: Self.cafe) && isDialled(route, on: Self.home))
    }

    @Test func `are those of the connection that reported it, for a private address`() throws {
        var route = Route(name: "desktop")
        route.hear(told: "192.168.1.5:4817", on: Self.home)
        #expect(try isDialled(route, on: Self.home) && !isDialled(route, on: Self.cafe))
        route.hear(told: "192.168.1.5:4817", on: Self.cafe)
        #expect(try isDialled(route, on: Self.cafe))
        // The device was met on one of the two.
        route.meet(at: "192.168.1.5:4817", on: Self.home)
        #expect(try !isDialled(route, on: Self.cafe))
    }

    @Test(arguments: ["203.0.113.5:4817", "[2001:db8::1]:4817", "127.0.0.1:4817", "172.32.0.1:4817"])
    func `are all, for an address that is not private`(_ address: String) throws {
        var route = Route(name: "desktop")
        route.meet(at: address, on: Self.home)
        #expect(try isDialled(route, on: Self.cafe) && isDialled(route, on: []))
    }

    @Test func `are all, for an address that a person set, even if the device was met there`()
        throws
    {
        var route = Route(name: "desktop", named: ["192.168.1.5:4817"])
        #expect(try isDialled(route, on: []))
        route.meet(at: "192.168.1.5:4817", on: Self.home)
        #expect(try isDialled(route, on: Self.cafe))
        route.set(named: [])
        #expect(try !isDialled(route, on: Self.cafe) && isDialled(route, on: Self.home))
    }

    @Test func `are stored with the address, limited to the newest ones`() throws {
        var route = Route(name: "desktop")
        for number in UInt8(0)..<20 { route.meet(at: "192.168.1.5:4817", on: [[1, number]]) }
        let device = DeviceIdentifier(high: 1, low: 2)
        let read = try #require(Route.read(route.note(for: device)))
        #expect(read.device == device && read.route == route)
        #expect(read.route.places[0].links == (12..<20).reversed().map { [1, $0] })
    }
}
