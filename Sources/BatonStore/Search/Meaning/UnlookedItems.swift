import BatonCore

/// The items that have changed and were not checked for a vector since.
struct UnlookedItems {
    /// The place in the order of arrival up to which changes are known; nil before the first call.
    private var known: (order: ArrivalOrder, head: Arrival)?
    /// The number of the last record that was checked.
    private var cursor = Int64.min
    /// Whether all records were checked.
    private var isDone = false
    /// The numbers of the items that have changed since they were checked.
    private var changed: [Int64] = []

    /// The largest number of items that are checked in one call.
    ///
    /// If more items have changed, all items are checked again.
    static let most = 5_000

    /// Says whether the check continues, or begins again with all items.
    enum Progress {
        case continued, restarted
    }

    /// Makes the check begin again with all items.
    mutating func restart() { (cursor, isDone, changed) = (.min, false, []) }

    /// Reads which items have changed since the last call.
    mutating func catchUp(with tables: LaneTables) throws(StoreFailure) -> Progress {
        guard let progress = try tables.progress.content() else { throw tables.rows.damaged(.outOfRange) }
        defer { known = (progress.order, progress.head) }
        guard let known, known.order == progress.order, known.head <= progress.head,
            let arrived = try tables.records.changed(after: known.head, most: Self.most)
        else {
            restart()
            return .restarted
        }
        changed += arrived.filter { $0.identity.kind == .item }.map(\.number)
        guard changed.count > Self.most else { return .continued }
        restart()
        return .restarted
    }

    /// Returns the number of the next item to be checked; nil if there is none.
    mutating func next(in tables: LaneTables) throws(StoreFailure) -> Int64? {
        if let number = changed.popLast() { return number }
        guard !isDone else { return nil }
        guard let number = try tables.records.items(after: cursor, most: 1).first else {
            isDone = true
            return nil
        }
        cursor = number
        return number
    }
}
