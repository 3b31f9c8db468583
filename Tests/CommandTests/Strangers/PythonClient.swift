import BatonCore
import Foundation
import Support
import Testing

/// A real TLS client that is neither ours nor the `openssl` command: Python's `ssl`, with a device's certificate.
///
/// It keeps the ticket of its first connection, and resumes that session when it connects again.
struct PythonClient {
    private let process: ChildProcess
    /// The folder with its identity.
    private let identity: String

    static var isThere: Bool {
        ["/usr/bin/python3", "/bin/python3", "/usr/local/bin/python3"].contains { File.read($0) != nil }
    }

    /// The observations on one connection.
    struct Seen {
        /// Whether the handshake resumed the first session.
        let isResumed: Bool
        /// All bytes that it received, decrypted.
        let bytes: [UInt8]

        /// The messages in those bytes.
        func messages() throws -> [PeerMessage] {
            var (decoder, messages) = (FrameDecoder(), [PeerMessage]())
            decoder.feed(bytes)
            while let frame = try decoder.next() { messages.append(try PeerMessage(frame)) }
            return messages
        }
    }

    /// Prepares a client with the identity in a folder.
    init(on machine: Machine, identity folder: String, at other: Machine) throws {
        identity = folder
        process = try machine.begin(
            ["python3", "-c", Self.program, folder, "\(other.port)"], hasInput: true)
    }

    /// Connects, sends what looks like the protocol, and reads to the end.
    ///
    /// It prints one line: whether the session was resumed, and what it read, in hexadecimal.
    func knock() throws -> Seen {
        let before = lines.count
        let hint = try #require(Stranger.hint(identity).last)
        process.write(Array("\(hint)\n".utf8))
        try eventually("what was seen; \(process.errors)") { lines.count > before }
        let parts = lines[before].split(separator: " ", omittingEmptySubsequences: false)
        try #require(parts.count == 2, "\(lines)")
        let digits = Array(parts[1].utf8)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
        }
        return Seen(isResumed: parts[0] == "True", bytes: bytes)
    }

    private var lines: [Substring] { process.output.split(separator: "\n") }

    private static let program = """
        import socket, ssl, sys
        folder, port = sys.argv[1:]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.check_hostname = False
        context.load_verify_locations(folder + "/root.pem")
        context.load_cert_chain(folder + "/device.pem", folder + "/device-key.pem")
        context.set_alpn_protocols(["baton/1"])
        session = None
        for line in sys.stdin:
            seen, resumed = b"", False
            try:
                plain = socket.create_connection(("127.0.0.1", int(port)), timeout=20)
                with context.wrap_socket(plain, server_hostname=line.strip(), session=session) as stream:
                    resumed = stream.session_reused
                    try:
                        stream.sendall(bytes([0, 0, 1, 1, 0xa0, 0x0a]))
                        while part := stream.recv(65536):
                            seen += part
                    finally:
                        session = session or stream.session
            except (ssl.SSLError, ConnectionError) as error:
                print(error, file=sys.stderr)
            print(resumed, seen.hex(), flush=True)
        """
}
