import BatonCore

/// Joins the connection of an app with a stream of a link, until either of them ends.
///
/// Bytes from the app wait in the small buffer of the multiplexer. When the buffer is full, reading from the app
/// pauses. Bytes for the app wait at the app's connection. While they wait, the peer gets no credit.
final class JoinedStream: StreamHearer {
    private let number: UInt64
    private let streams: LinkStreams
    private let limits: Limits
    private weak var connection: LocalConnection?
    /// The number of bytes that were passed to the app's connection and for which the peer has got no new credit yet.
    private var untaken = 0
    private var hasAppEnded = false
    private var hasAppTaken = false
    private var hasPeerEnded = false
    private var hasPeerTaken = false
    private var isOver = false

    init(_ number: UInt64, of streams: LinkStreams, on connection: LocalConnection, limits: Limits) {
        self.number = number
        self.streams = streams
        self.connection = connection
        self.limits = limits
        streams.pass(number, to: self)
    }

    // MARK: The app

    /// Handles a frame from the app.
    func handleFrame(_ frame: Frame) throws(CloseReason) {
        guard !isOver else { return }
        switch try LocalStreamMessage(frame) {
        case .data(let bytes):
            guard !hasAppEnded else { throw CloseReason(.unexpected, "bytes after the end of a stream") }
            streams.send(number, bytes)
        case .end:
            guard !hasAppEnded else { throw CloseReason(.unexpected, "a stream ends twice") }
            hasAppEnded = true
            streams.end(number)
        case .taken:
            guard hasPeerEnded, !hasAppTaken else {
                throw CloseReason(.unexpected, "confirmation of the end of a stream that has not ended")
            }
            hasAppTaken = true
            settle(isAll: true)
            streams.takeEnd(number)
            closeIfComplete()
        case .abort:
            isOver = true
            streams.abort(number, .givenUp)
            connection?.close()
        }
    }

    /// Whether reading from the app must pause.
    var isFull: Bool { streams.isFull(number) }

    /// Called when the app has taken all bytes that waited for it.
    func connectionDrained() { settle(isAll: true) }

    func connectionEnded() {
        guard !isOver else { return }
        isOver = true
        // A complete stream has ended already. A stream that is not complete must not look complete.
        streams.abort(number, .appGone)
    }

    // MARK: The peer

    func hear(_ event: StreamEvent) {
        guard !isOver else { return }
        switch event {
        case .data(_, let bytes):
            untaken += bytes.count
            connection?.send(encoded: Frame.localStreamHead(bytes.count)[...])
            connection?.send(encoded: bytes)
            settle(isAll: false)
        case .ended:
            hasPeerEnded = true
            tell(.end)
        case .taken:
            hasPeerTaken = true
            tell(.taken)
            closeIfComplete()
        case .roomMade: connection?.proceed()
        case .broken(_, let reason):
            isOver = true
            tell(.abort(reason))
            connection?.close()
        case .requested, .opened, .refused: break
        }
    }

    private func tell(_ message: LocalStreamMessage) { connection?.send(encoded: message.frame.encoded[...]) }

    /// Gives the peer more credit for the bytes that were passed to the app's connection.
    ///
    /// This happens if few bytes wait for the app, or if the app has taken everything.
    private func settle(isAll: Bool) {
        // If the backlog is larger, the connection calls `connectionDrained` once everything is sent.
        guard untaken > 0, isAll || (connection?.backlog ?? 0) <= limits.streamPauseBytes else { return }
        let count = untaken
        untaken = 0
        streams.take(number, count: count)
    }

    private func closeIfComplete() {
        guard hasAppEnded, hasAppTaken, hasPeerEnded, hasPeerTaken else { return }
        isOver = true
        streams.forget(number)
        connection?.close()
    }
}
