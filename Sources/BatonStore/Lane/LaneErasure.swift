import BatonCore

/// Erases deleted content from the files of a lane.
///
/// SQLite overwrites a deleted row. But the row's text stays in the segments of the full-text table until they are
/// rewritten, and in the log until the log is emptied.
final class LaneErasure {
    /// The approximate number of pages of the full-text table that one step writes, which takes a few milliseconds.
    static let pagesAtOnce = 48

    private let transaction: LaneTransaction
    private let search: SearchIndex
    private let log: LaneLog

    init(_ transaction: LaneTransaction, _ search: SearchIndex, _ log: LaneLog) {
        (self.transaction, self.search, self.log) = (transaction, search, log)
    }

    /// Returns how far the log and the given kind of removed words have been erased.
    func progress(_ words: RemovedWords) -> ErasureProgress {
        guard !transaction.isReadOnly, !(search.isErased(words) && log.isErased) else { return .done }
        return search.isErased(words) && log.isHeld ? .held : .more
    }

    /// Does the next step of the erasure.
    ///
    /// The step is complete once the transaction is committed.
    func goOn(_ words: RemovedWords, pages: Int) throws(StoreFailure) {
        guard !search.isErased(words) else { return log.eraseAfterCommit() }
        // The changes of words that were kept for later contain removed words, too. They must be removed before the
        // table is rewritten.
        if search.keepsWords { return try search.countWords(most: pages) }
        try search.rewrite(pages: pages)
    }
}

/// The progress of erasing deleted content.
package enum ErasureProgress: Sendable {
    /// There is more to do.
    case more
    /// The log can't be emptied now, because somebody reads from it.
    case held
    /// Everything is erased.
    case done
}
