import BatonCore

/// What a person reads on one machine and types on the other: three words, 27 random bits, good for one guess.
package struct PairingCode: Equatable, Sendable {
    /// The words, dashes between them, as UTF-8: what is proven knowledge of.
    let secret: SecretBytes

    /// How many words a code has.
    package static let wordCount = 3

    /// A new code, for a new invitation.
    package static func random() throws(SecurityError) -> PairingCode {
        let random = try SecretBytes.random(count: 4)
        let numbers = unsafe random.withBytes { Words.numbers(of: unsafe Array($0)) }
        return try PairingCode(numbers: Array(numbers.prefix(wordCount)))
    }

    private init(numbers: [Int]) throws(SecurityError) {
        secret = try SecretBytes(copying: Words.phrase(numbers).utf8)
    }

    /// The code that was typed; the error says, for the person, what is wrong with it.
    ///
    /// Case and what stands between the words don't matter, and four letters of a word are enough.
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

    /// Compares in a time that tells nothing of where they differ.
    package static func == (left: Self, right: Self) -> Bool {
        Cryptography.areEqual(left.secret.copy(), right.secret.copy())
    }
}
