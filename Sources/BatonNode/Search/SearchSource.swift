import BatonCore
import BatonStore

/// A source of the results of an account's searches.
///
/// All closures are called on the loop.
protocol SearchSource: AnyObject {
    /// Finds the best items and activities that have all words of a text.
    func find(
        _ text: String, most: Int, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchFinding, StoreFailure>) -> Void
    )

    /// Finds the items that match a query.
    func find(
        _ query: SearchQuery, most: Int, sorting: QueryOrder, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchFinding, StoreFailure>) -> Void
    )

    /// Begins a search under a number, and finds the first page of its results.
    func begin(
        _ number: UInt64, _ search: PagedSearch, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<FoundPage?, StoreFailure>) -> Void
    )

    /// Finds the next page of the search with this number; nil if there is no such search.
    func nextPage(
        of number: UInt64, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<FoundPage?, StoreFailure>) -> Void
    )

    /// Releases the results that the source holds for the search with this number.
    func end(_ number: UInt64)

    /// Finds suggestions for the text that a person has typed.
    func suggest(
        _ text: String, most: Int, in scope: SearchScope, except apps: Set<String>, for wish: SearchWish,
        then: @escaping (Result<[SearchSuggestion], StoreFailure>) -> Void
    )
}

extension SearchThread: SearchSource {}
