/// That a device or an owner belongs to the account no longer, signed by an owner.
package struct Revocation: Hashable, Sendable {
    /// Who is revoked.
    package let subject: RosterSubject
    /// When it was, by the clock of who did it.
    package let date: WallTime
    /// The certificate of the owner who says so.
    package let owner: RosterStatement.Certificate
    /// That owner's signature of `signedBytes`.
    package let signature: [UInt8]

    /// The revocation, or nothing if the signature has too many bytes.
    package init?(
        subject: RosterSubject, date: WallTime, owner: RosterStatement.Certificate, signature: [UInt8]
    ) {
        guard signature.count <= Self.signatureBytes else { return nil }
        (self.subject, self.date, self.owner, self.signature) = (subject, date, owner, signature)
    }

    /// The longest signature, many times what the account's kinds of key need.
    package static let signatureBytes = 512

    /// The bytes that the signature is made of.
    package var signedBytes: [UInt8] { Self.signedBytes(subject: subject, date: date, owner: owner) }

    /// The bytes that an owner signs to revoke someone: one array, whose first part no other signed thing has.
    package static func signedBytes(
        subject: RosterSubject, date: WallTime, owner: RosterStatement.Certificate
    ) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(count: 4)
        writer.text("baton-revocation/1")
        writer.identifier(subject)
        date.encode(to: &writer)
        writer.data(owner.bytes)
        return writer.bytes
    }

    /// Writes the parts behind the statement's number.
    func encode(to writer: inout CBORWriter) {
        writer.identifier(subject)
        date.encode(to: &writer)
        writer.data(owner.bytes)
        writer.data(signature)
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        subject = try reader.identifier()
        date = try WallTime(from: &reader)
        owner = try RosterStatement.Certificate(from: &reader)
        signature = try reader.data(upTo: Self.signatureBytes)
    }
}

/// A device or an owner of the account: the first sixteen bytes of the SHA-256 of its public key.
package struct RosterSubject: Identifier {
    package let high, low: UInt64
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    package init(_ device: DeviceIdentifier) { self.init(high: device.high, low: device.low) }
}
