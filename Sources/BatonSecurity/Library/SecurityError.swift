/// Why keys, certificates, a folder of them, a TLS session or a pairing did not do what was asked.
///
/// Two errors are equal if their codes are; the rest is for the person who reads it.
package struct SecurityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of thing went wrong: what a caller decides by.
    package let code: Code
    /// What happened, and what to do about it, in words.
    package let message: String
    /// What OpenSSL said, oldest first; empty if it was not asked.
    package let reasons: [String]
    /// Where in the source the error was made.
    package let fileID: String
    /// The line in `fileID`.
    package let line: Int

    /// An error made here, of what was said there.
    package init(
        _ code: Code, _ message: String, reasons: [String] = [],
        fileID: String = #fileID, line: Int = #line
    ) {
        (self.code, self.message, self.reasons) = (code, message, reasons)
        (self.fileID, self.line) = (fileID, line)
    }

    /// The code, the message and OpenSSL's words, on one line.
    package var description: String {
        let tail = reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))"
        return "\(code): \(message)\(tail)"
    }

    /// Equal by code alone, so that a test or a caller never compares prose.
    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// Hashes what `==` compares.
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SecurityError {
    /// A kind of error; open, so that a new one breaks nobody's `switch`.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name by which logs and tables know it.
        package let description: String

        private init(_ name: String) { description = name }

        /// OpenSSL refused what should always work: it is out of memory, or we called it wrongly.
        package static let openSSL = Code("openssl")
        /// Bytes or text from outside are not what they should be.
        package static let malformed = Code("malformed")
        /// A system call on a file or folder failed.
        package static let file = Code("file")

        /// There is no identity in the folder.
        package static let notInitialised = Code("not-initialised")
        /// There already is an identity in the folder, or one is just being made.
        package static let alreadyInitialised = Code("already-initialised")
        /// Others may read or write what only its owner should; the message holds the command that mends it.
        package static let permissions = Code("permissions")
        /// An identity is there, but parts are missing, unreadable, or don't belong together.
        package static let damaged = Code("damaged")

        /// A certificate is not one that this account trusts for its purpose.
        package static let untrusted = Code("untrusted")
        /// The handshake can't succeed: no common protocol, or bytes that are not TLS.
        package static let handshake = Code("handshake")
        /// A client gave no hint of an account that is here; it is told nothing.
        package static let unknownHint = Code("unknown-hint")
        /// The peer ended the session with an alert; usually it doesn't trust us.
        package static let refusedByPeer = Code("refused-by-peer")
        /// More bytes came before the handshake ended than were allowed.
        package static let excess = Code("excess")
        /// Bytes after the handshake don't decrypt, or are not TLS.
        package static let channel = Code("channel")
        /// The session is not established, or is over.
        package static let closed = Code("closed")

        /// The other side of a pairing says that this side's code is wrong.
        package static let wrongPairingCode = Code("wrong-pairing-code")
        /// The invitation is over.
        package static let pairingOver = Code("pairing-over")
        /// The person at the inviter did not let this machine in.
        package static let pairingDeclined = Code("pairing-declined")
        /// The key of one of the two machines of a pairing was revoked.
        package static let pairingRevoked = Code("pairing-revoked")
        /// The other side of a pairing could not go on.
        package static let pairingFailed = Code("pairing-failed")
        /// The clocks of two machines are too far apart.
        package static let clocksDiffer = Code("clocks-differ")
        /// The other side of a pairing does not know the code, or said something out of turn.
        package static let unprovenPairing = Code("unproven-pairing")
    }
}
