import BatonCore

/// A condition on the words of an item that the item must fulfil to meet a query.
indirect enum QueryWords {
    /// The words of the item match an FTS5 expression.
    case expression(String)
    /// The item has a word that contains these letters, in one column, or in any column if `column` is nil.
    case containing([UInt8], column: String?)
    case all([QueryWords])
    case any([QueryWords])

    /// The items that may fulfil the condition, after letters were replaced by words of the index.
    enum Resolved: Equatable {
        /// The items that an FTS5 expression finds.
        case expression(String)
        case nothing
        /// Perhaps all items, because too many words contain the letters.
        case unknown
    }

    /// The largest number of words that may replace letters, and the largest number of times that all words are
    /// searched.
    static let (wordsMost, lookupsMost) = (256, 4)

    /// Replaces letters by the words of the index that contain these letters.
    func resolved(in table: WordTable, _ lookups: inout Int) throws(StoreFailure) -> Resolved {
        switch self {
        case .expression(let text): return .expression(text)
        case .containing(let letters, let column):
            guard lookups < Self.lookupsMost else { return .unknown }
            lookups += 1
            let words = try table.containing(letters, most: Self.wordsMost + 1)
            guard words.count <= Self.wordsMost else { return .unknown }
            guard !words.isEmpty else { return .nothing }
            let any = SearchExpression.any(of: words)
            return .expression(column.map { "\($0) : \(any)" } ?? any)
        case .all(let conditions):
            var texts: [String] = []
            for condition in conditions {
                switch try condition.resolved(in: table, &lookups) {
                case .expression(let text): texts.append("(\(text))")
                case .nothing: return .nothing
                case .unknown: break
                }
            }
            return texts.isEmpty ? .unknown : .expression(texts.joined(separator: " AND "))
        case .any(let conditions):
            var texts: [String] = []
            for condition in conditions {
                switch try condition.resolved(in: table, &lookups) {
                case .expression(let text): texts.append("(\(text))")
                case .nothing: break
                case .unknown: return .unknown
                }
            }
            return texts.isEmpty ? .nothing : .expression(texts.joined(separator: " OR "))
        }
    }
}
