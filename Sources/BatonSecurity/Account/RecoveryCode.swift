import BatonCore

/// What the person keeps on paper: 32 random bytes from which the account's root key is made, now and ever again.
///
/// Its text is `Base32` in groups of four, of which the last five characters detect a mistyped code.
package struct RecoveryCode: Sendable {
    /// The secret.
    private let seed: SecretBytes

    /// How many bytes are secret.
    private static let seedByteCount = 32
    /// How many bytes of a hash are there to detect mistakes; with them the text has no bits left over.
    private static let checkByteCount = 3
    /// How many characters stand together in the text.
    private static let groupCount = 4

    /// A new code, for a new account.
    package static func random() throws(SecurityError) -> RecoveryCode {
        RecoveryCode(seed: try .random(count: seedByteCount))
    }

    private init(seed: SecretBytes) { self.seed = seed }

    /// The code that this text spells, or nothing if it was mistyped; case, dashes and spaces don't matter.
    package init?(text: some StringProtocol) throws(SecurityError) {
        let characters = String(text).filter { !$0.isWhitespace && $0 != "-" }
        guard var bytes = Base32.decode(characters),
            bytes.count == Self.seedByteCount + Self.checkByteCount
        else { return nil }
        defer { wipe(&bytes) }

        var secret = Array(bytes.prefix(Self.seedByteCount))
        defer { wipe(&secret) }
        let check = try Self.check(of: secret)
        guard Cryptography.areEqual(Array(bytes.suffix(Self.checkByteCount)), check) else { return nil }
        seed = try SecretBytes(copying: secret)
    }

    /// The code as it is shown to the person, once.
    package func text() throws(SecurityError) -> String {
        var bytes = seed.copy()
        defer { wipe(&bytes) }
        bytes += try Self.check(of: bytes)

        var text = ""
        for (place, character) in Base32.encode(bytes).enumerated() {
            if place > 0, place.isMultiple(of: Self.groupCount) { text.append("-") }
            text.append(character)
        }
        return text
    }

    /// The root's private key.
    ///
    /// It is not kept anywhere: who needs it asks the person for the code.
    package func rootKey() throws(SecurityError) -> PrivateKey {
        let seed = try Cryptography.derive(from: seed, salt: "baton", purpose: "root key 1")
        return try PrivateKey(ed25519Seed: seed)
    }

    private static func check(of seed: [UInt8]) throws(SecurityError) -> [UInt8] {
        let digest = try Cryptography.digest(ofFields: [Array("baton recovery code".utf8), seed])
        return Array(digest.prefix(checkByteCount))
    }
}
