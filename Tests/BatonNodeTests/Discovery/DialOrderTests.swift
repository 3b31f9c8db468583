import BatonCore
import BatonNetwork
import BatonNode
import Testing

/// The order in which the addresses of a device are tried.
@Suite struct `Dial order` {
    private var order = DialOrder()

    private func addresses(_ texts: [String]) throws -> [SocketAddress] {
        try texts.map { try SocketAddress(text: $0) }
    }

    /// Takes everything that is left.
    private mutating func drain() -> [String] {
        var taken: [String] = []
        while let entry = order.next() { taken.append(entry.address.description) }
        return taken
    }

    @Test mutating func `IPv4 and IPv6 addresses of a host name alternate, the preferred family first`()
        throws
    {
        let name = try addresses([
            "[2001:db8::1]:1", "[2001:db8::2]:1", "192.0.2.1:1", "[2001:db8::3]:1",
        ])
        #expect(order.add(name, of: "name:1") == 4)
        #expect(drain() == ["[2001:db8::1]:1", "192.0.2.1:1", "[2001:db8::2]:1", "[2001:db8::3]:1"])
        #expect(order.next() == nil)
    }

    @Test mutating func `one address of each place is tried in turn, the best place first`() throws {
        _ = order.add(try addresses(["192.0.2.1:1", "192.0.2.2:1", "192.0.2.3:1"]), of: "a")
        _ = order.add(try addresses(["192.0.2.11:1"]), of: "b")
        _ = order.add(try addresses(["192.0.2.21:1", "192.0.2.22:1"]), of: "c")
        #expect(
            drain() == [
                "192.0.2.1:1", "192.0.2.11:1", "192.0.2.21:1", "192.0.2.2:1", "192.0.2.22:1", "192.0.2.3:1",
            ])
    }

    @Test mutating func `an address that several places share is tried once, for the first of these places`()
        throws
    {
        #expect(order.add(try addresses(["192.0.2.1:1"]), of: "a") == 1)
        #expect(order.add(try addresses(["192.0.2.1:1", "192.0.2.2:1", "192.0.2.2:1"]), of: "b") == 1)
        let (first, second) = (order.next(), order.next())
        #expect(first?.place == "a" && second?.place == "b")
        #expect(order.add(try addresses(["192.0.2.1:1"]), of: "c") == 0)
    }

    @Test mutating func `a host name with a thousand addresses gets a limited number of attempts`() throws {
        let many = try addresses((0..<1000).map { "10.0.\($0 / 250).\($0 % 250 + 1):1" })
        #expect(order.add(many, of: "name") == Limits.attemptsPerRound)
        #expect(order.add(try addresses(["192.0.2.1:1"]), of: "other") == 0)
        #expect(drain().count == Limits.attemptsPerRound)
    }
}

/// The addresses under which a device is announced.
@Suite struct `Found places` {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private var places = FoundPlaces(Limits(), now: `Found places`.start)

    @Test mutating func `new addresses are tried immediately, and addresses no longer announced are dropped`()
    {
        #expect(places.set(["a:1", "b:1"], now: Self.start) == ["a:1", "b:1"])
        #expect(places.set(["b:1", "c:1"], now: Self.start) == ["c:1"])
        #expect(places.addresses == ["b:1", "c:1"])
        #expect(places.set([], now: Self.start).isEmpty && places.addresses.isEmpty)
    }

    @Test
    mutating func `a failing address is tried ever more rarely, and the other addresses are not delayed`() {
        _ = places.set(["a:1", "b:1"], now: Self.start)
        var now = Self.start
        var attempts = 0
        while now < Self.start + .seconds(3600) {
            if places.due(at: now).contains("a:1") {
                attempts += 1
                places.noteFailure(at: "a:1", now: now)
            }
            #expect(places.due(at: now).contains("b:1"))
            now = now + .seconds(1)
        }
        #expect((15...25).contains(attempts), "\(attempts)")
        places.hurry(now: now)
        #expect(places.due(at: now) == ["a:1", "b:1"])
    }

    @Test
    mutating func
        `thousands of found addresses use eight places and few attempts, and displace no working address`()
    {
        _ = places.set(["real:1"], now: Self.start)
        var tried = 0
        for round in 0..<1000 {
            let now = Self.start + .milliseconds(Int64(round))
            tried += places.set(["real:1"] + (0..<100).map { "x\(round)-\($0):1" }, now: now).count
            for address in places.addresses where address != "real:1" {
                places.noteFailure(at: address, now: now)
            }
            #expect(places.addresses.count <= Limits.foundAddresses && places.addresses.contains("real:1"))
        }
        // Eight at once, and one a second.
        #expect(tried <= 9, "\(tried)")
    }

    @Test mutating func `when all places are used, a new address replaces the one that failed most`() {
        let first = (0..<Limits.foundAddresses).map { "x\($0):1" }
        _ = places.set(first, now: Self.start)
        _ = places.set(first + ["y:1"], now: Self.start)
        #expect(places.addresses == first, "nothing has failed yet")
        places.noteFailure(at: "x3:1", now: Self.start)
        _ = places.set(first + ["y:1"], now: Self.start + .seconds(60))
        #expect(places.addresses.contains("y:1") && !places.addresses.contains("x3:1"))
    }
}
