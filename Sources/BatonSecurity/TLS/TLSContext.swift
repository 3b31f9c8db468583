package import BatonCore
import COpenSSL

/// An `SSL_CTX`: the certificate that this side presents in TLS sessions, and the root that it trusts.
///
/// One context is used for any number of sessions.
@safe package final class TLSContext: @unchecked Sendable {
    // Sendable, because the context changes only in `init`, and OpenSSL protects everything that its sessions share.

    /// The purpose of the sessions of a context.
    enum Purpose: Sendable {
        /// A device, which talks to devices of its account; as a server, while it invites, also to joiners.
        case device(DeviceRules)
        /// A joiner, which talks to an inviter.
        case joiner
        /// A server that does not know yet for which account a client's connection is.
        case listener
    }

    /// A device's account, and the closures with which its node decides during a handshake.
    struct DeviceRules: Sendable {
        let account: AccountIdentifier
        /// The device whose context this is.
        let device: DeviceIdentifier
        let hintKey: HintKey
        let ticketKeys = TicketKeys()
        /// Whether an invitation is open.
        let invitationIsOpen: @Sendable () -> Bool
        /// Whether a device may resume its sessions; if not, the device must present its certificates again.
        let resumes: @Sendable (DeviceIdentifier) -> Bool
    }

    /// The purpose of the context's sessions.
    let purpose: Purpose
    /// The `SSL_CTX`, which this object owns.
    private let handle: OpaquePointer

    /// Makes the context of a device, which can be a client and a server.
    ///
    /// `invitationIsOpen` is called in the handshake of each client that wants to join. `resumes` decides whose tickets
    /// are accepted. If a node has a reason to reject a device, it wants to see the certificate chain of the device.
    /// The chain may be an admission that the node does not have yet. Both closures are called on the session's thread.
    /// Neither closure checks the roster; the session's owner does that when it learns who the peer is.
    package static func device(
        _ credentials: Credentials, invitationIsOpen: @escaping @Sendable () -> Bool = { false },
        resumes: @escaping @Sendable (DeviceIdentifier) -> Bool = { _ in true }
    ) throws(SecurityError) -> TLSContext {
        let rules = DeviceRules(
            account: credentials.account, device: credentials.device,
            hintKey: try HintKey(root: credentials.root.publicKey), invitationIsOpen: invitationIsOpen,
            resumes: resumes)
        let context = try TLSContext(.device(rules))
        try context.present(credentials.certificate, owner: credentials.owner, key: credentials.deviceKey)
        try context.trust(credentials.root)
        try context.bindSessions(to: credentials.account)
        return context
    }

    /// Makes the context of a joiner, which is a client; its certificate only proves that the joiner has the key.
    package static func joiner(key: PrivateKey, now: Int64) throws(SecurityError) -> TLSContext {
        let certificate = try CertificateTemplate(
            kind: .device, commonName: "joiner", uris: [], publicKey: key.publicKey,
            notBefore: now - Validity.backdating, notAfter: now + Validity.backdating
        ).signed(by: key)
        let context = try TLSContext(.joiner)
        try context.present(certificate, owner: nil, key: key)
        return context
    }

    /// Makes the context of a server that does not know yet for which account a client's connection is.
    ///
    /// This context has no certificate.
    static func listener() throws(SecurityError) -> TLSContext { try TLSContext(.listener) }

    private init(_ purpose: Purpose) throws(SecurityError) {
        self.purpose = purpose
        unsafe handle = try OpenSSL.make("create a TLS context") { unsafe SSL_CTX_new(TLS_method()) }
        try setProtocol()
        try unsafe TLSHandshake.installCallbacks(in: handle)
    }

    deinit { unsafe SSL_CTX_free(handle) }

    /// The protocols that a client with this context offers; a server may select other protocols.
    var offeredProtocols: [ApplicationProtocol] {
        switch purpose {
        case .device: [.baton]
        case .joiner: [.pairing]
        case .listener: []
        }
    }

    /// The rules of the device; nil if this is not the context of a device.
    var rules: DeviceRules? {
        if case .device(let rules) = purpose { rules } else { nil }
    }

    /// The device whose context this is; nil if this is not the context of a device.
    package var device: DeviceIdentifier? { rules?.device }

    /// The groups for the key exchange: the two that need the least computing time.
    ///
    /// OpenSSL's default list also has finite-field groups. One handshake with such a group takes 150 ms of a thread's
    /// time. Later releases also have hybrid groups. The peer chooses from the list before it is authenticated.
    private static let groups = "X25519:P-256"

    /// Requires TLS 1.3, the two signature algorithms of the protocol, and certificates from both sides.
    private func setProtocol() throws(SecurityError) {
        try OpenSSL.succeed("require TLS 1.3") {
            unsafe COpenSSL_SSL_CTX_set_min_proto_version(handle, TLS1_3_VERSION)
        }
        try OpenSSL.succeed("require TLS 1.3") {
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
            // Unlike the other functions here, this function returns zero if it succeeds.
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

    /// The largest size of all certificates that a peer may send, in bytes.
    ///
    /// A valid chain has about 1,500 bytes.
    private static let certificateByteLimit = 16 * 1024

    /// Configures the resumption of sessions.
    ///
    /// A server issues tickets only in sessions between devices, and stores no sessions. No data is sent before the
    /// handshake ends.
    private func setResumption() throws(SecurityError) {
        unsafe COpenSSL_SSL_CTX_set_session_cache_mode(
            handle, CLong(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL))
        try OpenSSL.succeed("turn off tickets") { unsafe SSL_CTX_set_num_tickets(handle, 0) }
        try OpenSSL.succeed("turn off early data") { unsafe SSL_CTX_set_max_early_data(handle, 0) }
        _ = unsafe SSL_CTX_set_timeout(handle, CLong(VerifiedPeer.proofLifetime))
    }

    /// Binds sessions to this account, so that a session of another account is never resumed.
    private func bindSessions(to account: AccountIdentifier) throws(SecurityError) {
        let bytes = account.bytes
        try OpenSSL.succeed("bind sessions to an account") {
            unsafe SSL_CTX_set_session_id_context(handle, bytes, CUnsignedInt(bytes.count))
        }
    }

    /// Presents this certificate and that of its owner to peers; the root's is not sent, because peers have it.
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

    /// Trusts this root and no other root; the system's roots are never loaded.
    private func trust(_ root: Certificate) throws(SecurityError) {
        try OpenSSL.succeed("trust a root") {
            unsafe root.withHandle { unsafe X509_STORE_add_cert(SSL_CTX_get_cert_store(handle), $0) }
        }
    }

    /// Moves an SSL object that began in the listener's context to this context.
    @unsafe func adopt(_ session: OpaquePointer?) -> Bool {
        unsafe SSL_set_SSL_CTX(session, handle) == handle
    }

    /// Makes an SSL object with this context; the caller owns the object.
    @unsafe func makeHandle() throws(SecurityError) -> OpaquePointer {
        try unsafe OpenSSL.make("create a TLS session") { unsafe SSL_new(handle) }
    }
}

/// The protocol inside a TLS session, negotiated by ALPN (RFC 7301).
///
/// A session without one of these protocols is refused.
package enum ApplicationProtocol: String, CaseIterable, Sendable {
    /// The protocol between devices of one account.
    case baton = "baton/1"
    /// The protocol between a device and a machine that wants to join; it has only pairing messages.
    case pairing = "baton-pair/1"

    /// Encodes the protocols in the form in which a client offers them: each name follows its length.
    static func offer(_ protocols: [ApplicationProtocol]) -> [UInt8] {
        protocols.flatMap { [UInt8($0.rawValue.utf8.count)] + Array($0.rawValue.utf8) }
    }
}
