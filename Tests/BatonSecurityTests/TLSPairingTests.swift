import BatonCore
import BatonSecurity
import Synchronization
import Testing

/// Sessions with machines that do not belong to the account yet.
@Suite struct `A joiner's TLS session` {
    let account: TestAccount
    let key: PrivateKey

    init() throws {
        (account, key) = (try TestAccount(), try PrivateKey.generate())
    }

    private func connect(invitationIsOpen: Bool) throws -> SessionPair {
        let joiner = try TLSContext.joiner(key: key, now: TestAccount.now)
        var pair = try SessionPair(
            client: joiner, server: .device(account.owner, invitationIsOpen: { invitationIsOpen }))
        pair.run()
        return pair
    }

    @Test func `a joiner gets no answer while no invitation is open`() throws {
        let pair = try connect(invitationIsOpen: false)
        #expect(pair.serverError?.code == .unknownHint)
        // The server sends nothing, so the joiner does not even learn that it speaks TLS.
        #expect(pair.clientError == nil && pair.server.nextCiphertext() == nil)
        #expect(!pair.server.isEstablished && !pair.client.isEstablished)
    }

    @Test func `a joiner gets a session while an invitation is open, and is known only by its key`() throws {
        let pair = try connect(invitationIsOpen: true)
        #expect(pair.server.peer == .joiner(key.publicKey))
        #expect(pair.client.peer == .inviter)
        #expect(pair.server.negotiatedProtocol == .pairing)
    }

    @Test func `a joiner is not sent the inviter's certificates`() throws {
        let server = try TLSSession(
            context: .device(account.owner, invitationIsOpen: { true }), role: .server)
        let raw = try RawPeer(
            protocols: ["baton-pair/1"], certificates: [account.owner.certificate],
            key: account.owner.deviceKey)
        _ = raw.handshake(with: server)
        let shown = try #require(raw.presentedCertificates.first)
        #expect(raw.presentedCertificates.count == 1)
        let own = account.owner
        #expect(shown != own.certificate.der)
        let text = String(decoding: shown, as: UTF8.self)
        for word in [own.account.description, own.device.description, own.deviceName] {
            #expect(!text.contains(word))
        }
        #expect(String(decoding: own.certificate.der, as: UTF8.self).contains(own.device.description))
    }

    @Test func `a joiner without a certificate is refused`() throws {
        let server = try TLSSession(
            context: .device(account.owner, invitationIsOpen: { true }), role: .server)
        let raw = try RawPeer(protocols: ["baton-pair/1"])
        #expect(raw.handshake(with: server)?.code == .handshake)
        #expect(!server.isEstablished)
    }

    @Test func `the invitation is checked in each handshake`() throws {
        let invitationIsOpen = Mutex(false)
        let server = try TLSContext.device(account.owner) { invitationIsOpen.withLock { $0 } }
        for expected in [false, true, false] {
            invitationIsOpen.withLock { $0 = expected }
            var pair = try SessionPair(client: .joiner(key: key, now: TestAccount.now), server: server)
            pair.run()
            #expect(pair.server.isEstablished == expected)
        }
    }

    @Test func `an open invitation does not let a stranger connect as a device`() throws {
        let stranger = try TestAccount().owner
        let server = try TLSSession(
            context: .device(account.owner, invitationIsOpen: { true }), role: .server,
            verifyingAt: TestAccount.now)
        // Without the hint it may only pair; with the hint it may only prove that it is a device.
        let raw = try RawPeer(
            protocols: ["baton-pair/1", "baton/1"], certificates: [stranger.certificate, stranger.owner],
            key: stranger.deviceKey)
        raw.setServerName(try account.hint())
        #expect(raw.handshake(with: server)?.code == .untrusted)
    }

    @Test
    func `both ends of a session export the same keying material, which differs in each session`()
        throws
    {
        let (first, second) = (try connect(invitationIsOpen: true), try connect(invitationIsOpen: true))
        func export(_ session: TLSSession) throws -> [UInt8] {
            try session.exportKeyingMaterial(
                label: PairingChannel.exporterLabel, count: PairingChannel.exportedByteCount)
        }
        #expect(try export(first.client) == export(first.server))
        #expect(try export(first.client).count == PairingChannel.exportedByteCount)
        #expect(try export(first.client) != export(second.client))
    }
}
