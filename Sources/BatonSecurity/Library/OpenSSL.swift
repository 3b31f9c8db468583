import COpenSSL

/// Calls OpenSSL with an empty error queue, and turns failures into Swift errors at once.
///
/// The error queue belongs to the thread. Without emptying it, an error of an earlier call could be mistaken for an
/// error of this call.
enum OpenSSL {
    /// Makes a call that returns 1 if it succeeds.
    static func succeed(
        _ purpose: String, as code: SecurityError.Code = .openSSL, _ call: () -> CInt
    ) throws(SecurityError) {
        ERR_clear_error()
        guard call() == 1 else {
            throw SecurityError(code, "OpenSSL could not \(purpose).", reasons: drainReasons())
        }
    }

    /// Makes a call that returns an object, or nil if it fails.
    ///
    /// The manual page of the call says whether the caller owns the object.
    static func make<Handle>(
        _ purpose: String, as code: SecurityError.Code = .openSSL, _ call: () -> Handle?
    ) throws(SecurityError) -> Handle {
        ERR_clear_error()
        guard let handle = call() else {
            throw SecurityError(code, "OpenSSL could not \(purpose).", reasons: drainReasons())
        }
        return handle
    }

    /// Empties the thread's error queue, and returns the texts of the errors, the oldest first.
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
