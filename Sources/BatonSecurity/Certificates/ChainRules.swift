import BatonCore
import COpenSSL

/// The rules for certificate chains, which are the same for chains from files, from pairings and from handshakes.
enum ChainRules {
    /// The number of certificates in a chain: device, owner, root.
    private static let certificateCount = 3

    /// Sets the rules that OpenSSL checks; with a time, OpenSSL verifies at that time instead of the present time.
    @unsafe static func apply(to parameters: OpaquePointer?, time: Int64?) {
        unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_X509_STRICT))
        unsafe X509_VERIFY_PARAM_set_depth(parameters, CInt(certificateCount - 2))
        if let time { unsafe X509_VERIFY_PARAM_set_time(parameters, Int(time)) }
    }

    /// Makes OpenSSL ignore the time; if the time matters, the caller must check it.
    @unsafe static func ignoreTime(in parameters: OpaquePointer?) {
        // If a time were set, OpenSSL would check it in spite of the second flag.
        unsafe X509_VERIFY_PARAM_clear_flags(parameters, UInt(X509_V_FLAG_USE_CHECK_TIME))
        unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME))
    }

    /// Verifies a chain by OpenSSL's rules, and returns the chain; an error's message begins with the sentence.
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

    /// Verifies a device's chain, first by OpenSSL's rules and then by Baton's rules.
    @unsafe static func verifyDevice(
        _ context: OpaquePointer, account: AccountIdentifier
    ) throws(SecurityError) -> (device: DeviceIdentity, owner: Certificate) {
        let chain = unsafe try verifySignatures(
            context, orSay: "The certificate does not belong to this account")
        guard unsafe COpenSSL_sk_X509_num(chain) == certificateCount,
            let device = unsafe COpenSSL_sk_X509_value(chain, 0),
            let owner = unsafe COpenSSL_sk_X509_value(chain, 1)
        else {
            throw SecurityError(
                .untrusted, "A device's certificate must be signed by an owner, and the owner's by the root.")
        }
        let signer = unsafe try Certificate(retaining: owner)
        let identity = try DeviceIdentity(
            device: unsafe Certificate(retaining: device), owner: signer, account: account)
        return (identity, signer)
    }

    /// Verifies an owner's chain, first by OpenSSL's rules and then by Baton's rules.
    @unsafe static func verifyOwner(
        _ context: OpaquePointer, account: AccountIdentifier
    ) throws(SecurityError) -> OwnerIdentifier {
        let chain = unsafe try verifySignatures(
            context, orSay: "The owner's certificate does not belong to this account")
        guard unsafe COpenSSL_sk_X509_num(chain) == certificateCount - 1,
            let handle = unsafe COpenSSL_sk_X509_value(chain, 0)
        else {
            throw SecurityError(.untrusted, "An owner's certificate must be signed by the account's root.")
        }
        let owner = try unsafe Certificate(retaining: handle)
        guard owner.isOwner(of: account) else {
            throw SecurityError(.untrusted, "The certificate does not belong to an owner of this account.")
        }
        return owner.publicKey.owner
    }
}

extension Certificate {
    /// Whether the names and the validity are those of an owner of this account; the signature is not checked.
    func isOwner(of account: AccountIdentifier) -> Bool {
        isAuthority && lasts(atMost: Validity.ownerLimit)
            && uris(.owner) == [CertificateURI.owner(publicKey.owner).text]
            && uris(.account) == [CertificateURI.account(account).text]
    }
}
