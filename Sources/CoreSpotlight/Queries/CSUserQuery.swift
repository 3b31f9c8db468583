import BatonClient
import BatonCore
import BatonNetwork
public import Foundation

/// Finds the items of the app that contain the words that a person has typed, the best items first.
///
/// It also suggests searches that the person may mean.
open class CSUserQuery: CSSearchQuery {
    /// The text that the person has typed; if it is empty, the text of the suggestion that the person has chosen.
    private let text: String
    private let userContext: CSUserQueryContext

    /// Creates a search for a text that a person has typed.
    ///
    /// If there is no text, the suggestion of the context is searched for. If there is no suggestion either, the latest
    /// items are found.
    public init(userQueryString: String?, userQueryContext: CSUserQueryContext?) {
        let typed = userQueryString ?? ""
        text = typed.isEmpty ? userQueryContext?.currentSuggestion?.text ?? "" : typed
        userContext = userQueryContext?.copy() as? CSUserQueryContext ?? CSUserQueryContext()
        super.init(queryString: "", queryContext: userContext)
    }

    /// Prepares for searching by connecting to the node, so that the first search is fast.
    open class func prepare() { IndexService.shared.client.seekNode() }

    /// Prepares for searching indexes with these protections.
    open class func prepareProtectionClasses(_ protectionClasses: [FileProtectionType]) { prepare() }

    // MARK: Handlers

    /// Called with all suggestions, the best first; if this is nil, no suggestions are made.
    open var foundSuggestionsHandler: (([CSSuggestion]) -> Void)? {
        get { core.foundSuggestions }
        set { core.foundSuggestions = newValue }
    }

    /// The number of suggestions; 0 if there is no handler for suggestions.
    open var foundSuggestionCount: Int { core.state.change { $0.suggestionCount } }

    /// Begins the search, which then calls the handlers.
    open override func start() {
        let isStarted = core.state.change { $0.isStarted || $0.isCancelled }
        if !isStarted, foundSuggestionsHandler != nil {
            let core = core
            suggest { result in
                // A failure is ignored here, because in that case the search fails, too, and reports the reason.
                guard case .success(let suggestions) = result, !suggestions.isEmpty else { return }
                Callbacks.call {
                    guard !core.state.change({ $0.isCancelled }) else { return }
                    core.state.change { $0.suggestionCount = suggestions.count }
                    core.foundSuggestions?(suggestions.enumerated().map { CSSuggestion($1, rank: $0) })
                }
            }
        }
        super.start()
    }

    /// Ends the search before all items are found.
    open override func cancel() { super.cancel() }

    // MARK: The search

    override func call(_ number: UInt64) -> BeginSearch {
        let most =
            userContext.maxResultCount > 0
            ? min(userContext.maxResultCount, Limits.listedResults) : Limits.listedResults
        return search(number, most: most, attributes: attributeNames)
    }

    private func search(_ number: UInt64, most: Int, attributes: [String]) -> BeginSearch {
        var filters = userContext.filterQueries
        let query =
            filters.isEmpty
            ? nil : QueryItems(filters.removeFirst(), filter: filter, most: most, at: .here)
        return BeginSearch(
            number, words: SearchItems(text, most: most, filter: filter), query: query, filters: filters,
            order: userContext.enableRankedResults ? .best : .found, attributes: attributes,
            pageMost: min(most, Limits.foundItems))
    }

    /// Finds suggestions: earlier searches in the app, and titles and words of the app's items.
    ///
    /// If there are filter queries, the suggestions are the titles of matching items that contain the typed text.
    fileprivate func suggest(
        _ answer: @escaping @Sendable (Result<[SearchSuggestion], CSSearchQueryError>) -> Void
    ) {
        let most =
            userContext.maxSuggestionCount > 0
            ? min(userContext.maxSuggestionCount, Limits.suggestions) : Limits.suggestions
        guard !userContext.filterQueries.isEmpty else {
            let call = SuggestSearches(text, most: most, app: IndexService.shared.app)
            let service = IndexService.shared
            return service.writer.afterLeftovers {
                service.client.ask(call) { result in
                    answer(result.map { $0.suggestions }.mapError { CSSearchQueryError($0) })
                }
            }
        }
        let call = search(
            QueryRun.nextNumber(), most: Self.searchedForSuggestions, attributes: Self.titleAttributes)
        let run = QueryRun(call, IndexService.shared)
        let finder = PhraseFinder(Phrase.all(of: text), marksLetters: true)
        run.next { result in
            run.cancel()
            answer(
                result.map { results in
                    var (seen, suggestions): (Set<String>, [SearchSuggestion]) = ([], [])
                    for result in results ?? [] where suggestions.count < most {
                        guard let title = result.title, let typed = finder.firstRanges(in: title),
                            seen.insert(title).inserted
                        else { continue }
                        suggestions.append(SearchSuggestion(title, .title, typed: typed))
                    }
                    return suggestions.filter(\.isSound)
                })
        }
    }

    /// The number of items whose titles are examined for suggestions, if there are filter queries.
    private static let searchedForSuggestions = 60
    private static let titleAttributes = ["title", "displayName"]

    // MARK: Sequences

    /// An item that a search found.
    public struct Item: Identifiable, Hashable, Comparable, @unchecked Sendable {
        /// The found item; each result has a new object.
        public let item: CSSearchableItem
        let name: ItemName
        private let rank: Int

        init(_ found: FoundResult) { (item, name, rank) = (found.item, found.name, found.rank) }

