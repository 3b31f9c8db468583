import BatonCore

/// The form of a table's rows.
///
/// By this form, a rescue recognizes the table of a page to which no tree leads.
struct TableShape {
    let name: String
    /// The SQL statement that creates the table.
    let sql: String
    let columns: [Column]
    /// Whether the first column is the number of the row (rowid).
    let isNumbered: Bool

    /// A column of a table.
    struct Column {
        let isBlob: Bool
        let isRequired: Bool
        /// Whether each value has the length of an identifier or a hash.
        let isIdentifier: Bool
    }

    /// The number of bytes of an identifier or a hash.
    fileprivate static let identifierBytes = 16

    /// Reads the shape of a table from a database that has the table.
    init(_ name: String, in connection: Connection) throws(StoreFailure) {
        let found = try connection.statement(
            "SELECT sql FROM sqlite_schema WHERE name = ? AND type = 'table'"
        )
        .first([.text(name)]) { (row) in row.text(0) }
        guard let sql = found else { throw StoreFailure(.failed, "the schema has no table \(name)") }
        var columns: [Column] = []
        try connection.statement("SELECT name, type, \"notnull\" FROM pragma_table_info(?)").rows([
            .text(name)
        ]) {
            (row) throws(StoreFailure) in
            columns.append(
                Column(
                    isBlob: row.text(1) == "BLOB", isRequired: row.integer(2) != 0,
                    isIdentifier: sql.contains("length(\(row.text(0))) = \(Self.identifierBytes)")))
            return true
        }
        (self.name, self.sql, self.columns) = (name, sql, columns)
        isNumbered = !sql.contains("WITHOUT ROWID")
    }

    /// Returns the values of a row, and its number as the first value if the table is numbered.
    ///
    /// Returns nil if the row can't belong to this table.
    func values(_ row: PageRow) -> [SQLiteValue]? {
        guard row.values.count == columns.count, (row.number != nil) == isNumbered else { return nil }
        var values = row.values
        if let number = row.number, isNumbered {
            guard case .null = values[0] else { return nil }
            values[0] = .integer(number)
        }
        for (column, value) in zip(columns, values) where !column.admits(value) { return nil }
        return values
    }
}

extension TableShape.Column {
    /// Whether the column may contain this value.
    fileprivate func admits(_ value: SQLiteValue) -> Bool {
        switch value {
        case .null: !isRequired
        case .integer: !isBlob
        case .blob(let bytes): isBlob && (!isIdentifier || bytes.count == TableShape.identifierBytes)
        case .real, .text: false
        }
    }
}
