/// Names a device of the account.
package struct DeviceName: RecordName {
    package let identifier: DeviceIdentifier

    package static let kind = RecordKind.device
    package static let partCount = 1

    package init(_ identifier: DeviceIdentifier) { self.identifier = identifier }

    package func encode(to writer: inout CBORWriter) { writer.identifier(identifier) }

    package init(from reader: inout CBORReader) throws(CBORError) { self.init(try reader.identifier()) }
}

/// The account's data about one of its devices.
package struct Device: Equatable, Sendable {
    package var identifier: DeviceIdentifier
    /// The name that the person gave the device.
    package var name: String
    /// The time when the device joined the account.
    package var admitted: WallTime
    /// The device that admitted it; nil for the first one.
    package var inviter: DeviceIdentifier?
    /// The time when someone declared the device gone, so that nobody waits for it; nil once the device was met again.
    ///
    /// This is no distrust: the device may come back at any time.
    package var removed: WallTime?
    /// The time when the device announced that it leaves for good; nil if it has not, or if it is back.
    ///
    /// Nobody waits for the device or renews its certificate. This is no distrust either.
    package var left: WallTime?
    /// The owner whose key the device has, by its own account; only a hint to a person who revokes the machine.
    package var owner: OwnerIdentifier?
    /// Fields of newer versions, kept as they are.
    package var unknown = Fields()

    package init(
        identifier: DeviceIdentifier, name: String, admitted: WallTime, inviter: DeviceIdentifier? = nil,
        removed: WallTime? = nil, owner: OwnerIdentifier? = nil, left: WallTime? = nil
    ) {
        (self.identifier, self.name, self.admitted, self.inviter) = (identifier, name, admitted, inviter)
        (self.removed, self.owner, self.left) = (removed, owner, left)
    }

    /// Returns the key of a device's record.
    package static func key(_ identifier: DeviceIdentifier) -> RecordKey { DeviceName(identifier).key }

    /// The numbers of a device's fields.
    private enum Number {
        static let name: UInt64 = 1
        static let admitted: UInt64 = 2
        static let inviter: UInt64 = 3
        static let removed: UInt64 = 4
        static let owner: UInt64 = 5
        static let left: UInt64 = 6
    }

    /// The fields of a record of this device.
    package var fields: Fields {
        Fields { fields in
            fields.field(Number.name) { $0.text(name) }
            fields.field(Number.admitted) { admitted.encode(to: &$0) }
            fields.field(Number.inviter, inviter) { $0.identifier($1) }
            fields.field(Number.removed, removed) { $1.encode(to: &$0) }
            fields.field(Number.owner, owner) { $0.identifier($1) }
            fields.field(Number.left, left) { $1.encode(to: &$0) }
        }.completed(by: unknown)
    }

    /// Reads the device from a record; known fields must have their known forms.
    package init(key: RecordKey, fields: Fields) throws(CBORError) {
        self.init(
            identifier: try DeviceName(key).identifier, name: "", admitted: WallTime(milliseconds: 0))
        unknown = try fields.read { (name, reader) throws(CBORError) in
            switch name {
            // A list of devices must stay readable, whatever wrote the name.
            case .number(Number.name): self.name = try reader.text().prefix(fittingBytes: Limits.nameBytes)
            case .number(Number.admitted): admitted = try WallTime(from: &reader)
            case .number(Number.inviter): inviter = try reader.identifier()
            case .number(Number.removed): removed = try Self.date(from: &reader)
            case .number(Number.left): left = try Self.date(from: &reader)
            case .number(Number.owner): owner = try reader.identifier()
            default: break
            }
        }
    }
}

// MARK: Devices that are gone

extension Device {
    /// Reads a date, or null where an update withdrew it: an update can't remove the field.
    private static func date(from reader: inout CBORReader) throws(CBORError) -> WallTime? {
        guard reader.nextType == .simple else { return try WallTime(from: &reader) }
        try reader.null()
        return nil
    }

    /// Returns the update that declares a device gone at that date; nil declares it back.
    package static func update(removed: WallTime?) -> Fields { update(Number.removed, removed) }

    /// Returns the update that declares that a device left at that date; nil withdraws it.
    static func update(left: WallTime?) -> Fields { update(Number.left, left) }

    /// Returns the update that says that a device has the key of that owner.
    static func update(owner: OwnerIdentifier) -> Fields {
        Fields { fields in fields.field(Number.owner) { $0.identifier(owner) } }
    }

    /// Returns the update that renames a device.
    static func update(name: String) -> Fields {
        Fields { fields in fields.field(Number.name) { $0.text(name) } }
    }

    private static func update(_ number: UInt64, _ date: WallTime?) -> Fields {
        Fields { fields in
            fields.field(number) { writer in
                if let date { date.encode(to: &writer) } else { writer.null() }
            }
        }
    }
}
