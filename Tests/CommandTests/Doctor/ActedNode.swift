import BatonCore
import BatonSecurity
import Foundation
import Support

/// A node whose side of the handshake is real, and which then does what a test wants, at a port of this machine.
final class ActedNode: Sendable {
    /// The behaviour after the handshake.
    enum Act: Sendable {
        /// It sends its first message, with a clock that is ahead by so many seconds.
        case greets(lead: Int64 = 0, build: String = Build.version)
        case refuses(CloseReason)
        case staysSilent
    }

    private let listening: Listening

    /// Begins to accept connections as a device with these credentials.
    init(_ credentials: Credentials, _ act: Act) throws {
        listening = try Listening()
        let server = try TLSServer([.device(credentials)])
        listening.serve { connection in
            // The node dials beside the attempt that a test is about.
            detach { Self.play(act, credentials, server, on: connection) }
        }
    }

    /// The address to connect to.
    var address: String { "127.0.0.1:\(listening.port)" }

    private static func play(
        _ act: Act, _ credentials: Credentials, _ server: TLSServer, on connection: RawConnection
    ) {
        do {
            let session = try TLSSession(server: server)
            func flush() {
                if let bytes = session.nextCiphertext() { connection.write(bytes) }
            }
            func receive() throws -> Bool {
                guard let bytes = connection.read(), !bytes.isEmpty else { return false }
                defer { flush() }
                try session.receive(bytes.span)
                return true
            }
            while session.peer == nil { guard try receive() else { return } }
            if let message = message(act, credentials) {
                try session.send(message.frame)
                flush()
            }
            while try receive() {}
        } catch {
            // The peer has refused the handshake, which the test sees at the other end.
            return
        }
    }

    private static func message(_ act: Act, _ credentials: Credentials) -> PeerMessage? {
        switch act {
        case .greets(let lead, let build):
            var hello = Hello(
                account: credentials.account, device: credentials.device, name: credentials.deviceName,
                completeDigest: VersionVector().digest, port: nil, build: build)
            let now = Int64(Date().timeIntervalSince1970 * 1000)
            hello.clock = WallTime(milliseconds: now + lead * 1000)
            return .hello(hello)
        case .refuses(let reason): return .close(reason)
        case .staysSilent: return nil
        }
    }
}
