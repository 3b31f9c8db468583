import BatonCore

/// Finds the items that have the words of a search, in the full-text table and among the items in memory.
struct WordCandidateFinder {
    let store: SearchedStore
    let request: WordRequest
    let plan: WordPlan
    /// How the texts are scored.
    let rank: TextRank

    /// How many items have the words of a search.
    private enum Extent {
        /// Few enough that all of them can be ranked.
        case few
        /// Perhaps few enough, because some items are left out, or are not counted yet.
        case unknown
        case many
    }

    /// How many times more items are looked at if things are left out.
    private static let visitedShare = 5

    private var tables: LaneTables { store.index.tables }
    private var limits: SearchLimits { store.limits }
    private var scope: SearchScope { request.scope }

    /// Returns all items that have the words, if they are few enough; items that are not among the best `most` may be
    /// left out.
    ///
    /// Otherwise it returns the items in memory, and the items that have the last word without a completion; only if
    /// these are fewer than the wanted results, it also returns the items that arrived last.
    func candidates(most: Int) throws(StoreFailure) -> WordCandidates {
        let extent = try extent()
        let all =
            extent == .many ? nil : try indexed(plan.terms, most: most, areAllRanked: extent == .few)
        if let all, all.isWhole { return all }
        var found = try inMemory()
        found.isWhole = false
        if let closed = try closedTerms() {
            let others = try indexed(closed, most: most, areAllRanked: plan.isWhole)
            found.add(new: others)
            found.floor = others.floor
        }
        guard found.items.count < request.most else { return found }
        var arrived =
            if let all { all } else { try indexed(plan.terms, most: most, areAllRanked: false) }
        arrived.add(new: found)
        return arrived
    }

    /// Estimates how many items have all terms.
    private func extent() throws(StoreFailure) -> Extent {
        if areFew(plan.terms) { return plan.isWhole ? .few : .unknown }
        guard plan.terms.count > 1 else { return .many }
        // If things are left out, more items are looked at than are ranked, so a count would decide nothing.
        guard scope.appsOff.isEmpty, !scope.isLimited else { return .unknown }
        guard let expression = SearchExpression(plan.terms) else { return .few }
        let most = limits.rankedItems + 1
        // Counting costs a fraction of ranking, and ranking would be in vain if there are too many items.
        return try store.stop.during(store.interest) { () throws(StoreFailure) in
            try tables.search.count(expression, most: most) < most ? .few : .many
        }
    }

    private func areFew(_ terms: [SearchTerm]) -> Bool {
        terms.contains { $0.items <= limits.rankedItems }
    }

    /// Returns the terms without completions of the last word, if few items have them; nil otherwise.
    private func closedTerms() throws(StoreFailure) -> [SearchTerm]? {
        guard let last = plan.terms.last, case .anyOf = last.words else { return nil }
        let closed = try Array(plan.terms.dropLast()) + [last.closed(in: tables.words)]
        return closed.allSatisfy { $0.items > 0 } && areFew(closed) ? closed : nil
    }

    /// Returns the items in memory that have all terms.
    private func inMemory() throws(StoreFailure) -> WordCandidates {
        var all = WordCandidates()
        try store.recent.visitMatches(plan.terms) { number, places, sizes in
            all.add(number, rank.score(places, sizes: sizes))
        }
        guard scope.isLimited else { return all }
        var admitted = WordCandidates()
        for item in all.items where try isAdmitted(item.number) { admitted.add(item.number, item.score) }
        return admitted
    }

    /// Returns the items that have the terms; unless all can be ranked, only those that arrived last.
    ///
    /// Items that are not among the best `most` may be left out.
    private func indexed(
        _ terms: [SearchTerm], most: Int, areAllRanked: Bool
    ) throws(StoreFailure) -> WordCandidates {
        guard let expression = SearchExpression(terms) else { return WordCandidates() }
        // The items of apps that are off take the place of others, so more items are visited, up to a bound.
        let passesOver = !scope.appsOff.isEmpty || scope.looksInside
        let visitedMost = limits.rankedItems * (passesOver ? Self.visitedShare : 1) + 1
        let ranking = store.ranking
        (ranking.rank, ranking.phrases) = (rank, expression.phrases)
        // An item that is left out must not take the place of one that is ranked.
        ranking.best = passesOver || most > limits.rankedItems ? nil : BestScores(most: most)
        ranking.meaning = request.nearness.items
        ranking.factor = { [recent = store.recent, now = request.now] number in
            ItemRank.factor(of: recent.use(of: number), at: now)
        }
        defer { (ranking.best, ranking.meaning, ranking.factor) = (nil, [:], { _ in 1 }) }
        var (candidates, visited, count) = (WordCandidates(), 0, 0)
        try store.stop.during(store.interest) { () throws(StoreFailure) in
            try tables.search.visitMatches(
                expression, in: scope.filter.scope, most: visitedMost, newestFirst: !areAllRanked
            ) { (number, score) throws(StoreFailure) in
                visited += 1
                if try isAdmitted(number) {
                    count += 1
                    if let score { candidates.add(number, score) }
                }
                return count <= limits.rankedItems
            }
        }
        candidates.isWhole = count <= limits.rankedItems && visited < visitedMost
        if candidates.items.count < count { candidates.floor = ranking.best?.least }
        return candidates
    }

    /// Whether the app of an item is searched, and the item passes the filter and the condition of the search.
    private func isAdmitted(_ number: Int64) throws(StoreFailure) -> Bool {
        if !scope.appsOff.isEmpty {
            guard let app = try tables.records.app(of: number), !scope.appsOff.contains(app) else {
                return false
            }
        }
        guard scope.isLimited else { return true }
        return try store.index.records.item(number: number).map { scope.admits($0) } ?? false
    }
}
