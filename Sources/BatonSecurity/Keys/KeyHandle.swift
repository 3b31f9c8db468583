import COpenSSL

/// An `EVP_PKEY` of OpenSSL, public or private, which several Swift values may share.
@safe final class KeyHandle: @unchecked Sendable {
    // Sendable, because OpenSSL counts references atomically, and no code here changes a key after it is made.

    /// The OpenSSL object; this object owns one reference to it.
    private let handle: OpaquePointer

    /// Takes ownership of a reference; throws if the key is neither P-256 nor Ed25519.
    init(owning handle: OpaquePointer) throws(SecurityError) {
        unsafe self.handle = handle
        guard isKnownKind else {
            throw SecurityError(.malformed, "The key is neither P-256 nor Ed25519.")
        }
    }

    deinit { unsafe EVP_PKEY_free(handle) }

    /// Whether this is an Ed25519 key, which is used without a separate hash function.
    var isEd25519: Bool { unsafe EVP_PKEY_is_a(handle, "ED25519") == 1 }

    private var isKnownKind: Bool {
        if isEd25519 { return true }
        var name = [CChar](repeating: 0, count: 32)
        guard unsafe EVP_PKEY_get_group_name(handle, &name, name.count, nil) == 1 else { return false }
        return name.prefix { $0 != 0 }.elementsEqual("prime256v1".utf8.map(CChar.init(bitPattern:)))
    }

    /// Calls the closure with the OpenSSL object.
    @unsafe func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(handle)
    }

    /// Returns the public key.
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
