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

    /// The owner itself.
    package var owner: OwnerIdentifier { certificate.publicKey.owner }

    /// A certificate for a device with this key; it never outlives the owner's.
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

    /// Lets in the device with that key: the statement, and the certificate in it, by which the device opens doors.
    package func admit(
        _ device: PublicKey, name: String, now: Int64, lasting time: Int64 = Validity.device
    ) throws(SecurityError) -> (statement: RosterStatement, certificate: Certificate) {
        let signed = try certify(device, name: name, now: now, lasting: time)
        let chain = AccountChain(root: root, owner: certificate, device: signed)
        return (try chain.admission(), signed)
    }

    /// Renews a certificate, or lets in anew whom a revoked owner admitted: by the key and the name that the admission
    /// has, so that the device needs not be there.
    ///
    /// It must be an admission of this account; whether the device is a member is asked of the roster.
    package func readmit(
        _ admission: RosterStatement, now: Int64, lasting time: Int64 = Validity.device
    ) throws(SecurityError) -> (statement: RosterStatement, certificate: Certificate) {
        guard case .admission(let owner, let device) = admission else {
            throw SecurityError(.malformed, "Only an admission has a certificate that can be renewed.")
        }
        let chain = AccountChain(
            root: root, owner: try Certificate(der: owner.bytes), device: try Certificate(der: device.bytes))
        let identity = try chain.verify(at: nil)
        return try admit(identity.certificate.publicKey, name: identity.name, now: now, lasting: time)
    }

    /// Says that a device belongs to the account no longer.
    package func revoke(
        _ device: DeviceIdentifier, now: WallTime
    ) throws(SecurityError) -> RosterStatement {
        try revoke(.device(device), now: now)
    }

    /// Says that an owner belongs to the account no longer, nor what it admitted but for those devices.
    ///
    /// The roster knows which (`Roster.leaving`); those for which there is no room are admitted anew, before this.
    package func revoke(
        _ owner: OwnerIdentifier, kept: [DeviceIdentifier], now: WallTime
    ) throws(SecurityError) -> RosterStatement {
        let kept = Set(kept).sorted()
        guard kept.count <= Revocation.keptMost else {
            throw SecurityError(
                .excess,
                """
                A revocation can keep \(Revocation.keptMost) devices, and there are \(kept.count): \
                admit the others anew first.
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
