import BatonCore

/// Finds the things whose meaning is similar to the meaning of a search, and the texts whose meaning is not known yet.
///
/// A program of the person makes vectors of these texts, and `MeaningWriter` stores the vectors.
struct MeaningReader {
    private let index: LaneReader
    private let saved: SavedActivities
    private var unlooked = UnlookedItems()

    init(_ index: LaneReader, _ saved: SavedActivities) { (self.index, self.saved) = (index, saved) }

    // MARK: Things that are near

    /// Returns the scores of the items whose meaning is most similar to the meaning of a search.
    ///
    /// It must be called in a read transaction of the index.
    ///
    /// Only the vectors of the items that arrived last are compared.
    func nearestItems(to wanted: Embedding?) throws(StoreFailure) -> [Int64: Double] {
        guard let wanted else { return [:] }
        var nearest = NearestVectors(to: wanted)
        try index.tables.vectors.visitNewest(Limits.searchedVectors) { nearest.add($0, $1) }
        return Dictionary(uniqueKeysWithValues: nearest.best.map { ($0.number, $0.score) })
    }

    /// Returns the scores of the activities whose meaning is most similar to the meaning of a search.
    func nearestActivities(to wanted: Embedding?) throws(StoreFailure) -> [RecordIdentity: Double] {
        guard let wanted else { return [:] }
        let tables = saved.lane.tables
        return try saved.reading { () throws(StoreFailure) -> [RecordIdentity: Double] in
            var nearest = NearestVectors(to: wanted)
            try tables.vectors.visitNewest(Limits.finishedActivities + KeptActivities.most) {
                nearest.add($0, $1)
            }
            guard !nearest.best.isEmpty else { return [:] }
            let numbers = saved.keptIdentities.map { (VectorTable.number(ofKept: $0), $0) }
            let kept = Dictionary(numbers) { first, _ in first }
            var scores: [RecordIdentity: Double] = [:]
            for (number, score) in nearest.best {
                let known = kept[number]
                let identity = if let known { known } else { try tables.records.identity(of: number) }
                if let identity { scores[identity] = max(score, scores[identity] ?? 0) }
            }
            return scores
        }
    }

    // MARK: Texts without a vector

    /// Makes the check for missing vectors begin again with all texts, because vectors were removed.
    mutating func restart() {
        unlooked.restart()
        saved.forgetMeanings()
    }

    /// The largest number of activities that are checked in one call.
    private static let activitiesMost = 1_000

    /// Returns texts of activities that have no vector.
    ///
    /// It returns about `most` texts, and stops when they have `bytes` bytes.
    func unknownActivities(
        most: Int, bytes: Int, _ kept: KeptActivities
    ) throws(StoreFailure) -> UnknownMeanings {
        try saved.update(kept)
        saved.beginLooking()
        var (unknown, size, looked) = (UnknownMeanings(isMore: false), 0, 0)
        let names = Dictionary(kept.activities.keys.map { ($0.key.identity, $0) }) { first, _ in first }
        return try saved.reading { () throws(StoreFailure) -> UnknownMeanings in
            while unknown.texts.count < most, size < bytes, looked < Self.activitiesMost {
                guard let identity = saved.nextUnlooked() else { return unknown }
                looked += 1
                for text in try unknownTexts(of: identity, keptAs: names[identity], kept) {
                    unknown.texts.append(text)
                    size += text.text.utf8.count
                }
            }
            unknown.isMore = true
            return unknown
        }
    }

    /// Returns the texts of an activity that have no vector.
    ///
    /// An activity that is both replicated and kept by this device may have two texts.
    private func unknownTexts(
        of identity: RecordIdentity, keptAs name: SavedActivityName?, _ kept: KeptActivities
    ) throws(StoreFailure) -> [UnknownMeaning] {
        var unknown: [UnknownMeaning] = []
        let (tables, records) = (saved.lane.tables, saved.lane.records)
        if let number = try tables.records.number(of: identity), try !tables.vectors.has(number),
            let text = try records.stored(number: number)?.record.savedActivity?.searchText
        {
            unknown.append(UnknownMeaning(subject: .activity, number: number, text: text.meaning))
        }
        let number = VectorTable.number(ofKept: identity)
        if let name, let text = kept[name]?.searchText, try !tables.vectors.has(number) {
            unknown.append(UnknownMeaning(subject: .kept(name), number: number, text: text.meaning))
        }
        return unknown
    }

    /// Returns texts of items that have no vector.
    ///
    /// It returns at most `most` texts, and stops when they have `bytes` bytes. It must be called in a read transaction
    /// of the index.
    mutating func unknownItems(most: Int, bytes: Int) throws(StoreFailure) -> UnknownMeanings {
        // While the full-text table is being filled, the vector of a removed item would not be removed. So no text is
        // returned.
        guard try index.tables.search.progress().through == nil else {
            restart()
            return UnknownMeanings(isMore: true, isFilling: true)
        }
        if try unlooked.catchUp(with: index.tables) == .restarted { saved.forgetMeanings() }
        var (unknown, size, looked) = (UnknownMeanings(isMore: true), 0, 0)
        while unknown.texts.count < most, size < bytes, looked < UnlookedItems.most {
            guard let number = try unlooked.next(in: index.tables) else {
                unknown.isMore = false
                break
            }
            looked += 1
            guard try !index.tables.vectors.has(number),
                let text = try index.records.stored(number: number).flatMap({ SearchText($0.record) })
            else { continue }
            unknown.texts.append(UnknownMeaning(subject: .item, number: number, text: text.meaning))
            size += unknown.texts[unknown.texts.count - 1].text.utf8.count
        }
        return unknown
    }
}
