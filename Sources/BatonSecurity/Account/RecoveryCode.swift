import BatonCore

/// The sixteen words on paper from which the account's root key is derived.
///
/// They encode 128 random bits, and 16 bits of their hash, which reveal a wrong word or two swapped words.
package struct RecoveryCode: Sendable {
    /// The random bits.
    private let seed: SecretBytes

    /// The number of words.
    package static let wordCount = 16
    /// The number of secret bytes.
    private static let seedByteCount = 16
    /// The number of check bytes; together with the secret they fill the words exactly.
    private static let checkByteCount = 2

    /// Makes a new code for a new account.
    package static func random() throws(SecurityError) -> RecoveryCode {
        RecoveryCode(seed: try .random(count: seedByteCount))
    }

    private init(seed: SecretBytes) { self.seed = seed }

    /// Reads a typed code; the error tells the person what is wrong with it.
    ///
    /// Case, digits and separators are ignored, and the first four letters of a word are enough.
    package init(text: some StringProtocol) throws(SecurityError) {
        let numbers = try Self.numbers(in: text)
        var bytes = Words.bytes(of: numbers)
        defer { wipe(&bytes) }
        seed = try SecretBytes(copying: bytes.prefix(Self.seedByteCount))
        guard Cryptography.areEqual(Array(bytes.suffix(Self.checkByteCount)), try Self.check(of: seed)) else {
            throw SecurityError(
                .malformed,
                "This is not a valid recovery code: one word is wrong, or two words are swapped.")
        }
    }

    private static func numbers(in text: some StringProtocol) throws(SecurityError) -> [Int] {
        let numbers: [Int]
        do throws(Words.UnknownWord) {
            numbers = try Words.numbers(in: text)
        } catch {
            throw SecurityError(.malformed, "\(error)")
        }
        guard numbers.count == wordCount else {
            throw SecurityError(
                .malformed, "A recovery code has \(wordCount) words; these are \(numbers.count).")
        }
        return numbers
    }

    /// Compares a typed code with this one; the error names the first wrong word.
    package func compare(with text: some StringProtocol) throws(SecurityError) {
        let (typed, right) = (try Self.numbers(in: text), try numbers())
        guard let index = right.indices.first(where: { right[$0] != typed[$0] }) else { return }
        throw SecurityError(.malformed, "Word \(index + 1) is wrong.")
    }

    /// Returns the words, separated by spaces, as they are shown to the person once.
    package func text() throws(SecurityError) -> String {
        try numbers().map { Words.all[$0] }.joined(separator: " ")
    }

    /// Returns the numbers of the words.
    private func numbers() throws(SecurityError) -> [Int] {
        var bytes = seed.copy()
        defer { wipe(&bytes) }
        bytes += try Self.check(of: seed)
        return Words.numbers(of: bytes)
    }

    /// Derives the root's private key, which is stored nowhere.
    package func rootKey() throws(SecurityError) -> PrivateKey {
        let seed = try Cryptography.derive(from: seed, salt: "baton", purpose: "root key 1")
        return try PrivateKey(ed25519Seed: seed)
    }

    private static func check(of seed: SecretBytes) throws(SecurityError) -> [UInt8] {
        let check = try Cryptography.derive(from: seed, salt: "baton", purpose: "recovery code check 1")
        return Array(check.copy().prefix(checkByteCount))
    }
}
