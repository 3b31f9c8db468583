import BatonCore
import BatonSecurity
import COpenSSL
import SecuritySupport
import Synchronization
import Testing

/// The sessions that a ticket resumes, and those that it does not.
@Suite struct `A resumed TLS session` {
    let account: TestAccount
    let laptop: Credentials
    let tickets: TicketCache
    private let roster = Roster()
    private let server: TLSServer
    private let client: TLSContext

    /// A roster that a test controls.
    private final class Roster: Sendable {
        let refused = Mutex(false)
        let questions = Mutex(0)

        func resumes() -> Bool {
            questions.withLock { $0 += 1 }
            return refused.withLock { !$0 }
        }
    }

    init() throws {
        account = try TestAccount()
        laptop = try account.makeDevice()
        tickets = TicketCache(for: account.owner.device)
        let roster = roster
        server = try TLSServer([.device(account.owner, resumes: { _ in roster.resumes() })])
        client = try .device(laptop)
    }

    private func meet(after seconds: Int64 = 0) throws -> SessionPair {
        try SessionPair(client: client, tickets: tickets, server: server, at: TestAccount.now + seconds)
    }

    @Test func `a resumed session has the peer's identity, and checks the roster again`() throws {
        #expect(try !meet().server.isResumed)
        for _ in 0..<3 {
            #expect(!tickets.isEmpty)
            let before = roster.questions.withLock { $0 }
            var pair = try meet()
            #expect(pair.server.isResumed && pair.client.isResumed)
            #expect(pair.server.peer == .device(laptop.identity))
            #expect(pair.client.peer == .device(account.owner.identity))
            #expect(roster.questions.withLock { $0 } > before)
            try pair.client.send([1, 2])
            pair.run()
            #expect(pair.serverRead == [1, 2])
        }
    }

    @Test func `each ticket can be used once`() throws {
        _ = try meet()
        let ticket = try #require(tickets.take())
        #expect(tickets.isEmpty)
        #expect(try !meet().server.isResumed)
        // The next ticket replaces the previous one, used or not.
        #expect(!tickets.isEmpty && tickets.take() !== ticket)
    }

    @Test(arguments: [true, false])
    func `a session is not resumed if either side demands certificates`(_ isServer: Bool) throws {
        let demands = Mutex(false)
        let resumes: @Sendable (DeviceIdentifier) -> Bool = { _ in !demands.withLock { $0 } }
        let server = try TLSServer([
            isServer ? .device(account.owner, resumes: resumes) : .device(account.owner)
        ])
        let client = try isServer ? TLSContext.device(laptop) : .device(laptop, resumes: resumes)
        let meet = { try SessionPair(client: client, tickets: tickets, server: server, at: TestAccount.now) }
        _ = try meet()
        #expect(try meet().server.isResumed)
        demands.withLock { $0 = true }
        let pair = try meet()
        #expect(!pair.server.isResumed && pair.server.isEstablished && pair.client.isEstablished)
        #expect(pair.server.shownAdmission == (try laptop.chain.admission()))
        #expect(pair.client.shownAdmission == (try account.owner.chain.admission()))
    }

    @Test func `in a resumed session no certificate chain is sent`() throws {
        #expect(try meet().server.shownAdmission == (try laptop.chain.admission()))
        let pair = try meet()
        #expect(pair.server.isResumed && pair.server.shownAdmission == nil)
    }

    @Test func `a replayed ticket is refused once the roster refuses the device`() throws {
        _ = try meet()
        let ticket = try #require(tickets.take())
        func replay() throws -> SecurityError? {
            let raw = try RawPeer()
            raw.offer(ticket)
            raw.setServerName(try account.hint())
            return raw.handshake(with: try TLSSession(server: server, verifyingAt: TestAccount.now))
        }
        #expect(try replay() == nil)
        roster.refused.withLock { $0 = true }
        #expect(try replay()?.code == .handshake)
    }

    /// Whether a busy server defers the handshake of this client.
    private func waitsItsTurn(_ raw: RawPeer, at server: TLSServer) throws -> Bool {
        let session = try TLSSession(server: server, verifyingAt: TestAccount.now)
        session.mayBegin = { false }
        raw.setServerName(try account.hint())
        _ = raw.handshake(with: session)
        #expect(session.isResuming != session.isDeferred)
        return session.isDeferred
    }

    @Test func `a fresh ticket lets its client skip the handshake queue once`() throws {
        _ = try meet()
        let ticket = try #require(tickets.take())
        func client() throws -> RawPeer {
            let raw = try RawPeer()
            raw.offer(ticket)
            return raw
        }
        #expect(try !waitsItsTurn(client(), at: server))
        // A copy of the ticket is its second use, with or without its secret.
        #expect(try waitsItsTurn(client(), at: server))
        // The ticket is still valid when its client's turn comes.
        let late = try TLSSession(server: server, verifyingAt: TestAccount.now)
        let raw = try client()
        raw.setServerName(try account.hint())
        #expect(raw.handshake(with: late) == nil && late.isResumed)
        // This changes the secret in the ticket that the others share, so it comes last.
        let thief = try RawPeer()
        thief.offerWithoutSecret(ticket)
        #expect(try waitsItsTurn(thief, at: server))
    }

