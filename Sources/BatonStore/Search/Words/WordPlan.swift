import BatonCore

/// The plan of a search by words: the words of the index that it finds, and how many things have each phrase.
struct WordPlan {
    let phrases: [Phrase]
    /// The phrases, with the words of the index that they find.
    let terms: [SearchTerm]
    /// The items that the search can cover.
    let coverage: SearchCoverage
    /// The activities that may be shown, and which of them have all phrases.
    let activities: ActivityMatches
    /// The most things that can have each phrase.
    let counts: [Int]

    /// Looks the phrases up in the words of the index and in the activities.
    init(_ phrases: [Phrase], _ request: WordRequest, in store: SearchedStore) throws(StoreFailure) {
        self.phrases = phrases
        coverage = try store.index.tables.search.coverage()
        let completions = store.limits.completions / max(1, phrases.count(where: \.isOpen))
        var terms: [SearchTerm] = []
        for phrase in phrases {
            terms.append(try SearchTerm(phrase, in: store.index.tables.words, completions: completions))
        }
        var matches = store.saved.matches(
            phrases, or: request.nearness.activities, in: request.scope, at: request.now)
        try store.saved.limit(&matches, by: request.scope, at: request.now)
        (self.terms, activities) = (terms, matches)
        counts = zip(terms, matches.counts).map { term, count in
            let (sum, isTooLarge) = term.items.addingReportingOverflow(count)
            return isTooLarge ? Int.max : sum
        }
    }

    /// Whether the words of all items are counted; while a batch is being merged, more items may have a word.
    var isWhole: Bool { coverage == .whole }

    /// Whether some thing has each phrase.
    var hasEachPhrase: Bool { counts.allSatisfy { $0 > 0 } }

    /// Whether an item may have all phrases, which is possible only if each phrase is in some item.
    var mayHaveItems: Bool { terms.allSatisfy { $0.items > 0 } }

    /// Returns how the texts of things with these phrases are scored.
    func textRank(_ request: WordRequest, in store: SearchedStore) throws(StoreFailure) -> TextRank {
        let items = try store.index.tables.usage.itemCount(without: request.scope.appsOff)
        return TextRank(itemsWith: counts, among: items + activities.all)
    }

    /// Returns 0 for each term that nothing admitted by the filter has, and another number for all other terms.
    ///
    /// Items are compared with the filter's app only, whatever else the filter leaves out.
    func countsInFilter(_ request: WordRequest, in store: SearchedStore) throws(StoreFailure) -> [Int] {
        var counts: [Int] = []
        for term in terms {
            var count = store.saved.matches([term.phrase], in: request.scope, at: request.now).found.count
            if request.scope.filter.kind != .activity, let expression = SearchExpression([term]) {
                count += try CandidateTable(rows: store.index.tables.rows).newest(
                    withWords: expression.text, in: request.scope.filter.scope, most: 1
                ).count
            }
            counts.append(count)
        }
        return counts
    }
}
