import BatonNetwork
import BatonNode
import Testing

@Suite struct `Name resolution` {
    /// Looks up a host and waits for the answer.
    private func answer(
        _ endpoint: Endpoint, within time: Duration = .seconds(20)
    ) throws -> HostResolver.Answer {
        let loop = try EventLoop()
        defer { loop.close() }
        let resolver = try HostResolver(on: loop)
        defer { resolver.close() }
        var answers: [HostResolver.Answer] = []
        resolver.resolve(endpoint, deadline: loop.now + time) { answers.append($0) }
        #expect(answers.isEmpty)
        try #require(loop.run(until: loop.now + .seconds(30), or: { !answers.isEmpty }))
        #expect(answers.count == 1)
        return try #require(answers.first)
    }

    @Test func `localhost resolves to loopback addresses`() throws {
        let addresses = try answer(Endpoint(host: "localhost", port: 7000)).get()
        #expect(!addresses.isEmpty)
        for address in addresses {
            let host = address.host.description
            #expect(address.port == 7000 && (host.hasPrefix("127.") || host == "::1"))
        }
        #expect(Set(addresses).count == addresses.count)
    }

    @Test func `an address resolves to itself`() throws {
        #expect(try answer(Endpoint(host: "::1", port: 1)).get() == [SocketAddress(text: "[::1]:1")])
    }

    @Test func `a malformed host name is reported as not found`() throws {
        guard case .failure(let error) = try answer(Endpoint(host: "a..b", port: 1)) else {
            Issue.record("the lookup succeeded")
            return
        }
        #expect([.notFound, .unavailable].contains(error.code))
    }

    @Test func `a lookup whose deadline has passed times out`() throws {
        guard
            case .failure(let error) = try answer(Endpoint(host: "localhost", port: 1), within: .seconds(-1))
        else {
            Issue.record("the lookup succeeded")
            return
        }
        #expect(error.code == .timedOut)
    }

    @Test func `many simultaneous lookups are all answered`() throws {
        let loop = try EventLoop()
        defer { loop.close() }
        let resolver = try HostResolver(on: loop)
        defer { resolver.close() }
        var found = 0
        for port in 1...50 {
            let endpoint = Endpoint(host: "localhost", port: UInt16(port))
            resolver.resolve(endpoint, deadline: loop.now + .seconds(20)) { answer in
                if case .success(let addresses) = answer, addresses.allSatisfy({ $0.port == port }) {
                    found += 1
                }
            }
        }
        #expect(loop.run(until: loop.now + .seconds(30), or: { found == 50 }))
    }
}
