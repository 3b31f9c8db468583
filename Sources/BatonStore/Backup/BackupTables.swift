import BatonCore

/// The tables of a lane that a backup has.
extension Connection {
    /// Returns the names of the tables that a backup has, in order: all except the full-text table, the tables of
    /// words, facts and vectors, and earlier searches.
    ///
    /// Searches stay on the device. The other tables that are left out are filled by rules that the next version may
    /// change.
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

    /// Returns the columns of a table, in order.
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
    /// Returns the present name of a device; its certificate has the name that it had when it joined.
    ///
    /// Returns nil if its record is missing or can't be read. A damaged record does not prevent a backup, because all
    /// rows are copied as they are.
    func name(of device: DeviceIdentifier) -> String? {
        do throws(StoreFailure) {
            try load()
            return try records.records(of: .device).compactMap(\.device).first { $0.identifier == device }?
                .name
        } catch {
            return nil
        }
    }

    /// Writes all rows of this moment; returns how many there are.
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
    /// About how many bytes the value takes in a piece.
    fileprivate var byteCount: Int {
        switch self {
        case .integer, .real, .null: 9
        case .text(let text): text.utf8.count + 9
        case .blob(let bytes): bytes.count + 9
        }
    }
}
