import BatonCore
import BatonNetwork
import BatonStore

/// Searches on a separate thread, so that neither the event loop nor a writer ever waits for a search.
///
/// The first search starts the thread. The object belongs to the loop's thread, and is created after the store was
/// opened.
final class SearchThread {
    private let folder: String
    private let store: StoreThreads
    private let loop: EventLoop
    private let log: Log
    /// The search thread, and the object that stops its searches; nil if no search thread is running.
    private var running: (worker: WorkerThread<SearchJob>, stop: SearchStop)?
    /// The mailboxes through which search threads post their answers.
    private var mailboxes: [Mailbox<[SearchJob]>] = []
    /// Releases memory some time after the last search; nil only during the initialization.
    private var rest: StoreRest?
    private var isFilling = false
    /// Whether the store is closed.
    ///
    /// If it is, all searches fail.
    private var isClosed = false
    /// The searches that wait for the rescue of a lane; nil if no rescue is under way.
    private var held: [SearchJob]?
    /// Whether the full-text tables were already rebuilt because of damage since the store was opened.
    private var hasRebuilt = false

    /// Prepares to search the store in a folder.
    init(folder: String, store: StoreThreads, on loop: EventLoop, restPause: Duration, log: Log) {
        self.folder = folder
        self.store = store
        self.loop = loop
        self.log = log
        rest = StoreRest(on: loop, after: restPause) { [unowned self] in releaseMemory() }
    }

