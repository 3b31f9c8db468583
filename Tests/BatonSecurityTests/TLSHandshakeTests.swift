import BatonCore
import COpenSSL
import Testing

@testable import BatonSecurity

/// The peers that get a session, and those that do not.
///
/// Refusal is checked at the server, because in TLS 1.3 a client is done before it.
@Suite struct `A TLS handshake` {
    let account: TestAccount
    let laptop: Credentials

    init() throws {
        account = try TestAccount()
        laptop = try account.makeDevice()
    }

    @Test func `two devices of an account learn each other's identity`() throws {
        for (client, server) in [(account.owner, laptop), (laptop, account.owner)] {
            let pair = try SessionPair.established(client, server)
            #expect(pair.clientError == nil && pair.serverError == nil)
            #expect(pair.client.peer == .device(server.identity))
            #expect(pair.server.peer == .device(client.identity))
            #expect(pair.server.negotiatedProtocol == .baton)
        }
    }

    @Test func `a client of another account gets no session`() throws {
        let stranger = try TestAccount()
        var pair = try SessionPair(
            client: .device(stranger.owner), server: .device(laptop))
        pair.run()
        #expect(!pair.server.isEstablished && !pair.client.isEstablished)
        #expect(pair.serverError?.code == .unknownHint)
        // This stranger knows the hint, and accepts any server.
        let raw = try RawPeer(
            certificates: [stranger.owner.certificate, stranger.owner.owner], key: stranger.owner.deviceKey)
        #expect(try refusal(of: raw)?.code == .untrusted)
    }

    @Test func `a server of another account gets no session`() throws {
        let other = try TestAccount()
        let raw = try RawPeer(
            isServer: true, protocols: ["baton/1"],
            certificates: [other.owner.certificate, other.owner.owner], key: other.owner.deviceKey)
        let ours = try TLSSession(client: .device(laptop), verifyingAt: TestAccount.now)
        #expect(raw.answer(ours)?.code == .untrusted)
        #expect(!ours.isEstablished)
    }

    @Test func `a client that uses plain OpenSSL with a device's certificate gets a session`() throws {
        let raw = try RawPeer(certificates: [laptop.certificate, laptop.owner], key: laptop.deviceKey)
        #expect(try refusal(of: raw) == nil)
    }

    @Test func `a client without a certificate gets no session`() throws {
        #expect(try refusal(of: try RawPeer())?.code == .handshake)
    }

    @Test func `a client with TLS 1.2 gets no session`() throws {
        let raw = try RawPeer(
            version: TLS1_2_VERSION, certificates: [laptop.certificate, laptop.owner], key: laptop.deviceKey)
        #expect(try refusal(of: raw)?.code == .handshake)
    }

    @Test(arguments: [[], ["h2"], ["baton/2", "http/1.1"], ["baton-pair/1"]])
    func `a client that offers no Baton protocol gets no session`(protocols: [String]) throws {
        let raw = try RawPeer(
            protocols: protocols, certificates: [laptop.certificate, laptop.owner], key: laptop.deviceKey)
        #expect(try refusal(of: raw)?.code == .handshake)
        // It received an alert, but no certificate.
        #expect(raw.receivedByteCount == 7)
    }

    @Test func `a server that selects the pairing protocol for a device gets no session`() throws {
        let stranger = try TestAccount().owner
        let raw = try RawPeer(
            isServer: true, protocols: ["baton-pair/1"],
            certificates: [stranger.certificate, stranger.owner],
            key: stranger.deviceKey)
        let ours = try TLSSession(
            context: .device(laptop), role: .client, verifyingAt: TestAccount.now)
        // The client has already sent its hello, which the first round delivers.
        let error = raw.answer(ours)
        #expect(error?.code == .handshake)
        #expect(!ours.isEstablished)
    }

    /// Connects a raw client to our server after so many seconds.
    private func meet(_ credentials: Credentials, after offset: Int64) throws -> (TLSSession, SecurityError?)
    {
        let server = try TLSSession(
            context: .device(account.owner), role: .server, verifyingAt: TestAccount.now + offset)
        let raw = try RawPeer(
            certificates: [credentials.certificate, credentials.owner], key: credentials.deviceKey)
        raw.setServerName(try account.hint(at: TestAccount.now + offset))
        return (server, raw.handshake(with: server))
    }

