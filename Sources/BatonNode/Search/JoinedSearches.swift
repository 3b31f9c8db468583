import BatonCore
import BatonStore

/// Asks two sources, and joins their results to one answer.
///
/// The first source is the store of the account. The second source exists only sometimes: it holds the opened items of
/// protected indexes. Without it, each question is passed on to the first source.
///
/// If the second source fails, the results of the first source are still told. If the second source goes away, none of
/// its results is told any more. The object belongs to the loop's thread.
final class JoinedSearches {
    private let first: any SearchSource
    private let log: Log
    /// The source of the opened items of protected indexes; nil if there are none.
    ///
    /// It may be set and removed at any time.
    var second: (any SearchSource)? {
        didSet {
            if second !== oldValue { leave(oldValue) }
        }
    }
    /// Counts how often the second source was set or removed.
    private var changes: UInt64 = 0
    /// Whether a failure of the present second source was logged.
    private var hasLogged = false
    /// The closures that end the waiting for an answer of the second source, by the number of the question.
    private var waits: [UInt64: () -> Void] = [:]
    private var lastWait: UInt64 = 0
    /// The searches with pages that ask both sources.
    private var open: [UInt64: OpenSearch] = [:]

    init(_ first: any SearchSource, log: Log) { (self.first, self.log) = (first, log) }

    // MARK: The second source

    /// The result of a question to the second source.
    private enum Outcome<Value> {
        case answered(Value)
        case failed
        /// The source has gone away, so its answer is secret.
        case gone
    }

    /// Asks the second source; if it goes away before it answers, the closure is called at once.
    private func askSecond<Value>(
        for wish: SearchWish,
        _ question: (any SearchSource, @escaping (Result<Value, StoreFailure>) -> Void) -> Void,
        then: @escaping (Outcome<Value>) -> Void
    ) {
        guard let second else { return then(.gone) }
        lastWait += 1
        let number = lastWait
        waits[number] = { then(.gone) }
        question(second) { [self] result in
            guard waits.removeValue(forKey: number) != nil else { return }
            switch result {
            case .success(let value): then(.answered(value))
            case .failure(let failure):
                if !wish.hasEnded { logOnce(failure) }
                then(.failed)
            }
        }
    }

    /// Asks both sources at once, and calls the closure when both have answered.
    private func askBoth<Value>(
        for wish: SearchWish,
        _ question: (any SearchSource, @escaping (Result<Value, StoreFailure>) -> Void) -> Void,
        then: @escaping (Result<Value, StoreFailure>, Outcome<Value>) -> Void
    ) {
        var (own, other) = (Result<Value, StoreFailure>?.none, Outcome<Value>?.none)
        let asked = changes
        let tell = { [self] in
            guard let own, let other else { return }
            then(own, asked == changes ? other : .gone)
        }
        question(first) {
            own = $0
            tell()
        }
        askSecond(for: wish, question) {
            other = $0
            tell()
        }
    }

    private func logOnce(_ failure: StoreFailure) {
        guard !hasLogged else { return }
        hasLogged = true
        log.warn("can't search the opened items of protected indexes: \(failure)")
    }

    /// Goes on without a source that was the second one.
    private func leave(_ source: (any SearchSource)?) {
        changes += 1
        hasLogged = false
        guard let source else { return }
        for search in open.values {
            if search.pages.second.isHeld { source.end(search.number) }
            search.pages.leaveSecond()
        }
        let ended = waits.sorted { $0.key < $1.key }
        waits = [:]
        for (_, end) in ended { end() }
    }

    // MARK: Results at once

