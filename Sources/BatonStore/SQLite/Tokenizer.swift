import BatonCore
import CSQLite

extension Connection {
    /// Registers this program's tokenizer for full-text tables, and the SQL function `noted`.
    ///
    /// The tokenizer passes each word that is added to a table or removed from it to the tally.
    ///
    /// The SQL function `noted` passes a number to the tally, and returns the number.
    func addTokenizer() throws(StoreFailure) {
        let tally = unsafe Unmanaged.passUnretained(self.tally).toOpaque()
        var code = unsafe BatonStore.addTokenizer(to: handle, tally: tally)
        if code == SQLITE_OK {
            code = unsafe sqlite3_create_function_v2(
                handle, "noted", 1, SQLITE_UTF8, tally, noteCount, nil, nil, nil)
        }
        guard code == SQLITE_OK else { throw failure(code, doing: "add the tokenizer") }
    }
}

/// Registers this program's tokenizer for the full-text tables of a connection; returns a code of SQLite.
///
/// The tally is the address of a `WordTally`, which must outlive the connection.
@unsafe package func addTokenizer(
    to connection: OpaquePointer, tally: UnsafeMutableRawPointer? = nil
) -> Int32 {
    var api: UnsafeMutablePointer<fts5_api>?
    let code = unsafe findFullText(connection, &api)
    guard code == SQLITE_OK, let api = unsafe api else { return code == SQLITE_OK ? SQLITE_ERROR : code }
    var methods = unsafe fts5_tokenizer(
        xCreate: createTokenizer, xDelete: deleteTokenizer, xTokenize: cutText)
    return unsafe api.pointee.xCreateTokenizer(api, "baton", tally, &methods, nil)
}

/// Finds the programming interface of SQLite's full-text module.
///
/// See https://sqlite.org/fts5.html#extending_fts5.
func findFullText(
    _ connection: OpaquePointer, _ api: UnsafeMutablePointer<UnsafeMutablePointer<fts5_api>?>
) -> Int32 {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, nil)
    defer { unsafe sqlite3_finalize(statement) }
    guard code == SQLITE_OK else { return code }
    // The name of the pointer's type must stay in memory as long as the statement exists.
    let type: StaticString = "fts5_api_ptr"
    let name = unsafe UnsafeRawPointer(type.utf8Start).assumingMemoryBound(to: CChar.self)
    let bound = unsafe sqlite3_bind_pointer(statement, 1, api, name, nil)
    guard bound == SQLITE_OK else { return bound }
    let step = unsafe sqlite3_step(statement)
    return step == SQLITE_ROW ? SQLITE_OK : step
}

/// The SQL function `noted`: passes a number to the tally, and returns the number to SQLite.
private func noteCount(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let tally = unsafe sqlite3_user_data(context), let value = unsafe values?.pointee else {
        return unsafe sqlite3_result_error_code(context, SQLITE_MISUSE)
    }
    let number = unsafe sqlite3_value_int64(value)
    unsafe Unmanaged<WordTally>.fromOpaque(tally).takeUnretainedValue().noted = number
    unsafe sqlite3_result_int64(context, number)
}

/// Creates the tokenizer of a table.
///
/// The tokenizer reuses its memory for each text.
private func createTokenizer(
    _ context: UnsafeMutableRawPointer?, _ arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ count: Int32, _ tokenizer: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    let tally = unsafe context.map { unsafe Unmanaged<WordTally>.fromOpaque($0).takeUnretainedValue() }
    unsafe tokenizer?.pointee = OpaquePointer(Unmanaged.passRetained(Tokenizer(tally)).toOpaque())
    return SQLITE_OK
}

/// Releases the tokenizer of a table.
private func deleteTokenizer(_ tokenizer: OpaquePointer?) {
    guard let tokenizer = unsafe tokenizer else { return }
    unsafe Unmanaged<Tokenizer>.fromOpaque(UnsafeRawPointer(tokenizer)).release()
}

/// Cuts a text into words, and passes the words to SQLite.
private func cutText(
    _ tokenizer: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ purpose: Int32,
    _ text: UnsafePointer<CChar>?, _ count: Int32, _ take: TakeWord?
) -> Int32 {
    guard let tokenizer = unsafe tokenizer, let take = unsafe take else { return SQLITE_MISUSE }
    guard let text = unsafe text, count > 0 else { return SQLITE_OK }
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
    return unsafe Unmanaged<Tokenizer>.fromOpaque(UnsafeRawPointer(tokenizer)).takeUnretainedValue()
        .cut(bytes, for: purpose & FTS5_TOKENIZE_QUERY != 0 ? .query : .index, context, take)
}

/// The function of SQLite that receives a word.
///
/// Its parameters are the context, flags, the word and its length, and the offsets in the text where the word begins
/// and ends.
private typealias TakeWord =
    @convention(c) (
        UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
    ) -> Int32

/// A word in a query that was read from the table `words`.
///
/// Such a word is neither cut nor folded again.
enum StoredWord {
    /// The byte before such a word.
    ///
    /// Nobody can type this byte in a search, because it is not a letter.
    static let mark: UInt8 = 1
}

/// Cuts texts into words for one full-text table.
private final class Tokenizer {
    private var cutter = WordCutter()
    private let tally: WordTally?

    init(_ tally: WordTally?) { self.tally = tally }

    /// Passes each word of a text to SQLite until SQLite refuses a word; returns the code of SQLite.
    func cut(
        _ text: UnsafeRawBufferPointer, for purpose: WordCutter.Purpose,
        _ context: UnsafeMutableRawPointer?, _ take: TakeWord
    ) -> Int32 {
        if purpose == .query, unsafe text.first == StoredWord.mark {
            let word = unsafe UnsafeRawBufferPointer(rebasing: text.dropFirst())
            return unsafe pass(word, 1..<text.count, context, to: take)
        }
        var code = SQLITE_OK
        unsafe cutter.cut(text.bindMemory(to: UInt8.self), for: purpose) { word, range in
            if purpose == .index { unsafe tally?.countWord(word) }
            code = unsafe pass(UnsafeRawBufferPointer(word), range, context, to: take)
            return code == SQLITE_OK
        }
        return code
    }

    private func pass(
        _ word: UnsafeRawBufferPointer, _ range: Range<Int>, _ context: UnsafeMutableRawPointer?,
        to take: TakeWord
    ) -> Int32 {
        let letters = unsafe word.baseAddress?.assumingMemoryBound(to: CChar.self)
        return unsafe take(
            context, 0, letters, Int32(word.count), Int32(range.lowerBound), Int32(range.upperBound))
    }
}
