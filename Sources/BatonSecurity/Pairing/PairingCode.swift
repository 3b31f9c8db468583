import BatonCore

/// A code that a person reads on one machine and types on the other: three words, 27 random bits, for one guess.
package struct PairingCode: Equatable, Sendable {
    /// The words as UTF-8 with hyphens between them, which is the input of SPAKE2.
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

    /// Reads a typed code; the error tells the person what is wrong with it.
    ///
    /// Case and separators are ignored, and the first four letters of a word are enough.
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

    /// The code as it is shown: `lemon-tiger-cloud`.
    package var text: String { String(decoding: secret.copy(), as: UTF8.self) }

    /// Ten bits of a hash of the code, as two characters: an open invitation announces them on local networks, so that
    /// a joiner finds it.
    ///
    /// A listener still has to guess the other 17 bits of the code, with one guess. To announce more bits, or other
    /// bits under another salt, would reveal more of the code. So the bits never change while the invitation is open.
    package func announcedBits() throws(SecurityError) -> String {
        let digest = try Cryptography.digest(of: Array("baton invitation 1".utf8) + secret.copy())
        return String(Base32.encode(digest.prefix(2)).prefix(2))
    }

    /// Compares in constant time.
    package static func == (left: Self, right: Self) -> Bool {
        Cryptography.areEqual(left.secret.copy(), right.secret.copy())
    }
}
