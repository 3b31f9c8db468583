import COpenSSL

/// AES-256-GCM with a key and a nonce that encrypt one message only.
///
/// A cipher can be used once, because it begins with the message and ends with its tag.
@safe struct Cipher: ~Copyable {
    private let state: OpaquePointer

    private static let keyByteCount = 32
    private static let nonceByteCount = 12
    private static let tagByteCount = 16
    private static let purpose = "use a cipher"

    /// Derives the key and the nonce of a message from a secret and the salt of the message; `encrypts` is false for
    /// decryption.
    init(from secret: SecretBytes, salt: [UInt8], encrypts: Bool) throws(SecurityError) {
        let key = try Self.derive(from: secret, salt, "key", count: Self.keyByteCount)
        let nonce = try Self.derive(from: secret, salt, "nonce", count: Self.nonceByteCount)
        let state = unsafe try OpenSSL.make(Self.purpose) { unsafe EVP_CIPHER_CTX_new() }
        do {
            try OpenSSL.succeed(Self.purpose) {
                unsafe key.withBytes { key in
                    unsafe nonce.withBytes { nonce in
                        unsafe EVP_CipherInit_ex(
                            state, EVP_aes_256_gcm(), nil, key.bindMemory(to: UInt8.self).baseAddress,
                            nonce.bindMemory(to: UInt8.self).baseAddress, encrypts ? 1 : 0)
                    }
                }
            }
        } catch {
            unsafe EVP_CIPHER_CTX_free(state)
            throw error
        }
        unsafe self.state = state
    }

    deinit { unsafe EVP_CIPHER_CTX_free(state) }

    private static func derive(
        from secret: SecretBytes, _ salt: [UInt8], _ purpose: String, count: Int
    ) throws(SecurityError) -> SecretBytes {
        try Cryptography.derive(from: secret, salt: salt, purpose: Array(purpose.utf8), count: count)
    }

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