    @Test func `a certificate that is not yet valid is refused, and the error names the clock`() throws {
        let pair = try SessionPair.connect(laptop, account.owner, at: TestAccount.now - 7200)
        #expect(pair.clientError?.code == .notYetValid)
        #expect(pair.clientError?.message.contains("60 minutes from now: the clock here") == true)
        let (server, error) = try meet(laptop, after: -7200)
        #expect(error?.code == .notYetValid && !server.isEstablished)
    }

    @Test func `an expired chain is reported on both sides with the time of its end`() throws {
        let late = Validity.device + 1
        let (server, error) = try meet(laptop, after: late)
        #expect(error == nil)
        #expect(server.peer == .expired(laptop.identity, since: TestAccount.now + Validity.device))
        let pair = try SessionPair.connect(laptop, account.owner, at: TestAccount.now + late)
        #expect(
            pair.client.peer == .expired(account.owner.identity, since: TestAccount.now + Validity.device))
        // An owner's expired certificate ends its devices' certificates too.
        let (again, _) = try meet(laptop, after: Validity.owner + 1)
        #expect(again.peer == .expired(laptop.identity, since: TestAccount.now + Validity.device))
    }

    @Test func `an expired chain with another fault is refused`() throws {
        let late = Validity.device + 1
        let (_, foreign) = try meet(try TestAccount().makeDevice(), after: late)
        #expect(foreign?.code == .untrusted)
        let key = try PrivateKey.generate()
        var template = account.template(for: key.publicKey)
        template.uris = [.account(account.root.account), .device(laptop.device)]
        let certificate = try template.signed(by: account.authority.key, issuer: account.owner.owner)
        let raw = try RawPeer(certificates: [certificate, account.owner.owner], key: key)
        let server = try TLSSession(
            context: .device(account.owner), role: .server, verifyingAt: TestAccount.now + late)
        raw.setServerName(try account.hint(at: TestAccount.now + late))
        #expect(raw.handshake(with: server)?.code == .untrusted)
    }

    @Test func `a certificate with another device's identifier is refused`() throws {
        try expectRefusal { template in
            template.uris[1] = .device(account.owner.device)
        }
    }

    @Test func `a certificate with two device identifiers is refused`() throws {
        try expectRefusal { $0.uris.append(.device(account.owner.device)) }
    }

    @Test func `a certificate with another account's identifier is refused`() throws {
        let other = try TestAccount().root.account
        try expectRefusal { $0.uris[0] = .account(other) }
    }

    @Test func `a certificate without identifiers is refused`() throws {
        try expectRefusal { $0.uris = [] }
    }

    @Test(arguments: [NID_ext_key_usage, NID_key_usage])
    func `a certificate without key usage is refused`(kind: CInt) throws {
        let key = try PrivateKey.generate()
        let certificate = try account.authority.certify(key.publicKey, name: "laptop", now: TestAccount.now)
        let owner = account.owner.owner
        let forged = try certificate.resigned(by: account.authority.key) { handle in
            X509_EXTENSION_free(X509_delete_ext(handle, X509_get_ext_by_NID(handle, kind, -1)))
        }
        #expect(forged.der.count < certificate.der.count)
        let raw = try RawPeer(certificates: [forged, owner], key: key)
        #expect(try refusal(of: raw)?.code == .untrusted)
        // The same certificate with all its extensions, signed again, is accepted.
        let same = try certificate.resigned(by: account.authority.key) { _ in }
        #expect(try refusal(of: RawPeer(certificates: [same, owner], key: key)) == nil)
    }

    @Test func `a device's certificate that is valid for too long is refused`() throws {
        try expectRefusal { $0.notAfter = $0.notBefore + Validity.deviceLimit + 1 }
        try expectRefusal { $0.notAfter = Validity.forever }
    }

    @Test func `an owner's certificate that is valid for too long makes its devices untrusted`() throws {
        let (second, key) = (try PrivateKey.generate(), try PrivateKey.generate())
        for (end, isRefused) in [
            (TestAccount.now + Validity.owner, false), (TestAccount.now + Validity.ownerLimit + 3600, true),
        ] {
            var template = account.template(for: second.publicKey)
            template.kind = .owner
            template.uris = [.account(account.root.account), .owner(second.publicKey.owner)]
            template.notAfter = end
            let owner = try template.signed(
                by: account.recoveryCode.rootKey(), issuer: account.root.certificate)
            let device = try account.template(for: key.publicKey).signed(by: second, issuer: owner)
            let raw = try RawPeer(certificates: [device, owner], key: key)
            #expect((try refusal(of: raw)?.code == .untrusted) == isRefused)
        }
    }

    @Test func `an owner's certificate alone gets no session`() throws {
        let ownerKey = try #require(account.owner.ownerKey)
        let raw = try RawPeer(certificates: [account.owner.owner], key: ownerKey)
        #expect(try refusal(of: raw)?.code == .untrusted)
    }

    @Test func `a device can't sign a device`() throws {
        let key = try PrivateKey.generate()
        let forged = try account.template(for: key.publicKey)
            .signed(by: laptop.deviceKey, issuer: laptop.certificate)
        let raw = try RawPeer(certificates: [forged, laptop.certificate, laptop.owner], key: key)
        #expect(try refusal(of: raw)?.code == .untrusted)
    }

    @Test func `an owner can't sign an owner`() throws {
        let (second, key) = (try PrivateKey.generate(), try PrivateKey.generate())
        var template = account.template(for: second.publicKey)
        template.kind = .owner
        template.uris = [.account(account.root.account), .owner(second.publicKey.owner)]
        let owner = try template.signed(by: account.authority.key, issuer: account.owner.owner)
        let device = try account.template(for: key.publicKey).signed(by: second, issuer: owner)
        let raw = try RawPeer(certificates: [device, owner, account.owner.owner], key: key)
        #expect(try refusal(of: raw)?.code == .untrusted)
    }

    @Test func `a device that the root signed itself is refused`() throws {
        let key = try PrivateKey.generate()
        let forged = try account.template(for: key.publicKey)
            .signed(by: account.recoveryCode.rootKey(), issuer: account.root.certificate)
        let raw = try RawPeer(certificates: [forged], key: key)
        #expect(try refusal(of: raw)?.code == .untrusted)
    }

    @Test(arguments: [false, true])
    func `an owner's certificate with wrong identifiers makes its devices untrusted`(hasNames: Bool) throws {
        let (second, key) = (try PrivateKey.generate(), try PrivateKey.generate())
        var template = account.template(for: second.publicKey)
        template.kind = .owner
        template.uris = hasNames ? [.account(account.root.account), .owner(key.publicKey.owner)] : []
        let owner = try template.signed(
            by: account.recoveryCode.rootKey(), issuer: account.root.certificate)
        let device = try account.template(for: key.publicKey).signed(by: second, issuer: owner)
        let raw = try RawPeer(certificates: [device, owner], key: key)
        #expect(try refusal(of: raw)?.code == .untrusted)
    }

    @Test func `the old devices of a recovered account trust its new owner`() throws {
        let code = try RecoveryCode(text: try account.recoveryCode.text())
        let root = try RootAuthority(recoveryCode: code, now: TestAccount.now)
        #expect(root.account == account.root.account)
        let recovered = try Credentials(root: root, deviceName: "new", now: TestAccount.now)
        let pair = try SessionPair.established(recovered, laptop)
        #expect(pair.client.isEstablished && pair.server.isEstablished)
    }

    /// Returns the error that our server throws at a raw client; the server must then have no session.
    private func refusal(of raw: RawPeer) throws -> SecurityError? {
        let server = try TLSSession(
            context: .device(account.owner), role: .server, verifyingAt: TestAccount.now)
        raw.setServerName(try account.hint())
        let error = raw.handshake(with: server)
        #expect((error == nil) == server.isEstablished)
        return error
    }

    /// Checks that our server refuses a certificate with changed contents that the owner signed.
    private func expectRefusal(_ change: (inout CertificateTemplate) -> Void) throws {
        let key = try PrivateKey.generate()
        var template = account.template(for: key.publicKey)
        change(&template)
        let forged = try template.signed(by: account.authority.key, issuer: account.owner.owner)
        let raw = try RawPeer(certificates: [forged, account.owner.owner], key: key)
        #expect(try refusal(of: raw)?.code == .untrusted)
    }
}

extension Certificate {
    /// Returns the same certificate, changed by the closure and signed again.
    fileprivate func resigned(
        by key: PrivateKey, _ change: (OpaquePointer) -> Void
    ) throws -> Certificate {
        let copy = try #require(withHandle { X509_dup($0) })
        change(copy)
        let count = key.withHandle { X509_sign(copy, $0, EVP_sha256()) }
        try #require(count > 0)
        return try Certificate(owning: copy)
    }
}
