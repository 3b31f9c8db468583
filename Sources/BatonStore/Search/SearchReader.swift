package import BatonCore

/// Finds items and saved activities.
///
/// It has its own connections, which only read, so no writer ever waits for a search.
///
/// Only the thread that created a reader may use it. The store must be open. `WordSearch` performs a search by words,
/// and `QuerySearch` performs a query.
package final class SearchReader {
    private let store: SearchedStore
    /// The searches of which further pages may still be requested.
    private let pages: OpenSearches
    /// The number of the opening of the store at which this reader opened the files (`ReaderGate.opening`).
    package let opening: Int

    /// Opens the databases of the store in a folder.
    ///
    /// `gate` and `cipher` must be those of the store that writes in this folder.
    package init(
        folder: String, stop: SearchStop, gate: ReaderGate = ReaderGate(),
        limits: SearchLimits = SearchLimits(), fileSystem: String? = nil, cipher: (any PageCipher)? = nil
    ) throws(StoreFailure) {
        opening = gate.opening
        store = try SearchedStore(
            folder: folder, stop: stop, gate: gate, limits: limits, fileSystem: fileSystem, cipher: cipher)
        pages = OpenSearches(store)
    }

    /// The wish for the present search, which tells whether somebody still waits for its results.
    package var interest: SearchWish? {
        get { store.interest }
        set { store.interest = newValue }
    }

    /// Frees the memory of cached pages, which can be read from the databases again.
    package func releaseMemory() { store.releaseMemory() }

    // MARK: Results at once

    /// Returns the best things that have all words of a text and have not expired at this time.
    ///
    /// The last word also matches longer words that begin with it, unless a separator was typed after it. For example,
    /// `tea` matches `team`, but not if a space was typed after it.
    package func find(
        _ text: String, most: Int, at now: WallTime, in scope: SearchScope = SearchScope()
    ) throws(StoreFailure) -> SearchFinding {
        try WordSearch(WordRequest(most: most, now: now, scope: scope), in: store).find(Phrase.all(of: text))
    }

    /// Returns the items and activities that meet a query and have not expired at this time.
    ///
    /// Items are ordered by the time when they were indexed, and activities by the time when they ended, the latest
    /// first. If attributes order the results, these times order only results with the same values of the attributes.
    ///
    /// The search reads in short steps, so that the writer can truncate SQLite's log between two steps. Before each
    /// step, the search calls the closure, which throws once nobody waits for the results. At the end, the results are
    /// read once more, so that all of them exist at the same moment.
    ///
    /// A search that takes too long returns what it has found so far, and its coverage is `.cut`.
    package func find(
        _ query: SearchQuery, most: Int, sorting: QueryOrder = .indexed, at now: WallTime,
        in scope: SearchScope = SearchScope(),
        demandWanted: () throws(StoreFailure) -> Void = {}
    ) throws(StoreFailure) -> SearchFinding {
        guard most > 0 else { return SearchFinding(things: [], coverage: .whole) }
        let request = QueryRequest(query, in: scope, at: now, most: most, sorting: sorting)
        let search = QuerySearch(request, in: store)
        return try search.finish(demandWanted) { () throws(StoreFailure) in
            SearchFinding(things: try search.nextResults(most), coverage: try search.coverage())
        }
    }

    // MARK: Results page by page

    /// Begins a search with this number, and returns the first page.
    package func begin(
        _ number: UInt64, _ search: PagedSearch, at now: WallTime, in scope: SearchScope,
        demandWanted: () throws(StoreFailure) -> Void = {}
    ) throws(StoreFailure) -> FoundPage {
        try pages.begin(number, search, at: now, in: scope, demandWanted: demandWanted)
    }

    /// Returns the next page of the search with this number; nil if there is no such search.
    package func nextPage(
        _ number: UInt64, at now: WallTime, in scope: SearchScope,
        demandWanted: () throws(StoreFailure) -> Void = {}
    ) throws(StoreFailure) -> FoundPage? {
        try pages.nextPage(number, at: now, in: scope, demandWanted: demandWanted)
    }

    /// Ends the search with this number.
    package func end(_ number: UInt64) { pages.end(number) }

    // MARK: Suggestions

    /// Returns what a person may mean to search for, best first.
    ///
    /// Earlier searches come first, in an order that prefers frequent and recent searches. Then the titles of items
    /// follow that the person has opened. The last are words that complete the last typed word, and further titles. At
    /// most half of the suggestions are earlier searches and titles of opened items. Each suggestion finds something
    /// that exists at this time, in an app that is not excluded.
    ///
    /// If the scope is limited to an app, all suggestions come from the items of this app and from the searches in this
    /// app.
    package func suggest(
        _ typed: String, most: Int, at now: WallTime, in scope: SearchScope = SearchScope(),
        except apps: Set<String> = []
    ) throws(StoreFailure) -> [SearchSuggestion] {
        try Suggester(store: store, now: now, scope: scope, excluded: apps).suggest(typed, most: most)
    }

    // MARK: Meaning

    /// Returns texts that have no vector.
    ///
    /// It returns at most `most` texts, and stops when they have `bytes` bytes. The texts of activities come first,
    /// because they are few.
    package func unknownMeanings(
        most: Int, bytes: Int, kept: KeptActivities = KeptActivities()
    ) throws(StoreFailure) -> UnknownMeanings {
        store.stop.beginSearch()
        var activities = try store.meaning.unknownActivities(most: most, bytes: bytes, kept)
        guard activities.texts.isEmpty, !activities.isMore else {
            // The items were not read, so some of their texts may have no vector.
            activities.isMore = true
            return activities
        }
        return try store.search { () throws(StoreFailure) in
            try store.meaning.unknownItems(most: most, bytes: bytes)
        }
    }

    /// Makes the search for texts without a vector begin again, because vectors were removed.
    package func forgetMeanings() { store.meaning.restart() }

    // MARK: Explaining

    /// Explains why a search shows the items of an app that have an identifier, or why it does not.
    ///
    /// Each index of the app may have one such item. There is at least one explanation, even if there is no such item.
    /// `storedName` returns the name under which an item is stored.
    package func explain(
        _ call: ExplainItem, at now: WallTime, in scope: SearchScope,
        storedName: (ItemName) -> ItemName = { $0 }
    ) throws(StoreFailure) -> [SearchExplanation] {
        try withoutActuallyEscaping(storedName) { (storedName) throws(StoreFailure) in
            try SearchExplainer(store: store, now: now, scope: scope, storedName: storedName).explain(call)
        }
    }

    /// Explains why a search shows the ended activity whose identifier begins with a text, or why it does not.
    ///
    /// Returns nil if the store knows no such activity.
    package func explain(
        _ call: ExplainActivity, at now: WallTime, in scope: SearchScope
    ) throws(StoreFailure) -> SearchExplanation? {
        try SearchExplainer(store: store, now: now, scope: scope).explain(call)
    }

    /// Returns the number of an app's items, and the indexes that have them.
    package func examine(_ app: String, at now: WallTime) throws(StoreFailure) -> AppItems {
        try store.search { () throws(StoreFailure) in try AppItems(of: app, at: now, in: store.index) }
    }
}
