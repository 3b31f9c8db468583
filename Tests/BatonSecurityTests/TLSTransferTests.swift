import BatonCore
import BatonSecurity
import Testing

/// What becomes of bytes, once there is a session and before.
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
    func `carries what was sent, in pieces of any size`(pieceSize: Int) throws {
        var pump = try Pump(client: .device(laptop), server: .device(account.owner))
        pump.run(pieceSize: pieceSize)
        let count = pieceSize == 1 ? 100_000 : 3_000_000
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        for start in stride(from: 0, to: count, by: 77_777) {
            try pump.client.send(bytes[start..<min(start + 77_777, count)])
            try pump.server.send(bytes[start..<min(start + 77_777, count)])
        }
        #expect(pump.client.outgoingByteCount > count)
        pump.run(pieceSize: pieceSize)
        #expect(pump.serverRead == bytes && pump.clientRead == bytes)
        #expect(pump.client.outgoingByteCount == 0 && pump.client.incomingByteCount == 0)
    }

    @Test func `fills a buffer up to a limit`() throws {
        let pump = try Pump.established(laptop, account.owner)
        let bytes = [UInt8](repeating: 5, count: 100_000)
        try pump.client.send(bytes)
        try pump.server.receive(try #require(pump.client.nextCiphertext()))
        #expect(pump.server.incomingByteCount > bytes.count)
        var buffer: [UInt8] = [9]
        let first = try pump.server.drainPlaintext(into: &buffer, limit: 20_000)
        #expect(first == 20_000)
        #expect(try pump.server.drainPlaintext(into: &buffer) == bytes.count - first)
        #expect(buffer == [9] + bytes)
    }

    @Test(arguments: [0, 1, 16_379, 16_380, 16_381, 300_000])
    func `encrypts a frame into memory that is enough for it`(_ count: Int) throws {
        let pump = try Pump.established(laptop, account.owner)
        let frame = Frame(kind: .batch, body: (0..<count).map { UInt8(truncatingIfNeeded: $0) })
        try pump.client.send(frame)
        let ciphertext = try #require(pump.client.nextCiphertext())
        let most = TLSSession.ciphertextByteCount(for: frame.byteCount)
        #expect(ciphertext.count <= most)
        #expect(ciphertext.capacity <= most + 8192, "it was moved to larger memory while it grew")
        try pump.server.receive(ciphertext)
        var buffer: [UInt8] = []
        _ = try pump.server.drainPlaintext(into: &buffer)
        #expect(buffer == frame.encoded)
    }

    @Test func `sends nothing before the handshake ends`() throws {
        let client = try TLSSession(context: .device(laptop), role: .client)
        #expect(throws: SecurityError(.closed, "")) { try client.send([1]) }
        #expect(throws: SecurityError(.closed, "")) { try client.exportKeyingMaterial(label: "x") }
    }

    @Test func `of a server sends nothing until the client's certificate was verified`() throws {
        let client = try TLSSession(context: .device(laptop), role: .client, verifyingAt: TestAccount.now)
        let server = try server()
        try server.receive(try #require(client.nextCiphertext()))
        // The server has said all that it says in its handshake; the client may still be anyone.
        try client.receive(try #require(server.nextCiphertext()))
        #expect(client.isEstablished && !server.isEstablished)
        #expect(throws: SecurityError(.closed, "")) { try server.send([1]) }
        // The client's certificate and its first words may come together.
        try client.send([1, 2, 3])
        try server.receive(try #require(client.nextCiphertext()))
        #expect(server.isEstablished)
        #expect(try server.nextPlaintext() == [1, 2, 3])
    }

    @Test func `tells a peer's goodbye from a cut`() throws {
        let polite = try Pump.established(laptop, account.owner)
        try polite.client.send([1])
        polite.client.close()
        #expect(polite.client.state == .closed(.here))
        try polite.server.receive(try #require(polite.client.nextCiphertext()))
        try polite.server.receiveEnd()
        #expect(try polite.server.nextPlaintext() == [1])
        #expect(try polite.server.nextPlaintext() == nil)
        #expect(polite.server.state == .closed(.byPeer))

        let cut = try Pump.established(laptop, account.owner)
        try cut.client.send([1])
        try cut.server.receive(try #require(cut.client.nextCiphertext()))
        try cut.server.receiveEnd()
        #expect(try cut.server.nextPlaintext() == [1])
        #expect(throws: SecurityError(.truncated, "")) { try cut.server.nextPlaintext() }
        #expect(cut.server.state == .closed(.truncated))
    }

    @Test func `that ends in its handshake is truncated`() throws {
        let server = try server()
        #expect(throws: SecurityError(.truncated, "")) { try server.receiveEnd() }
    }

    @Test func `sends and reads nothing once it is closed`() throws {
        let pump = try Pump.established(laptop, account.owner)
        pump.client.close()
        pump.client.close()
        #expect(throws: SecurityError(.closed, "")) { try pump.client.send([1]) }
        try pump.client.receive([1, 2, 3])
        #expect(try pump.client.nextPlaintext() == nil)
    }

    @Test func `fails on bytes that are not TLS, and tells the peer`() throws {
        for seed in 1...50 {
            var generator = Generator(seed: UInt64(seed))
            let server = try server()
            let garbage = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
            do throws(SecurityError) {
                try server.receive(garbage)
                try server.receiveEnd()
            } catch { #expect([.handshake, .truncated].contains(error.code)) }
            #expect(!server.isEstablished)
        }
    }

    @Test func `fails on a record that was changed on the way`() throws {
        let pump = try Pump.established(laptop, account.owner)
        try pump.client.send([1, 2, 3])
        var bytes = try #require(pump.client.nextCiphertext())
        bytes[bytes.count - 1] ^= 1
        try pump.server.receive(bytes)
        #expect(throws: SecurityError(.channel, "")) { try pump.server.nextPlaintext() }
        #expect(pump.server.state == .closed(.failed))
        #expect(pump.server.nextCiphertext() != nil)
    }

    @Test func `takes in no more than its limit before the handshake ends`() throws {
        let server = try server(limit: 1_000)
        // One handshake record after another that never become a client hello.
        let record: [UInt8] = [22, 3, 1, 0, 100, 1, 0, 255, 0] + [UInt8](repeating: 0, count: 96)
        #expect(throws: SecurityError(.excess, "")) {
            for _ in 0..<20 {
                try server.receive(
                    [22, 3, 1, 64, 0] + record.dropFirst(5) + [UInt8](repeating: 0, count: 90))
            }
        }
        #expect(server.state == .closed(.failed))
    }

    @Test func `counts against the limit only what belongs to the handshake`() throws {
        let client = try TLSSession(context: .device(laptop), role: .client, verifyingAt: TestAccount.now)
        let server = try server(limit: 4_000)
        try server.receive(try #require(client.nextCiphertext()))
        try client.receive(try #require(server.nextCiphertext()))
        try client.send([UInt8](repeating: 1, count: 1_000_000))
        try server.receive(try #require(client.nextCiphertext()))
        var buffer: [UInt8] = []
        #expect(try server.drainPlaintext(into: &buffer) == 1_000_000)
    }
}

/// Numbers that are the same in every run (SplitMix64).
struct Generator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
