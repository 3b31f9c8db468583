import BatonCore

/// What the person keeps on paper: sixteen words, from which the account's root key is made, now and ever again.
///
/// They stand for 128 random bits and 16 of a hash of these, which tell when a word is another one or two were swapped.
package struct RecoveryCode: Sendable {
    /// The secret.
    private let seed: SecretBytes

    /// How many words a code has.
    package static let wordCount = 16
    /// How many bytes are secret.
    private static let seedByteCount = 16
    /// How many bytes of a hash are there to detect mistakes; with them the words have no bits left over.
    private static let checkByteCount = 2

    /// A new code, for a new account.
    package static func random() throws(SecurityError) -> RecoveryCode {
        RecoveryCode(seed: try .random(count: seedByteCount))
    }

    private init(seed: SecretBytes) { self.seed = seed }

    /// The code that these words spell; the error says, for the person, what is wrong with them.
    ///
    /// Case, numbers and what else stands between the words don't matter, and four letters of a word are enough.
    package init(text: some StringProtocol) throws(SecurityError) {
        let numbers = try Self.numbers(in: text)
        var bytes = Words.bytes(of: numbers)
        defer { wipe(&bytes) }
        seed = try SecretBytes(copying: bytes.prefix(Self.seedByteCount))
        guard Cryptography.areEqual(Array(bytes.suffix(Self.checkByteCount)), try Self.check(of: seed)) else {
            throw SecurityError(
                .malformed,
                "These words do not belong together: one of them is another, or two are swapped.")
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

    /// Sees whether a person has this code: throws what is wrong with what was typed, by the place of the first wrong
    /// word.
    package func compare(with text: some StringProtocol) throws(SecurityError) {
        let (typed, right) = (try Self.numbers(in: text), try numbers())
        guard let place = right.indices.first(where: { right[$0] != typed[$0] }) else { return }
        throw SecurityError(.malformed, "Word \(place + 1) is another one.")
    }

    /// The words, with spaces between them, as they are shown to the person, once.
    package func text() throws(SecurityError) -> String {
        try numbers().map { Words.all[$0] }.joined(separator: " ")
    }

    /// The numbers of the words.
    private func numbers() throws(SecurityError) -> [Int] {
        var bytes = seed.copy()
        defer { wipe(&bytes) }
        bytes += try Self.check(of: seed)
        return Words.numbers(of: bytes)
    }

    /// The root's private key.
    ///
    /// It is not kept anywhere: who needs it asks the person for the code.
    package func rootKey() throws(SecurityError) -> PrivateKey {
        let seed = try Cryptography.derive(from: seed, salt: "baton", purpose: "root key 1")
        return try PrivateKey(ed25519Seed: seed)
    }

    private static func check(of seed: SecretBytes) throws(SecurityError) -> [UInt8] {
        let check = try Cryptography.derive(from: seed, salt: "baton", purpose: "recovery code check 1")
        return Array(check.copy().prefix(checkByteCount))
    }
}
