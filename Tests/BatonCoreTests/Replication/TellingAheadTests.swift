import BatonCore
import Support
import Testing

@Suite struct `A write sent before it is stored` {
    typealias Script = SessionScript

    private static func claim(_ sequence: UInt64) -> VersionVector {
        VersionVector([(Script.origin(1, .activities), sequence)])
    }

    private static func write(_ sequence: UInt64, bytes: Int = 1) -> Write {
        let key = RecordKey(kind: .currentActivity, parts: 1) { $0.unsigned(sequence) }
        let write = Script.write(sequence, bytes: bytes)
        return Write(dot: write.dot, key: key, stamp: write.stamp, action: write.action)
    }

    private static func transaction(_ sequence: UInt64, lane: Lane = .activities) -> StoreTransaction {
        StoreTransaction(
            lane: lane, writes: [lane == .activities ? write(sequence) : Script.write(sequence, lane)],
            completing: VersionVector([(Script.origin(1, lane), sequence)]))
    }

    private static func changes(_ writes: [Write], _ next: UInt64, _ complete: VersionVector?) -> StoreAnswer
    {
        .changes(
            .activities,
            .changes(Changes(writes: writes, next: Arrival(value: next), complete: complete)))
    }

    /// Returns a session in which both sides have everything that the other has.
    private static func inStep(limits: Limits = Limits()) throws -> Script {
        let script = Script(limits: limits)
        script.handle(Script.summary(claim(5), settled: [.activities: Arrival(value: 8)]))
        script.handle(Script.hello(claim(5)))
        script.handle(changes([], 8, claim(5)))
        script.handle(.changes(.index, .changes(Changes(writes: [], next: .none, complete: VersionVector()))))
        script.forget()
        return script
    }

    /// The session learns the time only with what the driver does.
    @Test func `starts the time limit for its acknowledgement when it is sent, even after a long idle time`()
        throws
    {
        var limits = Limits()
        limits.pingPause = limits.acknowledgingTime * 2
        let script = try Self.inStep(limits: limits)
        let sent = Script.started + .seconds(3600)
        script.handle {
            $0.tellAhead(Self.transaction(6))
            $0.handleTime(sent)
        }
        #expect(try script.takeMessages().count == 1)
        #expect(script.deadline == sent + limits.acknowledgingTime)
    }

    @Test func `is sent immediately without a claim, and not resent once it is stored`() throws {
        let script = try Self.inStep()
        script.handle { $0.tellAhead(Self.transaction(6)) }
        guard case .batch(let ahead)? = try script.takeMessages().first else {
            throw CloseReason(.unexpected, "nothing was told")
        }
        #expect(ahead.writes == [Self.write(6)] && ahead.complete == nil && !script.isInStep)
        script.handleCommit(.activities)
        #expect(script.takeRequests().count == 1)
        script.handle(Self.changes([Self.write(6)], 9, Self.claim(6)))
        guard case .batch(let claiming)? = try script.takeMessages().first else {
            throw CloseReason(.unexpected, "nothing was claimed")
        }
        #expect(claiming.writes.isEmpty && claiming.complete == Self.claim(6))
        script.handle(.acknowledgement(2))
        #expect(script.isInStep)
        // A receiver may store both together.
        let receiver = try Self.inStep()
        for (batch, awaitsClaim) in [(ahead, true), (claiming, false)] {
            receiver.handle(.batch(batch))
            guard case .apply(let transaction)? = receiver.takeRequests().last else {
                throw CloseReason(.unexpected, "nothing is to be stored")
            }
            #expect(transaction.awaitsClaim == awaitsClaim)
        }
    }

    @Test func `is resent if the stored write differs`() throws {
        let script = try Self.inStep()
        script.handle { $0.tellAhead(Self.transaction(6)) }
        script.forget()
        script.handleCommit(.activities)
        let write = Self.write(6, bytes: 2)
        script.handle(Self.changes([write], 9, Self.claim(6)))
        guard case .batch(let batch)? = try script.takeMessages().first else {
            throw CloseReason(.unexpected, "nothing was told")
        }
        #expect(batch.writes == [write] && batch.complete == Self.claim(6))
    }

    @Test func `is sent early only after the session's first read, and not while the store postpones a read`()
        throws
    {
        // Before the first read has ended, and while the peer or this device needs a snapshot.
        let early = Script()
        early.handle(Script.summary(Self.claim(5), settled: [.activities: Arrival(value: 8)]))
        early.handle { $0.tellAhead(Self.transaction(6)) }
        early.handle(Script.hello(Self.claim(5)))
        early.forget()
        early.handle { $0.tellAhead(Self.transaction(6)) }
        #expect(try early.takeMessages().isEmpty)

        let postponed = try Self.inStep()
        postponed.handleCommit(.activities)
        postponed.handle(.changes(.activities, .notNow))
        postponed.handle { $0.tellAhead(Self.transaction(6)) }
        #expect(try postponed.takeMessages().isEmpty)
    }

    @Test func `is sent early only if it is a current activity and not the first write of its life`() throws {
        let script = try Self.inStep()
        script.handle { $0.tellAhead(Self.transaction(6, lane: .index)) }
        var first = Self.transaction(6)
        first.beginning = Script.origin(1, .activities)
        script.handle { $0.tellAhead(first) }
        let other = StoreTransaction(
            lane: .activities, writes: [Script.write(6)], completing: Self.claim(6))
        script.handle { $0.tellAhead(other) }
        #expect(try script.takeMessages().isEmpty)
        script.handle { $0.tellAhead(Self.transaction(6)) }
        #expect(try script.takeMessages().count == 1)
    }

    @Test func `needs room in the window`() throws {
        let script = try Self.inStep()
        var count = 0
        for sequence in UInt64(6)...10_000 {
            script.handle { $0.tellAhead(Self.transaction(sequence)) }
            let told = try script.takeMessages().count
            if told == 0 { break }
            count += told
        }
        #expect(count == Limits.windowBytes / Limits.leastBatchBytes)
    }
}
