package import BatonCore

/// The root of an account while the person's recovery code is at hand: it signs owners, and nothing else.
package struct RootAuthority: Sendable {
    /// The root's certificate; its key, not its bytes, is what makes the account.
    package let certificate: Certificate
    private let key: PrivateKey

    /// The root that a recovery code stands for.
    ///
    /// Its certificate does not expire, because only the paper could renew it.
    package init(recoveryCode: RecoveryCode, now: Int64) throws(SecurityError) {
        key = try recoveryCode.rootKey()
        let account = key.publicKey.account
        certificate = try CertificateTemplate(
            kind: .root, commonName: "Baton account \(account)", uris: [.account(account)],
            publicKey: key.publicKey, notBefore: now - Validity.backdating, notAfter: Validity.forever
        ).signed(by: key)
    }

    /// The account that the root is the root of.
    package var account: AccountIdentifier { key.publicKey.account }

    /// An owner with that key, which then goes on as the owner that it was; a new one without.
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
