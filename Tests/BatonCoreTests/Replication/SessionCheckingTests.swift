import BatonCore
import Support
import Testing

private typealias Script = SessionScript

@Suite struct `A session that compares digests` {
    private static let state = StateDigest(bytes: [UInt8](repeating: 1, count: 32))
    private static let other = StateDigest(bytes: [UInt8](repeating: 2, count: 32))
    private static let time = SessionPair.noon.compared
    private static let sums = [StateDigest](repeating: StateDigest(), count: LaneSums.count)

    /// Returns an open session that claims nothing, like its peer, and compares; it found nothing in either lane.
    private func script() -> SessionScript {
        let script = SessionScript(own: Features([Features.repair]))
        script.handle(Script.summary())
        script.handle(Script.hello(features: Features([Features.repair])))
        for lane in Lane.allCases {
            script.handle(
                .changes(lane, .changes(Changes(writes: [], next: .none, complete: VersionVector()))))
        }
        script.forget()
        return script
    }

    private func check(_ state: StateDigest?, _ complete: VersionVector = VersionVector()) throws
        -> StateCheck
    {
        StateCheck(complete: complete.digest, state: try #require(state), at: Self.time)
    }

    /// Brings a session to where both have sent their sums, which do not differ, and the last write.
    private func repaired() throws -> SessionScript {
        let script = script()
        script.handle(PeerMessage.check(try check(Self.other)))
        script.handle(StoreAnswer.check(try check(Self.state)))
        for lane in Lane.allCases {
            script.handle(StoreAnswer.sums(LaneSums(lane: lane, sums: Self.sums, at: Self.time)))
        }
        for lane in Lane.allCases {
            script.handle(PeerMessage.sums(LaneSums(lane: lane, sums: Self.sums, at: Self.time)))
        }
        script.handle(.acknowledgement(2))
        for (number, lane) in Lane.allCases.enumerated() {
            script.handle(.batch(repairBatch(UInt64(number + 1), lane)))
            script.handle(Script.applied(lane))
        }
        return script
    }

    private func repairBatch(_ number: UInt64, _ lane: Lane, _ writes: [Write] = []) -> Batch {
        Batch(
            number: number, lane: lane, writes: writes, complete: nil, resume: ResumeToken(bytes: []),
            repair: .last)
    }

    @Test func `sends its store one request at a time, however many digests the peer sends`() throws {
        let script = script()
        for _ in 0..<10 { script.handle(PeerMessage.check(try check(Self.state))) }
        #expect(script.takeRequests() == [.check(at: Self.time)])
        script.handle(StoreAnswer.check(try check(Self.state)))
        #expect(script.takeRequests() == [.check(at: Self.time)] && script.takeEvents().last == .agreed)
        script.handle(StoreAnswer.check(try check(Self.state)))
        #expect(script.takeRequests().isEmpty && !script.takeEvents().contains(.agreed))
    }

    @Test func `counts as having everything of the peer once both have the same content`() throws {
        let script = script()
        script.handle(PeerMessage.check(try check(Self.other)))
        script.handle(StoreAnswer.check(try check(Self.state)))
        #expect(!script.takeEvents().contains(.toldAll))
        script.handle(PeerMessage.check(try check(Self.state)))
        script.handle(StoreAnswer.check(try check(Self.state)))
        #expect(script.takeEvents().contains(.toldAll))
    }

    @Test func `ignores the peer's digest if the claims differ`() throws {
        let script = script()
        script.handle(PeerMessage.check(try check(Self.other, Script.compared)))
        script.handle(StoreAnswer.check(try check(Self.state)))
        #expect(script.takeEvents() == [.timeTold(Self.time)])
        script.handle(PeerMessage.check(try check(Self.other)))
        script.handle(StoreAnswer.check(nil))
        #expect(script.takeEvents() == [.timeTold(Self.time)])
    }

    @Test func `reports a difference, and sends the sums of each lane`() throws {
        let script = script()
        script.handle(PeerMessage.check(try check(Self.other)))
        _ = script.takeRequests()
        script.handle(StoreAnswer.check(try check(Self.state)))
        #expect(script.takeEvents() == [.timeTold(Self.time), .met(at: Self.time), .differed(.found)])
        #expect(script.takeRequests() == [.sums(.activities, at: Self.time), .sums(.index, at: Self.time)])
        script.handle(StoreAnswer.sums(LaneSums(lane: .index, sums: Self.sums, at: Self.time)))
        #expect(try script.takeMessages() == [.sums(LaneSums(lane: .index, sums: Self.sums, at: Self.time))])
        #expect(script.deadline == nil)
    }

    @Test func `reads the differing parts in pieces, and sends them without a claim`() throws {
        let script = script()
        var sums = Self.sums
        (sums[3], sums[200]) = (try #require(Self.state), try #require(Self.state))
        script.handle(PeerMessage.sums(LaneSums(lane: .activities, sums: sums, at: Self.time)))
        #expect(script.takeEvents() == [.differed(.found)])
        script.handle(StoreAnswer.sums(LaneSums(lane: .activities, sums: Self.sums, at: Self.time)))
        let bytes = Limits().batchBytes
        let first = PartRequest(lane: .activities, part: 3, after: nil, bytes: bytes)
        #expect(script.takeRequests().last == .part(first))
        let write = Script.write(1)
        script.handle(.part(.activities, RecordPart(writes: [write], through: write.identity)))
        let second = PartRequest(lane: .activities, part: 3, after: write.identity, bytes: bytes)
        #expect(script.takeRequests().isEmpty)
        script.handle(.acknowledgement(1))
        #expect(script.takeRequests() == [.part(second)])
        script.handle(.part(.activities, RecordPart(writes: [], through: nil)))
        #expect(
            script.takeRequests() == [
                .part(PartRequest(lane: .activities, part: 200, after: nil, bytes: bytes))
            ])
        script.handle(.part(.activities, RecordPart(writes: [], through: nil)))
        let batches = try script.takeMessages().compactMap {
            if case .batch(let batch) = $0 { batch } else { nil }
        }
        #expect(batches.map(\.writes) == [[write], []] && batches.map(\.repair) == [.more, .last])
        #expect(batches.allSatisfy { $0.complete == nil && $0.resume.bytes.isEmpty })
    }

    @Test func `merges repairing writes without claiming them, and stores no resume position`() throws {
        let script = script()
        script.handle(PeerMessage.sums(LaneSums(lane: .activities, sums: Self.sums, at: Self.time)))
        script.handle(StoreAnswer.sums(LaneSums(lane: .activities, sums: Self.sums, at: Self.time)))
        _ = script.takeRequests()
        script.handle(.batch(repairBatch(1, .activities, [Script.write(1)])))
        guard case .apply(let transaction)? = script.takeRequests().first else {
            Issue.record("the store is to take it")
            return
        }
        #expect(transaction.isRepair && transaction.resume == nil && transaction.completing.isEmpty)
    }

    @Test func `reports a repair that did not help, and does not repeat it`() throws {
        let script = try repaired()
        // It then sends its digest without a pause.
        #expect(script.takeRequests().last == .check(at: nil))
        script.handle(StoreAnswer.check(try check(Self.state)))
        #expect(try script.takeMessages().last == .check(try check(Self.state)))
        _ = script.takeEvents()
        for _ in 0..<2 {
            script.handle(PeerMessage.check(try check(Self.other)))
            script.handle(StoreAnswer.check(try check(Self.state)))
        }
        let found = script.takeEvents().filter { if case .differed = $0 { true } else { false } }
        #expect(found == [.differed(.remaining)])
        #expect(script.takeRequests().allSatisfy { $0 == .check(at: Self.time) })
        script.handle(PeerMessage.check(try check(Self.state)))
        script.handle(StoreAnswer.check(try check(Self.state)))
        #expect(script.takeEvents().last == .agreed)
    }

    @Test func `has a timer only after a change, and sends its digest when the timer ends`() throws {
        let script = script()
        #expect(script.deadline == nil)
        script.handleCommit(.activities)
        script.handle(
            .changes(.activities, .changes(Changes(writes: [], next: .none, complete: VersionVector()))))
        _ = script.takeRequests()
        // The first deadline only asks for the time.
        let due = try #require(script.deadline)
        #expect(due < Script.started)
        script.handle { $0.handleDeadline(now: Script.started) }
        #expect(script.takeRequests().isEmpty && script.deadline == Script.started + Limits().checkTime)
        script.handle { $0.handleDeadline(now: Script.started + Limits().checkTime) }
        #expect(script.takeRequests() == [.check(at: nil)] && script.deadline == nil)
        // Without complete claims no digest is sent.
        script.handle(StoreAnswer.check(nil))
        #expect(try script.takeMessages().isEmpty)
    }

    @Test func `sends its digest no more often than its peer accepts`() throws {
        let script = script()
        var (now, count) = (Script.started, 0)
        for _ in 0..<Limits.checksBeyondBatches + 3 {
            script.handleCommit(.activities)
            script.handle(
                .changes(.activities, .changes(Changes(writes: [], next: .none, complete: VersionVector()))))
            // The first deadline asks for the time; at the second the pause is over.
            for _ in 0..<2 {
                script.handle { $0.handleDeadline(now: now) }
                now = now + Limits().checkTime
            }
            guard script.takeRequests().contains(.check(at: nil)) else { continue }
            script.handle(StoreAnswer.check(try check(Self.state)))
            count += try script.takeMessages().count
        }
        #expect(count == Limits.checksBeyondBatches)
    }

    // MARK: Hostile peers

    @Test func `ends if the peer sends digests without limit`() throws {
        let script = script()
        for _ in 0..<Limits.checksBeyondBatches { script.handle(PeerMessage.check(try check(Self.state))) }
        #expect(!script.isClosed)
        script.handle(PeerMessage.check(try check(Self.state)))
        #expect(script.closeCode == .unexpected)
    }

    @Test func `uses the later of two times for expiry, and resends its sums for that time`() throws {
        let (script, later) = (script(), Self.time.advanced(by: .seconds(86_400)))
        script.handle(PeerMessage.check(try check(Self.other)))
        script.handle(StoreAnswer.check(try check(Self.state)))
        script.forget()
        script.handle(StoreAnswer.sums(LaneSums(lane: .activities, sums: Self.sums, at: Self.time)))
        // The peer began at once, when its day had begun: its sums are for another time.
        script.handle(PeerMessage.sums(LaneSums(lane: .activities, sums: Self.sums, at: later)))
        #expect(script.takeRequests() == [.sums(.activities, at: later)])
        #expect(
            try script.takeMessages() == [.sums(LaneSums(lane: .activities, sums: Self.sums, at: Self.time))])
        script.handle(StoreAnswer.sums(LaneSums(lane: .activities, sums: Self.sums, at: later)))
        let messages = try script.takeMessages()
        #expect(messages.first == .sums(LaneSums(lane: .activities, sums: Self.sums, at: later)))
        #expect(messages.count == 2, "and then that nothing differs")
        // The sums are not sent once more.
        script.handle(PeerMessage.sums(LaneSums(lane: .activities, sums: Self.sums, at: later)))
        #expect(script.closeCode == .unexpected)
    }

