/// Names a device of the account.
package struct DeviceName: RecordName {
    package let identifier: DeviceIdentifier

    package static let kind = RecordKind.device
    package static let partCount = 1

    package init(_ identifier: DeviceIdentifier) { self.identifier = identifier }

    package func encode(to writer: inout CBORWriter) { writer.identifier(identifier) }

    package init(from reader: inout CBORReader) throws(CBORError) { self.init(try reader.identifier()) }
}

/// What the account knows of one of its devices.
package struct Device: Equatable, Sendable {
    package var identifier: DeviceIdentifier
    /// The name that its person gave it.
    package var name: String
    /// When it became a device of the account.
    package var admitted: WallTime
    /// The device that let it in; nothing for the first one.
    package var inviter: DeviceIdentifier?
    /// Fields of newer versions, kept as they are.
    package var unknown = Fields()

    package init(
        identifier: DeviceIdentifier, name: String, admitted: WallTime, inviter: DeviceIdentifier? = nil
    ) {
        (self.identifier, self.name, self.admitted, self.inviter) = (identifier, name, admitted, inviter)
    }

    /// The key under which the account keeps a device.
    package static func key(_ identifier: DeviceIdentifier) -> RecordKey { DeviceName(identifier).key }

    /// The numbers of a device's fields.
    private enum Number {
        static let name: UInt64 = 1
        static let admitted: UInt64 = 2
        static let inviter: UInt64 = 3
    }

    /// The fields of a record of this device.
    package var fields: Fields {
        Fields { fields in
            fields.field(Number.name) { $0.text(name) }
            fields.field(Number.admitted) { admitted.encode(to: &$0) }
            fields.field(Number.inviter, inviter) { $0.identifier($1) }
        }.completed(by: unknown)
    }

    /// The device that a record spells; known fields must have their known forms.
    package init(key: RecordKey, fields: Fields) throws(CBORError) {
        self.init(
            identifier: try DeviceName(key).identifier, name: "", admitted: WallTime(milliseconds: 0))
        unknown = try fields.read { (name, reader) throws(CBORError) in
            switch name {
            // Whoever wrote it, a list of devices must stay readable.
            case .number(Number.name): self.name = try reader.text().prefix(fittingBytes: Limits.nameBytes)
            case .number(Number.admitted): admitted = try WallTime(from: &reader)
            case .number(Number.inviter): inviter = try reader.identifier()
            default: break
            }
        }
    }
}
