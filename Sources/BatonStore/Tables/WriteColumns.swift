import BatonCore

/// The columns of a write in the tables `records` and `further_writes`.
///
/// `records` has the write that opens each record. `further_writes` has all other writes.
///
/// Only `further_writes` has the columns of a base.
struct WriteColumns {
    /// The columns of each table, in the order in which `write(_:from:…)` reads them.
    static let opening = columns(of: "records", base: "NULL, NULL")
    static let further = columns(of: "further_writes", base: "base, base_life")

    private static func columns(of table: String, base: String) -> String {
        """
        \(table).life, \(table).sequence, \(table).place, \(table).time, \(table).time_life, \(table).action,
        \(base), \(table).scope, \(table).fields
        """
    }

    // MARK: Writing

    let dot: [SQLiteValue]
    let stamp: [SQLiteValue]
    let action: SQLiteValue
    private(set) var base: [SQLiteValue] = [.null, .null]
    private(set) var scope = SQLiteValue.null
    private(set) var fields = SQLiteValue.null

    init(_ write: Write, _ rows: LaneRows) throws(StoreFailure) {
        dot = [
            .integer(try rows.number(of: write.dot.origin.life)), .integer(write.dot.sequence),
            .integer(Int64(write.dot.place)),
        ]
        stamp = try Self.stamp(write.stamp, rows)
        switch write.action {
        case .full(let content):
            action = .integer(StoredAction.full.rawValue)
            (scope, fields) = (.blob(content.scope.encoded), .blob(content.fields.encoded))
        case .deletion:
            action = .integer(StoredAction.deletion.rawValue)
        case .partial(let incarnation, let fields):
            action = .integer(StoredAction.partial.rawValue)
            base = try Self.stamp(incarnation, rows)
            self.fields = .blob(fields.encoded)
        case .count(let begun, let content):
            action = .integer(StoredAction.count.rawValue)
            base = try Self.stamp(begun, rows)
            (scope, fields) = (.blob(content.scope.encoded), .blob(content.fields.encoded))
        }
    }

    private static func stamp(
        _ stamp: Stamp, _ rows: LaneRows
    ) throws(StoreFailure) -> [SQLiteValue] {
        [.integer(stamp.time.value), .integer(try rows.number(of: stamp.life))]
    }

    // MARK: Reading

    /// Returns the write in a row.
    ///
    /// `first` is the number of the write's first column.
    static func write(
        _ row: borrowing Row, from first: Int32, identity: RecordIdentity, name: [UInt8]?, _ rows: LaneRows
    ) throws(StoreFailure) -> Write {
        let dot = try rows.dot(row, from: first)
        let stamp = try rows.stamp(row, from: first + 3)
        guard let kind = StoredAction(rawValue: row.integer(first + 5)) else {
            throw rows.damaged(.outOfRange)
        }
        if kind == .deletion { return Write(deleting: identity, dot: dot, stamp: stamp) }
        guard let name else { throw rows.damaged(.outOfRange) }
        let fields = try rows.decode(row.blob(first + 9)) { (reader) throws(CBORError) in
            try Fields(from: &reader)
        }
        let action: Write.Action
        switch kind {
        case .full:
            action = .full(Write.Content(scope: try rows.scope(row.blob(first + 8)), fields: fields))
        case .partial: action = .partial(of: try rows.stamp(row, from: first + 6), fields)
        case .count:
            let content = Write.Content(scope: try rows.scope(row.blob(first + 8)), fields: fields)
            action = .count(begun: try rows.stamp(row, from: first + 6), content)
        case .deletion: preconditionFailure("a deletion was read above")
        }
        return Write(dot: dot, identity: identity, name: name, stamp: stamp, action: action)
    }
}

/// The values of the column `action`.
private enum StoredAction: Int64 {
    case full = 0
    case deletion = 1
    case partial = 2
    case count = 3
}

/// A write, and its place in the order of arrival.
struct PlacedWrite: Equatable {
    let place: Arrival
    var write: Write
}
