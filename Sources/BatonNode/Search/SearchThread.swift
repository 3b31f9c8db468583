import BatonCore
import BatonNetwork
import BatonStore

/// Searches on a thread of its own, so that neither the event loop nor a writer ever waits for a search.
///
/// The first search starts the thread. The object belongs to the loop's thread, and is made after the store was opened.
final class SearchThread {
    private let folder: String
    private let store: StoreThreads
    private let loop: EventLoop
    private let log: Log
    /// The search thread, and the switch that stops its searches; nil before the first search.
    private var running: (worker: WorkerThread<SearchJob>, stop: SearchStop)?
    /// The mailboxes through which search threads have answered.
    private var mailboxes: [Mailbox<[SearchJob]>] = []
    /// Releases memory some time after the last search.
    private var rest: StoreRest?
    private var isFilling = false
    /// Whether the store is closed, so that searches fail.
    private var isClosed = false
    /// The searches that wait for the rescue of a lane; nil if no rescue is under way.
    private var held: [SearchJob]?
    /// Whether the tables of words were emptied since the store was opened, because they were damaged.
    private var hasRebuilt = false

    /// Prepares searches in the store of a folder.
    init(folder: String, store: StoreThreads, on loop: EventLoop, restPause: Duration, log: Log) {
        self.folder = folder
        self.store = store
        self.loop = loop
        self.log = log
        rest = StoreRest(on: loop, after: restPause) { [unowned self] in releaseMemory() }
    }

