package import BatonCore

/// Finds items by their words, on a connection of its own that only reads, so that the writer never waits for it.
///
/// It belongs to the thread that made it. The store must have been opened before.
package final class SearchReader {
    private let index: LaneReader
    private let stop: SearchStop
    private let gate: ReaderGate

    /// Opens the index of the store in a folder, with the gate of the store that writes there.
    package init(
        folder: String, stop: SearchStop, gate: ReaderGate = ReaderGate(), fileSystem: String? = nil
    ) throws(StoreFailure) {
        index = try LaneReader(folder + "/index.sqlite", lane: .index, fileSystem: fileSystem)
        (self.stop, self.gate) = (stop, gate)
        unsafe index.connection.limit(by: stop)
    }

    /// The result of a search.
    package struct Finding: Equatable, Sendable {
        /// The items that were found, best first.
        package var items: [FoundItem]
        /// The items that the search has covered.
        package var coverage: SearchCoverage

        /// Whether all items were looked through.
        package var isWhole: Bool { coverage == .whole }
    }

    /// Ranks at most this many matches, newest first; this bounds the work for words that almost every item has.
    private static let ranked: Int64 = 20_000

    /// Returns the items that have all words of a text and have not expired at this time.
    ///
    /// The last word also matches longer words, unless a separator was typed behind it. A match in a title counts more
    /// than a match in a body, and among equals the item that was indexed later comes first.
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
            throw StoreFailure(.failed, "the search took too long; use more words, or longer ones")
        }
    }

    private func find(_ pattern: SearchPattern, most: Int, at now: WallTime) throws(StoreFailure) -> Finding {
        var (found, matches): ([(score: Double, item: FoundItem)], Int64) = ([], 0)
        try index.tables.search.visitMatches(pattern, ranked: Self.ranked) {
            (number, score) throws(StoreFailure) in
            matches += 1
            // Items that are as good as the last one may have been indexed later.
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
        // If too few of the ranked items still exist, an older match may.
        if coverage == .whole, matches == Self.ranked, found.count < most { coverage = .ranked }
        return Finding(items: order.prefix(most).map { found[$0].item }, coverage: coverage)
    }

    /// Returns the item of a row, unless it has expired.
    private func item(_ number: Int64, at now: WallTime) throws(StoreFailure) -> FoundItem? {
        guard try index.tables.records.hasExpired(number, at: now) == false else { return nil }
        return try index.records.stored(number: number).flatMap { FoundItem($0.record) }
    }
}
