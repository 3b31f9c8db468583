/// The content of a roster statement whose signatures were verified.
package enum VerifiedStatement: Hashable, Sendable {
    /// An owner admitted a device.
    case admission(Admission)
    /// A device no longer belongs to the account.
    case deviceRevocation(DeviceIdentifier, RevocationNote)
    /// An owner no longer belongs to the account, and neither do the devices that it admitted, except the kept ones.
    case ownerRevocation(OwnerIdentifier, kept: Set<DeviceIdentifier>, RevocationNote)
}

/// An owner's admission of a device by a certificate.
package struct Admission: Hashable, Sendable {
    package let device: DeviceIdentifier
    package let owner: OwnerIdentifier
    /// The name in the device's certificate.
    package let name: String
    /// The period in which a chain of these certificates is accepted; nothing else depends on it.
    package let begins, ends: WallTime
    /// The statement with the certificates, and the identity of its record.
    package let statement: RosterStatement
    package let identity: RecordIdentity

    package init(
        device: DeviceIdentifier, owner: OwnerIdentifier, name: String = "", begins: WallTime,
        ends: WallTime, statement: RosterStatement
    ) {
        self.device = device
        self.owner = owner
        self.name = name
        self.statement = statement
        (self.begins, self.ends) = (begins, ends)
        identity = statement.key.identity
    }

    /// Whether the certificate chain is valid at that time.
    package func holds(at time: WallTime) -> Bool { begins <= time && time <= ends }
}

/// The author of a revocation, and its time by the author's clock: shown to people, and used for no decision about
/// members.
package struct RevocationNote: Hashable, Comparable, Sendable {
    package let owner: OwnerIdentifier
    package let date: WallTime

    package init(by owner: OwnerIdentifier, date: WallTime) { (self.owner, self.date) = (owner, date) }

    /// Orders notes by date and then by owner; the smallest one is shown.
    package static func < (left: Self, right: Self) -> Bool {
        (left.date, left.owner) < (right.date, right.owner)
    }
}

/// Verifies statements.
///
/// The core has no cryptography, so a conforming type supplies it. The answer for a statement must never change: it
/// must not depend on the time or on other statements.
package protocol StatementVerifier {
    /// Returns the content of a statement if every signature and every name in it is valid; otherwise nil.
    func verify(_ statement: RosterStatement) -> VerifiedStatement?

    /// Returns whether the certificates of a proof admit the device, and the device's key signed these bytes.
    func verifies(_ proof: DeviceProof, of device: DeviceIdentifier, over bytes: [UInt8]) -> Bool
}
