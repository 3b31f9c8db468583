import BatonCore
import COpenSSL

/// The path by which an owner is trusted: the account's root signed it.
struct OwnerChain {
    let root: Certificate
    let owner: Certificate

    /// Which owner it is, if the signature, the purpose and the names are right, whatever the time.
    func verify() throws(SecurityError) -> OwnerIdentifier {
        let store = unsafe try OpenSSL.make("verify an owner") { unsafe X509_STORE_new() }
        defer { unsafe X509_STORE_free(store) }
        let context = unsafe try OpenSSL.make("verify an owner") { unsafe X509_STORE_CTX_new() }
        defer { unsafe X509_STORE_CTX_free(context) }

        // The store and the context retain.
        try OpenSSL.succeed("trust a root") {
            unsafe root.withHandle { unsafe X509_STORE_add_cert(store, $0) }
        }
        try OpenSSL.succeed("verify an owner") {
            unsafe owner.withHandle { unsafe X509_STORE_CTX_init(context, store, $0, nil) }
        }
        unsafe ChainRules.apply(to: X509_STORE_CTX_get0_param(context), time: nil)
        unsafe ChainRules.ignoreTime(in: X509_STORE_CTX_get0_param(context))
        return unsafe try ChainRules.judgeOwner(context, account: root.publicKey.account)
    }
}

extension ChainRules {
    /// Verifies the chain of an owner that a context was made for, then the rules that OpenSSL does not know.
    @unsafe static func judgeOwner(
        _ context: OpaquePointer, account: AccountIdentifier
    ) throws(SecurityError) -> OwnerIdentifier {
        let chain = unsafe try verify(context, what: "The owner is not one of this account")
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
        isAuthority && holds(noLongerThan: Validity.ownerLimit)
            && names(.owner) == [UniformName.owner(publicKey.owner).text]
            && names(.account) == [UniformName.account(account).text]
    }
}
