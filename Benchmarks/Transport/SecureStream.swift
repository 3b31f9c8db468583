import BatonCore
import BatonNetwork
import BatonSecurity

/// Frames over TLS over TCP, as a node's channel has them, and nothing around.
///
/// A frame without a body is answered by one; those with one are only taken.
final class SecureStream {
    private let connection: StreamConnection
    private let session: TLSSession
    private let loop: EventLoop
    private var decoder = FrameDecoder()
    /// Whether the other end answers in its turn, or this one does.
    private let answers: Bool
    /// Hears of what the other end answered.
    var answered: () -> Void = {}
    /// Hears that there is room to send more.
    var drained: () -> Void = {}
    /// Hears the end.
    var ended: () -> Void = {}

    init(_ connection: StreamConnection, _ session: TLSSession, on loop: EventLoop, answers: Bool) throws {
        (self.connection, self.session, self.loop, self.answers) = (connection, session, loop, answers)
        try connection.start(
            StreamConnection.Handlers(
                received: { [self] in receive($0) }, drained: { [self] in drained() },
                ended: { [self] _ in
                    ended()
                    (ended, drained, answered) = ({}, {}, {})
                }))
        flush()
    }

    var isEstablished: Bool { session.peer != nil }
    var backlog: Int { connection.backlog }

    func send(_ frame: Frame) {
        do {
            try session.send(frame)
        } catch { connection.close() }
        flush()
    }

    func close() {
        session.close()
        flush()
        connection.close()
    }

    private func receive(_ bytes: Span<UInt8>) {
        do {
            let wasEstablished = isEstablished
            try session.receive(bytes)
            flush()
            if !wasEstablished, isEstablished { drained() }
            while try decoder.feed(from: { try session.readPlaintext(into: &$0, limit: $1) }) > 0 {
                while let frame = try decoder.next() {
                    guard frame.body.isEmpty else { continue }
                    if answers { send(frame) } else { answered() }
                }
            }
            if case .closed = session.state { close() }
        } catch {
            connection.close()
        }
    }

    private func flush() {
        if let ciphertext = session.nextCiphertext() { connection.send(ciphertext) }
    }
}
