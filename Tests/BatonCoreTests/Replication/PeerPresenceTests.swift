import BatonCore
import Support
import Testing

/// Pings to a peer that owes acknowledgements.
@Suite struct `A peer that is silent while data is in flight` {
    typealias Script = SessionScript

    private static let limits = Limits()
    private static let pinging = Features([Features.pings])

    /// Returns a session with pings, which has sent a batch.
    private static func waiting() throws -> SessionScript {
        let script = Script(own: pinging)
        script.handle(Script.summary())
        script.handle(Script.hello(features: pinging))
        for lane in Lane.allCases {
            script.handle(
                .changes(lane, .changes(Changes(writes: [], next: .none, complete: VersionVector()))))
        }
        #expect(try pings(script).isEmpty && script.deadline == nil)
        script.handleCommit(.index)
        let write = Script.write(1, .index)
        script.handle(
            .changes(
                .index,
                .changes(
                    Changes(
                        writes: [write], next: Arrival(value: 2),
                        complete: VersionVector([(Script.origin(1, .index), 1 as UInt64)])))))
        return script
    }

    private static func pings(_ script: SessionScript) throws -> [UInt64] {
        try script.takeMessages().compactMap { if case .ping(let number) = $0 { number } else { nil } }
    }

    /// Lets time pass until the deadline, by which the connection has carried so much.
    private static func passTime(
        _ script: SessionScript, received: UInt64 = 0, delivered: UInt64 = 0, waiting: UInt64 = 0
    ) throws {
        let due = try #require(script.deadline)
        script.handle {
            $0.handleDeadline(
                now: due,
                progress: TransportProgress(received: received, delivered: delivered, waiting: waiting))
        }
    }

    @Test func `is sent a ping, and closed within ten seconds without an answer`() throws {
        let script = try Self.waiting()
        #expect(script.deadline == Script.started + Self.limits.pingPause)
        try Self.passTime(script)
        #expect(try Self.pings(script) == [1] && script.closeCode == nil)
        let last = try #require(script.deadline)
        #expect(last.since(Script.started) < .seconds(10))
        // The ping itself arrives: the machine of a stopped program still acknowledges bytes.
        try Self.passTime(script, delivered: 30)
        #expect(script.closeCode == .silent && script.deadline == nil)
    }

    @Test func `stays connected while it answers pings, however long its disk takes`() throws {
        let script = try Self.waiting()
        for number in UInt64(1)...10 {
            try Self.passTime(script)
            #expect(try Self.pings(script) == [number])
            script.handle(.pong(number))
        }
        #expect(script.closeCode == nil)
        script.handle(.acknowledgement(1))
        #expect(script.closeCode == nil && script.deadline == nil, "nothing wakes a session at rest")
    }

    @Test func `counts as storing what it is sent after it has acknowledged a batch`() throws {
        let script = try Self.waiting()
        try Self.passTime(script)
        script.handle(.pong(1))
        #expect(!script.hasStored, "a pong says nothing of its disk")
        script.handle(.acknowledgement(1))
        #expect(script.hasStored)
    }

    @Test func `stays connected while a slow connection carries bytes in either direction`() throws {
        let script = try Self.waiting()
        try Self.passTime(script, delivered: 100, waiting: 900)
        for step in UInt64(1)...5 {
            try Self.passTime(script, delivered: 100 + 100 * step, waiting: 900 - 100 * step)
        }
        try Self.passTime(script, received: 1, delivered: 600, waiting: 400)
        #expect(script.closeCode == nil)
        // Its machine takes nothing more, because its program reads nothing.
        try Self.passTime(script, received: 1, delivered: 600, waiting: 400)
        #expect(script.closeCode == .silent)
    }

    @Test func `is not closed by a program that was itself suspended`() throws {
        let script = try Self.waiting()
        try Self.passTime(script)
        let due = try #require(script.deadline)
        script.handle { $0.handleDeadline(now: due + .seconds(60)) }
        #expect(script.closeCode == nil)
        try Self.passTime(script)
        #expect(script.closeCode == .silent)
    }

    @Test func `is sent no ping if it does not know pings`() throws {
        let script = Script(own: Self.pinging)
        script.handle(Script.summary())
        script.handle(Script.hello(features: Features([Features.collection])))
        script.handle(.ping(1))
        #expect(script.closeCode == .unexpected)
    }

    @Test(arguments: [0, 2] as [UInt64])
    func `is closed for a pong without a ping`(number: UInt64) throws {
        let script = try Self.waiting()
        try Self.passTime(script)
        script.handle(.pong(number))
        #expect(script.closeCode == .unexpected)
    }

    @Test func `is closed for answering one ping twice`() throws {
        let script = try Self.waiting()
        try Self.passTime(script)
        script.handle(.pong(1))
        #expect(script.closeCode == nil)
        script.handle(.pong(1))
        #expect(script.closeCode == .unexpected)
    }
}
