import BatonCore
import BatonSecurity
import Testing

/// One code, one guess, ten minutes, one success.
@Suite struct Pairing {
    let account: TestAccount
    let key: PrivateKey
    let code: PairingCode
    /// What two ends of one channel export.
    let channel = [UInt8](repeating: 1, count: 32)
    let now = TestAccount.now

    init() throws {
        (account, key, code) = (try TestAccount(), try PrivateKey.generate(), try PairingCode.random())
    }

    private func makeInviter() throws -> PairingInviter {
        PairingInviter(
            code: code, expiry: now + 600, owner: try account.authority,
            inviter: account.owner.device, inviterName: "owner")
    }

    private func makeJoiner(code: PairingCode? = nil, channel: [UInt8]? = nil) throws -> PairingJoiner {
        try PairingJoiner(code: code ?? self.code, name: "laptop", key: key, channel: channel ?? self.channel)
    }

    /// The inviter's answer to a right request.
    private func grant(_ inviter: inout PairingInviter, _ joiner: inout PairingJoiner) throws -> PairingGrant
    {
        let action = inviter.handle(try joiner.request(), from: key.publicKey, channel: channel, now: now)
        guard case .grant(let grant, let admission) = action else {
            Issue.record("A right request was not granted: \(action)")
            throw CancellationError()
        }
        #expect(admission.joiner == key.publicKey)
        return grant
    }