    /// Finds the best items and activities that have all words of a text; see `SearchSource`.
    func find(
        _ text: String, most: Int, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchFinding, StoreFailure>) -> Void
    ) {
        guard second != nil else { return first.find(text, most: most, in: scope, for: wish, then: then) }
        askBoth(for: wish) { source, answer in
            source.find(text, most: most, in: scope, for: wish, then: answer)
        } then: { result, outcome in
            then(result.map { Self.joined($0, outcome, by: .rank, most: most) })
        }
    }

    /// Finds the items that match a query; see `SearchSource`.
    func find(
        _ query: SearchQuery, most: Int, sorting: QueryOrder, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchFinding, StoreFailure>) -> Void
    ) {
        guard second != nil else {
            return first.find(query, most: most, sorting: sorting, in: scope, for: wish, then: then)
        }
        askBoth(for: wish) { source, answer in
            source.find(query, most: most, sorting: sorting, in: scope, for: wish, then: answer)
        } then: { result, outcome in
            then(result.map { Self.joined($0, outcome, by: .query(sorting), most: most) })
        }
    }

    private static func joined(
        _ finding: SearchFinding, _ outcome: Outcome<SearchFinding>, by order: ResultOrder, most: Int
    ) -> SearchFinding {
        var joined = finding
        switch outcome {
        case .gone: break
        case .failed: joined.coverage = finding.coverage.worse(.partial)
        case .answered(let other):
            let choice = TextChoice(
                (finding.things.first, finding.corrected, finding.hasTyped),
                (other.things.first, other.corrected, other.hasTyped))
            joined.things = order.joined(
                choice.takesFirst ? finding.things : [], choice.takesSecond ? other.things : [],
                most: min(most, Limits.foundItems))
            joined.coverage = finding.coverage.worse(other.coverage)
            joined.corrected =
                (choice.takesFirst ? finding.corrected : nil) ?? (choice.takesSecond ? other.corrected : nil)
        }
        return joined
    }

    /// Finds suggestions for the text that a person has typed; see `SearchSource`.
    ///
    /// The suggestions of both sources alternate.
    func suggest(
        _ text: String, most: Int, in scope: SearchScope, except apps: Set<String>, for wish: SearchWish,
        then: @escaping (Result<[SearchSuggestion], StoreFailure>) -> Void
    ) {
        guard second != nil else {
            return first.suggest(text, most: most, in: scope, except: apps, for: wish, then: then)
        }
        askBoth(for: wish) { source, answer in
            source.suggest(text, most: most, in: scope, except: apps, for: wish, then: answer)
        } then: { result, outcome in
            guard case .answered(let others) = outcome else { return then(result) }
            then(
                result.map { suggestions in
                    var list = SuggestionList(typed: text, most: min(most, Limits.suggestions))
                    list.addInTurn(suggestions, others)
                    return list.suggestions
                })
        }
    }

    // MARK: Results page by page

    /// A search with pages that asks both sources.
    private final class OpenSearch {
        let number: UInt64
        var pages: JoinedPages
        /// The requests for pages, oldest first.
        ///
        /// One page is made at a time.
        var requests: [Request] = []
        /// The number of sources whose answers are awaited.
        var awaited = 0
        /// The end of the search, if a source has failed or has lost its results; nil otherwise.
        var end: Result<FoundPage?, StoreFailure>?

        init(_ number: UInt64, _ search: PagedSearch) { (self.number, pages) = (number, JoinedPages(search)) }
    }

    private struct Request {
        let scope: SearchScope
        let wish: SearchWish
        let then: (Result<FoundPage?, StoreFailure>) -> Void
    }

    /// Begins a search under a number, and finds the first page of its results; see `SearchSource`.
    ///
    /// The search asks only the sources that are there when it begins.
    func begin(
        _ number: UInt64, _ search: PagedSearch, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<FoundPage?, StoreFailure>) -> Void
    ) {
        open[number] = nil
        guard second != nil else { return first.begin(number, search, in: scope, for: wish, then: then) }
        let begun = OpenSearch(number, search)
        open[number] = begun
        begun.requests.append(Request(scope: scope, wish: wish, then: then))
        proceed(begun)
    }

    /// Finds the next page of the search with this number; nil if a source has no such search.
    func nextPage(
        of number: UInt64, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<FoundPage?, StoreFailure>) -> Void
    ) {
        guard let known = open[number] else {
            return first.nextPage(of: number, in: scope, for: wish, then: then)
        }
        known.requests.append(Request(scope: scope, wish: wish, then: then))
        if known.requests.count == 1 { proceed(known) }
    }

    /// Releases the results that the sources hold for the search with this number.
    func end(_ number: UInt64) {
        first.end(number)
        if let ended = open.removeValue(forKey: number), ended.pages.second.isHeld { second?.end(number) }
    }

    /// Makes the next page of a search, as far as the sources have given results.
    private func proceed(_ search: OpenSearch) {
        guard search.awaited == 0, let request = search.requests.first else { return }
        guard open[search.number] === search else { return close(search, .success(nil)) }
        if let end = search.end {
            release(search)
            return close(search, end)
        }
        search.pages.renew(request.scope, at: .now)
        let sides = search.pages.fill()
        search.awaited = sides.count
        for side in sides { ask(side, of: search, for: request) }
        if sides.isEmpty { answerWithPage(search, request) }
    }

    private func answerWithPage(_ search: OpenSearch, _ request: Request) {
        let page = search.pages.takePage()
        search.requests.removeFirst()
        if page.isLast { release(search) }
        request.then(.success(page))
        proceed(search)
    }

    /// Removes a search, and lets the sources release its results.
    private func release(_ search: OpenSearch) {
        open[search.number] = nil
        if search.pages.first.isHeld { first.end(search.number) }
        if search.pages.second.isHeld { second?.end(search.number) }
    }

    /// Answers all requests for pages of a search that was removed.
    private func close(_ search: OpenSearch, _ result: Result<FoundPage?, StoreFailure>) {
        let requests = search.requests
        search.requests = []
        for request in requests { request.then(result) }
    }

    private func ask(_ side: JoinedPages.Side, of search: OpenSearch, for request: Request) {
        let isFirst = search.pages.ask(side)
        let question = {
            (source: any SearchSource, answer: @escaping (Result<FoundPage?, StoreFailure>) -> Void) in
            if isFirst {
                source.begin(
                    search.number, search.pages.search, in: request.scope, for: request.wish, then: answer)
            } else {
                source.nextPage(of: search.number, in: request.scope, for: request.wish, then: answer)
            }
        }
        switch side {
        case .first:
            question(first) { [self] result in
                switch result {
                case .success(let page?): search.pages.receive(page, from: .first)
                case .success(nil), .failure: search.end = result
                }
                noteAnswer(to: search)
            }
        case .second:
            askSecond(for: request.wish, question) { [self] outcome in
                switch outcome {
                case .answered(let page?): search.pages.receive(page, from: .second)
                // The failure of the first source comes before the loss of the second source's results.
                case .answered(nil): search.end = search.end ?? .success(nil)
                case .failed: search.pages.failSecond()
                case .gone: break
                }
                noteAnswer(to: search)
            }
        }
    }

    /// Goes on with a search once no answer is awaited.
    private func noteAnswer(to search: OpenSearch) {
        search.awaited -= 1
        proceed(search)
    }
}

extension SearchFinding {
    /// Whether the search has found something for the text as it was typed.
    fileprivate var hasTyped: Bool { corrected == nil && !things.isEmpty }
}
