import COpenSSL

/// A private key for signing: P-256 for devices and owners, and Ed25519 for a root.
package final class PrivateKey: Sendable {
    /// The public key that belongs to this key.
    package let publicKey: PublicKey
    /// The OpenSSL object, whose memory OpenSSL wipes when it frees the key.
    private let handle: KeyHandle

    /// Takes ownership of a reference to an OpenSSL object with a private key.
    private init(owning handle: OpaquePointer) throws(SecurityError) {
        self.handle = try unsafe KeyHandle(owning: handle)
        publicKey = try self.handle.publicKey()
    }

    /// Generates a P-256 key.
    package static func generate() throws(SecurityError) -> PrivateKey {
        let handle = unsafe try OpenSSL.make("generate a P-256 key") { unsafe COpenSSL_EVP_EC_gen("P-256") }
        return try unsafe PrivateKey(owning: handle)
    }

    /// Makes the Ed25519 key that a 32-byte seed defines (RFC 8032).
    package convenience init(ed25519Seed seed: SecretBytes) throws(SecurityError) {
        let handle = try unsafe OpenSSL.make("create an Ed25519 key", as: .malformed) {
            unsafe seed.withBytes { seed in
                let start = unsafe seed.bindMemory(to: UInt8.self).baseAddress
                return unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, start, seed.count)
            }
        }
        try unsafe self.init(owning: handle)
    }

    /// Reads an unencrypted key in PEM.
    package convenience init(pem: SecretBytes) throws(SecurityError) {
        let stream = try unsafe pem.withBytes { (bytes) throws(SecurityError) -> MemoryStream in
            unsafe try MemoryStream.reading(bytes)
        }
        let handle = try unsafe OpenSSL.make("read a private key", as: .malformed) {
            unsafe stream.withHandle { unsafe PEM_read_bio_PrivateKey($0, nil, refusePassphrase, nil) }
        }
        try unsafe self.init(owning: handle)
    }

    /// Returns the key in PEM, as unencrypted PKCS #8.
    package func pem() throws(SecurityError) -> SecretBytes {
        let stream = try MemoryStream()
        try OpenSSL.succeed("write a private key") {
            unsafe stream.withHandle { stream in
                unsafe withHandle { unsafe PEM_write_bio_PKCS8PrivateKey(stream, $0, nil, nil, 0, nil, nil) }
            }
        }
        return try stream.secretBytes()
    }

    /// Signs a message, with ECDSA and SHA-256 or with Ed25519.
    package func sign(_ message: [UInt8]) throws(SecurityError) -> [UInt8] {
        let context = unsafe try OpenSSL.make("sign a message") { unsafe EVP_MD_CTX_new() }
        defer { unsafe EVP_MD_CTX_free(context) }

        try OpenSSL.succeed("sign a message") {
            unsafe withHandle { unsafe EVP_DigestSignInit(context, nil, signatureDigest, nil, $0) }
        }
        var signature = [UInt8](repeating: 0, count: 128)
        var count = signature.count
        try OpenSSL.succeed("sign a message") {
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count)
        }
        return Array(signature.prefix(count))
    }

    /// The hash function that OpenSSL must use to sign with this key; nil for Ed25519.
    @unsafe var signatureDigest: OpaquePointer? { unsafe handle.isEd25519 ? nil : EVP_sha256() }

    /// Calls the closure with the OpenSSL object.
    @unsafe func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try handle.withHandle(body)
    }
}
