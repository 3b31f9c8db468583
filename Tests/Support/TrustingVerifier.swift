package import BatonCore

/// Believes every statement.
///
/// The bytes of a certificate are the identifier of the device or owner that it is about.
package struct TrustingVerifier: StatementVerifier {
    package init() {}

    package func verify(_ statement: RosterStatement) -> VerifiedStatement? {
        switch statement {
        case .admission(let owner, let device):
            guard let owner = OwnerIdentifier(bytes: owner.bytes),
                let device = DeviceIdentifier(bytes: device.bytes)
            else { return nil }
            return .admission(
                Admission(
                    device: device, owner: owner, begins: WallTime(milliseconds: 0),
                    ends: WallTime(milliseconds: 9), statement: statement))
        case .revocation(let revocation):
            guard let owner = OwnerIdentifier(bytes: revocation.owner.bytes) else { return nil }
            let note = RevocationNote(by: owner, date: revocation.date)
            switch revocation.subject {
            case .device(let device): return .deviceRevocation(device, note)
            case .owner(let subject, let kept):
                return .ownerRevocation(subject, kept: Set(kept), note)
            }
        case .unknown: return nil
        }
    }

    package func verifies(_ proof: DeviceProof, of device: DeviceIdentifier, over bytes: [UInt8]) -> Bool {
        proof.device.bytes == device.bytes
    }

    /// Returns the statement that an owner admits a device.
    package static func admission(
        of device: DeviceIdentifier, by owner: OwnerIdentifier
    ) throws(MissingCertificate) -> RosterStatement {
        guard let owner = RosterStatement.Certificate(owner.bytes),
            let device = RosterStatement.Certificate(device.bytes)
        else { throw MissingCertificate() }
        return .admission(owner: owner, device: device)
    }

    /// Returns the statement that an owner revokes a device or an owner.
    package static func revocation(
        of subject: Revocation.Subject, by owner: OwnerIdentifier, at date: WallTime
    ) throws(MissingCertificate) -> RosterStatement {
        guard let certificate = RosterStatement.Certificate(owner.bytes),
            let revocation = Revocation(subject: subject, date: date, owner: certificate, signature: [])
        else { throw MissingCertificate() }
        return .revocation(revocation)
    }

    /// An error for an identifier that is longer than a certificate may be, or a revocation that keeps too many devices.
    package struct MissingCertificate: Error {}
}
