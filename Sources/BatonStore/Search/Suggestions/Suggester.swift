import BatonCore

/// Suggests what a person may mean to search for, while the person types.
struct Suggester {
    let store: SearchedStore
    let now: WallTime
    /// Decides which things may be suggested.
    let scope: SearchScope
    /// Further apps from which nothing is suggested.
    let excluded: Set<String>

    /// The largest number of items whose titles are read.
    private static let titlesMost = 30

    /// Returns suggestions, the best first; see `SearchReader.suggest`.
    func suggest(_ typed: String, most: Int) throws(StoreFailure) -> [SearchSuggestion] {
        let most = min(most, Limits.suggestions)
        guard most > 0 else { return [] }
        // The search for titles has its own time limit. A text without words finds no titles.
        let titles = try titles(for: typed)
        store.stop.beginSearch()
        do {
            return try store.gate.read { () throws(StoreFailure) in
                try store.saved.update(scope)
                return try store.index.reading { () throws(StoreFailure) in
                    try list(typed, titles, most: most)
                }
            }
        } catch  where store.stop.hasEndedSearch {
            // If the time runs out, only the titles are suggested.
            return Array((titles.opened + titles.others).prefix(most))
        }
    }

    /// Lists earlier searches, titles and words, in the present read transaction of the index.
    private func list(
        _ typed: String, _ titles: Titles, most: Int
    ) throws(StoreFailure) -> [SearchSuggestion] {
        var scope = scope
        scope.appsOff.formUnion(excluded)
        let words = SuggestedWords(store: store, now: now, scope: scope)
        var list = SuggestionList(typed: typed, most: most)
        list.add(try words.searches(like: list.phrases, most: most) { list.isNew($0) }, most: most / 2)
        list.add(titles.opened, most: (most + 1) / 2)
        let completed =
            scope.filter.app == nil
            ? try words.completions(of: typed, list.phrases, most: most)
            : try words.completions(of: typed, list.phrases, in: titles.items, most: most)
        list.addInTurn(completed, titles.others)
        return list.suggestions
    }

    /// The titles and items that a search for the typed words finds.
    private struct Titles {
        /// The titles that have all typed words: those of items that the person has opened, and all others.
        var opened: [SearchSuggestion] = []
        var others: [SearchSuggestion] = []
        /// The items that have all typed words, the best first.
        var items: [ItemName] = []
    }

    /// Searches for the typed words, and returns the titles that have all typed words.
    private func titles(for typed: String) throws(StoreFailure) -> Titles {
        let phrases = Phrase.all(of: typed)
        let finder = PhraseFinder(phrases, marksLetters: true)
        let request = WordRequest(most: Self.titlesMost, now: now, scope: scope)
        let finding = try WordSearch(request, in: store).find(phrases)
        var titles = Titles()
        guard finding.corrected == nil else { return titles }
        for found in finding.things where !excluded.contains(found.thing.app) {
            if let name = found.thing.item?.name { titles.items.append(name) }
            guard let title = found.thing.title, title.utf8.count <= Limits.rememberedSearchBytes,
                let ranges = finder.firstRanges(in: title)
            else { continue }
            let suggestion = SearchSuggestion(title, .title, typed: ranges)
            if let rank = found.rank, rank.use > 1 {
                titles.opened.append(suggestion)
            } else {
                titles.others.append(suggestion)
            }
        }
        return titles
    }
}
