import COpenSSL

/// Calls OpenSSL with an empty error queue, and turns failures into errors at once.
///
/// The queue belongs to the thread, so an error that an earlier call left there would be mistaken for one of this call.
enum OpenSSL {
    /// Makes a call that returns one for success.
    static func succeed(
        _ purpose: String, as code: SecurityError.Code = .openSSL, _ call: () -> CInt
    ) throws(SecurityError) {
        ERR_clear_error()
        guard call() == 1 else {
            throw SecurityError(code, "OpenSSL could not \(purpose).", reasons: drainReasons())
        }
    }

    /// Makes a call that returns an object, or nil for failure; the call's manual page says whether the caller owns it.
    static func make<Handle>(
        _ purpose: String, as code: SecurityError.Code = .openSSL, _ call: () -> Handle?
    ) throws(SecurityError) -> Handle {
        ERR_clear_error()
        guard let handle = call() else {
            throw SecurityError(code, "OpenSSL could not \(purpose).", reasons: drainReasons())
        }
        return handle
    }

    /// Empties the thread's error queue, and returns its texts, oldest first.
    static func drainReasons() -> [String] {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { return reasons }
            if let reason = unsafe ERR_reason_error_string(code) {
                reasons.append(unsafe String(cString: reason))
            } else {
                reasons.append("error \(code)")
            }
        }
    }
}
