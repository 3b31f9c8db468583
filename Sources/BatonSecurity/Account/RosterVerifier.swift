package import BatonCore
import Synchronization

/// Verifies the roster statements of one account.
///
/// The rules are those of a handshake, except that the time is not checked. Otherwise, the meaning of a statement would
/// change with time.
package struct RosterVerifier: StatementVerifier, Sendable {
    private let root: Certificate
    private let owners = RecentOwners()

    /// Makes a verifier that trusts this root.
    package init(root: Certificate) { self.root = root }

    package func verify(_ statement: RosterStatement) -> VerifiedStatement? {
        do throws(SecurityError) {
            switch statement {
            case .admission(let owner, let device): return try admission(owner, device, statement)
            case .revocation(let revocation): return try self.revocation(revocation)
            case .unknown: return nil
            }
        } catch {
            // An invalid statement has no effect, whatever the reason, because nobody can tell who wrote it.
            return nil
        }
    }

    package func verifies(_ proof: DeviceProof, of device: DeviceIdentifier, over bytes: [UInt8]) -> Bool {
        do throws(SecurityError) {
            let chain = AccountChain(
                root: root, owner: try owners.certificate(proof.owner),
                device: try Certificate(der: proof.device.bytes))
            // The cheap checks come first, because anybody can send unsigned data.
            guard chain.device.publicKey.device == device,
                try chain.device.publicKey.verifies(proof.signature, of: bytes)
            else { return false }
            return try chain.verify(at: nil).device == device
        } catch {
            return false
        }
    }

    private func admission(
        _ owner: RosterStatement.Certificate, _ device: RosterStatement.Certificate,
        _ statement: RosterStatement
    ) throws(SecurityError) -> VerifiedStatement {
        let chain = AccountChain(
            root: root, owner: try owners.certificate(owner), device: try Certificate(der: device.bytes))
        let identity = try chain.verify(at: nil)
        return .admission(
            Admission(
                device: identity.device, owner: chain.owner.publicKey.owner, name: identity.name,
                begins: WallTime(seconds: max(chain.owner.notBefore, chain.device.notBefore)),
                ends: WallTime(seconds: min(chain.owner.notAfter, chain.device.notAfter)),
                statement: statement))
    }

    private func revocation(_ revocation: Revocation) throws(SecurityError) -> VerifiedStatement {
        let certificate = try owners.certificate(revocation.owner)
        let owner = try owners.identity(of: certificate, under: root)
        guard try certificate.publicKey.verifies(revocation.signature, of: revocation.signedBytes) else {
            throw SecurityError(
                .untrusted, "The revocation is not signed by the owner that it names.")
        }
        let note = RevocationNote(by: owner, date: revocation.date)
        return switch revocation.subject {
        case .device(let device): .deviceRevocation(device, note)
        case .owner(let subject, let kept): .ownerRevocation(subject, kept: Set(kept), note)
        }
    }
}

/// A cache of the owners that signed the last statements: an account has few owners, and each may have signed
/// thousands.
private final class RecentOwners: Sendable {
    private let owners = Mutex<[Owner]>([])

    private struct Owner {
        let certificate: Certificate
        /// The identifier of the owner, once the owner's chain was verified; the result does not depend on the time.
        var identity: OwnerIdentifier?
    }

    private static let countMost = 4

    /// Returns the certificate in a statement; the certificate is not verified.
    func certificate(_ part: RosterStatement.Certificate) throws(SecurityError) -> Certificate {
        if let known = owners.withLock({ $0.first { $0.certificate.der == part.bytes } }) {
            return known.certificate
        }
        let certificate = try Certificate(der: part.bytes)
        owners.withLock { owners in
            if owners.count == Self.countMost { owners.removeFirst() }
            owners.append(Owner(certificate: certificate, identity: nil))
        }
        return certificate
    }

    /// Returns the owner whose certificate this is; throws if the root did not sign the certificate.
    func identity(of certificate: Certificate, under root: Certificate) throws(SecurityError)
        -> OwnerIdentifier
    {
        if let known = owners.withLock({ $0.first { $0.certificate == certificate } })?.identity {
            return known
        }
        let identity = try OwnerChain(root: root, owner: certificate).verify()
        owners.withLock { owners in
            guard let place = owners.firstIndex(where: { $0.certificate == certificate }) else { return }
            owners[place].identity = identity
        }
        return identity
    }
}

extension AccountChain {
    /// Returns the roster statement that admits the device of this chain; throws if a certificate is too long.
    package func admission() throws(SecurityError) -> RosterStatement {
        .admission(owner: try owner.statementPart(), device: try device.statementPart())
    }
}

extension Certificate {
    /// Returns the certificate in the form that roster statements contain; throws if it is too long.
    func statementPart() throws(SecurityError) -> RosterStatement.Certificate {
        guard let part = RosterStatement.Certificate(der) else {
            throw SecurityError(
                .malformed, "The certificate has \(der.count) bytes, which is too long for a statement.")
        }
        return part
    }
}

extension WallTime {
    /// Converts a certificate's time in seconds since 1970; the times of X.509 are always in range.
    fileprivate init(seconds: Int64) { self.init(milliseconds: seconds * 1000) }
}
