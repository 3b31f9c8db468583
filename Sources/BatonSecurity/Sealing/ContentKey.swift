package import BatonCore

/// The secret of an account that seals protected content, so that only devices of the account can read it.
///
/// Every value is encrypted under a key and a nonce of its own. Both are derived from this secret and from a salt, which
/// stands at the beginning of the box. The salt is an authentication code over random bytes, the context and the
/// content. Two different contents have the same salt only if the code of SHA-256 repeats, even if two copies of one
/// machine draw the same random bytes. So a nonce can't be used twice, whether a home was cloned, restored, or frozen
/// with its memory.
package struct ContentKey: Sendable {
    /// The name of the key, which every sealed value bears.
    package let identifier: SealKeyIdentifier
    /// The secret itself, for the file of the identity and for the grant of a pairing.
    package let secret: SecretBytes
    private let sealing: SecretBytes
    private let salting: HMACKey
    private let naming: HMACKey

    /// The number of bytes of the secret.
    package static let byteCount = PairingMessage.contentKeyBytes
    /// The first byte of every box, which says how the rest is encrypted.
    private static let form: UInt8 = 1
    private static let formByteCount = 1
    private static let saltByteCount = Cryptography.digestByteCount
    /// The number of bytes before the encrypted content: the form and the salt.
    private static let headByteCount = formByteCount + saltByteCount
    /// The number of bytes before the content, which have its length.
    private static let lengthByteCount = 4

    /// Makes a key from its secret, which must have `byteCount` bytes.
    package init(secret: SecretBytes) throws(SecurityError) {
        guard secret.count == Self.byteCount else {
            throw SecurityError(.malformed, "A content key has \(Self.byteCount) bytes, not \(secret.count).")
        }
        self.secret = secret
        sealing = try Self.derive(from: secret, "sealing 1")
        salting = HMACKey(try Self.derive(from: secret, "salt 1").copy())
        naming = HMACKey(try Self.derive(from: secret, "name 1").copy())
        identifier = Self.identifier(in: try Self.derive(from: secret, "identifier 1").copy())
    }

    private static func derive(
        from secret: SecretBytes, _ purpose: String, count: Int = Cryptography.digestByteCount
    ) throws(SecurityError) -> SecretBytes {
        try Cryptography.derive(from: secret, salt: "baton/1 content", purpose: purpose, count: count)
    }

    // MARK: Sealing

    /// Encrypts a content; the value can be opened only with the same context.
    ///
    /// The size of the box reveals the size of the content only in steps.
    package func seal(_ content: [UInt8], for context: [UInt8]) throws(SecurityError) -> SealedValue {
        try seal(content, for: context, random: .random(count: Cryptography.digestByteCount))
    }

    /// Encrypts a content with these random bytes, for tests and test vectors.
    package func seal(
        _ content: [UInt8], for context: [UInt8], random: SecretBytes
    ) throws(SecurityError) -> SealedValue {
        let salt = salting.code(of: Self.digest(of: [random.copy(), context, content]))
        var padded = Self.padded(content)
        defer { wipe(&padded) }
        let encrypted = try Cipher(from: sealing, salt: salt, encrypts: true).encrypt(padded, for: context)
        return SealedValue(key: identifier, box: [Self.form] + salt + encrypted)
    }

    /// Decrypts a value; throws if another key has sealed it, or if a byte of the value or of the context has changed.
    package func open(_ value: SealedValue, for context: [UInt8]) throws(SecurityError) -> [UInt8] {
        guard value.key == identifier, value.box.first == Self.form,
            value.box.count > Self.headByteCount
        else { throw SecurityError(.damaged, "The value was sealed with another key.") }
        let salt = Array(value.box[Self.formByteCount..<Self.headByteCount])
        let encrypted = Array(value.box[Self.headByteCount...])
        var padded = try Cipher(from: sealing, salt: salt, encrypts: false)
            .decrypt(encrypted, for: context)
        defer { wipe(&padded) }
        let count = padded.prefix(Self.lengthByteCount).reduce(0) { $0 << 8 | Int($1) }
        guard padded.count >= Self.lengthByteCount, count <= padded.count - Self.lengthByteCount else {
            throw SecurityError(.damaged, "The sealed value has a wrong length.")
        }
        return Array(padded[Self.lengthByteCount..<(Self.lengthByteCount + count)])
    }

    /// Returns a hash that only holders of the key can compute, for a purpose.
    package func name(of bytes: [UInt8], for purpose: String) -> KeyHash {
        Self.identifier(in: naming.code(of: Self.digest(of: [Array(purpose.utf8), bytes])))
    }

    /// Returns the digest of fields, each after its length, so that different fields never hash the same bytes.
    private static func digest(of fields: [[UInt8]]) -> [UInt8] {
        var hash = SHA256()
        for field in fields {
            hash.update(
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: field.count >> $0) })
            hash.update(field)
        }
        return hash.finish()
    }

    /// Returns the key for the pages of databases that have content of the account, for a purpose.
    package func pageKey(for purpose: String) throws(SecurityError) -> PageKey {
        try PageKey(
            secret: Self.derive(from: secret, "pages 1 \(purpose)", count: PageKey.byteCount))
    }

    /// Returns the identifier that the first sixteen bytes are.
    private static func identifier<Name: Identifier>(in bytes: [UInt8]) -> Name {
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return Name(high: number(bytes[..<8]), low: number(bytes[8..<16]))
    }

    // MARK: Padding

    /// Returns the length of a content, the content itself, and zeros up to the next step.
    private static func padded(_ content: [UInt8]) -> [UInt8] {
        precondition(content.count < 1 << (8 * lengthByteCount), "the content is too long for its length")
        let head = (1...lengthByteCount).map { place in
            UInt8(truncatingIfNeeded: content.count >> (8 * (lengthByteCount - place)))
        }
        let count = lengthByteCount + content.count
        return head + content + [UInt8](repeating: 0, count: paddedCount(count) - count)
    }

    /// Returns the padded size of this number of bytes, which is the next multiple of a step.
    ///
    /// The step is 64 bytes, or an eighth of the largest power of two that is smaller than `count`, if that is more.
    package static func paddedCount(_ count: Int) -> Int {
        let power = 1 << (Int.bitWidth - 1 - max(count - 1, 1).leadingZeroBitCount)
        let step = max(64, power / 8)
        return (count + step - 1) / step * step
    }
}
