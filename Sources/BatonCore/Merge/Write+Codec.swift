extension Write.Content {
    /// The length of the encoding outside a batch, in bytes.
    package var encodedCount: Int { scope.encodedCount + fields.encodedCount }

    /// Writes the scope and the fields.
    package func encode(to writer: inout CBORWriter) {
        scope.encode(to: &writer)
        fields.encode(to: &writer)
    }

    /// Writes the number of the scope in the tables, and the fields.
    func encode(to writer: inout CBORWriter, tables: inout BatchTables) {
        writer.unsigned(UInt64(tables.number(of: scope)))
        fields.encode(to: &writer)
    }

    init(from reader: inout CBORReader, in batch: inout BatchReading) throws(CBORError) {
        self.init(scope: try batch.scope(from: &reader), fields: try Fields(from: &reader))
    }
}

extension Write.Action {
    /// The numbers of the actions on the wire.
    enum Number {
        static let full: UInt64 = 0
        static let deletion: UInt64 = 1
        static let partial: UInt64 = 2
        static let count: UInt64 = 3
    }

    /// Writes the number of the action, and the content of the action.
    func encode(to writer: inout CBORWriter, tables: inout BatchTables) {
        switch self {
        case .full(let content):
            writer.unsigned(Number.full)
            content.encode(to: &writer, tables: &tables)
        case .deletion:
            writer.unsigned(Number.deletion)
        case .partial(let base, let fields):
            writer.unsigned(Number.partial)
            base.encode(to: &writer, tables: &tables)
            fields.encode(to: &writer)
        case .count(let begun, let content):
            writer.unsigned(Number.count)
            begun.encode(to: &writer, tables: &tables)
            content.encode(to: &writer, tables: &tables)
        }
    }

    init(from reader: inout CBORReader, in batch: inout BatchReading) throws(CBORError) {
        let start = reader.offset
        switch try reader.unsigned() {
        case Number.full: self = .full(try Write.Content(from: &reader, in: &batch))
        case Number.deletion: self = .deletion
        case Number.partial:
            let base = try Stamp(from: &reader, in: &batch)
            self = .partial(of: base, try Fields(from: &reader))
        case Number.count:
            let begun = try Stamp(from: &reader, in: &batch)
            self = .count(begun: begun, try Write.Content(from: &reader, in: &batch))
        default: throw CBORError(.outOfRange, at: start)
        }
        guard contentBytes <= Limits.writeBytes else { throw CBORError(.outOfRange, at: start) }
    }

    /// The number of fields in the action.
    var fieldCount: Int {
        switch self {
        case .full(let content), .count(_, let content): content.fields.count
        case .deletion: 0
        case .partial(_, let fields): fields.count
        }
    }

    /// The largest number of bytes that the scope and the fields take in a batch.
    ///
    /// The number does not depend on the scopes that the tables already have.
    package var contentBytes: Int {
        switch self {
        case .full(let content), .count(_, let content): content.encodedCount
        case .deletion: 0
        case .partial(_, let fields): fields.encodedCount
        }
    }
}

extension Write {
    /// Writes the parts of this write as one array.
    func encode(to writer: inout CBORWriter, tables: inout BatchTables) {
        writer.array(count: partCount)
        writer.unsigned(UInt64(tables.number(of: dot.origin.life)))
        writer.unsigned(dot.sequence)
        writer.unsigned(UInt64(dot.place))
        writer.unsigned(identity.kind.rawValue)
        if let name {
            let shared = tables.sharedCount(of: name)
            writer.unsigned(UInt64(shared))
            writer.data(name[shared...])
        } else {
            writer.identifier(identity.hash)
        }
        stamp.encode(to: &writer, tables: &tables)
        action.encode(to: &writer, tables: &tables)
    }

    init(from reader: inout CBORReader, in batch: inout BatchReading) throws(CBORError) {
        let start = reader.offset
        let count = try reader.arrayCount(upTo: Self.partsMost)
        let (dot, kind) = try Self.head(from: &reader, in: &batch)
        // A deletion has a hash where other writes have the name. So the type of this value tells a deletion from other
        // writes.
        if reader.nextType == .bytes {
            let identity = RecordIdentity(kind: kind, hash: try reader.identifier())
            let stamp = try Stamp(from: &reader, in: &batch)
            self.init(deleting: identity, dot: dot, stamp: stamp)
            let actionStart = reader.offset
            guard case .deletion = try Action(from: &reader, in: &batch) else {
                throw CBORError(.outOfRange, at: actionStart)
            }
        } else {
            let key = RecordKey(kind: kind, name: try batch.name(from: &reader))
            let stamp = try Stamp(from: &reader, in: &batch)
            let action = try Action(from: &reader, in: &batch)
            if case .deletion = action { throw CBORError(.outOfRange, at: start) }
            self.init(dot: dot, key: key, stamp: stamp, action: action)
        }
        guard count == partCount else { throw CBORError(.outOfRange, at: start) }
    }

    /// Reads the dot of the write and the kind of its record.
    static func head(
        from reader: inout CBORReader, in batch: inout BatchReading
    ) throws(CBORError) -> (dot: Dot, kind: RecordKind) {
        let start = reader.offset
        let origin = Origin(life: try batch.life(from: &reader), lane: batch.lane)
        let sequence = try reader.unsigned(upTo: VersionVector.largestSequence)
        let place = UInt32(try reader.unsigned(upTo: UInt64(UInt32.max)))
        let kind = RecordKind(rawValue: try reader.unsigned(upTo: RecordKind.largest))
        guard sequence > 0, kind.lane == batch.lane else { throw CBORError(.outOfRange, at: start) }
        return (Dot(origin: origin, sequence: sequence, place: place), kind)
    }

    /// The largest number of bytes that a write takes in a batch, without the name of its key and its content.
    ///
    /// These bytes are for heads, numbers, and three lives in the table.
    package static let overheadBytes = 112

    /// The largest number of bytes that this write can take in a batch; stores use it to limit the size of a batch.
    package var byteCount: Int {
        Self.overheadBytes + (name?.count ?? KeyHash.byteCount) + action.contentBytes
    }

    /// The number of elements in the array of this write.
    ///
    /// There are three elements for the dot, three for the key (two in a deletion), two for the stamp, and one or more
    /// for the action.
    private var partCount: Int {
        switch action {
        case .full: 11
        case .deletion: 8
        case .partial: 12
        case .count: Self.partsMost
        }
    }

    private static let partsMost = 13
}

extension Stamp {
    func encode(to writer: inout CBORWriter, tables: inout BatchTables) {
        writer.unsigned(time.value - tables.base.value)
        writer.unsigned(UInt64(tables.number(of: life)))
    }

    init(from reader: inout CBORReader, in batch: inout BatchReading) throws(CBORError) {
        self.init(time: try batch.time(from: &reader), life: try batch.life(from: &reader))
    }

    /// Writes the stamp outside a batch, as its time and its life.
    func encode(to writer: inout CBORWriter) {
        writer.unsigned(time.value)
        writer.identifier(life)
    }
}
