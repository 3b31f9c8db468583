/// What the account knows of one of its devices.
package struct Device: Equatable, Sendable {
    package var identifier: DeviceIdentifier
    /// The name that its person gave it.
    package var name: String
    /// When it became a device of the account.
    package var admitted: WallTime
    /// The device that let it in; nothing for the first one.
    package var inviter: DeviceIdentifier?

    package init(
        identifier: DeviceIdentifier, name: String, admitted: WallTime, inviter: DeviceIdentifier? = nil
    ) {
        (self.identifier, self.name, self.admitted, self.inviter) = (identifier, name, admitted, inviter)
    }

    /// The key under which the account keeps a device.
    package static func key(_ identifier: DeviceIdentifier) -> RecordKey {
        RecordKey(kind: .device, parts: 1) { $0.identifier(identifier) }
    }

    /// The numbers of a device's fields.
    private enum Number {
        static let name: UInt64 = 1
        static let admitted: UInt64 = 2
        static let inviter: UInt64 = 3
    }

    package var fields: Fields {
        var fields = Fields()
        fields.set(Number.name) { $0.text(name) }
        fields.set(Number.admitted) { $0.integer(admitted.milliseconds) }
        fields.set(Number.inviter, inviter) { $0.identifier($1) }
        return fields
    }

    /// The device that a record spells.
    package init(key: RecordKey, fields: Fields) throws(CBORError) {
        identifier = try CBORReader.whole(key.name[...]) { (reader) throws(CBORError) in
            try reader.array(count: 1)
            return try reader.identifier()
        }
        // Whoever wrote it, a list of devices must stay readable.
        name =
            try fields.read(Number.name) { (reader) throws(CBORError) in
                try reader.text().prefix(fittingBytes: Limits.nameBytes)
            } ?? ""
        admitted = try fields.time(Number.admitted) ?? WallTime(milliseconds: 0)
        inviter = try fields.read(Number.inviter) { (reader) throws(CBORError) in try reader.identifier() }
    }
}
