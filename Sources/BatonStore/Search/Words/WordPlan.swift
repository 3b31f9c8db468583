import BatonCore

/// The plan of a search by words.
///
/// It says which words of the index match the phrases, and how many things have each phrase.
struct WordPlan {
    let phrases: [Phrase]
    /// The phrases, and the words of the index that match each phrase.
    let terms: [SearchTerm]
    /// Says which items the search can cover.
    let coverage: SearchCoverage
    /// The activities that have all phrases, and the numbers of all activities that may be shown.
    let activities: ActivityMatches
    /// An upper limit of the number of things that have each phrase.
    let counts: [Int]

    /// Looks up the phrases in the words of the index and in the activities.
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

    /// Whether the words of all items are counted.
    ///
    /// While a batch is being merged, more items may have a word.
    var isWhole: Bool { coverage == .whole }

    /// Whether each phrase is in at least one item or activity.
    var hasEachPhrase: Bool { counts.allSatisfy { $0 > 0 } }

    /// Whether an item may have all phrases, because each phrase is in at least one item.
    var mayHaveItems: Bool { terms.allSatisfy { $0.items > 0 } }

    /// Returns the scoring of the texts of things with these phrases.
    func textRank(_ request: WordRequest, in store: SearchedStore) throws(StoreFailure) -> TextRank {
        let items = try store.index.tables.usage.itemCount(without: request.scope.appsOff)
        return TextRank(itemsWith: counts, among: items + activities.all)
    }

    /// Returns a number for each term, which is 0 if nothing that the filter admits has the term.
    ///
    /// Only the app of the filter is applied to items, and not the other limits of the filter.
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
