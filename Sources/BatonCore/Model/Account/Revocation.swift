/// An owner's signed statement that a device or an owner no longer belongs to the account.
package struct Revocation: Hashable, Sendable {
    /// The revoked device or owner.
    package let subject: Subject
    /// The time of the revocation by its author's clock; it decides nothing about who belongs to the account.
    package let date: WallTime
    /// The certificate of the owner who revokes.
    package let owner: RosterStatement.Certificate
    /// The owner's signature of `signedBytes`.
    package let signature: [UInt8]

    /// The revoked device, or the revoked owner with the devices that stay.
    package enum Subject: Hashable, Sendable {
        case device(DeviceIdentifier)
        /// The list has the devices that the owner admitted and that stay members: ascending, each once, at most
        /// `keptMost`.
        case owner(OwnerIdentifier, kept: [DeviceIdentifier])

        /// Whether the list is in ascending order without repetitions, and fits a statement.
        fileprivate var isWellFormed: Bool {
            guard case .owner(_, let kept) = self else { return true }
            return kept.count <= Revocation.keptMost && zip(kept, kept.dropFirst()).allSatisfy { $0 < $1 }
        }
    }

    /// Creates a revocation; nil if the signature has too many bytes, or the list is too long or out of order.
    package init?(
        subject: Subject, date: WallTime, owner: RosterStatement.Certificate, signature: [UInt8]
    ) {
        guard signature.count <= Self.signatureBytes, subject.isWellFormed else { return nil }
        self.subject = subject
        self.date = date
        self.owner = owner
        self.signature = signature
    }

    /// The longest signature in bytes; several times what the account's kinds of key need.
    package static let signatureBytes = 512
    /// The most devices of a revoked owner that stay, so that the longest statement fits the name of a record.
    ///
    /// To keep more devices, an owner admits the remaining ones again.
    package static let keptMost = 96

    /// The bytes that the signature covers.
    package var signedBytes: [UInt8] { Self.signedBytes(subject: subject, date: date, owner: owner) }

    /// Returns the bytes that an owner signs for a revocation: an array whose first element occurs in no other signed
    /// data.
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

    /// Writes the elements that the statement and the signed bytes share.
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

    /// Writes the elements after the statement's number.
    func encode(to writer: inout CBORWriter) {
        Self.encode(subject, date, owner, to: &writer)
        writer.data(signature)
    }

    /// Reads the elements after the number of a device's revocation.
    init(ofDeviceFrom reader: inout CBORReader) throws(CBORError) {
        subject = .device(try reader.identifier())
        date = try WallTime(from: &reader)
        owner = try RosterStatement.Certificate(from: &reader)
        signature = try reader.data(upTo: Self.signatureBytes)
    }

    /// Reads the elements after the number of an owner's revocation.
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
