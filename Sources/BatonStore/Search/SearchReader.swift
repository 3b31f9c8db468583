package import BatonCore

/// The items that a search looked through.
package enum SearchCoverage: Sendable {
    /// All that are there.
    case whole
    /// All but what batches that have ended bring and what is not merged yet.
    case merging
    /// Those of which the words are in the table of words, which is being made anew.
    case refilling
    /// Those that came last: the others that have the words were not ranked.
    case ranked
}

/// Finds items by their words, on a connection of its own that only reads: whoever writes never waits for it.
///
/// It belongs to the one thread that made it. The store has to be opened before.
package final class SearchReader {
    private let index: LaneReader
    private let stop: SearchStop
    private let gate: ReaderGate

    /// Opens the index of the store in a folder; searches end when they are told to stop, and read as the gate of the
    /// store that writes there lets them.
    package init(
        folder: String, stop: SearchStop, gate: ReaderGate = ReaderGate(), fileSystem: String? = nil
    ) throws(StoreFailure) {
        index = try LaneReader(folder + "/index.sqlite", lane: .index, fileSystem: fileSystem)
        (self.stop, self.gate) = (stop, gate)
        unsafe index.connection.limit(by: stop)
    }

    /// What a search found.
    package struct Finding: Equatable, Sendable {
        /// The best first.
        package var items: [FoundItem]
        /// The items that were looked through.
        package var coverage: SearchCoverage

        /// Whether all items were looked through that can be found by their key.
        package var isWhole: Bool { coverage == .whole }
    }

    /// How many of the items that have all words are ranked: those that came last.
    ///
    /// It bounds the work for words that almost everything has.
    private static let ranked: Int64 = 20_000

    /// The items that have all the words of a text, but for those that have expired at that time.
    ///
    /// The last word is found as a beginning, too, unless a separator was typed behind it. What was found in a title
    /// counts more than what was found in a text, and among equals what was indexed later.
    package func find(_ text: String, most: Int, at now: WallTime) throws(StoreFailure) -> Finding {
        guard let pattern = SearchPattern(text), most > 0 else { return Finding(items: [], coverage: .whole) }
        do {
            return try gate.read { () throws(StoreFailure) in
                stop.beginSearch()
                return try index.reading { () throws(StoreFailure) in
                    try find(pattern, most: most, at: now)
                }
            }
        } catch  where stop.hasEndedSearch {
            throw StoreFailure(.failed, "it took too long; look for more words, or longer ones")
        }
    }

    private func find(_ pattern: SearchPattern, most: Int, at now: WallTime) throws(StoreFailure) -> Finding {
        var (found, matches): ([(score: Double, item: FoundItem)], Int64) = ([], 0)
        try index.tables.search.visitMatches(pattern, ranked: Self.ranked) {
            (number, score) throws(StoreFailure) in
            matches += 1
            // Those that are as good as the last one may have been indexed later.
            if found.count >= most, score > found[most - 1].score || found.count >= 4 * most { return false }
            if let item = try item(number, at: now) { found.append((score, item)) }
            return true
        }
        let order = found.indices.sorted { left, right in
            if found[left].score != found[right].score { return found[left].score < found[right].score }
            let (first, second) = (found[left].item.indexed, found[right].item.indexed)
            if first != second {
                return (first?.milliseconds ?? .min) > (second?.milliseconds ?? .min)
            }
            return left < right
        }
        var coverage = try index.tables.search.coverage()
        // All that were ranked are looked at, and too few of them are still there: an older one may be.
        if coverage == .whole, matches == Self.ranked, found.count < most { coverage = .ranked }
        return Finding(items: order.prefix(most).map { found[$0].item }, coverage: coverage)
    }

    /// The item of a row, unless it has expired.
    private func item(_ number: Int64, at now: WallTime) throws(StoreFailure) -> FoundItem? {
        guard try index.tables.records.hasExpired(number, at: now) == false else { return nil }
        return try index.records.stored(number: number).flatMap { FoundItem($0.record) }
    }
}
