import BatonCore
import BatonNode
import BatonSecurity
import Glibc
import Support

/// A device of the account that proves who it is, and then says and reads what a test wants.
///
/// It has nothing to begin with. What it does not read stays in the buffers of both sides.
final class ActedDevice {
    private let credentials: Credentials
    private let connection: RawConnection
    private let session: TLSSession
    private var decoder = FrameDecoder()

    /// Calls a node as the device whose home that is, and opens a session.
    init(_ home: Home, callingPort port: UInt16) throws {
        credentials = try IdentityFolder(path: home.identity()).load()
        connection = try RawConnection(port: port)
        session = try TLSSession(context: .device(credentials), role: .client)
        flush()
        while session.negotiatedProtocol == nil { try receive() }
        say(
            .hello(
                Hello(
                    account: credentials.account, device: credentials.device, name: credentials.deviceName,
                    completeDigest: VersionVector().digest, port: nil, build: Build.version,
                    features: Features([Features.streams]))))
        while let message = try next() {
            if case .hello = message { break }
        }
        say(.standing(Standing(complete: VersionVector())))
    }

    /// Lets the kernel take no more for this device than it has room for now.
    func stopReading() {
        var room: Int32 = 1
        setsockopt(connection.descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Says something; what comes of it is for `next()` to tell.
    func say(_ message: PeerMessage) { say([message]) }

    /// Says several things at once.
    func say(_ messages: [PeerMessage]) {
        // A session that is over is found out by who reads.
        let bytes = messages.flatMap(\.frame.encoded)
        try? session.send(bytes.span)
        flush()
    }

    /// The next message of the node; nothing at the end of the stream.
    func next() throws -> PeerMessage? {
        while true {
            if let frame = try decoder.next() { return try PeerMessage(frame) }
            guard try receive() else { return nil }
        }
    }

    /// Reads so many bytes that have come, or fewer, for `next()` to tell; false at the end of the stream.
    @discardableResult
    func receive(upTo limit: Int = 1 << 16) throws -> Bool {
        guard let bytes = connection.read(upTo: limit) else {
            throw DeadlinePassed(description: "the node says nothing")
        }
        guard !bytes.isEmpty else { return false }
        try session.receive(bytes.span)
        while try decoder.feed(from: { try session.readPlaintext(into: &$0, limit: $1) }) > 0 {}
        flush()
        return true
    }

    /// Says that nothing follows, and hangs up.
    func close() {
        session.close()
        flush()
        hangUp()
    }

    /// Hangs up, as anyone can who holds the cable.
    func hangUp() { shutdown(connection.descriptor, Int32(SHUT_RDWR)) }

    private func flush() {
        if let ciphertext = session.nextCiphertext() { connection.write(ciphertext) }
    }
}
