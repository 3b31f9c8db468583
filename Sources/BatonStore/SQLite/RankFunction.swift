import BatonCore
import CSQLite

/// Computes the scores of rows in full-text queries, as the SQL function `text_rank`.
///
/// SQLite's own function `bm25()` counts all rows of each phrase before it ranks the first row. This takes long for
/// frequent words.
final class RankFunction {
    /// The ranking of the present search.
    var rank = TextRank(itemsWith: [], among: 0)
    /// The number of the search's phrase for each phrase of the full-text query.
    ///
    /// `isWhole` is false if the person typed only the beginning of the word.
    var phrases: [(number: Int, isWhole: Bool)] = []

    /// The best scores so far; nil if all rows are wanted.
    ///
    /// A row that can't be among the best rows gets no score.
    var best: BestScores?
    /// The score by meaning of each row, which is added to the score of the row's text for `best`.
    ///
    /// No such score is negative.
    var meaning: [Int64: Double] = [:]
    /// Returns the factor by which the sum of both scores of a row is multiplied for `best`.
    ///
    /// The factor is at least 1.
    var factor: (Int64) -> Double = { _ in 1 }

    private var places: [TextRank.Place] = []
    private var sizes = [Int](repeating: 0, count: SearchText.columns.count)

    /// The score of a row.
    fileprivate enum Score {
        case known(Double)
        /// The score is too low for the row to be among the best rows.
        case low
        /// A call of SQLite failed.
        case failed
    }

    /// Returns the score of the present row of a full-text query.
    @unsafe fileprivate func score(
        _ api: UnsafePointer<Fts5ExtensionApi>, _ context: OpaquePointer
    ) -> Score {
        guard unsafe readPlaces(api, context) else { return .failed }
        var (meaning, factor) = (0.0, 1.0)
        if best != nil {
            let row = unsafe api.pointee.xRowid(context)
            (meaning, factor) = (self.meaning[row] ?? 0, self.factor(row))
        }
        if let least = best?.least,
            ItemRank.firstScore(text: rank.bound(places, &sizes), meaning: meaning, use: factor) < least
        {
            return .low
        }
        for column in sizes.indices {
            var size: Int32 = 0
            guard unsafe api.pointee.xColumnSize(context, Int32(column), &size) == SQLITE_OK else {
                return .failed
            }
            sizes[column] = Int(size)
        }
        let score = rank.score(places, sizes: sizes)
        best?.add(ItemRank.firstScore(text: score, meaning: meaning, use: factor))
        return .known(score)
    }

    /// Reads the places of the phrases in the present row into `places`; returns false if a call of SQLite failed.
    @unsafe private func readPlaces(
        _ api: UnsafePointer<Fts5ExtensionApi>, _ context: OpaquePointer
    ) -> Bool {
        places.removeAll(keepingCapacity: true)
        var count: Int32 = 0
        guard unsafe api.pointee.xInstCount(context, &count) == SQLITE_OK else { return false }
        for number in 0..<min(count, Int32(TextRank.placesMost)) {
            var (phrase, column, position): (Int32, Int32, Int32) = (0, 0, 0)
            guard unsafe api.pointee.xInst(context, number, &phrase, &column, &position) == SQLITE_OK else {
                return false
            }
            let (typed, isWhole) = phrases[Int(phrase)]
            places.append(
                TextRank.Place(
                    phrase: typed, column: Int(column), position: Int(position), isWhole: isWhole))
        }
        return true
    }
}

/// Keeps the best of many scores.
struct BestScores {
    private let most: Int
    /// The best scores, in ascending order.
    private var scores: [Double] = []

    init(most: Int) { self.most = most }

    /// The lowest of the best scores; nil while there are fewer than `most` of them.
    var least: Double? { scores.count == most ? scores.first : nil }

    mutating func add(_ score: Double) {
        if let least {
            guard score > least else { return }
            scores.removeFirst()
        }
        scores.insert(score, at: scores.firstIndex { $0 >= score } ?? scores.count)
    }
}

extension Connection {
    /// Registers the SQL function `text_rank` for full-text queries.
    ///
    /// `function` must outlive the connection.
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

/// Returns the score of the present row of a full-text query to SQLite.
private func rankRow(
    _ api: UnsafePointer<Fts5ExtensionApi>?, _ context: OpaquePointer?, _ result: OpaquePointer?,
    _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let api = unsafe api, let context = unsafe context,
        let function = unsafe api.pointee.xUserData(context)
    else { return unsafe sqlite3_result_error_code(result, SQLITE_MISUSE) }
    let ranking = unsafe Unmanaged<RankFunction>.fromOpaque(function).takeUnretainedValue()
    switch unsafe ranking.score(api, context) {
    case .known(let score): unsafe sqlite3_result_double(result, score)
    case .low: unsafe sqlite3_result_null(result)
    case .failed: unsafe sqlite3_result_error_code(result, SQLITE_CORRUPT)
    }
}
