import BatonCore

/// The sixteen words on paper from which the account's root key is derived.
///
/// The words encode 128 random bits and 16 check bits. The check bits are a hash of the random bits, and reveal a wrong
/// word or two swapped words.
package struct RecoveryCode: Sendable {
    /// The random bits.
    private let seed: SecretBytes

    /// The number of words.
    package static let wordCount = 16
    /// The number of random bytes.
    private static let seedByteCount = 16
    /// The number of check bytes; random bytes and check bytes together fill the sixteen words exactly.
    private static let checkByteCount = 2

    /// Makes a new code for a new account.
    package static func random() throws(SecurityError) -> RecoveryCode {
        RecoveryCode(seed: try .random(count: seedByteCount))
    }

    private init(seed: SecretBytes) { self.seed = seed }

    /// Reads a code that a person has typed; the error tells the person what is wrong with the code.
    ///
    /// Case, digits and separators are ignored. The first four letters of a word are enough.
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

    /// Compares a typed code with this code; the error names the first word that is wrong.
    package func compare(with text: some StringProtocol) throws(SecurityError) {
        let (typed, right) = (try Self.numbers(in: text), try numbers())
        guard let index = right.indices.first(where: { right[$0] != typed[$0] }) else { return }
        throw SecurityError(.malformed, "Word \(index + 1) is wrong.")
    }

    /// Returns the words, separated by spaces, in the form in which they are shown to the person once.
    package func text() throws(SecurityError) -> String {
        try numbers().map { Words.all[$0] }.joined(separator: " ")
    }

    /// Returns the indexes of the words in the word list.
    private func numbers() throws(SecurityError) -> [Int] {
        var bytes = seed.copy()
        defer { wipe(&bytes) }
        bytes += try Self.check(of: seed)
        return Words.numbers(of: bytes)
    }

    /// Derives the private key of the root, which is not stored anywhere.
    package func rootKey() throws(SecurityError) -> PrivateKey {
        let seed = try Cryptography.derive(from: seed, salt: "baton", purpose: "root key 1")
        return try PrivateKey(ed25519Seed: seed)
    }

    /// Derives the first content key of the account, so that the code also opens what the account has sealed.
    package func contentKey() throws(SecurityError) -> ContentKey {
        try ContentKey(secret: Cryptography.derive(from: seed, salt: "baton", purpose: "content key 1"))
    }

    /// Returns the content key if it is the one that a passphrase has locked; throws `.wrongPassphrase` if not.
    package func contentKey(locked: LockedContentKey) throws(SecurityError) -> ContentKey {
        let key = try contentKey()
        guard key.identifier == locked.identifier else {
            throw SecurityError(.wrongPassphrase, "These words are the recovery code of another account.")
        }
        return key
    }

    private static func check(of seed: SecretBytes) throws(SecurityError) -> [UInt8] {
        let check = try Cryptography.derive(from: seed, salt: "baton", purpose: "recovery code check 1")
        return Array(check.copy().prefix(checkByteCount))
    }
}
