import BatonCore

/// Finds the items that have the words of a search, in the full-text table and among the items in memory.
struct WordCandidateFinder {
    let store: SearchedStore
    let request: WordRequest
    let plan: WordPlan
    /// Computes the scores of texts.
    let rank: TextRank

    /// An estimate of the number of items that have the words of a search.
    private enum Extent {
        /// There are so few items that all of them can be ranked.
        case few
        /// The number is unknown, because some items are left out or not counted yet.
        case unknown
        case many
    }

    /// The factor by which more items are read if some things are left out.
    private static let visitedShare = 5

    private var tables: LaneTables { store.index.tables }
    private var limits: SearchLimits { store.limits }
    private var scope: SearchScope { request.scope }

    /// Returns the items that have the words.
    ///
    /// If they are few, all of them are found. Items that are not among the best `most` may be left out.
    ///
    /// If there are many, the items in memory are returned, and the items that have the last word exactly as it was
    /// typed. If these are fewer than the wanted results, the items that arrived last are returned, too.
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
        // If things are left out, more items are read than ranked, so a count would not tell how many are ranked.
        guard scope.appsOff.isEmpty, !scope.isLimited else { return .unknown }
        guard let expression = SearchExpression(plan.terms) else { return .few }
        let most = limits.rankedItems + 1
        // Counting is much faster than ranking, and ranking would be in vain if there were too many items.
        return try store.stop.during(store.interest) { () throws(StoreFailure) in
            try tables.search.count(expression, most: most) < most ? .few : .many
        }
    }

    private func areFew(_ terms: [SearchTerm]) -> Bool {
        terms.contains { $0.items <= limits.rankedItems }
    }

    /// Returns the terms without completions of the last word; nil if many items, or none, have these terms.
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

    /// Returns the items in the full-text table that have the terms.
    ///
    /// If not all of them can be ranked, only those that arrived last are returned.
    ///
    /// Items that are not among the best `most` may be left out.
    private func indexed(
        _ terms: [SearchTerm], most: Int, areAllRanked: Bool
    ) throws(StoreFailure) -> WordCandidates {
        guard let expression = SearchExpression(terms) else { return WordCandidates() }
        // Items that may not be shown are visited, too. So the limit of visited items is larger if there may be such
        // items.
        let passesOver = !scope.appsOff.isEmpty || scope.looksInside
        let visitedMost = limits.rankedItems * (passesOver ? Self.visitedShare : 1) + 1
        let ranking = store.ranking
        (ranking.rank, ranking.phrases) = (rank, expression.phrases)
        // An item that may not be shown must not be among the best scores.
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
