import BatonNetwork
import Support
import Testing

@Suite struct `Rate limit` {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000)

    @Test func `a burst is allowed immediately, and afterwards the rate applies`() {
        var limit = RateLimit(perSecond: 10, burst: 3, now: Self.start)
        func taken(after time: Duration) -> Int {
            (0..<100).count { _ in limit.take(at: Self.start + time) }
        }
        #expect(taken(after: .zero) == 3)
        #expect(taken(after: .milliseconds(90)) == 0)
        #expect(limit.pause > .zero && limit.pause <= .milliseconds(11))
        #expect(taken(after: .milliseconds(101)) == 1)
        #expect(taken(after: .milliseconds(320)) == 2)
        #expect(taken(after: .seconds(60)) == 3)
    }

    @Test func `a listener with a rate limit delays connections, but accepts all of them`() throws {
        try withLoop { loop in
            let listener = try Listener(at: .loopback(port: 0), on: loop)
            var accepted = 0
            let rate = RateLimit(perSecond: 100, burst: 5, now: loop.now)
            try listener.start(
                rate: rate,
                accepted: { connection in
                    accepted += 1
                    connection.close()
                })
            let port = try #require(listener.address?.port)
            let (started, wakeUps) = (loop.now, loop.wakeUps)
            let callers = try (0..<25).map { _ in try RawConnection(port: port) }
            loop.expect("all connections are accepted") { accepted == callers.count }
            #expect(loop.now - started >= .milliseconds(190))
            #expect(loop.wakeUps - wakeUps < 200, "the listener waits for a timer and does not poll")
            try listener.close()
        }
    }
}
