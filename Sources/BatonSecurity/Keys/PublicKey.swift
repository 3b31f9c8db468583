package import BatonCore
import COpenSSL

/// A public key, P-256 or Ed25519, from which the identifiers of devices, owners and accounts are derived.
package struct PublicKey: Hashable, Sendable {
    /// The key as a SubjectPublicKeyInfo in DER.
    package let der: [UInt8]
    /// The SHA-256 digest of `der`.
    package let fingerprint: [UInt8]
    /// The OpenSSL object.
    private let handle: KeyHandle

    /// Makes a public key from an OpenSSL object and the DER form of the same key.
    init(der: [UInt8], handle: KeyHandle) throws(SecurityError) {
        (self.der, self.handle) = (der, handle)
        fingerprint = try Cryptography.digest(of: der)
    }

    /// Reads a SubjectPublicKeyInfo; no bytes may follow it.
    package init(der: [UInt8]) throws(SecurityError) {
        let handle = try unsafe OpenSSL.make("read a public key", as: .malformed) {
            unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                var start = bytes.baseAddress
                let handle = unsafe d2i_PUBKEY(nil, &start, bytes.count)
                guard unsafe start == bytes.baseAddress?.advanced(by: bytes.count) else {
                    unsafe EVP_PKEY_free(handle)
                    return nil
                }
                return unsafe handle
            }
        }
        try self.init(der: der, handle: unsafe KeyHandle(owning: handle))
    }

    /// The identifier of the device that has this key.
    package var device: DeviceIdentifier { identifier() }
    /// The identifier of the account whose root has this key.
    package var account: AccountIdentifier { identifier() }
    /// The identifier of the owner that has this key.
    package var owner: OwnerIdentifier { identifier() }

    /// Returns the identifier: the first sixteen bytes of the fingerprint.
    private func identifier<Name: Identifier>() -> Name {
        guard let name = Name(bytes: fingerprint.prefix(Name.byteCount)) else {
            preconditionFailure("A SHA-256 has more bytes than an identifier.")
        }
        return name
    }

    /// Whether the private key that belongs to this key signed the message.
    package func verifies(_ signature: [UInt8], of message: [UInt8]) throws(SecurityError) -> Bool {
        let context = unsafe try OpenSSL.make("verify a signature") { unsafe EVP_MD_CTX_new() }
        defer { unsafe EVP_MD_CTX_free(context) }

        try OpenSSL.succeed("verify a signature") {
            unsafe handle.withHandle { key in
                unsafe EVP_DigestVerifyInit(context, nil, handle.isEd25519 ? nil : EVP_sha256(), nil, key)
            }
        }
        let answer = unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count)
        ERR_clear_error()
        return answer == 1
    }

    /// Calls the closure with the OpenSSL object.
    @unsafe func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try handle.withHandle(body)
    }

    /// Compares the DER forms.
    package static func == (left: Self, right: Self) -> Bool { left.der == right.der }

    /// Hashes the DER form.
    package func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
