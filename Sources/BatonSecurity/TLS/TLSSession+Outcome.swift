import COpenSSL

extension TLSSession {
    /// What a call that reads or writes came to.
    ///
    /// That more bytes are wanted is no error.
    enum Outcome {
        /// It did what was asked.
        case complete
        /// It needs more bytes from the peer.
        case incomplete
        /// The peer has said that nothing follows.
        case ended
        /// It can't be done, now or later.
        case failed
    }

    /// Makes a call on the SSL and classifies its answer; the reasons for a failure are left in the queue.
    @unsafe func attempt(_ call: (OpaquePointer) -> CInt) -> Outcome {
        ERR_clear_error()
        return unsafe withHandle { handle in
            let result = unsafe call(handle)
            switch unsafe SSL_get_error(handle, result) {
            case SSL_ERROR_NONE: return .complete
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .incomplete
            case SSL_ERROR_WANT_CLIENT_HELLO_CB where isPutOff: return .incomplete
            case SSL_ERROR_ZERO_RETURN: return .ended
            default: return .failed
            }
        }
    }

    /// Closes the session for an error that OpenSSL has just reported, and makes the error.
    func failure(_ code: SecurityError.Code, _ message: String) -> SecurityError {
        state = .closed(.failed)
        let first = ERR_peek_error()
        let reasons = OpenSSL.drainReasons()
        if let refusal { return refusal }
        // An alert of the peer is a reason of its own: its number, and a fixed distance.
        if ERR_GET_REASON(first) > SSL_AD_REASON_OFFSET {
            return SecurityError(.refusedByPeer, "The peer ended the TLS session.", reasons: reasons)
        }
        return SecurityError(code, message, reasons: reasons)
    }

    /// Closes the session for an error of our own, and hands the error back to be thrown.
    func close(for error: SecurityError) -> SecurityError {
        state = .closed(.failed)
        return error
    }
}
