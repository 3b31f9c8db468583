import BatonCore
import Support
import Testing

/// Tests of a session whose store can't answer at once, or must begin a snapshot anew.
@Suite struct `A session whose store postpones an answer` {
    typealias Script = SessionScript

    private static func claim(_ sequence: UInt64) -> VersionVector {
        VersionVector([(Script.origin(1), sequence)])
    }

    /// Identities of records, in their order.
    private static let ends = (UInt64(1)...5).map { Script.write($0).identity }.sorted()

    /// Returns a session whose peer has nothing and takes snapshots, with the first request, for activities,
    /// unanswered.
    private static func script(_ standing: Standing = Standing(complete: VersionVector())) -> SessionScript {
        let script = Script(own: .offered)
        var summary = StoreSummary(
            complete: claim(9), settled: [:], heads: [.activities: Arrival(value: 50)], clock: .zero)
        summary.order = ArrivalOrder(high: 1, low: 1)
        script.handle(StoreAnswer.summary(summary))
        script.handle(Script.hello(standing.complete, features: Features([Features.collection])))
        script.handle(.standing(standing))
        return script
    }

    private static func range(
        _ writes: [Write] = [], ahead: [Write] = [], through: Int?, dropped: UInt64, head: UInt64
    ) -> StoreAnswer {
        .range(
            .activities,
            .range(
                RecordRange(
                    ahead: ahead, writes: writes, through: through.map { ends[$0] },
                    isEndAhead: !ahead.isEmpty, complete: claim(9), dropped: claim(dropped),
                    horizon: HybridTime(value: 3), head: Arrival(value: head))))
    }

    private static func batches(_ script: SessionScript) throws -> [Batch] {
        try script.takeMessages().compactMap { if case .batch(let batch) = $0 { batch } else { nil } }
    }

    /// Returns where each requested range is to begin, and behind which clears.
    ///
    /// Nothing is requested before the batches of the last range are taken.
    private static func asked(_ script: SessionScript) -> [RangeRequest] {
        script.handle { _ in }
        return script.takeRequests().compactMap { if case .range(let request) = $0 { request } else { nil } }
    }

    // MARK: Snapshots

    @Test func `restarts a snapshot at the first record, with tombstones collected since then`()
        throws
    {
        let script = Self.script()
        script.forget()
        script.handle(.changes(.activities, .snapshotNeeded))
        var request = try #require(Self.asked(script).first)
        #expect(request.after == nil && request.since == nil && request.covered == nil)
        script.handle(Self.range(through: 1, dropped: 3, head: 40))
        request = try #require(Self.asked(script).first)
        #expect(request.after == Self.ends[1] && request.since?.value == 40)
        #expect(request.covered == Self.claim(9))
        script.handle(.range(.activities, .anew))
        request = try #require(Self.asked(script).first)
        #expect(request.after == nil && request.since == nil && request.covered == nil)
        script.handle(Self.range([Script.write(1)], through: nil, dropped: 4, head: 45))

        let batches = try Self.batches(script)
        #expect(batches.map(\.number) == [1, 2])
        #expect(batches.map(\.range?.after) == [nil, nil])
        #expect(batches.map(\.range?.through) == [Self.ends[1], nil])
        #expect(batches.map(\.range?.complete) == [Self.claim(9), nil], "what was told is not told again")
        #expect(batches.map(\.range?.dropped) == [Self.claim(3), Self.claim(4)])
        // Behind the snapshot the stream resumes where the second one began, not the first.
        script.handle { _ in }
        guard case .changes(let changes)? = script.takeRequests().first else {
            Issue.record("nothing is asked behind the snapshot")
            return
        }
        #expect(changes.after.value == 45 && changes.clearsAfter.value == 45)
        #expect(changes.covered == Self.claim(9))
    }

    @Test
    func `resumes an interrupted snapshot, and restarts it at the first record if the store requires it`()
        throws
    {
        let order = ArrivalOrder(high: 1, low: 1)
        let token = ResumeToken(Cursor(Arrival(value: 30)), in: order)
        let script = Self.script(
            Standing(
                complete: VersionVector(),
                snapshots: [
                    .activities: SnapshotProgress(through: Self.ends[2], start: Self.claim(5), token: token)
                ]))
        script.forget()
        script.handle(.changes(.activities, .snapshotNeeded))
        var request = try #require(Self.asked(script).first)
        #expect(request.after == Self.ends[2] && request.since?.value == 30)
        #expect(request.covered == Self.claim(5))
        script.handle(.range(.activities, .anew))
        request = try #require(Self.asked(script).first)
        #expect(request.after == nil && request.since == nil && request.covered == nil)
    }

