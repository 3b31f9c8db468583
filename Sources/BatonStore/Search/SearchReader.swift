package import BatonCore

/// Finds items by their words, on a connection of its own that only reads, so that the writer never waits for it.
///
/// It belongs to the thread that made it. The store must have been opened before.
package final class SearchReader {
    let index: LaneReader
    let stop: SearchStop
    let gate: ReaderGate
    private let ranking = RankFunction()
    private let recent: RecentItems

    /// Opens the index of the store in a folder, with the gate of the store that writes there.
    package init(
        folder: String, stop: SearchStop, gate: ReaderGate = ReaderGate(), fileSystem: String? = nil
    ) throws(StoreFailure) {
        index = try LaneReader(folder + "/index.sqlite", lane: .index, fileSystem: fileSystem)
        (self.stop, self.gate) = (stop, gate)
        recent = RecentItems(index.tables, index.records)
        unsafe index.connection.limit(by: stop)
        try unsafe index.connection.add(ranking)
    }

    /// The result of a search.
    package struct Finding: Equatable, Sendable {
        /// The things that were found, best first.
        package var things: [Found]
        /// The items that the search has covered.
        package var coverage: SearchCoverage
        /// The text that was searched for instead, because no item has one of the words that were typed.
        package var corrected: String?

        /// Whether all items were looked through.
        package var isWhole: Bool { coverage == .whole }
    }

    /// A thing that was found.
    package struct Found: Equatable, Sendable {
        package var thing: FoundThing
        /// Its rank among the things that have the words; nil if they are not ranked.
        package var rank: ItemRank?
        /// The life in which the item was written.
        package var writer: Life?
        /// The device where the activity went on.
        package var device: DeviceIdentifier?
    }

    /// If more items than this have all words, only those in memory are ranked: the newest, and those that were opened.
    private static let rankedMost = 4000
    /// The most words of a search that are corrected.
    private static let correctedMost = 2
    /// For this many items as are asked for, the other facts are read that count in their ranks.
    private static let readShare = 3

    /// Returns the best items that have all words of a text and have not expired at this time.
    ///
    /// The last word also matches longer words, unless a separator was typed behind it.
    package func find(_ text: String, most: Int, at now: WallTime) throws(StoreFailure) -> Finding {
        let phrases = Phrase.all(of: text)
        guard !phrases.isEmpty, most > 0 else { return Finding(things: [], coverage: .whole) }
        return try reading { () throws(StoreFailure) in try find(phrases, most: most, at: now) }
    }

    /// Runs a search on the state that one transaction of the writer has left.
    func reading(_ body: () throws(StoreFailure) -> Finding) throws(StoreFailure) -> Finding {
        do {
            return try gate.read { () throws(StoreFailure) in
                stop.beginSearch()
                return try index.reading(body)
            }
        } catch  where stop.hasEndedSearch {
            throw StoreFailure(.failed, "the search took too long; use more words, or longer ones")
        }
    }

    private func find(
        _ phrases: [Phrase], most: Int, at now: WallTime, mayCorrect: Bool = true
    ) throws(StoreFailure) -> Finding {
        var coverage = try index.tables.search.coverage()
        var terms: [SearchTerm] = []
        let completions = SearchTerm.completionsMost / max(1, phrases.count(where: \.isOpen))
        for phrase in phrases {
            terms.append(try SearchTerm(phrase, in: index.tables.words, completions: completions))
        }
        guard terms.allSatisfy({ $0.items > 0 }) else {
            let nothing = Finding(things: [], coverage: coverage)
            // Items that are not searched yet may have what was typed.
            guard mayCorrect, coverage == .whole, let corrected = try corrected(terms) else { return nothing }
            var finding = try find(corrected, most: most, at: now, mayCorrect: false)
            // Expired items are not told, and neither are their words.
            guard !finding.things.isEmpty else { return nothing }
            finding.corrected = corrected.map(\.text).joined(separator: " ")
            return finding
        }
        try recent.update()
        let rank = TextRank(itemsWith: terms.map(\.items), among: try index.tables.usage.itemCount())
        let (scores, isWhole) = try candidates(for: terms, rank, most: most)
        let things = try best(of: scores, most: most, at: now)
        // If too few of the ranked items still exist, others may.
        if coverage == .whole, !isWhole, things.count < most { coverage = .ranked }
        return Finding(things: things, coverage: coverage)
    }

    /// Returns the phrases with those corrected that no item has; nil if one of them is like no word.
    private func corrected(_ terms: [SearchTerm]) throws(StoreFailure) -> [Phrase]? {
        // A text with many words that no item has is no slip, and each takes a while.
        guard terms.count(where: { $0.items == 0 }) <= Self.correctedMost else { return nil }
        let spelling = Spelling(words: index.tables.words)
        var phrases: [Phrase] = []
        for term in terms {
            if term.items > 0 {
                phrases.append(term.phrase)
            } else {
                guard let phrase = try spelling.correction(of: term.phrase) else { return nil }
                phrases.append(phrase)
            }
        }
        return phrases
    }

    // MARK: Candidates

    /// The scores of the texts of items, by the items' numbers.
    private typealias Scores = [Int64: Double]

    /// Returns the scores of all items that have the words, if these are few enough.
    ///
    /// Otherwise those of the items in memory are returned, and of the items where the last word is not continued; only
    /// if these are fewer than what is asked for, then also of those that arrived last.
    private func candidates(
        for terms: [SearchTerm], _ rank: TextRank, most: Int
    ) throws(StoreFailure) -> (scores: Scores, isWhole: Bool) {
        let mayBeFew = terms.count > 1 || Self.areFew(terms)
        let all = try mayBeFew ? scores(of: terms, rank) : nil
        if let all, all.count <= Self.rankedMost { return (all, true) }
        var scores: Scores = [:]
        if let closed = try closed(terms) { scores = try self.scores(of: closed, rank) }
        try recent.visitMatches(terms) { number, places, sizes in
            scores[number] = rank.score(places, sizes: sizes)
        }
        if scores.count < most {
            let arrived = if let all { all } else { try self.scores(of: terms, rank) }
            for (number, score) in arrived { scores[number] = score }
        }
        return (scores, false)
    }

    /// Returns the terms without what continues the last word, if few items have them.
    private func closed(_ terms: [SearchTerm]) throws(StoreFailure) -> [SearchTerm]? {
        guard let last = terms.last, case .anyOf = last.words else { return nil }
        let closed = try Array(terms.dropLast()) + [last.closed(in: index.tables.words)]
        return closed.allSatisfy { $0.items > 0 } && Self.areFew(closed) ? closed : nil
    }

    private static func areFew(_ terms: [SearchTerm]) -> Bool {
        terms.contains { $0.items <= rankedMost }
    }

    /// Returns the scores of the items that have the words, of one more than `rankedMost` at most.
    private func scores(of terms: [SearchTerm], _ rank: TextRank) throws(StoreFailure) -> Scores {
        let expression = SearchExpression(terms)
        (ranking.rank, ranking.phrases) = (rank, expression.phrases)
        var scores: Scores = [:]
        try index.tables.search.visitMatches(expression, most: Self.rankedMost + 1) { number, score in
            scores[number] = score
        }
        return scores
    }

    // MARK: Ranking

    /// Returns the best items, best first; of equal ones the one that was indexed later comes first.
    private func best(of scores: Scores, most: Int, at now: WallTime) throws(StoreFailure) -> [Found] {
        var ranked: [Found] = []
        for number in try candidates(scores, most: Self.readShare * most, at: now) {
            guard let record = try index.records.stored(number: number)?.record,
                let item = FoundItem(record), let content = record.content
            else { continue }
            let rank = ItemRank(
                text: scores[number] ?? 0, use: recent.use(of: number), content.fields, at: now)
            ranked.append(Found(thing: .item(item), rank: rank, writer: record.incarnation.life))
        }
        return Array(ranked.sorted(by: Self.isBetter).prefix(most))
    }

    /// Returns the numbers of the items that are best by their texts and their use, without those that have expired.
    ///
    /// If not all that are equally good are wanted, the newest are taken, so that every device takes the same.
    private func candidates(
        _ scores: Scores, most: Int, at now: WallTime
    ) throws(StoreFailure) -> [Int64] {
        let groups = Dictionary(grouping: scores.keys) { number in
            (scores[number] ?? 0) * ItemRank.factor(of: recent.use(of: number), at: now)
        }
        var chosen: [Int64] = []
        for (_, var numbers) in groups.sorted(by: { $0.key > $1.key }) where chosen.count < most {
            if chosen.count + numbers.count > most { numbers = try index.tables.records.newestFirst(numbers) }
            for number in numbers where chosen.count < most {
                guard try index.tables.records.hasExpired(number, at: now) == false else { continue }
                chosen.append(number)
            }
        }
        return chosen
    }

    private static func isBetter(_ left: Found, _ right: Found) -> Bool {
        let (score, other) = (left.rank?.score ?? 0, right.rank?.score ?? 0)
        return score == other ? left.age.precedes(right.age) : score > other
    }
}

