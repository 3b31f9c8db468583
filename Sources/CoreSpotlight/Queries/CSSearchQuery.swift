import BatonClient
import BatonCore
import BatonNetwork
public import Foundation

/// Finds the items of the app that match a query in Core Spotlight's query language.
///
/// Either set the handlers and call `start()`, or read `results`. A query can be used only once, and only in one of
/// these ways. Handlers are called on a queue of this module, one after the other.
open class CSSearchQuery: NSObject {
    /// The query in Core Spotlight's language.
    private let queryString: String
    /// A copy of the context, made when the query was created.
    let context: CSSearchQueryContext
    /// The state that all threads that use the query share.
    let core = QueryCore()

    /// Creates a query.
    public init(queryString: String, queryContext: CSSearchQueryContext?) {
        self.queryString = queryString
        context = queryContext?.copy() as? CSSearchQueryContext ?? CSSearchQueryContext()
        super.init()
    }

    /// Creates a query that returns these attributes of each item.
    @available(*, deprecated, message: "Use init(queryString:queryContext:).")
    public convenience init(queryString: String, attributes: [String]?) {
        let context = CSSearchQueryContext()
        context.fetchAttributes = attributes ?? []
        self.init(queryString: queryString, queryContext: context)
    }

    // MARK: Handlers

    /// Called with the items that were found after the last call.
    open var foundItemsHandler: (([CSSearchableItem]) -> Void)? {
        get { core.foundItems }
        set { core.foundItems = newValue }
    }

    /// Called once, after all items; the argument is an error if the query failed or was cancelled.
    open var completionHandler: (((any Error)?) -> Void)? {
        get { core.completion }
        set { core.completion = newValue }
    }

    /// The number of items that have been found.
    open var foundItemCount: Int { core.state.change { $0.itemCount } }

    /// Whether the query was cancelled.
    open var isCancelled: Bool { core.state.change { $0.isCancelled } }

    /// The protections of the protected indexes that are searched, besides the indexes without protection.
    ///
    /// `.complete` and `.completeUnlessOpen` name the indexes of the app that have this protection.
    open var protectionClasses: [FileProtectionType] = [.completeUntilFirstUserAuthentication]

    // MARK: Starting and ending

    /// Begins the query, which then calls the handlers.
    ///
    /// If the query was already cancelled, only the completion handler is called.
    open func start() {
        guard core.begin() else {
            if isCancelled { complete(QueryRun.cancelled) }
            return
        }
        goOn(run)
    }

    /// Ends the query early; the completion handler gets `CSSearchQueryError.cancelled`.
    open func cancel() {
        let mustTell = core.state.change { state in
            defer { state.isCancelled = true }
            return state.isStarted && !state.isCancelled && !state.isOver
        }
        core.state.change { $0.run }?.cancel()
        if mustTell { complete(QueryRun.cancelled) }
    }

    /// The object that performs the search; it is created when it is first needed.
    var run: QueryRun {
        let made = QueryRun(call(QueryRun.nextNumber()), IndexService.shared)
        return core.state.change { state in
            if let run = state.run { return run }
            if state.isCancelled { made.cancel() }
            state.run = made
            return made
        }
    }

    /// The call to the node that begins the search.
    func call(_ number: UInt64) -> BeginSearch {
        BeginSearch(
            number,
            query: QueryItems(queryString, filter: filter, most: Limits.streamedResults, at: .here),
            filters: context.filterQueries, order: .found, attributes: attributeNames)
    }

    /// The filter that selects the items of this app.
    var filter: SearchFilter {
        SearchFilter(
            app: IndexService.shared.app, kind: .item,
            protections: Set(protectionClasses.compactMap(\.indexProtection)))
    }

    /// The names of the attributes to fetch; unknown names are ignored, and `*` means all attributes.
    var attributeNames: [String] {
        let everything = FetchedAttributes.everything
        if context.fetchAttributes.contains(everything) { return [everything] }
        let known = context.fetchAttributes.filter { FieldName(queryName: $0) != nil }
        return Array(known.prefix(Limits.fetchedAttributes))
    }

    /// Gets the next results and calls the handlers, until no results are left.
    private func goOn(_ run: QueryRun) {
        // This keeps the query alive until its completion handler has been called.
        let query = Carried(self)
        run.next { result in
            Callbacks.call {
                switch result {
                case .failure(let error): query.value.complete(error)
                case .success(nil): query.value.complete(nil)
                case .success(let results?):
                    query.value.receiveResults(results)
                    query.value.goOn(run)
                }
            }
        }
    }

