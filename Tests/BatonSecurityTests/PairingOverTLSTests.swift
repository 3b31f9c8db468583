import BatonCore
import BatonSecurity
import Testing

/// Pairing over real TLS sessions, to which the exported value binds it.
@Suite struct `Pairing over TLS` {
    let account: TestAccount
    let key: PrivateKey
    let code: PairingCode
    let now = TestAccount.now

    init() throws {
        (account, key, code) = (try TestAccount(), try PrivateKey.generate(), try PairingCode.random())
    }

    private func connect(_ key: PrivateKey, to server: Credentials) throws -> SessionPair {
        var pair = try SessionPair(
            client: .joiner(key: key, now: now), server: .device(server, invitationIsOpen: { true }))
        pair.run()
        return pair
    }

    private func exported(of session: TLSSession) throws -> [UInt8] {
        try session.exportKeyingMaterial(
            label: PairingChannel.exporterLabel, count: PairingChannel.exportedByteCount)
    }

    /// Returns the channel as the server knows it.
    private func channel(of pair: SessionPair) throws -> PairingChannel {
        guard case .joiner(let key) = pair.server.peer else {
            throw SecurityError(.handshake, "The server does not see a joiner.")
        }
        return PairingChannel(joiner: key, exported: try exported(of: pair.server))
    }

    private func makeInviter(of owner: OwnerAuthority? = nil) throws -> PairingInviter {
        PairingInviter(
            code: code, expiry: now + 600, owner: try owner ?? account.authority,
            inviter: account.owner.device, inviterName: "owner", refusal: { _ in nil })
    }

    private func makeJoiner(_ pair: SessionPair) throws -> PairingJoiner {
        try PairingJoiner(code: code, name: "laptop", key: key, exported: exported(of: pair.client))
    }

    @Test func `pairing over TLS makes the joiner a device`() throws {
        let pair = try connect(key, to: account.owner)
        let channel = try channel(of: pair)
        var inviter = try makeInviter()
        var joiner = try makeJoiner(pair)
        guard case .send(let answer) = inviter.handleMessage(joiner.begin(), over: channel, now: now),
            case .send(let confirmation) = joiner.handleMessage(answer, now: now),
            case .send(let welcome) = inviter.handleMessage(confirmation, over: channel, now: now),
            case .greet(let host, let introduction) = joiner.handleMessage(welcome, now: now),
            case .meet(let applicant) = inviter.handleMessage(introduction, over: channel, now: now),
            case .grant(let grant, _) = inviter.admit(now: now),
            case .keep(let credentials, host) = joiner.handleMessage(grant, now: now)
        else {
            Issue.record("the joiner was not admitted")
            return
        }
        #expect(host.phrase == applicant.phrase && host.name == "owner" && applicant.name == "laptop")
        let session = try SessionPair.established(credentials, account.owner)
        #expect(session.server.peer == .device(credentials.identity))
    }

    @Test func `nobody is admitted through a machine in the middle with a TLS session on each side`() throws {
        // The attacker is an inviter to the joiner and a joiner to the inviter, and relays all messages.
        let middle = try PrivateKey.generate()
        let toJoiner = try connect(key, to: try TestAccount().owner)
        let toInviter = try channel(of: try connect(middle, to: account.owner))
        var inviter = try makeInviter()
        var joiner = try makeJoiner(toJoiner)
        guard case .send(let answer) = inviter.handleMessage(joiner.begin(), over: toInviter, now: now),
            case .send(let confirmation) = joiner.handleMessage(answer, now: now)
        else {
            Issue.record("the first messages were refused")
            return
        }
        let answered = inviter.handleMessage(confirmation, over: toInviter, now: now)
        #expect(answered == .refuse(.wrongCode, isOver: true))
        // The attacker relays the refusal too, or sends any message that it likes.
        guard case .fail(let error, nil) = joiner.handleMessage(.refusal(.wrongCode), now: now) else {
            Issue.record("the joiner did not fail")
            return
        }
        #expect(error.code == .wrongPairingCode)
    }
}
