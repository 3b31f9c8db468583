import BatonCore
import Support
import Testing

/// What unknown peers may cost a node.
@Suite struct `Strangers at a node` {
    @Test(arguments: [[], [0x16], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01]] as [[UInt8]])
    func `one that does not finish its handshake is let go in time`(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.openingTime = .milliseconds(200) }
        let started = ContinuousClock.now
        let stranger = try RawConnection(port: node.port)
        stranger.write(bytes)
        #expect(stranger.readToEnd() == [], "nothing is said to it")
        #expect(ContinuousClock.now - started >= .milliseconds(190))
        try eventually("a line that says so") {
            node.lines.contains { $0.contains("was refused: the handshake did not end within 0.2 seconds") }
        }
        #expect(try node.peers().isEmpty)
    }

    @Test func `no more of them are taken than the limit says, and there is room again when they go`() throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) {
            $0.strangers = 3
            $0.openingTime = .seconds(600)
        }
        var strangers: [RawConnection] = []
        for _ in 0..<3 {
            strangers.append(try RawConnection(port: node.port))
            strangers.last?.write([0x16])
        }
        // Connections are taken in the order in which they came.
        #expect(try RawConnection(port: node.port).readToEnd() == [], "the fourth is sent away at once")
        guard case .status = try node.ask(.status) else {
            return #expect(Bool(false), "who belongs is served")
        }
        strangers.removeLast()
        try eventually("room for one more") { node.lines.contains { $0.contains("was refused: ") } }
        try node.admit("second")
    }

    @Test func `an invitation ends by itself, and each side is told`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.invitationTime = .milliseconds(100) }
        var peer = try node.connect()
        guard case .invitation(let code, _) = try peer.ask(.invite(asksPerson: false)) else {
            return #expect(Bool(false), "a code")
        }
        guard case .failure(let failure) = try peer.ask(.awaitInvitation(code: code, isJoinerKnown: false))
        else {
            return #expect(Bool(false), "nobody joined")
        }
        #expect(failure.code == .invitationOver && failure.text.contains("`baton invite`"))
        // Whoever comes later knocks at a closed door.
        do {
            try node.admitLate("second")
            #expect(Bool(false), "it must not join")
        } catch let error as LocalFailure {
            #expect(error.code == .invitationOver && error.text.contains("`baton invite`"), "\(error)")
        }
    }
}
