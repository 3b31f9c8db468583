/// The consequences of leaving the account; a command shows them before this device leaves and after it has left.
package struct Departure: SimpleReply {
    package static let kind = LocalReplyKind.departure

    package var account: AccountIdentifier
    package var device: DeviceReference
    /// The folder that is deleted, together with everything in it.
    package var folder: String
    package var isOwner: Bool
    /// The names of the other devices of the account that this device knows; nil if no node is running that could
    /// report them.
    package var others: [String]?
    /// Whether one of the other devices is an owner.
    package var leavesOwner: Bool
    /// Whether the other devices already exclude this device.
    ///
    /// They do so if this device or the owner that admitted it was revoked.
    package var isOut = false
    /// The names of the devices that were notified that this device leaves.
    package var told: [String] = []
    /// The files that could not be deleted, and the reason for this; nil if everything was deleted.
    package var remains: String?

    package init(
        account: AccountIdentifier, device: DeviceReference, folder: String, isOwner: Bool, others: [String]?,
        leavesOwner: Bool
    ) {
        (self.account, self.device, self.folder) = (account, device, folder)
        (self.isOwner, self.others, self.leavesOwner) = (isOwner, others, leavesOwner)
    }
}

/// The result of making a device an owner or of renewing its ownership.
package struct Promotion: SimpleReply {
    package static let kind = LocalReplyKind.promotion

    package var account: AccountIdentifier
    package var device: DeviceReference
    /// The time until which the device may admit other devices and renew their certificates.
    package var ends: WallTime
    /// Whether the device was already an owner; if so, it keeps its key.
    package var wasOwner: Bool

    package init(account: AccountIdentifier, device: DeviceReference, ends: WallTime, wasOwner: Bool) {
        self.account = account
        self.device = device
        self.ends = ends
        self.wasOwner = wasOwner
    }
}

extension Departure {
    package func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.identifier(account) }
            fields.field(2) { device.encode(to: &$0) }
            fields.field(3) { $0.text(folder) }
            fields.flag(4, isOwner)
            fields.field(5, others) { $0.value($1) }
            fields.flag(6, leavesOwner)
            fields.field(7) { $0.value(told) }
            fields.field(8, remains) { $0.text($1) }
            fields.flag(9, isOut)
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
            case 5: others = try reader.value() as [String]
            case 6: leavesOwner = try reader.boolean()
            case 7: told = try reader.value()
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