    /// Finds the best items and activities that have all words of a text.
    ///
    /// The closure is called on the loop.
    func find(
        _ text: String, most: Int, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchFinding, StoreFailure>) -> Void
    ) {
        let (most, now) = (min(most, Limits.foundItems), WallTime.now)
        ask(for: wish, then: then, coverage: \.coverage) { (reader) throws(StoreFailure) in
            try reader.find(text, most: most, at: now, in: scope)
        }
    }

    /// Finds the items that match a query.
    ///
    /// The closure is called on the loop.
    func find(
        _ query: SearchQuery, most: Int, sorting: QueryOrder, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchFinding, StoreFailure>) -> Void
    ) {
        let (most, now) = (min(most, Limits.foundItems), WallTime.now)
        ask(for: wish, then: then, coverage: \.coverage) { (reader) throws(StoreFailure) in
            try reader.find(
                query, most: most, sorting: sorting, at: now, in: scope, demandWanted: wish.demandWanted)
        }
    }

    /// Begins a search under a number, and finds the first page of its results.
    ///
    /// The closure is called on the loop.
    func begin(
        _ number: UInt64, _ search: PagedSearch, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<FoundPage?, StoreFailure>) -> Void
    ) {
        let now = WallTime.now
        ask(for: wish, then: then, coverage: { $0?.coverage ?? .whole }) { (reader) throws(StoreFailure) in
            try reader.begin(number, search, at: now, in: scope, demandWanted: wish.demandWanted)
        }
    }

    /// Finds the next page of the search with this number; nil if there is no such search.
    ///
    /// The closure is called on the loop.
    func nextPage(
        of number: UInt64, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<FoundPage?, StoreFailure>) -> Void
    ) {
        let now = WallTime.now
        ask(for: wish, then: then, coverage: { $0?.coverage ?? .whole }) { (reader) throws(StoreFailure) in
            try reader.nextPage(number, at: now, in: scope, demandWanted: wish.demandWanted)
        }
    }

    /// Releases the results that the thread holds for the search with this number.
    func end(_ number: UInt64) {
        guard running != nil else { return }
        ask(for: SearchWish()) { [log] (result: Result<Bool, StoreFailure>) in
            // Logging the failure is enough, because the next reader holds no results of this reader's searches.
            if case .failure(let failure) = result { log.warn("could not end a search: \(failure)") }
        } _: { (reader) throws(StoreFailure) in
            reader.end(number)
            return true
        }
    }

    /// Finds texts of items and activities that have no vector yet.
    ///
    /// The closure is called on the loop.
    func unknownMeanings(
        most: Int, bytes: Int, kept: KeptActivities,
        then: @escaping (Result<UnknownMeanings, StoreFailure>) -> Void
    ) {
        ask(for: SearchWish(), then: then) { (reader) throws(StoreFailure) in
            try reader.unknownMeanings(most: most, bytes: bytes, kept: kept)
        }
    }

    /// Makes the thread look for texts in all items and activities again, because vectors were dropped.
    func forgetMeanings() {
        ask(for: SearchWish()) { [log] (result: Result<Bool, StoreFailure>) in
            if case .failure(let failure) = result {
                log.warn("could not search for texts again: \(failure)")
            }
        } _: { (reader) throws(StoreFailure) in
            reader.forgetMeanings()
            return true
        }
    }

    /// Finds suggestions for the text that a person has typed.
    ///
    /// The closure is called on the loop.
    func suggest(
        _ text: String, most: Int, in scope: SearchScope, except apps: Set<String>, for wish: SearchWish,
        then: @escaping (Result<[SearchSuggestion], StoreFailure>) -> Void
    ) {
        let now = WallTime.now
        ask(for: wish, then: then) { (reader) throws(StoreFailure) in
            try reader.suggest(text, most: most, at: now, in: scope, except: apps)
        }
    }

    /// Explains why a search shows items or does not show them.
    ///
    /// `storedName` returns the name under which an item is stored. The closure `then` is called on the loop.
    func explain(
        _ call: ExplainItem, in scope: SearchScope, storedName: @escaping @Sendable (ItemName) -> ItemName,
        for wish: SearchWish, then: @escaping (Result<[SearchExplanation], StoreFailure>) -> Void
    ) {
        let now = WallTime.now
        ask(for: wish, then: then) { (reader) throws(StoreFailure) in
            try reader.explain(call, at: now, in: scope, storedName: storedName)
        }
    }

    /// Explains why a search shows an ended activity or does not show it.
    ///
    /// The closure is called on the loop.
    func explain(
        _ call: ExplainActivity, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchExplanation?, StoreFailure>) -> Void
    ) {
        let now = WallTime.now
        ask(for: wish, then: then) { (reader) throws(StoreFailure) in
            try reader.explain(call, at: now, in: scope)
        }
    }

    /// Reads which items an app has indexed.
    ///
    /// The closure is called on the loop.
    func examine(
        _ app: String, for wish: SearchWish, then: @escaping (Result<AppItems, StoreFailure>) -> Void
    ) {
        let now = WallTime.now
        ask(for: wish, then: then) { (reader) throws(StoreFailure) in try reader.examine(app, at: now) }
    }

    /// Returns the memory of cached database content to the system.
    private func releaseMemory() {
        guard let (worker, _) = running else { return }
        worker.submit(
            SearchJob(for: SearchWish()) { _ in
                FreedMemory.giveBack()
                IdleCode.giveBack()
            } _: { (reader) throws(StoreFailure) in
                reader.releaseMemory()
                return .whole
            })
    }

    /// Submits a question to the search thread.
    ///
    /// If the answer covers only a part of the items, the loop completes the full-text table.
    private func ask<Answer: Sendable>(
        for wish: SearchWish, then: @escaping (Result<Answer, StoreFailure>) -> Void,
        coverage: @escaping @Sendable (Answer) -> SearchCoverage = { _ in .whole },
        _ question: @escaping @Sendable (SearchReader) throws(StoreFailure) -> Answer
    ) {
        let answer = SearchAnswer<Answer>()
        submit(
            SearchJob(for: wish) { result in
                then(result.map { _ in answer.taken })
            } _: { (reader) throws(StoreFailure) in
                let value = try question(reader)
                answer.value = value
                return coverage(value)
            })
    }

    /// Passes a search to the search thread.
    ///
    /// The first search starts the thread.
    private func submit(_ job: SearchJob) {
        if isClosed { return job.fail(StoreHolder.closed) }
        if held != nil {
            held?.append(job)
            return
        }
        do {
            let running = try self.running ?? begin()
            self.running = running
            rest?.noteQuestion()
            running.worker.submit(job)
            rest?.handleGrowth()
        } catch {
            job.fail(StoreFailure(.failed, "\(error)"))
        }
    }

    /// Completes the full-text table in steps.
    ///
    /// Other jobs may write between the steps.
    func fill() {
        guard !isFilling, !isClosed else { return }
        isFilling = true
        store.submit(to: .index) { (store) throws(StoreFailure) in
            try (store as? SQLiteLane)?.fillSearch() ?? true
        } then: { [self] result in
            isFilling = false
            switch result {
            case .success(true): break
            case .success(false): fill()
            case .failure where isClosed: break
            case .failure(let failure): log.warn("could not update the full-text table: \(failure)")
            }
        }
    }

    /// Makes the next search open the index again, because another database has replaced it.
    func reopen() {
        finish()
        hasRebuilt = false
        fill()
    }

    /// Stops all searches, because the store is closed.
    func close() {
        isClosed = true
        finish()
        for job in held.take() ?? [] { job.fail(StoreHolder.closed) }
    }

    /// Removes the mailboxes from the loop, once nobody waits for an answer.
    func dispose() {
        for mailbox in mailboxes { loop.remove(mailbox) }
        mailboxes = []
    }

    /// Stops the present search, if there is one, and returns when the search thread has ended.
    func finish() {
        rest?.cancel()
        guard let (worker, stop) = running else { return }
        stop.stop()
        worker.finish()
        running = nil
    }

    private func begin() throws(NetworkError) -> (worker: WorkerThread<SearchJob>, stop: SearchStop) {
        let stop = SearchStop()
        let answers: Mailbox<[SearchJob]> = try loop.mailbox { [weak self] jobs in
            for job in jobs {
                if let self, stop.hasStopped, makeAgain(job) { continue }
                if let self { handleEnd(of: job) } else { job.tell() }
            }
        }
        mailboxes.append(answers)
        let worker = try WorkerThread<SearchJob>(name: "baton-search") { [folder, gate = store.readers] in
            var opened: SearchReader?
            return { jobs in
                for job in jobs {
                    job.opening = opened?.opening ?? gate.opening
                    job.carryOut { () throws(StoreFailure) in
                        if let opened { return opened }
                        // If opening the index fails, the next search tries to open it again.
                        let reader = try SearchReader(folder: folder, stop: stop, gate: gate)
                        opened = reader
                        return reader
                    }
                    answers.post([job])
                }
            }
        }
        return (worker, stop)
    }

    /// Repeats a search that failed because another database has replaced the one that it read.
    ///
    /// Returns false if the search did not fail, is no longer wanted, or was attempted too often.
    private func makeAgain(_ job: SearchJob) -> Bool {
        guard !isClosed, job.isFailed, job.attempts < Self.attemptsMost else { return false }
        submit(job)
        return true
    }

    /// The largest number of attempts of a search.
    ///
    /// The database may be replaced or found damaged at each attempt. There is one first attempt, one after the
    /// full-text tables were rebuilt, and one after the rescue of each lane.
    private static let attemptsMost = 4

    /// Reports the result of a search.
    ///
    /// If the search found damage, the search is repeated after the repair.
    private func handleEnd(of job: SearchJob) {
        switch job.result {
        case .success(.refilling): fill()
        case .failure(let failure) where failure.code == .damaged && !isClosed:
            return repair(failure, foundBy: job)
        case .success, .failure, nil: break
        }
        job.tell()
    }

    /// Repairs the damage that a search has found.
    ///
    /// Full-text tables are rebuilt from the records. If that does not help, or if anything else is damaged, the whole
    /// lane is rescued, because the disk may have changed other parts, too.
    private func repair(_ failure: StoreFailure, foundBy job: SearchJob) {
        guard let damage = failure.damage else { return job.tell() }
        guard damage.isOfWords, !hasRebuilt else { return rescue(after: failure, foundBy: job) }
        hasRebuilt = true
        log.warn("the full-text table is damaged; rebuilding it: \(failure)")
        store.submit(to: .index) { (store) throws(StoreFailure) in
            try (store as? SQLiteLane)?.emptySearch()
        } then: { [self] result in
            if case .failure(let failure) = result {
                log.warn("can't rebuild the full-text table: \(failure)")
            }
            fill()
            again(job)
        }
    }

    /// Starts the rescue of a lane.
    ///
    /// This search waits for the end of the rescue. Searches that are submitted before the end wait, too.
    private func rescue(after failure: StoreFailure, foundBy job: SearchJob) {
        if held == nil {
            held = []
            log.warn("a search found damage, which is being repaired: \(failure)")
            store.rescue(after: failure, foundIn: job.opening) { [weak self] in self?.resume() }
        }
        if job.attempts < Self.attemptsMost { held?.append(job) } else { job.tell() }
    }

    /// Repeats the searches that waited for a rescue.
    private func resume() {
        for job in held.take() ?? [] { again(job) }
    }

    /// Repeats a search, unless it was attempted too often.
    private func again(_ job: SearchJob) {
        if job.attempts < Self.attemptsMost { submit(job) } else { job.tell() }
    }
}

