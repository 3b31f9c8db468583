import Glibc
import Testing

@testable import BatonNetwork

@Suite struct `Socket address` {
    @Test(arguments: [
        "127.0.0.1:7000", "0.0.0.0:0", "255.255.255.255:65535", "[::1]:80", "[::]:1", "[fe80::1%3]:7",
        "[2001:db8::a:b]:443",
    ])
    func `an address survives conversion to text`(text: String) throws {
        let address = try SocketAddress(text: text)
        #expect(address.description == text)
        #expect(try SocketAddress(text: address.description) == address)
    }

    @Test(arguments: [
        "", "7000", "localhost", "127.0.0.1", ":", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
        "127.0.0.1:+1",
        "::1:80", "[::1]", "[::1]80", "[127.0.0.1]:80", "[[::1]]:80", "[::1:80", "1.2.3:80", "name:80",
        "127.0.0.1 :80", "[::1%]:80", "[::1%nosuchinterface]:80", "127.0.0.1:8٠",
    ])
    func `malformed addresses are refused`(text: String) {
        let error = #expect(throws: NetworkError.self) { try SocketAddress(text: text) }
        #expect(error?.code == .malformed)
    }

    @Test func `with the cable unplugged, a modem counts as a network connection, and a tunnel does not`() {
        func interface(
            _ name: String, isRunning: Bool, isTunnel: Bool = false, isLoopback: Bool = false
        ) -> NetworkInterface {
            NetworkInterface(
                index: 1, name: name, addresses: [.init(host: .version4(0x0a00_0001), prefixLength: 24)],
                isRunning: isRunning, isLoopback: isLoopback, isPointToPoint: isTunnel, isTunnel: isTunnel)
        }
        let (home, tunnel) = (
            interface("lo", isRunning: true, isLoopback: true),
            interface("wg0", isRunning: true, isTunnel: true)
        )
        let cable = interface("eth0", isRunning: false)
        #expect(LocalAddresses.unplugged(among: [home, cable, tunnel]) == ["eth0"])
        #expect(LocalAddresses.unplugged(among: [cable, tunnel, interface("ppp0", isRunning: true)]).isEmpty)
        #expect(LocalAddresses.unplugged(among: [home, tunnel]).isEmpty, "it may have no other network")
    }

    @Test func `a port alone is read as the wildcard address`() throws {
        let address = try SocketAddress(text: ":7000")
        #expect(address == .any(port: 7000))
        #expect(address.isAny)
        #expect(address.description == "[::]:7000")
    }

    @Test func `an IPv4-mapped IPv6 address is read as an IPv4 address`() throws {
        #expect(try SocketAddress(text: "[::ffff:127.0.0.1]:80") == .loopback(port: 80))
    }

    @Test(arguments: [
        "192.0.2.1", "10.0.0.1", "192.168.1.5", "172.17.0.1", "223.255.255.254", "2001:db8::1", "fd00::1",
        "64:ff9b::192.0.2.1", "2002:c000:201::1",
    ])
    func `global and private addresses are routable`(text: String) throws {
        #expect(try #require(SocketAddress.Host(text: text)).isRoutable)
    }

    @Test(arguments: [
        "127.0.0.1", "127.8.9.1", "0.0.0.0", "0.1.2.3", "169.254.0.1", "224.0.0.1", "240.0.0.1",
        "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%1", "febf::1", "fec0::1", "ff02::1",
        "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::127.0.0.1", "2002:7f00:1::", "2001:db8::1%1",
    ])
    func `local and reserved addresses are not routable, in any notation`(text: String) throws {
        #expect(try !#require(SocketAddress.Host(text: text)).isRoutable)
    }

    @Test(arguments: [
        ("desk", "desk:4817"), ("desk.example", "desk.example:4817"), ("desk:1", "desk:1"),
        ("192.0.2.7", "192.0.2.7:4817"), ("192.0.2.7:9", "192.0.2.7:9"), ("::1", "[::1]:4817"),
        ("[::1]", "[::1]:4817"), ("[::1]:9", "[::1]:9"), ("fd00::5", "[fd00::5]:4817"),
    ])
    func `an endpoint without a port gets the default port`(text: String, whole: String) throws {
        #expect(try Endpoint(text: text, usualPort: 4817).description == whole)
    }

    @Test(arguments: ["", "a b", "desk:", "desk:x", "[desk]", "[::1", "desk:1:2"])
    func `malformed endpoints are refused, with a port or without`(text: String) {
        let error = #expect(throws: NetworkError.self) { try Endpoint(text: text, usualPort: 4817) }
        #expect(error?.code == .malformed)
    }

    @Test func `the host of an endpoint can be a name`() throws {
        let endpoint = try Endpoint(text: "desk.example:7000")
        #expect(endpoint == Endpoint(host: "desk.example", port: 7000))
        #expect(SocketAddress(endpoint) == nil)
    }
}

@Suite struct `Monotonic time` {
    @Test func `adding and subtracting durations never overflows`() {
        let time = MonotonicTime(nanoseconds: 1_500_000_000)
        #expect((time + .milliseconds(500)).nanoseconds == 2_000_000_000)
        #expect((time + .seconds(-1)).nanoseconds == 500_000_000)
        #expect(time + .milliseconds(1) - time == .milliseconds(1))
        #expect(time - (time + .seconds(2)) == .seconds(-2))
        #expect((time + .seconds(Int64.max)).nanoseconds == .max)
        #expect(MonotonicTime.now <= MonotonicTime.now)
        #expect(wallClock() > 1_600_000_000_000)
    }
}
