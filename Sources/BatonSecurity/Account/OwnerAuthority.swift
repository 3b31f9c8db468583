package import BatonCore

/// An owner and its private key, which can admit and revoke devices, and revoke owners.
package struct OwnerAuthority: Sendable {
    /// The account's root certificate.
    package let root: Certificate
    /// The owner's certificate, signed by the root.
    package let certificate: Certificate
    /// The owner's private key.
    package let key: PrivateKey
    /// The key of the account's protected content, which an admitted device gets; nil while it is locked.
    let contentKey: ContentKey?

    /// Makes an authority from parts that the caller has checked to belong together.
    init(root: Certificate, certificate: Certificate, key: PrivateKey, contentKey: ContentKey?) {
        (self.root, self.certificate, self.key) = (root, certificate, key)
        self.contentKey = contentKey
    }

    /// The owner's account.
    package var account: AccountIdentifier { root.publicKey.account }

    /// The owner's identifier.
    package var owner: OwnerIdentifier { certificate.publicKey.owner }

    /// Issues a certificate for the device with this key; the certificate expires no later than the owner's
    /// certificate.
    package func certify(
        _ device: PublicKey, name: String, now: Int64, lasting time: Int64 = Validity.device
    ) throws(SecurityError) -> Certificate {
        try CertificateTemplate(
            kind: .device, commonName: DisplayName.sanitised(name),
            uris: [.account(account), .device(device.device)], publicKey: device,
            notBefore: now - Validity.backdating,
            notAfter: min(now + time, self.certificate.notAfter)
        ).signed(by: key, issuer: certificate)
    }

    // MARK: Statements

    /// Admits the device with this key; returns the roster statement, and the device's certificate in that statement.
    package func admit(
        _ device: PublicKey, name: String, now: Int64, lasting time: Int64 = Validity.device
    ) throws(SecurityError) -> (statement: RosterStatement, certificate: Certificate) {
        let signed = try certify(device, name: name, now: now, lasting: time)
        let chain = AccountChain(root: root, owner: certificate, device: signed)
        return (try chain.admission(), signed)
    }

    /// Issues another certificate for a device that was admitted earlier.
    ///
    /// This renews a certificate, or replaces one whose owner was revoked. The key and the name are taken from the
    /// admission, so the device need not be connected. The admission must belong to this account. The caller must check
    /// that the device is a member.
    package func readmit(
        _ admission: RosterStatement, now: Int64, lasting time: Int64 = Validity.device
    ) throws(SecurityError) -> (statement: RosterStatement, certificate: Certificate) {
        guard case .admission(let owner, let device) = admission else {
            throw SecurityError(.malformed, "Only an admission contains a certificate that can be renewed.")
        }
        let chain = AccountChain(
            root: root, owner: try Certificate(der: owner.bytes), device: try Certificate(der: device.bytes))
        let identity = try chain.verify(at: nil)
        return try admit(identity.certificate.publicKey, name: identity.name, now: now, lasting: time)
    }

    /// Revokes a device.
    package func revoke(
        _ device: DeviceIdentifier, now: WallTime
    ) throws(SecurityError) -> RosterStatement {
        try revoke(.device(device), now: now)
    }

    /// Revokes an owner, and with it all devices that the owner admitted, except the devices in `kept`.
    ///
    /// `Roster.leaving` returns the devices to keep. If they are too many for one statement, the others must be
    /// readmitted first.
    package func revoke(
        _ owner: OwnerIdentifier, kept: [DeviceIdentifier], now: WallTime
    ) throws(SecurityError) -> RosterStatement {
        let kept = Set(kept).sorted()
        guard kept.count <= Revocation.keptMost else {
            throw SecurityError(
                .excess,
                """
                A revocation can keep \(Revocation.keptMost) devices, and there are \(kept.count): \
                admit the others again first.
                """)
        }
        return try revoke(.owner(owner, kept: kept), now: now)
    }

    private func revoke(_ subject: Revocation.Subject, now: WallTime) throws(SecurityError) -> RosterStatement
    {
        let part = try certificate.statementPart()
        let signature = try key.sign(Revocation.signedBytes(subject: subject, date: now, owner: part))
        guard
            let revocation = Revocation(subject: subject, date: now, owner: part, signature: signature)
        else {
            throw SecurityError(.openSSL, "The signature of a revocation has \(signature.count) bytes.")
        }
        return .revocation(revocation)
    }
}
