import BatonCore
import COpenSSL

/// What makes a chain one of the account's: the same rules for a file, a grant and a handshake.
enum ChainRules {
    /// How many certificates a chain has: device, owner, root.
    private static let certificateCount = 3

    /// Sets the rules that OpenSSL knows by itself, and the time to judge by if it is not the system's.
    @unsafe static func apply(to parameters: OpaquePointer?, time: Int64?) {
        unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_X509_STRICT))
        unsafe X509_VERIFY_PARAM_set_depth(parameters, CInt(certificateCount - 2))
        if let time { unsafe X509_VERIFY_PARAM_set_time(parameters, Int(time)) }
    }

    /// Leaves the time out of what OpenSSL verifies: whoever wants that judges it.
    @unsafe static func ignoreTime(in parameters: OpaquePointer?) {
        // A time that was set would count all the same.
        unsafe X509_VERIFY_PARAM_clear_flags(parameters, UInt(X509_V_FLAG_USE_CHECK_TIME))
        unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME))
    }

    /// Verifies the chain that a context was made for, by the rules that OpenSSL knows, and answers with it.
    @unsafe private static func verifySignatures(
        _ context: OpaquePointer, orSay sentence: String
    ) throws(SecurityError) -> OpaquePointer? {
        ERR_clear_error()
        guard unsafe X509_verify_cert(context) == 1 else {
            let reason = unsafe String(
                cString: X509_verify_cert_error_string(CLong(X509_STORE_CTX_get_error(context))))
            throw SecurityError(.untrusted, "\(sentence): \(reason).", reasons: OpenSSL.drainReasons())
        }
        return unsafe X509_STORE_CTX_get0_chain(context)
    }

    /// Verifies the chain that a context was made for, then the rules that OpenSSL does not know.
    @unsafe static func verifyDevice(
        _ context: OpaquePointer, account: AccountIdentifier
    ) throws(SecurityError) -> (device: DeviceIdentity, owner: Certificate) {
        let chain = unsafe try verifySignatures(context, orSay: "The certificate is not one of this account")
        guard unsafe COpenSSL_sk_X509_num(chain) == certificateCount,
            let device = unsafe COpenSSL_sk_X509_value(chain, 0),
            let owner = unsafe COpenSSL_sk_X509_value(chain, 1)
        else {
            throw SecurityError(.untrusted, "A device must be signed by an owner, and nobody else.")
        }
        let signer = unsafe try Certificate(retaining: owner)
        let identity = try DeviceIdentity(
            device: unsafe Certificate(retaining: device), owner: signer, account: account)
        return (identity, signer)
    }

    /// Verifies the chain of an owner that a context was made for, then the rules that OpenSSL does not know.
    @unsafe static func verifyOwner(
        _ context: OpaquePointer, account: AccountIdentifier
    ) throws(SecurityError) -> OwnerIdentifier {
        let chain = unsafe try verifySignatures(context, orSay: "The owner is not one of this account")
        guard unsafe COpenSSL_sk_X509_num(chain) == certificateCount - 1,
            let handle = unsafe COpenSSL_sk_X509_value(chain, 0)
        else {
            throw SecurityError(.untrusted, "An owner must be signed by the account's root, and nobody else.")
        }
        let owner = try unsafe Certificate(retaining: handle)
        guard owner.isOwner(of: account) else {
            throw SecurityError(.untrusted, "The certificate is not that of an owner of this account.")
        }
        return owner.publicKey.owner
    }
}

extension Certificate {
    /// Whether it says to be an owner's of that account, by the names of its own key, and for no longer than an owner's
    /// certificate may hold; its signature is another matter.
    func isOwner(of account: AccountIdentifier) -> Bool {
        isAuthority && lasts(atMost: Validity.ownerLimit)
            && uris(.owner) == [CertificateURI.owner(publicKey.owner).text]
            && uris(.account) == [CertificateURI.account(account).text]
    }
}
