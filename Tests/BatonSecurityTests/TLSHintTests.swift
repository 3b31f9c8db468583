import BatonSecurity
import COpenSSL
import SecuritySupport
import Testing

/// The answers of a server to clients that may not know the account.
@Suite struct `A TLS server` {
    let account: TestAccount
    let laptop: Credentials

    init() throws {
        account = try TestAccount()
        laptop = try account.makeDevice()
    }

    private func server(_ accounts: TestAccount...) throws -> TLSServer {
        try TLSServer(try accounts.map { try TLSContext.device($0.owner) })
    }

    /// Connects a raw client of the account with this server name; returns our error and the number of bytes sent.
    private func refusal(_ name: String?, version: CInt = TLS1_3_VERSION, protocols: [String] = ["baton/1"])
        throws
        -> (code: SecurityError.Code?, told: Int)
    {
        let raw = try RawPeer(
            version: version, protocols: protocols, certificates: [laptop.certificate, laptop.owner],
            key: laptop.deviceKey)
        if let name { raw.setServerName(name) }
        let session = try TLSSession(server: server(account), verifyingAt: TestAccount.now)
        let error = raw.handshake(with: session)
        #expect((error == nil) == session.isEstablished)
        return (error?.code, raw.receivedByteCount)
    }

    @Test func `a server sends nothing to a client without the right hint`() throws {
        let stranger = try TestAccount()
        let late = try account.hint(at: TestAccount.now - 8 * 86_400)
        let wrong = [nil, "example.org", try stranger.hint(), try account.hint().uppercased(), late]
        for name in wrong {
            for (version, protocols) in [
                (TLS1_3_VERSION, ["baton/1"]), (TLS1_2_VERSION, ["baton/1"]), (TLS1_3_VERSION, []),
                (TLS1_3_VERSION, ["baton-pair/1"]),
            ] {
                let refusal = try refusal(name, version: version, protocols: protocols)
                #expect(refusal.code == .unknownHint && refusal.told == 0, "\(name ?? "nothing")")
            }
        }
    }

    @Test func `a server sends nothing in answer to bytes that are not TLS`() throws {
        let session = try TLSSession(server: server(account))
        #expect(throws: SecurityError.self) { try session.receive(Array("GET / HTTP/1.1\r\n\r\n".utf8)) }
        #expect(session.nextCiphertext() == nil)
    }

    @Test func `a client with the right hint gets an alert that says why it is refused`() throws {
        #expect(try refusal(account.hint()).code == nil)
        #expect(try refusal(account.hint(), version: TLS1_2_VERSION) == (.handshake, 7))
        #expect(try refusal(account.hint(), protocols: []) == (.handshake, 7))
        #expect(try refusal(account.hint(), protocols: ["baton/2"]) == (.handshake, 7))
    }

    @Test func `a copied client hello is answered once, also after the server is replaced`()
        throws
    {
        let used = UsedHints()
        let hello = try #require(
            try TLSSession(client: .device(laptop), to: account.owner.device, verifyingAt: TestAccount.now)
                .nextCiphertext())
        func answer() throws -> (code: SecurityError.Code?, count: Int) {
            let server = try TLSServer([.device(account.owner)], usedHints: used)
            let session = try TLSSession(server: server, verifyingAt: TestAccount.now)
            do throws(SecurityError) {
                try session.receive(hello)
                return (nil, session.nextCiphertext()?.count ?? 0)
            } catch {
                return (error.code, session.nextCiphertext()?.count ?? 0)
            }
        }
        let first = try answer()
        #expect(first.code == nil && first.count > 1000, "the server shows its certificates: \(first)")
        for _ in 0..<3 {
            let again = try answer()
            #expect(again.code == .unknownHint && again.count == 0, "\(again)")
        }
    }

    @Test func `a hint for another device of the account gets no answer`() throws {
        let pair = try SessionPair(
            client: .device(laptop), tickets: TicketCache(for: laptop.device), server: server(account))
        #expect(pair.serverError?.code == .unknownHint && !pair.client.isEstablished)
    }

    @Test func `a deferred handshake continues with the hint that the client has sent`() throws {
        let server = try server(account)
        let client = try TLSSession(
            client: .device(laptop), to: account.owner.device, verifyingAt: TestAccount.now)
        let session = try TLSSession(server: server, verifyingAt: TestAccount.now)
        session.mayBegin = { false }
        try session.receive(try #require(client.nextCiphertext()))
        #expect(session.nextCiphertext() == nil)
        try session.proceed()
        #expect(session.nextCiphertext() != nil)
    }

    @Test func `the presented certificate is that of the account that the client's hint names`() throws {
        let other = try TestAccount()
        let server = try server(other, account)
        for (client, owner) in [(laptop, account), (try other.makeDevice(), other)] {
            let pair = try SessionPair(
                client: .device(client), tickets: TicketCache(for: owner.owner.device), server: server)
            #expect(pair.client.peer == .device(owner.owner.identity))
            #expect(pair.server.peer == .device(client.identity))
        }
    }

    @Test func `a device of one account is not accepted with another account's hint`() throws {
        let other = try TestAccount()
        let raw = try RawPeer(certificates: [laptop.certificate, laptop.owner], key: laptop.deviceKey)
        raw.setServerName(try other.hint())
        let session = try TLSSession(server: server(account, other), verifyingAt: TestAccount.now)
        #expect(raw.handshake(with: session)?.code == .untrusted)
    }
}
