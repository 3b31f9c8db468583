import COpenSSL

// What OpenSSL calls to give, open and keep tickets.
//
// A server's ticket is the whole session with the peer's certificate, sealed under a key of the account, so a server
// remembers nothing. Which account that is, is known since the client's first words.

/// Sets the callbacks of a context that is being made.
@unsafe func installTicketCallbacks(_ context: OpaquePointer) throws(SecurityError) {
    try OpenSSL.succeed("seal tickets") {
        unsafe SSL_CTX_set_tlsext_ticket_key_evp_cb(context, prepareTicketCipher)
    }
    try OpenSSL.succeed("fill tickets") {
        unsafe SSL_CTX_set_session_ticket_cb(context, fillTicket, judgeTicket, nil)
    }
}

/// On a server: prepares to seal a ticket, or to open one by the key that it names; zero says that it can't be.
private func prepareTicketCipher(
    _ handle: OpaquePointer?, _ name: UnsafeMutablePointer<UInt8>?, _ nonce: UnsafeMutablePointer<UInt8>?,
    _ cipher: OpaquePointer?, _ authenticator: OpaquePointer?, _ isSealing: CInt
) -> CInt {
    guard let session = unsafe TLSSession.of(handle), let rules = session.context.rules,
        let name = unsafe name, let nonce = unsafe nonce
    else { return 0 }
    let named = unsafe UnsafeMutableBufferPointer(start: name, count: TicketKeys.Key.nameByteCount)
    if isSealing == 1 {
        guard let key = try? rules.ticketKeys.sealing(at: session.now),
            unsafe RAND_bytes(nonce, EVP_MAX_IV_LENGTH) == 1
        else { return -1 }
        for (place, byte) in key.name.enumerated() { unsafe named[place] = byte }
        let isReady = unsafe key.encryption.withBytes { bytes in
            unsafe EVP_EncryptInit_ex(
                cipher, EVP_aes_256_cbc(), nil, bytes.bindMemory(to: UInt8.self).baseAddress, nonce)
        }
        return unsafe isReady == 1 && prepare(authenticator, key) ? 1 : -1
    }
    guard let key = unsafe rules.ticketKeys.opening(Array(named), at: session.now) else { return 0 }
    let isReady = unsafe key.encryption.withBytes { bytes in
        unsafe EVP_DecryptInit_ex(
            cipher, EVP_aes_256_cbc(), nil, bytes.bindMemory(to: UInt8.self).baseAddress, nonce)
    }
    return unsafe isReady == 1 && prepare(authenticator, key) ? 1 : -1
}

/// Gives an HMAC its key and its hash.
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

/// On a server: puts into a ticket what the peer's certificate does not say.
private func fillTicket(_ handle: OpaquePointer?, _: UnsafeMutableRawPointer?) -> CInt {
    guard let carried = unsafe TLSSession.of(handle)?.judgement?.carried else { return 0 }
    return unsafe SSL_SESSION_set1_ticket_appdata(SSL_get_session(handle), carried, carried.count)
}

/// On a server: whether what a ticket holds may be resumed; if not, the peer shows its certificate as ever.
private func judgeTicket(
    _ handle: OpaquePointer?, _ ticket: OpaquePointer?, _: UnsafePointer<UInt8>?, _: Int,
    _ status: SSL_TICKET_STATUS, _: UnsafeMutableRawPointer?
) -> SSL_TICKET_RETURN {
    guard status == SSL_TICKET_SUCCESS || status == SSL_TICKET_SUCCESS_RENEW else {
        return SSL_TICKET_RETURN_IGNORE_RENEW
    }
    guard let session = unsafe TLSSession.of(handle), let ticket = unsafe ticket,
        unsafe session.accepts(ticket: ticket)
    else { return SSL_TICKET_RETURN_IGNORE_RENEW }
    return SSL_TICKET_RETURN_USE_RENEW
}

/// On a client: takes a ticket that the server sent; zero leaves it to OpenSSL, which frees it.
func keepTicket(_ handle: OpaquePointer?, _ ticket: OpaquePointer?) -> CInt {
    guard let session = unsafe TLSSession.of(handle), let ticket = unsafe ticket, let purse = session.purse,
        let judgement = session.judgement
    else { return 0 }
    unsafe purse.keep(SessionTicket(owning: ticket, judgement: judgement))
    return 1
}
