import BatonCore

/// A search by words, from the plan to the results.
///
/// The search has five stages, and each stage has a type: the plan, the candidates that have the words, the ranked
/// things, the groups of things about the same thing, and the results that are shown.
///
///     WordPlan → WordCandidates → RankedThing → ThingGroup → ShownThing
struct WordSearch {
    private let store: SearchedStore
    private var request: WordRequest

    init(_ request: WordRequest, in store: SearchedStore) { (self.request, self.store) = (request, store) }

    /// Searches for phrases in one read transaction of the index; without phrases, nothing is found.
    func find(_ phrases: [Phrase]) throws(StoreFailure) -> SearchFinding {
        guard !phrases.isEmpty, request.most > 0 else {
            return SearchFinding(things: [], coverage: .whole)
        }
        let wanted = request.scope.meaning
        var search = self
        store.stop.beginSearch()
        try store.limited { () throws(StoreFailure) in
            try store.saved.update(request.scope)
            search.request.nearness.activities = try store.meaning.nearestActivities(to: wanted)
        }
        return try store.limited { () throws(StoreFailure) in
            try store.search { () throws(StoreFailure) in
                search.request.nearness.items = try store.meaning.nearestItems(to: wanted)
                return try search.findNow(phrases)
            }
        }
    }

    /// Searches for phrases in the present read transaction.
    ///
    /// If a phrase is found nowhere and `mayCorrect` is true, similar words are searched for.
    private func findNow(
        _ phrases: [Phrase], mayCorrect: Bool = true
    ) throws(StoreFailure) -> SearchFinding {
        let plan = try WordPlan(phrases, request, in: store)
        guard plan.hasEachPhrase else {
            let similar = SearchFinding(things: try similarThings(plan), coverage: plan.coverage)
            // If some items are not searched yet, they may have the typed words.
            guard mayCorrect, plan.isWhole else { return similar }
            return try findCorrected(plan.terms, plan.counts) ?? similar
        }
        let (things, areAllRanked) = try rankedThings(plan)
        if things.isEmpty, mayCorrect, plan.isWhole, request.scope.filter != SearchFilter() {
            // Perhaps only things that the filter leaves out have the typed words.
            let counts = try plan.countsInFilter(request, in: store)
            if let found = try findCorrected(plan.terms, counts) { return found }
        }
        // If there are too few results, other items that were not ranked may have the words, too.
        let isCut = plan.isWhole && !areAllRanked && things.count < request.most
        return SearchFinding(things: things, coverage: isCut ? .ranked : plan.coverage)
    }

    /// Returns the best things that have all phrases or a similar meaning.
    ///
    /// `areAllRanked` says whether all items with the phrases were ranked.
    private func rankedThings(
        _ plan: WordPlan
    ) throws(StoreFailure) -> (things: [ShownThing], areAllRanked: Bool) {
        try store.recent.update(to: store.index.version, without: request.scope.appsOff)
        let rank = try plan.textRank(request, in: store)
        let activities = try ActivityRanker(store: store, request: request).best(of: plan.activities, rank)
        let finder = WordCandidateFinder(store: store, request: request, plan: plan, rank: rank)
        let grouper = ThingGrouper(store: store, request: request, activities: activities)
        var candidates = WordCandidates()
        if plan.mayHaveItems { candidates = try finder.candidates(most: grouper.firstMost) }
        var groups = try grouper.groups(of: candidates)
        if groups == nil {
            candidates = try finder.candidates(most: .max)
            groups = try grouper.groups(of: candidates)
        }
        return (try results(groups, plan.phrases), candidates.isWhole)
    }

    /// Returns the things with a similar meaning, for a search in which a phrase is found nowhere.
    private func similarThings(_ plan: WordPlan) throws(StoreFailure) -> [ShownThing] {
        guard !request.nearness.isEmpty else { return [] }
        try store.recent.update(to: store.index.version, without: request.scope.appsOff)
        let activities = try ActivityRanker(store: store, request: request).best(of: plan.activities, nil)
        let grouper = ThingGrouper(store: store, request: request, activities: activities)
        return try results(try grouper.groups(of: WordCandidates()), plan.phrases)
    }

    private func results(
        _ groups: [ThingGroup]?, _ phrases: [Phrase]
    ) throws(StoreFailure) -> [ShownThing] {
        try GroupReader(index: store.index, phrases: phrases, hasSnippets: request.hasSnippets)
            .results(of: groups ?? [])
    }

    /// Searches for similar words instead of words that are found nowhere; returns nil if nothing is found.
    ///
    /// `counts` has the number of things that have each term.
    private func findCorrected(
        _ terms: [SearchTerm], _ counts: [Int]
    ) throws(StoreFailure) -> SearchFinding? {
        guard Spelling.mayCorrect(counts) else { return nil }
        let spelling = Spelling(words: store.index.tables.words, activities: store.saved.wordCounts)
        var search = self
        // A thing that is found only by its meaning does not show that a correction is right.
        search.request.nearness = Nearness()
        for phrases in try spelling.corrections(of: terms, counts) {
            var finding = try search.findNow(phrases, mayCorrect: false)
            // A correction that finds nothing must not be shown. It may be a word of something that has expired or of
            // an app that is not searched.
            guard !finding.things.isEmpty else { continue }
            finding.corrected = phrases.map(\.text).joined(separator: " ")
            return finding
        }
        return nil
    }
}
