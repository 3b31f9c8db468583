import COpenSSL

/// What answers at a port: the accounts that are served there, of which a client's hint chooses one.
///
/// Until then nothing is said, not even that there is TLS.
@safe package final class TLSServer: Sendable {
    /// Of which every session begins: it has no certificate to show.
    let listener: TLSContext
    /// What is shown to whoever wants to join, who could not judge who shows it.
    let anonymousCertificate: AnonymousCertificate
    private let contexts: [TLSContext]
    private let hints: HintTable

    /// Serves the accounts of these contexts, each that of a device.
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

    /// The account whose hint this is.
    func context(hintedBy hint: AccountHint, at time: Int64) throws(SecurityError) -> TLSContext? {
        try hints.index(of: hint, at: time).map { contexts[$0] }
    }

    /// An account that invites somebody now: who wants to join knows no hint.
    var invitingContext: TLSContext? { contexts.first { $0.rules?.invitationIsOpen() ?? false } }
}

/// A certificate that says nothing of who shows it, with its key.
///
/// Who wants to join knows no hint, and anyone can say that they do while somebody is invited. So they are shown this in
/// place of the device's certificate: who the inviter is, pairing proves.
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

    /// Has a server's session show this, and nothing else.
    @unsafe func present(in session: OpaquePointer) throws(SecurityError) {
        try OpenSSL.succeed("use a certificate") {
            unsafe certificate.withHandle { certificate in
                unsafe key.withHandle { unsafe SSL_use_cert_and_key(session, certificate, $0, nil, 1) }
            }
        }
    }
}
