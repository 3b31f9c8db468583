/// What a person is told before this device leaves its account, and afterwards.
package struct Departure: SimpleReply {
    package static let kind: UInt64 = 24

    package var account: AccountIdentifier
    package var device: DeviceReference
    /// The folder that is deleted, with all that is in it.
    package var folder: String
    package var isOwner: Bool
    /// The names of the account's other devices, as far as they are known; nil where no node runs that knows them.
    package var others: [String]?
    /// Whether one of those devices is an owner.
    package var leavesOwner: Bool
    /// Whether the other devices exclude this one already, because it or the owner who let it in was revoked.
    package var isOut = false
    /// The names of the devices that were told that this one leaves.
    package var told: [String] = []
    /// What could not be deleted, and why.
    package var remains: String?

    package init(
        account: AccountIdentifier, device: DeviceReference, folder: String, isOwner: Bool, others: [String]?,
        leavesOwner: Bool
    ) {
        (self.account, self.device, self.folder) = (account, device, folder)
        (self.isOwner, self.others, self.leavesOwner) = (isOwner, others, leavesOwner)
    }
}

/// What a person is told after a device became an owner of its account, or renewed that.
package struct Promotion: SimpleReply {
    package static let kind: UInt64 = 25

    package var account: AccountIdentifier
    package var device: DeviceReference
    /// Until when the device may let others in and renew them.
    package var ends: WallTime
    /// Whether the device was an owner before; then it keeps its key.
    package var wasOwner: Bool

    package init(account: AccountIdentifier, device: DeviceReference, ends: WallTime, wasOwner: Bool) {
        (self.account, self.device, self.ends, self.wasOwner) = (account, device, ends, wasOwner)
    }
}

extension Departure {
    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.identifier(account) }
            fields.field(2) { device.encode(to: &$0) }
            fields.field(3) { $0.text(folder) }
            fields.field(4, isOwner ? true : nil) { $0.boolean($1) }
            fields.field(5, others) { $0.texts($1) }
            fields.field(6, leavesOwner ? true : nil) { $0.boolean($1) }
            fields.field(7) { $0.texts(told) }
            fields.field(8, remains) { $0.text($1) }
            fields.field(9, isOut ? true : nil) { $0.boolean($1) }
        }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        var account: AccountIdentifier?, device: DeviceReference?, folder: String?, others: [String]?
        var isOwner = false, leavesOwner = false, told: [String] = [], remains: String?, isOut = false
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: account = try reader.identifier()
            case 2: device = try DeviceReference(from: &reader)
            case 3: folder = try reader.text()
            case 4: isOwner = try reader.boolean()
            case 5: others = try reader.texts()
            case 6: leavesOwner = try reader.boolean()
            case 7: told = try reader.texts()
            case 8: remains = try reader.text()
            case 9: isOut = try reader.boolean()
            default: break
            }
        }
        self.init(
            account: try account.required(1, in: reader), device: try device.required(2, in: reader),
            folder: try folder.required(3, in: reader), isOwner: isOwner, others: others,
            leavesOwner: leavesOwner)
        (self.told, self.remains, self.isOut) = (told, remains, isOut)
    }
}

extension Promotion {
    package func encode(to writer: inout CBORWriter) {
        writer.array(count: 4)
        writer.identifier(account)
        device.encode(to: &writer)
        writer.integer(ends.milliseconds)
        writer.boolean(wasOwner)
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        try reader.array(count: 4)
        self.init(
            account: try reader.identifier(), device: try DeviceReference(from: &reader),
            ends: WallTime(milliseconds: try reader.integer()), wasOwner: try reader.boolean())
    }
}
