import BatonCore
import CSQLite

/// Ranks the rows of full-text queries, through an SQL function that a connection has.
///
/// `bm25()` of SQLite counts all rows of each phrase before it ranks the first, which takes long for frequent words.
final class RankFunction {
    /// The ranking of the present search.
    var rank = TextRank(itemsWith: [], among: 0)
    /// Tells of each phrase of the full-text query which phrase of the search it stands for, and whether it is a whole
    /// word.
    var phrases: [(number: Int, isWhole: Bool)] = []

    private var places: [TextRank.Place] = []
    private var sizes = [Int](repeating: 0, count: SearchText.columns.count)

    /// Returns the score of the row that a full-text query is at; nil if SQLite failed.
    @unsafe fileprivate func score(
        _ api: UnsafePointer<Fts5ExtensionApi>, _ context: OpaquePointer
    ) -> Double? {
        places.removeAll(keepingCapacity: true)
        var count: Int32 = 0
        guard unsafe api.pointee.xInstCount(context, &count) == SQLITE_OK else { return nil }
        for number in 0..<min(count, Int32(TextRank.placesMost)) {
            var (phrase, column, position): (Int32, Int32, Int32) = (0, 0, 0)
            guard unsafe api.pointee.xInst(context, number, &phrase, &column, &position) == SQLITE_OK else {
                return nil
            }
            let (typed, isWhole) = phrases[Int(phrase)]
            places.append(
                TextRank.Place(
                    phrase: typed, column: Int(column), position: Int(position), isWhole: isWhole))
        }
        for column in sizes.indices {
            var size: Int32 = 0
            guard unsafe api.pointee.xColumnSize(context, Int32(column), &size) == SQLITE_OK else {
                return nil
            }
            sizes[column] = Int(size)
        }
        return rank.score(places, sizes: sizes)
    }
}

extension Connection {
    /// Gives full-text queries the function `text_rank`; the object must outlive the connection.
    @unsafe func add(_ function: RankFunction) throws(StoreFailure) {
        var api: UnsafeMutablePointer<fts5_api>?
        var code = unsafe findFullText(handle, &api)
        if code == SQLITE_OK, let api = unsafe api {
            code = unsafe api.pointee.xCreateFunction(
                api, "text_rank", Unmanaged.passUnretained(function).toOpaque(), rankRow, nil)
        }
        guard code == SQLITE_OK else { throw failure(code, doing: "add the ranking") }
    }
}

/// Gives SQLite the score of the row that a full-text query is at.
private func rankRow(
    _ api: UnsafePointer<Fts5ExtensionApi>?, _ context: OpaquePointer?, _ result: OpaquePointer?,
    _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let api = unsafe api, let context = unsafe context,
        let function = unsafe api.pointee.xUserData(context)
    else { return unsafe sqlite3_result_error_code(result, SQLITE_MISUSE) }
    let ranking = unsafe Unmanaged<RankFunction>.fromOpaque(function).takeUnretainedValue()
    guard let score = unsafe ranking.score(api, context) else {
        return unsafe sqlite3_result_error_code(result, SQLITE_CORRUPT)
    }
    unsafe sqlite3_result_double(result, score)
}
