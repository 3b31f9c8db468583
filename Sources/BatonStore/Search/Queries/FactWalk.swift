import BatonCore

/// Reads records in the order of the attribute by which the results of a query are sorted.
///
/// A query that needs only the first results can stop before it has compared most items.
struct FactWalk {
    private let order: FactOrder
    /// The attribute, with the only type of value that items have.
    private let subject: ItemFact.Subject
    /// The records that may meet the query; nil if all records may.
    private let admitted: Set<Int64>?
    /// The records that are returned before all others, because they have too many facts to store.
    private var others: [Int64]
    /// The records that were returned.
    private var returned: Set<Int64> = []
    /// The largest number of rows that are still read.
    private var rowsLeft: Int
    /// The number of rows that are read next; it doubles each time, up to `rowsAtOnceMost`.
    private var rowsAtOnce: Int
    private let rowsAtOnceMost: Int
    /// The last row that was read; nil before the first one.
    private var last: FactTable.Entry?
    /// Whether all rows were read.
    private var isAtEnd = false

    /// Creates a walk that reads at most `rows` rows, to find `wanted` results.
    init(
        _ order: FactOrder, _ subject: ItemFact.Subject, first others: [Int64], among admitted: Set<Int64>?,
        wanted: Int, most rows: Int
    ) {
        (self.order, self.subject) = (order, subject)
        (self.others, self.admitted, rowsLeft) = (others, admitted, rows)
        // Rows are read faster than items, so many rows are read at once if most of their records are left out.
        rowsAtOnceMost = admitted == nil ? 100 : 1000
        // If every record meets the query and no two have the same value, one row after the results shows that they are
        // the first ones.
        rowsAtOnce = min(wanted, rowsAtOnceMost - 1) + 1
    }

    /// Whether no further rows are read, because all were read, or because the order excludes too few records.
    var isOver: Bool { isAtEnd || rowsLeft <= 0 }

    /// Whether a record was returned.
    func hasReturned(_ number: Int64) -> Bool { returned.contains(number) }

    /// Reads further rows, and returns their records that may meet the query and were not returned yet.
    mutating func next(in facts: FactTable) throws(StoreFailure) -> [Int64] {
        let most = min(rowsLeft, rowsAtOnce)
        rowsAtOnce = min(rowsAtOnce * 2, rowsAtOnceMost)
        let rows = try facts.entries(of: subject, after: last, isDescending: order.isDescending, most: most)
        (isAtEnd, last) = (rows.count < most, rows.last ?? last)
        rowsLeft -= rows.count
        let records = others + rows.map(\.record)
        others = []
        return records.filter { admitted?.contains($0) ?? true && returned.insert($0).inserted }
    }

    /// Returns whether every item that comes before a key, or has an equal one, is among the records that were
    /// returned.
    func hasPassed(_ key: SortKey) -> Bool {
        guard let value = order.value(of: key, in: subject) else { return false }
        guard !isAtEnd, let last else { return isAtEnd }
        return order.isDescending ? last.value < value : value < last.value
    }
}
