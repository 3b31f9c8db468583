import BatonCore
import COpenSSL

/// AES-256-GCM with a key and a nonce that encrypt one message only.
///
/// A cipher can be used once, because it begins with the message and ends with its tag.
@safe struct Cipher: ~Copyable {
    private let state: OpaquePointer

    private static let nonceByteCount = 12
    private static let tagByteCount = 16
    private static let purpose = "use a cipher"

    /// Derives the key and the nonce of a message from a secret and the salt of the message; `encrypts` is false for
    /// decryption.
    ///
    /// They are derived by HKDF-SHA256, in the code of this module: OpenSSL needs ten times as long to prepare the
    /// function as to compute it, and an app may seal a hundred thousand items at once.
    init(from secret: SecretBytes, salt: [UInt8], encrypts: Bool) throws(SecurityError) {
        var secret = secret.copy()
        defer { wipe(&secret) }
        var extracted = HMACKey(salt).code(of: secret)
        defer { wipe(&extracted) }
        let derived = HMACKey(extracted)
        var key = Self.expanded(derived, "key")
        defer { wipe(&key) }
        let nonce = Array(Self.expanded(derived, "nonce").prefix(Self.nonceByteCount))
        let state = unsafe try OpenSSL.make(Self.purpose) { unsafe EVP_CIPHER_CTX_new() }
        do {
            try OpenSSL.succeed(Self.purpose) {
                unsafe EVP_CipherInit_ex(
                    state, Self.algorithm ?? EVP_aes_256_gcm(), nil, key, nonce, encrypts ? 1 : 0)
            }
        } catch {
            unsafe EVP_CIPHER_CTX_free(state)
            throw error
        }
        unsafe self.state = state
    }

    /// The algorithm as OpenSSL has found it, so that it is not searched for each message.
    ///
    /// It is nil if OpenSSL does not have it; then the first use reports the error.
    // OpenSSL's object never changes, and is used by any thread.
    nonisolated(unsafe) private static let algorithm = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

    /// Returns the first 32 bytes that HKDF expands from a key for a purpose.
    private static func expanded(_ key: HMACKey, _ purpose: String) -> [UInt8] {
        key.code(of: Array(purpose.utf8) + [1])
    }

    deinit { unsafe EVP_CIPHER_CTX_free(state) }

    /// Returns the encrypted bytes, followed by the tag, which also covers the context.
    consuming func encrypt(_ bytes: [UInt8], for context: [UInt8]) throws(SecurityError) -> [UInt8] {
        let encrypted = try update(bytes, for: context)
        try finish()
        var tag = [UInt8](repeating: 0, count: Self.tagByteCount)
        try OpenSSL.succeed(Self.purpose) {
            unsafe EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_GET_TAG, CInt(Self.tagByteCount), &tag)
        }
        return encrypted + tag
    }

    /// Returns the decrypted bytes; throws if the tag does not fit the bytes and the context.
    consuming func decrypt(_ bytes: [UInt8], for context: [UInt8]) throws(SecurityError) -> [UInt8] {
        guard bytes.count >= Self.tagByteCount else {
            throw SecurityError(.damaged, "The sealed value is too short.")
        }
        var tag = Array(bytes.suffix(Self.tagByteCount))
        try OpenSSL.succeed(Self.purpose) {
            unsafe EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_SET_TAG, CInt(Self.tagByteCount), &tag)
        }
        var decrypted = try update(Array(bytes.dropLast(Self.tagByteCount)), for: context)
        do {
            try finish()
        } catch {
            wipe(&decrypted)
            throw SecurityError(.damaged, "The sealed value was changed, or belongs elsewhere.")
        }
        return decrypted
    }

    /// Encrypts or decrypts the whole message.
    private borrowing func update(_ bytes: [UInt8], for context: [UInt8]) throws(SecurityError) -> [UInt8] {
        var count: CInt = 0
        try OpenSSL.succeed(Self.purpose) {
            unsafe EVP_CipherUpdate(state, nil, &count, context, CInt(context.count))
        }
        var result = [UInt8](repeating: 0, count: bytes.count)
        try OpenSSL.succeed(Self.purpose) {
            unsafe EVP_CipherUpdate(state, &result, &count, bytes, CInt(bytes.count))
        }
        return result
    }

    /// Ends the message, which calculates the tag or compares it; this mode has no bytes left then.
    private borrowing func finish() throws(SecurityError) {
        var (rest, count) = ([UInt8](repeating: 0, count: Self.tagByteCount), CInt(0))
        try OpenSSL.succeed(Self.purpose) { unsafe EVP_CipherFinal_ex(state, &rest, &count) }
    }
}
