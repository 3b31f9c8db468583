import BatonCore

/// Keeps the full-text table and the table of facts consistent with the items.
final class SearchIndex: LanePart {
    /// The largest number of bytes of text that wait for the end of a transaction.
    ///
    /// The text of the last item is not counted.
    var bytesMost = 4 << 20
    /// The smallest number of changes in a step of a batch for which the words of the step are counted later.
    var keptLeast = 250

    /// Reads how far the table is filled.
    ///
    /// If the table was filled by the rules of another version, it is emptied.
    func load() throws(StoreFailure) {
        let (rules, through) = try tables.search.progress()
        let (removed, isRewriting) = try tables.search.erasure()
        (transaction.state.searching.removed, transaction.state.searching.isRewriting) = (
            removed, isRewriting
        )
        transaction.state.searching.hasVectors = try tables.vectors.model() != nil
        transaction.state.searching.keptWords = try tables.wordChanges.count()
        if rules == SearchRules.current { transaction.state.searching.through = through } else { try empty() }
        guard !transaction.isReadOnly, transaction.state.searching.through != nil,
            try nextMissing(1).isEmpty
        else { return }
        transaction.state.searching.through = nil
        try keepProgress()
    }

    // MARK: Keeping it in step

    /// Adds the change of a record to the queue.
    ///
    /// The tables are changed at the end of the transaction.
    func recordChange(_ number: Int64, from old: Record?, to new: Record?) throws(StoreFailure) {
        if (new ?? old)?.identity.kind == .savedActivity { return try noteActivity(number, old, new) }
        guard (new ?? old)?.identity.kind == .item,
            transaction.state.searching.through.map({ number <= $0 }) ?? true
        else { return }
        let (old, new) = (SearchQueue.Content(old), SearchQueue.Content(new))
        guard old != new else { return }
        transaction.words.append(
            SearchQueue.Change(number: number, old: old, new: new), isOfBatch: transaction.isMergingStep)
        transaction.state.searching.waiting = transaction.words.count
        if transaction.words.byteCount > bytesMost { try write() }
    }

    /// Removes the vector of a saved activity if its text was changed or removed.
    private func noteActivity(_ number: Int64, _ old: Record?, _ new: Record?) throws(StoreFailure) {
        guard transaction.state.searching.hasVectors else { return }
        let (old, new) = (
            old?.savedActivity.flatMap(\.searchText), new?.savedActivity.flatMap(\.searchText)
        )
        if old != new { try tables.vectors.remove(number) }
    }

    /// Writes the queued changes.
    ///
    /// If the table is found damaged, it is emptied. Nothing is lost, because the table can be filled again from the
    /// records.
    func write() throws(StoreFailure) {
        guard transaction.words.count > 0 else { return }
        // A person may search for what was just written, so only words from the steps of batches may be counted later.
        let isForLater = transaction.words.isOfBatches && transaction.words.count >= keptLeast
        let changes = transaction.words.takeAll()
        transaction.state.searching.waiting = 0
        transaction.state.searching.rounds += 1
        let tally = tables.rows.connection.tally
        // If writing fails, it is rolled back, and the words in the tally must not be counted with the next changes.
        defer { tally.clear() }
        do {
            for change in changes where change.old.text != change.new.text {
                if let old = change.old.text { try tables.search.remove(old, number: change.number) }
                if let new = change.new.text { try tables.search.insert(new, number: change.number) }
                if transaction.state.searching.hasVectors { try tables.vectors.remove(change.number) }
                if tally.words.isFull { try writeWords(isForLater: isForLater) }
            }
            try tables.facts.change(changes.map { ($0.number, $0.old.facts, $0.new.facts) })
            try writeWords(isForLater: isForLater)
            try noteRemoved(by: changes)
        } catch {
            guard error.code == .damaged else { throw error }
            try empty()
        }
    }

    /// Writes the tallied words to the table, or keeps them for later, and clears the tally.
    private func writeWords(isForLater: Bool) throws(StoreFailure) {
        let tally = tables.rows.connection.tally
        if isForLater {
            transaction.state.searching.keptWords += try tables.wordChanges.keep(tally.words)
        } else {
            try tables.words.add(
                tally.words, whileMoreAreKept: transaction.state.searching.keptWords > 0)
        }
        tally.clear()
    }

