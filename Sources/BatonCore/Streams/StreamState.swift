/// The state of one stream.
struct StreamState: Sendable {
    enum Phase: Sendable {
        /// This side asked for it, and waits for the answer.
        case asked
        /// The peer asked for it, and waits for the answer.
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
    /// How many bytes came that the app here has not taken yet.
    var untaken = 0
    /// How many bytes it has taken for which the peer was given no credit yet.
    var ungranted = 0
    /// Whether the peer's window is larger than at the beginning.
    var isWide = false
    /// Whether nothing follows what waits to be sent.
    var isEnding = false
    var isEndSent = false
    var isEndReceived = false
    /// Whether the peer was sent the message that everything it sent was taken.
    var isTakenSent = false
    var isTakenReceived = false
    /// Whether the peer was sent the abort; then only its last word on the stream is awaited.
    var isAborted = false
    /// Whether it is in the row of streams that may send and have something to send.
    var isInRow = false
    /// Whether so much waited to be sent that the app here was held back.
    var isFull = false

    /// Whether both sides have said that they have everything; then both forget the stream.
    var isComplete: Bool { isEndSent && isTakenReceived && isEndReceived && isTakenSent }

    /// Whether it may send and has bytes to send.
    var maySend: Bool { phase == .open && !isAborted && !outgoing.isEmpty && credit > 0 }
}
