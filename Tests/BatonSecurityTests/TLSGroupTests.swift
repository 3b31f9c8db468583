import BatonCore
import COpenSSL
import SecuritySupport
import Support
import Testing

@testable import BatonSecurity

/// The groups in which a node exchanges keys with clients that have a hint, or that may join.
@Suite struct `The key exchange groups of a TLS session` {
    let account: TestAccount

    init() throws { account = try TestAccount() }

    /// Returns a client hello that offers these groups, from a device or a joiner.
    private func hello(_ groups: String, isJoiner: Bool) throws -> [UInt8] {
        let peer = try RawPeer(protocols: [isJoiner ? "baton-pair/1" : "baton/1"], groups: groups)
        if !isJoiner { peer.setServerName(try account.hint()) }
        return peer.clientHello()
    }

    /// Returns the node's TLS records in answer to a client hello.
    private func answer(to hello: [UInt8]) throws -> [UInt8] {
        let server = try TLSServer([.device(account.owner, invitationIsOpen: { true })])
        let session = try TLSSession(server: server, verifyingAt: TestAccount.now)
        #expect(throws: SecurityError(.handshake, "")) { try session.receive(hello) }
        return session.nextCiphertext() ?? []
    }

    /// The record of the fatal alert `handshake_failure`; no server hello precedes it, so no key was made.
    private static let refusal: [UInt8] = [0x15, 3, 3, 0, 2, 2, 40]

    @Test(
        arguments: [
            "ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192", "P-384", "P-521", "X448",
        ], [false, true])
    func `an expensive group is refused with an alert before a key is made`(
        group: String, isJoiner: Bool
    ) throws {
        #expect(try answer(to: hello(group, isJoiner: isJoiner)) == Self.refusal)
    }

    /// X25519MLKEM768, SecP256r1MLKEM768, SecP384r1MLKEM1024 and X25519Kyber768Draft00, by their TLS numbers.
    @Test(arguments: [0x11ec, 0x11eb, 0x11ed, 0x6399], [false, true])
    func `a hybrid group is refused`(number: Int, isJoiner: Bool) throws {
        var hello = try hello("X25519", isJoiner: isJoiner)
        // The group's number is in the list of groups and before the key share.
        let number = [UInt8(number >> 8), UInt8(number & 0xff)]
        let indices = hello.indices.dropLast(5).filter { index in
            [[0, 10, 0, 4, 0, 2, 0, 29], [0, 36, 0, 29, 0, 32]].contains { hello[index...].starts(with: $0) }
        }
        #expect(indices.count == 2)
        for index in indices {
            let offset = hello[index + 1] == 10 ? 6 : 2
            hello.replaceSubrange((index + offset)..<(index + offset + 2), with: number)
        }
        #expect(try answer(to: hello) == Self.refusal)
    }

    @Test(arguments: [("X25519", 29), ("P-256", 23), ("ffdhe8192:P-256", 23)])
    func `X25519 and P-256 are negotiated even if the client prefers others`(groups: String, number: CInt)
        throws
    {
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

    /// OpenSSL's own number of a group, given its TLS number.
    private func nid(_ number: CInt) -> CInt { number == 23 ? NID_X9_62_prime256v1 : NID_X25519 }

    @Test(arguments: ["baton/1", "baton-pair/1"])
    func `a Baton client offers only X25519 and P-256`(name: String) throws {
        let context: TLSContext =
            name == "baton/1"
            ? try .device(account.owner) : try .joiner(key: .generate(), now: TestAccount.now)
        let hello = try #require(
            try TLSSession(client: context, verifyingAt: TestAccount.now).nextCiphertext())
        #expect(hello.indices.contains { hello[$0...].starts(with: [0, 10, 0, 6, 0, 4, 0, 29, 0, 23]) })
    }
}
