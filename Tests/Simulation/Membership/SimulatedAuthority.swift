import BatonCore
import Support

/// The certificates and signatures of a world: values that are valid only if the named owner really made them.
///
/// Made-up bytes never match one of these values.
final class SimulatedAuthority: StatementVerifier {
    private var generator: SeededGenerator
    /// The owner certificates, which the root signed.
    private var owners: [[UInt8]: OwnerIdentifier] = [:]
    private var certificates: [OwnerIdentifier: RosterStatement.Certificate] = [:]
    /// The device certificates, which owners signed.
    private var devices: [[UInt8]: Signed] = [:]
    /// The signed revocations.
    private var revocations: Set<Revocation> = []

    /// The owner that admits every device in a world without a roster.
    private var plainOwner: OwnerIdentifier?
    private var plain: [DeviceIdentifier: RosterStatement] = [:]

    private struct Signed { let device: DeviceIdentifier, owner: OwnerIdentifier }

    init(seed: UInt64) { generator = SeededGenerator(seed: seed, for: "authority") }

    // MARK: Real statements

    /// Makes an owner, whose certificate the root signs.
    func makeOwner() -> OwnerIdentifier {
        let owner: OwnerIdentifier = generator.identifier()
        let certificate = makeCertificate()
        owners[certificate.bytes] = owner
        certificates[owner] = certificate
        return owner
    }

    /// Admits a device in the name of an owner.
    func admit(_ device: DeviceIdentifier, by owner: OwnerIdentifier) -> RosterStatement {
        let certificate = makeCertificate()
        devices[certificate.bytes] = Signed(device: device, owner: owner)
        return .admission(owner: self.certificate(of: owner), device: certificate)
    }

    /// Revokes a device or an owner.
    func revoke(
        _ subject: Revocation.Subject, by owner: OwnerIdentifier, at date: WallTime
    ) -> RosterStatement {
        let revocation = revocation(subject, of: owner, at: date)
        revocations.insert(revocation)
        return .revocation(revocation)
    }

    /// The admission of a device in a world without a roster, where one owner lets everyone in.
    func admitPlainly(_ device: DeviceIdentifier) -> RosterStatement {
        if let statement = plain[device] { return statement }
        let owner = plainOwner ?? makeOwner()
        plainOwner = owner
        let statement = admit(device, by: owner)
        plain[device] = statement
        return statement
    }

    // MARK: Forged statements

    /// Returns statements made up by someone who has certificates of others, and no key but its own.
    func forge(about device: DeviceIdentifier, against owner: OwnerIdentifier) -> RosterStatement {
        switch generator.number(0...2) {
        case 0: return forgeAdmission(against: owner)
        case 1:
            return .revocation(revocation(.device(device), of: owner, at: WallTime(milliseconds: 0)))
        default:
            return .revocation(revocation(.owner(owner, kept: []), of: owner, at: WallTime(milliseconds: 0)))
        }
    }

    /// Returns a made-up admission.
    func forgeAdmission(against owner: OwnerIdentifier) -> RosterStatement {
        let known = certificate(of: owner)
        // The certificate of a device, which is no owner's.
        let all = devices.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let stolen = RosterStatement.Certificate(generator.pick(all)) ?? known
        switch generator.number(0...2) {
        case 0: return .admission(owner: known, device: makeCertificate())
        case 1: return .admission(owner: makeCertificate(), device: makeCertificate())
        default: return .admission(owner: stolen, device: stolen)
        }
    }

    private func revocation(
        _ subject: Revocation.Subject, of owner: OwnerIdentifier, at date: WallTime
    ) -> Revocation {
        let revocation = Revocation(
            subject: subject, date: date, owner: certificate(of: owner), signature: generator.bytes(8...8))
        guard let revocation else { preconditionFailure("a world has few devices") }
        return revocation
    }

    private func makeCertificate() -> RosterStatement.Certificate {
        guard let certificate = RosterStatement.Certificate(generator.bytes(12...12)) else {
            preconditionFailure("twelve bytes are few")
        }
        return certificate
    }

    private func certificate(of owner: OwnerIdentifier) -> RosterStatement.Certificate {
        guard let certificate = certificates[owner] else { preconditionFailure("every owner has one") }
        return certificate
    }

    // MARK: Verification

    func verifies(_ proof: DeviceProof, of device: DeviceIdentifier, over bytes: [UInt8]) -> Bool {
        let shown = RosterStatement.admission(owner: proof.owner, device: proof.device)
        guard case .admission(let admission)? = verify(shown) else { return false }
        return admission.device == device
            && proof.signature == SimulatedSigner.signature(of: device, over: bytes)
    }

    func verify(_ statement: RosterStatement) -> VerifiedStatement? {
        switch statement {
        case .admission(let owner, let device):
            guard let owner = owners[owner.bytes], let signed = devices[device.bytes], signed.owner == owner
            else { return nil }
            let (begins, ends) = (WallTime(milliseconds: .min), WallTime(milliseconds: .max))
            return .admission(
                Admission(
                    device: signed.device, owner: owner, begins: begins, ends: ends, statement: statement))
        case .revocation(let revocation):
            guard let owner = owners[revocation.owner.bytes], revocations.contains(revocation) else {
                return nil
            }
            let note = RevocationNote(by: owner, date: revocation.date)
            switch revocation.subject {
            case .device(let device): return .deviceRevocation(device, note)
            case .owner(let other, let kept): return .ownerRevocation(other, kept: Set(kept), note)
            }
        case .unknown: return nil
        }
    }
}

/// Signs the record of a device of a world.
struct SimulatedSigner: DeviceSigner {
    let owner, device: RosterStatement.Certificate
    /// The device whose key it has.
    let key: DeviceIdentifier

    /// The signer of a device that was admitted by that statement; nil for another statement.
    init?(_ key: DeviceIdentifier, admittedBy statement: RosterStatement?) {
        guard case .admission(let owner, let device)? = statement else { return nil }
        (self.key, self.owner, self.device) = (key, owner, device)
    }

    func sign(_ bytes: [UInt8]) -> [UInt8]? { Self.signature(of: key, over: bytes) }

    func activityMark(_ bytes: [UInt8]) -> [UInt8] {
        Array(Self.signature(of: key, over: bytes).prefix(ActivityMark.byteCount))
    }

    /// A signature that only the device makes, by the rules of the simulator.
    static func signature(of device: DeviceIdentifier, over bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(device.bytes)
        hash.update(bytes)
        return hash.finish()
    }
}
