import BatonCore
import Support
import Testing

@Suite struct `A session that exchanges` {
    typealias Script = SessionScript

    /// Returns the claims of one transaction.
    private static func claim(_ sequence: UInt64, _ lane: Lane = .activities) -> VersionVector {
        VersionVector([(Script.origin(1, lane), sequence)])
    }

    private static func changes(_ lane: Lane, _ writes: [Write], _ next: UInt64, _ complete: VersionVector?)
        -> StoreAnswer
    {
        .changes(lane, .changes(Changes(writes: writes, next: Arrival(value: next), complete: complete)))
    }

    // MARK: Opening

    @Test func `costs one hello in each direction if both devices are in step`() throws {
        let complete = Self.claim(5)
        let script = Script()
        #expect(script.takeRequests() == [.summary(for: Script.peer)])
        script.handle(Script.summary(complete, settled: [.activities: Arrival(value: 8)]))
        script.handle(Script.hello(complete))
        let request = ChangesRequest(
            lane: .activities, after: Arrival(value: 8), covered: complete, bytes: Limits().batchBytes)
        #expect(script.takeRequests() == [.changes(request)])
        script.handle(Self.changes(.activities, [], 8, complete))
        script.handle(Self.changes(.index, [], 0, VersionVector()))
        #expect(script.isInStep && script.isOpen)
        let messages = try script.takeMessages()
        guard messages.count == 1, case .hello(let hello) = messages[0] else {
            throw CloseReason(.unexpected, "\(messages)")
        }
        #expect(hello.completeDigest == complete.digest && hello.device == Script.own.device)
        #expect(script.takeEvents().contains(.opened))
    }

    @Test func `sends vectors if the hellos differ, and reads everything that the peer lacks`()
        throws
    {
        let script = Script()
        script.handle(Script.summary(Self.claim(5), settled: [.activities: Arrival(value: 8)]))
        script.handle(Script.hello(Self.claim(3)))
        #expect(try script.takeMessages().last == .standing(Standing(complete: Self.claim(5))))
        script.forget()
        script.handle(.standing(Standing(complete: Self.claim(3))))
        let request = ChangesRequest(
            lane: .activities, after: .none, covered: Self.claim(3), bytes: Limits().batchBytes)
        #expect(script.takeRequests() == [.changes(request)])
    }

    @Test func `resumes reading at the peer's position, unless the order of arrival has been replaced`() {
        let (order, other) = (ArrivalOrder(high: 7, low: 7), ArrivalOrder(high: 8, low: 8))
        for (token, place) in [
            (ResumeToken(Cursor(Arrival(value: 40)), in: order), 40),
            (ResumeToken(Cursor(Arrival(value: 40)), in: other), 0),
            (ResumeToken(bytes: []), 0), (ResumeToken(bytes: order.bytes), 0),
            // Positions that were never given out.
            (ResumeToken(Cursor(Arrival(value: 41)), in: order), 0),
            (ResumeToken(Cursor(Arrival(value: .max)), in: order), 0),
        ] {
            let script = Script()
            script.handle(
                .summary(
                    StoreSummary(
                        complete: Self.claim(5), settled: [:], heads: [.activities: Arrival(value: 40)],
                        clock: .zero, order: order)))
            script.handle(Script.hello(resume: [.activities: token]))
            script.forget()
            script.handle(.standing(Standing(complete: VersionVector())))
            guard case .changes(let request)? = script.takeRequests().first else {
                return #expect(Bool(false), "nothing is read")
            }
            #expect(request.after == Arrival(value: UInt64(place)))
        }
    }

    @Test func `closes if the digest of the peer's vector differs from the digest in its hello`() {
        let script = SessionScript(at: .comparing)
        script.handle(.standing(Standing(complete: Self.claim(3))))
        #expect(script.closeCode == .unexpected)
    }

    @Test func `sends the peer's last resume position back to the peer`() throws {
        let token = ResumeToken(bytes: [1, 2, 3])
        let script = Script()
        script.handle(
            .summary(
                StoreSummary(
                    complete: Self.claim(5), settled: [:], heads: [:], clock: .zero,
                    resume: [.index: token])))
        guard case .hello(let hello)? = try script.takeMessages().first else {
            return #expect(Bool(false), "no first message")
        }
        #expect(hello.resume == [.index: token])
    }

