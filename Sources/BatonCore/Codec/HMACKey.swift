/// A key for HMAC-SHA256 (RFC 2104), prepared for many messages.
///
/// HMAC hashes a block that follows from the key before each message, and another block before the digest of the message.
/// A prepared key has hashed both blocks already, so the code of a short message takes two blocks less. Unlike a key in
/// `SecretBytes`, the prepared key is not wiped from memory.
package struct HMACKey: Sendable {
    /// The number of bytes of a block of SHA-256.
    private static let blockBytes = 64

    /// The hash that has taken the block for the message.
    private let inner: SHA256
    /// The hash that has taken the block for the digest of the message.
    private let outer: SHA256

    /// Prepares a key; a key that is longer than a block is replaced by its digest, as the standard says.
    package init(_ key: [UInt8]) {
        let short = key.count > Self.blockBytes ? SHA256.digest(key) : key
        let block = short + [UInt8](repeating: 0, count: Self.blockBytes - short.count)
        var (inner, outer) = (SHA256(), SHA256())
        inner.update(block.map { $0 ^ 0x36 })
        outer.update(block.map { $0 ^ 0x5c })
        (self.inner, self.outer) = (inner, outer)
    }

    /// Returns the 32-byte code of a message.
    package func code(of message: [UInt8]) -> [UInt8] {
        var (inner, outer) = (inner, outer)
        inner.update(message)
        outer.update(inner.finish())
        return outer.finish()
    }
}
