/// Names a device of the account.
package struct DeviceName: RecordName {
    package let identifier: DeviceIdentifier

    package static let kind = RecordKind.device
    package static let partCount = 1

    package init(_ identifier: DeviceIdentifier) { self.identifier = identifier }

    package func encode(to writer: inout CBORWriter) { writer.identifier(identifier) }

    package init(from reader: inout CBORReader) throws(CBORError) { self.init(try reader.identifier()) }
}

/// The description that a device gives of itself, in a record that it signs (`DeviceProof`).
package struct Device: Equatable, Sendable {
    package var identifier: DeviceIdentifier
    /// The name that the person gave the device.
    package var name: String
    /// The time when the device joined the account.
    package var admitted: WallTime
    /// The owner whose key the device has; only a hint to a person who revokes the machine.
    package var owner: OwnerIdentifier?
    /// The time when the device announced that it leaves the account; nil if it has not, or if it is back.
    ///
    /// Tombstones are not kept for the device, and its certificate is not renewed. It is still trusted, and may come
    /// back.
    package var left: WallTime?
    /// The devices that this device declared gone, in ascending order.
    package var removals: [Removal]
    /// Fields of newer versions, kept as they are.
    package var unknown = Fields()

    /// A declaration that another device is gone; while it counts, tombstones are not kept for that device.
    ///
    /// The other device is still trusted. The declaration counts while its author is a member, and until the other
    /// device writes a new record.
    package struct Removal: Equatable, Sendable {
        package let device: DeviceIdentifier
        /// The stamp of the device's record at the declaration; the least stamp if it had no record.
        package let seen: Stamp
        package let date: WallTime

        package init(of device: DeviceIdentifier, seen: Stamp, date: WallTime) {
            (self.device, self.seen, self.date) = (device, seen, date)
        }
    }

    /// The most devices that one device declares gone; the latest declarations count.
    package static let removalsMost = 128

    package init(
        identifier: DeviceIdentifier, name: String, admitted: WallTime, owner: OwnerIdentifier? = nil,
        left: WallTime? = nil, removals: [Removal] = []
    ) {
        (self.identifier, self.name, self.admitted) = (identifier, name, admitted)
        (self.owner, self.left, self.removals) = (owner, left, removals)
    }

    /// Returns the key of a device's record.
    package static func key(_ identifier: DeviceIdentifier) -> RecordKey { DeviceName(identifier).key }

    /// The numbers of a device's fields.
    private enum Number {
        static let name: UInt64 = 1
        static let admitted: UInt64 = 2
        static let owner: UInt64 = 3
        static let left: UInt64 = 4
        static let removals: UInt64 = 5
    }

    /// The fields of a record of this device, without the proof.
    package var fields: Fields {
        Fields { fields in
            fields.field(Number.name) { $0.text(name) }
            fields.field(Number.admitted) { admitted.encode(to: &$0) }
            fields.field(Number.owner, owner) { $0.identifier($1) }
            fields.field(Number.left, left) { $1.encode(to: &$0) }
            fields.field(Number.removals, removals.isEmpty ? nil : removals) { writer, removals in
                writer.array(count: removals.count)
                for removal in removals { removal.encode(to: &writer) }
            }
        }.completed(by: unknown)
    }

    /// Reads the device from a record; known fields must have their known forms.
    package init(key: RecordKey, fields: Fields) throws(CBORError) {
        self.init(
            identifier: try DeviceName(key).identifier, name: "", admitted: WallTime(milliseconds: 0))
        unknown = try fields.read { (name, reader) throws(CBORError) in
            switch name {
            // The name is shortened, so that a list of devices stays readable whatever the record says.
            case .number(Number.name): self.name = try reader.text().prefix(fittingBytes: Limits.nameBytes)
            case .number(Number.admitted): admitted = try WallTime(from: &reader)
            case .number(Number.owner): owner = try reader.identifier()
            case .number(Number.left): left = try WallTime(from: &reader)
            case .number(Number.removals): removals = try Self.removals(from: &reader)
            // The proof is made anew with each write.
            case .number(DeviceProof.number): try reader.skip()
            default: break
            }
        }
    }

    private static func removals(from reader: inout CBORReader) throws(CBORError) -> [Removal] {
        let start = reader.offset
        let removals = try reader.array(upTo: removalsMost) { (reader) throws(CBORError) in
            try Removal(from: &reader)
        }
        guard zip(removals, removals.dropFirst()).allSatisfy({ $0.device < $1.device }) else {
            throw CBORError(.outOfRange, at: start)
        }
        return removals
    }
}

// MARK: Devices that are gone

extension Device {
    /// Declares a device gone; `seen` is the stamp of its record, or nil if it has none.
    package mutating func remove(_ device: DeviceIdentifier, seen: Stamp?, at date: WallTime) {
        var all = removals.filter { $0.device != device }
        all.append(Removal(of: device, seen: seen ?? .least, date: date))
        let latest = all.sorted { ($0.date, $0.device) < ($1.date, $1.device) }.suffix(Self.removalsMost)
        removals = latest.sorted { $0.device < $1.device }
    }
}

extension Device.Removal {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.array(count: 4)
        writer.identifier(device)
        seen.encode(to: &writer)
        date.encode(to: &writer)
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 4)
        device = try reader.identifier()
        seen = Stamp(time: HybridTime(value: try reader.unsigned()), life: try reader.identifier())
        date = try WallTime(from: &reader)
    }
}
