/// The state of one stream.
struct StreamState: Sendable {
    enum Phase: Sendable {
        /// This side requested the stream, and waits for the answer.
        case asked
        /// The peer requested the stream, and waits for the answer.
        case asking
        /// Bytes go both ways.
        case open
    }

    var phase: Phase
    /// The bytes that wait to be sent.
    var outgoing = StreamBytes()
    /// How many bytes the peer still lets this side send.
    var credit = Limits.streamWindowBytes
    /// How many bytes the peer may still send.
    var allowance = Limits.streamWindowBytes
    /// The number of received bytes that the app here has not taken yet.
    var untaken = 0
    /// The number of bytes that the app here has taken and for which the peer was given no credit yet.
    var ungranted = 0
    /// Whether the peer's window is larger than at the beginning.
    var isWide = false
    /// Whether the app here has ended its side; then nothing follows the bytes that wait to be sent.
    var isEnding = false
    var isEndSent = false
    var isEndReceived = false
    /// Whether the peer was notified that everything that it sent was taken.
    var isTakenSent = false
    var isTakenReceived = false
    /// Whether the abort was sent to the peer; then only the peer's last word on the stream is awaited.
    var isAborted = false
    /// Whether the stream is in the row of streams that may send and have something to send.
    var isInRow = false
    /// Whether the app here had to pause, because too many bytes waited to be sent.
    var isFull = false

    /// Whether both sides have said that they have everything; then both forget the stream.
    var isComplete: Bool { isEndSent && isTakenReceived && isEndReceived && isTakenSent }

    /// Whether the stream may send and has bytes to send.
    var maySend: Bool { phase == .open && !isAborted && !outgoing.isEmpty && credit > 0 }
}
