import BatonCore
import COpenSSL
import Glibc

/// The decisions in the handshake of one session: the account, the protocol, and the identity of the peer.
///
/// OpenSSL calls this object through the functions at the end of this file. On a server in TLS 1.3, the order is:
/// client hello, protocol, this side's certificate, the client's certificate. So the protocol is already known when a
/// certificate is verified.
@safe final class TLSHandshake {
    /// The context of this side; this object keeps it alive, because the callbacks use it.
    ///
    /// On a server, the context changes once, when the client has told its account.
    private(set) var context: TLSContext
    /// On a server, whether the client sent a hint of the account.
    private(set) var isHinted = false
    /// On a server, whether the client shows a ticket for the first time, which proves that the client is a member.
    private(set) var isResuming = false
    /// On a server, decides whether to start the handshake of a client now.
    ///
    /// The closure is called before anything expensive is computed. It is called for a client that sent a hint or that
    /// may join, unless the client shows a fresh ticket. If the closure returns false, the handshake waits for
    /// `proceed()`.
    var mayBegin: (() -> Bool)?
    /// On a server, whether the handshake waits for `proceed()`.
    private(set) var isDeferred = false
    /// The peer, after its certificate was verified or its ticket was decrypted.
    private(set) var verifiedPeer: VerifiedPeer?
    /// The reason why a callback rejected the peer; it is thrown after OpenSSL has returned.
    private(set) var refusal: SecurityError?

    /// The role of this side: client or server.
    private let role: TLSSession.Role
    /// On a server, the accounts that a client can choose from.
    private let server: TLSServer?
    /// On a server, the hint with which the client has selected the account.
    private var usedHint: AccountHint?
    /// On a client, the store for tickets.
    private let tickets: TicketCache?
    /// On a client, the ticket that was offered to the server.
    private var offeredTicket: SessionTicket?
    /// On a server, the result of `chooseProtocol(from:)`.
    private var selectedProtocol: ApplicationProtocol?
    /// The SSL object, which the session owns and which outlives this object.
    private let handle: OpaquePointer
    /// The time at which certificates are verified, in seconds since 1970; nil for the system's time.
    private let time: Int64?

    /// Makes a handshake that has not begun; the SSL object must outlive it.
    init(
        of handle: OpaquePointer, _ context: TLSContext, _ role: TLSSession.Role, _ server: TLSServer?,
        _ tickets: TicketCache?, _ time: Int64?
    ) {
        self.context = context
        self.role = role
        self.server = server
        self.tickets = tickets
        self.time = time
        unsafe self.handle = unsafe handle
    }

