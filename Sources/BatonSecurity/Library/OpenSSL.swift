import COpenSSL

/// How OpenSSL is called: with a clean error queue, and its answer translated on the spot.
///
/// The queue belongs to the thread, so what an earlier call left there would be taken for this one's.
enum OpenSSL {
    /// Makes a call that answers one for success.
    static func succeed(
        _ purpose: String, as code: SecurityError.Code = .openSSL,
        fileID: String = #fileID, line: Int = #line, _ call: () -> CInt
    ) throws(SecurityError) {
        ERR_clear_error()
        guard call() == 1 else {
            throw SecurityError(
                code, "OpenSSL could not \(purpose).", reasons: drainReasons(), fileID: fileID, line: line)
        }
    }

    /// Makes a call that answers an object, which the caller then owns as the call's manual page says.
    static func make<Handle>(
        _ purpose: String, as code: SecurityError.Code = .openSSL,
        fileID: String = #fileID, line: Int = #line, _ call: () -> Handle?
    ) throws(SecurityError) -> Handle {
        ERR_clear_error()
        guard let handle = call() else {
            throw SecurityError(
                code, "OpenSSL could not \(purpose).", reasons: drainReasons(), fileID: fileID, line: line)
        }
        return handle
    }

    /// Empties the thread's error queue into words, oldest first.
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
