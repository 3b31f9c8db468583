import BatonCore
import BatonNode
import BatonSecurity
import Glibc
import Support

/// A scripted device of the account: it authenticates, and then sends and reads messages as a test wants.
///
/// It starts without data. Messages that the test does not read stay in the buffers of both sides.
final class ActedDevice {
    private let credentials: Credentials
    private let connection: RawConnection
    private let session: TLSSession
    private var decoder = FrameDecoder()

    /// Connects to a node as the device of the home, and opens a session; with a clock, it says what that shows.
    init(_ home: Home, callingPort port: UInt16, clock: WallTime? = nil) throws {
        credentials = try IdentityFolder(path: home.identity()).load()
        connection = try RawConnection(port: port)
        session = try TLSSession(context: .device(credentials), role: .client)
        flush()
        while session.negotiatedProtocol == nil { try receive() }
        var hello = Hello(
            account: credentials.account, device: credentials.device, name: credentials.deviceName,
            completeDigest: VersionVector().digest, port: nil, build: Build.version,
            features: Features([Features.streams]))
        hello.clock = clock
        say(.hello(hello))
        while let message = try next() {
            if case .hello = message { break }
        }
        say(.standing(Standing(complete: VersionVector())))
    }

    /// Shrinks the receive buffer in the kernel, so that it takes no more than it has room for now.
    func stopReading() {
        var room: Int32 = 1
        setsockopt(connection.descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends a message; `next()` finds out if the session has ended.
    func say(_ message: PeerMessage) { say([message]) }

    /// Sends several messages at once.
    func say(_ messages: [PeerMessage]) {
        // The next read reports a session that has ended.
        let bytes = messages.flatMap(\.frame.encoded)
        try? session.send(bytes.span)
        flush()
    }

    /// Returns the next message of the node, or nil at the end of the stream.
    func next() throws -> PeerMessage? {
        while true {
            if let frame = try decoder.next() { return try PeerMessage(frame) }
            guard try receive() else { return nil }
        }
    }

    /// Reads at most this number of bytes, for `next()` to decode; returns false at the end of the stream.
    @discardableResult
    func receive(upTo limit: Int = 1 << 16) throws -> Bool {
        guard let bytes = connection.read(upTo: limit) else {
            throw DeadlinePassed(description: "the node sends nothing")
        }
        guard !bytes.isEmpty else { return false }
        try session.receive(bytes.span)
        while try decoder.feed(from: { try session.readPlaintext(into: &$0, limit: $1) }) > 0 {}
        flush()
        return true
    }

    /// Closes the session, and then the connection.
    func close() {
        session.close()
        flush()
        hangUp()
    }

    /// Cuts the connection without closing the session.
    func hangUp() { shutdown(connection.descriptor, Int32(SHUT_RDWR)) }

    private func flush() {
        if let ciphertext = session.nextCiphertext() { connection.write(ciphertext) }
    }
}
