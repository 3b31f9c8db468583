package import BatonCore
import COpenSSL

/// An SSL_CTX: who we are in TLS sessions, and whom we trust there.
///
/// One serves any number of sessions.
@safe package final class TLSContext: @unchecked Sendable {
    // Sendable, because it is only changed in `init`, and OpenSSL counts and locks what sessions share.

    /// What the sessions of a context are for.
    enum Purpose: Sendable {
        /// A device: speaks with devices of its account, and as a server with joiners while it invites.
        case device(DeviceRules)
        /// A joiner: speaks with an inviter.
        case joiner
        /// A server that does not know yet which account a client means.
        case listener
    }

    /// What a device goes by.
    struct DeviceRules: Sendable {
        let account: AccountIdentifier
        let hintKey: HintKey
        let ticketKeys = TicketKeys()
        /// Whether somebody may knock to join.
        let invitationIsOpen: @Sendable () -> Bool
        /// Whether a session may go on from one before with a device; others show their certificates once more.
        let resumes: @Sendable (DeviceIdentifier) -> Bool
    }

    /// What the sessions are for.
    let purpose: Purpose
    /// The SSL_CTX; owned.
    private let handle: OpaquePointer

    /// For a device of an account, as a client and as a server.
    ///
    /// `invitationIsOpen` is asked in the handshake of each client that wants to join. `resumes` says whose tickets are
    /// worth anything: whoever knows reasons against a device wants to see its chain, which may be an admission that is
    /// news. Both are asked on the session's thread. Whether the device belongs to the account is asked of who is told
    /// the peer.
    package static func device(
        _ credentials: Credentials, invitationIsOpen: @escaping @Sendable () -> Bool = { false },
        resumes: @escaping @Sendable (DeviceIdentifier) -> Bool = { _ in true }
    ) throws(SecurityError) -> TLSContext {
        let rules = DeviceRules(
            account: credentials.account, hintKey: try HintKey(root: credentials.root.publicKey),
            invitationIsOpen: invitationIsOpen, resumes: resumes)
        let context = try TLSContext(.device(rules))
        try context.present(credentials.certificate, owner: credentials.owner, key: credentials.deviceKey)
        try context.trust(credentials.root)
        try context.bindSessions(to: credentials.account)
        return context
    }

    /// For a joiner, as a client: it shows a certificate that is good for nothing but to prove that it has the key.
    package static func joiner(key: PrivateKey, now: Int64) throws(SecurityError) -> TLSContext {
        let certificate = try CertificateTemplate(
            kind: .device, commonName: "joiner", uris: [], publicKey: key.publicKey,
            notBefore: now - Validity.backdating, notAfter: now + Validity.backdating
        ).signed(by: key)
        let context = try TLSContext(.joiner)
        try context.present(certificate, owner: nil, key: key)
        return context
    }

    /// For a server that has several accounts, until it knows which one a client means; it shows nothing.
    static func listener() throws(SecurityError) -> TLSContext { try TLSContext(.listener) }

    private init(_ purpose: Purpose) throws(SecurityError) {
        self.purpose = purpose
        unsafe handle = try OpenSSL.make("make a TLS context") { unsafe SSL_CTX_new(TLS_method()) }
        try setProtocol()
        try unsafe TLSHandshake.installCallbacks(in: handle)
    }

    deinit { unsafe SSL_CTX_free(handle) }

    /// The protocols that a client of this context offers; a server may select others.
    var offeredProtocols: [ApplicationProtocol] {
        switch purpose {
        case .device: [.baton]
        case .joiner: [.pairing]
        case .listener: []
        }
    }

    /// What the device goes by, if this is one's.
    var rules: DeviceRules? {
        if case .device(let rules) = purpose { rules } else { nil }
    }

    /// The groups in which keys are exchanged: the two that cost least.
    ///
    /// OpenSSL's own list has groups over finite fields, of which one handshake keeps a thread busy for 150 ms, and in
    /// later releases hybrid ones. The peer chooses among what is listed here, before anybody knows who it is.
    private static let groups = "X25519:P-256"

    /// TLS 1.3 and nothing older, with the two kinds of keys that exist here, and a certificate from both sides.
    private func setProtocol() throws(SecurityError) {
        try OpenSSL.succeed("demand TLS 1.3") {
            unsafe COpenSSL_SSL_CTX_set_min_proto_version(handle, TLS1_3_VERSION)
        }
        try OpenSSL.succeed("demand TLS 1.3") {
            unsafe COpenSSL_SSL_CTX_set_max_proto_version(handle, TLS1_3_VERSION)
        }
        try OpenSSL.succeed("choose signatures") {
            unsafe COpenSSL_SSL_CTX_set1_sigalgs_list(handle, "ECDSA+SHA256:ed25519")
        }
        try OpenSSL.succeed("choose groups") {
            unsafe COpenSSL_SSL_CTX_set1_groups_list(handle, Self.groups)
        }
        if !offeredProtocols.isEmpty {
            let offer = ApplicationProtocol.offer(offeredProtocols)
            // Unlike its neighbours, this one answers zero for success.
            try OpenSSL.succeed("offer a protocol") {
                unsafe SSL_CTX_set_alpn_protos(handle, offer, CUnsignedInt(offer.count)) == 0 ? 1 : 0
            }
        }
        unsafe SSL_CTX_set_options(
            handle, COpenSSL_SSL_OP_NO_COMPRESSION() | COpenSSL_SSL_OP_NO_RENEGOTIATION())
        unsafe COpenSSL_SSL_CTX_set_mode(
            handle, CLong(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN))
        unsafe COpenSSL_SSL_CTX_set_max_cert_list(handle, Self.certificateByteLimit)
        unsafe SSL_CTX_set_verify(handle, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        unsafe ChainRules.apply(to: SSL_CTX_get0_param(handle), time: nil)
        try setResumption()
    }

    /// The most bytes of certificates that a peer may show.
    ///
    /// A chain of ours has some 1,500.
    private static let certificateByteLimit = 16 * 1024

    /// The one place that decides about resumption: a server gives tickets that it need not remember, a session asks
    /// for them only where devices speak, and nothing is ever sent before the handshake ends.
    private func setResumption() throws(SecurityError) {
        unsafe COpenSSL_SSL_CTX_set_session_cache_mode(
            handle, CLong(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL))
        try OpenSSL.succeed("do without tickets") { unsafe SSL_CTX_set_num_tickets(handle, 0) }
        try OpenSSL.succeed("do without early data") { unsafe SSL_CTX_set_max_early_data(handle, 0) }
        _ = unsafe SSL_CTX_set_timeout(handle, CLong(VerifiedPeer.proofLifetime))
    }

    /// Makes what could ever be resumed good for this account only.
    private func bindSessions(to account: AccountIdentifier) throws(SecurityError) {
        let bytes = account.bytes
        try OpenSSL.succeed("bind sessions to an account") {
            unsafe SSL_CTX_set_session_id_context(handle, bytes, CUnsignedInt(bytes.count))
        }
    }

    /// Shows this certificate to peers, with that of its owner; the root they have.
    private func present(
        _ certificate: Certificate, owner: Certificate?, key: PrivateKey
    ) throws(SecurityError) {
        try OpenSSL.succeed("use a certificate") {
            unsafe certificate.withHandle { unsafe SSL_CTX_use_certificate(handle, $0) }
        }
        if let owner {
            try OpenSSL.succeed("use an owner's certificate") {
                unsafe owner.withHandle { unsafe COpenSSL_SSL_CTX_add1_chain_cert(handle, $0) }
            }
        }
        try OpenSSL.succeed("use a key") {
            unsafe key.withHandle { unsafe SSL_CTX_use_PrivateKey(handle, $0) }
        }
        try OpenSSL.succeed("use a key") { unsafe SSL_CTX_check_private_key(handle) }
    }

    /// Trusts this root and no other; the system's roots are never loaded.
    private func trust(_ root: Certificate) throws(SecurityError) {
        try OpenSSL.succeed("trust a root") {
            unsafe root.withHandle { unsafe X509_STORE_add_cert(SSL_CTX_get_cert_store(handle), $0) }
        }
    }

    /// Makes an SSL that began at an entrance one of this context.
    @unsafe func adopt(_ session: OpaquePointer?) -> Bool {
        unsafe SSL_set_SSL_CTX(session, handle) == handle
    }

    /// A new SSL of this context, which the caller owns.
    @unsafe func makeHandle() throws(SecurityError) -> OpaquePointer {
        try unsafe OpenSSL.make("make a TLS session") { unsafe SSL_new(handle) }
    }
}

/// What is spoken inside a TLS session; agreed in its handshake (ALPN, RFC 7301), or there is no session.
package enum ApplicationProtocol: String, CaseIterable, Sendable {
    /// Between devices of one account.
    case baton = "baton/1"
    /// Between a device and one that wants to join; nothing but pairing messages.
    case pairing = "baton-pair/1"

    /// The protocols as a client offers them: each name after its length.
    static func offer(_ protocols: [ApplicationProtocol]) -> [UInt8] {
        protocols.flatMap { [UInt8($0.rawValue.utf8.count)] + Array($0.rawValue.utf8) }
    }
}
