extension Write.Content {
    /// How many bytes the encoding has, if it stands alone.
    var encodedCount: Int { scope.encodedCount + fields.encodedCount }

    /// Writes the scope and the fields.
    package func encode(to writer: inout CBORWriter) {
        scope.encode(to: &writer)
        fields.encode(to: &writer)
    }

    /// Writes the scope's number and the fields.
    func encode(to writer: inout CBORWriter, tables: inout BatchTables) {
        writer.unsigned(UInt64(tables.number(of: scope)))
        fields.encode(to: &writer)
    }

    init(from reader: inout CBORReader, tables: BatchTables) throws(CBORError) {
        self.init(scope: try tables.scope(from: &reader), fields: try Fields(from: &reader))
    }
}

extension Write.Action {
    /// Numbers of the actions on the wire.
    private enum Number {
        static let full: UInt64 = 0
        static let deletion: UInt64 = 1
        static let partial: UInt64 = 2
        static let count: UInt64 = 3
    }

    /// Writes the action's number and what belongs to it.
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

    init(from reader: inout CBORReader, tables: BatchTables) throws(CBORError) {
        let start = reader.offset
        switch try reader.unsigned() {
        case Number.full: self = .full(try Write.Content(from: &reader, tables: tables))
        case Number.deletion: self = .deletion
        case Number.partial:
            let base = try Stamp(from: &reader, tables: tables)
            self = .partial(of: base, try Fields(from: &reader))
        case Number.count:
            let begun = try Stamp(from: &reader, tables: tables)
            self = .count(begun: begun, try Write.Content(from: &reader, tables: tables))
        default: throw CBORError(.outOfRange, at: start)
        }
        guard contentBytes <= Limits.writeBytes else { throw CBORError(.outOfRange, at: start) }
    }

    /// How many bytes the parts of the scope have.
    var scopeBytes: Int {
        switch self {
        case .full(let content), .count(_, let content): content.scope.encoded.count
        case .deletion, .partial: 0
        }
    }

    /// How many bytes the scope and the fields take at the most, whatever the tables hold already.
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
    package func encode(to writer: inout CBORWriter, tables: inout BatchTables) {
        writer.array(count: partCount)
        writer.unsigned(UInt64(tables.number(of: dot.origin.life)))
        writer.unsigned(dot.sequence)
        writer.unsigned(UInt64(dot.place))
        writer.unsigned(identity.kind.rawValue)
        if let name { writer.encoded(name) } else { writer.identifier(identity.hash) }
        stamp.encode(to: &writer, tables: &tables)
        action.encode(to: &writer, tables: &tables)
    }

    /// Reads a write of that lane.
    package init(from reader: inout CBORReader, lane: Lane, tables: BatchTables) throws(CBORError) {
        let start = reader.offset
        let count = try reader.arrayCount(upTo: 12)
        let origin = Origin(life: try tables.life(from: &reader), lane: lane)
        let sequence = try reader.unsigned(upTo: UInt64(Int64.max))
        let place = UInt32(try reader.unsigned(upTo: UInt64(UInt32.max)))
        let kind = RecordKind(rawValue: try reader.unsigned(upTo: UInt64(Int64.max)))
        let nameStart = reader.offset
        let name = try reader.encoded()
        guard name.count <= RecordKey.nameBytes else { throw CBORError(.outOfRange, at: nameStart) }
        let stamp = try Stamp(from: &reader, tables: tables)
        let action = try Action(from: &reader, tables: tables)
        let dot = Dot(origin: origin, sequence: sequence, place: place)
        if case .deletion = action {
            let identity = RecordIdentity(kind: kind, hash: try Self.hash(name, at: nameStart))
            self.init(deleting: identity, dot: dot, stamp: stamp)
        } else {
            self.init(dot: dot, key: RecordKey(kind: kind, name: Array(name)), stamp: stamp, action: action)
        }
        guard count == partCount, sequence > 0 else { throw CBORError(.outOfRange, at: start) }
    }

    /// The hash that stands in the place of a name.
    private static func hash(_ encoded: ArraySlice<UInt8>, at offset: Int) throws(CBORError) -> KeyHash {
        do {
            return try CBORReader.whole(encoded) { (reader) throws(CBORError) in try reader.identifier() }
        } catch {
            throw CBORError(error.reason, at: offset)
        }
    }

    /// The most that a write takes in a batch besides the name of its key and its content: heads, numbers,
    /// and three lives in the table.
    package static let overheadBytes = 106

    /// No fewer bytes than this write takes in any batch; what stores measure batches by.
    package var byteCount: Int {
        Self.overheadBytes + (name?.count ?? KeyHash.byteCount) + action.contentBytes
    }

    /// Three for the dot, two for the key, two for the stamp, and the action's.
    private var partCount: Int {
        switch action {
        case .full: 10
        case .deletion: 8
        case .partial: 11
        case .count: 12
        }
    }
}

extension Stamp {
    func encode(to writer: inout CBORWriter, tables: inout BatchTables) {
        writer.unsigned(time.value - tables.base.value)
        writer.unsigned(UInt64(tables.number(of: life)))
    }

    init(from reader: inout CBORReader, tables: BatchTables) throws(CBORError) {
        let time = try reader.unsigned(upTo: HybridTime.largest.value - tables.base.value)
        self.init(time: HybridTime(value: tables.base.value + time), life: try tables.life(from: &reader))
    }

    /// Writes the stamp by itself: time and life.
    func encode(to writer: inout CBORWriter) {
        writer.unsigned(time.value)
        writer.identifier(life)
    }
}
