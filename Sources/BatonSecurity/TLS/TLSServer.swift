import COpenSSL

/// The accounts that are served at a port; a client's hint selects one of them.
///
/// Before that the server sends nothing, so that a scanner does not even learn that it speaks TLS.
@safe package final class TLSServer: Sendable {
    /// The context in which every session begins; it has no certificate.
    let listener: TLSContext
    /// The certificate that is presented to joiners, who could not verify the device's own.
    let anonymousCertificate: AnonymousCertificate
    private let contexts: [TLSContext]
    private let hints: HintTable

    /// Serves the accounts of these contexts, each of which must be a device's.
    package init(_ contexts: [TLSContext]) throws(SecurityError) {
        (listener, anonymousCertificate) = (try TLSContext.listener(), try AnonymousCertificate())
        self.contexts = contexts
        var keys: [HintKey] = []
        for context in contexts {
            guard let rules = context.rules else {
                preconditionFailure("only a device serves an account")
            }
            keys.append(rules.hintKey)
        }
        hints = HintTable(keys)
    }

    /// Returns the account that a hint belongs to.
    func context(hintedBy hint: AccountHint, at time: Int64) throws(SecurityError) -> TLSContext? {
        try hints.index(of: hint, at: time).map { contexts[$0] }
    }

    /// The account that has an open invitation; joiners know no hint, so they are assigned to it.
    var invitingContext: TLSContext? { contexts.first { $0.rules?.invitationIsOpen() ?? false } }
}

/// A certificate that does not identify the device, with its key.
///
/// A joiner knows no hint, and while an invitation is open anyone can claim to be one. So joiners get this certificate
/// in place of the device's; pairing proves who the inviter is.
@safe struct AnonymousCertificate: Sendable {
    private let certificate: Certificate
    private let key: PrivateKey

    init() throws(SecurityError) {
        key = try PrivateKey.generate()
        certificate = try CertificateTemplate(
            kind: .device, commonName: "inviter", uris: [], publicKey: key.publicKey, notBefore: 0,
            notAfter: Validity.forever
        ).signed(by: key)
    }

    /// Makes a server's session present this certificate and no other.
    @unsafe func present(in session: OpaquePointer) throws(SecurityError) {
        try OpenSSL.succeed("use a certificate") {
            unsafe certificate.withHandle { certificate in
                unsafe key.withHandle { unsafe SSL_use_cert_and_key(session, certificate, $0, nil, 1) }
            }
        }
    }
}
