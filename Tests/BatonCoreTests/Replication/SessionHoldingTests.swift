import BatonCore
import Support
import Testing

/// Tests that nothing of the index leaves a private device, and nothing of its activities until they are withdrawn.
@Suite struct `A session of a private device` {
    typealias Script = SessionScript

    private static func claim(_ sequence: UInt64, _ lane: Lane) -> VersionVector {
        VersionVector([(Script.origin(1, lane), sequence)])
    }

    private static func changes(_ lane: Lane, _ complete: VersionVector) -> StoreAnswer {
        .changes(lane, .changes(Changes(writes: [], next: Arrival(value: 1), complete: complete)))
    }

    @Test func `does not read the index, drops index changes already read, and resumes reading later`()
        throws
    {
        let script = Script.quiet(Self.claim(1, .activities))
        script.handle { $0.handleHoldingIndex(true) }
        script.handleCommit(.index)
        #expect(script.takeRequests().isEmpty)
        script.handleCommit(.activities)
        #expect(script.takeRequests().count == 1, "the other lane goes on")
        script.handle(Self.changes(.activities, Self.claim(2, .activities)))
        #expect(try script.takeMessages().count == 1)
        script.handle { $0.handleHoldingIndex(false) }
        let asked = script.takeRequests()
        #expect(asked.count == 1)
        script.handle { $0.handleHoldingIndex(true) }
        script.handle(Self.changes(.index, Self.claim(5, .index)))
        #expect(try script.takeMessages().isEmpty && script.takeRequests().isEmpty)
        #expect(!script.isInStep, "the peer lacks it")
        script.handle { $0.handleHoldingIndex(false) }
        #expect(script.takeRequests() == asked, "it is read anew")
        script.handle(Self.changes(.index, Self.claim(5, .index)))
        guard case .batch(let batch)? = try script.takeMessages().first else {
            return #expect(Bool(false), "nothing is sent")
        }
        #expect(batch.lane == .index && batch.complete == Self.claim(5, .index))
    }

    @Test func `does not read the index if the device was private before the session opened`() throws {
        var complete = Self.claim(1, .activities)
        complete.join(Self.claim(1, .index))
        let script = Script()
        script.handle { $0.handleHoldingIndex(true) }
        script.handle(Script.summary(complete))
        script.handle(Script.hello(complete))
        script.handle(Self.changes(.activities, Self.claim(1, .activities)))
        script.forget()
        script.handleCommit(.index)
        #expect(script.takeRequests().isEmpty)
        script.handle { $0.handleHoldingIndex(false) }
        #expect(script.takeRequests().count == 1, "it is read once it may go")
    }

    @Test func `drops activities that were read before they were withheld, and rereads them later`() throws {
        let script = Script.quiet(Self.claim(1, .activities))
        script.handleCommit(.activities)
        let asked = script.takeRequests()
        #expect(asked.count == 1)
        script.handle { $0.handleHoldingActivities(true) }
        script.handle(Self.changes(.activities, Self.claim(2, .activities)))
        script.handleCommit(.activities)
        #expect(try script.takeMessages().isEmpty && script.takeRequests().isEmpty)
        #expect(!script.isInStep, "the peer lacks them")
        script.handle { $0.handleHoldingActivities(false) }
        #expect(script.takeRequests() == asked, "they are read anew")
        script.handle(Self.changes(.activities, Self.claim(2, .activities)))
        #expect(try script.takeMessages().count == 1)
    }
}