    /// Finds the best items and activities that have all words of a text; the closure is called on the loop.
    func find(
        _ text: String, most: Int, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchFinding, StoreFailure>) -> Void
    ) {
        let (most, now) = (min(most, Limits.foundItems), WallTime.now)
        ask(for: wish, then: then, coverage: \.coverage) { (reader) throws(StoreFailure) in
            try reader.find(text, most: most, at: now, in: scope)
        }
    }

    /// Finds the items that meet a query; the closure is called on the loop.
    func find(
        _ query: SearchQuery, most: Int, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchFinding, StoreFailure>) -> Void
    ) {
        let (most, now) = (min(most, Limits.foundItems), WallTime.now)
        ask(for: wish, then: then, coverage: \.coverage) { (reader) throws(StoreFailure) in
            try reader.find(
                query, most: most, at: now, in: scope, demandWanted: wish.demandWanted)
        }
    }

    /// Begins a search under a number, and finds the first page of its results; the closure is called on the loop.
    func begin(
        _ number: UInt64, _ search: PagedSearch, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<FoundPage?, StoreFailure>) -> Void
    ) {
        let now = WallTime.now
        ask(for: wish, then: then, coverage: { $0?.coverage ?? .whole }) { (reader) throws(StoreFailure) in
            try reader.begin(number, search, at: now, in: scope, demandWanted: wish.demandWanted)
        }
    }

    /// Finds the next page of the search with a number, nil if there is none; the closure is called on the loop.
    func nextPage(
        of number: UInt64, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<FoundPage?, StoreFailure>) -> Void
    ) {
        let now = WallTime.now
        ask(for: wish, then: then, coverage: { $0?.coverage ?? .whole }) { (reader) throws(StoreFailure) in
            try reader.nextPage(number, at: now, in: scope, demandWanted: wish.demandWanted)
        }
    }

    /// Releases what the thread keeps for the search with a number.
    func end(_ number: UInt64) {
        guard running != nil else { return }
        ask(for: SearchWish()) { [log] (result: Result<Bool, StoreFailure>) in
            // Logging this is enough, because the next reader holds nothing of this reader's searches.
            if case .failure(let failure) = result { log.warn("could not end a search: \(failure)") }
        } _: { (reader) throws(StoreFailure) in
            reader.end(number)
            return true
        }
    }

    /// Finds texts of items and activities without a vector; the closure is called on the loop.
    func unknownMeanings(
        most: Int, bytes: Int, kept: KeptActivities,
        then: @escaping (Result<UnknownMeanings, StoreFailure>) -> Void
    ) {
        ask(for: SearchWish(), then: then) { (reader) throws(StoreFailure) in
            try reader.unknownMeanings(most: most, bytes: bytes, kept: kept)
        }
    }

    /// Makes the thread look through all items and activities once more, because vectors were dropped.
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

    /// Finds suggestions for what a person has typed; the closure is called on the loop.
    func suggest(
        _ text: String, most: Int, in scope: SearchScope, except apps: Set<String>, for wish: SearchWish,
        then: @escaping (Result<[SearchSuggestion], StoreFailure>) -> Void
    ) {
        let now = WallTime.now
        ask(for: wish, then: then) { (reader) throws(StoreFailure) in
            try reader.suggest(text, most: most, at: now, in: scope, except: apps)
        }
    }

    /// Explains why a search shows items, or why it does not; the closure is called on the loop.
    func explain(
        _ call: ExplainItem, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<[SearchExplanation], StoreFailure>) -> Void
    ) {
        let now = WallTime.now
        ask(for: wish, then: then) { (reader) throws(StoreFailure) in
            try reader.explain(call, at: now, in: scope)
        }
    }

    /// Explains why a search shows an activity that ended, or why it does not; the closure is called on the loop.
    func explain(
        _ call: ExplainActivity, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchExplanation?, StoreFailure>) -> Void
    ) {
        let now = WallTime.now
        ask(for: wish, then: then) { (reader) throws(StoreFailure) in
            try reader.explain(call, at: now, in: scope)
        }
    }

    /// Reads what an app has indexed; the closure is called on the loop.
    func examine(
        _ app: String, for wish: SearchWish, then: @escaping (Result<AppItems, StoreFailure>) -> Void
    ) {
        let now = WallTime.now
        ask(for: wish, then: then) { (reader) throws(StoreFailure) in try reader.examine(app, at: now) }
    }

    /// Returns the memory of what was read from the databases to the system.
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

    /// Submits a question to the thread; an answer that covers only a part of the items makes the loop complete the
    /// full-text table.
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

    /// Passes a search to the thread, which the first search starts.
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

    /// Completes the full-text table, in steps between which other jobs write.
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

    /// Makes the next search reopen the index, because another database has replaced it.
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

    /// Stops the present search, if there is one, and returns when the thread has ended.
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
                        // If opening the index fails, the next search tries it once more.
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

    /// Repeats a search that failed because another database has replaced the one that it read; returns false if the
    /// search did not fail or has been tried too often.
    private func makeAgain(_ job: SearchJob) -> Bool {
        guard !isClosed, job.isFailed, job.attempts < Self.attemptsMost else { return false }
        submit(job)
        return true
    }

    /// The most attempts of a search whose database is replaced or found damaged each time: the first one, one after
    /// the tables of words were rebuilt, and one after the rescue of each lane.
    private static let attemptsMost = 4

    /// Reports a search that has ended; one that found damage is repeated after the repair.
    private func handleEnd(of job: SearchJob) {
        switch job.result {
        case .success(.refilling): fill()
        case .failure(let failure) where failure.code == .damaged && !isClosed:
            return repair(failure, foundBy: job)
        case .success, .failure, nil: break
        }
        job.tell()
    }

    /// Repairs what a search has found damaged.
    ///
    /// Tables of words are rebuilt from the records. If that does not help, or anything else is damaged, the lane is
    /// rescued as a whole, because its disk may have changed other parts, too.
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

    /// Starts the rescue of a lane; this search, and those that are submitted until the end of the rescue, wait.
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

    /// Repeats a search, unless it has been tried too often.
    private func again(_ job: SearchJob) {
        if job.attempts < Self.attemptsMost { submit(job) } else { job.tell() }
    }
}

extension SearchWish {
    /// Throws if nobody still waits for the search.
    fileprivate func demandWanted() throws(StoreFailure) {
        if hasEnded { throw StoreFailure(.failed, "the request was cancelled") }
    }
}

/// The answer to a question, on its way from the thread to the loop.
///
/// Sendable although it is mutable: the thread writes the value before it notifies the loop, which reads it only then.
private final class SearchAnswer<Value: Sendable>: @unchecked Sendable {
    var value: Value?

    /// The answer of a question that did not fail.
    var taken: Value {
        guard let value else { preconditionFailure("a question that does not fail is answered") }
        return value
    }
}

/// One search, on its way to the thread and back.
///
/// Sendable although it is mutable: the queues hand it from the loop to the thread and back, and only one of them has
/// it at a time.
private final class SearchJob: @unchecked Sendable {
    private let wish: SearchWish
    private let search: (SearchReader) throws(StoreFailure) -> SearchCoverage
    /// Called and released on the loop's thread.
    private var then: ((Result<SearchCoverage, StoreFailure>) -> Void)?
    private(set) var result: Result<SearchCoverage, StoreFailure>?
    /// The number of attempts.
    private(set) var attempts = 0
    /// The number of the opening of the store whose files the job reads.
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
