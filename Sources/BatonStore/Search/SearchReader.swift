package import BatonCore

/// Finds items and saved activities by their words, on connections of its own that only read, so that no writer ever
/// waits for it.
///
/// It belongs to the thread that made it. The store must have been opened before.
package final class SearchReader {
    let index: LaneReader
    let stop: SearchStop
    let gate: ReaderGate
    private let ranking = RankFunction()
    let recent: RecentItems
    let saved: SavedActivities
    /// The searches whose further pages may be asked for.
    let pages = OpenSearches()
    /// How far items were looked through for those without a vector.
    let meaning = MeaningProgress()
    /// Says how long somebody waits for the present search.
    package var interest: SearchWish?

    /// Opens the store in a folder, with the gate of the store that writes there.
    package init(
        folder: String, stop: SearchStop, gate: ReaderGate = ReaderGate(), fileSystem: String? = nil
    ) throws(StoreFailure) {
        index = try LaneReader(folder + "/index.sqlite", lane: .index, fileSystem: fileSystem)
        (self.stop, self.gate) = (stop, gate)
        recent = RecentItems(index.tables, index.records)
        let activities = try LaneReader(
            folder + "/activities.sqlite", lane: .activities, fileSystem: fileSystem)
        saved = SavedActivities(activities)
        unsafe index.connection.limit(by: stop)
        unsafe activities.connection.limit(by: stop)
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
        /// The lives in which the items were written, in order.
        package var writers: [Life] = []
        /// The devices where the activities went on, in order.
        package var devices: [DeviceIdentifier] = []
        /// The part of its texts where the words are.
        package var snippet: Snippet?
        /// The attributes that were asked for, of the item or else of the activity; nil if none were.
        package var attributes: Fields?
    }

    /// If more items than this have all words, only those in memory are ranked: the newest, and those that were opened.
    private static let rankedMost = 4000
    /// The most words of a search that are corrected.
    private static let correctedMost = 2
    /// For this many items as are asked for, the other facts are read that count in their ranks.
    private static let readShare = 3
    /// If many results are about the same things, the facts of this many times more items are read.
    private static let readGrowth = 8

    /// A search by words: how many results are wanted, of which things, and when.
    private struct Wish {
        let most: Int
        let now: WallTime
        let scope: SearchScope
        /// Whether the parts of the texts where the words are belong to the results.
        var hasSnippets = true
        /// The scores of the items whose meaning is near to that of the words.
        var near: [Int64: Double] = [:]
    }

    /// Returns the best things that have all words of a text and have not expired at this time.
    ///
    /// The last word also matches longer words, unless a separator was typed behind it.
    package func find(
        _ text: String, most: Int, at now: WallTime, in scope: SearchScope = SearchScope()
    ) throws(StoreFailure) -> Finding {
        try find(Phrase.all(of: text), most: most, at: now, in: scope, hasSnippets: true)
    }

    func find(
        _ phrases: [Phrase], most: Int, at now: WallTime, in scope: SearchScope, hasSnippets: Bool
    ) throws(StoreFailure) -> Finding {
        guard !phrases.isEmpty, most > 0 else { return Finding(things: [], coverage: .whole) }
        stop.beginSearch()
        try limited { () throws(StoreFailure) in try saved.update(scope.kept) }
        var wish = Wish(most: most, now: now, scope: scope, hasSnippets: hasSnippets)
        return try reading { () throws(StoreFailure) in
            wish.near = try nearest(to: scope.meaning)
            return try find(phrases, wish)
        }
    }

    /// Runs a search on the state that one transaction of the writer has left.
    func reading(_ body: () throws(StoreFailure) -> Finding) throws(StoreFailure) -> Finding {
        try limited { () throws(StoreFailure) in
            try gate.read { () throws(StoreFailure) in
                stop.beginSearch()
                return try index.reading(body)
            }
        }
    }

    /// Runs the closure; if it was ended because it took too long, the failure says so.
    private func limited<Value>(
        _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        do {
            return try body()
        } catch  where stop.hasEndedSearch {
            throw StoreFailure(.failed, "the search took too long; use more words, or longer ones")
        }
    }

    private func find(
        _ phrases: [Phrase], _ wish: Wish, mayCorrect: Bool = true
    ) throws(StoreFailure) -> Finding {
        var coverage = try index.tables.search.coverage()
        var terms: [SearchTerm] = []
        let completions = SearchTerm.completionsMost / max(1, phrases.count(where: \.isOpen))
        for phrase in phrases {
            terms.append(try SearchTerm(phrase, in: index.tables.words, completions: completions))
        }
        var matches = saved.matches(phrases, in: wish.scope, at: wish.now)
        try saved.limit(&matches, by: wish.scope, at: wish.now)
        let counts = zip(terms, matches.counts).map { term, count in
            let (sum, isTooLarge) = term.items.addingReportingOverflow(count)
            return isTooLarge ? Int.max : sum
        }
        guard counts.allSatisfy({ $0 > 0 }) else {
            var nothing = Finding(things: [], coverage: coverage)
            if !wish.near.isEmpty {
                // Things without the words may mean the same.
                try recent.update(without: wish.scope.appsOff)
                let scores = Scores(uniqueKeysWithValues: wish.near.keys.map { ($0, 0) })
                nothing.things = try best(of: scores, [], wish)
            }
            // Items that are not searched yet may have what was typed.
            guard mayCorrect, coverage == .whole, let corrected = try corrected(terms, counts) else {
                return nothing
            }
            // Things that are found by meaning alone do not speak for the correction.
            var wish = wish
            wish.near = [:]
            var finding = try find(corrected, wish, mayCorrect: false)
            // Expired items are not told, and neither are their words.
            guard !finding.things.isEmpty else { return nothing }
            finding.corrected = corrected.map(\.text).joined(separator: " ")
            return finding
        }
        try recent.update(without: wish.scope.appsOff)
        let all = try index.tables.usage.itemCount(without: wish.scope.appsOff) + matches.all
        let rank = TextRank(itemsWith: counts, among: all)
        // An item has all words only if some item has each.
        var (scores, isWhole) =
            terms.allSatisfy { $0.items > 0 } ? try candidates(for: terms, rank, wish) : ([:], true)
        for number in wish.near.keys where scores[number] == nil { scores[number] = 0 }
        var things = try best(of: scores, try best(of: matches, rank, wish), wish)
        if wish.hasSnippets { things = try withSnippets(things, phrases) }
        // If too few of the ranked items still exist, others may.
        if coverage == .whole, !isWhole, things.count < wish.most { coverage = .ranked }
        return Finding(things: things, coverage: coverage)
    }

    /// Returns the phrases with those corrected that nothing has; nil if one of them is like no word.
    ///
    /// The number of things with each term is given.
    private func corrected(_ terms: [SearchTerm], _ counts: [Int]) throws(StoreFailure) -> [Phrase]? {
        // A text with many words that nothing has is no slip, and each takes a while.
        guard counts.count(where: { $0 == 0 }) <= Self.correctedMost else { return nil }
        let spelling = Spelling(words: index.tables.words, activities: saved.wordCounts)
        var phrases: [Phrase] = []
        for (term, count) in zip(terms, counts) {
            if count > 0 {
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
        for terms: [SearchTerm], _ rank: TextRank, _ wish: Wish
    ) throws(StoreFailure) -> (scores: Scores, isWhole: Bool) {
        let mayBeFew = terms.count > 1 || Self.areFew(terms)
        let all = try mayBeFew ? scores(of: terms, rank, wish) : nil
        if let all, all.isWhole { return all }
        var scores: Scores = [:]
        if let closed = try closed(terms) { scores = try self.scores(of: closed, rank, wish).scores }
        try recent.visitMatches(terms) { number, places, sizes in
            scores[number] = rank.score(places, sizes: sizes)
        }
        if wish.scope.isLimited {
            for number in Array(scores.keys) where try !isOn(number, wish) { scores[number] = nil }
        }
        if scores.count < wish.most {
            let arrived = if let all { all } else { try self.scores(of: terms, rank, wish) }
            for (number, score) in arrived.scores { scores[number] = score }
            return (scores, arrived.isWhole)
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

    /// Returns the scores of the items that have the words, and whether these are all; of many, those that arrived last.
    private func scores(
        of terms: [SearchTerm], _ rank: TextRank, _ wish: Wish
    ) throws(StoreFailure) -> (scores: Scores, isWhole: Bool) {
        let expression = SearchExpression(terms)
        (ranking.rank, ranking.phrases) = (rank, expression.phrases)
        var (scores, visited) = (Scores(), 0)
        // The items of apps that are off take the place of others, up to a bound.
        let passesOver = !wish.scope.appsOff.isEmpty || wish.scope.looksInside
        let most = Self.rankedMost * (passesOver ? Self.visitedShare : 1) + 1
        try stop.during(interest) { () throws(StoreFailure) in
            try index.tables.search.visitMatches(expression, in: wish.scope.filter.scope, most: most) {
                (number, score) throws(StoreFailure) in
                visited += 1
                if try isOn(number, wish) { scores[number] = score }
                return scores.count <= Self.rankedMost
            }
        }
        return (scores, scores.count <= Self.rankedMost && visited < most)
    }

    /// Whether the app of an item is searched, and the item is not left out by a filter.
    private func isOn(_ number: Int64, _ wish: Wish) throws(StoreFailure) -> Bool {
        if !wish.scope.appsOff.isEmpty {
            guard let app = try index.tables.records.app(of: number), !wish.scope.appsOff.contains(app) else {
                return false
            }
        }
        guard wish.scope.isLimited else { return true }
        return try index.records.stored(number: number).map { wish.scope.admits($0.record) } ?? false
    }

    /// If things are left out, this many times as many items are looked at.
    private static let visitedShare = 5

    // MARK: Ranking

    /// A thing that is ranked, before those about the same thing are joined.
    private struct Candidate {
        let found: Found
        let names: ThingNames
    }

    /// Returns the best things, best first; of equal ones the one that was indexed later comes first.
    private func best(
        of scores: Scores, _ activities: [Candidate], _ wish: Wish
    ) throws(StoreFailure) -> [Found] {
        var most = Self.readShare * wish.most
        while true {
            let items = try best(of: scores, most: most, wish)
            let things = Self.joined(items + activities)
            // Others may be found if many are about the same things.
            guard things.count < wish.most, items.count == most, most < scores.count else {
                return Array(things.prefix(wish.most))
            }
            most *= Self.readGrowth
        }
    }

    /// Ranks the items that are best by their texts and their use.
    private func best(of scores: Scores, most: Int, _ wish: Wish) throws(StoreFailure) -> [Candidate] {
        var ranked: [Candidate] = []
        for number in try candidates(scores, most: most, wish) {
            guard let record = try index.records.stored(number: number)?.record,
                let item = FoundItem(record), let content = record.content
            else { continue }
            let rank = ItemRank(
                text: scores[number] ?? 0, meaning: wish.near[number] ?? 0, use: recent.use(of: number),
                content.fields, at: wish.now)
            let found = Found(thing: .item(item), rank: rank, writers: [record.incarnation.life])
            ranked.append(Candidate(found: found, names: ThingNames(item.name, content.fields)))
        }
        return ranked
    }

    /// Ranks the activities that have all words, and returns the best that are still there.
    private func best(
        of matches: SavedActivities.Matches, _ rank: TextRank, _ wish: Wish
    ) throws(StoreFailure) -> [Candidate] {
        var ranked: [(identity: RecordIdentity, candidate: Candidate)] = []
        for (identity, entry, places) in matches.found {
            let rank = ItemRank(
                text: rank.score(places, sizes: entry.sizes),
                use: recent.use(of: identity) ?? saved.use(of: identity), entry.facts, at: wish.now)
            let found = Found(
                thing: .activity(entry.found), rank: rank, devices: [entry.device].compactMap(\.self))
            ranked.append((identity, Candidate(found: found, names: entry.names)))
        }
        ranked.sort { Self.isBetter($0.candidate.found, $1.candidate.found) }
        var best: [Candidate] = []
        // Activities about the same things are looked at together, as far as there are enough others.
        var rest = ranked[...]
        while !rest.isEmpty, Self.joined(best).count < Self.readShare * wish.most {
            let step = rest.prefix(Self.readShare * wish.most)
            rest = rest.dropFirst(step.count)
            let present = try saved.present(step.map(\.identity))
            best += step.filter { present.contains($0.identity) }.map(\.candidate)
        }
        return best
    }

    /// Returns one result for each thing, best first.
    private static func joined(_ candidates: [Candidate]) -> [Found] {
        let sorted = candidates.sorted { isBetter($0.found, $1.found) }
        return ThingNames.groups(sorted.map(\.names)).compactMap { group in
            Found(joining: group.map { sorted[$0].found })
        }
    }

    /// Adds to the things that are returned the parts of their texts where the words are.
    func withSnippets(_ things: [Found], _ phrases: [Phrase]) throws(StoreFailure) -> [Found] {
        var (things, maker) = (things, SnippetMaker(phrases))
        for place in things.indices {
            let thing = things[place].thing
            var texts: [String] = []
            if let item = thing.item,
                let number = try index.tables.records.number(of: item.name.key.identity)
            {
                texts =
                    try index.records.stored(number: number).flatMap { SearchText($0.record) }?.texts ?? []
            }
            if let summary = thing.activity?.summary { texts.append(summary) }
            things[place].snippet = maker.snippet(title: thing.title, texts: texts)
        }
        return things
    }

    /// Returns the numbers of the items that are best by their texts and their use, without those that have expired.
    ///
    /// If not all that are equally good are wanted, the newest are taken, so that every device takes the same.
    private func candidates(
        _ scores: Scores, most: Int, _ wish: Wish
    ) throws(StoreFailure) -> [Int64] {
        let groups = Dictionary(grouping: scores.keys) { number in
            ((scores[number] ?? 0) + (wish.near[number] ?? 0))
                * ItemRank.factor(of: recent.use(of: number), at: wish.now)
        }
        var chosen: [Int64] = []
        for (_, var numbers) in groups.sorted(by: { $0.key > $1.key }) where chosen.count < most {
            if chosen.count + numbers.count > most { numbers = try index.tables.records.newestFirst(numbers) }
            for number in numbers where chosen.count < most {
                guard try index.tables.records.hasExpired(number, at: wish.now) == false,
                    try isOn(number, wish)
                else { continue }
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

extension SearchFilter {
    /// The scope around the items of the app; nil for all.
    var scope: Scope? { app.map { Scope([$0, "items"]) } }
}

extension SearchReader.Found {
    /// Creates the result of an item without a rank; nil if the record is no item that exists.
    init?(_ record: Record) {
        guard let item = FoundItem(record) else { return nil }
        self.init(thing: .item(item), writers: [record.incarnation.life])
    }

    /// Joins results about the same thing, the best first; nil if there are none.
    init?(joining all: [SearchReader.Found]) {
        let item = all.lazy.compactMap(\.thing.item).first
        let activity = all.lazy.compactMap(\.thing.activity).first
        guard let thing = FoundThing(item, activity) else { return nil }
        self.init(
            thing: thing, rank: all[0].rank, writers: Set(all.flatMap(\.writers)).sorted(),
            devices: Set(all.flatMap(\.devices)).sorted(),
            attributes: (all.first { $0.thing.item != nil } ?? all[0]).attributes)
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
