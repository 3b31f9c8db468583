import BatonCore

/// Why a device is not connected, for a person.
struct ConnectionTrouble: Equatable {
    let text: String
    /// The code with which the last session ended; nil if it ended without one, or for another reason, or because this
    /// machine could not store what it was sent: the code of that stands for a device that can't.
    let code: CloseCode?

    init(_ text: String, code: CloseCode? = nil) { (self.text, self.code) = (text, code) }

    /// Explains the end of a session; a side ends it with a sentence for its own log.
    init(_ reason: CloseReason, isOfPeer: Bool) {
        code = reason.code == .storage && !isOfPeer ? nil : reason.code
        text =
            switch (reason.code, isOfPeer) {
            case (.storage, true): "it can't store what it is sent: \(reason.text)"
            case (.storage, false): "this machine can't store what it is sent: \(reason.text)"
            case (.silent, true): "it ended the connection, because this machine did not answer in time"
            case (_, true): "it ended the connection: \(reason.text)"
            case (_, false): reason.text
            }
    }
}
