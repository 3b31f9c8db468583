import Foundation
import Support
import Testing

/// Nobody without a certificate of the account gets a session; tested with real clients, and checked at the node.
@Suite struct `Strangers that speak TLS` {
    private static let noCommand: Comment =
        "SKIPPED: the `openssl` command is not installed, so no real client can knock"

    /// A node with a paired one and an activity, of which strangers may learn nothing.
    private func withNode(_ body: (Machine, Machine) throws -> Void) throws {
        let account = try Account("laptop", "desktop")
        let (laptop, desktop) = (account[0], account[1])
        try laptop.must("start", "secret.type", "--title", "a secret")
        let connections = laptop.log.components(separatedBy: "connected with").count
        try body(laptop, desktop)
        // Checks that no session was opened, no device was added, and the node still serves members.
        #expect(laptop.log.components(separatedBy: "connected with").count == connections, "\(laptop.log)")
        try eventually("the paired device in step, and no other device") {
            let peers = try laptop.json("status")["peers"].list
            return peers.count == 1 && peers.first?["inStep"] == .boolean(true)
        }
        try laptop.must("update", "--title", "still here")
        try desktop.waitForActivity(titled: "still here")
    }

    /// Waits until the node's log says that it refused somebody, and why; some may have been refused before.
    private func expectRefusal(
        by machine: Machine, because reason: String, after earlier: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let refusals = try eventual("a refusal in the log") { () -> [Substring]? in
            let refusals = machine.log.split(separator: "\n").filter { $0.contains("was refused: ") }
            return refusals.count > earlier ? refusals : nil
        }
        let last = try #require(refusals.last, sourceLocation: sourceLocation)
        #expect(
            refusals.count == earlier + 1 && last.contains(reason), "\(refusals)",
            sourceLocation: sourceLocation)
        #expect(last.contains("127.0.0.1:"), sourceLocation: sourceLocation)
    }

    /// Checks that a client received nothing but TLS's own messages.
    private func expectNothingSaid(to stranger: Stranger, sourceLocation: SourceLocation = #_sourceLocation) {
        for secret in ["secret", "laptop\n", "desktop"] {
            #expect(
                !stranger.output.contains("a " + secret), "\(stranger.output)", sourceLocation: sourceLocation
            )
        }
        // With `-msg`, each record is printed; application data would be, too.
        #expect(
            !stranger.output.contains("<<< TLS 1.3, ApplicationData"), "\(stranger.output)",
            sourceLocation: sourceLocation)
        #expect(
            !stranger.output.contains("NewSessionTicket"), "\(stranger.output)",
            sourceLocation: sourceLocation)
    }

    /// The folder with a device's identity.
    private static func identity(of machine: Machine) -> String {
        machine.home + "/accounts/default/identity"
    }

    @Test(
        .enabled(if: Stranger.isThere, noCommand),
        arguments: ["none", "wrong", "another account's", "that of nine days ago"])
    func `a client without a valid hint gets no answer`(kind: String) throws {
        let folder = try TemporaryFolder()
        let other = try Stranger.otherAccount(in: folder)
        try withNode { laptop, desktop in
            let own = Self.identity(of: desktop)
            let hint =
                switch kind {
                case "none": ["-noservername"]
                case "wrong": ["-servername", "example.org"]
                case "another account's": try Stranger.hint(other)
                default: try Stranger.hint(own, daysFromNow: -9)
                }
            let stranger = try Stranger(
                at: laptop, options: Stranger.device + hint + Stranger.identity(own) + ["-msg"])
            expectNothingSaid(to: stranger)
            #expect(!stranger.output.contains("<<<"), "not one record: \(stranger.output)")
            #expect(!stranger.output.contains("BEGIN CERTIFICATE"))
            try expectRefusal(by: laptop, because: "no hint of an account that is served here")
        }
    }

    @Test(.enabled(if: Stranger.isThere, noCommand))
    func `a client that repeats a used hint gets no answer`() throws {
        try withNode { laptop, desktop in
            let options = try Stranger.device + Stranger.hint(Self.identity(of: desktop)) + ["-showcerts"]
            let first = try Stranger(at: laptop, options: options)
            #expect(first.output.contains("BEGIN CERTIFICATE"), "\(first.output)")
            // The first one comes as far as the question for its certificate, and has none.
            try expectRefusal(by: laptop, because: "did not return a certificate")
            let second = try Stranger(at: laptop, options: options + ["-msg"])
            expectNothingSaid(to: second)
            #expect(!second.output.contains("<<<") && !second.output.contains("BEGIN CERTIFICATE"))
            try expectRefusal(by: laptop, because: "no hint of an account that is served here", after: 1)
        }
    }

    @Test(.enabled(if: Stranger.isThere, noCommand)) func `a client without a certificate is refused`() throws
    {
        try withNode { laptop, _ in
            let hint = try Stranger.hint(Self.identity(of: laptop))
            let stranger = try Stranger(at: laptop, options: Stranger.device + hint + ["-msg"])
            expectNothingSaid(to: stranger)
            try expectRefusal(by: laptop, because: "certificate")
        }
    }

    @Test(.enabled(if: Stranger.isThere, noCommand)) func `a certificate of another account is refused`()
        throws
    {
        let folder = try TemporaryFolder()
        let other = try Stranger.otherAccount(in: folder)
        try withNode { laptop, _ in
            let hint = try Stranger.hint(Self.identity(of: laptop))
            let stranger = try Stranger(
                at: laptop, options: Stranger.device + hint + Stranger.identity(other) + ["-msg"])
            expectNothingSaid(to: stranger)
            try expectRefusal(by: laptop, because: "certificate")
        }
    }

    @Test(.enabled(if: Stranger.isThere, noCommand))
    func `a certificate with another device's key is refused`() throws {
        let folder = try TemporaryFolder()
        let other = try Stranger.otherAccount(in: folder)
        try withNode { laptop, desktop in
            let own = desktop.home + "/accounts/default/identity"
            let stranger = try Stranger(
                at: laptop,
                options: Stranger.device + [
                    "-cert", own + "/device.pem", "-key", other + "/device-key.pem", "-CAfile",
                    own + "/root.pem",
                ])
            // The command itself refuses a key that does not match.
            #expect(stranger.output.contains("key values mismatch"), "\(stranger.output)")
        }
    }

    @Test(.enabled(if: Stranger.isThere, noCommand), arguments: ["-tls1_2", "-tls1_1"])
    func `an older TLS version is refused`(version: String) throws {
        try withNode { laptop, desktop in
            let own = Self.identity(of: desktop)
            let stranger = try Stranger(
                at: laptop,
                options: Stranger.device + Stranger.identity(own) + Stranger.hint(own) + [
                    version, "-cipher", "DEFAULT@SECLEVEL=0",
                ])
            #expect(stranger.output.contains("alert protocol version"), "\(stranger.output)")
            try expectRefusal(by: laptop, because: "unsupported protocol")
        }
    }

    @Test(
        .enabled(if: Stranger.isThere, noCommand),
        arguments: ["ffdhe2048", "ffdhe8192", "P-384", "P-521", "X448"])
    func `an expensive key exchange group is refused`(group: String) throws {
        try withNode { laptop, desktop in
            let own = Self.identity(of: desktop)
            let stranger = try Stranger(
                at: laptop,
                options: Stranger.device + Stranger.identity(own) + Stranger.hint(own) + [
                    "-groups", group, "-msg",
                ])
            expectNothingSaid(to: stranger)
            #expect(!stranger.output.contains("ServerHello"), "\(stranger.output)")
            try expectRefusal(by: laptop, because: "no suitable key share")
        }
    }

    @Test(
        .enabled(if: Stranger.isThere, noCommand), arguments: [[], ["-alpn", "h2"], ["-alpn", "baton/2"]])
    func `another application protocol is refused`(options: [String]) throws {
        try withNode { laptop, desktop in
            let own = Self.identity(of: desktop)
            let stranger = try Stranger(
                at: laptop, options: options + Stranger.identity(own) + Stranger.hint(own) + ["-msg"])
            expectNothingSaid(to: stranger)
            try expectRefusal(
                by: laptop,
                because: options.isEmpty ? "no protocol that both sides support" : "no application protocol")
        }
    }

    @Test(.enabled(if: Stranger.isThere, noCommand)) func `a joiner without an open invitation is refused`()
        throws
    {
        try withNode { laptop, _ in
            let stranger = try Stranger(at: laptop, options: ["-alpn", "baton-pair/1", "-msg"])
            expectNothingSaid(to: stranger)
            #expect(!stranger.output.contains("<<<"), "not one record: \(stranger.output)")
            try expectRefusal(by: laptop, because: "no hint of an account that is served here")
        }
    }

    @Test(.enabled(if: Stranger.isThere, noCommand))
    func `a joiner without a certificate is refused`() throws {
        let account = try Account("laptop")
        let laptop = account[0]
        let code = try laptop.invite()
        let stranger = try Stranger(at: laptop, options: ["-alpn", "baton-pair/1", "-msg"])
        expectNothingSaid(to: stranger)
        try expectRefusal(by: laptop, because: "certificate")
        #expect(try laptop.json("status")["peers"].list.isEmpty)
        // The attempt did not count as a guess.
        try account.newMachine("desktop").must("join", code, "--at", laptop.address)
    }

    @Test(.enabled(if: Stranger.isThere, noCommand))
    func `a proper client of the account is accepted`() throws {
        let account = try Account("laptop", "desktop")
        account[1].killNode()
        let own = Self.identity(of: account[1])
        let stranger = try Stranger(
            at: account[0],
            options: Stranger.device + Stranger.identity(own) + Stranger.hint(own) + ["-quiet"])
        #expect(!account[0].log.contains("refused"), "\(account[0].log)")
        // It gets a greeting, and its reply is not a valid one.
        #expect(stranger.output.contains("laptop"), "\(stranger.output)")
        try eventually("the end of its session") {
            account[0].log.contains("no longer connected with “desktop”")
        }
        try account[1].startNode()
        try account[1].waitUntilConnected(with: account[0])
    }

    @Test(.enabled(if: Stranger.isThere, noCommand))
    func `a session ticket is accepted only by the account that issued it`() throws {
        let folder = try TemporaryFolder()
        let account = try Account("laptop", "desktop")
        let other = try Account("stranger", in: folder)
        account[1].killNode()
        let own = Self.identity(of: account[1])
        let ticket = folder.path + "/ticket"
        func knock(_ options: [String], at machine: Machine, as identity: String) throws -> String {
            try Stranger(at: machine, options: Stranger.device + Stranger.hint(identity) + options).output
        }
        let first = try knock(Stranger.identity(own) + ["-sess_out", ticket], at: account[0], as: own)
        #expect(first.contains("New, TLSv1.3"), "\(first)")
        // The ticket suffices, because it is the device's own.
        let second = try knock(["-sess_in", ticket], at: account[0], as: own)
        #expect(second.contains("Reused, TLSv1.3"), "\(second)")
        // Another account's node can't decrypt it, and asks for a certificate that it trusts.
        let elsewhere = try knock(
            Stranger.identity(own) + ["-sess_in", ticket], at: other[0],
            as: Self.identity(of: other[0]))
        #expect(!elsewhere.contains("Reused"), "\(elsewhere)")
        try eventually("a refusal in the log") { other[0].log.contains("certificate") }
        #expect(!other[0].log.contains("connected with"))
        // The keys of tickets do not outlive the process.
        #expect(try account[0].stopNode() == 0)
        try account[0].startNode()
        let late = try knock(["-sess_in", ticket], at: account[0], as: own)
        #expect(!late.contains("Reused"), "\(late)")
        try eventually("a refusal in the log") { account[0].log.contains("did not return a certificate") }
    }
}
