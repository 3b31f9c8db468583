import BatonCore
import Support
import Testing

@Suite struct `A session with collected tombstones` {
    typealias Script = SessionScript

    private static func claim(_ sequence: UInt64) -> VersionVector {
        VersionVector([(Script.origin(1), sequence)])
    }

    /// Returns an open session; the peer offers none of the features that are offered here but one.
    private static func script(
        _ summary: StoreSummary? = nil, standing: Standing = Standing(complete: VersionVector()),
        features: Features? = nil
    ) -> SessionScript {
        let script = features.map { Script(own: $0) } ?? Script()
        script.handle(
            .summary(summary ?? StoreSummary(complete: claim(5), settled: [:], heads: [:], clock: .zero)))
        script.handle(Script.hello(standing.complete, features: features ?? Features([3])))
        script.handle(.standing(standing))
        script.forget()
        return script
    }

    @Test func `closes with a reason if the peer needs a snapshot and does not support it`() {
        let script = Self.script()
        script.handle(.changes(.activities, .snapshotNeeded))
        #expect(script.closeCode == .version, "features that are not common are not in force")
    }

    @Test func `refuses reports if the sides do not share the feature`() {
        let script = Self.script()
        script.handle(.reports(Reports()))
        #expect(script.closeCode == .unexpected)
    }

    @Test func `refuses reports before both sides have sent their claims`() {
        let script = Script(own: .offered)
        script.handle(Script.summary(Self.claim(5)))
        script.handle(Script.hello(Self.claim(3), features: Features([Features.collection])))
        var reports = Reports()
        reports.join(Script.peer, Self.claim(2))
        script.handle(.reports(reports))
        #expect(script.closeCode == .unexpected)
    }

    @Test
    func `reports a begun snapshot as under way only while something of it is missing`() {
        let progress = SnapshotProgress(
            through: Script.write(1).identity, start: Self.claim(4), token: ResumeToken(bytes: [9]))
        for (own, peer, isTaking) in [(UInt64(4), UInt64(5), true), (5, 4, false)] {
            let summary = StoreSummary(
                complete: Self.claim(own), settled: [:], heads: [:], clock: .zero,
                snapshots: [.activities: progress])
            let script = Self.script(summary, standing: Standing(complete: Self.claim(peer)))
            #expect(script.backlog?.isTakingSnapshot == isTaking)
        }
    }

    // MARK: Receiving

    private static func batch(
        _ number: UInt64, after: UInt64?, through: UInt64?, told: VersionVector? = nil, writes: [Write] = [],
        horizon: HybridTime = .zero, isEndAhead: Bool = false
    ) -> PeerMessage {
        let ends = [after, through].map { $0.map { Script.write($0).identity } }
        return .batch(
            Batch(
                number: number, lane: .activities, writes: writes, complete: nil,
                resume: ResumeToken(bytes: [9]),
                range: BatchRange(
                    after: ends[0], through: ends[1], complete: told, dropped: told, horizon: horizon,
                    isEndAhead: isEndAhead)))
    }

    /// Numbers of writes in the order of their identities.
    private static let places = (UInt64(1)...5).sorted {
        Script.write($0).identity < Script.write($1).identity
    }

    @Test func `accepts successive ranges, and at the end claims what the first range announced`() throws {
        let script = Script.quiet()
        script.handle(Self.batch(1, after: nil, through: Self.places[0], told: Self.claim(5)))
        script.handle(Self.batch(2, after: Self.places[0], through: nil))
        let transactions = script.takeRequests().compactMap {
            if case .apply(let transaction) = $0 { transaction } else { nil }
        }
        #expect(transactions.map(\.range?.start) == [Self.claim(5), Self.claim(5)])
        #expect(transactions.map(\.range?.known) == [Self.claim(5), Self.claim(5)])
        #expect(!script.isInStep)
        script.handle(Script.applied(.activities))
        script.handle(Script.applied(.activities))
        #expect(try script.takeMessages() == [.acknowledgement(1), .acknowledgement(2)])
        #expect(script.isInStep)
    }

    /// Otherwise a write here could be earlier than a deletion of its record that stands elsewhere.
    @Test func `moves the clock to a range's latest collected time, but not beyond a believable time`() {
        for (horizon, clock) in [(HybridTime(value: 7), HybridTime(value: 7)), (.largest, .largestBelieved)] {
            let script = Script.quiet()
            script.handle(Self.batch(1, after: nil, through: nil, told: Self.claim(5), horizon: horizon))
            let transactions = script.takeRequests().compactMap {
                if case .apply(let transaction) = $0 { transaction } else { nil }
            }
            #expect(transactions.map(\.clock) == [clock])
        }
    }

