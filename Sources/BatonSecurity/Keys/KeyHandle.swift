import COpenSSL

/// An EVP_PKEY, public or private; its Swift owners share it.
@safe final class KeyHandle: @unchecked Sendable {
    // Sendable, because OpenSSL counts references atomically, and nothing here changes a key after it is made.

    /// The key; one reference is ours.
    private let handle: OpaquePointer

    /// Takes ownership of a reference; throws unless the key is P-256 or Ed25519.
    init(owning handle: OpaquePointer) throws(SecurityError) {
        unsafe self.handle = handle
        guard isKnownKind else {
            throw SecurityError(.malformed, "The key is neither P-256 nor Ed25519.")
        }
    }

    deinit { unsafe EVP_PKEY_free(handle) }

    /// Whether it is an Ed25519 key, which does its own hashing when it signs.
    var isEd25519: Bool { unsafe EVP_PKEY_is_a(handle, "ED25519") == 1 }

    private var isKnownKind: Bool {
        if isEd25519 { return true }
        var name = [CChar](repeating: 0, count: 32)
        guard unsafe EVP_PKEY_get_group_name(handle, &name, name.count, nil) == 1 else { return false }
        return name.prefix { $0 != 0 }.elementsEqual("prime256v1".utf8.map(CChar.init(bitPattern:)))
    }

    /// Lends the key to the closure.
    @unsafe func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(handle)
    }

    /// Returns the public half.
    func publicKey() throws(SecurityError) -> PublicKey {
        var start: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PUBKEY(handle, &start)
        guard count > 0 else {
            throw SecurityError(
                .openSSL, "OpenSSL could not write a public key in DER.", reasons: OpenSSL.drainReasons())
        }
        defer { unsafe COpenSSL_OPENSSL_free(start) }
        let der = unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
        return try PublicKey(der: der, handle: self)
    }
}
