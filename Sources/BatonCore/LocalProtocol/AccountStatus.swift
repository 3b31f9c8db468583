/// The state of one account in a node's home.
package struct AccountStatus: Equatable, Sendable {
    /// The name of the account on this machine.
    package var name: String
    /// Whether a command that names no account uses this account.
    package var isDefault: Bool
    /// The account's identifier; nil if the account's files can't be read.
    package var account: AccountIdentifier?
    /// The number of devices in the account, including this one.
    package var devices: Int
    /// The number of devices that are connected.
    package var connected: Int
    /// The reason why the node does not serve the account; nil if it serves the account.
    package var trouble: String?

    package init(
        name: String, isDefault: Bool, account: AccountIdentifier?, devices: Int, connected: Int,
        trouble: String?
    ) {
        (self.name, self.isDefault, self.account) = (name, isDefault, account)
        (self.devices, self.connected, self.trouble) = (devices, connected, trouble)
    }
}

extension AccountStatus: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(name) }
            fields.field(2) { $0.boolean(isDefault) }
            fields.field(3, account) { $0.identifier($1) }
            fields.field(4) { $0.unsigned(UInt64(devices)) }
            fields.field(5) { $0.unsigned(UInt64(connected)) }
            fields.field(6, trouble) { $0.text($1) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var name: String?, isDefault = false, account: AccountIdentifier?
        var (devices, connected) = (0, 0), trouble: String?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: name = try reader.text()
            case 2: isDefault = try reader.boolean()
            case 3: account = try reader.identifier()
            case 4: devices = Int(try reader.unsigned(upTo: UInt64(Int32.max)))
            case 5: connected = Int(try reader.unsigned(upTo: UInt64(Int32.max)))
            case 6: trouble = try reader.text()
            default: break
            }
        }
        self.init(
            name: try name.required(1, in: reader), isDefault: isDefault, account: account, devices: devices,
            connected: connected, trouble: trouble)
    }
}
