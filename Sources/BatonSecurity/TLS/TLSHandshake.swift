import BatonCore
import COpenSSL
import Glibc

/// The decisions in the handshake of one session: which account the client means, which protocol, and who the peer is.
///
/// OpenSSL calls it through the functions at the end of this file. The order on a server in TLS 1.3 is: client hello,
/// protocol, our certificate, the client's certificate. So the protocol is known when a certificate is verified.
@safe final class TLSHandshake {
    /// The context of this side; kept alive, because the callbacks use it.
    ///
    /// A server's context changes once, when the client has said which account it means.
    private(set) var context: TLSContext
    /// On a server, whether the client gave the hint of the account.
    private(set) var isHinted = false
    /// On a server, whether the client shows a ticket that was never shown before, which proves that it is a member.
    private(set) var isResuming = false
    /// On a server, decides whether to start the handshake of a client now.
    ///
    /// It is called before anything is computed, for a client that gave the hint or may join, but not for one that
    /// shows a fresh ticket. If it returns false, the handshake waits for `proceed()`.
    var mayBegin: (() -> Bool)?
    /// On a server, whether the handshake waits for `proceed()`.
    private(set) var isDeferred = false
    /// The peer, once its certificate was verified or its ticket was opened.
    private(set) var verifiedPeer: VerifiedPeer?
    /// The reason for which a callback rejected the peer; thrown when OpenSSL has returned.
    private(set) var refusal: SecurityError?

    /// This side's role.
    private let role: TLSSession.Role
    /// On a server, the accounts that a client may mean.
    private let server: TLSServer?
    /// On a server, the hint that has selected the account.
    private var usedHint: AccountHint?
    /// On a client, the store of tickets.
    private let tickets: TicketCache?
    /// On a client, the ticket that was offered to the server.
    private var offeredTicket: SessionTicket?
    /// On a server, the result of `chooseProtocol(from:)`.
    private var selectedProtocol: ApplicationProtocol?
    /// The SSL; the session owns it and outlives this object.
    private let handle: OpaquePointer
    /// The time to verify at in place of the system's, in seconds since 1970.
    private let time: Int64?

    /// Makes a handshake that has not begun; the SSL must outlive it.
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