    /// Notes that removed or replaced words are to be erased from the segments of the table.
    private func noteRemoved(by changes: [SearchQueue.Change]) throws(StoreFailure) {
        var removed = transaction.state.searching.removed
        for change in changes where change.old.text != nil && change.old.text != change.new.text {
            removed = max(removed, change.new.text == nil ? .removed : .replaced)
        }
        guard removed != transaction.state.searching.removed else { return }
        try keep(removed, isRewriting: transaction.state.searching.isRewriting)
    }

    private func keep(_ removed: RemovedWords, isRewriting: Bool) throws(StoreFailure) {
        (transaction.state.searching.removed, transaction.state.searching.isRewriting) = (
            removed, isRewriting
        )
        try tables.search.keepErasure(removed, isRewriting: isRewriting)
    }

    /// Adds changes that were kept for later to the table of words.
    ///
    /// One step takes about as long as merging `most` records.
    func countWords(most: Int) throws(StoreFailure) {
        // Adding one row takes as long as merging this number of records. If many rows are added together, each takes
        // less time, because rows share most words.
        let records = most < keptLeast ? 25 : 8
        do {
            let (words, taken) = try tables.wordChanges.take(most: max(most / records, 1))
            transaction.state.searching.keptWords -= taken
            try tables.words.add(words, whileMoreAreKept: transaction.state.searching.keptWords > 0)
        } catch {
            guard error.code == .damaged else { throw error }
            try empty()
        }
    }

    // MARK: Rewriting

    /// Whether changes of words are kept for later.
    var keepsWords: Bool { transaction.state.searching.keptWords > 0 }

    /// Whether the table is being rewritten.
    var isRewriting: Bool { transaction.state.searching.isRewriting }

    /// Whether no removed words of the given kind are left in the table.
    func isErased(_ words: RemovedWords) -> Bool {
        let searching = transaction.state.searching
        return !searching.isRewriting && searching.removed < words && !keepsWords
    }

    /// Rewrites about `pages` pages of the table, and leaves out the words that were removed.
    ///
    /// Words that are removed during a rewrite are erased by the next rewrite, and so are the words of queued changes.
    func rewrite(pages: Int) throws(StoreFailure) {
        let begins = !transaction.state.searching.isRewriting
        do {
            try tables.search.rewrite(pages: pages, begins: begins)
            let isRewriting = try tables.search.isRewriting()
            try keep(begins ? .none : transaction.state.searching.removed, isRewriting: isRewriting)
        } catch {
            guard error.code == .damaged else { throw error }
            try empty()
        }
    }

    // MARK: Filling

    /// Empties the table.
    ///
    /// It is then filled again from the first record on.
    func empty() throws(StoreFailure) {
        try tables.search.removeAll()
        try tables.words.removeAll()
        try tables.wordChanges.removeAll()
        transaction.state.searching.keptWords = 0
        try tables.facts.removeAll()
        // Vectors are removed, too. Until an item is in the table again, its changes are not noted, and its vector
        // could become outdated.
        if transaction.state.searching.hasVectors { try tables.vectors.removeAll() }
        transaction.state.searching.through = 0
        try keepProgress()
        try keep(.none, isRewriting: false)
        // The queue is emptied last, because filling the table adds the queued changes, too. If emptying the table
        // fails, the changes must stay in the queue.
        transaction.words = SearchQueue()
        transaction.state.searching.waiting = 0
    }

    /// Notes that the database may have vectors of texts from now on.
    func noteVectors() { transaction.state.searching.hasVectors = true }

    /// Whether items are missing in the table.
    var isFilling: Bool { transaction.state.searching.through != nil }

    /// Adds the words of the next items, at most `most`, to the table.
    ///
    /// Returns true if no item is missing in the table afterwards.
    func fill(most: Int) throws(StoreFailure) -> Bool {
        guard isFilling else { return true }
        let numbers = try nextMissing(most)
        for number in numbers {
            transaction.state.searching.through = number
            // An item is added even if a clear covers it whose sweep has not finished. The sweep then removes the
            // item's words.
            try recordChange(number, from: nil, to: try records.stored(number: number)?.raw)
            // If the table was found damaged and was emptied, filling begins again with the first item.
            guard transaction.state.searching.through == number else { return false }
        }
        if numbers.count < most { transaction.state.searching.through = nil }
        try keepProgress()
        return !isFilling
    }

    private func nextMissing(_ most: Int) throws(StoreFailure) -> [Int64] {
        try tables.records.items(after: transaction.state.searching.through ?? .max, most: most)
    }

    private func keepProgress() throws(StoreFailure) {
        try tables.search.keepProgress(through: transaction.state.searching.through)
    }
}