    @Test func `waits for the sums of a peer that began with an earlier time`() throws {
        let (script, earlier) = (script(), Self.time.advanced(by: .seconds(-86_400)))
        script.handle(PeerMessage.check(try check(Self.other)))
        script.handle(StoreAnswer.check(try check(Self.state)))
        script.handle(StoreAnswer.sums(LaneSums(lane: .index, sums: Self.sums, at: Self.time)))
        script.forget()
        script.handle(PeerMessage.sums(LaneSums(lane: .index, sums: Self.sums, at: earlier)))
        #expect(try script.takeMessages().isEmpty && script.takeRequests().isEmpty)
        script.handle(PeerMessage.sums(LaneSums(lane: .index, sums: Self.sums, at: Self.time)))
        #expect(try script.takeMessages().count == 1)
        #expect(script.closeCode == nil)
    }

    @Test func `ends if the peer sends the sums of a lane twice`() throws {
        let script = script()
        for _ in 0..<2 {
            script.handle(PeerMessage.sums(LaneSums(lane: .index, sums: Self.sums, at: Self.time)))
        }
        #expect(script.closeCode == .unexpected)
    }

    @Test func `ends if the peer repairs without a difference`() throws {
        for isBegun in [false, true] {
            let script = script()
            if isBegun {
                script.handle(PeerMessage.sums(LaneSums(lane: .index, sums: Self.sums, at: Self.time)))
                script.handle(StoreAnswer.sums(LaneSums(lane: .index, sums: Self.sums, at: Self.time)))
            }
            script.handle(.batch(repairBatch(1, .activities)))
            #expect(script.closeCode == .unexpected)
        }
        let twice = try repaired()
        twice.handle(.batch(repairBatch(3, .index)))
        #expect(twice.closeCode == .unexpected)
        for isRange in [false, true] {
            let claiming = script()
            var batch = repairBatch(1, .index)
            if isRange {
                batch.range = BatchRange(
                    after: nil, through: nil, complete: VersionVector(), dropped: VersionVector(),
                    horizon: .zero)
            } else {
                batch.complete = VersionVector()
            }
            claiming.handle(.batch(batch))
            #expect(claiming.closeCode == .malformed)
        }
    }

    @Test func `ends if the peer sends repairing writes ahead of a range`() throws {
        for isAhead in [false, true] {
            let script = script()
            script.handle(PeerMessage.sums(LaneSums(lane: .index, sums: Self.sums, at: Self.time)))
            script.handle(StoreAnswer.sums(LaneSums(lane: .index, sums: Self.sums, at: Self.time)))
            script.forget()
            var batch = repairBatch(1, .index, [Script.write(1, .index)])
            batch.isAhead = isAhead
            script.handle(.batch(batch))
            #expect(script.closeCode == (isAhead ? .malformed : nil))
            let isTaken = script.takeRequests().contains { if case .apply = $0 { true } else { false } }
            #expect(isTaken == !isAhead, "nothing of it reaches the store")
        }
    }

    @Test func `ends if the peer compares without having offered the feature`() throws {
        for message in [
            PeerMessage.check(try check(Self.state)),
            .sums(LaneSums(lane: .index, sums: Self.sums, at: Self.time)),
        ] {
            let script = Script.quiet()
            script.handle(message)
            #expect(script.closeCode == .unexpected)
        }
    }
}
