/// The state of one stream.
struct StreamState: Sendable {
    enum Phase: Sendable {
        /// This side has requested the stream and waits for the peer's answer.
        case asked
        /// The peer has requested the stream and waits for this side's answer.
        case asking
        /// The stream is open, and both sides can send.
        case open
    }

    var phase: Phase
    /// The bytes that wait to be sent.
    var outgoing = StreamBytes()
    /// The number of bytes that this side may still send.
    var credit = Limits.streamWindowBytes
    /// The number of bytes that the peer may still send.
    var allowance = Limits.streamWindowBytes
    /// The number of received bytes that the app here has not taken yet.
    var untaken = 0
    /// The number of bytes that the app here has taken, and for which the peer has not been given new credit yet.
    var ungranted = 0
    /// Whether the peer's window was enlarged.
    var isWide = false
    /// Whether the app here has ended its side.
    ///
    /// After the bytes that still wait to be sent, only the end follows.
    var isEnding = false
    var isEndSent = false
    var isEndReceived = false
    /// Whether the peer was told that the app here has taken everything.
    var isTakenSent = false
    var isTakenReceived = false
    /// Whether this side has sent an abort.
    ///
    /// It then waits only for the peer's last message about the stream.
    var isAborted = false
    /// Whether the stream is in the row, which lists the streams that may send and have bytes to send.
    var isInRow = false
    /// Whether the app here was told to stop sending, because too many bytes waited to be sent.
    var isFull = false

    /// Whether both sides have confirmed that they took everything.
    ///
    /// Then both sides forget the stream.
    var isComplete: Bool { isEndSent && isTakenReceived && isEndReceived && isTakenSent }

    /// Whether the stream may send and has bytes to send.
    var maySend: Bool { phase == .open && !isAborted && !outgoing.isEmpty && credit > 0 }
}
