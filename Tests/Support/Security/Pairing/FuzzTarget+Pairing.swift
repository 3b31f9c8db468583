import BatonCore
import BatonSecurity
package import Support

extension FuzzTarget {
    /// Both sides of a pairing: the input plays the wires, the person, the clock, and machines that don't know the code.
    package static let pairing = FuzzTarget("pairing") { bytes throws(FuzzViolation) in
        do {
            try PairingScript(bytes).run()
        } catch let violation as FuzzViolation {
            throw violation
        } catch {
            throw FuzzViolation(description: "\(error)")
        }
    }
}

/// One invitation, to which an input does what it likes.
private final class PairingScript {
    private var input: FuzzInput
    private let world: PairingWorld
    /// Those who know the code, and whose own proof went over their own channel as it was made.
    private var proven: [PublicKey] = []
    private let wrong: PairingCode
    private let stranger: PrivateKey

    init(_ bytes: [UInt8]) throws {
        input = FuzzInput(bytes)
        let code = try PairingCode(text: "lemon-tiger-cloud")
        wrong = try PairingCode(text: "lemon-tiger-coach")
        stranger = try PrivateKey.generate()
        world = try PairingWorld(code: code, asksPerson: input.byte() & 1 == 1)
    }

    func run() throws {
        try arrive()
        for _ in 0..<60 where !input.isAtEnd {
            try step()
            try judge()
        }
        for guest in world.joiners { world.cut(guest) }
        world.stop(because: .ended)
        try judge()
        try FuzzTarget.require(world.isOver, "an invitation is not over in the end")
    }

    private func arrive() throws {
        guard world.joiners.count < 3 else { return }
        let gap: Int64 = input.byte() < 0xf0 ? 0 : -100_000_000
        try world.arrive(code: input.byte() & 1 == 0 ? world.code : wrong, clockIsAheadBy: gap)
    }

    private func step() throws {
        let guest = input.pick(world.joiners)
        switch input.number(0...11) {
        case 0: try arrive()
        case 1, 2, 3:
            if case .confirmation? = guest.toInviter.first, guest.code == world.code {
                proven.append(guest.key.publicKey)
            }
            world.deliverToInviter(guest)
        case 4, 5, 6: world.deliverToJoiner(guest)
        case 7: world.cut(guest)
        case 8:
            // Somebody else says what an honest one said.
            if let message = guest.toInviter.first ?? world.record.last { forge(message) }
        case 9: world.admit(guest)
        case 10: world.now += Int64(input.byte()) * 4
        default:
            guard let frame = Frame(fuzz: input.bytes(upTo: 200)), let message = try? PairingMessage(frame)
            else { return }
            if input.byte() & 1 == 0 { forge(message) } else { guest.hear(message) }
        }
    }

    /// A machine that does not know the code says this over its own channel.
    private func forge(_ message: PairingMessage) {
        world.hear(
            message,
            over: PairingChannel(joiner: stranger.publicKey, exported: [UInt8](repeating: 0xff, count: 32)),
            of: nil)
    }

    private func judge() throws(FuzzViolation) {
        try FuzzTarget.require(world.grants.count <= 1, "\(world.grants.count) grants")
        for key in world.grants {
            try FuzzTarget.require(proven.contains(key), "a grant without a proof of the code")
        }
        try FuzzTarget.require(
            world.joiners.allSatisfy { $0.credentials == nil || world.grants.contains($0.key.publicKey) },
            "a machine has joined that was granted nothing")
        if let contradiction = world.contradiction() { throw FuzzViolation(description: contradiction) }
    }
}
