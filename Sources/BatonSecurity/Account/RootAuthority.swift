package import BatonCore

/// The root of an account while its recovery code is at hand; it signs only owners.
package struct RootAuthority: Sendable {
    /// The root's certificate; its key, not its bytes, defines the account.
    package let certificate: Certificate
    private let key: PrivateKey

    /// Derives the root from a recovery code.
    ///
    /// Its certificate does not expire, because renewing it would take the recovery code.
    package init(recoveryCode: RecoveryCode, now: Int64) throws(SecurityError) {
        key = try recoveryCode.rootKey()
        let account = key.publicKey.account
        certificate = try CertificateTemplate(
            kind: .root, commonName: "Baton account \(account)", uris: [.account(account)],
            publicKey: key.publicKey, notBefore: now - Validity.backdating, notAfter: Validity.forever
        ).signed(by: key)
    }

    /// The root's account.
    package var account: AccountIdentifier { key.publicKey.account }

    /// Signs an owner: the existing one if its key is given, else a new one.
    package func makeOwner(keeping key: PrivateKey? = nil, now: Int64) throws(SecurityError) -> OwnerAuthority
    {
        let ownerKey: PrivateKey
        if let key { ownerKey = key } else { ownerKey = try PrivateKey.generate() }
        let owner = ownerKey.publicKey.owner
        let ownerCertificate = try CertificateTemplate(
            kind: .owner, commonName: "Baton owner \(owner)", uris: [.account(account), .owner(owner)],
            publicKey: ownerKey.publicKey,
            notBefore: now - Validity.backdating, notAfter: now + Validity.owner
        ).signed(by: self.key, issuer: certificate)
        return OwnerAuthority(root: certificate, certificate: ownerCertificate, key: ownerKey)
    }
}