    /// Returns a batch of writes that come ahead of a range.
    private static func ahead(_ number: UInt64, _ writes: [Write]) -> PeerMessage {
        var batch = Batch(
            number: number, lane: .activities, writes: writes, complete: nil, resume: ResumeToken(bytes: [9]))
        batch.isAhead = true
        return .batch(batch)
    }

    @Test func `judges a record sent ahead of its range by all writes sent ahead for it`()
        throws
    {
        let script = Script.quiet()
        let writes = Self.places.map { Script.write($0) }
        script.handle(Self.ahead(1, [writes[0], writes[1]]))
        script.handle(Self.ahead(2, [writes[1]]))
        script.handle(
            Self.batch(3, after: nil, through: Self.places[1], told: Self.claim(5), isEndAhead: true))
        script.handle(Self.batch(4, after: Self.places[1], through: Self.places[2], isEndAhead: true))
        let transactions = script.takeRequests().compactMap {
            if case .apply(let transaction) = $0 { transaction } else { nil }
        }
        #expect(transactions.map(\.isAhead) == [true, true, false, false])
        #expect(transactions[2...].map(\.writes) == [[writes[1], writes[1]], []])
        #expect(transactions[2...].allSatisfy { $0.range?.isEndAhead == false })
    }

    @Test func `does not judge a record if the writes ahead of its range exceed the limit`() throws {
        let script = Script.quiet()
        let large = Script.write(Self.places[0], bytes: Limits.writeBytes / 2)
        var number: UInt64 = 0
        for _ in 0..<(Limits.aheadBytes / large.byteCount + 1) {
            number += 1
            script.handle(Self.ahead(number, [large]))
            script.handle(Script.applied(.activities))
            _ = try script.takeMessages()
        }
        script.handle(
            Self.batch(number + 1, after: nil, through: Self.places[0], told: Self.claim(5), isEndAhead: true)
        )
        let last = script.takeRequests().compactMap {
            if case .apply(let transaction) = $0 { transaction } else { nil }
        }.last
        #expect(last?.writes == [] && last?.range?.isEndAhead == true)
    }

    @Test func `refuses inconsistent ranges`() {
        let write = Script.write(Self.places[3])
        let cases: [(PeerMessage, CloseCode)] = [
            (Self.batch(1, after: nil, through: nil), .malformed),
            (Self.batch(1, after: Self.places[0], through: nil, told: Self.claim(1)), .unexpected),
            (
                Self.batch(1, after: nil, through: Self.places[1], told: Self.claim(1), writes: [write]),
                .malformed
            ),
            (
                Self.batch(
                    1, after: nil, through: nil,
                    told: VersionVector([(Script.origin(1, .index), 1 as UInt64)])),
                .malformed
            ),
        ]
        for (message, code) in cases {
            let script = Script.quiet()
            script.handle(message)
            #expect(script.closeCode == code)
        }
        let script = Script.quiet()
        script.handle(Self.batch(1, after: nil, through: Self.places[1], told: Self.claim(1)))
        script.handle(Self.batch(2, after: Self.places[2], through: nil))
        #expect(script.closeCode == .unexpected, "a gap")
    }

    /// The progress of this device and of the peer, in the middle of a lane.
    private static func progress(_ start: UInt64) -> [Lane: SnapshotProgress] {
        [
            .activities: SnapshotProgress(
                through: Script.write(1).identity, start: claim(start), token: ResumeToken(bytes: [9]))
        ]
    }

    private static func summary(inTheMiddleOf start: UInt64) -> StoreSummary {
        StoreSummary(complete: claim(2), settled: [:], heads: [:], clock: .zero, snapshots: progress(start))
    }

    @Test func `abandons a snapshot whose sender has lost its records, and closes to start over`() {
        for (sequence, isLost) in [(5, false), (4, true)] as [(UInt64, Bool)] {
            let script = Script()
            script.handle(.summary(Self.summary(inTheMiddleOf: 5)))
            script.handle(Script.hello(Self.claim(sequence)))
            script.handle(.standing(Standing(complete: Self.claim(sequence))))
            #expect(script.isOpen == !isLost)
            #expect(script.closeCode == (isLost ? .startingOver : nil))
            #expect(script.takeEvents().contains(.snapshotLost) == isLost)
        }
        // Both have lost everything.
        let script = Script()
        script.handle(.summary(Self.summary(inTheMiddleOf: 5)))
        script.handle(Script.hello(Self.claim(2)))
        #expect(script.takeEvents().contains(.snapshotLost))
    }

