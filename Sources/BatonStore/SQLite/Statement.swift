import BatonCore
import CSQLite

/// A value that is bound to a statement.
enum SQLiteValue {
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    case null

    static func integer(_ value: UInt64) -> SQLiteValue { .integer(Int64(bitPattern: value)) }
}

/// A prepared statement.
///
/// The statement is in the cache of its connection. The connection outlives the statement.
@safe
final class Statement {
    private let handle: OpaquePointer
    private let text: String
    /// The connection of the statement.
    ///
    /// The reference is unowned, because the cache of the connection retains this statement.
    private unowned let connection: Connection

    /// Takes ownership of a statement that SQLite prepared.
    @unsafe init(owning handle: OpaquePointer, text: String, connection: Connection) {
        unsafe self.handle = handle
        (self.text, self.connection) = (text, connection)
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Runs the statement to its end, and ignores the rows that it returns.
    func run(_ values: [SQLiteValue]) throws(StoreFailure) {
        try rows(values) { (_) throws(StoreFailure) in true }
    }

    /// Runs the statement with a blob and two integers, without copying them into an array.
    func run(_ blob: ArraySlice<UInt8>, _ first: Int64, _ second: Int64) throws(StoreFailure) {
        defer { _ = unsafe sqlite3_reset(handle) }
        let codes = (
            bind(blob, at: 1), unsafe sqlite3_bind_int64(handle, 2, first),
            unsafe sqlite3_bind_int64(handle, 3, second)
        )
        guard codes == (SQLITE_OK, SQLITE_OK, SQLITE_OK) else {
            throw connection.failure(max(codes.0, codes.1, codes.2), doing: text)
        }
        let code = unsafe sqlite3_step(handle)
        guard code == SQLITE_DONE else { throw connection.failure(code, doing: text) }
    }

    /// Runs the statement and calls the closure with each row, until the closure returns false.
    func rows(
        _ values: [SQLiteValue], _ body: (borrowing Row) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        // A reset statement holds no locks. `sqlite3_reset` returns the code of the last step, which was already
        // thrown.
        defer { _ = unsafe sqlite3_reset(handle) }
        try bind(values)
        while true {
            switch unsafe sqlite3_step(handle) {
            case SQLITE_ROW:
                guard try body(unsafe Row(handle)) else { return }
            case SQLITE_DONE: return
            case let code: throw connection.failure(code, doing: text)
            }
        }
    }

    /// The number of steps that SQLite's virtual machine has made for the statement.
    var steps: Int { Int(unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)) }

    /// Returns the result of the closure for the first row; nil if there is no row.
    func first<Value>(
        _ values: [SQLiteValue], _ body: (borrowing Row) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value? {
        var value: Value?
        try rows(values) { (row) throws(StoreFailure) in
            value = try body(row)
            return false
        }
        return value
    }

    private func bind(_ values: [SQLiteValue]) throws(StoreFailure) {
        for (place, value) in values.enumerated() {
            let place = Int32(place + 1)
            let code =
                switch value {
                case .integer(let value): unsafe sqlite3_bind_int64(handle, place, value)
                case .real(let value): unsafe sqlite3_bind_double(handle, place, value)
                case .null: unsafe sqlite3_bind_null(handle, place)
                case .text(let value): bind(value, at: place)
                case .blob(let value): bind(value, at: place)
                }
            guard code == SQLITE_OK else { throw connection.failure(code, doing: text) }
        }
    }

    private func bind(_ text: String, at place: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { buffer in
            unsafe CSQLite_bind_text(handle, place, buffer.baseAddress, UInt64(buffer.count))
        }
    }

    private func bind(_ bytes: ArraySlice<UInt8>, at place: Int32) -> Int32 {
        if bytes.isEmpty { return unsafe CSQLite_bind_empty_blob(handle, place) }
        return unsafe bytes.withUnsafeBytes { buffer in
            unsafe CSQLite_bind_blob(handle, place, buffer.baseAddress, UInt64(buffer.count))
        }
    }

    private func bind(_ bytes: [UInt8], at place: Int32) -> Int32 {
        if bytes.isEmpty { return unsafe CSQLite_bind_empty_blob(handle, place) }
        return unsafe bytes.withUnsafeBytes { buffer in
            unsafe CSQLite_bind_blob(handle, place, buffer.baseAddress, UInt64(buffer.count))
        }
    }
}

/// The current row of a statement.
///
/// A row is valid only within the closure to which it is passed.
@safe
struct Row: ~Copyable {
    private let handle: OpaquePointer

    @unsafe fileprivate init(_ handle: OpaquePointer) { unsafe self.handle = handle }

    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    func unsigned(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

    func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

    /// Returns the value of a column with the type that SQLite stored.
    func value(_ column: Int32) -> SQLiteValue {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(real(column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }

    func text(_ column: Int32) -> String { String(decoding: blob(column), as: UTF8.self) }

    func blob(_ column: Int32) -> [UInt8] {
        guard let bytes = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