    @Test func `resends nothing to a peer with the same claims, not even unclaimed writes`() {
        let order = ArrivalOrder(high: 7, low: 7)
        let cursor = { (writes: UInt64, clears: UInt64) in
            Cursor(writes: Arrival(value: writes), clears: Arrival(value: clears))
        }
        for (told, begun) in [
            (nil, cursor(50, 50)), (cursor(30, 40), cursor(50, 50)), (cursor(30, 60), cursor(50, 60)),
            (cursor(60, 60), cursor(60, 60)),
        ] {
            let script = Script()
            script.handle(
                .summary(
                    StoreSummary(
                        complete: Self.claim(5), settled: [.activities: Arrival(value: 50)],
                        heads: [.activities: Arrival(value: 60)], clock: .zero, order: order)))
            let resume = told.map { [Lane.activities: ResumeToken($0, in: order)] } ?? [:]
            script.forget()
            script.handle(Script.hello(Self.claim(5), resume: resume))
            guard case .changes(let request)? = script.takeRequests().first else {
                return #expect(Bool(false), "nothing is read")
            }
            #expect(Cursor(writes: request.after, clears: request.clearsAfter) == begun)
        }
    }

    @Test func `sends a resume position now and then to a peer that has many changes from others`() throws {
        let script = Script.quiet(Self.claim(1))
        for (next, isTold) in [(999, false), (1000, true), (1999, false), (2000, true)] as [(UInt64, Bool)] {
            script.handleCommit(.activities)
            script.handle(Self.changes(.activities, [], next, Self.claim(1)))
            let messages = try script.takeMessages()
            #expect(messages.isEmpty == !isTold)
            if case .batch(let batch)? = messages.first {
                #expect(batch.writes.isEmpty && batch.complete == VersionVector())
                #expect(
                    batch.resume.cursor(in: ArrivalOrder(high: 0, low: 0))?.writes == Arrival(value: next))
            }
        }
    }

    @Test func `ends if the store claims less than was sent, before the smaller claim is sent`() throws {
        let script = Script.quiet(Self.claim(3))
        script.handleCommit(.activities)
        script.handle(Self.changes(.activities, [], 1, Self.claim(2)))
        #expect(script.closeCode == .startingOver)
        for case .batch in try script.takeMessages() { Issue.record("the smaller claim is told") }
    }

    @Test func `keeps a hello that arrives before the store has answered`() throws {
        let script = Script()
        script.handle(Script.hello())
        #expect(try script.takeMessages().isEmpty)
        script.handle(Script.summary())
        #expect(script.isOpen && !script.isInStep)
    }

    // MARK: Sending

    /// Returns those of the writes that a session sends; its store read all of them and does not claim them yet.
    private static func sent(_ writes: [Write], _ script: SessionScript) throws -> [Write] {
        script.handleCommit(.activities)
        script.handle(changes(.activities, writes, 1, nil))
        return try script.takeMessages().flatMap { message -> [Write] in
            if case .batch(let batch) = message { batch.writes } else { [] }
        }
    }

    @Test func `omits an unclaimed write that the peer has sent if it is unchanged here, and only once`()
        throws
    {
        let (one, two) = (Script.write(1), Script.write(2))
        let script = Script.quiet()
        script.handle(.batch(Batch(number: 1, lane: .activities, writes: [one, two], complete: nil)))
        script.handle(Script.applied(.activities))
        script.forget()
        let left = Write(deleting: two.identity, dot: two.dot, stamp: two.stamp)
        #expect(try Self.sent([one, left, Script.write(3)], script) == [left, Script.write(3)])
        #expect(try Self.sent([one], script) == [one])
    }

    @Test func `omits a write that the peer claims while the store reads`() throws {
        let script = Script.quiet(Self.claim(1))
        script.handle(.batch(Batch(number: 1, lane: .activities, writes: [Script.write(2)], complete: nil)))
        script.handle(Script.applied(.activities))
        script.handleCommit(.activities)
        script.handle(.batch(Batch(number: 2, lane: .activities, writes: [], complete: Self.claim(2))))
        script.handle(Script.applied(.activities))
        _ = try script.takeMessages()
        script.handle(Self.changes(.activities, [Script.write(2)], 2, Self.claim(2)))
        #expect(try script.takeMessages().isEmpty)
    }

    @Test func `omits writes that the peer has sent, up to a limit of remembered bytes`() throws {
        let script = Script.quiet()
        let most = UInt64(Limits.windowBytes / (250 << 10))
        let writes = (1...most + 1).map { Script.write($0, bytes: 250 << 10) }
        for (number, write) in writes.enumerated() {
            script.handle(
                .batch(
                    Batch(number: UInt64(number + 1), lane: .activities, writes: [write], complete: nil)))
            script.handle(Script.applied(.activities))
        }
        script.forget()
        #expect(try Self.sent(writes, script) == [writes[Int(most)]], "a window of them is remembered")
        // Claimed writes make room.
        for number in most + 2...most + 5 {
            script.handle(
                .batch(
                    Batch(
                        number: number, lane: .activities, writes: [Script.write(number, bytes: 250 << 10)],
                        complete: nil)))
            script.handle(Script.applied(.activities))
        }
        let claim = Self.claim(most + 5)
        script.handle(.batch(Batch(number: most + 6, lane: .activities, writes: [], complete: claim)))
        let last = Script.write(most + 6, bytes: 250 << 10)
        script.handle(.batch(Batch(number: most + 7, lane: .activities, writes: [last], complete: nil)))
        for _ in 0..<2 { script.handle(Script.applied(.activities)) }
        script.handle(.acknowledgement(1))
        script.forget()
        let next = Script.write(most + 7)
        #expect(try Self.sent([last, next], script) == [next])
    }

    @Test func `reads the activities lane first, and again before the index whenever it has more`() {
        let script = Script(at: .greeting)
        script.handle(Script.hello())
        #expect(script.takeRequests().lanes == [.activities])
        script.handleCommit(.index)
        #expect(script.takeRequests().isEmpty)
        script.handle(Self.changes(.activities, [Script.write(1)], 1, nil))
        #expect(script.takeRequests().lanes == [.activities])
        script.handle(Self.changes(.activities, [], 1, VersionVector()))
        #expect(script.takeRequests().lanes == [.index])
        // An activity does not wait until the index is read.
        script.handleCommit(.activities)
        #expect(script.takeRequests().lanes == [.activities])
    }

    @Test func `numbers its batches, sends what the peer lacks, and claims only with a whole batch`()
        throws
    {
        let script = Script.quiet(Self.claim(1))
        script.handleCommit(.activities)
        script.handle(Self.changes(.activities, [Script.write(2)], 2, nil))
        script.handle(Self.changes(.activities, [Script.write(3)], 3, Self.claim(3)))
        let batches = [
            Batch(number: 1, lane: .activities, writes: [Script.write(2)], complete: nil, upTo: 2),
            Batch(
                number: 2, lane: .activities, writes: [Script.write(3)], complete: Self.claim(3), upTo: 3),
        ]
        #expect(try script.takeMessages() == batches.map { .batch($0) })
        #expect(script.takeRequests().map(\.covered) == [Self.claim(1), Self.claim(1)])
        #expect(!script.isInStep)
        script.handle(.acknowledgement(2))
        #expect(script.isInStep)
    }

    @Test func `is not in step while the peer has sent only a part of its changes`() throws {
        let script = Script.quiet(Self.claim(1))
        #expect(script.isInStep)
        for (number, writes) in [(UInt64(1), [Script.write(2)]), (2, [])] {
            let complete: VersionVector? = writes.isEmpty ? VersionVector() : nil
            script.handle(
                .batch(Batch(number: number, lane: .activities, writes: writes, complete: complete)))
            script.handle(Script.applied(.activities))
            script.handleCommit(.activities)
            script.handle(Self.changes(.activities, [], 2, Self.claim(1)))
            // The peer's lost writes must not be looked for before the whole of them came.
            #expect(script.isInStep == (complete != nil))
        }
    }

    @Test func `sends a whole batch after a partial one, even if the whole one is empty`() throws {
        let script = Script.quiet(Self.claim(1))
        script.handleCommit(.activities)
        script.handle(Self.changes(.activities, [Script.write(2)], 2, nil))
        script.handle(Self.changes(.activities, [], 2, Self.claim(1)))
        let batches = try script.takeMessages().compactMap { message -> Batch? in
            if case .batch(let batch) = message { batch } else { nil }
        }
        #expect(batches.map(\.writes) == [[Script.write(2)], []])
        #expect(batches.map(\.complete) == [nil, VersionVector()])
        script.handleCommit(.activities)
        script.handle(Self.changes(.activities, [], 2, Self.claim(1)))
        #expect(try script.takeMessages().isEmpty, "once is enough")
    }

    @Test(arguments: [false, true])
    func `reports once that it has everything that the peer claimed when it opened`(isInStepAtFirst: Bool)
        throws
    {
        let script = Script()
        script.handle(Script.summary(isInStepAtFirst ? Self.claim(3) : VersionVector()))
        script.handle(Script.hello(Self.claim(3)))
        if !isInStepAtFirst { script.handle(.standing(Standing(complete: Self.claim(3)))) }
        #expect(script.takeEvents().contains(.toldAll) == isInStepAtFirst)
        guard !isInStepAtFirst else { return }
        script.handle(.batch(Batch(number: 1, lane: .activities, writes: [Script.write(2)], complete: nil)))
        script.handle(Script.applied(.activities))
        #expect(!script.takeEvents().contains(.toldAll))
        for number in UInt64(2)...3 {
            script.handle(
                .batch(Batch(number: number, lane: .activities, writes: [], complete: Self.claim(number + 1)))
            )
            script.handle(Script.applied(.activities))
            #expect(script.takeEvents().contains(.toldAll) == (number == 2))
        }
    }

    @Test func `sends only claims that the peer might not know yet`() throws {
        let others = (2...40).map { (Script.origin($0), 7 as UInt64) }
        var complete = VersionVector(others)
        let script = Script.quiet(complete)
        script.handleCommit(.activities)
        complete.join(Self.claim(1))
        script.handle(Self.changes(.activities, [Script.write(1)], 1, complete))
        let batch = Batch(
            number: 1, lane: .activities, writes: [Script.write(1)], complete: Self.claim(1), upTo: 1)
        #expect(try script.takeMessages() == [.batch(batch)])
    }

    @Test func `sends nothing to a peer that has all writes and knows all claims`() throws {
        let script = Script.quiet(Self.claim(1))
        script.handle(
            .batch(Batch(number: 1, lane: .activities, writes: [Script.write(2)], complete: Self.claim(2))))
        script.handle(Script.applied(.activities))
        script.handleCommit(.activities)
        _ = try script.takeMessages()
        script.handle(Self.changes(.activities, [], 2, Self.claim(2)))
        #expect(try script.takeMessages().isEmpty && script.isInStep)
    }

    @Test func `reads once more if a commit comes while the store reads`() {
        let script = Script.quiet()
        script.handleCommit(.activities)
        script.handleCommit(.activities)
        #expect(script.takeRequests().count == 1)
        script.handle(Self.changes(.activities, [], 1, VersionVector()))
        #expect(script.takeRequests().count == 1)
        script.handle(Self.changes(.activities, [], 1, VersionVector()))
        #expect(script.takeRequests().isEmpty)
    }

    @Test(arguments: [(Lane.activities, 14 as UInt64), (.index, 7)])
    func `reads nothing beyond the window until the peer acknowledges`(_ lane: Lane, _ most: UInt64) {
        let script = Script.quiet()
        #expect(Self.fillWindow(of: lane, script) == most)
        script.handleCommit(.index)
        #expect(script.takeRequests().isEmpty)
        script.handle(.acknowledgement(most))
        #expect(script.takeRequests().lanes == [lane])
    }

    @Test func `sends an activity while the index waits for an acknowledgement`() {
        let script = Script.quiet()
        _ = Self.fillWindow(of: .index, script)
        script.handleCommit(.activities)
        #expect(script.takeRequests().lanes == [.activities])
    }

    /// Sends large writes of a lane until no more are read; returns how many there were.
    private static func fillWindow(of lane: Lane, _ script: Script) -> UInt64 {
        var sent: UInt64 = 0
        script.handleCommit(lane)
        while !script.takeRequests().isEmpty, sent < 100 {
            sent += 1
            script.handle(changes(lane, [Script.write(sent, lane, bytes: 300_000)], sent, nil))
        }
        return sent
    }

    @Test func `never requests more bytes than fit a frame, whatever the setting`() {
        var limits = Limits()
        limits.batchBytes = .max
        let script = Script.quiet(limits: limits)
        script.handleCommit(.index)
        #expect(script.takeRequests().map(\.bytes) == [Limits.largestBatchBytes])
    }

    @Test(arguments: [[2], [0], [1, 1], [2, 1], [.max]] as [[UInt64]])
    func `refuses an acknowledgement of a batch that was never sent or is acknowledged already`(
        _ numbers: [UInt64]
    ) {
        let script = Script.quiet()
        script.handleCommit(.activities)
        script.handle(Self.changes(.activities, [Script.write(1)], 1, Self.claim(1)))
        for number in numbers { script.handle(.acknowledgement(number)) }
        #expect(script.closeCode == .notSent)
    }

    // MARK: Receiving

    @Test func `stores a batch, acknowledges it, and then claims what the peer claimed with it`() throws {
        let script = Script.quiet()
        let future = Write(
            dot: Script.write(2).dot, key: Script.key(2), stamp: Script.write(2).stamp,
            action: .partial(
                of: Stamp(time: HybridTime(value: 1 << 40), life: Life(high: 1, low: 1)), Fields()))
        let first = Batch(number: 1, lane: .activities, writes: [Script.write(1), future], complete: nil)
        let second = Batch(number: 2, lane: .activities, writes: [], complete: Self.claim(2), upTo: 9)
        for batch in [first, second] { script.handle(.batch(batch)) }
        var transactions = [
            StoreTransaction(
                lane: .activities, writes: [Script.write(1), future], completing: VersionVector(),
                clock: HybridTime(value: 1 << 40),
                resume: StoreTransaction.Resume(peer: Script.peer, token: first.resume)),
            StoreTransaction(
                lane: .activities, writes: [], completing: Self.claim(2),
                resume: StoreTransaction.Resume(peer: Script.peer, token: second.resume)),
        ]
        transactions[0].isPart = true
        let applied = script.takeRequests().compactMap { request -> StoreTransaction? in
            guard case .apply(var transaction) = request else { return nil }
            // The peer's claims when it sent a batch are the subject of another test.
            #expect(!transaction.isOwn)
            transaction.sender = nil
            return transaction
        }
        #expect(applied == transactions)
        #expect(try script.takeMessages().isEmpty && !script.isInStep)
        script.handle(Script.applied(.activities))
        #expect(try script.takeMessages() == [.acknowledgement(1)])
        script.handle(Script.applied(.activities))
        #expect(try script.takeMessages() == [.acknowledgement(2)] && script.isInStep)
    }

    @Test func `acknowledges a batch of one lane once the other lane has stored earlier batches`()
        throws
    {
        let script = Script.quiet()
        let lanes: [Lane] = [.index, .activities, .activities, .index, .activities]
        for (number, lane) in lanes.enumerated() {
            let batch = Batch(
                number: UInt64(number + 1), lane: lane, writes: [],
                complete: Self.claim(UInt64(number + 1), lane))
            script.handle(.batch(batch))
        }
        script.forget()
        let kept: [(Lane, acknowledged: UInt64?)] = [
            (.activities, nil), (.activities, nil), (.index, 3), (.activities, nil), (.index, 5),
        ]
        for (lane, number) in kept {
            #expect(!script.isInStep)
            script.handle(Script.applied(lane))
            #expect(try script.takeMessages() == (number.map { [.acknowledgement($0)] } ?? []))
        }
        #expect(script.isInStep)
    }

    @Test func `matches each commit with the batches of its own lane, whatever the other lane commits`()
        throws
    {
        let script = Script.quiet()
        // Many batches of the index that bring nothing, and one of the activities that brings something.
        for number in UInt64(1)...UInt64(Limits.idleMessages) {
            script.handle(.batch(Batch(number: number, lane: .index, writes: [], complete: nil)))
        }
        let last = UInt64(Limits.idleMessages) + 1
        script.handle(
            .batch(Batch(number: last, lane: .activities, writes: [], complete: Self.claim(1))))
        script.handle(Script.applied(.activities))
        for _ in 0..<Limits.idleMessages { script.handle(Script.applied(.index)) }
        #expect(!script.isClosed)
        script.handle(.batch(Batch(number: last + 1, lane: .index, writes: [], complete: nil)))
        script.handle(Script.applied(.index))
        #expect(script.closeCode == .idle)
    }

    @Test(arguments: [[2], [0], [1, 1], [1, 3], [1, 2, 2]] as [[UInt64]])
    func `refuses batches whose numbers are out of order`(_ numbers: [UInt64]) {
        let script = Script.quiet()
        for number in numbers {
            script.handle(.batch(Batch(number: number, lane: .index, writes: [], complete: VersionVector())))
        }
        #expect(script.closeCode == .outOfOrder)
    }

    @Test func `counts batches without writes against the window`() {
        let script = Script.quiet()
        let most = (Limits.windowBytes + Lane.allCases.count * Limits.frameBytes) / Limits.leastBatchBytes
        for number in UInt64(1)...UInt64(most) {
            script.handle(.batch(Batch(number: number, lane: .index, writes: [], complete: nil)))
        }
        #expect(!script.isClosed)
        script.handle(.batch(Batch(number: UInt64(most + 1), lane: .index, writes: [], complete: nil)))
        #expect(script.closeCode == .windowExceeded)
    }

    @Test func `refuses claims of another lane in a batch`() {
        let script = Script.quiet()
        script.handle(
            .batch(Batch(number: 1, lane: .activities, writes: [], complete: Self.claim(1, .index))))
        #expect(script.closeCode == .malformed)
    }

    @Test func `refuses more claims than a lane may have`() {
        let script = Script.quiet()
        for number in UInt64(0)..<20 where !script.isClosed {
            let claims = VersionVector(
                (0..<UInt64(Limits.laneOrigins)).map { (Script.origin(number << 32 | $0), 1 as UInt64) })
            script.handle(.batch(Batch(number: number + 1, lane: .activities, writes: [], complete: claims)))
            script.handle(Script.applied(.activities))
        }
        #expect(script.closeCode == .malformed)
    }

    @Test
    func `accepts batches up to the window and one frame for each lane, and refuses more`() {
        let script = Script.quiet()
        var (number, bytes): (UInt64, Int) = (0, 0)
        while script.closeCode == nil, number < 100 {
            number += 1
            let batch = Batch(
                number: number, lane: .index, writes: [Script.write(number, .index, bytes: 500_000)],
                complete: nil)
            bytes += PeerMessage.batch(batch).frame.body.count
            script.handle(.batch(batch))
            #expect((script.closeCode == nil) == (bytes <= Limits.windowBytes + 2 * Limits.frameBytes))
        }
        #expect(script.closeCode == .windowExceeded)
    }

    // MARK: Continuing

    @Test func `answers a request to continue once, with the request's number`() throws {
        let script = Script.quiet()
        let identity = Script.write(1).identity
        script.handle(.continueRequest(ContinueRequest(number: 9, identity: identity)))
        #expect(script.takeEvents() == [.continueRequested(ContinueRequest(number: 9, identity: identity))])
        for _ in 0..<2 { script.handle { $0.answerContinue(9, .fields(Fields(), isSaved: false)) } }
        #expect(
            try script.takeMessages() == [
                .continueAnswer(ContinueAnswer(number: 9, outcome: .fields(Fields(), isSaved: false)))
            ])
    }

    @Test func `passes an answer to its caller, and refuses a second answer`() throws {
        let script = Script.quiet()
        let identity = Script.write(1).identity
        let number = try #require(script.handle { $0.requestContinue(identity, takes: false) })
        #expect(
            try script.takeMessages() == [
                .continueRequest(ContinueRequest(number: number, identity: identity))
            ])
        let answer = ContinueAnswer(number: number, outcome: .gone(to: nil))
        script.handle(.continueAnswer(answer))
        #expect(script.takeEvents() == [.continueAnswered(answer)])
        script.handle(.continueAnswer(answer))
        #expect(script.closeCode == .unexpected)
    }

    @Test func `limits requests to continue, and refuses a repeated number`() {
        let limit = UInt64(Limits.continuingRequests)
        for (numbers, isRefused) in [
            (Array(1...limit), false), (Array(1...limit + 1), true), ([1, 1], true),
        ] {
            let script = Script.quiet()
            for number in numbers {
                script.handle(
                    .continueRequest(ContinueRequest(number: number, identity: Script.write(1).identity)))
            }
            #expect((script.closeCode == .unexpected) == isRefused)
        }
        let script = Script.quiet()
        for _ in 0..<limit {
            #expect(script.handle { $0.requestContinue(Script.write(1).identity, takes: false) } != nil)
        }
        #expect(script.handle { $0.requestContinue(Script.write(1).identity, takes: false) } == nil)
    }

    @Test func `does not send fields beyond what a write can hold`() throws {
        let script = Script.quiet()
        script.handle(.continueRequest(ContinueRequest(number: 1, identity: Script.write(1).identity)))
        var fields = Fields()
        for number in UInt64(1)...3 { fields.set(number) { $0.data([UInt8](repeating: 0, count: 400_000)) } }
        script.handle { $0.answerContinue(1, .fields(fields, isSaved: true)) }
        let answer = ContinueAnswer(number: 1, outcome: .unavailable)
        #expect(try script.takeMessages() == [.continueAnswer(answer)])
    }

    @Test func `sends addresses of other devices, up to the limit of one message`() throws {
        let script = Script.quiet()
        let device = DeviceIdentifier(high: 7, low: 8)
        let told = DeviceAddresses(device: device, name: "desk", addresses: ["[2001:db8::7]:4817"])
        script.handle { $0.tellAddresses([told]) }
        #expect(try script.takeMessages() == [.addresses([told])])
        script.handle(.addresses([told]))
        #expect(script.takeEvents() == [.addressesTold([told])])
        // An empty list is not sent, and addresses beyond one message are left out.
        script.handle { $0.tellAddresses([]) }
        #expect(try script.takeMessages().isEmpty)
        let long = DeviceAddresses(
            device: device, name: String(repeating: "é", count: 99), addresses: (0..<20).map { "host\($0):1" }
        )
        script.handle { $0.tellAddresses([DeviceAddresses](repeating: long, count: 300)) }
        guard case .addresses(let sent)? = try script.takeMessages().first else {
            throw StoreFailure(.failed, "")
        }
        #expect(sent.count == Limits.toldDevices)
        #expect(sent.allSatisfy { $0.addresses.count == Limits.deviceAddresses })
        #expect(sent.allSatisfy { $0.name.utf8.count <= Limits.nameBytes })
    }

    // MARK: Hostile peers

    @Test(arguments: Seeds.first(30))
    func `does not crash, whatever the order of messages and answers`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let script =
                generator.chance(50) ? Script.quiet() : Script(at: generator.pick(Script.Stage.allCases))
            var number: UInt64 = 0
            for _ in 0..<30 {
                var message = generator.peerMessage()
                if case .batch(var batch) = message, generator.chance(80) {
                    number += 1
                    batch.number = number
                    message = .batch(batch)
                }
                script.handle(message)
                for request in script.takeRequests() {
                    switch request {
                    case .summary: break
                    case .range, .keepReports, .check, .sums, .part: break
                    case .changes(let request):
                        script.handle(Self.changes(request.lane, [], 0, VersionVector()))
                    case .apply(let transaction): script.handle(Script.applied(transaction.lane))
                    }
                }
            }
        }
    }
}

extension [StoreRequest] {
    /// The requested reads.
    private var readings: [ChangesRequest] {
        compactMap { if case .changes(let request) = $0 { request } else { nil } }
    }

    fileprivate var lanes: [Lane] { readings.map(\.lane) }
}

extension StoreRequest {
    private var reading: ChangesRequest? { if case .changes(let request) = self { request } else { nil } }

    fileprivate var covered: VersionVector? { reading?.covered }
    fileprivate var bytes: Int? { reading?.bytes }
}
