package import BatonCore

extension SeededGenerator {
    package mutating func hello() -> Hello {
        var hello = Hello(
            account: identifier(), device: identifier(), name: text(0...3), completeDigest: bytes(32...32),
            port: chance(50) ? UInt16(truncatingIfNeeded: next()) : nil, build: text(0...3),
            features: Features((0..<number(0...2)).map { _ in next() % 100 }),
            reportsDigest: chance(30) ? bytes(32...32) : nil,
            parts: chance(30) ? VectorParts(of: vector(), salt: next()) : nil,
            state: chance(50) ? stateDigest() : nil)
        for lane in Lane.allCases where chance(50) { hello.resume[lane] = resumeToken() }
        if chance(50) { hello.compared = time() }
        if chance(50) { hello.clock = time() }
        return hello
    }

    package mutating func batch() -> Batch {
        let lane = pick(Lane.allCases)
        var batch = Batch(
            number: next() % 1000, lane: lane, writes: writes(0...6, lane),
            complete: chance(50) ? vector().restricted(to: lane) : nil, resume: resumeToken(),
            range: chance(30) ? range(lane) : nil, repair: chance(20) ? pick([.more, .last]) : nil)
        batch.isAhead = chance(10)
        return batch
    }

    private mutating func stateDigest() -> StateDigest {
        StateDigest(bytes: bytes(32...32)) ?? StateDigest()
    }

    /// Returns a message of a continuation stream between nodes.
    private mutating func streamMessage() -> StreamMessage {
        let word: StreamMessage.Word =
            switch number(0...7) {
            case 0: .open(key(of: 9).identity)
            case 1: .opened
            case 2: .refused(StreamRefusal(rawValue: next()))
            case 3: .credit(number(0...Limits.streamCreditMost))
            case 4: .end
            case 5: .taken
            case 6: .abort(StreamBreak(rawValue: next()))
            default: .data(bytes(1...100)[...])
            }
        return StreamMessage(next(), word)
    }

    /// Returns a message of any kind that nodes exchange.
    package mutating func peerMessage() -> PeerMessage {
        switch number(0...13) {
        case 10: .stream(streamMessage())
        case 12: .ping(next())
        case 13: .pong(next())
        case 0: .hello(hello())
        case 8: .check(StateCheck(complete: bytes(32...32), state: stateDigest(), at: time()))
        case 9:
            .sums(
                LaneSums(
                    lane: pick(Lane.allCases), sums: (0..<LaneSums.count).map { _ in stateDigest() },
                    at: time()))
        case 1: .standing(standing())
        case 2: .acknowledgement(next())
        case 3:
            .continueRequest(
                ContinueRequest(
                    number: next(), identity: key(of: 9).identity, takes: chance(50),
                    step: pick(ContinuationStep.allCases), type: chance(50) ? text() : nil))
        case 4: .continueAnswer(ContinueAnswer(number: next(), outcome: continueOutcome()))
        case 5: .close(CloseReason(CloseCode(rawValue: next()), text()))
        case 6:
            .addresses(
                (0..<number(0...3)).map { _ in
                    DeviceAddresses(
                        device: identifier(), name: text(0...3),
                        addresses: (0..<number(0...3)).map { _ in text() })
                })
        case 7: .reports(reports())
        default: .batch(batch())
        }
    }

    package mutating func reports() -> Reports {
        var reports = Reports()
        for _ in 0..<number(0...3) { reports.join(identifier(of: 5), vector()) }
        return reports
    }

    private mutating func range(_ lane: Lane) -> BatchRange {
        BatchRange(
            after: chance(50) ? key(of: 6, lane).identity : nil,
            through: chance(50) ? key(of: 6, lane).identity : nil,
            complete: chance(70) ? vector().restricted(to: lane) : nil,
            dropped: chance(70) ? vector().restricted(to: lane) : nil,
            horizon: HybridTime(value: next() >> 1), isEndAhead: chance(20))
    }

    private mutating func resumeToken() -> ResumeToken { ResumeToken(bytes: bytes(0...32)) }

    private mutating func standing() -> Standing {
        var standing = Standing(complete: vector())
        if chance(30) { standing.parts = VectorPartSet([number(0...63), number(0...63)]) }
        for lane in Lane.allCases where chance(30) {
            standing.snapshots[lane] = SnapshotProgress(
                through: chance(70) ? key(of: 6, lane).identity : nil, start: vector(), token: resumeToken())
        }
        if chance(30) { standing.dropped = vector() }
        return standing
    }

    private mutating func continueOutcome() -> ContinueAnswer.Outcome {
        switch number(0...3) {
        case 0: .gone(to: chance(50) ? identifier() : nil)
        case 1: .unavailable
        default: .fields(fields(), isSaved: chance(50))
        }
    }

    /// Returns a message of any kind that a joiner and an inviter exchange.
    package mutating func pairingMessage() -> PairingMessage {
        switch number(0...7) {
        case 0: .request(PairingRequest(share: bytes(65...65), commitment: bytes(32...32)))
        case 1:
            .grant(
                PairingGrant(
                    root: bytes(0...200), owner: bytes(0...200), device: bytes(0...200),
                    contentKey: bytes(32...32)))
        case 2: .refusal(pick(PairingRefusal.allCases))
        case 3: .answer(PairingAnswer(share: bytes(65...65)))
        case 4: .confirmation(PairingConfirmation(proof: bytes(32...32), opening: bytes(32...32)))
        case 5:
            .welcome(
                PairingWelcome(
                    proof: bytes(32...32), asksPerson: chance(50), inviter: identifier(),
                    inviterName: text(0...3), time: time()))
        case 6: .introduction(PairingIntroduction(name: text(0...3)))
        default: .joined
        }
    }
}
