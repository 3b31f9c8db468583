import BatonCore
import COpenSSL

/// The certificate chain that makes a device trusted: the account's root signed the owner, and the owner the device.
package struct AccountChain: Sendable {
    package let root: Certificate
    package let owner: Certificate
    package let device: Certificate

    /// Makes a chain that is not verified yet.
    package init(root: Certificate, owner: Certificate, device: Certificate) {
        (self.root, self.owner, self.device) = (root, owner, device)
    }

    /// Verifies all signatures, purposes and names of the chain, and returns the identity of the device.
    ///
    /// Without a time, the chain may have expired. A device must be able to read its own expired identity in order to
    /// renew it.
    package func verify(at time: Int64?) throws(SecurityError) -> DeviceIdentity {
        let store = unsafe try OpenSSL.make("verify a chain") { unsafe X509_STORE_new() }
        defer { unsafe X509_STORE_free(store) }
        let others = unsafe try OpenSSL.make("verify a chain") { unsafe COpenSSL_sk_X509_new_null() }
        defer { unsafe COpenSSL_sk_X509_free(others) }
        let context = unsafe try OpenSSL.make("verify a chain") { unsafe X509_STORE_CTX_new() }
        defer { unsafe X509_STORE_CTX_free(context) }

        // The stack only borrows its certificate. The store and the context retain their certificates.
        try OpenSSL.succeed("trust a root") {
            unsafe root.withHandle { unsafe X509_STORE_add_cert(store, $0) }
        }
        try OpenSSL.succeed("add an owner to a chain") {
            unsafe owner.withHandle { unsafe COpenSSL_sk_X509_push(others, $0) }
        }
        try OpenSSL.succeed("verify a chain") {
            unsafe device.withHandle { unsafe X509_STORE_CTX_init(context, store, $0, others) }
        }
        unsafe ChainRules.apply(to: X509_STORE_CTX_get0_param(context), time: time)
        if time == nil { unsafe ChainRules.ignoreTime(in: X509_STORE_CTX_get0_param(context)) }
        try OpenSSL.succeed("verify a chain") {
            unsafe X509_STORE_CTX_set_purpose(context, X509_PURPOSE_SSL_CLIENT)
        }
        return unsafe try ChainRules.verifyDevice(context, account: root.publicKey.account).device
    }
}

/// The certificate chain that makes an owner trusted: the account's root signed the owner.
struct OwnerChain {
    let root: Certificate
    let owner: Certificate

    /// Verifies the signature, the purpose and the names, but not the time; returns the owner.
    func verify() throws(SecurityError) -> OwnerIdentifier {
        let store = unsafe try OpenSSL.make("verify an owner") { unsafe X509_STORE_new() }
        defer { unsafe X509_STORE_free(store) }
        let context = unsafe try OpenSSL.make("verify an owner") { unsafe X509_STORE_CTX_new() }
        defer { unsafe X509_STORE_CTX_free(context) }

        // The store and the context retain their certificates.
        try OpenSSL.succeed("trust a root") {
            unsafe root.withHandle { unsafe X509_STORE_add_cert(store, $0) }
        }
        try OpenSSL.succeed("verify an owner") {
            unsafe owner.withHandle { unsafe X509_STORE_CTX_init(context, store, $0, nil) }
        }
        unsafe ChainRules.apply(to: X509_STORE_CTX_get0_param(context), time: nil)
        unsafe ChainRules.ignoreTime(in: X509_STORE_CTX_get0_param(context))
        return unsafe try ChainRules.verifyOwner(context, account: root.publicKey.account)
    }
}
