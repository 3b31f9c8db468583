/// The content of a roster statement whose signatures were verified.
package enum VerifiedStatement: Hashable, Sendable {
    /// An owner admitted a device.
    case admission(Admission)
    /// A device no longer belongs to the account.
    case deviceRevocation(DeviceIdentifier, RevocationNote)
    /// An owner no longer belongs to the account.
    ///
    /// The devices that it admitted no longer belong to it either, except the kept devices.
    case ownerRevocation(OwnerIdentifier, kept: Set<DeviceIdentifier>, RevocationNote)
}

/// An owner's admission of a device by a certificate.
package struct Admission: Hashable, Sendable {
    package let device: DeviceIdentifier
    package let owner: OwnerIdentifier
    /// The name in the device's certificate.
    package let name: String
    /// The period in which peers accept the certificate chain.
    ///
    /// Nothing else depends on these times.
    package let begins, ends: WallTime
    /// The statement that contains the certificates, and the identity of the statement's record.
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

/// The owner who made a revocation, and the time by that owner's clock.
///
/// Both are shown to people. They do not affect who is a member.
package struct RevocationNote: Hashable, Comparable, Sendable {
    package let owner: OwnerIdentifier
    package let date: WallTime

    package init(by owner: OwnerIdentifier, date: WallTime) { (self.owner, self.date) = (owner, date) }

    /// Orders notes by date and then by owner.
    ///
    /// The smallest note of a device or owner is the one that people see.
    package static func < (left: Self, right: Self) -> Bool {
        (left.date, left.owner) < (right.date, right.owner)
    }
}

/// Verifies the signatures of roster statements.
///
/// This module has no cryptography, so another module conforms to this protocol. The answer for a statement must never
/// change. It must not depend on the time or on other statements.
package protocol StatementVerifier {
    /// Returns the content of a statement if every signature and every name in it is valid; otherwise nil.
    func verify(_ statement: RosterStatement) -> VerifiedStatement?

    /// Whether the proof's certificates admit the device, and the proof's signature is by the device's key over these
    /// bytes.
    func verifies(_ proof: DeviceProof, of device: DeviceIdentifier, over bytes: [UInt8]) -> Bool
}
