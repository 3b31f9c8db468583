import BatonCore
import BatonSecurity
package import Support

extension FuzzTarget {
    /// Both sides of a pairing, with the network, the person, the clock and attackers as the input prescribes.
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

/// One invitation, controlled by an input.
private final class PairingScript {
    private var input: FuzzInput
    private let world: PairingWorld
    /// The joiners that know the code, and whose own proof arrived unchanged over their own channel.
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
        try FuzzTarget.require(world.isOver, "the invitation is not over at the end")
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
            // Another machine sends a copy of an honest message.
            if let message = guest.toInviter.first ?? world.record.last { forge(message) }
        case 9: world.admit(guest)
        case 10: world.now += Int64(input.byte()) * 4
        default:
            guard let frame = Frame(fuzz: input.bytes(upTo: 200)), let message = try? PairingMessage(frame)
            else { return }
            if input.byte() & 1 == 0 { forge(message) } else { guest.hear(message) }
        }
    }

    /// Sends this over the channel of a machine that does not know the code.
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
