package import BatonCore

/// A text of an item whose meaning is not known here.
package struct UnknownMeaning: Equatable, Sendable {
    /// The number of the record.
    package let number: Int64
    package let text: String
}

/// Texts whose meaning is not known.
package struct UnknownMeanings: Sendable {
    package var texts: [UnknownMeaning] = []
    /// Whether there may be more of them.
    package var isMore: Bool
    /// Whether the full-text table is being filled: until then no meaning is kept.
    package var isFilling = false
}

/// How far the items were looked through for those without a vector.
final class MeaningProgress {
    /// The changes that are known: up to a place in this order of arrival; nil at first.
    fileprivate var known: (order: ArrivalOrder, head: Arrival)?
    /// The last record that was looked at.
    fileprivate var cursor = Int64.min
    /// Whether all records were looked at.
    fileprivate var isDone = false
    /// Records that have changed behind the last one that was looked at.
    fileprivate var changed: [Int64] = []
}

/// Searching by meaning.
extension SearchReader {
    /// Returns texts of items that have no vector, until their bytes exceed a bound.
    package func unknownMeanings(most: Int, bytes: Int) throws(StoreFailure) -> UnknownMeanings {
        try gate.read { () throws(StoreFailure) -> UnknownMeanings in
            stop.beginSearch()
            return try index.reading { () throws(StoreFailure) -> UnknownMeanings in
                // While the full-text table is filled, removed items would leave their vectors behind.
                guard try index.tables.search.progress().through == nil else {
                    forgetMeanings()
                    return UnknownMeanings(isMore: true, isFilling: true)
                }
                try noteChanges()
                var (texts, size, looked, isMore) = ([UnknownMeaning](), 0, 0, true)
                while texts.count < most, size < bytes, looked < Self.lookedMost {
                    guard let number = try nextNumber() else {
                        isMore = false
                        break
                    }
                    looked += 1
                    guard try !index.tables.vectors.has(number),
                        let text = try index.records.stored(number: number).flatMap({ SearchText($0.record) })
                    else { continue }
                    texts.append(UnknownMeaning(number: number, text: text.meaning))
                    size += texts[texts.count - 1].text.utf8.count
                }
                return UnknownMeanings(texts: texts, isMore: isMore)
            }
        }
    }

    /// Begins anew, because vectors were dropped.
    package func forgetMeanings() { (meaning.cursor, meaning.isDone, meaning.changed) = (.min, false, []) }

    private static let lookedMost = 5_000

    /// Takes up what has changed since the last time.
    private func noteChanges() throws(StoreFailure) {
        guard let progress = try index.tables.progress.content() else {
            throw index.tables.rows.damaged(.outOfRange)
        }
        defer { meaning.known = (progress.order, progress.head) }
        guard let known = meaning.known, known.order == progress.order, known.head <= progress.head,
            let changed = try index.tables.records.changed(after: known.head, most: Self.lookedMost)
        else { return forgetMeanings() }
        meaning.changed += changed.filter { $0.identity.kind == .item }.map(\.number)
        if meaning.changed.count > Self.lookedMost { forgetMeanings() }
    }

    private func nextNumber() throws(StoreFailure) -> Int64? {
        if let number = meaning.changed.popLast() { return number }
        guard !meaning.isDone else { return nil }
        guard let number = try index.tables.records.items(after: meaning.cursor, most: 1).first else {
            meaning.isDone = true
            return nil
        }
        meaning.cursor = number
        return number
    }

    /// Returns the scores of the items whose meaning is nearest to that of a search.
    ///
    /// The vectors of the items that arrived last are compared, one after the other.
    func nearest(to wanted: Embedding?) throws(StoreFailure) -> [Int64: Double] {
        guard let wanted else { return [:] }
        var best: [(number: Int64, score: Double)] = []
        try index.tables.vectors.visitNewest(Limits.searchedVectors) { number, vector in
            let score = wanted.cosine(vector).map(Embedding.score) ?? 0
            guard score > 0, best.count < Self.nearestMost || score > best[best.count - 1].score else {
                return
            }
            if best.count == Self.nearestMost { best.removeLast() }
            var (low, high) = (0, best.count)
            while low < high {
                let middle = (low + high) / 2
                if best[middle].score < score { high = middle } else { low = middle + 1 }
            }
            best.insert((number, score), at: low)
        }
        return Dictionary(uniqueKeysWithValues: best.map { ($0.number, $0.score) })
    }

    private static let nearestMost = 200
}
