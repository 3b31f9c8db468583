/// That a device or an owner belongs to the account no longer, signed by an owner.
package struct Revocation: Hashable, Sendable {
    /// Who is revoked.
    package let subject: Subject
    /// When it was, by the clock of who did it; nothing is decided by it.
    package let date: WallTime
    /// The certificate of the owner who says so.
    package let owner: RosterStatement.Certificate
    /// That owner's signature of `signedBytes`.
    package let signature: [UInt8]

    /// Who is revoked, and what of an owner's stays.
    package enum Subject: Hashable, Sendable {
        case device(DeviceIdentifier)
        /// With the devices that stay, of those which the owner admitted: ascending, each once, at most `keptMost`.
        case owner(OwnerIdentifier, kept: [DeviceIdentifier])

        /// Whether the list has the one order that a signature can be about, and fits a statement.
        fileprivate var isWellFormed: Bool {
            guard case .owner(_, let kept) = self else { return true }
            return kept.count <= Revocation.keptMost && zip(kept, kept.dropFirst()).allSatisfy { $0 < $1 }
        }
    }

    /// The revocation, or nothing if the signature has too many bytes, or the list is too long or out of order.
    package init?(
        subject: Subject, date: WallTime, owner: RosterStatement.Certificate, signature: [UInt8]
    ) {
        guard signature.count <= Self.signatureBytes, subject.isWellFormed else { return nil }
        (self.subject, self.date, self.owner, self.signature) = (subject, date, owner, signature)
    }

    /// The longest signature, many times what the account's kinds of key need.
    package static let signatureBytes = 512
    /// How many devices of a revoked owner stay at the most, so that the longest statement fits the name of a record.
    ///
    /// Who wants more to stay admits the others anew.
    package static let keptMost = 96

    /// The bytes that the signature is made of.
    package var signedBytes: [UInt8] { Self.signedBytes(subject: subject, date: date, owner: owner) }

    /// The bytes that an owner signs to revoke someone: one array, whose first part no other signed thing has.
    package static func signedBytes(
        subject: Subject, date: WallTime, owner: RosterStatement.Certificate
    ) -> [UInt8] {
        var writer = CBORWriter()
        switch subject {
        case .device:
            writer.array(count: 4)
            writer.text("baton-revocation/1")
        case .owner:
            writer.array(count: 5)
            writer.text("baton-owner-revocation/1")
        }
        encode(subject, date, owner, to: &writer)
        return writer.bytes
    }

    /// Writes what the statement and what is signed have in common.
    private static func encode(
        _ subject: Subject, _ date: WallTime, _ owner: RosterStatement.Certificate,
        to writer: inout CBORWriter
    ) {
        switch subject {
        case .device(let device): writer.identifier(device)
        case .owner(let owner, _): writer.identifier(owner)
        }
        date.encode(to: &writer)
        writer.data(owner.bytes)
        guard case .owner(_, let kept) = subject else { return }
        writer.array(count: kept.count)
        for device in kept { writer.identifier(device) }
    }

    /// Writes the parts behind the statement's number.
    func encode(to writer: inout CBORWriter) {
        Self.encode(subject, date, owner, to: &writer)
        writer.data(signature)
    }

    /// Reads the parts behind the number of a device's revocation.
    init(ofDeviceFrom reader: inout CBORReader) throws(CBORError) {
        subject = .device(try reader.identifier())
        date = try WallTime(from: &reader)
        owner = try RosterStatement.Certificate(from: &reader)
        signature = try reader.data(upTo: Self.signatureBytes)
    }

    /// Reads the parts behind the number of an owner's revocation.
    init(ofOwnerFrom reader: inout CBORReader) throws(CBORError) {
        let name = try reader.identifier(OwnerIdentifier.self)
        date = try WallTime(from: &reader)
        owner = try RosterStatement.Certificate(from: &reader)
        let start = reader.offset
        let kept = try reader.array(upTo: Self.keptMost) { (reader) throws(CBORError) in
            try reader.identifier(DeviceIdentifier.self)
        }
        subject = .owner(name, kept: kept)
        guard subject.isWellFormed else { throw CBORError(.outOfRange, at: start) }
        signature = try reader.data(upTo: Self.signatureBytes)
    }
}
