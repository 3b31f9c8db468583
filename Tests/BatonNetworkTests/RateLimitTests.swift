import BatonNetwork
import Support
import Testing

/// How often something may be done.
@Suite struct `A limit of a rate` {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000)

    @Test func `lets some at once, and then so many a second`() {
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

    @Test func `makes callers of a listener wait, and lets each of them in`() throws {
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
            loop.expect("all are let in") { accepted == callers.count }
            #expect(loop.now - started >= .milliseconds(190))
            #expect(loop.wakeUps - wakeUps < 200, "it waits, and does not ask again and again")
            try listener.close()
        }
    }
}
