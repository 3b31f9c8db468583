import BatonCore
import BatonSecurity
import Testing

/// The machines of pairing over real sessions: what binds them is what TLS exports.
@Suite struct `Pairing over TLS` {
    let account: TestAccount
    let key: PrivateKey
    let code: PairingCode
    let now = TestAccount.now

    init() throws {
        (account, key, code) = (try TestAccount(), try PrivateKey.generate(), try PairingCode.random())
    }

    private func connect(_ key: PrivateKey, to server: Credentials) throws -> Pump {
        var pump = try Pump(
            client: .joiner(key: key, now: now), server: .device(server, invitationIsOpen: { true }))
        pump.run()
        return pump
    }

    private func channel(of session: TLSSession) throws -> [UInt8] {
        try session.exportKeyingMaterial(
            label: PairingSecret.exporterLabel, count: PairingSecret.channelByteCount)
    }

    private func makeInviter() throws -> PairingInviter {
        PairingInviter(
            code: code, expiry: now + 600, owner: try account.authority,
            inviter: account.owner.device, inviterName: "owner")
    }

    @Test func `makes a joiner a device`() throws {
        let pump = try connect(key, to: account.owner)
        guard case .joiner(let publicKey) = pump.server.peer else {
            Issue.record("The server does not see a joiner.")
            return
        }
        var inviter = try makeInviter()
        var joiner = try PairingJoiner(
            code: code, name: "laptop", key: key, channel: channel(of: pump.client))
        let answer = inviter.handle(
            try joiner.request(), from: publicKey, channel: try channel(of: pump.server), now: now)
        guard case .grant(let grant, _) = answer,
            case .keep(let credentials, _, _) = joiner.handle(.grant(grant), now: now)
        else {
            Issue.record("The joiner was not let in.")
            return
        }
        let session = try Pump.established(credentials, account.owner)
        #expect(session.server.peer == .device(credentials.identity))
    }

    @Test func `through someone in between lets nobody in`() throws {
        // The one in between is an inviter to the joiner, and a joiner to the inviter, and passes on every word.
        let middle = try PrivateKey.generate()
        let toJoiner = try connect(key, to: try TestAccount().owner)
        let toInviter = try connect(middle, to: account.owner)
        var inviter = try makeInviter()
        var joiner = try PairingJoiner(
            code: code, name: "laptop", key: key, channel: channel(of: toJoiner.client))
        let answer = inviter.handle(
            try joiner.request(), from: middle.publicKey, channel: try channel(of: toInviter.server), now: now
        )
        #expect(answer == .refuse(.wrongCode))
    }
}