    /// Stores a pointer to this object in the SSL object, so that the callbacks find it.
    func attach() throws(SecurityError) {
        if let time { unsafe X509_VERIFY_PARAM_set_time(SSL_get0_param(handle), Int(time)) }
        try OpenSSL.succeed("prepare a TLS session") {
            unsafe SSL_set_ex_data(handle, Self.dataIndex, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// The index of that pointer among the SSL object's data; OpenSSL leaves index zero to applications.
    private static let dataIndex: CInt = 0

    /// Returns the handshake of an SSL object; the handshake still exists, because the session owns both.
    @unsafe fileprivate static func of(_ handle: OpaquePointer?) -> TLSHandshake? {
        guard let pointer = unsafe SSL_get_ex_data(handle, dataIndex) else { return nil }
        return unsafe Unmanaged<TLSHandshake>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// The time at which certificates and hints are verified, in seconds since 1970.
    fileprivate var now: Int64 { time ?? Int64(Glibc.time(nil)) }

    // MARK: A client

    /// On a client: sends the hint of the account and the device, and offers a ticket if one can be used.
    func beginAsClient(
        to device: DeviceIdentifier?, tolerating tolerance: ClockTolerance
    ) throws(SecurityError) {
        guard let rules = context.rules else { return }
        let hint = try rules.hintKey.makeHint(
            for: device, at: now, tolerating: device == nil ? .days : tolerance
        ).description
        try OpenSSL.succeed("set the server name") {
            unsafe COpenSSL_SSL_set_tlsext_host_name(handle, hint)
        }
        try offerTicket(rules)
    }

    /// On a client: offers to resume the last session with the device, if the ticket of that session is still valid.
    private func offerTicket(_ rules: TLSContext.DeviceRules) throws(SecurityError) {
        guard let ticket = tickets?.take(), ticket.peer.identity.account == rules.account,
            (try? ticket.peer.requireValid(at: now)) != nil,
            rules.resumes(ticket.peer.identity.device)
        else { return }
        try OpenSSL.succeed("offer a ticket") {
            unsafe ticket.withHandle { unsafe SSL_set_session(handle, $0) }
        }
        offeredTicket = ticket
    }

    /// On a client: stores a ticket that the server sent; returns false if there is no store.
    @unsafe fileprivate func keep(ticket: OpaquePointer) -> Bool {
        guard let tickets, let verifiedPeer else { return false }
        unsafe tickets.keep(SessionTicket(owning: ticket, peer: verifiedPeer))
        return true
    }

    // MARK: The client hello, on a server

    /// The answer to a client hello.
    fileprivate enum HelloAnswer {
        /// Continue the handshake.
        case proceed
        /// Send nothing, because the handshake is deferred, or because the client is rejected without an answer.
        case silence
        /// Send the alert that the client offered no protocol; OpenSSL itself would accept such a client.
        case noProtocol
    }

    /// On a server: the first step, which finds the client's account and decides how to answer.
    fileprivate func handleHello(_ hello: ClientHello) -> HelloAnswer {
        do throws(SecurityError) {
            try chooseContext(for: hello)
        } catch {
            refusal = error
            return .silence
        }
        guard hello.protocols != nil else {
            refusal = SecurityError(.handshake, "There is no protocol that both sides support.")
            return .noProtocol
        }
        isResuming = isResuming || isFresh(ticket: hello.ticket)
        if isDeferred || !(isResuming || mayBegin?() ?? true) {
            isDeferred = true
            return .silence
        }
        mayBegin = nil
        return .proceed
    }

    /// On a server: lets a deferred handshake continue; returns false if the handshake was not deferred.
    func proceed() -> Bool {
        guard isDeferred else { return false }
        (isDeferred, mayBegin) = (false, nil)
        return true
    }

    /// On a server: switches to the account of the client's hint, or to an account with an open invitation.
    ///
    /// Throws if there is no such account. If a client sends a second hello, it must select the same account by the
    /// same hint. If a handshake was deferred, its hello is handled twice.
    private func chooseContext(for hello: ClientHello) throws(SecurityError) {
        guard let server else { throw SecurityError(.handshake, "A client received a client hello.") }
        var chosen: TLSContext?
        if let hint = hello.serverName {
            chosen = try hint == usedHint ? context : server.context(usingHint: hint, at: now)
            if chosen != nil { usedHint = hint }
        }
        isHinted = chosen != nil
        if chosen == nil, hello.protocols?.contains(ApplicationProtocol.pairing.rawValue) ?? false {
            chosen = server.invitingContext
        }
        guard let chosen, context === server.listener || context === chosen else {
            throw SecurityError(
                .unknownHint,
                "The peer gave no hint of an account that is served here, or one that is too old or used.")
        }
        if !isHinted {
            try unsafe server.anonymousCertificate.present(in: handle)
        } else if unsafe !chosen.adopt(handle) {
            throw SecurityError(
                .openSSL, "OpenSSL could not change a context.", reasons: OpenSSL.drainReasons())
        }
        context = chosen
    }

    /// On a server: whether a ticket of this account is shown for the first time; checked only once in each session.
    private func isFresh(ticket: [UInt8]?) -> Bool {
        guard let ticket, isHinted, mayBegin != nil, !isDeferred, let rules = context.rules else {
            return false
        }
        return rules.ticketKeys.isFresh(ticket, at: now)
    }

    // MARK: The protocol

    /// On a server: returns the range of the selected protocol in a client's offer; nil if none can be selected.
    @unsafe fileprivate func chooseProtocol(from offer: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard let rules = context.rules else { return nil }
        var offered: [ApplicationProtocol: Range<Int>] = [:]
        var position = 0
        while position < offer.count {
            let name = unsafe (position + 1)..<(position + 1 + Int(offer[position]))
            guard name.upperBound <= offer.count else { return nil }
            let text = unsafe String(decoding: offer[name], as: UTF8.self)
            if let known = ApplicationProtocol(rawValue: text) { offered[known] = name }
            position = name.upperBound
        }
        if let range = offered[.baton], isHinted {
            // A device gets one ticket, which it can use once. Joiners get no tickets.
            _ = unsafe SSL_set_num_tickets(handle, 1)
            selectedProtocol = .baton
            return range
        }
        // Only a session between devices can be resumed.
        if let range = offered[.pairing], !isResumed, rules.invitationIsOpen() {
            selectedProtocol = .pairing
            return range
        }
        return nil
    }

    /// The protocol of the session; nil until it is negotiated.
    var negotiatedProtocol: ApplicationProtocol? {
        var start: UnsafePointer<UInt8>?
        var count: CUnsignedInt = 0
        unsafe SSL_get0_alpn_selected(handle, &start, &count)
        let name = unsafe UnsafeBufferPointer(start: start, count: Int(count))
        return unsafe ApplicationProtocol(rawValue: String(decoding: name, as: UTF8.self))
    }

    /// Returns the negotiated protocol; throws unless this side offered or selected it.
    ///
    /// A client must check that it offered the protocol, because not every release of OpenSSL 3.0 checks this.
    private func agreedProtocol() throws(SecurityError) -> ApplicationProtocol {
        guard let agreed = negotiatedProtocol else {
            throw SecurityError(.handshake, "There is no protocol that both sides support.")
        }
        let isOurs =
            switch role {
            case .client: context.offeredProtocols.contains(agreed)
            case .server: agreed == selectedProtocol
            }
        guard isOurs else {
            throw SecurityError(.handshake, "The peer selected a protocol that was not offered.")
        }
        return agreed
    }

    // MARK: The peer

    /// Whether the handshake resumed an earlier session, in which case no certificates were exchanged.
    var isResumed: Bool { unsafe SSL_session_reused(handle) == 1 }

    /// Verifies the peer's certificate; called in the handshake after the protocol was negotiated.
    @unsafe fileprivate func accepts(_ certificates: OpaquePointer) -> Bool {
        do throws(SecurityError) {
            if let rules = context.rules, try agreedProtocol() == .baton {
                // The time is checked here and not by OpenSSL. If the chain has expired, this is reported together with
                // the peer. If the chain is not valid yet, the error says that a clock is wrong.
                unsafe ChainRules.ignoreTime(in: X509_STORE_CTX_get0_param(certificates))
                let (device, owner) = unsafe try ChainRules.verifyDevice(certificates, account: rules.account)
                let found = try VerifiedPeer(device, owner: owner, at: now)
                if case .notYetValid(let time) = found.timeStatus(at: now) {
                    unsafe X509_STORE_CTX_set_error(certificates, CInt(X509_V_ERR_CERT_NOT_YET_VALID))
                    throw notYetValid(until: time)
                }
                verifiedPeer = found
            }
            return true
        } catch {
            refusal = error
            return false
        }
    }

    /// On a server: whether a decrypted ticket belongs to a device that may resume its session.
    @unsafe fileprivate func accepts(ticket: OpaquePointer) -> Bool {
        guard let rules = context.rules, isHinted else { return false }
        do {
            verifiedPeer = try unsafe readVerifiedPeer(ticket, rules)
            try verifiedPeer?.requireValid(at: now)
            return true
        } catch {
            // The handshake continues with certificates. If a certificate is refused, the reason is reported then.
            verifiedPeer = nil
            ERR_clear_error()
            return false
        }
    }

    /// Reads the peer from a decrypted ticket; throws if the peer may not resume its session.
    @unsafe private func readVerifiedPeer(
        _ ticket: OpaquePointer, _ rules: TLSContext.DeviceRules
    ) throws(SecurityError) -> VerifiedPeer {
        guard let certificate = unsafe SSL_SESSION_get0_peer(ticket) else {
            throw SecurityError(.untrusted, "The ticket names no device.")
        }
        var start: UnsafeMutableRawPointer?
        var count = 0
        try OpenSSL.succeed("read a ticket") {
            unsafe SSL_SESSION_get0_ticket_appdata(ticket, &start, &count)
        }
        let data = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
        let identity = try DeviceIdentity(
            device: unsafe Certificate(retaining: certificate), account: rules.account)
        let peer = try VerifiedPeer(identity, ticketData: data)
        guard rules.resumes(identity.device) else {
            throw SecurityError(.untrusted, "The device must present its certificates again.")
        }
        return peer
    }

    /// Returns the peer at the end of the handshake, according to the session's certificate.
    ///
    /// This checks everything that the callbacks should have checked. It does not rely on OpenSSL having called them.
    func readPeer() throws(SecurityError) -> Peer {
        let agreed = try agreedProtocol()
        guard unsafe SSL_get_verify_result(handle) == CLong(X509_V_OK),
            let certificate = unsafe SSL_get0_peer_certificate(handle)
        else { throw SecurityError(.untrusted, "The peer presented no trusted certificate.") }
        switch (context.purpose, agreed) {
        case (.device(let rules), .baton):
            return try unsafe readDevice(certificate, rules)
        case (.device, .pairing) where !isResumed:
            return .joiner(unsafe try Certificate(retaining: certificate).publicKey)
        case (.joiner, .pairing):
            return .inviter
        case (.joiner, _), (.listener, _), (.device, .pairing):
            throw SecurityError(.handshake, "The peer's protocol does not fit this session.")
        }
    }

    /// Returns the device that the certificate belongs to, as it was verified in this session or in the resumed
    /// session.
    ///
    /// If the session was resumed, this checks again everything that may have changed since the certificates were
    /// verified. A session whose chain has expired is never resumed.
    @unsafe private func readDevice(
        _ certificate: OpaquePointer, _ rules: TLSContext.DeviceRules
    ) throws(SecurityError) -> Peer {
        let found = role == .client && isResumed ? offeredTicket?.peer : verifiedPeer
        guard let found, unsafe found.matches(certificate), found.identity.account == rules.account else {
            throw SecurityError(.untrusted, "The certificate of the session was not verified.")
        }
        verifiedPeer = found
        if isResumed { try found.requireValid(at: now) }
        return switch found.timeStatus(at: now) {
        case .valid: .device(found.identity)
        case .expired(let time): .expired(found.identity, since: time)
        case .notYetValid(let time): throw notYetValid(until: time)
        }
    }

    /// Returns the error for a certificate that is not valid yet.
    ///
    /// The validity of a new certificate begins in the past. So the clock of one of the two machines must be wrong.
    private func notYetValid(until begin: Int64) -> SecurityError {
        let seconds = begin - now
        let distance =
            seconds >= 2 * 86_400 ? "\(seconds / 86_400) days" : "\(max(1, seconds / 60)) minutes"
        return SecurityError(
            .notYetValid,
            "The certificate becomes valid \(distance) from now: the clock here or the other one is wrong.")
    }
}

// MARK: Callbacks

extension TLSHandshake {
    /// Sets the callbacks of a new context.
    ///
    /// A server stores no sessions. Its ticket contains the whole session, with the peer's certificate, and is
    /// encrypted with a key of the account. The server knows the account, because the client hello has named it.
    @unsafe static func installCallbacks(in context: OpaquePointer) throws(SecurityError) {
        unsafe SSL_CTX_set_client_hello_cb(context, handleClientHello, nil)
        unsafe SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
        unsafe SSL_CTX_set_cert_verify_callback(context, verifyCertificate, nil)
        unsafe SSL_CTX_sess_set_new_cb(context, keepTicket)
        try OpenSSL.succeed("set the cipher of tickets") {
            unsafe SSL_CTX_set_tlsext_ticket_key_evp_cb(context, prepareTicketCipher)
        }
        try OpenSSL.succeed("set the data of tickets") {
            unsafe SSL_CTX_set_session_ticket_cb(context, fillTicket, checkTicket, nil)
        }
    }
}

/// On a server: the first callback, which finds the client's account, or ends the handshake without an answer.
private func handleClientHello(
    _ handle: OpaquePointer?, _ alert: UnsafeMutablePointer<CInt>?, _: UnsafeMutableRawPointer?
) -> CInt {
    guard let handshake = unsafe TLSHandshake.of(handle) else { return SSL_CLIENT_HELLO_ERROR }
    switch handshake.handleHello(unsafe ClientHello(handle)) {
    case .proceed: return SSL_CLIENT_HELLO_SUCCESS
    // OpenSSL sends nothing only if it expects to call this function again.
    case .silence: return SSL_CLIENT_HELLO_RETRY
    case .noProtocol:
        unsafe alert?.pointee = SSL_AD_NO_APPLICATION_PROTOCOL
        return SSL_CLIENT_HELLO_ERROR
    }
}

/// On a server: the next callback, which selects an offered protocol by a pointer into the offer.
private func selectProtocol(
    _ handle: OpaquePointer?, _ name: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ nameByteCount: UnsafeMutablePointer<UInt8>?,
    _ offer: UnsafePointer<UInt8>?, _ offerByteCount: CUnsignedInt, _: UnsafeMutableRawPointer?
) -> CInt {
    guard let handshake = unsafe TLSHandshake.of(handle) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let offer = unsafe UnsafeBufferPointer(start: offer, count: Int(offerByteCount))
    guard let range = unsafe handshake.chooseProtocol(from: offer) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    unsafe name?.pointee = UnsafePointer(offer.baseAddress?.advanced(by: range.lowerBound))
    unsafe nameByteCount?.pointee = UInt8(range.count)
    return SSL_TLSEXT_ERR_OK
}

/// On both sides: verifies the certificate that the peer has presented, in place of OpenSSL.
private func verifyCertificate(_ context: OpaquePointer?, _: UnsafeMutableRawPointer?) -> CInt {
    let index = SSL_get_ex_data_X509_STORE_CTX_idx()
    guard let context = unsafe context,
        let handle = unsafe X509_STORE_CTX_get_ex_data(context, index),
        let handshake = unsafe TLSHandshake.of(OpaquePointer(handle))
    else { return 0 }
    if unsafe handshake.accepts(context) {
        unsafe X509_STORE_CTX_set_error(context, X509_V_OK)
        return 1
    }
    // OpenSSL derives the alert from this error. If there is no error, the certificate broke a rule that only Baton
    // checks.
    if unsafe X509_STORE_CTX_get_error(context) == X509_V_OK {
        unsafe X509_STORE_CTX_set_error(context, X509_V_ERR_APPLICATION_VERIFICATION)
    }
    return 0
}

/// On a server: prepares to encrypt a ticket, or to decrypt a ticket with the key that the ticket names.
///
/// Returns zero if the key is not known.
private func prepareTicketCipher(
    _ handle: OpaquePointer?, _ name: UnsafeMutablePointer<UInt8>?, _ nonce: UnsafeMutablePointer<UInt8>?,
    _ cipher: OpaquePointer?, _ authenticator: OpaquePointer?, _ isSealing: CInt
) -> CInt {
    guard let handshake = unsafe TLSHandshake.of(handle), let rules = handshake.context.rules,
        let name = unsafe name, let nonce = unsafe nonce
    else { return 0 }
    let named = unsafe UnsafeMutableBufferPointer(start: name, count: TicketKeys.Key.nameByteCount)
    if isSealing == 1 {
        guard let key = try? rules.ticketKeys.encryptionKey(at: handshake.now),
            unsafe RAND_bytes(nonce, EVP_MAX_IV_LENGTH) == 1
        else { return -1 }
        for (index, byte) in key.name.enumerated() { unsafe named[index] = byte }
        let isReady = unsafe key.encryption.withBytes { bytes in
            unsafe EVP_EncryptInit_ex(
                cipher, EVP_aes_256_cbc(), nil, bytes.bindMemory(to: UInt8.self).baseAddress, nonce)
        }
        return unsafe isReady == 1 && prepare(authenticator, key) ? 1 : -1
    }
    guard let key = unsafe rules.ticketKeys.key(named: Array(named), at: handshake.now) else { return 0 }
    let isReady = unsafe key.encryption.withBytes { bytes in
        unsafe EVP_DecryptInit_ex(
            cipher, EVP_aes_256_cbc(), nil, bytes.bindMemory(to: UInt8.self).baseAddress, nonce)
    }
    return unsafe isReady == 1 && prepare(authenticator, key) ? 1 : -1
}

/// Sets the key and the hash function for the HMAC of a ticket.
@unsafe private func prepare(_ authenticator: OpaquePointer?, _ key: TicketKeys.Key) -> Bool {
    var hash = Array("SHA256".utf8CString)
    return unsafe hash.withUnsafeMutableBufferPointer { hash in
        let parameters = unsafe [
            OSSL_PARAM_construct_utf8_string("digest", hash.baseAddress, 0), OSSL_PARAM_construct_end(),
        ]
        return unsafe key.authentication.withBytes { bytes in
            unsafe EVP_MAC_init(
                authenticator, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, parameters) == 1
        }
    }
}

/// On a server: adds facts about the peer to a ticket that are not in the peer's certificate.
private func fillTicket(_ handle: OpaquePointer?, _: UnsafeMutableRawPointer?) -> CInt {
    guard let data = unsafe TLSHandshake.of(handle)?.verifiedPeer?.ticketData else { return 0 }
    return unsafe SSL_SESSION_set1_ticket_appdata(SSL_get_session(handle), data, data.count)
}

/// On a server: decides whether the session in a ticket may be resumed; otherwise, the peer must present certificates.
private func checkTicket(
    _ handle: OpaquePointer?, _ ticket: OpaquePointer?, _: UnsafePointer<UInt8>?, _: Int,
    _ status: SSL_TICKET_STATUS, _: UnsafeMutableRawPointer?
) -> SSL_TICKET_RETURN {
    guard status == SSL_TICKET_SUCCESS || status == SSL_TICKET_SUCCESS_RENEW else {
        return SSL_TICKET_RETURN_IGNORE_RENEW
    }
    guard let handshake = unsafe TLSHandshake.of(handle), let ticket = unsafe ticket,
        unsafe handshake.accepts(ticket: ticket)
    else { return SSL_TICKET_RETURN_IGNORE_RENEW }
    return SSL_TICKET_RETURN_USE_RENEW
}

/// On a client: stores a ticket that the server sent; if it returns zero, OpenSSL frees the ticket.
private func keepTicket(_ handle: OpaquePointer?, _ ticket: OpaquePointer?) -> CInt {
    guard let handshake = unsafe TLSHandshake.of(handle), let ticket = unsafe ticket else { return 0 }
    return unsafe handshake.keep(ticket: ticket) ? 1 : 0
}
