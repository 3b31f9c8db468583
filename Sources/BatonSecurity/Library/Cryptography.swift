import COpenSSL

/// Hashes, message authentication codes, key derivation and random bytes; the hash function is always SHA-256.
enum Cryptography {
    /// The number of bytes of a SHA-256 digest, and of an HMAC-SHA256.
    static let digestByteCount = 32

    /// Returns the SHA-256 digest of these bytes.
    static func digest(of bytes: [UInt8]) throws(SecurityError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: digestByteCount)
        try OpenSSL.succeed("calculate a hash") {
            unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
        }
        return digest
    }

    /// Returns the SHA-256 digest of a list of fields.
    ///
    /// The length of each field is hashed before the field. So different lists never hash the same bytes.
    static func digest(ofFields fields: [[UInt8]]) throws(SecurityError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(fields.reduce(0) { $0 + 8 + $1.count })
        for field in fields {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: field.count >> shift))
            }
            bytes += field
        }
        return try digest(of: bytes)
    }

    /// Returns the SHA-256 digest of a secret.
    static func digest(of secret: SecretBytes) throws(SecurityError) -> SecretBytes {
        try unsafe SecretBytes(count: digestByteCount) {
            (buffer: UnsafeMutableRawBufferPointer) throws(SecurityError) in
            let start = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
            try OpenSSL.succeed("calculate a hash") {
                unsafe secret.withBytes { secret in
                    unsafe EVP_Digest(secret.baseAddress, secret.count, start, nil, EVP_sha256(), nil)
                }
            }
        }
    }

    /// Returns the HMAC-SHA256 of a secret, with this key.
    static func authenticate(_ secret: SecretBytes, with key: SecretBytes) throws(SecurityError) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: digestByteCount)
        _ = try unsafe key.withBytes { (key) throws(SecurityError) in
            try unsafe secret.withBytes { (secret) throws(SecurityError) in
                unsafe try OpenSSL.make("calculate an HMAC") {
                    let start = unsafe secret.bindMemory(to: UInt8.self).baseAddress
                    return unsafe HMAC(
                        EVP_sha256(), key.baseAddress, CInt(key.count), start, secret.count, &code, nil)
                }
            }
        }
        return code
    }

    /// Derives a key for one purpose from a secret, by HKDF-SHA256 (RFC 5869).
    static func derive(
        from secret: SecretBytes, salt: String, purpose: String, count: Int = digestByteCount
    ) throws(SecurityError) -> SecretBytes {
        try derive(from: secret, salt: Array(salt.utf8), purpose: Array(purpose.utf8), count: count)
    }

    /// Derives a key with a salt and a purpose that are bytes; an empty salt means no salt.
    static func derive(
        from secret: SecretBytes, salt: [UInt8], purpose: [UInt8], count: Int = digestByteCount
    ) throws(SecurityError) -> SecretBytes {
        let context = unsafe try OpenSSL.make("derive a key") {
            unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil)
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }

        try OpenSSL.succeed("derive a key") { unsafe EVP_PKEY_derive_init(context) }
        try OpenSSL.succeed("derive a key") { unsafe EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) }
        try OpenSSL.succeed("derive a key") {
            unsafe EVP_PKEY_CTX_set1_hkdf_salt(context, salt, CInt(salt.count))
        }
        try OpenSSL.succeed("derive a key") {
            unsafe EVP_PKEY_CTX_add1_hkdf_info(context, purpose, CInt(purpose.count))
        }
        try OpenSSL.succeed("derive a key") {
            unsafe secret.withBytes { secret in
                let start = unsafe secret.bindMemory(to: UInt8.self).baseAddress
                return unsafe EVP_PKEY_CTX_set1_hkdf_key(context, start, CInt(secret.count))
            }
        }
        return try unsafe SecretBytes(count: count) {
            (buffer: UnsafeMutableRawBufferPointer) throws(SecurityError) in
            var count = buffer.count
            let start = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
            try OpenSSL.succeed("derive a key") { unsafe EVP_PKEY_derive(context, start, &count) }
        }
    }

    /// Returns random bytes for values that need not be secret.
    static func randomBytes(count: Int) throws(SecurityError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try OpenSSL.succeed("generate random bytes") { unsafe RAND_bytes(&bytes, CInt(count)) }
        return bytes
    }

    /// Compares two arrays in constant time.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        unsafe left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
