import COpenSSL

/// An X.509 certificate that was parsed, but not verified.
@safe package final class Certificate: @unchecked Sendable, Hashable {
    // Sendable, because all properties are read in `init`, and OpenSSL protects the values that it caches in an X509.

    /// The OpenSSL object; this object owns one reference to it.
    private let handle: OpaquePointer

    /// The certificate in DER.
    package let der: [UInt8]
    /// The subject's public key.
    package let publicKey: PublicKey
    /// The subject's common name; for a device, the name that a person gave the device.
    package let commonName: String
    /// The URIs among the subject's alternative names, unparsed.
    package let uris: [String]
    /// The start of the certificate's validity, in seconds since 1970.
    package let notBefore: Int64
    /// The end of the certificate's validity, in seconds since 1970.
    package let notAfter: Int64
    /// Whether the certificate's key may sign other certificates.
    package let isAuthority: Bool
    /// Whether the certificate's key may be used in handshakes, both as a client and as a server.
    let isForSessions: Bool

    /// Takes ownership of a reference to an OpenSSL object, and reads all properties of the certificate.
    init(owning handle: OpaquePointer) throws(SecurityError) {
        let reader = unsafe CertificateReader(handle: handle)
        let contents: CertificateReader.Contents
        do {
            contents = try reader.contents()
        } catch {
            unsafe X509_free(handle)
            throw error
        }
        unsafe self.handle = handle
        (der, publicKey) = (contents.der, contents.publicKey)
        (commonName, uris) = (contents.commonName, contents.uris)
        (notBefore, notAfter) = (contents.notBefore, contents.notAfter)
        (isAuthority, isForSessions) = (contents.isAuthority, contents.isForSessions)
    }

    deinit { unsafe X509_free(handle) }

    /// Makes a certificate from an OpenSSL object that somebody else owns, and retains the object.
    convenience init(retaining handle: OpaquePointer) throws(SecurityError) {
        unsafe X509_up_ref(handle)
        try unsafe self.init(owning: handle)
    }

    /// Parses a certificate in DER; no bytes may follow the certificate.
    package convenience init(der: [UInt8]) throws(SecurityError) {
        let handle = try unsafe OpenSSL.make("read a certificate", as: .malformed) {
            unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                var start = bytes.baseAddress
                let handle = unsafe d2i_X509(nil, &start, bytes.count)
                guard unsafe start == bytes.baseAddress?.advanced(by: bytes.count) else {
                    unsafe X509_free(handle)
                    return nil
                }
                return unsafe handle
            }
        }
        try unsafe self.init(owning: handle)
    }

    /// Reads the certificates of a PEM file in their order; throws if there are more or fewer than `count`.
    package static func read(pem: [UInt8], count: Int) throws(SecurityError) -> [Certificate] {
        let stream = try MemoryStream.reading(pem)
        var certificates: [Certificate] = []
        while stream.count > 0, certificates.count < count {
            let handle = try unsafe OpenSSL.make("read a certificate", as: .malformed) {
                unsafe stream.withHandle { unsafe PEM_read_bio_X509($0, nil, refusePassphrase, nil) }
            }
            certificates.append(try unsafe Certificate(owning: handle))
        }
        guard certificates.count == count, stream.count == 0 else {
            throw SecurityError(.malformed, "The file does not contain exactly \(count) certificate(s).")
        }
        return certificates
    }

    /// Reads the certificate of a PEM file, which must contain only one.
    package convenience init(pem: [UInt8]) throws(SecurityError) {
        self.init(sharing: try Certificate.read(pem: pem, count: 1)[0])
    }

    /// Makes another Swift object for the same certificate.
    private init(sharing other: Certificate) {
        unsafe X509_up_ref(other.handle)
        unsafe handle = other.handle
        (der, publicKey) = (other.der, other.publicKey)
        (commonName, uris) = (other.commonName, other.uris)
        (notBefore, notAfter) = (other.notBefore, other.notAfter)
        (isAuthority, isForSessions) = (other.isAuthority, other.isForSessions)
    }

    /// Returns the certificate in PEM.
    package func pem() throws(SecurityError) -> [UInt8] {
        let stream = try MemoryStream()
        try OpenSSL.succeed("write a certificate") {
            unsafe stream.withHandle { unsafe PEM_write_bio_X509($0, handle) }
        }
        return stream.bytes()
    }

    /// Whether the validity has at most `limit` seconds, and does not end before it begins.
    func lasts(atMost limit: Int64) -> Bool { notBefore <= notAfter && notAfter - notBefore <= limit }

    /// Whether the certificate contains the public half of this key.
    package func checkPrivateKey(_ key: PrivateKey) -> Bool { key.publicKey == publicKey }

    /// Calls the closure with the OpenSSL object.
    @unsafe func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(handle)
    }

    /// Compares the DER forms.
    package static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }

    /// Hashes the DER form.
    package func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
