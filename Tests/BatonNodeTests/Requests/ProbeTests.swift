import BatonCore
import BatonNetwork
import BatonNode
import BatonSecurity
import Support
import Testing

/// Trying the addresses of a device for a person.
@Suite struct `Trying an address` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A node with another device, which never runs.
    private func node(_ change: (inout Limits) -> Void = { _ in }) throws -> RunningNode {
        let node = try RunningNode.first(folder, "near") { limits in
            limits.addressProbeTime = .milliseconds(300)
            change(&limits)
        }
        try node.admit("away")
        // The admission is being stored while the other device is told already.
        try eventually("the device") { try node.ask(ListPlaces("away")).isSuccess }
        return node
    }

    /// Returns the outcomes at an address of a device.
    private func outcomes(
        _ node: RunningNode, _ device: String = "away", at address: String
    ) throws -> [ProbeOutcome] {
        try node.ask(ProbeAddress(device, at: address)).get().attempts.map(\.outcome)
    }

    @Test func `the places of a device are listed with their sources, and an unknown place is not tried`()
        throws
    {
        let node = try node()
        let port = try Listening()
        let address = "127.0.0.1:\(port.port)"
        _ = try node.ask(SetAddresses("away", [address, "localhost:9"])).get()
        let reply = try node.ask(ListPlaces("away")).get()
        #expect(reply.device.name == "away" && reply.connection == nil)
        #expect(
            reply.places
                == [
                    KnownPlace(address, .named, isNamed: true),
                    KnownPlace("localhost:9", .named, isNamed: true),
                ])
        #expect(try node.ask(ListPlaces("first")).get().places.isEmpty)
        for call in [ProbeAddress("away", at: "127.0.0.1:9"), ProbeAddress("nobody", at: address)] {
            guard case .failure(let failure) = try node.ask(call) else { return #expect(Bool(false)) }
            #expect(failure.code == .notFound)
        }
    }

    @Test func `a host name is tried at each of its addresses, and a silent listener is reported as such`()
        throws
    {
        let node = try node()
        let silent = try Listening()
        _ = try node.ask(SetAddresses("away", ["localhost:\(silent.port)"])).get()
        let attempts = try node.ask(ProbeAddress("away", at: "localhost:\(silent.port)")).get().attempts
        let near = attempts.first { $0.resolved == "127.0.0.1:\(silent.port)" }
        #expect(near?.outcome == .silent(milliseconds: 300), "\(attempts)")
    }

    @Test func `an address reported by another device is not tried if it is this machine's own`() throws {
        let node = try node()
        try node.admit("teller")
        let teller = try ActedDevice(RunningNode.home(folder, "teller"), callingPort: node.port)
        let away = try #require(try node.peers().first { $0.device.name == "away" }).device.identifier
        let told = DeviceAddresses(device: away, name: "away", addresses: ["localhost:9"])
        teller.say(.addresses([told]))
        try eventually("the reported address") {
            try node.ask(ListPlaces("away")).get().places == [KnownPlace("localhost:9", .told)]
        }
        #expect(try outcomes(node, at: "localhost:9") == [.notTried])
        let connected = try node.ask(ListPlaces("teller")).get().connection
        #expect(connected?.isDialled == false)
        teller.close()
    }

    @Test func `only a few addresses are tried simultaneously, and requests beyond the limit are refused`()
        throws
    {
        let node = try node {
            $0.probes = 1
            $0.waitingProbes = 2
            $0.addressProbeTime = .seconds(2)
        }
        let silent = try (0..<3).map { _ in try Listening() }
        let addresses = silent.map { "127.0.0.1:\($0.port)" }
        _ = try node.ask(SetAddresses("away", addresses)).get()
        var peer = try node.connect()
        for (number, address) in addresses.enumerated() {
            try peer.send(ProbeAddress("away", at: address).frame(number: UInt64(number + 1)).encoded)
        }
        // The third is refused at once; the others are answered one after the other.
        var answers: [LocalAnswer] = []
        while answers.count < 3, let frame = try peer.next() {
            if frame.kind == .localAnswer { answers.append(try LocalAnswer(frame)) }
        }
        #expect(answers.map(\.number) == [3, 1, 2] && answers[0].isFailure)
        for answer in answers.dropFirst() {
            let reply: Result<ProbeReply, LocalFailure> = try answer.result()
            #expect(try reply.get().attempts.map(\.outcome) == [.silent(milliseconds: 2000)])
        }
    }

    @Test func `a stopping node answers waiting requests`() throws {
        let node = try node { $0.addressProbeTime = .seconds(60) }
        let silent = try Listening()
        let address = "127.0.0.1:\(silent.port)"
        _ = try node.ask(SetAddresses("away", [address])).get()
        var peer = try node.connect()
        try peer.send(ProbeAddress("away", at: address).frame(number: 1).encoded)
        // The node's dialler connects there, too. A connection that closed now would answer the attempt.
        let connections = [silent.accept(), silent.accept()]
        node.stop()
        var answer: LocalAnswer?
        while answer == nil, let frame = try peer.next() {
            if frame.kind == .localAnswer { answer = try LocalAnswer(frame) }
        }
        #expect(answer?.isFailure == true)
        withExtendedLifetime(connections) {}
    }

    @Test func `an expired certificate is reported as a separate outcome`() throws {
        let account = try AgedAccount(days: 800)
        let (young, old) = (try account.device("young", days: 100), try account.device("old", days: 500))
        try account.makeHome(old)
        let other = try account.start(old)
        try account.makeHome(young, meeting: [(old, other.port)])
        let node = try account.start(young)
        let address = "127.0.0.1:\(other.port)"
        let outcomes = try outcomes(node, old.device.description, at: address)
        #expect(outcomes == [.expired(WallTime(milliseconds: old.certificate.notAfter * 1000))])
        // The other side refuses this one first by its own rules; both are in order.
        #expect(try node.ask(ListPlaces(old.device.description)).get().places.map(\.address) == [address])
    }

    @Test func `a device that was revoked here is not accepted even if it answers`() throws {
        // The first message waits for the other device's store, and so for a disk that other tests keep busy.
        let node = try node { $0.addressProbeTime = .seconds(30) }
        let away = try RunningNode(folder, "away")
        let address = "127.0.0.1:\(away.port)"
        _ = try node.ask(SetAddresses("away", [address])).get()
        try eventually("a connection") { try node.peers().first?.isConnected == true }
        let reached = try outcomes(node, at: address)
        #expect(reached.map(\.isReached) == [true], "\(reached)")
        _ = try node.ask(RevokeDevice("away", isConfirmed: true)).get()
        #expect(try outcomes(node, at: address) == [.notAccepted("that device was revoked")])
    }
}

extension ProbeOutcome {
    /// Whether the device answered and accepts this one.
    fileprivate var isReached: Bool { if case .reached = self { true } else { false } }
}
