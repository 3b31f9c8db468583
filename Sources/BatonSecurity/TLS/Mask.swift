import COpenSSL

/// A certificate that says nothing of who shows it, with its key.
///
/// Who wants to join knows no hint, and anyone can say that they do while somebody is invited. So they are shown this in
/// place of the device's certificate: who the inviter is, pairing proves.
@safe struct Mask: Sendable {
    private let certificate: Certificate
    private let key: PrivateKey

    init() throws(SecurityError) {
        key = try PrivateKey.generate()
        certificate = try CertificateTemplate(
            kind: .device, commonName: "inviter", names: [], publicKey: key.publicKey, notBefore: 0,
            notAfter: Validity.forever
        ).signed(by: key)
    }

    /// Has a server's session show this, and nothing else.
    @unsafe func wear(by session: OpaquePointer) throws(SecurityError) {
        try OpenSSL.succeed("use a certificate") {
            unsafe certificate.withHandle { certificate in
                unsafe key.withHandle { unsafe SSL_use_cert_and_key(session, certificate, $0, nil, 1) }
            }
        }
    }
}
