import BatonCore
import BatonNetwork
import BatonStore

/// The searches of all connections whose results come in pages.
///
/// The thread of searches keeps their results; this object knows whose they are, and ends those that nobody goes on with.
/// It belongs to the loop's thread.
final class PagedSearches {
    private let search: SearchThread
    private let loop: EventLoop
    private let limits: Limits
    /// Returns the facts of now that decide which things a search with a filter shows.
    private let presentScope: (SearchFilter) -> SearchScope
    /// Calls a closure with the meaning of words, or with nil if it is not known in time.
    private let findMeaning: (String, @escaping (Embedding?) -> Void) -> Void
    /// Makes the result of a thing that was found.
    private let makeResult: (SearchReader.Found) -> SearchResult
    /// Whether items that a rescue could not read may still come from another device.
    private let awaitsItems: () -> Bool
    private let timer: OwnedTimer
    /// The open searches, the one that was asked about longest ago first.
    private var open: [Open] = []
    /// The number that the thread knows the last search by.
    private var lastNumber: UInt64 = 0

    /// A search of a connection.
    private final class Open {
        let session: ObjectIdentifier
        /// Its number on the connection, and the one that the thread knows it by.
        let number, inner: UInt64
        let filter: SearchFilter
        let condition: SearchQuery?
        let wish = SearchWish()
        var asked: MonotonicTime
        /// The questions to be asked once the search has begun; nil after that.
        private var later: [() -> Void]? = []
        /// The number of pages that are being made.
        var waiting = 0

        init(
            _ session: ObjectIdentifier, _ number: UInt64, _ inner: UInt64, _ filter: SearchFilter,
            _ condition: SearchQuery?, at now: MonotonicTime
        ) {
            (self.session, self.number, self.inner, self.filter) = (session, number, inner, filter)
            (self.condition, asked) = (condition, now)
        }

        /// Asks for a page, which comes after the first one.
        func ask(_ question: @escaping () -> Void) {
            if later == nil { question() } else { later?.append(question) }
        }

        /// Asks for the first page, and then for those that were asked for meanwhile.
        func begin(_ question: () -> Void) {
            question()
            let waiting = later.take() ?? []
            for question in waiting { question() }
        }
    }

    init(
        _ search: SearchThread, on loop: EventLoop, limits: Limits,
        scope: @escaping (SearchFilter) -> SearchScope,
        meaning: @escaping (String, @escaping (Embedding?) -> Void) -> Void,
        result: @escaping (SearchReader.Found) -> SearchResult, awaitsItems: @escaping () -> Bool
    ) {
        self.awaitsItems = awaitsItems
        (self.search, self.loop, self.limits) = (search, loop, limits)
        (presentScope, findMeaning, makeResult) = (scope, meaning, result)
        timer = OwnedTimer(on: loop)
    }

    // MARK: Requests

    func begin(
        _ call: BeginSearch, by session: ObjectIdentifier, _ answer: @escaping Answer<SearchPage>
    ) throws(LocalFailure) {
        let (query, attributes) = (try call.parsed(), try call.attributeFields())
        end(call.search, by: session)
        lastNumber += 1
        let filter = call.words?.filter ?? call.query?.filter ?? SearchFilter()
        let begun = Open(
            session, call.search, lastNumber, filter, call.words == nil ? nil : query, at: loop.now)
        open.append(begun)
        makeRoom(for: session)
        let wanted = PagedSearch(
            words: call.words?.text, query: query, order: call.order, attributes: attributes,
            most: call.words?.most ?? call.query?.most ?? 0, pageMost: call.pageMost)
        begun.waiting += 1
        let ask = { [self] (meaning: Embedding?) in
            begun.begin {
                guard !begun.wish.hasEnded else { return finish(begun, .success(nil), answer) }
                var scope = scope(of: begun)
                scope.meaning = meaning
                search.begin(begun.inner, wanted, in: scope, for: begun.wish) { [self] in
                    finish(begun, $0, answer)
                }
            }
        }
        // A query says exactly what it means.
        if let words = call.words { findMeaning(words.text, ask) } else { ask(nil) }
    }

    func next(
        _ call: NextPage, by session: ObjectIdentifier, _ answer: @escaping Answer<SearchPage>
    ) throws(LocalFailure) {
        guard let place = place(of: call.search, of: session) else { throw gone(call.search) }
        let known = open.remove(at: place)
        open.append(known)
        known.asked = loop.now
        known.waiting += 1
        known.ask { [self] in
            guard !known.wish.hasEnded else { return finish(known, .success(nil), answer) }
            search.nextPage(of: known.inner, in: scope(of: known), for: known.wish) { [self] in
                finish(known, $0, answer)
            }
        }
    }

    /// Ends a search of a connection, if there is one with that number.
    func end(_ number: UInt64, by session: ObjectIdentifier) {
        if let place = place(of: number, of: session) { end(open[place]) }
    }

    /// Ends the searches of a connection.
    func forget(_ session: ObjectIdentifier) {
        for search in open where search.session == session { end(search) }
    }

    /// Ends all searches, and cancels the timer, whose callback the loop holds.
    func close() {
        for search in open { search.wish.end() }
        open = []
        timer.cancel()
    }

    // MARK: Searches

    private func place(of number: UInt64, of session: ObjectIdentifier) -> Int? {
        open.firstIndex { $0.session == session && $0.number == number }
    }

    private func scope(of search: Open) -> SearchScope {
        var scope = presentScope(search.filter)
        scope.condition = search.condition
        return scope
    }

    private func gone(_ number: UInt64) -> LocalFailure {
        LocalFailure(
            .notFound,
            "No search with the number \(number) is open: it has ended, or its next page was not asked for in time. Begin it again."
        )
    }

    private func finish(
        _ search: Open, _ result: Result<FoundPage?, StoreFailure>, _ answer: Answer<SearchPage>
    ) {
        search.waiting -= 1
        guard !search.wish.hasEnded else {
            return answer(.failure(LocalFailure(.failed, "The search was ended.")))
        }
        switch result {
        case .success(let page?):
            if page.isLast { open.removeAll { $0 === search } }
            let told = SearchPage(
                page.things.map(makeResult), isLast: page.isLast,
                isWhole: page.coverage == .whole && !awaitsItems(), corrected: page.corrected)
            answer(.success(told))
        case .success(nil):
            open.removeAll { $0 === search }
            answer(.failure(gone(search.number)))
        case .failure(let failure):
            end(search)
            answer(.failure(LocalFailure(.storage, "Could not search: \(failure).")))
        }
        endUnused()
    }

    private func end(_ search: Open) {
        search.wish.end()
        open.removeAll { $0 === search }
        self.search.end(search.inner)
    }

    /// Ends the search that was asked about longest ago, if a connection or all of them have too many.
    private func makeRoom(for session: ObjectIdentifier) {
        let own = open.filter { $0.session == session }
        if own.count > Limits.openSearches { end(own[0]) }
        if open.count > Limits.openSearchesOfAll { end(open[0]) }
    }

    /// Ends the searches that nobody has gone on with for too long, and sets the timer for the next one.
    private func endUnused() {
        let idle = open.filter { $0.waiting == 0 }
        for search in idle where search.asked + limits.openSearchTime <= loop.now { end(search) }
        let next = open.filter { $0.waiting == 0 }.map { $0.asked + limits.openSearchTime }.min()
        timer.follow(next) { [unowned self] in endUnused() }
    }
}
