import BatonCore

/// Why a device is not connected, for a person.
struct ConnectionTrouble: Equatable {
    let text: String
    /// The close code of the last session; nil if there is none, or if this machine could not store what it was sent:
    /// then the code would wrongly say that the device can't store.
    let code: CloseCode?

    init(_ text: String, code: CloseCode? = nil) { (self.text, self.code) = (text, code) }

    /// Explains why a session was closed; the reason is a sentence for the log of the side that closed it.
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
