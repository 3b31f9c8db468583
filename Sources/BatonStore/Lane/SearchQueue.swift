import BatonCore

/// The changes of the full-text table and of facts that the open transaction has not written yet.
///
/// FTS5 sorts its input in memory and writes it out at each savepoint and wherever the numbers of rows do not ascend.
/// So the changes wait for the end of the transaction, and are then made in the order of the record numbers.
///
/// The queue is not a part of `LaneState`. Otherwise, the first change after each savepoint would copy all queued
/// texts. Instead, `LaneState` has the number of queued changes, and a rollback cuts the queue to that number.
struct SearchQueue {
    private var changes: [Change] = []
    private(set) var byteCount = 0
    /// Whether all changes come from steps of batches.
    private(set) var isOfBatches = true

    /// A change of the words and facts of one record.
    struct Change {
        let number: Int64
        var old: Content
        var new: Content

        fileprivate var byteCount: Int { 64 + old.byteCount + new.byteCount }
    }

    /// The texts and facts by which searches and queries find an item.
    struct Content: Equatable {
        let text: SearchText?
        let facts: ItemFacts?

        init(_ record: Record?) {
            text = record.flatMap(SearchText.init)
            facts = record.map(ItemFacts.init)
        }

        fileprivate var byteCount: Int { (text?.byteCount ?? 0) + 48 * (facts?.facts.count ?? 0) }

        static func == (left: Self, right: Self) -> Bool {
            left.text == right.text && left.all == right.all && left.facts?.indexed == right.facts?.indexed
        }

        fileprivate var all: [ItemFact] { facts?.facts ?? [] }
    }

    var count: Int { changes.count }

    mutating func append(_ change: Change, isOfBatch: Bool) {
        changes.append(change)
        isOfBatches = isOfBatches && isOfBatch
        byteCount += change.byteCount
    }

    /// Removes the changes that were queued after a savepoint.
    ///
    /// SQLite undoes the changes that were already written to the tables.
    ///
    /// Returns false if changes from before the savepoint were written to the tables after the savepoint. These changes
    /// are lost.
    mutating func goBack(from now: LaneState.Searching, to standing: LaneState.Searching) -> Bool {
        guard now.rounds != standing.rounds else {
            for change in changes[standing.waiting...] { byteCount -= change.byteCount }
            changes.removeSubrange(standing.waiting...)
            return true
        }
        self = SearchQueue()
        return standing.waiting == 0
    }

    /// Empties the queue, and returns the total change of each record in the order of the record numbers.
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
        self = SearchQueue()
        return merged.filter { $0.old != $0.new }
    }
}
