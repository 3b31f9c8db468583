import BatonCore
import BatonNetwork
import BatonStore

/// The searches of all connections whose results are sent in pages.
///
/// The sources of the searches hold the results. This object knows the searches of each connection, and ends searches
/// that are no longer used. The search thread loses its results when another database replaces the one that it read. In
/// this case, the search is repeated, and continues with the results that were not sent yet. The object belongs to the
/// loop's thread.
final class PagedSearches {
    private let search: JoinedSearches
    private let loop: EventLoop
    private let limits: Limits
    private let view: SearchView
    private let meaning: Meaning
    private let timer: OwnedTimer
    /// The open searches.
    ///
    /// The least recently used search comes first.
    private var open: [Open] = []
    /// The number of the newest search, by which the sources know it.
    private var lastNumber: UInt64 = 0

    /// An open search of a connection.
    private final class Open {
        let session: ObjectIdentifier
        let call: BeginSearch
        /// The number by which the sources know this search.
        let inner: UInt64
        let wanted: PagedSearch
        let wish = SearchWish()
        var asked: MonotonicTime
        /// The requests for later pages, which wait until the first page was sent; nil once it was sent.
        private var later: [() -> Void]? = []
        /// The pages that are being read, oldest first.
        var pages: [Page] = []
        /// The results that were sent, as hashes that are valid only in this process.
        var told: [Int]
        /// The results to skip, because they were sent before the search was repeated.
        var passed: Set<Int> = []
        /// Whether any page of the search was sent.
        var isTold = false

        init(
            _ session: ObjectIdentifier, _ call: BeginSearch, _ inner: UInt64, _ wanted: PagedSearch,
            told: [Int], at now: MonotonicTime
        ) {
            self.session = session
            self.call = call
            self.inner = inner
            self.wanted = wanted
            (self.told, asked) = (told, now)
        }

        /// The number by which the client knows the search.
        var number: UInt64 { call.search }

        var filter: SearchFilter { call.words?.filter ?? call.query?.filter ?? SearchFilter() }

        /// The query that the results must also match, if the search has words; nil otherwise.
        var condition: SearchQuery? { call.words == nil ? nil : wanted.query }

        /// Calls a closure that asks for a later page.
        ///
        /// If the first page was not sent yet, the closure is called after that.
        func ask(_ question: @escaping () -> Void) {
            if later == nil { question() } else { later?.append(question) }
        }

        /// Whether the first page is being read.
        ///
        /// Later pages wait for it.
        var isBeginning: Bool { later != nil }

        /// Makes later pages wait for a new first page, and skips the results that were sent before.
        func beginAnew() { (later, passed) = ([], Set(told)) }

        /// Returns the results that were not sent before, and records them as sent.
        func takeNew(_ things: [ShownThing]) -> [ShownThing] {
            var taken: [ShownThing] = []
            for thing in things {
                let hash = thing.thing.processHash
                if passed.contains(hash) { continue }
                told.append(hash)
                taken.append(thing)
            }
            return taken
        }

        /// Ends the wait for the first page, and returns the requests that waited.
        func takeWaiting() -> [() -> Void] { later.take() ?? [] }
    }

    /// A page that is being read.
    private final class Page {
        /// Answers the client's request for the page.
        ///
        /// The closure is nil once the request was answered, or if another state of the account answers it.
        var answer: Answer<SearchPage>?

        init(_ answer: @escaping Answer<SearchPage>) { self.answer = answer }
    }

    /// A search whose first page was sent, and that is to be continued in another state of the account.
    struct Carried {
        let call: BeginSearch
        /// The results that were sent, as hashes that are valid only in this process.
        let told: [Int]
    }

    /// A request for a page that is not answered yet.
    enum Wait {
        case first(BeginSearch, Answer<SearchPage>)
        case next(NextPage, Answer<SearchPage>)
    }