    @Test func `with the right code makes a device that others trust`() throws {
        var inviter = try makeInviter()
        var joiner = try makeJoiner()
        let is16 = inviter.isOpen(now: now)
        #expect(is16)
        let grant = try grant(&inviter, &joiner)
        let is17 = inviter.isOpen(now: now)
        #expect(!is17)
        let is18 = inviter.isOver(now: now)
        #expect(!is18)
        guard
            case .keep(let credentials, account.owner.device, "owner") = joiner.handle(
                .grant(grant), now: now)
        else {
            Issue.record("A right grant was not kept.")
            return
        }
        #expect(credentials.account == account.root.account)
        #expect(credentials.device == key.publicKey.device)
        #expect(credentials.deviceName == "laptop")
        #expect(credentials.ownerAuthority == nil)
        let answer = inviter.handle(joiner.handleKept(), from: key.publicKey, channel: channel, now: now)
        #expect(
            answer
                == .finish(
                    PairingInviter.Admission(joiner: key.publicKey, certificate: credentials.certificate)))
        let is19 = inviter.isOver(now: now)
        #expect(is19)
        let pump = try Pump.established(credentials, account.owner)
        #expect(pump.server.peer == .device(credentials.identity))
    }

    @Test func `with a wrong code is refused, and so is the right one after it`() throws {
        var inviter = try makeInviter()
        var wrong = try makeJoiner(code: .random())
        var right = try makeJoiner()
        let answer1 = inviter.handle(try wrong.request(), from: key.publicKey, channel: channel, now: now)
        #expect(answer1 == .refuse(.wrongCode))
        let is20 = inviter.isOpen(now: now)
        #expect(!is20)
        let answer2 = inviter.handle(try right.request(), from: key.publicKey, channel: channel, now: now)
        #expect(answer2 == .refuse(.ended))
        let action9 = wrong.handle(.refusal(.wrongCode), now: now)
        #expect(failure(of: action9) == .refusedPairing)
    }

    @Test func `happens once`() throws {
        var inviter = try makeInviter()
        var first = try makeJoiner()
        var second = try makeJoiner()
        _ = try grant(&inviter, &first)
        let answer3 = inviter.handle(try second.request(), from: key.publicKey, channel: channel, now: now)
        #expect(answer3 == .refuse(.ended))
        // Neither did that disturb the first, nor can a stranger finish it.
        let stranger = try PrivateKey.generate().publicKey
        let answer7 = inviter.handle(.joined, from: stranger, channel: channel, now: now)
        #expect(answer7 == .close)
        let is21 = inviter.isOver(now: now)
        #expect(!is21)
    }

    @Test func `is over after ten minutes`() throws {
        var inviter = try makeInviter()
        var joiner = try makeJoiner()
        let late = now + 600
        let is22 = inviter.isOpen(now: late - 1)
        #expect(is22)
        let is23 = inviter.isOpen(now: late)
        #expect(!is23)
        let is24 = inviter.isOver(now: late)
        #expect(is24)
        let answer4 = inviter.handle(try joiner.request(), from: key.publicKey, channel: channel, now: late)
        #expect(answer4 == .refuse(.ended))
    }

    @Test func `is bound to its channel: a request can't be passed on`() throws {
        var inviter = try makeInviter()
        var joiner = try makeJoiner(channel: [UInt8](repeating: 2, count: 32))
        let answer5 = inviter.handle(try joiner.request(), from: key.publicKey, channel: channel, now: now)
        #expect(answer5 == .refuse(.wrongCode))
    }

    @Test func `is bound to the joiner's key`() throws {
        var inviter = try makeInviter()
        var joiner = try makeJoiner()
        let other = try PrivateKey.generate().publicKey
        let answer6 = inviter.handle(try joiner.request(), from: other, channel: channel, now: now)
        #expect(answer6 == .refuse(.wrongCode))
    }

    @Test func `is bound to its channel: a grant can't be passed on`() throws {
        var inviter = try makeInviter()
        var joiner = try makeJoiner()
        let grant = try grant(&inviter, &joiner)
        var other = try makeJoiner(channel: [UInt8](repeating: 2, count: 32))
        _ = try other.request()
        let action10 = other.handle(.grant(grant), now: now)
        #expect(failure(of: action10) == .unprovenPairing)
    }

    @Test(arguments: ["root", "owner", "device", "proof"])
    func `fails if a part of the grant was changed`(part: String) throws {
        var inviter = try makeInviter()
        var joiner = try makeJoiner()
        var grant = try grant(&inviter, &joiner)
        switch part {
        case "root": grant.root[20] ^= 1
        case "owner": grant.owner[20] ^= 1
        case "device": grant.device[20] ^= 1
        default: grant.proof[20] ^= 1
        }
        let action = joiner.handle(.grant(grant), now: now)
        #expect(failure(of: action) == .unprovenPairing)
    }

    @Test func `fails if the inviter's name was changed`() throws {
        var inviter = try makeInviter()
        var joiner = try makeJoiner()
        var grant = try grant(&inviter, &joiner)
        grant.inviterName += "!"
        let action12 = joiner.handle(.grant(grant), now: now)
        #expect(failure(of: action12) == .unprovenPairing)
    }

    @Test func `fails if an inviter who knows the code grants a certificate for another key`() throws {
        var inviter = try makeInviter()
        var joiner = try makeJoiner()
        var grant = try grant(&inviter, &joiner)
        let other = try PrivateKey.generate().publicKey
        grant.device = try account.authority.certify(other, name: "laptop", now: now).der
        grant.proof = try PairingSecret(code: code, channel: channel).grantProof(grant, joiner: key.publicKey)
        let action13 = joiner.handle(.grant(grant), now: now)
        #expect(failure(of: action13) == .untrusted)
    }

    @Test func `fails if an inviter who knows the code grants a root that did not sign`() throws {
        var inviter = try makeInviter()
        var joiner = try makeJoiner()
        var grant = try grant(&inviter, &joiner)
        grant.root = try TestAccount().root.certificate.der
        grant.proof = try PairingSecret(code: code, channel: channel).grantProof(grant, joiner: key.publicKey)
        let action14 = joiner.handle(.grant(grant), now: now)
        #expect(failure(of: action14) == .untrusted)
    }

    @Test func `ends when either speaks out of turn`() throws {
        var inviter = try makeInviter()
        var joiner = try makeJoiner()
        let answer8 = inviter.handle(.joined, from: key.publicKey, channel: channel, now: now)
        #expect(answer8 == .close)
        let is25 = inviter.isOpen(now: now)
        #expect(is25)
        let action15 = joiner.handle(.joined, now: now)
        #expect(failure(of: action15) == .unprovenPairing)
    }

    private func failure(of action: PairingJoiner.MessageAction) -> SecurityError.Code? {
        if case .fail(let error) = action { error.code } else { nil }
    }
}

@Suite struct `A pairing code` {
    @Test func `is shown in three groups, and read back`() throws {
        for _ in 0..<100 {
            let code = try PairingCode.random()
            #expect(code.text.count == 14 && code.text.split(separator: "-").map(\.count) == [4, 4, 4])
            #expect(PairingCode(text: code.text) == code)
        }
    }

    @Test func `is read however a person types it`() throws {
        let code = try #require(PairingCode(text: "ab01-efg1-jkm0"))
        for text in ["AB01EFG1JKM0", " abO1 eFgL-jkmo ", "ab0i-efgI-jkmO"] {
            #expect(PairingCode(text: text) == code)
        }
    }

    @Test func `is nothing if it can't be one`() {
        for text in ["", "abcd-efgh-jkm", "abcd-efgh-jkmnp", "abcd-efgh-jkmu", "abcd-efgh-jkm\u{e9}"] {
            #expect(PairingCode(text: text) == nil)
        }
    }
}
