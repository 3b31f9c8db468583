package import BatonCore

/// The root of an account while a person has entered the recovery code; the root signs only owners.
package struct RootAuthority: Sendable {
    /// The root's certificate; the account is defined by the key of the certificate, and not by its bytes.
    package let certificate: Certificate
    /// The key that seals the account's protected content.
    let contentKey: ContentKey
    private let key: PrivateKey

    /// Derives the root from a recovery code.
    ///
    /// The root's certificate does not expire, because renewing it would need the recovery code.
    package init(recoveryCode: RecoveryCode, now: Int64) throws(SecurityError) {
        key = try recoveryCode.rootKey()
        contentKey = try recoveryCode.contentKey()
        let account = key.publicKey.account
        certificate = try CertificateTemplate(
            kind: .root, commonName: "Baton account \(account)", uris: [.account(account)],
            publicKey: key.publicKey, notBefore: now - Validity.backdating, notAfter: Validity.forever
        ).signed(by: key)
    }

    /// The root's account.
    package var account: AccountIdentifier { key.publicKey.account }

    /// Issues a certificate for an owner; without a key, generates a key for a new owner.
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
        return OwnerAuthority(
            root: certificate, certificate: ownerCertificate, key: ownerKey, contentKey: contentKey)
    }
}