    init(
        _ search: JoinedSearches, _ view: SearchView, _ meaning: Meaning, on loop: EventLoop, limits: Limits
    ) {
        self.search = search
        self.view = view
        self.meaning = meaning
        self.loop = loop
        self.limits = limits
        timer = OwnedTimer(on: loop)
    }

    // MARK: Requests

    func begin(
        _ call: BeginSearch, by session: ObjectIdentifier, _ answer: @escaping Answer<SearchPage>
    ) throws(LocalFailure) {
        let begun = try add(call, told: [], by: session)
        makeRoom(for: session)
        begin(begun, for: page(of: begun, answer))
    }

    func next(
        _ call: NextPage, by session: ObjectIdentifier, _ answer: @escaping Answer<SearchPage>
    ) throws(LocalFailure) {
        guard let place = place(of: call.search, of: session) else { throw gone(call.search) }
        let known = open.remove(at: place)
        open.append(known)
        known.asked = loop.now
        let page = page(of: known, answer)
        known.ask { [self] in askNext(known, for: page) }
    }

    /// Continues searches of a connection that began in an earlier state of the account.
    func carry(_ carried: [Carried], of session: ObjectIdentifier) {
        for search in carried {
            do throws(LocalFailure) {
                let known = try add(search.call, told: search.told, by: session)
                // The sources begin the search only when the next page is requested.
                known.isTold = true
                _ = known.takeWaiting()
            } catch {
                preconditionFailure("the call was carried out before: \(error)")
            }
        }
        endUnused()
    }

    /// Removes and returns the searches of a connection, which are to be continued in another state of the account.
    ///
    /// The connection's waiting requests are returned, too.
    func takeBack(_ session: ObjectIdentifier) -> (carried: [Carried], waiting: [Wait]) {
        var (carried, waiting): ([Carried], [Wait]) = ([], [])
        for search in open where search.session == session {
            var pages = search.pages[...]
            if search.isTold {
                carried.append(Carried(call: search.call, told: search.told))
            } else if let first = pages.popFirst()?.answer.take() {
                waiting.append(.first(search.call, first))
            }
            for page in pages {
                if let answer = page.answer.take() { waiting.append(.next(NextPage(search.number), answer)) }
            }
        }
        forget(session)
        return (carried, waiting)
    }

    /// Ends the connection's search with this number, if there is one.
    func end(_ number: UInt64, by session: ObjectIdentifier) {
        if let place = place(of: number, of: session) { end(open[place]) }
    }

    /// Ends the searches of a connection.
    func forget(_ session: ObjectIdentifier) {
        for search in open where search.session == session { end(search) }
    }

    /// Ends all searches, and cancels the timer.
    ///
    /// The loop holds the timer's callback until then.
    func close() {
        for search in open { search.wish.end() }
        open = []
        timer.cancel()
    }

    // MARK: Searches

    /// Adds a search.
    ///
    /// If the connection has a search with the same number, that search ends.
    private func add(
        _ call: BeginSearch, told: [Int], by session: ObjectIdentifier
    ) throws(LocalFailure) -> Open {
        let wanted = PagedSearch(
            words: call.words?.text, query: try call.parsed(), order: call.order,
            attributes: try call.fetchedAttributes(), most: call.words?.most ?? call.query?.most ?? 0,
            pageMost: call.pageMost)
        end(call.search, by: session)
        lastNumber += 1
        let added = Open(session, call, lastNumber, wanted, told: told, at: loop.now)
        open.append(added)
        return added
    }

    private func page(of search: Open, _ answer: @escaping Answer<SearchPage>) -> Page {
        let page = Page(answer)
        search.pages.append(page)
        return page
    }

    /// Asks the sources for the first page.
    private func begin(_ begun: Open, for page: Page) {
        let ask = { [self] (meaning: Embedding?) in
            guard !begun.wish.hasEnded else { return finish(begun, page, .success(nil)) }
            var scope = scope(of: begun)
            scope.meaning = meaning
            search.begin(begun.inner, begun.wanted, in: scope, for: begun.wish) { [self] in
                finish(begun, page, $0)
            }
        }
        // A search without words needs no vector.
        if let words = begun.call.words { meaning.find(words.text, then: ask) } else { ask(nil) }
    }

