package import BatonCore

/// An owner with its key: it admits devices to the account.
package struct OwnerAuthority: Sendable {
    /// The account's root.
    package let root: Certificate
    /// The owner's certificate, signed by the root.
    package let certificate: Certificate
    /// The owner's key.
    package let key: PrivateKey

    /// An owner whose parts belong together, which the caller has seen to.
    init(root: Certificate, certificate: Certificate, key: PrivateKey) {
        (self.root, self.certificate, self.key) = (root, certificate, key)
    }

    /// The account that the owner admits to.
    package var account: AccountIdentifier { root.publicKey.account }

    /// A certificate for a device with this key; it never outlives the owner's.
    package func certify(
        _ device: PublicKey, name: String, now: Int64, lasting time: Int64 = Validity.device
    ) throws(SecurityError) -> Certificate {
        try CertificateTemplate(
            kind: .device, commonName: DisplayName.sanitised(name),
            names: [.account(account), .device(device.device)], publicKey: device,
            notBefore: now - Validity.backdating,
            notAfter: min(now + time, self.certificate.notAfter)
        ).signed(by: key, issuer: certificate)
    }
}
