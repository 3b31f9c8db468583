import COpenSSL

/// The accounts that are served at a port; a client's hint selects one of them.
///
/// Until it knows which account a client means, the server sends nothing, so that a scanner does not even learn that it
/// speaks TLS.
@safe package final class TLSServer: Sendable {
    /// The context in which every session begins; it has no certificate.
    let listener: TLSContext
    /// The certificate that is presented to joiners, who could not verify the device's own.
    let anonymousCertificate: AnonymousCertificate
    private let contexts: [TLSContext]
    private let usedHints: UsedHints

    /// Serves the accounts of these contexts, each of which must be a device's.
    ///
    /// A server that replaces another one takes over its used hints.
    package init(
        _ contexts: [TLSContext], usedHints: UsedHints = UsedHints()
    ) throws(SecurityError) {
        (listener, anonymousCertificate) = (try TLSContext.listener(), try AnonymousCertificate())
        precondition(contexts.allSatisfy { $0.device != nil }, "only a device serves an account")
        (self.contexts, self.usedHints) = (contexts, usedHints)
    }

    /// Returns the account that a hint belongs to, and marks the hint as used; nil if there is none, or if the hint was
    /// used before.
    func context(usingHint hint: AccountHint, at time: Int64) throws(SecurityError) -> TLSContext? {
        for context in contexts {
            guard let rules = context.rules,
                let reading = try rules.hintKey.read(hint, for: rules.device, at: time)
            else { continue }
            return usedHints.use(reading, at: time) ? context : nil
        }
        return nil
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