    @Test
    func
        `abandons its snapshot if each device resumes a snapshot of the other and this device's ID is larger`()
    {
        let standing = Standing(complete: Self.claim(5), snapshots: Self.progress(1))
        let smaller = Script()
        smaller.handle(.summary(Self.summary(inTheMiddleOf: 5)))
        smaller.handle(Script.hello(standing.complete))
        smaller.handle(.standing(standing))
        #expect(smaller.isOpen)

        let own = SessionIdentity(account: Script.account, device: Script.peer, name: "larger", port: nil)
        var larger = Session(
            own: own, peer: Script.own.device, of: Script.account, limits: Limits(), now: Script.started)
        larger.handleAnswer(.summary(Self.summary(inTheMiddleOf: 5)))
        larger.handleFrame(Script.hello(standing.complete, device: Script.own.device).frame)
        larger.handleFrame(PeerMessage.standing(standing).frame)
        var events: [SessionEvent] = []
        while let event = larger.nextEvent() { events.append(event) }
        #expect(larger.isClosed && events.contains(.snapshotLost))
    }

    @Test func `closes to start over if it gets a range of a lane while it sends one`() {
        let script = Self.script(standing: Standing(complete: Self.claim(3)), features: .offered)
        script.handle(.changes(.activities, .snapshotNeeded))
        #expect(script.closeCode == nil)
        script.handle(Self.batch(1, after: nil, through: Self.places[0], told: Self.claim(3)))
        #expect(script.closeCode == .startingOver)
    }

    @Test func `ends if a store claims less in a range than was sent, before the range is sent`()
        throws
    {
        for (sequence, isLess) in [(5, false), (4, true)] as [(UInt64, Bool)] {
            let script = Self.script(standing: Standing(complete: Self.claim(3)), features: .offered)
            script.handle(.changes(.activities, .snapshotNeeded))
            let range = RecordRange(
                ahead: [], writes: [], through: nil, isEndAhead: false, complete: Self.claim(sequence),
                dropped: VersionVector(), horizon: .zero, head: .none)
            script.handle(.range(.activities, .range(range)))
            #expect(script.closeCode == (isLess ? .startingOver : nil))
            let batches = try script.takeMessages().filter { if case .batch = $0 { true } else { false } }
            #expect(batches.isEmpty == isLess)
        }
    }

    @Test
    func `while it sends a snapshot of newer writes, reports that it has everything that the peer claimed`() {
        let claimed = VersionVector([(Script.origin(2, .index), 1 as UInt64)])
        let script = Self.script(standing: Standing(complete: claimed), features: .offered)
        script.handle(.changes(.activities, .snapshotNeeded))
        // The sixth write was made after the session had opened with five.
        let range = RecordRange(
            ahead: [], writes: [], through: nil, isEndAhead: false, complete: Self.claim(6),
            dropped: VersionVector(), horizon: .zero, head: .none)
        script.handle(.range(.activities, .range(range)))
        #expect(!script.takeEvents().contains(.toldAll))
        script.handle(.batch(Batch(number: 1, lane: .index, writes: [], complete: claimed)))
        script.handle(Script.applied(.index))
        #expect(script.takeEvents().contains(.toldAll))
    }

    @Test func `sends only after it has received a snapshot if it lacks tombstones that the peer collected`()
        throws
    {
        let standing = Standing(complete: Self.claim(9), dropped: Self.claim(7))
        let script = Self.script(standing: standing)
        let asked = {
            script.takeRequests().contains { request in
                guard case .changes(let changes) = request else { return false }
                return changes.lane == .activities && changes.needed == Self.claim(7)
            }
        }
        script.handle(.changes(.activities, .notNow))
        #expect(!asked())
        #expect(try script.takeMessages().isEmpty && !script.isInStep)
        script.handleCommit(.activities)
        #expect(asked(), "it is asked once more when it took something")
    }

    @Test func `counts a peer as set back if it claims less than it reported`() {
        var reports = Reports()
        reports.join(Script.peer, Self.claim(5))
        let summary = StoreSummary(
            complete: Self.claim(5), settled: [:], heads: [:], clock: .zero, reports: reports)
        #expect(Self.script(summary).isPeerSetBack)
        #expect(!Self.script(summary, standing: Standing(complete: Self.claim(6))).isPeerSetBack)
    }
}
