import BatonCore

/// A code of three words, which a person reads on one machine and types on another.
///
/// It has 27 random bits, and allows only one guess.
package struct PairingCode: Equatable, Sendable {
    /// The words in UTF-8, joined by hyphens; this text is the password of SPAKE2.
    let secret: SecretBytes

    /// The number of words.
    package static let wordCount = 3

    /// Makes a new code for a new invitation.
    package static func random() throws(SecurityError) -> PairingCode {
        let random = try SecretBytes.random(count: 4)
        let numbers = unsafe random.withBytes { Words.numbers(of: unsafe Array($0)) }
        return try PairingCode(numbers: Array(numbers.prefix(wordCount)))
    }

    private init(numbers: [Int]) throws(SecurityError) {
        secret = try SecretBytes(copying: Words.phrase(numbers).utf8)
    }

    /// Reads a code that a person has typed; the error tells the person what is wrong with the code.
    ///
    /// Case and separators are ignored. The first four letters of a word are enough.
    package init(text: some StringProtocol) throws(SecurityError) {
        let numbers: [Int]
        do throws(Words.UnknownWord) {
            numbers = try Words.numbers(in: text)
        } catch {
            throw SecurityError(.malformed, "\(error)")
        }
        guard numbers.count == Self.wordCount else {
            throw SecurityError(.malformed, "A code has \(Self.wordCount) words; this has \(numbers.count).")
        }
        try self.init(numbers: numbers)
    }

    /// The code as it is shown to a person; for example, `lemon-tiger-cloud`.
    package var text: String { String(decoding: secret.copy(), as: UTF8.self) }

    /// Ten bits of a hash of the code, as two characters.
    ///
    /// An open invitation announces these bits on local networks, so that a joiner finds the inviter. A listener still
    /// has to guess the other 17 bits of the code, and has only one guess. More bits, or other bits from another salt,
    /// would reveal more of the code. So the bits never change while the invitation is open.
    package func announcedBits() throws(SecurityError) -> String {
        let digest = try Cryptography.digest(of: Array("baton invitation 1".utf8) + secret.copy())
        return String(Base32.encode(digest.prefix(2)).prefix(2))
    }

    /// Compares in constant time.
    package static func == (left: Self, right: Self) -> Bool {
        Cryptography.areEqual(left.secret.copy(), right.secret.copy())
    }
}
