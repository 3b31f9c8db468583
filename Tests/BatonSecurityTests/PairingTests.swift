import BatonCore
import BatonSecurity
import SecuritySupport
import Support
import Testing

/// One code, one guess, ten minutes, one success.
@Suite struct Pairing {
    @Test func `with the right code makes a device that others trust, and both show the same words`() throws {
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

    @Test func `with a wrong code is refused, and so is the right one after it`() throws {
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

    @Test func `tells whoever does not know the code nothing to try codes with`() throws {
        let world = try PairingWorld()
        let guest = try world.arrive()
        world.deliverToInviter(guest)
        // All that the inviter has said is an answer: a share that is as good as random without the code.
        guard case .answer? = guest.toJoiner.first, guest.toJoiner.count == 1 else {
            Issue.record("The inviter said something else: \(guest.toJoiner)")
            return
        }
        // Whoever leaves now has had the guess.
        world.cut(guest)
        #expect(world.ending == .nobody(.lost))
        let next = try world.arrive()
        world.run()
        #expect(next.failure?.code == .pairingOver && world.contradiction() == nil)
    }

    @Test func `tells no name before the other side has proved that it knows the code`() throws {
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
        // The joiner proves first, so the inviter names itself in its own proof.
        for message in world.record.prefix(3) {
            #expect(!holds("desktop", message) && !holds("laptop", message), "\(message)")
        }
        #expect(holds("laptop", world.record[3]) && !holds("desktop", world.record[3]))
        #expect(holds("desktop", world.record[4]))
    }

    @Test func `happens once`() throws {
        let world = try PairingWorld()
        try world.arrive()
        world.run()
        let late = try world.arrive(name: "third")
        world.run()
        #expect(late.failure?.code == .pairingOver)
        #expect(world.ending == .joined(world.joiners[0].device) && world.contradiction() == nil)
    }

    @Test(arguments: 0...5)
    func `is not disturbed by a second joiner while the first is at it`(step: Int) throws {
        let world = try PairingWorld()
        let first = try world.arrive()
        for turn in 0..<step {
            if turn.isMultiple(of: 2) { world.deliverToInviter(first) } else { world.deliverToJoiner(first) }
        }
        let second = try world.arrive(name: "second")
        while world.deliverToInviter(second) || world.deliverToJoiner(second) {}
        world.run()
        // Whoever asked first has the guess; it's the second only if the first had not said a word.
        let (winner, loser) = step == 0 ? (second, first) : (first, second)
        #expect(winner.credentials != nil && loser.failure?.code == .pairingOver)
        #expect(world.ending == .joined(winner.device) && world.contradiction() == nil)
    }

    @Test func `is over after ten minutes`() throws {
        let world = try PairingWorld()
        #expect(world.isOpen(in: 599))
        world.now += 600
        #expect(!world.isOpen() && world.isOver)
        let guest = try world.arrive()
        world.run()
        #expect(guest.failure?.code == .pairingOver)
        #expect(world.ending == .nobody(.refused(.ended)) && world.contradiction() == nil)
    }

    @Test func `is over after ten minutes for who began before, too`() throws {
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

/// What the person at the inviter says.
@Suite struct `Pairing that asks first` {
    private func waiting() throws -> (PairingWorld, PairingGuest) {
        let world = try PairingWorld(asksPerson: true)
        let guest = try world.arrive()
        world.run()
        #expect(guest.host?.asksPerson == true && guest.host?.phrase == world.applicant?.phrase)
        #expect(!guest.isOver && world.grants.isEmpty && world.ending == nil)
        return (world, guest)
    }

    @Test func `grants once the person agrees`() throws {
        let (world, guest) = try waiting()
        world.admit(guest)
        world.run()
        #expect(guest.credentials != nil && world.ending == .joined(guest.device))
        #expect(world.contradiction() == nil)
    }

    @Test(arguments: [(PairingRefusal.declined, SecurityError.Code.pairingDeclined), (.ended, .pairingOver)])
    func `tells the joiner that it was declined, or that the time was over`(
        refusal: PairingRefusal, code: SecurityError.Code
    ) throws {
        let (world, guest) = try waiting()
        world.stop(because: refusal, telling: guest)
        world.run()
        #expect(guest.failure?.code == code && world.ending == .nobody(.cancelled))
        world.admit(guest)
        #expect(world.grants.isEmpty && world.contradiction() == nil)
    }

    @Test func `grants nothing when the person agrees too late`() throws {
        let (world, guest) = try waiting()
        world.now += 600
        world.admit(guest)
        world.run()
        #expect(guest.failure?.code == .pairingOver && world.ending == .nobody(.refused(.ended)))
        #expect(world.grants.isEmpty && world.contradiction() == nil)
    }

    @Test func `grants nothing when nobody has proved anything`() throws {
        let world = try PairingWorld(asksPerson: true)
        let guest = try world.arrive()
        world.admit(guest)
        world.deliverToInviter(guest)
        world.admit(guest)
        #expect(world.grants.isEmpty && world.ending == nil)
    }
}

@Suite struct `A pairing code` {
    @Test func `is shown as three words, and read back`() throws {
        for _ in 0..<100 {
            let code = try PairingCode.random()
            #expect(code.text.split(separator: "-").allSatisfy { Words.all.contains(String($0)) })
            #expect(code.text.split(separator: "-").count == PairingCode.wordCount)
            #expect(try PairingCode(text: code.text) == code)
        }
    }

    @Test func `is read however a person types it`() throws {
        let code = try PairingCode(text: "lemon-tiger-cloud")
        for text in ["LEMON TIGER CLOUD", " lemo-tige-clou ", "Lemon, tiger, cloud."] {
            #expect(try PairingCode(text: text) == code)
        }
        #expect(try PairingCode(text: "tiger-lemon-cloud") != code)
    }

    @Test func `is nothing if it can't be one, and the error says why`() {
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
