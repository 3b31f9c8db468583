import BatonCore
import BatonNetwork
import BatonStore

/// Tells watchers of searches when the results of their searches change.
///
/// The searches of all watchers are repeated one after the other, with a pause between them. Therefore, the cost does
/// not grow with the number of watchers or with the rate at which items arrive. The object belongs to the loop's
/// thread.
final class SearchWatchers {
    /// A function that searches, and passes the results to a closure.
    typealias Search = (SearchItems, SearchWish, @escaping Answer<Results>) -> Void

    /// The results of a search, and the time at which the first of them expires; nil if none expires.
    struct Results {
        let reply: SearchReply
        let expiration: WallTime?
    }

    private let search: Search
    private let loop: EventLoop
    private let pause, refreshTime: Duration
    private var watches: [Watch] = []
    /// The number of the results that were sent last.
    private var lastNumber = UInt64(clamping: WallTime.now.milliseconds) * 1000
    /// The number of changes so far that may change the results of searches.
    private var changes: UInt64 = 0
    /// The watch whose search is running; nil if none is.
    private var running: Watch?
    /// The end of the pause after the last search.
    private var nextSearch = MonotonicTime.now
    private let timer: OwnedTimer
    private var isClosed = false

    /// A search that a connection watches.
    private final class Watch {
        let session: ObjectIdentifier
        let call: SearchItems
        /// The number of the results that the watcher knows, and these results.
        var number: UInt64?
        var told = ToldResults()
        /// The watcher's request that waits for other results; nil if the watcher is not asking.
        var answer: Answer<SearchChanges>?
        /// The value of `changes` when the last search began, and the time of its beginning; nil before the first
        /// search.
        var seen: (changes: UInt64, time: MonotonicTime)?
        /// The time at which the first result of the last search expires; nil if none expires.
        var expiration: MonotonicTime?
        let wish = SearchWish()

        init(_ session: ObjectIdentifier, _ call: SearchItems) { (self.session, self.call) = (session, call) }
    }

    /// The largest number of searches that a connection can watch.
    ///
    /// If there are more, the least recently requested search is ended.
    private static let most = 8

    init(on loop: EventLoop, limits: Limits, _ search: @escaping Search) {
        (self.loop, self.search, timer) = (loop, search, OwnedTimer(on: loop))
        (pause, refreshTime) = (limits.watchedSearchPause, limits.watchedSearchRefresh)
    }

    // MARK: Requests of watchers

    /// Answers once the results of a search differ from the results with the given number.
    ///
    /// If the number is nil or unknown, the answer comes after the first search.
    func watch(
        _ call: WatchSearch, by session: ObjectIdentifier, _ answer: @escaping Answer<SearchChanges>
    ) {
        let known = watches.firstIndex { watch in
            watch.session == session && watch.number == call.after && watch.number != nil
                && watch.answer == nil && watch.call == call.search
        }
        let watch = known.map { watches.remove(at: $0) } ?? Watch(session, call.search)
        watch.answer = answer
        watches.append(watch)
        let own = watches.filter { $0.session == session }
        if own.count > Self.most {
            end(
                own[0],
                LocalFailure(.quota, "A connection can watch at most \(Self.most) searches at a time."))
        }
        proceed()
    }

    /// Ends the watches of a connection that has ended.
    func forget(_ session: ObjectIdentifier) {
        for watch in watches where watch.session == session { watch.wish.end() }
        watches.removeAll { $0.session == session }
    }

    /// Removes and returns the waiting requests of a connection, because another state of the account replaces the
    /// store.
    func takeBack(_ session: ObjectIdentifier) -> [(call: WatchSearch, answer: Answer<SearchChanges>)] {
        defer { forget(session) }
        return watches.filter { $0.session == session }.compactMap { watch in
            watch.answer.take().map { (WatchSearch(watch.call, after: watch.number), $0) }
        }
    }

    private func end(_ watch: Watch, _ failure: LocalFailure) {
        watch.wish.end()
        watches.removeAll { $0 === watch }
        watch.answer.take()?(.failure(failure))
    }

    /// Ends all searches, and cancels the timer.
    ///
    /// The loop holds the timer's callback until then.
    func close() {
        isClosed = true
        for watch in watches { watch.wish.end() }
        timer.cancel()
    }

    // MARK: Searching

    /// Called when something was indexed, deleted or hidden, or when an activity ended.
    func noteChange() {
        changes += 1
        proceed()
    }

    /// Begins the next search if it is due.
    ///
    /// Otherwise, sets the timer for it.
    private func proceed() {
        guard running == nil, !isClosed else { return }
        let now = loop.now
        let waiting = watches.filter { $0.answer != nil }
        guard let next = waiting.map({ due($0, at: now) }).min() else { return timer.cancel() }
        guard next <= now else { return timer.follow(next) { [unowned self] in proceed() } }
        if let watch = waiting.first(where: { due($0, at: now) <= now }) { begin(watch) }
    }

    /// Returns the time at which the search of a watch is to be made.
    ///
    /// Results may also change without a change of the store: they expire, and so do the items to which activities are
    /// tied.
    private func due(_ watch: Watch, at now: MonotonicTime) -> MonotonicTime {
        guard let seen = watch.seen else { return now }
        let refresh = seen.time + refreshTime
        guard seen.changes == changes else { return min(nextSearch, refresh) }
        return min(watch.expiration.map { max($0, nextSearch) } ?? refresh, refresh)
    }

    private func begin(_ watch: Watch) {
        running = watch
        // This watch moves to the end. The other watches come first when they are due.
        if let place = watches.firstIndex(where: { $0 === watch }) {
            watches.append(watches.remove(at: place))
        }
        watch.seen = (changes, loop.now)
        search(watch.call, watch.wish) { [weak self] result in
            guard let self else { return }
            running = nil
            nextSearch = loop.now + pause
            tell(watch, result)
            proceed()
        }
    }

    private func tell(_ watch: Watch, _ result: Result<Results, LocalFailure>) {
        guard !watch.wish.hasEnded else { return }
        switch result {
        case .success(let results):
            watch.expiration = results.expiration.map { loop.now + max(.zero, $0.since(.now)) }
            guard let changes = watch.told.receiveReply(results.reply, number: lastNumber + 1) else { return }
            lastNumber += 1
            watch.number = lastNumber
            watch.answer.take()?(.success(changes))
        case .failure(let failure): end(watch, failure)
        }
    }
}