extension SearchWish {
    /// Throws if nobody waits for the search any more.
    func demandWanted() throws(StoreFailure) {
        if hasEnded { throw StoreFailure(.failed, "the request was cancelled") }
    }
}

/// The answer to a question, which the thread writes and the loop reads.
///
/// The class is Sendable although it is mutable. The thread writes the value before it notifies the loop, and the loop
/// reads it only after that.
private final class SearchAnswer<Value: Sendable>: @unchecked Sendable {
    var value: Value?

    /// The answer to a question that did not fail.
    var taken: Value {
        guard let value else { preconditionFailure("a question that does not fail is answered") }
        return value
    }
}

/// A search, which the loop passes to the thread, and the thread passes back.
///
/// The class is Sendable although it is mutable. Queues pass a job from the loop to the thread and back, and only one
/// of them has the job at a time.
private final class SearchJob: @unchecked Sendable {
    private let wish: SearchWish
    private let search: (SearchReader) throws(StoreFailure) -> SearchCoverage
    /// Called and released on the loop's thread.
    private var then: ((Result<SearchCoverage, StoreFailure>) -> Void)?
    private(set) var result: Result<SearchCoverage, StoreFailure>?
    /// The number of attempts that were made.
    private(set) var attempts = 0
    /// The number of the store's opening whose files the job reads.
    var opening = 0

    init(
        for wish: SearchWish, then: @escaping (Result<SearchCoverage, StoreFailure>) -> Void,
        _ search: @escaping @Sendable (SearchReader) throws(StoreFailure) -> SearchCoverage
    ) {
        (self.wish, self.then, self.search) = (wish, then, search)
    }

    /// Whether the search failed and somebody still waits for it.
    var isFailed: Bool {
        if case .failure = result { !wish.hasEnded } else { false }
    }

    func carryOut(with reader: () throws(StoreFailure) -> SearchReader) {
        attempts += 1
        do throws(StoreFailure) {
            try wish.demandWanted()
            let reader = try reader()
            reader.interest = wish
            defer { reader.interest = nil }
            result = .success(try search(reader))
            try wish.demandWanted()
        } catch {
            result = .failure(error)
        }
    }

    /// Reports that the search could not begin.
    func fail(_ failure: StoreFailure) {
        result = .failure(failure)
        tell()
    }

    func tell() {
        guard let result, let then = then.take() else {
            preconditionFailure("a search is told once, when done")
        }
        then(result)
    }
}
