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
    /// When someone said that it is simply gone, so that nobody waits for it; nothing once it was met again.
    ///
    /// That is no distrust: it may come back at any time.
    package var removed: WallTime?
    /// When it said itself that it leaves for good; nothing if it has not, or is there all the same.
    ///
    /// Nobody waits for it, nor renews what lets it in. That is no distrust either.
    package var left: WallTime?
    /// The owner whose key it has, if it has one, as it says itself: a hint to who revokes that machine, no more.
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

    /// The key under which the account keeps a device.
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
    /// A date, or nothing where an update took it back: it can't take the field away.
    private static func date(from reader: inout CBORReader) throws(CBORError) -> WallTime? {
        guard reader.nextType == .simple else { return try WallTime(from: &reader) }
        try reader.null()
        return nil
    }

    /// What an update says of a device that is gone since then, or is not any more.
    package static func update(removed: WallTime?) -> Fields { update(Number.removed, removed) }

    /// The update by which a device has left since that date; with nil it has not left.
    static func update(left: WallTime?) -> Fields { update(Number.left, left) }

    /// The update by which a device has the key of that owner.
    static func update(owner: OwnerIdentifier) -> Fields {
        Fields { fields in fields.field(Number.owner) { $0.identifier(owner) } }
    }

    /// The update by which a device has another name.
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
