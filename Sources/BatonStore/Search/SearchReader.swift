package import BatonCore

/// Finds items and saved activities, on connections of its own that only read, so that no writer ever waits for it.
///
/// It belongs to the thread that made it. The store must have been opened before. A search by words passes through the
/// stages of `WordSearch`, and a query through those of `QuerySearch`.
package final class SearchReader {
    private let store: SearchedStore
    /// The searches whose further pages may still be requested.
    private let pages: OpenSearches
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
        pages = OpenSearches(store)
    }

    /// Tells whether somebody still waits for the present search.
    package var interest: SearchWish? {
        get { store.interest }
        set { store.interest = newValue }
    }

    /// Frees the memory of pages that can be read from the databases again.
    package func releaseMemory() { store.releaseMemory() }

    // MARK: Results at once

    /// Returns the best things that have all words of a text and have not expired at this time.
    ///
    /// The last word also matches longer words, unless a separator was typed after it.
    package func find(
        _ text: String, most: Int, at now: WallTime, in scope: SearchScope = SearchScope()
    ) throws(StoreFailure) -> SearchFinding {
        try WordSearch(WordRequest(most: most, now: now, scope: scope), in: store).find(Phrase.all(of: text))
    }

    /// Returns the items and activities that meet a query and have not expired at this time, the latest indexed or
    /// ended first.
    ///
    /// It reads in short steps, so that the writer can truncate SQLite's log in between. Before each step it calls the
    /// closure, which throws once nobody waits for the result. The things that it returns are read once more at the
    /// end, so that all of them exist at one moment.
    ///
    /// A search that takes too long ends with what it has found; the coverage says so.
    package func find(
        _ query: SearchQuery, most: Int, at now: WallTime,
        in scope: SearchScope = SearchScope(),
        demandWanted: () throws(StoreFailure) -> Void = {}
    ) throws(StoreFailure) -> SearchFinding {
        guard most > 0 else { return SearchFinding(things: [], coverage: .whole) }
        let search = QuerySearch(QueryRequest(query, in: scope, at: now, most: most), in: store)
        return try search.finish(demandWanted) { () throws(StoreFailure) in
            SearchFinding(things: try search.nextResults(most), coverage: try search.coverage())
        }
    }

    // MARK: Results page by page

    /// Begins a search under a number, and returns its first page.
    package func begin(
        _ number: UInt64, _ search: PagedSearch, at now: WallTime, in scope: SearchScope,
        demandWanted: () throws(StoreFailure) -> Void = {}
    ) throws(StoreFailure) -> FoundPage {
        try pages.begin(number, search, at: now, in: scope, demandWanted: demandWanted)
    }

    /// Returns the next page of the search with a number; nil if there is no such search.
    package func nextPage(
        _ number: UInt64, at now: WallTime, in scope: SearchScope,
        demandWanted: () throws(StoreFailure) -> Void = {}
    ) throws(StoreFailure) -> FoundPage? {
        try pages.nextPage(number, at: now, in: scope, demandWanted: demandWanted)
    }

    /// Ends the search with a number.
    package func end(_ number: UInt64) { pages.end(number) }

    // MARK: Suggestions

    /// Returns what a person may mean to search for, best first.
    ///
    /// Earlier searches come first, those that were made often and lately before others; then titles of items that the
    /// person opened; then words that complete the last one, and further titles. Each suggestion finds something that
    /// exists at this time, in apps that are not excluded. At most the first half of the suggestions are earlier
    /// searches and opened items.
    ///
    /// If the scope is limited to an app, all suggestions come from its items and from the searches in it.
    package func suggest(
        _ typed: String, most: Int, at now: WallTime, in scope: SearchScope = SearchScope(),
        except apps: Set<String> = []
    ) throws(StoreFailure) -> [SearchSuggestion] {
        try Suggester(store: store, now: now, scope: scope, excluded: apps).suggest(typed, most: most)
    }

    // MARK: Meaning

    /// Returns texts that have no vector, until their bytes exceed a bound: first those of activities, which are few,
    /// and then those of items.
    package func unknownMeanings(
        most: Int, bytes: Int, kept: KeptActivities = KeptActivities()
    ) throws(StoreFailure) -> UnknownMeanings {
        store.stop.beginSearch()
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

    /// Begins again to look for texts without a vector, because vectors were dropped.
    package func forgetMeanings() { store.meaning.restart() }

    // MARK: Explaining

    /// Returns the explanations of an app's items that have an identifier: one for each index of the app, and at least
    /// one.
    package func explain(
        _ call: ExplainItem, at now: WallTime, in scope: SearchScope
    ) throws(StoreFailure) -> [SearchExplanation] {
        try SearchExplainer(store: store, now: now, scope: scope).explain(call)
    }

    /// Returns the explanation of the activity that has ended and whose identifier begins with a text; nil if the store
    /// has nothing of it.
    package func explain(
        _ call: ExplainActivity, at now: WallTime, in scope: SearchScope
    ) throws(StoreFailure) -> SearchExplanation? {
        try SearchExplainer(store: store, now: now, scope: scope).explain(call)
    }

    /// Returns how many items an app has, and in which indexes.
    package func examine(_ app: String, at now: WallTime) throws(StoreFailure) -> AppItems {
        try store.search { () throws(StoreFailure) in try AppItems(of: app, at: now, in: store.index) }
    }
}
