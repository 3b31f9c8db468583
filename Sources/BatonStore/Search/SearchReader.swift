package import BatonCore

/// Finds items and saved activities by their words, on connections of its own that only read, so that no writer ever
/// waits for it.
///
/// It belongs to the thread that made it. The store must have been opened before.
package final class SearchReader {
    let store: SearchedStore
    /// The searches whose further pages may be asked for.
    let pages = OpenSearches()
    /// The number of the opening of the store whose files are read.
    package let opening: Int

    /// Opens the store in a folder, with the gate of the store that writes there.
    package init(
        folder: String, stop: SearchStop, gate: ReaderGate = ReaderGate(),
        limits: SearchLimits = SearchLimits(), fileSystem: String? = nil
    ) throws(StoreFailure) {
        opening = gate.opening
        store = try SearchedStore(
            folder: folder, stop: stop, gate: gate, limits: limits, fileSystem: fileSystem)
    }

    var index: LaneReader { store.index }
    var recent: RecentItems { store.recent }
    var saved: SavedActivities { store.saved }
    var stop: SearchStop { store.stop }
    var limits: SearchLimits { store.limits }
    private var ranking: RankFunction { store.ranking }

    /// Says how long somebody waits for the present search.
    package var interest: SearchWish? {
        get { store.interest }
        set { store.interest = newValue }
    }

    /// Gives back the memory of what can be read from the databases again.
    package func releaseMemory() { store.releaseMemory() }

    /// The most words of a search that are corrected.
    private static let correctedMost = 2
    /// The most similar words that are searched for in the place of one.
    private static let correctionsMost = 8
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
        /// Whether the words of all items are counted; if a batch is being merged, more items may have a word.
        var areAllCounted = true
        /// The scores of the items and activities whose meaning is near to that of the words.
        var near: [Int64: Double] = [:]
        var nearActivities: [RecordIdentity: Double] = [:]

        var hasNear: Bool { !near.isEmpty || !nearActivities.isEmpty }
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
        var wish = Wish(most: most, now: now, scope: scope, hasSnippets: hasSnippets)
        try store.limited { () throws(StoreFailure) in
            try saved.update(scope)
            wish.nearActivities = try store.meaning.nearestActivities(to: scope.meaning)
        }
        return try store.limited { () throws(StoreFailure) in
            try store.search { () throws(StoreFailure) in
                wish.near = try store.meaning.nearestItems(to: scope.meaning)
                return try find(phrases, wish)
            }
        }
    }

    private func find(
        _ phrases: [Phrase], _ wish: Wish, mayCorrect: Bool = true
    ) throws(StoreFailure) -> Finding {
        var (wish, coverage) = (wish, try index.tables.search.coverage())
        wish.areAllCounted = coverage == .whole
        var terms: [SearchTerm] = []
        let completions = limits.completions / max(1, phrases.count(where: \.isOpen))
        for phrase in phrases {
            terms.append(try SearchTerm(phrase, in: index.tables.words, completions: completions))
        }
        var matches = saved.matches(phrases, or: wish.nearActivities, in: wish.scope, at: wish.now)
        try saved.limit(&matches, by: wish.scope, at: wish.now)
        let counts = zip(terms, matches.counts).map { term, count in
            let (sum, isTooLarge) = term.items.addingReportingOverflow(count)
            return isTooLarge ? Int.max : sum
        }
        guard counts.allSatisfy({ $0 > 0 }) else {
            var nothing = Finding(things: [], coverage: coverage)
            if wish.hasNear {
                // Things without the words may mean the same.
                try recent.update(to: index.version, without: wish.scope.appsOff)
                let activities = try best(of: matches, nil, wish)
                nothing.things = try shown(try best(of: Scores(), activities, wish) ?? [], phrases, wish)
            }
            // Items that are not searched yet may have what was typed.
            guard mayCorrect, coverage == .whole else { return nothing }
            return try findCorrected(terms, counts, wish) ?? nothing
        }
        try recent.update(to: index.version, without: wish.scope.appsOff)
        let all = try index.tables.usage.itemCount(without: wish.scope.appsOff) + matches.all
        let rank = TextRank(itemsWith: counts, among: all)
        // An item has all words only if some item has each.
        let isPossible = terms.allSatisfy { $0.items > 0 }
        let activities = try best(of: matches, rank, wish)
        var scores = Scores()
        if isPossible { scores = try self.scores(for: terms, rank, wish, most: Self.readShare * wish.most) }
        var groups = try best(of: scores, activities, wish)
        if groups == nil {
            scores = try self.scores(for: terms, rank, wish, most: .max)
            groups = try best(of: scores, activities, wish)
        }
        let things = try shown(groups ?? [], phrases, wish)
        if things.isEmpty, mayCorrect, coverage == .whole, wish.scope.filter.app != nil {
            // Other apps may have what was typed.
            if let found = try findCorrected(terms, try countsInApp(terms, wish), wish) { return found }
        }
        // If too few of the ranked items still exist, others may.
        if coverage == .whole, !scores.isWhole, things.count < wish.most { coverage = .ranked }
        return Finding(things: things, coverage: coverage)
    }

    /// Returns for each term 0 if nothing of the app has it to which the search is limited, or else another number.
    private func countsInApp(_ terms: [SearchTerm], _ wish: Wish) throws(StoreFailure) -> [Int] {
        var counts: [Int] = []
        for term in terms {
            var count = saved.matches([term.phrase], in: wish.scope, at: wish.now).found.count
            if let expression = SearchExpression([term]) {
                count += try CandidateTable(rows: index.tables.rows).newest(
                    withWords: expression.text, in: wish.scope.filter.scope, most: 1
                ).count
            }
            counts.append(count)
        }
        return counts
    }

    /// Searches for similar words in the place of those that nothing has; nil if nothing is found so.
    ///
    /// The number of things with each term is given.
    private func findCorrected(
        _ terms: [SearchTerm], _ counts: [Int], _ wish: Wish
    ) throws(StoreFailure) -> Finding? {
        // Things that are found by meaning alone do not speak for the correction.
        var wish = wish
        (wish.near, wish.nearActivities) = ([:], [:])
        for phrases in try corrected(terms, counts) {
            var finding = try find(phrases, wish, mayCorrect: false)
            // Words of what has expired, or of apps that are off, are not told.
            guard !finding.things.isEmpty else { continue }
            finding.corrected = phrases.map(\.text).joined(separator: " ")
            return finding
        }
        return nil
    }

    /// Returns the phrases with those corrected that nothing has, the likeliest correction first; none if one of them is
    /// like no word.
    private func corrected(_ terms: [SearchTerm], _ counts: [Int]) throws(StoreFailure) -> [[Phrase]] {
        // A text with many words that nothing has is no slip, and each takes a while.
        guard 1...Self.correctedMost ~= counts.count(where: { $0 == 0 }) else { return [] }
        let spelling = Spelling(words: index.tables.words, activities: saved.wordCounts)
        var choices: [[Phrase]] = []
        for (term, count) in zip(terms, counts) {
            let words =
                count > 0
                ? [term.phrase] : try spelling.corrections(of: term.phrase, most: Self.correctionsMost)
            guard !words.isEmpty else { return [] }
            choices.append(words)
        }
        return (0..<(choices.map(\.count).max() ?? 0)).map { place in
            choices.map { $0[min(place, $0.count - 1)] }
        }
    }

    // MARK: Meaning

    /// Returns texts that have no vector, until their bytes exceed a bound: first those of activities, which are few,
    /// and then those of items.
    package func unknownMeanings(
        most: Int, bytes: Int, kept: KeptActivities = KeptActivities()
    ) throws(StoreFailure) -> UnknownMeanings {
        stop.beginSearch()
        var activities = try store.meaning.unknownActivities(most: most, bytes: bytes, kept)
        guard activities.texts.isEmpty, !activities.isMore else {
            // The items were not looked at.
            activities.isMore = true
            return activities
        }
        return try store.search { () throws(StoreFailure) in
            try store.meaning.unknownItems(most: most, bytes: bytes)
        }
    }

    /// Begins anew, because vectors were dropped.
    package func forgetMeanings() { store.meaning.restart() }

    // MARK: Candidates

    /// The items that have the words of a search, with the scores of their texts.
    private struct Scores {
        /// The numbers of the items, each once.
        var items: [(number: Int64, score: Double)] = []
        /// Whether no other items have the words.
        var isWhole = true
        /// Items are left out whose scores, with their meaning and their use, are below this; nil if there are none.
        var floor: Double?
    }

    /// Returns the scores of all items that have the words, if these are few enough; those that are not among so many best
    /// may be left out.
    ///
    /// Otherwise those of the items in memory are returned, and of the items where the last word is not continued; only
    /// if these are fewer than what is asked for, then also of those that arrived last.
    private func scores(
        for terms: [SearchTerm], _ rank: TextRank, _ wish: Wish, most: Int
    ) throws(StoreFailure) -> Scores {
        let extent = try self.extent(of: terms, wish)
        let all =
            extent == .many
            ? nil : try scores(of: terms, rank, wish, most: most, areAllRanked: extent == .few)
        if let all, all.isWhole { return all }
        var found = try inMemory(terms, rank, wish)
        found.isWhole = false
        if let closed = try closed(terms) {
            let others = try self.scores(
                of: closed, rank, wish, most: most, areAllRanked: wish.areAllCounted)
            let known = Set(found.items.map(\.number))
            found.items += others.items.filter { !known.contains($0.number) }
            found.floor = others.floor
        }
        if found.items.count < wish.most {
            let arrived =
                if let all {
                    all
                } else { try self.scores(of: terms, rank, wish, most: most, areAllRanked: false) }
            let known = Set(arrived.items.map(\.number))
            let others = found.items.filter { !known.contains($0.number) }
            found = arrived
            found.items += others
        }
        return found
    }

    /// Returns the scores of the items in memory.
    private func inMemory(
        _ terms: [SearchTerm], _ rank: TextRank, _ wish: Wish
    ) throws(StoreFailure) -> Scores {
        var scores = Scores()
        try recent.visitMatches(terms) { number, places, sizes in
            scores.items.append((number, rank.score(places, sizes: sizes)))
        }
        guard wish.scope.isLimited else { return scores }
        let all = scores.items
        scores.items = []
        for item in all { if try isOn(item.number, wish) { scores.items.append(item) } }
        return scores
    }

    /// Returns the terms without what continues the last word, if few items have them.
    private func closed(_ terms: [SearchTerm]) throws(StoreFailure) -> [SearchTerm]? {
        guard let last = terms.last, case .anyOf = last.words else { return nil }
        let closed = try Array(terms.dropLast()) + [last.closed(in: index.tables.words)]
        return closed.allSatisfy { $0.items > 0 } && areFew(closed) ? closed : nil
    }

    private func areFew(_ terms: [SearchTerm]) -> Bool {
        terms.contains { $0.items <= limits.rankedItems }
    }

    /// How many items have the words of a search.
    private enum Extent {
        /// So few that all of them can be ranked.
        case few
        /// Perhaps so few, without those that are left out and with those that are not counted yet.
        case unknown
        case many
    }

    private func extent(of terms: [SearchTerm], _ wish: Wish) throws(StoreFailure) -> Extent {
        if areFew(terms) { return wish.areAllCounted ? .few : .unknown }
        guard terms.count > 1 else { return .many }
        // If things are left out, more items are looked at.
        guard wish.scope.appsOff.isEmpty, !wish.scope.isLimited else { return .unknown }
        guard let expression = SearchExpression(terms) else { return .few }
        let most = limits.rankedItems + 1
        // Counting costs a fraction of ranking, which would be in vain if there are too many.
        return try stop.during(interest) { () throws(StoreFailure) in
            try index.tables.search.count(expression, most: most) < most ? .few : .many
        }
    }

    /// Returns the scores of the items that have the words; unless all can be ranked, of those that arrived last.
    ///
    /// Those that are not among so many best may be left out.
    private func scores(
        of terms: [SearchTerm], _ rank: TextRank, _ wish: Wish, most: Int, areAllRanked: Bool
    ) throws(StoreFailure) -> Scores {
        guard let expression = SearchExpression(terms) else { return Scores() }
        (ranking.rank, ranking.phrases) = (rank, expression.phrases)
        // The items of apps that are off take the place of others, up to a bound.
        let passesOver = !wish.scope.appsOff.isEmpty || wish.scope.looksInside
        let visitedMost = limits.rankedItems * (passesOver ? Self.visitedShare : 1) + 1
        // An item that is left out must not take the place of one that is ranked.
        ranking.best = passesOver || most > limits.rankedItems ? nil : BestScores(most: most)
        ranking.meaning = wish.near
        ranking.factor = { [recent] in ItemRank.factor(of: recent.use(of: $0), at: wish.now) }
        defer { (ranking.best, ranking.meaning, ranking.factor) = (nil, [:], { _ in 1 }) }
        var (scores, visited, count) = (Scores(), 0, 0)
        try stop.during(interest) { () throws(StoreFailure) in
            try index.tables.search.visitMatches(
                expression, in: wish.scope.filter.scope, most: visitedMost, newestFirst: !areAllRanked
            ) { (number, score) throws(StoreFailure) in
                visited += 1
                if try isOn(number, wish) {
                    count += 1
                    if let score { scores.items.append((number, score)) }
                }
                return count <= limits.rankedItems
            }
        }
        scores.isWhole = count <= limits.rankedItems && visited < visitedMost
        if scores.items.count < count { scores.floor = ranking.best?.least }
        return scores
    }

    /// Whether the app of an item is searched, and the item is not left out by a filter.
    private func isOn(_ number: Int64, _ wish: Wish) throws(StoreFailure) -> Bool {
        if !wish.scope.appsOff.isEmpty {
            guard let app = try index.tables.records.app(of: number), !wish.scope.appsOff.contains(app) else {
                return false
            }
        }
        guard wish.scope.isLimited else { return true }
        return try index.records.item(number: number).map { wish.scope.admits($0) } ?? false
    }

    /// Whether the app of an item is searched, and the item is not left out by what the search is limited to.
    private func isOn(_ item: StoredItem, _ wish: Wish) -> Bool {
        if !wish.scope.appsOff.isEmpty {
            guard let app = item.content.scope.parts.first, !wish.scope.appsOff.contains(app) else {
                return false
            }
        }
        return wish.scope.admits(item)
    }

    /// If things are left out, this many times as many items are looked at.
    private static let visitedShare = 5

    // MARK: Ranking

    /// A thing that is ranked, before those about the same thing are joined.
    ///
    /// It is an object because it is sorted and grouped, and copies would take longer than that.
    private final class Candidate {
        let subject: Subject
        let rank: ItemRank
        let names: ThingNames
        let age: ItemAge

        init(subject: Subject, rank: ItemRank, names: ThingNames, age: ItemAge) {
            (self.subject, self.rank, self.names, self.age) = (subject, rank, names, age)
        }

        enum Subject {
            /// The number of an item, and the item itself unless it is read again if it is shown.
            case item(Int64, StoredItem?)
            case activity(SearchedActivity)
        }

        /// Whether this one comes first: it is better, or as good and came later.
        func precedes(_ other: Candidate) -> Bool {
            let (score, otherScore) = (rank.score, other.rank.score)
            return score == otherScore ? age.precedes(other.age) : score > otherScore
        }
    }

    /// Candidates about one thing, the best first.
    private typealias CandidateGroup = [Candidate]

    /// Returns the best things, best first; of equal ones the one that was indexed later comes first.
    ///
    /// Nil if items that were left out may be among them.
    private func best(
        of scores: Scores, _ activities: [Candidate], _ wish: Wish
    ) throws(StoreFailure) -> [CandidateGroup]? {
        var all = scores.items
        if !wish.near.isEmpty {
            // Those that were left out because their scores are low are below the floor, with their meaning, too.
            let known = Set(all.map(\.number))
            for number in wish.near.keys where !known.contains(number) { all.append((number, 0)) }
        }
        let items = all.map { number, score in
            let factor = ItemRank.factor(of: recent.use(of: number), at: wish.now)
            let ordering = ItemRank.firstScore(text: score, meaning: wish.near[number] ?? 0, use: factor)
            return ScoredItem(number: number, score: score, ordering: ordering)
        }
        // The best few are nearly always enough, and sorting many takes a while.
        var top = BestScores(most: Self.readShare * wish.most)
        if items.count > Self.readShare * wish.most { for item in items { top.add(item.ordering) } }
        if let least = top.least,
            let groups = try best(of: items.filter { $0.ordering >= least }, from: least, activities, wish)
        {
            return groups
        }
        return try best(of: items, from: scores.floor, activities, wish)
    }

    /// Returns the best things of these items and activities, as above.
    private func best(
        of items: [ScoredItem], from floor: Double?, _ activities: [Candidate], _ wish: Wish
    ) throws(StoreFailure) -> [CandidateGroup]? {
        let ordered = items.sorted { $0.ordering > $1.ordering }
        var most = Self.readShare * wish.most
        while true {
            guard let ranked = try best(of: ordered, from: floor, most: most, wish) else { return nil }
            let groups = Self.groups(ranked + activities)
            // Others may be found if many are about the same things.
            guard groups.count < wish.most, ranked.count == most, most < items.count || floor != nil else {
                return Array(groups.prefix(wish.most))
            }
            most *= Self.readGrowth
        }
    }

    /// An item with the score of its texts, and that score together with its meaning and its use.
    private struct ScoredItem {
        let number: Int64
        let score, ordering: Double
    }

    /// Ranks the best items of an order that exist and have not expired.
    ///
    /// If not all that are equally good are wanted, the newest are taken, so that every device takes the same.
    ///
    /// Nil if items below the floor, of which some were left out, would be among them.
    private func best(
        of ordered: [ScoredItem], from floor: Double?, most: Int, _ wish: Wish
    ) throws(StoreFailure) -> [Candidate]? {
        var (ranked, rest) = ([Candidate](), ordered[...])
        while ranked.count < most {
            guard let first = rest.first else { return floor == nil ? ranked : nil }
            if let floor, first.ordering < floor { return nil }
            var equal = rest.prefix { $0.ordering == first.ordering }
            rest = rest.dropFirst(equal.count)
            if ranked.count + equal.count > most {
                let scores = Dictionary(uniqueKeysWithValues: equal.map { ($0.number, $0) })
                equal = try index.tables.records.newestFirst(equal.map(\.number)).compactMap { scores[$0] }[
                    ...]
            }
            for item in equal where ranked.count < most {
                let keeps = ranked.count < Self.keptMost
                if let candidate = try candidate(item, wish, keepsItem: keeps) { ranked.append(candidate) }
            }
        }
        return ranked
    }

    /// So many of the best items, which are mostly shown, are kept until then if they are small.
    private static let keptMost = 50
    private static let keptBytes = 8 << 10

    /// Ranks an item by all that counts; nil if it is not there or is left out.
    private func candidate(
        _ scored: ScoredItem, _ wish: Wish, keepsItem: Bool
    ) throws(StoreFailure) -> Candidate? {
        guard let item = try index.records.item(number: scored.number), !item.hasExpired(at: wish.now),
            isOn(item, wish)
        else { return nil }
        let fields = RankedFields(item.name, item.content.fields)
        let rank = ItemRank(
            text: scored.score, meaning: wish.near[scored.number] ?? 0, use: recent.use(of: scored.number),
            fields.facts, at: wish.now)
        let isKept = keepsItem && item.content.fields.encodedCount <= Self.keptBytes
        return Candidate(
            subject: .item(scored.number, isKept ? item : nil), rank: rank, names: fields.names,
            age: ItemAge(item.name, indexed: fields.indexed))
    }

    /// Ranks the activities that have all words, or mean the same, and returns the best that are still there.
    ///
    /// Without a rank of texts, none has all words.
    private func best(
        of matches: ActivityMatches, _ text: TextRank?, _ wish: Wish
    ) throws(StoreFailure) -> [Candidate] {
        var ranked: [(identity: RecordIdentity, candidate: Candidate)] = []
        for match in matches.found {
            let (identity, entry, places) = (match.identity, match.activity, match.places)
            let rank = ItemRank(
                text: places.isEmpty ? 0 : text?.score(places, sizes: entry.text.sizes) ?? 0,
                meaning: wish.nearActivities[identity] ?? 0,
                use: recent.use(of: identity) ?? saved.use(of: identity), entry.facts, at: wish.now)
            let candidate = Candidate(
                subject: .activity(entry), rank: rank, names: entry.names,
                age: ItemAge(entry.found))
            ranked.append((identity, candidate))
        }
        ranked.sort { $0.candidate.precedes($1.candidate) }
        var (best, related) = ([Candidate](), RelatedItems(index, at: wish.now))
        // Activities about the same things are looked at together, as far as there are enough others.
        var rest = ranked[...]
        while !rest.isEmpty, Self.groups(best).count < Self.readShare * wish.most {
            let step = rest.prefix(Self.readShare * wish.most)
            rest = rest.dropFirst(step.count)
            let present = try saved.present(step.map(\.identity))
            for (identity, candidate) in step where present.contains(identity) {
                if try related.have(candidate.names) { best.append(candidate) }
            }
        }
        return best
    }

    /// Returns the candidates about each thing together, the best things first.
    private static func groups(_ candidates: [Candidate]) -> [CandidateGroup] {
        let ordered = candidates.sorted { $0.precedes($1) }
        return ThingNames.groups(ordered.map(\.names)).map { group in group.map { ordered[$0] } }
    }

    /// Returns the results to be shown, with the parts of their texts where the words are if these are wanted.
    private func shown(
        _ groups: [CandidateGroup], _ phrases: [Phrase], _ wish: Wish
    ) throws(StoreFailure) -> [Found] {
        var (things, maker) = ([Found](), SnippetMaker(phrases))
        for group in groups {
            var (parts, fields) = ([Found](), Fields?.none)
            for candidate in group {
                switch candidate.subject {
                case .item(let number, let kept):
                    // It was there at this same moment.
                    let read = if let kept { kept } else { try index.records.item(number: number) }
                    guard let item = read else { continue }
                    parts.append(Found(item, candidate.rank))
                    fields = fields ?? item.content.fields
                case .activity(let activity):
                    parts.append(
                        Found(
                            thing: .activity(activity.found), rank: candidate.rank,
                            devices: [activity.device].compactMap(\.self), expiration: activity.expiration))
                }
            }
            guard var found = Found(joining: parts) else { continue }
            if wish.hasSnippets {
                found.addSnippet(of: fields.flatMap { SearchText($0)?.texts } ?? [], by: &maker)
            }
            things.append(found)
        }
        return things
    }
}

extension SearchFilter {
    /// The scope around the items of the app; nil for all.
    var scope: Scope? { app.map { Scope([$0, "items"]) } }
}
