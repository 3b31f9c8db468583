import COpenSSL

// What OpenSSL calls in a handshake. Each function finds the session and forwards to it.
//
// A server's order in TLS 1.3: client hello, protocol, our certificate, the client's certificate. So the protocol is
// known when a certificate is judged.

/// Sets the callbacks of a context that is being made.
@unsafe func installCallbacks(_ context: OpaquePointer) {
    unsafe SSL_CTX_set_client_hello_cb(context, judgeClientHello, nil)
    unsafe SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
    unsafe SSL_CTX_set_cert_verify_callback(context, judgeCertificate, nil)
}

/// On a server, first of all: finds the account that the client means, or closes without a word.
///
/// A client that offers no protocol is sent away, too; OpenSSL would let it in.
private func judgeClientHello(
    _ handle: OpaquePointer?, _ alert: UnsafeMutablePointer<CInt>?, _: UnsafeMutableRawPointer?
) -> CInt {
    guard let session = unsafe TLSSession.of(handle) else { return SSL_CLIENT_HELLO_ERROR }
    let hello = unsafe ClientHello(handle)
    do throws(SecurityError) {
        try session.chooseContext(for: hello)
    } catch {
        session.refusal = error
        // As if it were to be asked again: that alone makes OpenSSL say nothing.
        return SSL_CLIENT_HELLO_RETRY
    }
    guard hello.protocols != nil else {
        session.refusal = SecurityError(.handshake, "The peer speaks none of our protocols.")
        unsafe alert?.pointee = SSL_AD_NO_APPLICATION_PROTOCOL
        return SSL_CLIENT_HELLO_ERROR
    }
    session.isResuming = session.isResuming || session.shows(freshTicket: hello.ticket)
    if session.isPutOff || !(session.isResuming || session.mayBegin?() ?? true) {
        session.isPutOff = true
        return SSL_CLIENT_HELLO_RETRY
    }
    session.mayBegin = nil
    return SSL_CLIENT_HELLO_SUCCESS
}

/// On a server, next: selects one of the offered protocols, by pointing to it in the offer.
private func selectProtocol(
    _ handle: OpaquePointer?, _ name: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ nameByteCount: UnsafeMutablePointer<UInt8>?,
    _ offer: UnsafePointer<UInt8>?, _ offerByteCount: CUnsignedInt, _: UnsafeMutableRawPointer?
) -> CInt {
    guard let session = unsafe TLSSession.of(handle) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let offer = unsafe UnsafeBufferPointer(start: offer, count: Int(offerByteCount))
    guard let place = unsafe session.selectProtocol(from: offer) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    unsafe name?.pointee = UnsafePointer(offer.baseAddress?.advanced(by: place.lowerBound))
    unsafe nameByteCount?.pointee = UInt8(place.count)
    return SSL_TLSEXT_ERR_OK
}

/// On both sides, when the peer has shown its certificate: judges it in place of OpenSSL's own verification.
private func judgeCertificate(_ context: OpaquePointer?, _: UnsafeMutableRawPointer?) -> CInt {
    let place = SSL_get_ex_data_X509_STORE_CTX_idx()
    guard let context = unsafe context,
        let handle = unsafe X509_STORE_CTX_get_ex_data(context, place),
        let session = unsafe TLSSession.of(OpaquePointer(handle))
    else { return 0 }
    if unsafe session.accepts(context) {
        unsafe X509_STORE_CTX_set_error(context, X509_V_OK)
        return 1
    }
    // OpenSSL turns its error into the alert; where it had none, the rules that it does not know were broken.
    if unsafe X509_STORE_CTX_get_error(context) == X509_V_OK {
        unsafe X509_STORE_CTX_set_error(context, X509_V_ERR_APPLICATION_VERIFICATION)
    }
    return 0
}
