import BatonCore

/// Finds the tables that a backup contains.
extension Connection {
    /// Returns the names of the tables that a backup contains, in alphabetical order.
    ///
    /// These are all tables except the full-text table, the tables of words, facts and vectors, and the table of
    /// remembered searches.
    ///
    /// Remembered searches never leave the device. The other tables are left out because they can be filled again, and
    /// because the next version may fill them by other rules.
    func ownTables() throws(StoreFailure) -> [String] {
        var tables: [String] = []
        let query = """
            SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
            AND name NOT LIKE 'sqlite@_%' ESCAPE '@' AND name NOT IN
            ('words', 'word_changes', 'searches', 'facts', 'vectors', 'vector_model') ORDER BY name
            """
        try statement(query).rows([]) { (row) throws(StoreFailure) in
            tables.append(row.text(0))
            return true
        }
        return tables
    }

    /// Returns the names of a table's columns, in order.
    func columns(of table: String) throws(StoreFailure) -> [String] {
        var columns: [String] = []
        try statement("SELECT name FROM pragma_table_info(?)").rows([.text(table)]) {
            (row) throws(StoreFailure) in
            columns.append(row.text(0))
            return true
        }
        return columns
    }
}

extension LaneReader {
    /// Returns the present name of a device.
    ///
    /// The certificate of the device has only the name that the device had when it joined.
    ///
    /// Returns nil if the record of the device is missing or can't be read. A damaged record must not prevent a backup,
    /// because all rows are copied as they are.
    func name(of device: DeviceIdentifier) -> String? {
        do throws(StoreFailure) {
            try load()
            return try records.records(of: .device).compactMap(\.device).first { $0.identifier == device }?
                .name
        } catch {
            return nil
        }
    }

    /// Writes all rows of the lane as they were when the read transaction began, and returns their number.
    func backUp(to writer: inout BackupWriter<some BackupSink>) throws(StoreFailure) -> Int {
        var count = 0
        for table in try connection.ownTables() {
            let columns = try connection.columns(of: table)
            try writer.write(.table(lane, name: table, columns: columns))
            var (values, bytes): ([SQLiteValue], Int) = ([], 0)
            let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
            try connection.statement("SELECT \(names) FROM \"\(table)\"").rows([]) {
                (row) throws(StoreFailure) in
                for column in columns.indices {
                    let value = row.value(Int32(column))
                    bytes += value.byteCount
                    values.append(value)
                }
                count += 1
                guard bytes >= BackupPiece.portion else { return true }
                try writer.write(.rows(values))
                (values, bytes) = ([], 0)
                return true
            }
            if !values.isEmpty { try writer.write(.rows(values)) }
        }
        return count
    }
}

extension SQLiteValue {
    /// The approximate number of bytes that the value takes in a piece.
    fileprivate var byteCount: Int {
        switch self {
        case .integer, .real, .null: 9
        case .text(let text): text.utf8.count + 9
        case .blob(let bytes): bytes.count + 9
        }
    }
}
