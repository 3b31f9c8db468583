package import BatonCore

/// A content key that is encrypted under a passphrase, as the file `content.locked` has it.
///
/// The bytes are: the version (1), the logarithm of scrypt's N (1 byte), r and p (2 bytes each), the salt (16 bytes), the
/// identifier of the key (16 bytes), the encrypted key with its tag (48 bytes), and a check (16 bytes). All numbers are
/// big-endian. Everything before the encrypted key and the account is associated data of the encryption. The check is
/// the beginning of a hash of everything before it and of the account: it tells a damaged file, and the file of another
/// account, from a wrong passphrase. The check needs no secret, so it reveals nothing.
package struct LockedContentKey: Hashable, Sendable {
    /// The account whose key this is.
    package let account: AccountIdentifier
    /// The identifier of the encrypted key.
    package let identifier: SealKeyIdentifier
    /// The cost of a guess at the passphrase.
    package let cost: PassphraseCost
    /// The random bytes that make equal passphrases differ.
    private let salt: [UInt8]
    /// The encrypted key and its tag.
    private let box: [UInt8]

    private static let version: UInt8 = 1
    private static let saltByteCount = 16
    private static let boxByteCount = ContentKey.byteCount + 16
    private static let headByteCount = 1 + 1 + 2 + 2 + saltByteCount + 16
    private static let checkByteCount = 16
    /// The number of bytes of the file.
    package static let byteCount = headByteCount + boxByteCount + checkByteCount

    /// The largest number of bytes of a passphrase.
    package static let passphraseBytesMost = 1024

    /// Encrypts a key of an account under a passphrase.
    ///
    /// This takes as long as a guess, so call it on a thread that nothing waits for.
    package init(
        _ key: ContentKey, of account: AccountIdentifier, passphrase: SecretBytes,
        cost: PassphraseCost = .present
    ) throws(SecurityError) {
        guard (1...Self.passphraseBytesMost).contains(passphrase.count) else {
            throw SecurityError(
                .malformed, "A passphrase has between 1 and \(Self.passphraseBytesMost) bytes.")
        }
        (self.account, self.cost, identifier) = (account, cost, key.identifier)
        salt = try Cryptography.randomBytes(count: Self.saltByteCount)
        let head = Self.head(cost, salt, identifier)
        var secret = key.secret.copy()
        defer { wipe(&secret) }
        box = try Cipher(from: cost.stretch(passphrase, salt: salt), salt: salt, encrypts: true)
            .encrypt(secret, for: Self.context(head, account))
    }

    /// Reads the file of an account.
    package init(_ bytes: [UInt8], of account: AccountIdentifier) throws(SecurityError) {
        guard bytes.count == Self.byteCount,
            try Self.check(of: Array(bytes.dropLast(Self.checkByteCount)), account)
                == Array(bytes.suffix(Self.checkByteCount))
        else {
            throw SecurityError(.damaged, "The locked content key is damaged, or belongs to another account.")
        }
        guard bytes[0] == Self.version else {
            throw SecurityError(.damaged, "A newer version of Baton has locked the content key.")
        }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.account = account
        cost = PassphraseCost(
            logarithm: bytes[1], blockSize: UInt16(number(bytes[2..<4])), rounds: UInt16(number(bytes[4..<6]))
        )
        guard cost.isAcceptable else {
            throw SecurityError(.damaged, "The locked content key asks for too much memory or time.")
        }
        salt = Array(bytes[6..<22])
        identifier = SealKeyIdentifier(high: number(bytes[22..<30]), low: number(bytes[30..<38]))
        box = Array(bytes[Self.headByteCount..<(Self.headByteCount + Self.boxByteCount)])
    }

    /// Returns the bytes of the file.
    package func encoded() throws(SecurityError) -> [UInt8] {
        let bytes = Self.head(cost, salt, identifier) + box
        return bytes + (try Self.check(of: bytes, account))
    }

    /// Decrypts the key; throws `.wrongPassphrase` if the passphrase is another one.
    ///
    /// This takes long on purpose, so call it on a thread that nothing waits for.
    package func open(with passphrase: SecretBytes) throws(SecurityError) -> ContentKey {
        let stretched = try cost.stretch(passphrase, salt: salt)
        let context = Self.context(Self.head(cost, salt, identifier), account)
        var secret: [UInt8]
        do {
            secret = try Cipher(from: stretched, salt: salt, encrypts: false).decrypt(box, for: context)
        } catch  where error.code == .damaged {
            throw SecurityError(.wrongPassphrase, "This is not the passphrase.")
        }
        defer { wipe(&secret) }
        return try verified(ContentKey(secret: SecretBytes(copying: secret)))
    }

    private func verified(_ key: ContentKey) throws(SecurityError) -> ContentKey {
        guard key.identifier == identifier else {
            throw SecurityError(.damaged, "The locked content key is not the key that it names.")
        }
        return key
    }

    // MARK: Parts

    private static func head(
        _ cost: PassphraseCost, _ salt: [UInt8], _ identifier: SealKeyIdentifier
    ) -> [UInt8] {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            stride(from: number.bitWidth - 8, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: number >> $0)
            }
        }
        return [version, cost.logarithm] + bytes(cost.blockSize) + bytes(cost.rounds) + salt
            + bytes(identifier.high) + bytes(identifier.low)
    }

    private static func context(_ head: [UInt8], _ account: AccountIdentifier) -> [UInt8] {
        head + Array(account.description.utf8)
    }

    private static func check(
        of bytes: [UInt8], _ account: AccountIdentifier
    ) throws(SecurityError) -> [UInt8] {
        Array(
            try Cryptography.digest(ofFields: [bytes, Array(account.description.utf8)]).prefix(checkByteCount)
        )
    }
}
