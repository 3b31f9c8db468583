import BatonCore
import BatonSecurity
import SecuritySupport
import Support
import Testing

/// However it ends, what both sides say and keep fits together.
@Suite struct `Both sides of a pairing agree` {
    /// More than a pairing has messages.
    static let steps = 0...9

    @Test(arguments: steps, [false, true])
    func `when the connection is cut after any message`(step: Int, asksPerson: Bool) throws {
        let world = try PairingWorld(asksPerson: asksPerson)
        let guest = try world.arrive()
        world.deliver(step, with: guest)
        if asksPerson, world.applicant != nil { world.admit(guest) }
        world.cut(guest)
        world.stop(because: .ended)
        #expect(guest.isOver && world.ending != nil)
        #expect(world.contradiction() == nil, "\(String(describing: world.ending))")
        // What was granted may have been kept, and is entered when it first connects; nothing else is.
        if guest.credentials != nil { #expect(world.grants == [guest.key.publicKey]) }
    }

    @Test(arguments: steps)
    func `when the inviter gives up at any step`(step: Int) throws {
        let world = try PairingWorld()
        let guest = try world.arrive()
        world.deliver(step, with: guest)
        let wasGranted = world.isGranted
        world.stop(because: .ended, telling: guest)
        world.run()
        world.cut(guest)
        #expect(guest.isOver && world.contradiction() == nil)
        if case .nobody? = world.ending { #expect(!wasGranted && guest.credentials == nil) }
    }

    @Test(arguments: steps, PairingRefusal.allCases)
    func `when the joiner gives up at any step`(step: Int, refusal: PairingRefusal) throws {
        let world = try PairingWorld()
        let guest = try world.arrive()
        world.deliver(step, with: guest)
        guard !guest.isOver else { return }
        world.hear(.refusal(refusal), over: guest.channel, of: guest)
        world.cut(guest)
        // Before its first word it was nobody, and the invitation stays open.
        if step == 0 {
            #expect(world.ending == nil && world.isOpen())
        } else {
            #expect(world.ending == .nobody(.givenUp(refusal)))
        }
        #expect(world.contradiction() == nil)
    }

    @Test func `when the joiner's disk is full`() throws {
        let world = try PairingWorld()
        let guest = try world.arrive()
        guest.isDiskFull = true
        world.run()
        #expect(guest.failure?.code == .file && world.ending == .nobody(.givenUp(.failed)))
        #expect(world.contradiction() == nil)
    }

    @Test(
        arguments: [
            (-20 * 31_556_952, "20 years behind"), (-7200, "2 hours behind"), (-3601, "1 hour behind"),
            (86_401, "1 day ahead of"), (8 * 31_556_952, "8 years ahead of"),
        ] as [(Int64, String)])
    func `when the joiner's clock is wrong: it has not joined, and is told why`(
        gap: Int64, words: String
    ) throws {
        let world = try PairingWorld(asksPerson: true)
        let guest = try world.arrive(clockIsAheadBy: gap)
        world.run()
        #expect(guest.failure?.code == .clocksDiffer)
        #expect(
            guest.failure?.message == "The clock of this machine is \(words) that of “laptop”.",
            "\(String(describing: guest.failure))")
        #expect(world.ending == .nobody(.givenUp(.clock)))
        // Nothing was signed for it.
        #expect(world.grants.isEmpty && world.contradiction() == nil)
    }

    @Test(arguments: [-3600, -60, 60, 86_400] as [Int64])
    func `when the joiner's clock is somewhat wrong: it joins`(gap: Int64) throws {
        let world = try PairingWorld()
        let guest = try world.arrive(clockIsAheadBy: gap)
        world.run()
        #expect(guest.credentials != nil && world.ending == .joined(guest.device))
    }

    @Test func `when the inviter's clock is beyond all measure`() throws {
        for milliseconds in [Int64.min, .max] {
            let world = try PairingWorld()
            let guest = try world.arrive()
            while guest.toJoiner.isEmpty { world.deliverToInviter(guest) }
            world.deliverToJoiner(guest)
            world.deliverToInviter(guest)
            guard case .welcome(var welcome)? = guest.toJoiner.first else {
                return #expect(Bool(false), "no welcome")
            }
            welcome.time = WallTime(milliseconds: milliseconds)
            guest.toJoiner = [.welcome(welcome)]
            world.run()
            #expect(guest.failure?.code == .clocksDiffer && world.contradiction() == nil)
            #expect(world.grants.isEmpty && world.ending == .nobody(.givenUp(.clock)))
        }
    }
}