        /// The identifier of the item.
        public var id: String { name.identifier }

        /// Whether both results are the same item.
        public static func == (left: Item, right: Item) -> Bool { left.name == right.name }

        /// Whether the left item has a better rank than the right item.
        public static func < (left: Item, right: Item) -> Bool { left.rank < right.rank }

        /// Hashes the identifier of the item.
        public func hash(into hasher: inout Hasher) { hasher.combine(name.identifier) }
    }

    /// A suggestion that belongs to a search.
    public struct Suggestion: Identifiable, Hashable, Comparable, @unchecked Sendable {
        /// The suggestion, which never changes.
        public let suggestion: CSSuggestion

        init(_ suggestion: CSSuggestion) { self.suggestion = suggestion }

        /// The text of the suggestion.
        public var id: String { suggestion.text }

        /// Whether two suggestions have the same text.
        public static func == (left: Suggestion, right: Suggestion) -> Bool { left.id == right.id }

        /// Whether the left suggestion has a better rank than the right suggestion.
        public static func < (left: Suggestion, right: Suggestion) -> Bool {
            left.suggestion.compare(byRank: right.suggestion) == .orderedAscending
        }

        /// Hashes the text of the suggestion.
        public func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// The suggestions, followed by the items that are found.
    ///
    /// Reading this property begins the search; then the handlers are not called.
    open var responses: Responses { Responses(suggestions: suggestions, results: results) }

    /// The suggestions for the search.
    ///
    /// Reading this property begins the search; then the handlers are not called.
    open var suggestions: Suggestions {
        _ = core.begin()
        return Suggestions(query: Carried(self))
    }

    /// The suggestions for a search, the best first.
    public struct Suggestions: AsyncSequence, Sendable {
        fileprivate let query: Carried<CSUserQuery>

        /// A suggestion.
        public typealias Element = Suggestion

        /// An iterator over the suggestions.
        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let query: Carried<CSUserQuery>
            private var suggestions: [Suggestion]?
            private var place = 0

            fileprivate init(_ query: Carried<CSUserQuery>) { self.query = query }

            /// Returns the next suggestion, or nil after the last one.
            public mutating func next() async throws -> Suggestion? {
                let found: [Suggestion]
                if let suggestions {
                    found = suggestions
                } else {
                    found = try await query.value.suggested()
                    suggestions = found
                }
                guard place < found.count else { return nil }
                defer { place += 1 }
                return found[place]
            }
        }

        /// Begins the iteration over the suggestions.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query) }
    }

    nonisolated(nonsending) private func suggested() async throws -> [Suggestion] {
        let result = await withCheckedContinuation { continuation in
            suggest { continuation.resume(returning: $0) }
        }
        if isCancelled { throw QueryRun.cancelled }
        let suggestions = try result.get()
        core.state.change { $0.suggestionCount = suggestions.count }
        return suggestions.enumerated().map { Suggestion(CSSuggestion($1, rank: $0)) }
    }

    /// The suggestions for a search, followed by the items that the search finds.
    public struct Responses: AsyncSequence, Sendable {
        fileprivate let suggestions: Suggestions
        fileprivate let results: Results

        /// A suggestion or an item.
        public typealias Element = Response

        /// A suggestion or an item.
        public enum Response: Sendable {
            /// An item that was found.
            case item(Item)
            /// A suggestion of what the person may mean.
            case suggestion(Suggestion)
        }

        /// An iterator over the responses.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var suggestions: Suggestions.AsyncIterator?
            private var pages: QueryPages

            fileprivate init(_ responses: Responses) {
                suggestions = responses.suggestions.makeAsyncIterator()
                pages = QueryPages(responses.results.run, responses.results.core)
            }

            /// Returns the next response, or nil after the last one.
            public mutating func next() async throws -> Response? {
                if let suggestion = try await suggestions?.next() { return .suggestion(suggestion) }
                suggestions = nil
                return try await pages.next().map { .item(Item($0)) }
            }
        }

        /// Begins the iteration over the responses.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }

    // MARK: Use

    /// The way in which a person used an item or a suggestion.
    public enum UserInteractionKind: Int, Sendable {
        /// The person opened it.
        case select = 0
        /// The person looked at it.
        case focus = 1

        /// The person opened it.
        public static let `default` = UserInteractionKind.select
    }

    /// Reports that a person used an item; later searches rank an item higher if the person has opened it.
    open func userEngaged(
        _ item: Item, visibleItems: [Item], interaction userInteractionType: UserInteractionKind
    ) {
        guard userInteractionType == .select else { return }
        // A failure is ignored, because it only means that later searches are not improved.
        IndexService.shared.client.ask(CountOpening(item.name)) { _ in }
    }

    /// Reports that a person used a suggestion; later searches suggest it again if the person has chosen it.
    open func userEngaged(
        _ suggestion: Suggestion, visibleSuggestions: [Suggestion],
        interaction userInteractionType: UserInteractionKind
    ) {
        guard userInteractionType == .select else { return }
        IndexService.shared.client.ask(RememberSearch(suggestion.id, in: IndexService.shared.app)) { _ in }
    }
}

extension FoundResult {
    /// The title of the item; if there is none, its display name.
    fileprivate var title: String? {
        for attribute in [Attribute.title, .displayName] {
            if case .plain(.string(let text)) = attributes[attribute], !text.isEmpty { return text }
        }
        return nil
    }
}
