/// An error about keys, certificates, identity folders, TLS sessions or pairings.
///
/// Two errors are equal if their codes are equal; the message is for people.
package struct SecurityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error; callers decide by this value what to do.
    package let code: Code
    /// The message for a person, which says what happened and what to do.
    package let message: String
    /// The texts of OpenSSL's error queue, the oldest first; empty if the error is not OpenSSL's.
    package let reasons: [String]
    /// The number of the TLS alert with which the peer ended the session; nil if the peer sent no alert.
    package let alert: UInt8?

    package init(_ code: Code, _ message: String, reasons: [String] = [], alert: UInt8? = nil) {
        self.code = code
        self.message = message
        self.reasons = reasons
        self.alert = alert
    }

    /// The code, the message and OpenSSL's texts, on one line.
    package var description: String {
        let tail = reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))"
        return "\(code): \(message)\(tail)"
    }

    /// Compares only the codes, so that neither tests nor callers depend on messages.
    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// Hashes the code.
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SecurityError {
    /// A kind of error.
    ///
    /// It is a struct and not an enum, so that a new kind breaks no `switch`.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, in logs and tables.
        package let description: String

        private init(_ name: String) { description = name }

        /// OpenSSL failed at something that should always work: it has no memory left, or was called in a wrong way.
        package static let openSSL = Code("openssl")
        /// Bytes or text from outside are invalid.
        package static let malformed = Code("malformed")
        /// A system call on a file or folder failed.
        package static let file = Code("file")

        /// There is no identity in the folder.
        package static let notInitialised = Code("not-initialised")
        /// There already is an identity in the folder, or another process is creating one.
        package static let alreadyInitialised = Code("already-initialised")
        /// Other users may read or write a private file; the message contains the command that fixes it.
        package static let permissions = Code("permissions")
        /// There is an identity, but parts of it are missing, unreadable, or do not belong together.
        package static let damaged = Code("damaged")

        /// A passphrase or a recovery code does not open the locked content key.
        package static let wrongPassphrase = Code("wrong-passphrase")
        /// The content key is locked, so protected content can't be read, written or passed on.
        package static let locked = Code("locked")

        /// A certificate is not trusted by this account for its purpose.
        package static let untrusted = Code("untrusted")
        /// A certificate of this account is not valid yet, because the clock of one of the machines is wrong.
        package static let notYetValid = Code("not-yet-valid")
        /// The handshake can't succeed: the sides have no protocol in common, or the bytes are not TLS.
        package static let handshake = Code("handshake")
        /// A client sent no hint of an account that is served here, so the client gets no answer.
        package static let unknownHint = Code("unknown-hint")
        /// The peer ended the session with an alert, usually because it does not trust this side.
        package static let refusedByPeer = Code("refused-by-peer")
        /// The peer sent more bytes before the end of the handshake than are allowed.
        package static let excess = Code("excess")
        /// Bytes after the handshake can't be decrypted, or are not TLS.
        package static let channel = Code("channel")
        /// The session is not established yet, or it is over.
        package static let closed = Code("closed")

        /// The other side of a pairing says that this side's code is wrong.
        package static let wrongPairingCode = Code("wrong-pairing-code")
        /// The invitation is over.
        package static let pairingOver = Code("pairing-over")
        /// The person at the inviter declined to admit this machine.
        package static let pairingDeclined = Code("pairing-declined")
        /// The key of one of the two machines of a pairing was revoked.
        package static let pairingRevoked = Code("pairing-revoked")
        /// The other side of a pairing reported that it failed.
        package static let pairingFailed = Code("pairing-failed")
        /// The clocks of the two machines are too far apart.
        package static let clocksDiffer = Code("clocks-differ")
        /// The other side of a pairing does not know the code, or sent a message that was not expected.
        package static let unprovenPairing = Code("unproven-pairing")
    }
}
