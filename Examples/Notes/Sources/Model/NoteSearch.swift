import CoreSpotlight

/// Searches the notes of all machines.
@MainActor final class NoteSearch {
    /// A note that was found.
    struct Result: Sendable {
        let name: String
        let title: String
        let summary: String
    }

    private(set) var results: [Result] = []
    private(set) var suggestions: [String] = []
    private var query: CSUserQuery?
    private var items: [CSUserQuery.Item] = []

    /// Finds the notes with these words, the best first, and suggests other words.
    func find(_ words: String) async throws {
        let context = CSUserQueryContext()
        context.fetchAttributes = ["title", "contentDescription"]
        context.maxResultCount = 10
        context.maxSuggestionCount = 3
        let query = CSUserQuery(userQueryString: words, userQueryContext: context)
        (items, suggestions) = ([], [])
        for try await response in query.responses {
            if case .item(let found) = response { items.append(found) }
            if case .suggestion(let found) = response {
                suggestions.append(String(found.suggestion.localizedAttributedSuggestion.characters))
            }
        }
        self.query = query
        results = items.map { Result($0.item) }
    }

    /// Finds the notes that were changed within a week.
    func findRecent() async throws {
        let context = CSSearchQueryContext()
        context.fetchAttributes = ["title", "contentDescription"]
        let query = CSSearchQuery(
            queryString: "contentModificationDate >= $time.today(-7)", queryContext: context)
        (self.query, items, suggestions, results) = (nil, [], [], [])
        for try await found in query.results { results.append(Result(found.item)) }
    }

    /// Tells the index which result the person has chosen, for the order of later ones.
    func choose(_ place: Int) {
        guard let query, items.indices.contains(place) else { return }
        query.userEngaged(items[place], visibleItems: items, interaction: .select)
    }
}

extension NoteSearch.Result {
    fileprivate init(_ item: CSSearchableItem) {
        name = item.uniqueIdentifier
        title = item.attributeSet.title ?? name
        summary = item.attributeSet.contentDescription ?? ""
    }
}