    @Test func `accepts that the peer restarts a snapshot in the middle`() {
        let script = Script.quiet()
        let places: [(Int?, Int?)] = [(nil, 1), (1, 2), (nil, 0), (0, nil)]
        for (number, ends) in places.enumerated() {
            let (after, through) = (ends.0.map { Self.ends[$0] }, ends.1.map { Self.ends[$0] })
            // After the restart the sender claims more than before it.
            let told = ends.0 == nil ? Self.claim(UInt64(5 + number)) : nil
            script.handle(
                .batch(
                    Batch(
                        number: UInt64(number + 1), lane: .activities, writes: [], complete: nil,
                        resume: ResumeToken(bytes: [UInt8(number)]),
                        range: BatchRange(
                            after: after, through: through, complete: told, dropped: told, horizon: .zero))))
        }
        let ranges = script.takeRequests().compactMap { request in
            if case .apply(let transaction) = request { transaction.range } else { nil }
        }
        #expect(script.closeCode == nil && ranges.count == 4)
        #expect(ranges.map(\.start) == [5, 5, 7, 7].map(Self.claim), "what may be claimed at the end")
    }

    @Test func `repeats its request for a range from the same position after a commit in the lane`() throws {
        let script = Self.script()
        script.forget()
        script.handle(.changes(.activities, .snapshotNeeded))
        script.handle(Self.range(through: 1, dropped: 3, head: 40))
        #expect(Self.asked(script).count == 2)
        script.handle(.range(.activities, .notNow))
        // The other lane does not wait for this one.
        let requests = script.takeRequests()
        guard requests.count == 1, case .changes(let changes) = requests[0] else {
            Issue.record("\(requests)")
            return
        }
        #expect(changes.lane == .index && !script.isInStep)
        script.handleCommit(.index)
        #expect(Self.asked(script).isEmpty, "nothing was taken of the lane")
        script.handleCommit(.activities)
        let request = try #require(Self.asked(script).first)
        #expect(request.after == Self.ends[1] && request.since?.value == 40)
    }

    @Test func `repeats its request if a commit came while the store was answering`() throws {
        let script = Self.script()
        script.forget()
        script.handleCommit(.activities)
        #expect(script.takeRequests().isEmpty, "it was asked already")
        script.handle(.changes(.activities, .notNow))
        guard case .changes(let changes)? = script.takeRequests().first else {
            Issue.record("it is not asked again")
            return
        }
        #expect(changes.lane == .activities)
        script.handle(.changes(.activities, .snapshotNeeded))
        script.forget()
        script.handleCommit(.activities)
        script.handle(.range(.activities, .notNow))
        #expect(Self.asked(script).map(\.after) == [nil])
    }

    // MARK: Writes ahead of a range

    @Test func `sends a record too large for a range ahead of it, in separate batches`() throws {
        let script = Self.script()
        script.handle(.changes(.activities, .snapshotNeeded))
        script.forget()
        let large = (UInt64(1)...3).map { Script.write($0, bytes: 200_000) }
        script.handle(Self.range(ahead: large, through: 1, dropped: 3, head: 40))
        #expect(script.takeRequests().isEmpty, "nothing further is read before these batches are sent")
        let batches = try Self.batches(script)
        #expect(batches.map(\.writes.count) == [2, 1, 0])
        #expect(batches.map(\.isAhead) == [true, true, false])
        #expect(batches.map(\.range?.isEndAhead) == [nil, nil, true])
        #expect(batches.allSatisfy { $0.complete == nil })
    }

    @Test func `reads activities while writes ahead of an index range wait for the window`() throws {
        let script = Self.script()
        script.handle(
            .changes(
                .activities,
                .changes(Changes(writes: [], next: Arrival(value: 50), complete: Self.claim(9)))))
        script.handle(.changes(.index, .snapshotNeeded))
        script.forget()
        let most = UInt64(Limits().sentIndexBytes / 200_000)
        let large = (1...most + 5).map { Script.write($0, .index, bytes: 200_000) }
        let range = RecordRange(
            ahead: large, writes: [], through: large[0].identity, isEndAhead: true,
            complete: VersionVector(), dropped: VersionVector(), horizon: .zero, head: Arrival(value: 40))
        script.handle(.range(.index, .range(range)))
        #expect(try Self.batches(script).allSatisfy(\.isAhead), "the window is full before the range comes")
        #expect(script.takeRequests().isEmpty)
        script.handleCommit(.activities)
        guard case .changes(let request)? = script.takeRequests().first else {
            Issue.record("nothing is read")
            return
        }
        #expect(request.lane == .activities)
    }
}
