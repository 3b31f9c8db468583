/// The description of a backup that a command shows.
package struct BackupDescription: Equatable, Sendable {
    /// The absolute path of the backup file.
    package var path: String
    package var bytes: Int
    package var items: Int
    package var activities: Int
    package var account: AccountIdentifier
    /// The device whose state is in the backup.
    package var device: DeviceReference
    /// The time when writing the backup began.
    package var made: WallTime
    /// The version of the program that made the backup.
    package var build: String

    package init(
        path: String, bytes: Int, items: Int, activities: Int, account: AccountIdentifier,
        device: DeviceReference, made: WallTime, build: String
    ) {
        self.path = path
        self.bytes = bytes
        self.items = items
        self.activities = activities
        self.account = account
        self.device = device
        self.made = made
        self.build = build
    }
}

extension BackupDescription: LocalValue {
    func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.text(path) }
            fields.field(2) { $0.integer(Int64(bytes)) }
            fields.field(3) { $0.integer(Int64(items)) }
            fields.field(4) { $0.integer(Int64(activities)) }
            fields.field(5) { $0.identifier(account) }
            fields.field(6) { device.encode(to: &$0) }
            fields.field(7) { $0.integer(made.milliseconds) }
            fields.field(8) { $0.text(build) }
        }
    }

    init(from reader: inout CBORReader) throws(CBORError) {
        var path: String?, bytes: Int64?, items: Int64?, activities: Int64?
        var account: AccountIdentifier?, device: DeviceReference?, made: Int64?, build: String?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1: path = try reader.text()
            case 2: bytes = try reader.integer()
            case 3: items = try reader.integer()
            case 4: activities = try reader.integer()
            case 5: account = try reader.identifier()
            case 6: device = try DeviceReference(from: &reader)
            case 7: made = try reader.integer()
            case 8: build = try reader.text()
            default: break
            }
        }
        self.init(
            path: try path.required(1, in: reader), bytes: Int(try bytes.required(2, in: reader)),
            items: Int(try items.required(3, in: reader)),
            activities: Int(try activities.required(4, in: reader)),
            account: try account.required(5, in: reader), device: try device.required(6, in: reader),
            made: WallTime(milliseconds: try made.required(7, in: reader)),
            build: try build.required(8, in: reader))
    }
}
