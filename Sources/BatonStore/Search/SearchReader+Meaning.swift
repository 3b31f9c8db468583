package import BatonCore

/// A text of an item or an activity whose meaning is not known here.
package struct UnknownMeaning: Equatable, Sendable {
    let subject: Subject
    /// The number of the record, or what stands for it.
    package let number: Int64
    package let text: String

    /// The thing that has the text.
    enum Subject: Equatable {
        case item
        case activity
        /// An activity that this device keeps for itself, by its name.
        case kept(SavedActivityName)
    }

    /// The lane that keeps the vector.
    package var lane: Lane { subject == .item ? .index : .activities }
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
    /// Records that have changed since they were looked at.
    fileprivate var changed: [Int64] = []
}

/// Searching by meaning.
extension SearchReader {
    /// Returns texts that have no vector, until their bytes exceed a bound: first those of activities, which are few, and
    /// then those of items.
    package func unknownMeanings(
        most: Int, bytes: Int, kept: KeptActivities = KeptActivities()
    ) throws(StoreFailure) -> UnknownMeanings {
        stop.beginSearch()
        var activities = try saved.unknownMeanings(most: most, bytes: bytes, kept)
        guard activities.texts.isEmpty, !activities.isMore else {
            // The items were not looked at.
            activities.isMore = true
            return activities
        }
        return try gate.read { () throws(StoreFailure) -> UnknownMeanings in
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
                    texts.append(UnknownMeaning(subject: .item, number: number, text: text.meaning))
                    size += texts[texts.count - 1].text.utf8.count
                }
                return UnknownMeanings(texts: texts, isMore: isMore)
            }
        }
    }

    /// Begins anew, because vectors were dropped.
    package func forgetMeanings() {
        (meaning.cursor, meaning.isDone, meaning.changed) = (.min, false, [])
        saved.forgetMeanings()
    }

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
        var nearest = NearestVectors(to: wanted)
        try index.tables.vectors.visitNewest(Limits.searchedVectors) { nearest.add($0, $1) }
        return Dictionary(uniqueKeysWithValues: nearest.best.map { ($0.number, $0.score) })
    }
}

extension SavedActivities {
    /// Returns texts of activities that have no vector, as the reader of all does.
    func unknownMeanings(
        most: Int, bytes: Int, _ kept: KeptActivities
    ) throws(StoreFailure) -> UnknownMeanings {
        try update(kept)
        beginLooking()
        var (unknown, size, looked) = (UnknownMeanings(isMore: false), 0, 0)
        let names = Dictionary(kept.activities.keys.map { ($0.key.identity, $0) }) { first, _ in first }
        return try reading { () throws(StoreFailure) -> UnknownMeanings in
            while unknown.texts.count < most, size < bytes, looked < Self.lookedMost {
                guard let identity = nextUnlooked() else { return unknown }
                looked += 1
                for text in try unknownMeanings(of: identity, keptAs: names[identity], kept) {
                    unknown.texts.append(text)
                    size += text.text.utf8.count
                }
            }
            unknown.isMore = true
            return unknown
        }
    }

    private static let lookedMost = 1_000

    /// Returns the texts of an activity that have no vector: what is replicated, and what this device keeps for itself.
    private func unknownMeanings(
        of identity: RecordIdentity, keptAs name: SavedActivityName?, _ kept: KeptActivities
    ) throws(StoreFailure) -> [UnknownMeaning] {
        var unknown: [UnknownMeaning] = []
        let vectors = lane.tables.vectors
        if let number = try lane.tables.records.number(of: identity), try !vectors.has(number),
            let text = try lane.records.stored(number: number)?.record.savedActivity?.searchText
        {
            unknown.append(UnknownMeaning(subject: .activity, number: number, text: text.meaning))
        }
        let number = VectorTable.number(ofKept: identity)
        if let name, let text = kept[name]?.searchText, try !vectors.has(number) {
            unknown.append(UnknownMeaning(subject: .kept(name), number: number, text: text.meaning))
        }
        return unknown
    }

    /// Returns the scores of the activities whose meaning is nearest to that of a search.
    func nearest(to wanted: Embedding?) throws(StoreFailure) -> [RecordIdentity: Double] {
        guard let wanted else { return [:] }
        return try reading { () throws(StoreFailure) -> [RecordIdentity: Double] in
            var nearest = NearestVectors(to: wanted)
            try lane.tables.vectors.visitNewest(Limits.finishedActivities + KeptActivities.most) {
                nearest.add($0, $1)
            }
            guard !nearest.best.isEmpty else { return [:] }
            let kept = Dictionary(keptIdentities.map { (VectorTable.number(ofKept: $0), $0) }) { first, _ in
                first
            }
            var scores: [RecordIdentity: Double] = [:]
            for (number, score) in nearest.best {
                let known = kept[number]
                let identity = if let known { known } else { try lane.tables.records.identity(of: number) }
                if let identity { scores[identity] = max(score, scores[identity] ?? 0) }
            }
            return scores
        }
    }
}
