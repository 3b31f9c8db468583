import BatonCore
import Support
import Testing

@Suite struct `Messages` {
    @Test(arguments: Seeds.first(20))
    func `between nodes survive encoding`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let message = generator.peerMessage()
            #expect(try PeerMessage(message.frame) == message)
        }
    }

    @Test func `with writes of many lives and scopes survive encoding`() throws {
        // Each life and scope comes twice, far apart.
        let writes = (0..<60).map { number in
            let life = Life(high: 1, low: UInt64(number % 30 + 1))
            let content = Write.Content(
                scope: .activities(app: "app \(number % 30)", domain: nil), fields: Fields())
            return Write(
                dot: Dot(origin: Origin(life: life, lane: .activities), sequence: UInt64(number + 1)),
                key: RecordKey(kind: .savedActivity, parts: 1) { $0.unsigned(UInt64(number)) },
                stamp: Stamp(time: HybridTime(value: 5), life: life), action: .full(content))
        }
        let message = PeerMessage.batch(
            Batch(
                number: 1, lane: .activities, writes: writes, complete: nil, resume: ResumeToken(bytes: [1])))
        #expect(try PeerMessage(message.frame) == message)
    }

    @Test(arguments: Seeds.first(20))
    func `in a pairing survive encoding`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let message = generator.pairingMessage()
            #expect(message.frame.body.count <= PairingMessage.frameBytes)
            #expect(try PairingMessage(message.frame) == message)
        }
    }

    @Test(arguments: Seeds.first(20))
    func `to and from an app survive encoding, with their numbers`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let (number, exchange) = (generator.next(), generator.localExchange())
            try LocalExchanges.check(exchange, number: number)
            let frame = generator.localAnswer(number: number)
            #expect(try LocalAnswer.read(frame).number == number)
        }
        let hello = LocalHello(build: "1", process: -1)
        #expect(try LocalHello(hello.frame) == hello)
    }

    @Test(arguments: Seeds.first(20))
    func `that are cut off are refused as malformed`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for frame in try generator.frames() {
            for count in frame.body.indices {
                let cut = Frame(kind: frame.kind, body: Array(frame.body.prefix(count)))
                #expect(refusal(of: cut)?.code == .malformed)
            }
            #expect(refusal(of: Frame(kind: frame.kind, body: frame.body + [0]))?.code == .malformed)
        }
    }

    @Test(arguments: Seeds.first(20))
    func `with changed bytes are refused or read without a crash`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for frame in try generator.frames() {
            for _ in 0..<100 {
                var body = frame.body
                for _ in 0...generator.number(0...3) {
                    let place = generator.number(0...body.count - 1)
                    body[place] =
                        generator.chance(50) ? UInt8(truncatingIfNeeded: generator.next()) : body[place] ^ 1
                }
                let kinds: [FrameKind] = [
                    .hello, .standing, .batch, .continueAnswer, .localAnswer, .localRequest, .pairingGrant,
                ]
                let kind = generator.chance(90) ? frame.kind : generator.pick(kinds)
                let reason = refusal(of: Frame(kind: kind, body: body))
                #expect(reason == nil || reason?.code == .malformed)
            }
        }
    }

    @Test func `from another conversation are refused as unexpected`() throws {
        var generator = SeededGenerator(seed: 1)
        for frame in try generator.frames() {
            if frame.kind.rawValue >= 0x40 {
                #expect(throws: CloseReason.self) { try PeerMessage(frame) }
            }
            if frame.kind.rawValue < 0x60 { #expect(throws: CloseReason.self) { try PairingMessage(frame) } }
            if frame.kind != .localRequest {
                #expect(throws: CloseReason.self) { try LocalRequest.read(frame) }
            }
            if frame.kind != .localAnswer {
                #expect(throws: CloseReason.self) { try LocalAnswer.read(frame) }
            }
        }
    }

    @Test func `cut long names at a limit, between characters`() throws {
        var generator = SeededGenerator(seed: 1)
        var hello = generator.hello()
        hello.name = String(repeating: "🧵", count: 40)
        guard case .hello(let read) = try PeerMessage(PeerMessage.hello(hello).frame) else { return }
        #expect(read.name == String(repeating: "🧵", count: 16))
        let reason = CloseReason(.malformed, String(repeating: "é", count: 5000))
        guard case .close(let other) = try PeerMessage(reason.frame) else { return }
        #expect(other.text.utf8.count == 1024)
    }

    @Test func `with fields of a newer version are read without these fields`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<100 {
            let frame = generator.peerMessage().frame
            // One more pair, with a number that no version uses yet.
            let body = [frame.body[0] + 1] + frame.body.dropFirst() + [UInt8](hex: "1903e8 8301f6a0")
            #expect(try PeerMessage(Frame(kind: frame.kind, body: body)) == PeerMessage(frame))
            let pairing = generator.pairingMessage().frame
            let longer = [pairing.body[0] + 1] + pairing.body.dropFirst() + [UInt8](hex: "1903e8 8301f6a0")
            #expect(try PairingMessage(Frame(kind: pairing.kind, body: longer)) == PairingMessage(pairing))
        }
    }

    /// Returns the reason for which readers of its kind refuse a frame, or nil.
    private func refusal(of frame: Frame) -> CloseReason? {
        do throws(CloseReason) {
            switch frame.kind {
            case .localHello: _ = try LocalHello(frame)
            case .localRequest: _ = try LocalRequest.read(frame)
            case .localAnswer: _ = try LocalAnswer.read(frame)
            case .pairingRequest, .pairingGrant, .pairingRefusal, .pairingJoined, .pairingAnswer,
                .pairingConfirmation, .pairingWelcome, .pairingIntroduction:
                _ = try PairingMessage(frame)
            default: _ = try PeerMessage(frame)
            }
            return nil
        } catch {
            return error
        }
    }
}

extension SeededGenerator {
    /// Returns frames of every kind of message.
    fileprivate mutating func frames() throws(LocalFailure) -> [Frame] {
        var frames = [LocalHello(build: "1", process: 7).frame]
        // A call of a newer version.
        frames.append(Frame(kind: .localRequest, body: [UInt8](hex: "83 07 1903e8 8301f6a0")))
        for _ in 0..<12 { frames.append(peerMessage().frame) }
        for _ in 0..<6 { frames.append(pairingMessage().frame) }
        for number in UInt64(0)..<8 {
            frames += [try localExchange().call.frame(number: number), localAnswer(number: number)]
        }
        return frames
    }
}
