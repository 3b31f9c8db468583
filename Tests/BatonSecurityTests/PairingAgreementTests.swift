import BatonCore
import BatonSecurity
import SecuritySupport
import Support
import Testing

/// Both sides end with the same result, however a pairing ends.
@Suite struct `Agreement of both sides of a pairing` {
    /// The numbers of deliveries to try, more than a pairing has messages.
    static let steps = 0...9

    @Test(arguments: steps, [false, true])
    func `both sides agree on the outcome if the connection is lost after any message`(
        step: Int, asksPerson: Bool
    ) throws {
        let world = try PairingWorld(asksPerson: asksPerson)
        let guest = try world.arrive()
        world.deliver(step, with: guest)
        if asksPerson, world.applicant != nil { world.admit(guest) }
        world.cut(guest)
        world.stop(because: .ended)
        #expect(guest.isOver && world.ending != nil)
        #expect(world.contradiction() == nil, "\(String(describing: world.ending))")
        // A certificate that was sent may have been kept, and the roster accepts it later; no other one is valid.
        if guest.credentials != nil { #expect(world.grants == [guest.key.publicKey]) }
    }

    @Test(arguments: steps)
    func `both sides agree on the outcome if the inviter gives up at any step`(step: Int) throws {
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
    func `both sides agree on the outcome if the joiner gives up at any step`(
        step: Int, refusal: PairingRefusal
    ) throws {
        let world = try PairingWorld()
        let guest = try world.arrive()
        world.deliver(step, with: guest)
        guard !guest.isOver else { return }
        world.hear(.refusal(refusal), over: guest.channel, of: guest)
        world.cut(guest)
        // Before it sent anything, the joiner was unknown, and the invitation stays open.
        if step == 0 {
            #expect(world.ending == nil && world.isOpen())
        } else {
            #expect(world.ending == .nobody(.givenUp(refusal)))
        }
        #expect(world.contradiction() == nil)
    }

    @Test func `both sides agree on the outcome if the joiner's disk is full`() throws {
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
    func `a joiner whose clock is wrong does not join, and reports the difference`(
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
        // No certificate was signed for it.
        #expect(world.grants.isEmpty && world.contradiction() == nil)
    }

    @Test(arguments: [-3600, -60, 60, 86_400] as [Int64])
    func `a joiner whose clock is slightly wrong joins`(gap: Int64) throws {
        let world = try PairingWorld()
        let guest = try world.arrive(clockIsAheadBy: gap)
        world.run()
        #expect(guest.credentials != nil && world.ending == .joined(guest.device))
    }

    @Test func `a joiner refuses an inviter whose clock is at the limits of Int64`() throws {
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
