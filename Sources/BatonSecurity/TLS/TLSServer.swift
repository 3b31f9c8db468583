import COpenSSL

/// The accounts that are served at a port; a client selects one of them by its hint.
///
/// Before the server knows a client's account, it sends nothing. So a scanner can't even find out that the server
/// speaks TLS.
@safe package final class TLSServer: Sendable {
    /// The context in which every session begins; it has no certificate.
    let listener: TLSContext
    /// The certificate that joiners see; they could not verify the device's certificate anyway.
    let anonymousCertificate: AnonymousCertificate
    private let contexts: [TLSContext]
    private let usedHints: UsedHints

    /// Makes a server for the accounts of these contexts, which must be contexts of devices.
    ///
    /// If a server replaces another one, it must take over the used hints of that server.
    package init(
        _ contexts: [TLSContext], usedHints: UsedHints = UsedHints()
    ) throws(SecurityError) {
        (listener, anonymousCertificate) = (try TLSContext.listener(), try AnonymousCertificate())
        precondition(contexts.allSatisfy { $0.device != nil }, "only a device serves an account")
        (self.contexts, self.usedHints) = (contexts, usedHints)
    }

    /// Returns the account to which a hint belongs, and marks the hint as used.
    ///
    /// The result is nil if there is no such account, or if the hint was used before.
    func context(usingHint hint: AccountHint, at time: Int64) throws(SecurityError) -> TLSContext? {
        for context in contexts {
            guard let rules = context.rules,
                let reading = try rules.hintKey.read(hint, for: rules.device, at: time)
            else { continue }
            return usedHints.use(reading, at: time) ? context : nil
        }
        return nil
    }

    /// The account with an open invitation; a joiner has no hint, so its connection goes to this account.
    var invitingContext: TLSContext? { contexts.first { $0.rules?.invitationIsOpen() ?? false } }
}

/// A certificate that does not identify the device, and the key for that certificate.
///
/// A joiner has no hint, and while an invitation is open, anyone can pretend to be a joiner. So joiners get this
/// certificate instead of the device's certificate. The pairing proves who the inviter is.
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

    /// Makes a server's session present this certificate, and no other certificate.
    @unsafe func present(in session: OpaquePointer) throws(SecurityError) {
        try OpenSSL.succeed("use a certificate") {
            unsafe certificate.withHandle { certificate in
                unsafe key.withHandle { unsafe SSL_use_cert_and_key(session, certificate, $0, nil, 1) }
            }
        }
    }
}