    private func receiveResults(_ results: [FoundResult]) {
        guard !results.isEmpty, !isCancelled else { return }
        core.state.change { $0.itemCount += results.count }
        core.foundItems?(results.map(\.item))
    }

    /// Calls the completion handler on the queue for callbacks, unless it was already called.
    private func complete(_ error: CSSearchQueryError?) {
        let isFirst = core.state.change { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return }
        let core = core
        Callbacks.call { core.completion?(error) }
    }

    // MARK: Results

    /// The items that the query finds.
    ///
    /// Reading this property begins the query; then the handlers are not called.
    open var results: Results {
        _ = core.begin()
        return Results(run: run, core: core)
    }

    /// The items that a query finds.
    public struct Results: AsyncSequence, Sendable {
        let run: QueryRun
        let core: QueryCore

        /// A found item.
        public typealias Element = Item

        /// An item that a query found, and its position among the results.
        public struct Item: Identifiable, Hashable, Comparable, @unchecked Sendable {
            /// The found item; each result has a new object.
            public let item: CSSearchableItem
            private let rank: Int

            init(_ found: FoundResult) { (item, rank) = (found.item, found.rank) }

            /// The identifier of the item.
            public var id: String { item.uniqueIdentifier }

            /// Whether both results are the same item.
            public static func == (left: Item, right: Item) -> Bool { left.id == right.id }

            /// Whether the left item was found before the right item.
            public static func < (left: Item, right: Item) -> Bool { left.rank < right.rank }

            /// Hashes the identifier of the item.
            public func hash(into hasher: inout Hasher) { hasher.combine(id) }
        }

        /// An iterator over the items.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var pages: QueryPages

            fileprivate init(_ results: Results) { pages = QueryPages(results.run, results.core) }

            /// Returns the next item, or nil after the last one.
            public mutating func next() async throws -> Item? { try await pages.next().map { Item($0) } }
        }

        /// Begins the iteration over the items.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
    }
}

/// The state of a query that all threads that use the query share.
final class QueryCore: Sendable {
    let state = Monitor(State())
    private let handlers = Monitor(Handlers())

    struct State: Sendable {
        var isStarted = false
        var isCancelled = false
        var isOver = false
        var itemCount = 0
        var suggestionCount = 0
        var run: QueryRun?
    }

    /// The handlers of the app; they are called only on the queue for callbacks.
    private struct Handlers: @unchecked Sendable {
        var foundItems: (([CSSearchableItem]) -> Void)?
        var foundSuggestions: (([CSSuggestion]) -> Void)?
        var completion: (((any Error)?) -> Void)?
    }

    /// Notes that the query begins; returns false if it has already begun, or was cancelled.
    func begin() -> Bool {
        state.change { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isCancelled
        }
    }

    var foundItems: (([CSSearchableItem]) -> Void)? {
        get { handlers.change { Carried($0.foundItems) }.value }
        set {
            let handler = Carried(newValue)
            handlers.change { $0.foundItems = handler.value }
        }
    }

    var foundSuggestions: (([CSSuggestion]) -> Void)? {
        get { handlers.change { Carried($0.foundSuggestions) }.value }
        set {
            let handler = Carried(newValue)
            handlers.change { $0.foundSuggestions = handler.value }
        }
    }

    var completion: (((any Error)?) -> Void)? {
        get { handlers.change { Carried($0.completion) }.value }
        set {
            let handler = Carried(newValue)
            handlers.change { $0.completion = handler.value }
        }
    }
}

/// An iterator over the results of a query; the query ends when the last copy of the iterator is released.
struct QueryPages {
    private let reader: Reader
    private var page: [FoundResult] = []
    private var place = 0

    /// Cancels the search when the last copy of the iterator is released.
    private final class Reader: Sendable {
        let run: QueryRun
        let core: QueryCore

        init(_ run: QueryRun, _ core: QueryCore) { (self.run, self.core) = (run, core) }

        deinit { run.cancel() }
    }

    init(_ run: QueryRun, _ core: QueryCore) { reader = Reader(run, core) }

    mutating func next() async throws -> FoundResult? {
        while place == page.count {
            guard let next = try await reader.run.next() else {
                reader.core.state.change { $0.isOver = true }
                return nil
            }
            (page, place) = (next, 0)
            reader.core.state.change { $0.itemCount += next.count }
        }
        defer { place += 1 }
        return page[place]
    }
}
