import BatonCore
import BatonNode
import Support
import Testing

/// The limits of connections from unknown peers.
@Suite struct `Strangers at a node` {
    @Test(arguments: [[], [0x16], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01]] as [[UInt8]])
    func `a stranger that does not finish its handshake in time is disconnected`(bytes: [UInt8])
        throws
    {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.openingTime = .milliseconds(200) }
        let started = ContinuousClock.now
        let stranger = try RawConnection(port: node.port)
        stranger.write(bytes)
        #expect(stranger.readToEnd() == [], "the stranger got data")
        #expect(ContinuousClock.now - started >= .milliseconds(190))
        try eventually("a line in the log") {
            node.lines.contains { $0.contains("was refused: the handshake took longer than 0.2 seconds") }
        }
        #expect(try node.peers().isEmpty)
    }

    @Test func `beyond the limit the oldest stranger is disconnected, and members can still connect`() throws
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
        // The node accepts connections in the order in which they came.
        strangers.append(try RawConnection(port: node.port))
        #expect(strangers[0].readToEnd() == [], "the fourth stranger takes the place of the first")
        try eventually("a line in the log") {
            node.lines.contains { $0.contains("was refused: there are too many unidentified connections") }
        }
        try node.admit("second")
        #expect(strangers[1].readToEnd() == [], "the joiner takes the place of the second stranger")
        // The joiner has left its place.
        _ = try ActedDevice(RunningNode.home(folder, "second"), callingPort: node.port)
    }

    @Test func `the limit for one address does not affect strangers from other addresses`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) {
            $0.strangersPerSource = 2
            $0.openingTime = .seconds(600)
        }
        let other = try RawConnection(port: node.port, from: 0x7f00_0002)
        let first = try RawConnection(port: node.port)
        let others = try (0..<2).map { _ in try RawConnection(port: node.port) }
        #expect(first.readToEnd() == [], "the oldest connection from the address is closed")
        try node.admit("second")
        #expect(others[0].readToEnd() == [])
        // The connection from another address is older than all of them, and still open.
        other.write(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(other.readToEnd() == [], "it is refused because it speaks no TLS")
        try eventually("a line in the log") {
            node.lines.contains { $0.contains("127.0.0.2") && !$0.contains("too many") }
        }
    }

    @Test func `handshakes beyond the rate limit are queued`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) {
            ($0.handshakesPerSecond, $0.handshakesAtOnce) = (20, 1)
        }
        try node.admit("second")
        let home = try RunningNode.home(folder, "second")
        let started = ContinuousClock.now
        for _ in 0..<5 { _ = try ActedDevice(home, callingPort: node.port) }
        #expect(ContinuousClock.now - started >= .milliseconds(150))
    }

    @Test(arguments: [false, true])
    func `the log says whether a session was closed or cut off`(isClosed: Bool) throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        try node.admit("second")
        let device = try ActedDevice(RunningNode.home(folder, "second"), callingPort: node.port)
        try eventually("a session: \(node.lines)") { try node.peers().contains(where: \.isConnected) }
        if isClosed { device.close() } else { device.hangUp() }
        let words = isClosed ? "the other side closed the session" : "the connection was cut off"
        try eventually("why it ended: \(node.lines)") {
            node.lines.contains { $0.contains("no longer connected with “second”: \(words)") }
        }
    }

    @Test func `the log lists some refused strangers, and counts the others`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.toldRefusals = 3 }
        for _ in 0..<20 {
            let stranger = try RawConnection(port: node.port)
            stranger.write(Array("GET / HTTP/1.1\r\n".utf8))
            #expect(stranger.readToEnd() == [])
        }
        #expect(node.lines.count { $0.contains("was refused") } < 10)
        try eventually("how many were refused beside") {
            let stranger = try RawConnection(port: node.port)
            stranger.write(Array("GET / HTTP/1.1\r\n".utf8))
            _ = stranger.readToEnd()
            return node.lines.contains { $0.contains("more were refused") }
        }
    }

    @Test func `a connection that sends nothing and closes is not logged as refused`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder)
        for _ in 0..<3 { _ = try RawConnection(port: node.port) }
        // The node handles connections in the order in which they came.
        let stranger = try RawConnection(port: node.port)
        stranger.write(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        #expect(stranger.readToEnd() == [])
        try eventually("a line about the last one") { node.lines.contains { $0.contains("was refused") } }
        #expect(node.lines.count { $0.contains("was refused") } == 1, "\(node.lines)")
    }

    @Test func `a device that reaches a node of another account reports the possible causes`() throws {
        let folder = try TemporaryFolder()
        let first = try RunningNode.first(folder, "first")
        try first.admit("second")
        let address = "127.0.0.1:\(first.port)"
        first.stop()
        _ = try RunningNode.home(folder, "other").makeAccount(name: "other")
        let other = try RunningNode(folder, "other", at: address)
        let second = try RunningNode(folder, "second") { $0.redialTime = .milliseconds(10)...(.seconds(1)) }
        try eventually("why the first is not there: \(second.lines)") {
            try second.peers().contains {
                $0.trouble?.contains("does not know this account, or the clocks differ by more than a week")
                    ?? false
            }
        }
        #expect(try other.peers().isEmpty)
        #expect(other.lines.contains { $0.contains("no hint of an account that is served here") })
    }

    @Test func `an expired invitation is reported with a reason on both sides`() throws {
        let folder = try TemporaryFolder()
        let node = try RunningNode.first(folder) { $0.invitationTime = .milliseconds(100) }
        var peer = try node.connect()
        guard case .success(let code) = try peer.ask(OpenInvitation(asksPerson: false)).map(\.code) else {
            return #expect(Bool(false), "no invitation")
        }
        guard case .failure(let failure) = try peer.ask(AwaitInvitation(code: code, isJoinerKnown: false))
        else {
            return #expect(Bool(false), "a machine joined")
        }
        #expect(failure.code == .invitationOver && failure.text.contains("`baton invite`"))
        // A later joiner is refused.
        do {
            try node.admitLate("second")
            #expect(Bool(false), "a machine joined after the invitation ended")
        } catch let error as LocalFailure {
            #expect(error.code == .invitationOver && error.text.contains("`baton invite`"), "\(error)")
        }
    }
}
