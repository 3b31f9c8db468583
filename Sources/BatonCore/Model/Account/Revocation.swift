/// An owner's signed statement that a device or an owner no longer belongs to the account.
package struct Revocation: Hashable, Sendable {
    /// The revoked device or owner.
    package let subject: Subject
    /// The time of the revocation by its author's clock.
    ///
    /// It does not affect who belongs to the account.
    package let date: WallTime
    /// The certificate of the owner who revokes.
    package let owner: RosterStatement.Certificate
    /// The owner's signature of `signedBytes`.
    package let signature: [UInt8]

    /// The revoked device, or the revoked owner and the devices that stay members.
    package enum Subject: Hashable, Sendable {
        case device(DeviceIdentifier)
        /// `kept` lists the devices that the owner admitted and that stay members.
        ///
        /// The list is in ascending order without repetitions, and has at most `keptMost` devices.
        case owner(OwnerIdentifier, kept: [DeviceIdentifier])

        /// Whether the list is in ascending order without repetitions, and is short enough for a statement.
        fileprivate var isWellFormed: Bool {
            guard case .owner(_, let kept) = self else { return true }
            return kept.count <= Revocation.keptMost && zip(kept, kept.dropFirst()).allSatisfy { $0 < $1 }
        }
    }

    /// Creates a revocation; nil if the signature has too many bytes, or if the list is too long or out of order.
    package init?(
        subject: Subject, date: WallTime, owner: RosterStatement.Certificate, signature: [UInt8]
    ) {
        guard signature.count <= Self.signatureBytes, subject.isWellFormed else { return nil }
        self.subject = subject
        self.date = date
        self.owner = owner
        self.signature = signature
    }

    /// The maximum length of a signature in bytes.
    ///
    /// It is several times what the account's kinds of key need.
    package static let signatureBytes = 512
    /// The largest number of devices that a revocation of an owner can keep.
    ///
    /// With this number, the longest statement still fits into the name of a record.
    ///
    /// Further devices can stay only if an owner admits them again.
    package static let keptMost = 96

    /// The bytes that the signature covers.
    package var signedBytes: [UInt8] { Self.signedBytes(subject: subject, date: date, owner: owner) }

    /// Returns the bytes that an owner signs for a revocation.
    ///
    /// The bytes are an array. Its first element occurs in no other signed data.
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

    /// Writes the elements that are in both the statement and the signed bytes.
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

    /// Writes the elements that follow the number in the statement.
    func encode(to writer: inout CBORWriter) {
        Self.encode(subject, date, owner, to: &writer)
        writer.data(signature)
    }

    /// Reads the elements that follow the number in a revocation of a device.
    init(ofDeviceFrom reader: inout CBORReader) throws(CBORError) {
        subject = .device(try reader.identifier())
        date = try WallTime(from: &reader)
        owner = try RosterStatement.Certificate(from: &reader)
        signature = try reader.data(upTo: Self.signatureBytes)
    }

    /// Reads the elements that follow the number in a revocation of an owner.
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
