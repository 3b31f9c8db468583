import BatonCore
import Foundation
import Support
import Testing

/// Somebody with a device's key and tickets after the device was revoked; with real clients.
@Suite struct `A stranger with the files of a revoked device` {
    private static let noCommand: Comment =
        "SKIPPED: the `openssl` command is not installed, so no real client can knock"
    private static let noPython: Comment = "SKIPPED: Python is not installed, so its client can't knock"

    /// An owner's node with an activity, another device's node, and the files of a third, whose node is gone.
    private struct Stage {
        let account: Account
        let identity: String
        private let connections: Int

        var laptop: Machine { account[0] }

        /// Before the device is revoked it is accepted; the closure may connect, and keep what it gets.
        init(_ before: (Machine, _ identity: String) throws -> Void = { _, _ in }) throws {
            account = try Account("laptop", "desktop", "lost")
            account[2].killNode()
            identity = account[2].home + "/accounts/default/identity"
            let laptop = account[0]
            try before(laptop, identity)
            try laptop.must("revoke", "lost", "--yes")
            try laptop.must("start", "secret.type", "--title", "a secret")
            try account[1].waitForActivity(titled: "a secret")
            connections = Self.connections(of: laptop)
        }

        private static func connections(of machine: Machine) -> Int {
            machine.log.components(separatedBy: "connected with “lost”").count
        }

        /// Checks that the node opened no session, says why, and serves the members.
        func expectNoSession(because reason: String, sourceLocation: SourceLocation = #_sourceLocation) throws
        {
            let laptop = laptop
            try eventually("a refusal in the log: \(laptop.log)") { laptop.log.contains(reason) }
            #expect(
                Self.connections(of: laptop) == connections, "\(laptop.log)", sourceLocation: sourceLocation)
            try laptop.must("update", "--title", "still here")
            try account[1].waitForActivity(titled: "still here")
        }

        func knock(_ options: [String]) throws -> String {
            try Stranger(at: laptop, options: Stranger.device + Stranger.hint(identity) + options).output
        }
    }

    private static let revoked = "“lost” is refused: that device was revoked"

    /// Checks that no data of the account was sent, and no session resumed.
    private func expectNothingTold(_ output: String, sourceLocation: SourceLocation = #_sourceLocation) {
        for secret in ["a secret", "still here", "desktop"] {
            #expect(!output.contains(secret), "\(output)", sourceLocation: sourceLocation)
        }
        #expect(!output.contains("Reused, TLSv1.3"), "\(output)", sourceLocation: sourceLocation)
    }

    @Test(.enabled(if: Stranger.isThere, noCommand))
    func `a client with a revoked certificate learns only that it was revoked`() throws {
        let stage = try Stage()
        let output = try stage.knock(Stranger.identity(stage.identity))
        #expect(output.contains("New, TLSv1.3"), "it was the handshake that went well: \(output)")
        expectNothingTold(output)
        try stage.expectNoSession(because: Self.revoked)
    }

    @Test(.enabled(if: Stranger.isThere, noCommand))
    func `a revoked device can't use a session ticket in place of its certificate`() throws {
        let folder = try TemporaryFolder()
        let ticket = folder.path + "/ticket"
        let stage = try Stage { laptop, identity in
            let options = Stranger.device + Stranger.identity(identity)
            _ = try Stranger(
                at: laptop, options: options + Stranger.hint(identity) + ["-sess_out", ticket])
            // The ticket is valid: it resumes a session while the device is a member.
            let again = try Stranger(
                at: laptop, options: options + Stranger.hint(identity) + ["-sess_in", ticket]
            ).output
            #expect(again.contains("Reused, TLSv1.3"), "\(again)")
        }
        let output = try stage.knock(Stranger.identity(stage.identity) + ["-sess_in", ticket])
        expectNothingTold(output)
        try stage.expectNoSession(because: Self.revoked)
    }

    @Test(.enabled(if: Stranger.isThere, noCommand))
    func `a stolen session ticket alone does not complete a handshake`() throws {
        let folder = try TemporaryFolder()
        let ticket = folder.path + "/ticket"
        let stage = try Stage { laptop, identity in
            let options = Stranger.device + Stranger.identity(identity)
            _ = try Stranger(
                at: laptop, options: options + Stranger.hint(identity) + ["-sess_out", ticket])
        }
        let output = try stage.knock(["-sess_in", ticket])
        expectNothingTold(output)
        try stage.expectNoSession(because: "did not return a certificate")
    }

    @Test(.enabled(if: Stranger.isThere, noCommand))
    func `early data is refused from members and revoked devices`() throws {
        let folder = try TemporaryFolder()
        let (ticket, early) = (folder.path + "/ticket", folder.path + "/early")
        try Data([0, 0, 1, 1, 0xa0]).write(to: URL(fileURLWithPath: early))
        let stage = try Stage { laptop, identity in
            let options = Stranger.device + Stranger.identity(identity)
            let first = try Stranger(
                at: laptop, options: options + Stranger.hint(identity) + ["-sess_out", ticket]
            ).output
            #expect(first.contains("Max Early Data: 0") || !first.contains("Max Early Data"), "\(first)")
            let member = try Stranger(
                at: laptop,
                options: options + Stranger.hint(identity) + ["-sess_in", ticket, "-early_data", early]
            ).output
            #expect(member.contains("Early data was not sent"), "\(member)")
        }
        let output = try stage.knock(
            Stranger.identity(stage.identity) + ["-sess_in", ticket, "-early_data", early])
        #expect(!output.contains("Early data was accepted"), "\(output)")
        expectNothingTold(output)
        try stage.expectNoSession(because: Self.revoked)
    }

    @Test(.enabled(if: PythonClient.isThere, noPython))
    func `a Python client with a revoked certificate learns only that it was revoked`() throws {
        var client: PythonClient?
        let stage = try Stage { laptop, identity in
            let python = try PythonClient(on: laptop, identity: identity, at: laptop)
            client = python
            // A member gets a greeting, and its reply is not a valid one.
            let greeting = try python.knock().messages()
            switch greeting.first {
            case .hello(let hello): #expect(hello.name == "laptop")
            case .close(let reason): #expect(reason.code == .malformed)
            default: #expect(Bool(false), "\(greeting)")
            }
            #expect(try python.knock().isResumed, "its ticket is good")
        }
        let python = try #require(client)
        for _ in 0..<2 {
            let seen = try python.knock()
            #expect(!seen.isResumed)
            let messages = try seen.messages()
            #expect(messages.count <= 1)
            if let message = messages.first {
                guard case .close(let reason) = message else {
                    #expect(Bool(false), "\(message)")
                    continue
                }
                #expect(reason == CloseReason(.notMember, "that device was revoked"))
                #expect(reason.code.rawValue == 27)
            }
        }
        try stage.expectNoSession(because: Self.revoked)
    }
}
