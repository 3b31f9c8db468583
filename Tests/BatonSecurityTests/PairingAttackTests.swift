import BatonCore
import BatonSecurity
import SecuritySupport
import Support
import Testing

/// Attackers on the network, with and without knowledge of the code.
@Suite struct `Attacks on a pairing` {
    /// Delivers all messages, each changed by the closure.
    private func meddle(
        _ world: PairingWorld, _ guest: PairingGuest, _ change: (PairingMessage) -> PairingMessage
    ) {
        while !guest.toInviter.isEmpty || !guest.toJoiner.isEmpty {
            guest.toInviter = guest.toInviter.map(change)
            guest.toJoiner = guest.toJoiner.map(change)
            if !world.deliverToInviter(guest) { world.deliverToJoiner(guest) }
        }
    }

    @Test(arguments: [
        "joiner's share", "commitment", "opening", "joiner's proof", "inviter's share", "inviter's proof",
    ])
    func
        `nobody is admitted if a message is changed before both sides have proved the code`(
            what: String
        ) throws
    {
        let world = try PairingWorld()
        let guest = try world.arrive()
        let other = try SPAKE2(.second, password: try PairingProof.password(of: try .random())).share
        meddle(world, guest) { message in
            switch message {
            case .request(var request):
                if what == "joiner's share" { request.share = other }
                if what == "commitment" { request.commitment[0] ^= 1 }
                return .request(request)
            case .answer(var answer):
                if what == "inviter's share" { answer.share = other }
                return .answer(answer)
            case .confirmation(var confirmation):
                if what == "opening" { confirmation.opening[31] ^= 1 }
                if what == "joiner's proof" { confirmation.proof[31] ^= 1 }
                return .confirmation(confirmation)
            case .welcome(var welcome):
                if what == "inviter's proof" { welcome.proof[0] ^= 1 }
                return .welcome(welcome)
            case .introduction, .grant, .refusal, .joined: return message
            }
        }
        #expect(guest.credentials == nil && world.contradiction() == nil)
        if what == "inviter's proof" {
            #expect(guest.failure?.code == .unprovenPairing)
            #expect(world.ending == .nobody(.givenUp(.wrongCode)))
        } else {
            #expect(guest.failure?.code == .wrongPairingCode)
            #expect(world.ending == .nobody(.refused(.wrongCode)) && world.grants.isEmpty)
        }
    }

    @Test func `nobody is admitted if all messages are relayed over another channel`() throws {
        let world = try PairingWorld()
        let guest = try world.arrive()
        let own = try PairingGuest(code: world.code, name: "x", number: 7, clock: world.now)
        while !guest.toInviter.isEmpty || !guest.toJoiner.isEmpty {
            if !guest.toInviter.isEmpty {
                world.hear(guest.toInviter.removeFirst(), over: own.channel, of: guest)
            } else {
                guest.hear(guest.toJoiner.removeFirst())
            }
        }
        #expect(guest.failure?.code == .wrongPairingCode)
        #expect(world.ending == .nobody(.refused(.wrongCode)) && world.grants.isEmpty)
    }

    @Test func `a false inviter learns only whether its one guess of the code was right`() throws {
        let (code, guess) = (
            try PairingCode(text: "lemon-tiger-cloud"), try PairingCode(text: "lemon-tiger-coach")
        )
        // The attacker acts as the inviter with a guessed code; its proof is wrong, also for any second guess.
        let impostor = try PairingWorld(code: guess)
        let guest = try impostor.arrive(code: code)
        impostor.run()
        #expect(impostor.applicant == nil && guest.host == nil)
        #expect(guest.failure?.code == .wrongPairingCode)
        // The attacker may claim success, but the joiner requires a proof.
        let (second, world) = (
            try PairingGuest(code: code, name: "x", number: 1, clock: impostor.now),
            try PairingWorld(code: guess)
        )
        world.hear(second.toInviter.removeFirst(), over: second.channel, of: second)
        second.hear(second.toJoiner.removeFirst())
        second.hear(
            .welcome(
                PairingWelcome(
                    proof: [UInt8](repeating: 0, count: 32), asksPerson: false,
                    inviter: DeviceIdentifier(high: 1, low: 2), inviterName: "laptop",
                    time: WallTime(milliseconds: impostor.now * 1000))))
        #expect(second.failure?.code == .unprovenPairing && second.toInviter.last == .refusal(.wrongCode))
        // The joiner did not send its name.
        #expect(!second.toInviter.contains { if case .introduction = $0 { true } else { false } })
    }

