/// A permanent statement about the membership of the account.
///
/// The whole statement is in the name of its record, and the record has no fields. So no write can overwrite a
/// statement, and the roster only grows. This type checks only the form of a statement. The signatures are verified
/// elsewhere (`StatementVerifier`).
package enum RosterStatement: Hashable, Sendable {
    /// An owner admitted a device and signed its certificate.
    case admission(owner: Certificate, device: Certificate)
    /// A device or an owner no longer belongs to the account.
    case revocation(Revocation)
    /// A statement of a kind that only newer versions know, as the encoded name of its record.
    case unknown([UInt8])

    /// A certificate in DER, not parsed here.
    package struct Certificate: Hashable, Sendable {
        package let bytes: [UInt8]

        /// Creates a certificate; nil if it has too many bytes.
        package init?(_ bytes: [UInt8]) {
            guard bytes.count <= Self.bytesMost else { return nil }
            self.bytes = bytes
        }

        /// The maximum length of a certificate in bytes.
        ///
        /// Two certificates of this length fit into the name of a record.
        package static let bytesMost = 1900
    }

    /// The numbers of statements.
    private enum Number {
        static let admission: UInt64 = 1
        static let deviceRevocation: UInt64 = 2
        static let ownerRevocation: UInt64 = 3
    }

    // MARK: The record

    /// The key of the statement's record.
    ///
    /// The key's name is the encoded statement.
    package var key: RecordKey {
        var writer = CBORWriter()
        encode(to: &writer)
        return RecordKey(kind: .rosterStatement, name: writer.bytes)
    }

    /// The content of the statement's record, which is empty.
    package static let content = Write.Content(fields: Fields())

    /// Reads a statement from a key; a statement with an unknown number may have any form.
    package init(_ key: RecordKey) throws(CBORError) {
        guard key.kind == .rosterStatement else { throw CBORError(.outOfRange, at: 0) }
        self = try CBORReader.whole(key.name[...]) { (reader) throws(CBORError) in
            let behind = try reader.behindNextValue()
            let count = try reader.arrayCount(upTo: .max)
            let form = reader.offset
            switch try reader.unsigned() {
            case Number.admission where count == 3:
                return .admission(
                    owner: try Certificate(from: &reader), device: try Certificate(from: &reader))
            case Number.deviceRevocation where count == 5:
                return .revocation(try Revocation(ofDeviceFrom: &reader))
            case Number.ownerRevocation where count == 6:
                return .revocation(try Revocation(ofOwnerFrom: &reader))
            case Number.admission, Number.deviceRevocation, Number.ownerRevocation:
                throw CBORError(.outOfRange, at: form)
            default:
                reader = behind
                return .unknown(key.name)
            }
        }
    }

    private func encode(to writer: inout CBORWriter) {
        switch self {
        case .admission(let owner, let device):
            writer.array(count: 3)
            writer.unsigned(Number.admission)
            writer.data(owner.bytes)
            writer.data(device.bytes)
        case .revocation(let revocation):
            switch revocation.subject {
            case .device:
                writer.array(count: 5)
                writer.unsigned(Number.deviceRevocation)
            case .owner:
                writer.array(count: 6)
                writer.unsigned(Number.ownerRevocation)
            }
            revocation.encode(to: &writer)
        case .unknown(let name): writer.encoded(name)
        }
    }
}

extension RosterStatement.Certificate {
    init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        guard let certificate = Self(try reader.data(upTo: Self.bytesMost)) else {
            throw CBORError(.outOfRange, at: start)
        }
        self = certificate
    }
}

extension CBORReader {
    /// Returns a reader at the position after the next value.
    fileprivate func behindNextValue() throws(CBORError) -> CBORReader {
        var reader = self
        try reader.skip()
        return reader
    }
}
