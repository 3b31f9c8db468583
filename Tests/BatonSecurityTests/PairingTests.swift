import BatonCore
import BatonSecurity
import SecuritySupport
import Support
import Testing

/// An invitation: one code, one guess, ten minutes, one success.
@Suite struct Pairing {
    @Test func `the right code makes the joiner a trusted device, and both sides show the same words`() throws
    {
        let world = try PairingWorld()
        let guest = try world.arrive(name: "desk\u{1b}top")
        #expect(world.isOpen())
        world.run()
        let credentials = try #require(guest.credentials)
        #expect(world.ending == .joined(guest.device))
        let account = try PairingWorld.account()
        #expect(credentials.account == account.account && credentials.device == guest.device)
        #expect(credentials.deviceName == "desktop" && credentials.ownerAuthority == nil)
        #expect(guest.host?.device == account.device && guest.host?.name == "laptop")
        #expect(world.applicant?.name == "desktop")
        #expect(world.applicant?.phrase == guest.host?.phrase)
        #expect(world.applicant?.phrase.split(separator: "-").count == 3)
        #expect(world.isOver && world.contradiction() == nil)
        let pair = try SessionPair.established(credentials, account)
        #expect(pair.server.peer == .device(credentials.identity))
    }

    @Test func `after a wrong code, the right code is also refused`() throws {
        let world = try PairingWorld()
        let wrong = try world.arrive(code: .random())
        world.run()
        #expect(wrong.failure?.code == .wrongPairingCode && wrong.host == nil)
        #expect(world.ending == .nobody(.refused(.wrongCode)) && world.applicant == nil)
        #expect(!world.isOpen())
        let right = try world.arrive()
        world.run()
        #expect(right.failure?.code == .pairingOver)
        #expect(world.contradiction() == nil && world.grants.isEmpty)
    }

    @Test func `a joiner that does not know the code gets nothing with which to try codes offline`() throws {
        let world = try PairingWorld()
        let guest = try world.arrive()
        world.deliverToInviter(guest)
        // The inviter has sent only its share, which is as good as random to anyone without the code.
        guard case .answer? = guest.toJoiner.first, guest.toJoiner.count == 1 else {
            Issue.record("the inviter sent something else: \(guest.toJoiner)")
            return
        }
        // A joiner that leaves now has used up the guess.
        world.cut(guest)
        #expect(world.ending == .nobody(.lost))
        let next = try world.arrive()
        world.run()
        #expect(next.failure?.code == .pairingOver && world.contradiction() == nil)
    }

    @Test func `neither side sends its name until the other side has proved the code`() throws {
        let world = try PairingWorld()
        try world.arrive()
        world.run()
        func holds(_ name: String, _ message: PairingMessage) -> Bool {
            message.frame.body.indices.contains {
                message.frame.body[$0...].starts(with: name.utf8)
            }
        }
        let kinds = world.record.map(\.frame.kind)
        #expect(
            kinds == [
                .pairingRequest, .pairingAnswer, .pairingConfirmation, .pairingWelcome,
                .pairingIntroduction, .pairingGrant, .pairingJoined,
            ])
        // The joiner proves first, so the inviter can name itself in its own proof.
        for message in world.record.prefix(3) {
            #expect(!holds("desktop", message) && !holds("laptop", message), "\(message)")
        }
        #expect(holds("laptop", world.record[3]) && !holds("desktop", world.record[3]))
        #expect(holds("desktop", world.record[4]))
    }

    @Test func `an invitation admits only one joiner`() throws {
        let world = try PairingWorld()
        try world.arrive()
        world.run()
        let late = try world.arrive(name: "third")
        world.run()
        #expect(late.failure?.code == .pairingOver)
        #expect(world.ending == .joined(world.joiners[0].device) && world.contradiction() == nil)
    }

    @Test(arguments: 0...5)
    func `a second joiner disturbs the first at none of its steps`(step: Int) throws {
        let world = try PairingWorld()
        let first = try world.arrive()
        for turn in 0..<step {
            if turn.isMultiple(of: 2) { world.deliverToInviter(first) } else { world.deliverToJoiner(first) }
        }
        let second = try world.arrive(name: "second")
        while world.deliverToInviter(second) || world.deliverToJoiner(second) {}
        world.run()
        // The first request uses up the guess. It is the second joiner's only if the first had not sent anything.
        let (winner, loser) = step == 0 ? (second, first) : (first, second)
        #expect(winner.credentials != nil && loser.failure?.code == .pairingOver)
        #expect(world.ending == .joined(winner.device) && world.contradiction() == nil)
    }

    @Test func `an invitation expires after ten minutes`() throws {
        let world = try PairingWorld()
        #expect(world.isOpen(in: 599))
        world.now += 600
        #expect(!world.isOpen() && world.isOver)
        let guest = try world.arrive()
        world.run()
        #expect(guest.failure?.code == .pairingOver)
        #expect(world.ending == .nobody(.refused(.ended)) && world.contradiction() == nil)
    }

    @Test func `an invitation expires after ten minutes even if a joiner has begun before`() throws {
        let world = try PairingWorld()
        let guest = try world.arrive()
        world.deliverToInviter(guest)
        world.deliverToJoiner(guest)
        world.now += 600
        world.run()
        #expect(guest.failure?.code == .pairingOver)
        #expect(world.ending == .nobody(.refused(.ended)) && world.contradiction() == nil)
    }
}

