import BatonCore
import COpenSSL
import SecuritySupport
import Support
import Testing

@testable import BatonSecurity

/// In which groups a node agrees on keys with anyone who has a hint, or may join.
@Suite struct `The groups of a TLS session` {
    let account: TestAccount

    init() throws { account = try TestAccount() }

    /// A client's first words, which offer these groups and have the account's hint or ask to join.
    private func hello(_ groups: String, isJoiner: Bool) throws -> [UInt8] {
        let peer = try RawPeer(protocols: [isJoiner ? "baton-pair/1" : "baton/1"], groups: groups)
        if !isJoiner { peer.setServerName(try account.hint()) }
        return peer.clientHello()
    }

    /// The node's answer to first words: its TLS records.
    private func answer(to hello: [UInt8]) throws -> [UInt8] {
        let server = try TLSServer([.device(account.owner, invitationIsOpen: { true })])
        let session = try TLSSession(server: server, verifyingAt: TestAccount.now)
        #expect(throws: SecurityError(.handshake, "")) { try session.receive(hello) }
        return session.nextCiphertext() ?? []
    }

    /// The one record of a fatal `handshake_failure`: there is no server hello, so no key was made.
    private static let refusal: [UInt8] = [0x15, 3, 3, 0, 2, 2, 40]

    @Test(
        arguments: [
            "ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192", "P-384", "P-521", "X448",
        ], [false, true])
    func `are refused by an alert and without a key where they cost much`(
        group: String, isJoiner: Bool
    ) throws {
        #expect(try answer(to: hello(group, isJoiner: isJoiner)) == Self.refusal)
    }

    /// The numbers of X25519MLKEM768, SecP256r1MLKEM768, SecP384r1MLKEM1024 and X25519Kyber768Draft00.
    @Test(arguments: [0x11ec, 0x11eb, 0x11ed, 0x6399], [false, true])
    func `are refused where they are hybrid`(number: Int, isJoiner: Bool) throws {
        var hello = try hello("X25519", isJoiner: isJoiner)
        // The group stands in the list of groups, and before the share of the key.
        let number = [UInt8(number >> 8), UInt8(number & 0xff)]
        let places = hello.indices.dropLast(5).filter { place in
            [[0, 10, 0, 4, 0, 2, 0, 29], [0, 36, 0, 29, 0, 32]].contains { hello[place...].starts(with: $0) }
        }
        #expect(places.count == 2)
        for place in places {
            let offset = hello[place + 1] == 10 ? 6 : 2
            hello.replaceSubrange((place + offset)..<(place + offset + 2), with: number)
        }
        #expect(try answer(to: hello) == Self.refusal)
    }

    @Test(arguments: [("X25519", 29), ("P-256", 23), ("ffdhe8192:P-256", 23)])
    func `are X25519 and P-256, also for who would rather have others`(groups: String, number: CInt) throws {
        let device = try account.makeDevice()
        let peer = try RawPeer(
            groups: groups, certificates: [device.certificate, device.owner], key: device.deviceKey)
        peer.setServerName(try account.hint())
        let session = try TLSSession(
            server: TLSServer([.device(account.owner)]), verifyingAt: TestAccount.now)
        #expect(peer.handshake(with: session) == nil)
        #expect(session.peer == .device(device.identity))
        #expect(peer.negotiatedGroup == number || peer.negotiatedGroup == nid(number))
    }

    /// OpenSSL's own name for a group, in place of its number in TLS.
    private func nid(_ number: CInt) -> CInt { number == 23 ? NID_X9_62_prime256v1 : NID_X25519 }

    @Test(arguments: ["baton/1", "baton-pair/1"])
    func `are the only ones that a client of ours offers`(name: String) throws {
        let context: TLSContext =
            name == "baton/1"
            ? try .device(account.owner) : try .joiner(key: .generate(), now: TestAccount.now)
        let hello = try #require(
            try TLSSession(client: context, verifyingAt: TestAccount.now).nextCiphertext())
        #expect(hello.indices.contains { hello[$0...].starts(with: [0, 10, 0, 6, 0, 4, 0, 29, 0, 23]) })
    }
}
