import COpenSSL

/// A key that encrypts the pages of a database with AES-256-XTS (IEEE 1619), which changes no lengths.
///
/// The number of a page is a part of its encryption, so equal pages look different. The encryption has no proof that a
/// page is unchanged: a changed byte changes the sixteen bytes around it into random ones when the page is decrypted.
/// The reader of the page must compare a checksum inside of it.
///
/// Several threads may use a key at the same time.
package struct PageKey: Sendable {
    private let secret: SecretBytes

    /// The number of bytes of the secret: one key for the content, and another one for the numbers.
    package static let byteCount = 64
    /// The least number of bytes that can be encrypted together, which is a block of AES.
    private static let leastBytes = 16
    private static let purpose = "use a cipher for pages"
    // OpenSSL counts references to a cipher, and never changes it. Looking it up by its name for each page would take a
    // third of the time of a page.
    nonisolated(unsafe) private static let cipher = unsafe EVP_CIPHER_fetch(nil, "AES-256-XTS", nil)

    /// Makes a key from a secret of `byteCount` bytes, the halves of which must differ.
    package init(secret: SecretBytes) throws(SecurityError) {
        guard secret.count == Self.byteCount else {
            throw SecurityError(
                .malformed, "A key for pages has \(Self.byteCount) bytes, not \(secret.count).")
        }
        let areEqual = unsafe secret.withBytes { bytes in
            guard let start = bytes.baseAddress else { return true }
            return unsafe CRYPTO_memcmp(start, start + Self.byteCount / 2, Self.byteCount / 2) == 0
        }
        guard !areEqual else {
            throw SecurityError(.malformed, "The two halves of a key for pages must differ.")
        }
        _ = unsafe try OpenSSL.make(Self.purpose) { unsafe Self.cipher }
        self.secret = secret
    }

    /// Encrypts at least 16 bytes in place; returns false if OpenSSL fails.
    package func encrypt(_ bytes: UnsafeMutableRawPointer, count: Int, number: UInt64) -> Bool {
        unsafe apply(to: bytes, count, number, encrypts: true)
    }

    /// Decrypts bytes that were encrypted with this number in place; returns false if OpenSSL fails.
    package func decrypt(_ bytes: UnsafeMutableRawPointer, count: Int, number: UInt64) -> Bool {
        unsafe apply(to: bytes, count, number, encrypts: false)
    }

    private func apply(
        to bytes: UnsafeMutableRawPointer, _ count: Int, _ number: UInt64, encrypts: Bool
    ) -> Bool {
        guard count >= Self.leastBytes, let size = CInt(exactly: count) else { return false }
        // A context belongs to one thread. Making one takes a fourth of the time of a page of 4096 bytes.
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return false }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        // The standard encodes the number as sixteen bytes, the lowest first.
        var tweak = (number.littleEndian, UInt64(0))
        let isReady = unsafe secret.withBytes { secret in
            unsafe withUnsafeBytes(of: &tweak) { tweak in
                unsafe EVP_CipherInit_ex2(
                    context, Self.cipher, secret.bindMemory(to: UInt8.self).baseAddress,
                    tweak.bindMemory(to: UInt8.self).baseAddress, encrypts ? 1 : 0, nil)
            }
        }
        let place = unsafe bytes.assumingMemoryBound(to: UInt8.self)
        var done: CInt = 0
        // The whole piece must be passed in one call, which also encrypts a last block that is not complete.
        guard isReady == 1, unsafe EVP_CipherUpdate(context, place, &done, place, size) == 1, done == size
        else {
            // The reasons would otherwise remain in the error queue of the thread.
            _ = OpenSSL.drainReasons()
            return false
        }
        return true
    }
}
