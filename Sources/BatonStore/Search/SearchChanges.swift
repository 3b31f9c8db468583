import BatonCore

/// What the full-text table does not show yet of what the open transaction did.
///
/// FTS5 sorts what it is given in memory and writes it out at each savepoint and wherever the numbers of rows do not
/// ascend. So changes wait for the end of the transaction, and are made in the order of their numbers.
struct SearchChanges {
    private var changes: [Change] = []
    private(set) var byteCount = 0

    /// What became of the words of one record.
    struct Change {
        let number: Int64
        var old: SearchText?
        var new: SearchText?

        var byteCount: Int { 64 + (old?.byteCount ?? 0) + (new?.byteCount ?? 0) }
    }

    var count: Int { changes.count }

    mutating func append(_ change: Change) {
        changes.append(change)
        byteCount += change.byteCount
    }

    /// Forgets what came behind the first so many.
    mutating func shorten(to count: Int) {
        for change in changes[count...] { byteCount -= change.byteCount }
        changes.removeSubrange(count...)
    }

    /// Takes out what became of each record on the whole, in the order of their numbers.
    mutating func takeAll() -> [Change] {
        let order = changes.indices.sorted { (changes[$0].number, $0) < (changes[$1].number, $1) }
        var merged: [Change] = []
        for place in order {
            let change = changes[place]
            if let last = merged.last, last.number == change.number {
                merged[merged.count - 1].new = change.new
            } else {
                merged.append(change)
            }
        }
        self = SearchChanges()
        return merged.filter { $0.old != $0.new }
    }
}