    @Test func `a recorded exchange can't be replayed`() throws {
        let code = try PairingCode.random()
        let recorded = try PairingWorld(code: code)
        let victim = try recorded.arrive()
        recorded.run()
        #expect(victim.credentials != nil)
        // The replay fails even with the same code and over the same channel.
        let world = try PairingWorld(code: code)
        for message in recorded.record { world.hear(message, over: victim.channel, of: nil) }
        #expect(world.grants.isEmpty && world.applicant == nil)
        #expect(world.ending == .nobody(.refused(.wrongCode)))
        // A replay to a joiner fails too.
        let next = try world.arrive()
        for message in recorded.record { next.hear(message) }
        #expect(next.failure != nil && next.host == nil && next.credentials == nil)
    }

    @Test func `a machine in the middle that knows the code makes the displayed words differ`() throws {
        let code = try PairingCode.random()
        var pairs: [(String, String)] = []
        for _ in 0..<4 {
            // The attacker is the inviter to the joiner and the joiner to the inviter, and knows the code.
            let (near, far) = (
                try PairingWorld(code: code, asksPerson: true), try PairingWorld(code: code, asksPerson: true)
            )
            let (victim, impostor) = (try near.arrive(), try far.arrive())
            near.run()
            far.run()
            #expect(victim.host != nil && impostor.host != nil)
            pairs.append((try #require(victim.host?.phrase), try #require(far.applicant?.phrase)))
        }
        #expect(pairs.contains { $0.0 != $0.1 })
    }

    @Test(arguments: ["another key", "another root"])
    func `an inviter that knows the code can't make a joiner accept an invalid chain`(what: String) throws {
        let world = try PairingWorld(asksPerson: true)
        let guest = try world.arrive()
        world.run()
        world.admit(guest)
        guard case .grant(var grant)? = guest.toJoiner.first else { return #expect(Bool(false), "no grant") }
        if what == "another key" {
            let owner = try #require(try PairingWorld.account().ownerAuthority)
            grant.device = try owner.certify(try PrivateKey.generate().publicKey, name: "x", now: world.now)
                .der
        } else {
            grant.root = try TestAccount().root.certificate.der
        }
        guest.toJoiner = [.grant(grant)]
        world.run()
        #expect(guest.failure?.code == .untrusted && guest.credentials == nil)
        #expect(world.ending == .nobody(.givenUp(.failed)) && world.contradiction() == nil)
    }

    @Test func `an unexpected message is ignored by the inviter, and ends the pairing at the joiner`() throws
    {
        let world = try PairingWorld()
        let guest = try world.arrive()
        world.hear(.joined, over: guest.channel, of: nil)
        world.hear(.confirmation(PairingConfirmation(proof: [], opening: [])), over: guest.channel, of: nil)
        #expect(world.isOpen())
        guest.hear(.joined)
        #expect(guest.failure?.code == .unprovenPairing && guest.toInviter.last == .refusal(.failed))
    }

    @Test func `a third machine can't finish or stop another machine's pairing`() throws {
        let world = try PairingWorld()
        let guest = try world.arrive()
        let stranger = try PairingGuest(code: world.code, name: "x", number: 9, clock: world.now)
        for _ in 0..<6 {
            for message in [PairingMessage.joined, .refusal(.failed), stranger.toInviter[0]] {
                world.hear(message, over: stranger.channel, of: nil)
            }
            if world.isOpen() { return #expect(Bool(false), "the guess was not used up") }
            if !world.deliverToInviter(guest) { world.deliverToJoiner(guest) }
        }
        // Here the third machine made its request first, so it used up the guess, and the joiner is told.
        #expect(guest.failure?.code == .pairingOver && world.grants.isEmpty)
    }
}

/// Pairings in which the inviter's roster has revoked one of the two machines.
@Suite struct `Pairing after a revocation` {
    @Test(arguments: 0...9, [PairingRefusal.joinerRevoked, .inviterRevoked])
    func `a revocation at any step stops the pairing`(
        step: Int, refusal: PairingRefusal
    ) throws {
        let world = try PairingWorld()
        let guest = try world.arrive()
        world.deliver(step, with: guest)
        let wasGranted = world.isGranted
        if refusal == .joinerRevoked {
            world.roster.revoked = [guest.device]
        } else {
            world.roster.isInviterRevoked = true
        }
        world.run()
        // Once the inviter has counted the joiner as joined, the pairing can't fail any more.
        guard world.ending != .joined(guest.device) else { return #expect(step >= 7) }
        #expect(world.ending == .nobody(.refused(refusal)))
        // The joiner is told why, unless it already has a certificate, which is then valid nowhere.
        if !wasGranted { #expect(guest.failure?.code == .pairingRevoked && guest.credentials == nil) }
    }

    @Test func `a joiner that does not know the code can't learn that it is revoked`() throws {
        let world = try PairingWorld()
        let guest = try world.arrive(code: .random())
        world.roster.revoked = [guest.device]
        world.run()
        #expect(guest.failure?.code == .wrongPairingCode)
        #expect(world.ending == .nobody(.refused(.wrongCode)))
    }
}
