/// An error of keys, certificates, identity folders, TLS sessions or pairings.
///
/// Two errors are equal if their codes are equal; the message is for people.
package struct SecurityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, by which callers decide.
    package let code: Code
    /// The message: what happened, and what to do.
    package let message: String
    /// The texts of OpenSSL's error queue, oldest first; empty if OpenSSL was not involved.
    package let reasons: [String]
    /// The number of the TLS alert with which the peer ended the session; nil if it sent none.
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

    /// Compares only the codes, so that neither tests nor callers compare messages.
    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// Hashes the code.
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SecurityError {
    /// A kind of error; an open set, so that a new kind breaks no `switch`.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code in logs and tables.
        package let description: String

        private init(_ name: String) { description = name }

        /// OpenSSL failed at something that should always work: it is out of memory, or was called wrongly.
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

        /// A certificate is not trusted by this account for its purpose.
        package static let untrusted = Code("untrusted")
        /// A certificate of this account is not valid yet: one of the two clocks is wrong.
        package static let notYetValid = Code("not-yet-valid")
        /// The handshake can't succeed: there is no common protocol, or the bytes are not TLS.
        package static let handshake = Code("handshake")
        /// A client gave no hint of an account that is served here; it gets no answer.
        package static let unknownHint = Code("unknown-hint")
        /// The peer ended the session with an alert, usually because it does not trust this side.
        package static let refusedByPeer = Code("refused-by-peer")
        /// The peer sent more bytes than allowed before the handshake ended.
        package static let excess = Code("excess")
        /// Bytes after the handshake can't be decrypted, or are not TLS.
        package static let channel = Code("channel")
        /// The session is not established, or is over.
        package static let closed = Code("closed")

        /// The other side of a pairing refused this side's code.
        package static let wrongPairingCode = Code("wrong-pairing-code")
        /// The invitation is over.
        package static let pairingOver = Code("pairing-over")
        /// The person at the inviter declined this machine.
        package static let pairingDeclined = Code("pairing-declined")
        /// The key of one of the two machines of a pairing was revoked.
        package static let pairingRevoked = Code("pairing-revoked")
        /// The other side of a pairing failed.
        package static let pairingFailed = Code("pairing-failed")
        /// The clocks of the two machines are too far apart.
        package static let clocksDiffer = Code("clocks-differ")
        /// The other side of a pairing does not know the code, or sent a message out of turn.
        package static let unprovenPairing = Code("unproven-pairing")
    }
}
