import BatonCore

/// The reason why a device is not connected, in words for a person.
struct ConnectionTrouble: Equatable {
    let text: String
    /// The close code of the last session; nil if there is none.
    ///
    /// The code is also nil if this machine could not store the peer's data. Otherwise, the code would say wrongly that
    /// the peer can't store data.
    let code: CloseCode?

    init(_ text: String, code: CloseCode? = nil) { (self.text, self.code) = (text, code) }

    /// Explains why a session was closed.
    ///
    /// The text of the reason was written for the log of the side that closed the session.
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
