/// What a statement of the roster says, once the signatures in it were found to hold.
package enum VerifiedStatement: Hashable, Sendable {
    /// An owner let a device in.
    case admission(Admission)
    /// A device belongs to the account no longer.
    case deviceRevocation(DeviceIdentifier, RevocationNote)
    /// An owner does not any more, nor what it admitted, but for those devices.
    case ownerRevocation(OwnerIdentifier, kept: Set<DeviceIdentifier>, RevocationNote)
}

/// That an owner let a device in, by a certificate.
package struct Admission: Hashable, Sendable {
    package let device: DeviceIdentifier
    package let owner: OwnerIdentifier
    /// From when and until when a chain of these certificates opens doors; nothing else is decided by that.
    package let begins, ends: WallTime
    /// The statement, which has the certificates.
    package let statement: RosterStatement

    package init(
        device: DeviceIdentifier, owner: OwnerIdentifier, begins: WallTime, ends: WallTime,
        statement: RosterStatement
    ) {
        (self.device, self.owner, self.statement) = (device, owner, statement)
        (self.begins, self.ends) = (begins, ends)
    }

    /// Whether its chain opens doors at that time.
    package func holds(at time: WallTime) -> Bool { begins <= time && time <= ends }
}

/// Who revoked someone, and when that was by the clock there: for people, and for no decision.
package struct RevocationNote: Hashable, Comparable, Sendable {
    package let owner: OwnerIdentifier
    package let date: WallTime

    package init(by owner: OwnerIdentifier, date: WallTime) { (self.owner, self.date) = (owner, date) }

    /// The earliest one is told, and of those of one date that of the smallest owner.
    package static func < (left: Self, right: Self) -> Bool {
        (left.date, left.owner) < (right.date, right.owner)
    }
}

/// Finds out what statements say.
///
/// The core knows no cryptography; who does says what holds, and must answer the same for the same statement for ever:
/// no time, no other statement has a say in it.
package protocol StatementVerifier {
    /// What the statement says, if every signature and every name in it is right; else it says nothing.
    func verify(_ statement: RosterStatement) -> VerifiedStatement?
}