    /// Stores this object in the SSL, where the callbacks find it.
    func attach() throws(SecurityError) {
        if let time { unsafe X509_VERIFY_PARAM_set_time(SSL_get0_param(handle), Int(time)) }
        try OpenSSL.succeed("prepare a TLS session") {
            unsafe SSL_set_ex_data(handle, Self.dataIndex, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// The index under which an SSL keeps its handshake; OpenSSL leaves the first one to applications.
    private static let dataIndex: CInt = 0

    /// Returns the handshake of an SSL; it still exists, because the session owns both.
    @unsafe fileprivate static func of(_ handle: OpaquePointer?) -> TLSHandshake? {
        guard let pointer = unsafe SSL_get_ex_data(handle, dataIndex) else { return nil }
        return unsafe Unmanaged<TLSHandshake>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// The time at which certificates and hints are checked, in seconds since 1970.
    fileprivate var now: Int64 { time ?? Int64(Glibc.time(nil)) }

    // MARK: A client

    /// On a client: names the account and the device, and offers a ticket if there is a usable one.
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

    /// On a client: offers to resume the last session with the device, if its ticket is still valid.
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

    /// On a client: keeps a ticket that the server sent; returns false if there is nowhere to keep it.
    @unsafe fileprivate func keep(ticket: OpaquePointer) -> Bool {
        guard let tickets, let verifiedPeer else { return false }
        unsafe tickets.keep(SessionTicket(owning: ticket, peer: verifiedPeer))
        return true
    }

    // MARK: The client hello, on a server

    /// How to answer a client hello.
    fileprivate enum HelloAnswer {
        /// Continue with the handshake.
        case proceed
        /// Send nothing: the handshake is deferred, or the client is rejected without an answer.
        case silence
        /// Send the alert that no protocol was offered. OpenSSL would accept such a client.
        case noProtocol
    }

    /// On a server, first of all: finds the account that the client means, and decides how to answer.
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

    /// On a server: allows a deferred handshake to continue; returns false if it was not deferred.
    func proceed() -> Bool {
        guard isDeferred else { return false }
        (isDeferred, mayBegin) = (false, nil)
        return true
    }

    /// On a server: switches to the account that the client's hint means, or to one that is inviting.
    ///
    /// Throws if there is none. A client that sends a second hello must mean the same account, by the same hint. The
    /// hello of a deferred handshake comes here twice.
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

    /// On a server: whether a ticket of the account is shown for the first time; asked once for each session.
    private func isFresh(ticket: [UInt8]?) -> Bool {
        guard let ticket, isHinted, mayBegin != nil, !isDeferred, let rules = context.rules else {
            return false
        }
        return rules.ticketKeys.isFresh(ticket, at: now)
    }

    // MARK: The protocol

    /// On a server: returns where the selected protocol stands in a client's offer, or nil if none can be selected.
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
            // A device gets one ticket, for one use; joiners get none.
            _ = unsafe SSL_set_num_tickets(handle, 1)
            selectedProtocol = .baton
            return range
        }
        // Only sessions between devices are ever resumed.
        if let range = offered[.pairing], !isResumed, rules.invitationIsOpen() {
            selectedProtocol = .pairing
            return range
        }
        return nil
    }

    /// The protocol of the session, or nil until it is negotiated.
    var negotiatedProtocol: ApplicationProtocol? {
        var start: UnsafePointer<UInt8>?
        var count: CUnsignedInt = 0
        unsafe SSL_get0_alpn_selected(handle, &start, &count)
        let name = unsafe UnsafeBufferPointer(start: start, count: Int(count))
        return unsafe ApplicationProtocol(rawValue: String(decoding: name, as: UTF8.self))
    }

    /// Returns the negotiated protocol, which must be one that this side offered or selected.
    ///
    /// A client checks that it offered the protocol; not every release of OpenSSL 3.0 does.
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

    /// Whether the handshake resumed an earlier session, without certificates.
    var isResumed: Bool { unsafe SSL_session_reused(handle) == 1 }

    /// Verifies the peer's certificate; called in the handshake, after the protocol is negotiated.
    @unsafe fileprivate func accepts(_ certificates: OpaquePointer) -> Bool {
        do throws(SecurityError) {
            if let rules = context.rules, try agreedProtocol() == .baton {
                // Time is checked here: an expired chain is reported with the peer, and one that is not yet valid gets
                // an error that names the clock.
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
            // The handshake continues with certificates, and reports why one is refused.
            verifiedPeer = nil
            ERR_clear_error()
            return false
        }
    }

    /// Reads the peer from a decrypted ticket, and checks that its session may be resumed.
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

    /// Returns the peer at the end of the handshake, by the session's certificate.
    ///
    /// It checks everything that a callback should have set, and does not rely on the callback having been called.
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

    /// Returns the device that the certificate belongs to, as verified in this handshake or in the resumed session.
    ///
    /// If the session was resumed, it checks again what may have changed since the certificates were verified. A
    /// session whose chain has expired is never resumed.
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

    /// The error for a certificate that is not yet valid.
    ///
    /// Owners issue certificates that begin in the past, so one of the two clocks must be wrong.
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
    /// A server's ticket is the whole session with the peer's certificate, encrypted under a key of the account, so a
    /// server stores no sessions. The account is known, because the client hello named it.
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

/// On a server, first of all: finds the account that the client means, or closes without an answer.
private func handleClientHello(
    _ handle: OpaquePointer?, _ alert: UnsafeMutablePointer<CInt>?, _: UnsafeMutableRawPointer?
) -> CInt {
    guard let handshake = unsafe TLSHandshake.of(handle) else { return SSL_CLIENT_HELLO_ERROR }
    switch handshake.handleHello(unsafe ClientHello(handle)) {
    case .proceed: return SSL_CLIENT_HELLO_SUCCESS
    // OpenSSL sends nothing only if it believes that it may call this function again.
    case .silence: return SSL_CLIENT_HELLO_RETRY
    case .noProtocol:
        unsafe alert?.pointee = SSL_AD_NO_APPLICATION_PROTOCOL
        return SSL_CLIENT_HELLO_ERROR
    }
}

/// On a server, next: selects one of the offered protocols, by pointing to it in the offer.
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

/// On both sides, when the peer has presented its certificate: verifies it in place of OpenSSL.
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
    // OpenSSL turns its error into the alert. If it has none, the certificate broke a rule that only Baton checks.
    if unsafe X509_STORE_CTX_get_error(context) == X509_V_OK {
        unsafe X509_STORE_CTX_set_error(context, X509_V_ERR_APPLICATION_VERIFICATION)
    }
    return 0
}

/// On a server: prepares to encrypt a ticket, or to decrypt one with the key that it names.
///
/// Returns zero if the key is unknown.
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

/// Sets the key and the hash function of a ticket's HMAC.
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

/// On a server: adds to a ticket the facts that the peer's certificate does not contain.
private func fillTicket(_ handle: OpaquePointer?, _: UnsafeMutableRawPointer?) -> CInt {
    guard let data = unsafe TLSHandshake.of(handle)?.verifiedPeer?.ticketData else { return 0 }
    return unsafe SSL_SESSION_set1_ticket_appdata(SSL_get_session(handle), data, data.count)
}

/// On a server: decides whether the session in a ticket may be resumed; if not, the peer presents its certificate.
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

/// On a client: keeps a ticket that the server sent; zero leaves it to OpenSSL, which frees it.
private func keepTicket(_ handle: OpaquePointer?, _ ticket: OpaquePointer?) -> CInt {
    guard let handshake = unsafe TLSHandshake.of(handle), let ticket = unsafe ticket else { return 0 }
    return unsafe handshake.keep(ticket: ticket) ? 1 : 0
}