    @Test func `a client without a valid ticket waits in the handshake queue`() throws {
        let elsewhere = try TLSServer([.device(account.owner)])
        _ = try SessionPair(client: client, tickets: tickets, server: elsewhere, at: TestAccount.now)
        let raw = try RawPeer()
        raw.offer(try #require(tickets.take()))
        #expect(try waitsItsTurn(raw, at: server))
        #expect(try waitsItsTurn(RawPeer(), at: server))
    }

    @Test func `a ticket without its secret resumes no session`() throws {
        _ = try meet()
        let raw = try RawPeer(certificates: [laptop.certificate, laptop.owner], key: laptop.deviceKey)
        raw.setServerName(try account.hint())
        raw.offerWithoutSecret(try #require(tickets.take()))
        let session = try TLSSession(server: server, verifyingAt: TestAccount.now)
        // The certificate does not help either: a client that offers a session without its secret is rejected.
        #expect(raw.handshake(with: session)?.code == .handshake)
        #expect(!raw.isResumed && !session.isEstablished)
    }

    @Test func `early data is never accepted`() throws {
        _ = try meet()
        let ticket = try #require(tickets.take())
        let raw = try RawPeer()
        raw.setServerName(try account.hint())
        #expect(raw.sendEarlyData([1, 2, 3], with: ticket))
        let session = try TLSSession(server: server, verifyingAt: TestAccount.now)
        _ = raw.handshake(with: session)
        #expect(!raw.isEarlyDataAccepted && raw.plaintext.isEmpty)
    }

    @Test func `a session whose certificate has expired is not resumed`() throws {
        let key = try PrivateKey.generate()
        var template = account.template(for: key.publicKey)
        template.notAfter = TestAccount.now + 600
        let brief = try account.credentials(
            key, try template.signed(by: account.authority.key, issuer: account.owner.owner))
        let client = try TLSContext.device(brief)
        func meet(after seconds: Int64) throws -> SessionPair {
            try SessionPair(client: client, tickets: tickets, server: server, at: TestAccount.now + seconds)
        }
        _ = try meet(after: 0)
        #expect(try meet(after: 599).server.isResumed)
        for seconds in Int64(601)...603 {
            let late = try meet(after: seconds)
            #expect(!late.server.isResumed && !late.client.isResumed)
            #expect(late.server.peer == .expired(brief.identity, since: TestAccount.now + 600))
        }
    }

    @Test func `a session can be resumed for at most a day after the last full handshake`() throws {
        _ = try meet()
        let hours: Int64 = 3600
        #expect(try meet(after: 10 * hours).server.isResumed)
        #expect(try meet(after: 20 * hours).server.isResumed)
        // Each session gave a new ticket, but the proof is still the first one's.
        #expect(try !meet(after: 25 * hours).server.isResumed)
        #expect(try meet(after: 26 * hours).server.isResumed)
    }

    @Test func `a ticket of one account does not resume a session of another`() throws {
        let other = try TestAccount()
        let both = try TLSServer([.device(account.owner), .device(other.owner)])
        _ = try SessionPair(client: client, tickets: tickets, server: both)
        let ticket = try #require(tickets.take())
        // Our client does not even offer it.
        let moved = TicketCache(for: other.owner.device)
        moved.keep(ticket)
        let guest = try SessionPair(client: .device(other.makeDevice()), tickets: moved, server: both)
        #expect(guest.server.isEstablished && !guest.server.isResumed)

        let raw = try RawPeer(certificates: [laptop.certificate, laptop.owner], key: laptop.deviceKey)
        raw.offer(ticket)
        raw.setServerName(try other.hint())
        let session = try TLSSession(server: both, verifyingAt: TestAccount.now)
        #expect(raw.handshake(with: session)?.code == .untrusted)
        #expect(!raw.isResumed && !session.isEstablished)
        // With the hint of its own account, the same ticket is accepted.
        let honest = try RawPeer()
        honest.offer(ticket)
        honest.setServerName(try account.hint())
        let own = try TLSSession(server: both, verifyingAt: TestAccount.now)
        #expect(honest.handshake(with: own) == nil)
        #expect(own.isResumed && own.peer == .device(laptop.identity))
    }

    @Test func `a ticket of another process or for another device is not used`() throws {
        _ = try meet()
        let again = try TLSServer([.device(account.owner)])
        let pair = try SessionPair(client: client, tickets: tickets, server: again)
        #expect(pair.server.isEstablished && !pair.server.isResumed)
        let elsewhere = TicketCache(for: laptop.device)
        elsewhere.keep(try #require(tickets.take()))
        #expect(elsewhere.isEmpty)
    }

    @Test func `a session between devices can't be resumed as a pairing`() throws {
        let server = try TLSServer([.device(account.owner, invitationIsOpen: { true })])
        _ = try SessionPair(client: client, tickets: tickets, server: server)
        let raw = try RawPeer(protocols: ["baton-pair/1"])
        raw.offer(try #require(tickets.take()))
        raw.setServerName(try account.hint())
        let session = try TLSSession(server: server, verifyingAt: TestAccount.now)
        #expect(raw.handshake(with: session)?.code == .handshake)
        #expect(!session.isEstablished)
    }

    @Test func `pairing sessions get no tickets`() throws {
        let server = try TLSServer([.device(account.owner, invitationIsOpen: { true })])
        let pair = try SessionPair(
            client: .joiner(key: .generate(), now: TestAccount.now), tickets: tickets, server: server)
        #expect(pair.client.peer == .inviter && tickets.isEmpty)
    }
}
