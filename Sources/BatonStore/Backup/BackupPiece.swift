import BatonCore

/// One of the pieces of which a backup consists.
///
/// The first piece is the manifest. Then each table follows, with its rows. The last piece has the numbers of things
/// and rows. In the file, the length of each piece is before the piece, and the SHA-256 of the whole file before it is
/// after the last piece.
enum BackupPiece {
    case manifest(BackupManifest)
    /// The table to which the following rows belong.
    case table(Lane, name: String, columns: [String])
    /// The values of some rows, one row after the other.
    ///
    /// Each row has a value for each column of the table.
    case rows([SQLiteValue])
    case end(BackupContents)

    /// The bytes at the beginning of every backup.
    ///
    /// If a program converted the file as if it were a text, these bytes would change.
    static let mark = Array("baton backup\r\n\u{1a}\n".utf8)
    /// The version of this format.
    static let format: UInt64 = 1
    /// The number of bytes of rows at which a piece is written.
    ///
    /// The last row of the piece may exceed this number.
    static let portion = 128 << 10
    /// The largest number of bytes in a piece.
    ///
    /// The largest possible row is a note that lists the items that an app is asked to index again.
    static let most = 32 << 20
    /// The number of bytes before each piece that give its length.
    static let headBytes = 4
    /// The number of bytes of the checksum at the end of the file.
    static let sumBytes = 32
    /// The largest number of columns that a table in a backup may have, which is more than any table has.
    private static let columnsMost = 64

    private enum Number {
        static let manifest: UInt64 = 1
        static let table: UInt64 = 2
        static let rows: UInt64 = 3
        static let end: UInt64 = 4
    }

    // MARK: Writing

    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(count: 2)
        switch self {
        case .manifest(let manifest):
            writer.unsigned(Number.manifest)
            manifest.encode(to: &writer)
        case .table(let lane, let name, let columns):
            writer.unsigned(Number.table)
            writer.array(count: 3)
            writer.unsigned(UInt64(lane.rawValue))
            writer.text(name)
            writer.array(count: columns.count)
            for column in columns { writer.text(column) }
        case .rows(let values):
            writer.unsigned(Number.rows)
            writer.array(count: values.count)
            for value in values { value.encode(to: &writer) }
        case .end(let contents):
            writer.unsigned(Number.end)
            writer.map { fields in
                fields.field(1) { $0.integer(Int64(contents.rows)) }
                fields.field(2) { $0.integer(Int64(contents.items)) }
                fields.field(3) { $0.integer(Int64(contents.activities)) }
            }
        }
        return writer.bytes
    }

    // MARK: Reading

    init(_ bytes: [UInt8]) throws(CBORError) {
        self = try CBORReader.whole(bytes[...]) { (reader) throws(CBORError) in
            try reader.array(count: 2)
            let start = reader.offset
            switch try reader.unsigned() {
            case Number.manifest: return .manifest(try BackupManifest(from: &reader))
            case Number.table:
                try reader.array(count: 3)
                let number = try reader.unsigned(upTo: UInt64(UInt8.max))
                guard let lane = Lane.allCases.first(where: { UInt64($0.rawValue) == number }) else {
                    throw CBORError(.outOfRange, at: start)
                }
                let name = try reader.text(upTo: Limits.nameBytes)
                let columns = try reader.array(upTo: Self.columnsMost) { (reader) throws(CBORError) in
                    try reader.text(upTo: Limits.nameBytes)
                }
                return .table(lane, name: name, columns: columns)
            case Number.rows:
                return .rows(
                    try reader.array(upTo: Self.most) { (reader) throws(CBORError) in
                        try SQLiteValue(from: &reader)
                    })
            case Number.end:
                var contents = BackupContents()
                try reader.fields { (number, reader) throws(CBORError) in
                    switch number {
                    case 1: contents.rows = Int(try reader.integer())
                    case 2: contents.items = Int(try reader.integer())
                    case 3: contents.activities = Int(try reader.integer())
                    default: break
                    }
                }
                return .end(contents)
            default: throw CBORError(.outOfRange, at: start)
            }
        }
    }
}

extension BackupManifest {
    fileprivate func encode(to writer: inout CBORWriter) {
        writer.map { fields in
            fields.field(1) { $0.unsigned(BackupPiece.format) }
            fields.field(2) { $0.identifier(account) }
            fields.field(3) { $0.identifier(device) }
            fields.field(4) { $0.text(deviceName) }
            fields.field(5) { $0.integer(made.milliseconds) }
            fields.field(6) { $0.text(build) }
            fields.field(7) { $0.integer(Int64(schema)) }
        }
    }

    /// Decodes a manifest of this format; throws if the manifest has the number of another format.
    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        var account: AccountIdentifier?, device: DeviceIdentifier?, deviceName: String?, made: Int64?
        var build: String?, schema: Int64?
        try reader.fields { (number, reader) throws(CBORError) in
            switch number {
            case 1:
                let start = reader.offset
                guard try reader.unsigned() == BackupPiece.format else {
                    throw CBORError(.outOfRange, at: start)
                }
            case 2: account = try reader.identifier()
            case 3: device = try reader.identifier()
            case 4: deviceName = try reader.text(upTo: Limits.frameBytes)
            case 5: made = try reader.integer()
            case 6: build = try reader.text(upTo: Limits.frameBytes)
            case 7: schema = try reader.integer()
            default: break
            }
        }
        self.init(
            account: try account.required(2, in: reader), device: try device.required(3, in: reader),
            deviceName: try deviceName.required(4, in: reader),
            made: WallTime(milliseconds: try made.required(5, in: reader)),
            build: try build.required(6, in: reader))
        self.schema = Int(try schema.required(7, in: reader))
    }
}

extension SQLiteValue {
    func encode(to writer: inout CBORWriter) {
        switch self {
        case .integer(let value): writer.integer(value)
        case .real(let value): writer.real(value)
        case .text(let value): writer.text(value)
        case .blob(let value): writer.data(value)
        case .null: writer.null()
        }
    }

    fileprivate init(from reader: inout CBORReader) throws(CBORError) {
        if reader.nextIsNull {
            try reader.null()
            self = .null
            return
        }
        switch reader.nextType {
        case .bytes: self = .blob(try reader.data())
        case .text: self = .text(try reader.text())
        case .unsigned, .negative: self = .integer(try reader.integer())
        default: self = .real(try reader.real())
        }
    }
}
