import BatonCore
import BatonSecurity
import SecuritySupport
import Support
import Testing

/// Bytes before, in and after a session.
@Suite struct `A TLS session` {
    let account: TestAccount
    let laptop: Credentials

    init() throws {
        account = try TestAccount()
        laptop = try account.makeDevice()
    }

    private func server(limit: Int = 32 * 1024) throws -> TLSSession {
        try TLSSession(
            context: .device(account.owner), role: .server, handshakeByteLimit: limit,
            verifyingAt: TestAccount.now)
    }

    @Test(arguments: [1, 7, 1_000, 16_401, .max])
    func `a session transfers all bytes however they are divided`(pieceSize: Int) throws {
        var pair = try SessionPair(client: .device(laptop), server: .device(account.owner))
        pair.run(pieceSize: pieceSize)
        let count = pieceSize == 1 ? 100_000 : 3_000_000
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        for start in stride(from: 0, to: count, by: 77_777) {
            try pair.client.send(bytes[start..<min(start + 77_777, count)])
            try pair.server.send(bytes[start..<min(start + 77_777, count)])
        }
        pair.run(pieceSize: pieceSize)
        #expect(pair.serverRead == bytes && pair.clientRead == bytes)
    }

    @Test func `plaintext is read up to a limit, one record at a time`() throws {
        let pair = try SessionPair.established(laptop, account.owner)
        let bytes = [UInt8](repeating: 5, count: 100_000)
        try pair.client.send(bytes)
        try pair.server.receive(try #require(pair.client.nextCiphertext()))
        var buffer: [UInt8] = [9]
        #expect(try pair.server.readPlaintext(into: &buffer, limit: 10_000) == 10_000)
        #expect(try pair.server.readPlaintext(into: &buffer, limit: 10_000) == 6_384)
        #expect(try pair.server.readPlaintext(into: &buffer) == 16_384)
        while try pair.server.readPlaintext(into: &buffer) > 0 {}
        #expect(buffer == [9] + bytes)
    }

    @Test(arguments: [0, 1, 16_379, 16_380, 16_381, 300_000])
    func `a frame is encrypted without reallocating the buffer`(_ count: Int) throws {
        let pair = try SessionPair.established(laptop, account.owner)
        let frame = Frame(kind: .batch, body: (0..<count).map { UInt8(truncatingIfNeeded: $0) })
        try pair.client.send(frame)
        let ciphertext = try #require(pair.client.nextCiphertext())
        let most = TLSSession.ciphertextByteCount(for: frame.byteCount)
        #expect(ciphertext.count <= most)
        #expect(ciphertext.capacity <= most + 8192, "it was moved to larger memory while it grew")
        try pair.server.receive(ciphertext)
        #expect(try pair.server.allPlaintext() == frame.encoded)
    }

    @Test func `a session sends nothing before the handshake ends`() throws {
        let client = try TLSSession(context: .device(laptop), role: .client)
        #expect(throws: SecurityError(.closed, "")) { try client.send([1]) }
        #expect(throws: SecurityError(.closed, "")) { try client.exportKeyingMaterial(label: "x", count: 32) }
    }

    @Test func `a server sends no data before it has verified the client's certificate`() throws {
        let client = try TLSSession(context: .device(laptop), role: .client, verifyingAt: TestAccount.now)
        let server = try server()
        try server.receive(try #require(client.nextCiphertext()))
        // The server has sent its whole handshake, but does not know the client yet.
        try client.receive(try #require(server.nextCiphertext()))
        #expect(client.isEstablished && !server.isEstablished)
        #expect(throws: SecurityError(.closed, "")) { try server.send([1]) }
        // The client's certificate and its first data may arrive together.
        try client.send([1, 2, 3])
        try server.receive(try #require(client.nextCiphertext()))
        #expect(server.isEstablished)
        #expect(try server.nextPlaintext() == [1, 2, 3])
    }

    @Test func `a session is closed when the peer's close_notify is read, and not before`() throws {
        let pair = try SessionPair.established(laptop, account.owner)
        try pair.client.send([1])
        try pair.server.receive(try #require(pair.client.nextCiphertext()))
        #expect(try pair.server.nextPlaintext() == [1])
        #expect(try pair.server.nextPlaintext() == nil)
        // A connection that is lost here leaves the session established; that is how a node recognizes it.
        #expect(pair.server.isEstablished)

        try pair.client.send([2])
        pair.client.close()
        #expect(pair.client.state == .closed(.here))
        try pair.server.receive(try #require(pair.client.nextCiphertext()))
        #expect(pair.server.isEstablished)
        #expect(try pair.server.nextPlaintext() == [2])
        #expect(try pair.server.nextPlaintext() == nil)
        #expect(pair.server.state == .closed(.byPeer))
    }

    @Test func `a closed session sends and reads nothing`() throws {
        let pair = try SessionPair.established(laptop, account.owner)
        pair.client.close()
        pair.client.close()
        #expect(throws: SecurityError(.closed, "")) { try pair.client.send([1]) }
        try pair.client.receive([1, 2, 3])
        #expect(try pair.client.nextPlaintext() == nil)
    }

    @Test func `a session fails on bytes that are not TLS`() throws {
        for seed in 1...50 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let server = try server()
            do throws(SecurityError) {
                try server.receive(generator.bytes(200...200))
            } catch { #expect(error.code == .handshake) }
            #expect(!server.isEstablished)
        }
    }

    @Test func `a session fails on a changed record, and sends an alert`() throws {
        let pair = try SessionPair.established(laptop, account.owner)
        try pair.client.send([1, 2, 3])
        var bytes = try #require(pair.client.nextCiphertext())
        bytes[bytes.count - 1] ^= 1
        try pair.server.receive(bytes)
        #expect(throws: SecurityError(.channel, "")) { try pair.server.nextPlaintext() }
        #expect(pair.server.state == .closed(.failed))
        #expect(pair.server.nextCiphertext() != nil)
    }

    @Test func `a session accepts no more bytes than its limit before the handshake ends`() throws {
        let server = try server(limit: 1_000)
        // Handshake records that never add up to a client hello.
        let record: [UInt8] = [22, 3, 1, 0, 100, 1, 0, 255, 0] + [UInt8](repeating: 0, count: 96)
        #expect(throws: SecurityError(.excess, "")) {
            for _ in 0..<20 {
                try server.receive(
                    [22, 3, 1, 64, 0] + record.dropFirst(5) + [UInt8](repeating: 0, count: 90))
            }
        }
        #expect(server.state == .closed(.failed))
    }

    @Test func `only bytes before the end of the handshake count against the limit`() throws {
        let client = try TLSSession(context: .device(laptop), role: .client, verifyingAt: TestAccount.now)
        let server = try server(limit: 4_000)
        try server.receive(try #require(client.nextCiphertext()))
        try client.receive(try #require(server.nextCiphertext()))
        try client.send([UInt8](repeating: 1, count: 1_000_000))
        try server.receive(try #require(client.nextCiphertext()))
        #expect(try server.allPlaintext().count == 1_000_000)
    }
}
