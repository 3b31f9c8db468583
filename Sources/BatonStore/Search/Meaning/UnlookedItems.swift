import BatonCore

/// The items that were not looked at for a vector since they changed.
struct UnlookedItems {
    /// The changes that are known: up to a place in this order of arrival; nil at first.
    private var known: (order: ArrivalOrder, head: Arrival)?
    /// The last record that was looked at.
    private var cursor = Int64.min
    /// Whether all records were looked at.
    private var isDone = false
    /// Records that have changed since they were looked at.
    private var changed: [Int64] = []

    /// If more items than this are to be looked at, all are; and the most that are looked at in one call.
    static let most = 5_000

    /// Whether further items are looked at, or all of them anew.
    enum Progress {
        case continued, restarted
    }

    /// Begins with all items anew.
    mutating func restart() { (cursor, isDone, changed) = (.min, false, []) }

    /// Reads what has changed since the last time.
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

    /// Returns the number of an item that is to be looked at; nil if there is none.
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
