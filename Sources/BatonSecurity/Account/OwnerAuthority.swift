package import BatonCore

/// An owner with its private key, which can admit and revoke devices and owners.
package struct OwnerAuthority: Sendable {
    /// The account's root certificate.
    package let root: Certificate
    /// The owner's certificate, signed by the root.
    package let certificate: Certificate
    /// The owner's private key.
    package let key: PrivateKey

    /// Makes an authority of parts that the caller has checked to belong together.
    init(root: Certificate, certificate: Certificate, key: PrivateKey) {
        (self.root, self.certificate, self.key) = (root, certificate, key)
    }

    /// The owner's account.
    package var account: AccountIdentifier { root.publicKey.account }

    /// The owner's identifier.
    package var owner: OwnerIdentifier { certificate.publicKey.owner }

    /// Issues a certificate for a device with this key; it never outlives the owner's certificate.
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

    /// Admits the device with that key; returns the roster statement and the device's certificate in it.
    package func admit(
        _ device: PublicKey, name: String, now: Int64, lasting time: Int64 = Validity.device
    ) throws(SecurityError) -> (statement: RosterStatement, certificate: Certificate) {
        let signed = try certify(device, name: name, now: now, lasting: time)
        let chain = AccountChain(root: root, owner: certificate, device: signed)
        return (try chain.admission(), signed)
    }

    /// Issues another certificate for an admitted device, to renew it or because its owner was revoked.
    ///
    /// The key and the name come from the admission, so the device need not be connected. The admission must be of this
    /// account. The caller must check that the device is a member.
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

    /// Revokes an owner, and with it all devices that it admitted, except the devices in `kept`.
    ///
    /// `Roster.leaving` returns the devices to keep. Devices that do not fit into the statement must be readmitted
    /// first.
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