/// Invitations for which the person at the inviter must agree.
@Suite struct `Pairing with confirmation` {
    private func waiting() throws -> (PairingWorld, PairingGuest) {
        let world = try PairingWorld(asksPerson: true)
        let guest = try world.arrive()
        world.run()
        #expect(guest.host?.asksPerson == true && guest.host?.phrase == world.applicant?.phrase)
        #expect(!guest.isOver && world.grants.isEmpty && world.ending == nil)
        return (world, guest)
    }

    @Test func `the joiner gets its certificate when the person agrees`() throws {
        let (world, guest) = try waiting()
        world.admit(guest)
        world.run()
        #expect(guest.credentials != nil && world.ending == .joined(guest.device))
        #expect(world.contradiction() == nil)
    }

    @Test(arguments: [(PairingRefusal.declined, SecurityError.Code.pairingDeclined), (.ended, .pairingOver)])
    func `the joiner is told whether it was declined or the invitation has expired`(
        refusal: PairingRefusal, code: SecurityError.Code
    ) throws {
        let (world, guest) = try waiting()
        world.stop(because: refusal, telling: guest)
        world.run()
        #expect(guest.failure?.code == code && world.ending == .nobody(.cancelled))
        world.admit(guest)
        #expect(world.grants.isEmpty && world.contradiction() == nil)
    }

    @Test func `confirming after the invitation has expired grants nothing`() throws {
        let (world, guest) = try waiting()
        world.now += 600
        world.admit(guest)
        world.run()
        #expect(guest.failure?.code == .pairingOver && world.ending == .nobody(.refused(.ended)))
        #expect(world.grants.isEmpty && world.contradiction() == nil)
    }

    @Test func `confirming before a joiner has proved the code grants nothing`() throws {
        let world = try PairingWorld(asksPerson: true)
        let guest = try world.arrive()
        world.admit(guest)
        world.deliverToInviter(guest)
        world.admit(guest)
        #expect(world.grants.isEmpty && world.ending == nil)
    }
}

@Suite struct `A pairing code` {
    @Test func `a pairing code is three words of the list, and survives writing and reading`() throws {
        for _ in 0..<100 {
            let code = try PairingCode.random()
            #expect(code.text.split(separator: "-").allSatisfy { Words.all.contains(String($0)) })
            #expect(code.text.split(separator: "-").count == PairingCode.wordCount)
            #expect(try PairingCode(text: code.text) == code)
        }
    }

    @Test func `a pairing code is read in any case, abbreviated, with any separators`() throws {
        let code = try PairingCode(text: "lemon-tiger-cloud")
        for text in ["LEMON TIGER CLOUD", " lemo-tige-clou ", "Lemon, tiger, cloud."] {
            #expect(try PairingCode(text: text) == code)
        }
        #expect(try PairingCode(text: "tiger-lemon-cloud") != code)
    }

    @Test func `an invalid pairing code is refused with the reason`() {
        for (text, reason) in [
            ("", "this has 0"), ("lemon-tiger", "this has 2"), ("lemon-tiger-cloud-lemon", "this has 4"),
            ("lemn-tiger-cloud", "“lemn” is not one of the words; did you mean “lemon”?"),
            ("abcd-efgh-jkmn", "“abcd” is not one of the words"),
        ] {
            let error = #expect(throws: SecurityError(.malformed, "")) { try PairingCode(text: text) }
            #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
        }
    }
}
