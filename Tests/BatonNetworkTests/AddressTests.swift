import BatonNetwork
import Glibc
import Testing

@Suite struct `Socket address` {
    @Test(arguments: [
        "127.0.0.1:7000", "0.0.0.0:0", "255.255.255.255:65535", "[::1]:80", "[::]:1", "[fe80::1%3]:7",
        "[2001:db8::a:b]:443",
    ])
    func `its text reads back`(text: String) throws {
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
    func `what is none is refused`(text: String) {
        let error = #expect(throws: NetworkError.self) { try SocketAddress(text: text) }
        #expect(error?.code == .malformed)
    }

    @Test func `only a port means every address`() throws {
        let address = try SocketAddress(text: ":7000")
        #expect(address == .any(port: 7000))
        #expect(address.isAny)
        #expect(address.description == "[::]:7000")
    }

    @Test func `an IPv4 address in IPv6 clothes is one`() throws {
        #expect(try SocketAddress(text: "[::ffff:127.0.0.1]:80") == .loopback(port: 80))
    }

    @Test func `loopback is known`() throws {
        for text in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1"] {
            #expect(try SocketAddress(text: text).isLoopback)
        }
        for text in ["128.0.0.1:1", "[::2]:1", ":1", "0.0.0.0:1"] {
            #expect(try !SocketAddress(text: text).isLoopback)
        }
    }

    @Test func `an endpoint may be a name`() throws {
        let endpoint = try Endpoint(text: "desk.example:7000")
        #expect(endpoint == Endpoint(host: "desk.example", port: 7000))
        #expect(SocketAddress(endpoint) == nil)
    }
}

@Suite struct `Name resolution` {
    /// Asks, and waits for the answer.
    private func answer(
        _ endpoint: Endpoint, within time: Duration = .seconds(20)
    ) throws -> Resolver.Answer {
        try withLoopResult { loop in
            let resolver = try Resolver(on: loop)
            defer { resolver.close() }
            var answers: [Resolver.Answer] = []
            resolver.resolve(endpoint, deadline: loop.now + time) { answers.append($0) }
            #expect(answers.isEmpty)
            loop.expect("there is an answer") { !answers.isEmpty }
            #expect(answers.count == 1)
            return try #require(answers.first)
        }
    }

    @Test func `this machine is found by its name`() throws {
        let addresses = try answer(Endpoint(host: "localhost", port: 7000)).get()
        #expect(!addresses.isEmpty)
        #expect(addresses.allSatisfy { $0.isLoopback && $0.port == 7000 })
        #expect(Set(addresses).count == addresses.count)
    }

    @Test func `an address needs no question`() throws {
        #expect(try answer(Endpoint(host: "::1", port: 1)).get() == [SocketAddress(text: "[::1]:1")])
    }

    @Test func `a name that can't be one is not found`() throws {
        guard case .failure(let error) = try answer(Endpoint(host: "a..b", port: 1)) else {
            Issue.record("it was found")
            return
        }
        #expect([.notFound, .unavailable].contains(error.code))
    }

    @Test func `a deadline that has passed is an answer`() throws {
        guard
            case .failure(let error) = try answer(Endpoint(host: "localhost", port: 1), within: .seconds(-1))
        else {
            Issue.record("it was found")
            return
        }
        #expect(error.code == .timedOut)
    }

    @Test func `many questions at once are all answered`() throws {
        try withLoop { loop in
            let resolver = try Resolver(on: loop)
            var found = 0
            for port in 1...50 {
                let endpoint = Endpoint(host: "localhost", port: UInt16(port))
                resolver.resolve(endpoint, deadline: loop.now + .seconds(20)) { answer in
                    if case .success(let addresses) = answer, addresses.allSatisfy({ $0.port == port }) {
                        found += 1
                    }
                }
            }
            loop.expect("all are answered") { found == 50 }
            resolver.close()
        }
    }
}

@Suite struct `Monotonic time` {
    @Test func `it counts with durations, and stays within its range`() {
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