    /// Asks the sources for the next page.
    ///
    /// If a source has lost the search, the search is repeated.
    private func askNext(_ known: Open, for page: Page) {
        guard !known.wish.hasEnded else { return finish(known, page, .success(nil)) }
        search.nextPage(of: known.inner, in: scope(of: known), for: known.wish) { [self] result in
            guard case .success(nil) = result, open.contains(where: { $0 === known }) else {
                return finish(known, page, result)
            }
            if known.isBeginning { return known.ask { [self] in askNext(known, for: page) } }
            known.beginAnew()
            begin(known, for: page)
        }
    }

    private func place(of number: UInt64, of session: ObjectIdentifier) -> Int? {
        open.firstIndex { $0.session == session && $0.number == number }
    }

    private func scope(of search: Open) -> SearchScope {
        var scope = view.scope(search.filter)
        scope.condition = search.condition
        return scope
    }

    private func gone(_ number: UInt64) -> LocalFailure {
        LocalFailure(
            .notFound,
            "No search with the number \(number) is open: it has ended, or its next page was not asked for in time. Begin it again."
        )
    }

    private func finish(_ search: Open, _ page: Page, _ result: Result<FoundPage?, StoreFailure>) {
        var result = result
        if case .success(var found?) = result {
            let count = found.things.count
            found.things = search.takeNew(found.things)
            if count > 0, found.things.isEmpty, !found.isLast { return askNext(search, for: page) }
            result = .success(found)
        }
        search.pages.removeAll { $0 === page }
        if let answer = page.answer.take() { tell(search, result, answer) }
        for question in search.takeWaiting() { question() }
        endUnused()
    }

    private func tell(
        _ search: Open, _ result: Result<FoundPage?, StoreFailure>, _ answer: Answer<SearchPage>
    ) {
        guard !search.wish.hasEnded else {
            return answer(.failure(LocalFailure(.failed, "The search was ended.")))
        }
        switch result {
        case .success(let page?):
            search.isTold = true
            if page.isLast { open.removeAll { $0 === search } }
            let isLocked = view.isLocked(search.filter)
            var told = SearchPage(
                page.things.map(view.shown), isLast: page.isLast,
                isWhole: page.coverage == .whole && !view.awaitsItems() && !isLocked,
                corrected: page.corrected)
            told.isLocked = isLocked
            answer(.success(told))
        case .success(nil):
            open.removeAll { $0 === search }
            answer(.failure(gone(search.number)))
        case .failure(let failure):
            end(search)
            answer(.failure(LocalFailure(.storage, "Could not search: \(failure).")))
        }
    }

    private func end(_ search: Open) {
        search.wish.end()
        open.removeAll { $0 === search }
        self.search.end(search.inner)
    }

    /// Ends the least recently used search, if a connection has too many searches, or if all connections together have
    /// too many.
    private func makeRoom(for session: ObjectIdentifier) {
        let own = open.filter { $0.session == session }
        if own.count > Limits.openSearches { end(own[0]) }
        if open.count > Limits.openSearchesOfAll { end(open[0]) }
    }

    /// Ends searches that were not used for too long, and sets the timer for the next one.
    private func endUnused() {
        let idle = open.filter { $0.pages.isEmpty }
        for search in idle where search.asked + limits.openSearchTime <= loop.now { end(search) }
        let next = open.filter { $0.pages.isEmpty }.map { $0.asked + limits.openSearchTime }.min()
        timer.follow(next) { [unowned self] in endUnused() }
    }
}

extension FoundThing {
    /// A hash of the thing, which is valid only in this process.
    fileprivate var processHash: Int {
        var hasher = Hasher()
        hasher.combine(item?.name)
        hasher.combine(activity?.identifier)
        return hasher.finalize()
    }
}
