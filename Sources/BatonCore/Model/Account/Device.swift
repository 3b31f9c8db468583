/// Names a device of the account.
package struct DeviceName: RecordName {
    package let identifier: DeviceIdentifier

    package static let kind = RecordKind.device
    package static let partCount = 1

    package init(_ identifier: DeviceIdentifier) { self.identifier = identifier }

    package func encode(to writer: inout CBORWriter) { writer.identifier(identifier) }

    package init(from reader: inout CBORReader) throws(CBORError) { self.init(try reader.identifier()) }
}

/// A device's description of itself, in a record that the device signs (`DeviceProof`).
package struct Device: Equatable, Sendable {
    package var identifier: DeviceIdentifier
    /// The name that the person gave the device.
    package var name: String
    /// The time when the device joined the account.
    package var admitted: WallTime
    /// The owner whose key the device has.
    ///
    /// This is only a hint to a person who revokes the machine.
    package var owner: OwnerIdentifier?
    /// The time when the device announced that it leaves the account; nil if it never did, or if it has come back.
    ///
    /// While this is set, other devices keep no tombstones for the device, and nobody renews its certificate. The
    /// device is still trusted, and may come back.
    package var left: WallTime?
    /// The devices that this device declared gone, in ascending order.
    package var removals: [Removal]
    /// The fields that only newer versions know, kept unchanged.
    package var unknown = Fields()

    /// A declaration that another device is gone, so tombstones need not be kept for the other device.
    ///
    /// The other device is still trusted. The declaration has an effect while its author is a member, and until the
    /// other device writes a new record.
    package struct Removal: Equatable, Sendable {
        package let device: DeviceIdentifier
        /// The stamp that the other device's record had at the declaration; the least stamp if there was no record.
        package let seen: Stamp
        package let date: WallTime

        package init(of device: DeviceIdentifier, seen: Stamp, date: WallTime) {
            (self.device, self.seen, self.date) = (device, seen, date)
        }
    }

    /// The largest number of devices that one device declares gone.
    ///
    /// If it declares more, only the latest declarations are kept.
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

    /// Reads the device from a record, and throws if a known field does not have its known form.
    package init(key: RecordKey, fields: Fields) throws(CBORError) {
        self.init(
            identifier: try DeviceName(key).identifier, name: "", admitted: WallTime(milliseconds: 0))
        unknown = try fields.read { (name, reader) throws(CBORError) in
            switch name {
            // A long name is shortened. Otherwise, a list of devices could become unreadable.
            case .number(Number.name): self.name = try reader.text().prefix(fittingBytes: Limits.nameBytes)
            case .number(Number.admitted): admitted = try WallTime(from: &reader)
            case .number(Number.owner): owner = try reader.identifier()
            case .number(Number.left): left = try WallTime(from: &reader)
            case .number(Number.removals): removals = try Self.removals(from: &reader)
            // The proof is not kept, because each write of the record gets a new one.
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
    /// Declares a device gone.
    ///
    /// `seen` is the stamp of that device's record, or nil if it has no record.
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
