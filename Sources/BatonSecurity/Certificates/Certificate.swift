import COpenSSL

/// An X.509 certificate; what it says has not been believed by anyone yet.
@safe package final class Certificate: @unchecked Sendable, Hashable {
    // Sendable, because all that we read is read in `init`, and OpenSSL guards what it caches inside an X509.

    /// The certificate; one reference is ours.
    private let handle: OpaquePointer

    /// The certificate in DER.
    package let der: [UInt8]
    /// The key that it is about.
    package let publicKey: PublicKey
    /// The common name of its subject: on a device's certificate, the name that a person gave the device.
    package let commonName: String
    /// The URIs among its subject's alternative names, as they stand.
    package let uris: [String]
    /// Seconds since 1970 from which it holds.
    package let notBefore: Int64
    /// Seconds since 1970 until which it holds.
    package let notAfter: Int64
    /// Whether it may sign certificates.
    package let isAuthority: Bool
    /// Whether it says that its key may sign handshakes, as a client's and as a server's.
    let isForSessions: Bool

    /// Takes over a reference, and reads all that is ever asked.
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

    /// Shares a certificate that someone else owns.
    convenience init(retaining handle: OpaquePointer) throws(SecurityError) {
        unsafe X509_up_ref(handle)
        try unsafe self.init(owning: handle)
    }

    /// Reads a certificate in DER; every byte must belong to it.
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

    /// Reads the certificates in a PEM file, in their order; there must be as many as are expected.
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
            throw SecurityError(.malformed, "The file does not hold exactly \(count) certificate(s).")
        }
        return certificates
    }

    /// Reads the one certificate in a PEM file.
    package convenience init(pem: [UInt8]) throws(SecurityError) {
        self.init(sharing: try Certificate.read(pem: pem, count: 1)[0])
    }

    /// Another object for the same certificate.
    private init(sharing other: Certificate) {
        unsafe X509_up_ref(other.handle)
        unsafe handle = other.handle
        (der, publicKey) = (other.der, other.publicKey)
        (commonName, uris) = (other.commonName, other.uris)
        (notBefore, notAfter) = (other.notBefore, other.notAfter)
        (isAuthority, isForSessions) = (other.isAuthority, other.isForSessions)
    }

    /// The certificate in PEM.
    package func pem() throws(SecurityError) -> [UInt8] {
        let stream = try MemoryStream()
        try OpenSSL.succeed("write a certificate") {
            unsafe stream.withHandle { unsafe PEM_write_bio_X509($0, handle) }
        }
        return stream.bytes()
    }

    /// Whether it begins before it ends, and holds no longer than so many seconds.
    func lasts(atMost limit: Int64) -> Bool { notBefore <= notAfter && notAfter - notBefore <= limit }

    /// Whether this certificate is about that key.
    package func checkPrivateKey(_ key: PrivateKey) -> Bool { key.publicKey == publicKey }

    /// Lends the X509 for the length of the closure.
    @unsafe func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(handle)
    }

    /// Equal if the DER forms are.
    package static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }

    /// Hashes what `==` compares.
    package func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