extension SearchReader.Found {
    /// Creates the result of an item without a rank; nil if the record is no item that exists.
    init?(_ record: Record) {
        guard let item = FoundItem(record) else { return nil }
        self.init(thing: .item(item), writer: record.incarnation.life)
    }

    /// The thing's place among those that are equally good.
    fileprivate var age: ItemAge {
        let item = thing.item.map { [$0.app, $0.index, $0.identifier] } ?? []
        let activity = thing.activity.map { [$0.app, $0.identifier] } ?? []
        return ItemAge(item + activity, time: thing.time)
    }
}

/// The place of a thing in the order in which things were indexed or ended.
struct ItemAge {
    private let names: [String]
    private let time: WallTime?

    init(_ names: [String], time: WallTime?) { (self.names, self.time) = (names, time) }

    init(_ name: ItemName, indexed: WallTime?) {
        self.init([name.app, name.index, name.identifier], time: indexed)
    }

    /// Whether the thing comes first, which is the same on all devices: what was indexed last does.
    func precedes(_ other: ItemAge) -> Bool {
        let (time, otherTime) = (time?.milliseconds ?? .min, other.time?.milliseconds ?? .min)
        guard time == otherTime else { return time > otherTime }
        // Texts that only look alike are different names.
        let difference = zip(names, other.names).first { !$0.utf8.elementsEqual($1.utf8) }
        return difference.map { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            ?? (names.count < other.names.count)
    }
}
