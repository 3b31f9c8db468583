import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// Follows the protected indexes of the account's store, opens their items, and searches them.
///
/// Its thread has the opened items (`OpenedStore`). The thread is started when the account has the first protected item.
/// The object belongs to the loop's thread.
final class OpenedItems: SearchSource {
    private let account: AccountCore
    /// Called when searches may find something else.
    private let changed: () -> Void
    private let stop = SearchStop()
    private let worker: WorkerThread<OpenedJob>
    private let answers: Mailbox<OpenedJob>
    /// Whether a part of the changes is being read or added.
    private var isFollowing = false
    /// Whether the store has stored more since the present part was read.
    private var isBehind = false
    /// The damage that a search has found in the opened items, which are then made anew; nil if there is none.
    private var damage: StoreFailure?
    /// The number of times that the opened items were made anew.
    private var renewals = 0
    private var isClosed = false
    /// The failure that was logged last, which is not logged again until a part is added.
    private var loggedFailure: String?
    /// Calls that wait until everything is opened that the store had when they were made; each is told whether it is.
    private var waiting: [(Bool) -> Void] = []
    /// The calls that were made before the present part was read.
    private var early: [(Bool) -> Void] = []
    /// Ends the waiting of the calls.
    private let patience: OwnedTimer

    /// Erases what was removed, and releases memory, some time after the last question; nil only in the initializer.
    private var rest: StoreRest?

    /// The number of bytes of changes that are read and opened at once.
    private static let partBytes = 1 << 20

    /// Starts the thread; `changed` is called when searches may find something else.
    init(of account: AccountCore, key: ContentKey, changed: @escaping () -> Void) throws(NetworkError) {
        (self.account, self.changed) = (account, changed)
        patience = OwnedTimer(on: account.loop)
        let answers: Mailbox<OpenedJob> = try account.loop.mailbox { $0.tell() }
        self.answers = answers
        worker = try WorkerThread(name: "baton-opened") {
            [folder = account.folder, credentials = account.credentials, stop] in
            let store = OpenedStore(in: folder, of: credentials, key: key, stop: stop)
            return { jobs in
                for job in jobs {
                    job.carryOut(with: store)
                    answers.post(job)
                }
            }
        }
        rest = StoreRest(on: account.loop, after: account.limits.restPause) { [unowned self] in tidyUp() }
    }

    /// Ends the thread; searches that are under way fail.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        rest?.cancel()
        patience.cancel()
        stop.stop()
        worker.finish()
        account.loop.remove(answers)
        (early, waiting) = ([], [])
    }

    // MARK: Following the store

    /// Called when the store has stored something in the index, and once at the beginning.
    func noteChange() {
        guard !isClosed else { return }
        guard !isFollowing else { return isBehind = true }
        (isFollowing, isBehind) = (true, false)
        (early, waiting) = (early + waiting, [])
        if let damage = damage.take() { return beginAnew(because: damage) }
        ask { (store) throws(StoreFailure) in
            try store.place()
        } then: { [self] result in
            switch result {
            case .success(let place): read(after: place)
            case .failure(let failure): end(after: failure)
            }
        }
    }

    private func read(after place: OpenedStore.Place) {
        account.store.read(from: .index) { (store) throws(StoreFailure) -> ProtectedChanges in
            guard let lane = store as? SQLiteLane else { return .notNow }
            return try lane.protectedChanges(
                after: place.token, covered: place.covered, collected: place.collected, bytes: Self.partBytes)
        } then: { [weak self] result in
            guard let self, !isClosed else { return }
            switch result {
            case .success(.changes(let part)): add(part, after: place)
            case .success(.notNow): end(after: nil, isWhole: !isBehind)
            case .success(.anew):
                beginAnew(because: StoreFailure(.failed, "the store has gone on without them"))
            case .failure(let failure): end(after: failure)
            }
        }
    }

    private func add(_ part: ProtectedChanges.Part, after place: OpenedStore.Place) {
        ask { (store) throws(StoreFailure) in
            try store.add(part, after: place)
        } then: { [self] result in
            switch result {
            case .success(let unopened):
                loggedFailure = nil
                rest?.noteQuestion()
                rest?.handleGrowth()
                warn(ofUnopened: unopened)
                if !part.writes.isEmpty { changed() }
                end(after: nil, isWhole: part.complete != nil)
            case .failure(let failure) where failure.code == .damaged: beginAnew(because: failure)
            case .failure(let failure): end(after: failure)
            }
        }
    }

    /// Removes all opened items, and begins with nothing.
    ///
    /// A disk may damage what is written each time. So the node gives up after a few attempts.
    private func beginAnew(because failure: StoreFailure) {
        guard renewals < StoreHolder.rescuesMost else { return end(after: failure) }
        renewals += 1
        account.log.tell("the opened items of protected indexes are made anew: \(failure)")
        ask { (store) throws(StoreFailure) in
            try store.removeAll()
        } then: { [self] result in
            if case .failure(let failure) = result {
                end(after: failure)
            } else {
                end(after: nil, isWhole: false)
            }
        }
    }

    /// Ends a step; `isWhole` says whether everything was opened that the store had when the step began.
    private func end(after failure: StoreFailure?, isWhole: Bool = true) {
        isFollowing = false
        if let failure, loggedFailure != failure.text {
            account.log.warn("could not open protected items; searches lack them: \(failure)")
            loggedFailure = failure.text
        }
        let isOver = failure != nil || isWhole && !isBehind
        let calls = isOver ? early + waiting : isWhole ? early : []
        if isOver { waiting = [] }
        if isOver || isWhole { early = [] }
        if early.isEmpty, waiting.isEmpty { patience.cancel() }
        if !isOver { noteChange() }
        for call in calls { call(failure == nil) }
    }

    private func warn(ofUnopened items: [UnopenedItem]) {
        for item in items.prefix(Self.toldMost) {
            account.log.warn(
                "an item of the protected index “\(IndexProtection.bareName(of: item.name.index))” of \(item.name.app) can't be opened, and is not found: \(item.reason) (its stored name is \(item.name.identifier))"
            )
        }
        if items.count > Self.toldMost {
            account.log.warn("\(items.count - Self.toldMost) further protected items can't be opened")
        }
    }

    /// The number of items that can't be opened which are named in the log at once.
    private static let toldMost = 3

    /// Calls the closure once everything is opened that the store has now, or when that takes too long.
    private func afterFollowing(_ call: @escaping (_ isWhole: Bool) -> Void) {
        guard isFollowing else { return call(loggedFailure == nil) }
        waiting.append(call)
        guard !patience.isSet else { return }
        patience.set(after: account.limits.openingPatience) { [unowned self] in
            let calls = early + waiting
            (early, waiting) = ([], [])
            for call in calls { call(false) }
        }
    }

    // MARK: Idle times

    /// Erases what was removed, step by step, and then releases memory; questions come between two steps.
    private func tidyUp() {
        ask { (store) throws(StoreFailure) in
            let isMore = try store.erase()
            if !isMore { store.releaseMemory() }
            return isMore
        } then: { [self] result in
            switch result {
            case .success(true): tidyUp()
            case .success(false):
                FreedMemory.giveBack()
                IdleCode.giveBack()
            case .failure(let failure):
                if !isClosed {
                    account.log.warn("could not erase removed items of protected indexes: \(failure)")
                }
            }
        }
    }

    // MARK: Searching

    func find(
        _ text: String, most: Int, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchFinding, StoreFailure>) -> Void
    ) {
        let (most, now, scope) = (min(most, Limits.foundItems), WallTime.now, scope.ofOpenedItems)
        search(for: wish, then: then, isPartial: { $0.coverage = .partial }) {
            (reader) throws(StoreFailure) in
            try reader.find(text, most: most, at: now, in: scope)
        }
    }

    func find(
        _ query: SearchQuery, most: Int, sorting: QueryOrder, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<SearchFinding, StoreFailure>) -> Void
    ) {
        let (most, now, scope) = (min(most, Limits.foundItems), WallTime.now, scope.ofOpenedItems)
        search(for: wish, then: then, isPartial: { $0.coverage = .partial }) {
            (reader) throws(StoreFailure) in
            try reader.find(
                query, most: most, sorting: sorting, at: now, in: scope, demandWanted: wish.demandWanted)
        }
    }

    func begin(
        _ number: UInt64, _ search: PagedSearch, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<FoundPage?, StoreFailure>) -> Void
    ) {
        let (now, scope) = (WallTime.now, scope.ofOpenedItems)
        self.search(for: wish, then: then, isPartial: { $0?.coverage = .partial }) {
            (reader) throws(StoreFailure) in
            try reader.begin(number, search, at: now, in: scope, demandWanted: wish.demandWanted)
        }
    }

    func nextPage(
        of number: UInt64, in scope: SearchScope, for wish: SearchWish,
        then: @escaping (Result<FoundPage?, StoreFailure>) -> Void
    ) {
        let (now, scope) = (WallTime.now, scope.ofOpenedItems)
        search(for: wish, then: then) { (reader) throws(StoreFailure) in
            try reader.nextPage(number, at: now, in: scope, demandWanted: wish.demandWanted)
        }
    }

    func end(_ number: UInt64) {
        search(for: SearchWish()) { (_: Result<Bool, StoreFailure>) in
            // A search that could not be ended holds nothing that another one needs.
        } _: { (reader) throws(StoreFailure) in
            reader.end(number)
            return true
        }
    }

    func suggest(
        _ text: String, most: Int, in scope: SearchScope, except apps: Set<String>, for wish: SearchWish,
        then: @escaping (Result<[SearchSuggestion], StoreFailure>) -> Void
    ) {
        let (now, scope) = (WallTime.now, scope.ofOpenedItems)
        search(for: wish, then: then) { (reader) throws(StoreFailure) in
            try reader.suggest(text, most: most, at: now, in: scope, except: apps)
        }
    }

    /// Explains why a search shows items of protected indexes or does not show them.
    func explain(
        _ call: ExplainItem, in scope: SearchScope, storedName: @escaping @Sendable (ItemName) -> ItemName,
        for wish: SearchWish, then: @escaping (Result<[SearchExplanation], StoreFailure>) -> Void
    ) {
        let (now, scope) = (WallTime.now, scope.ofOpenedItems)
        search(for: wish, then: then) { (reader) throws(StoreFailure) in
            try reader.explain(call, at: now, in: scope, storedName: storedName)
        }
    }

    /// Asks the thread a question, once everything is opened that the store has now.
    ///
    /// If that takes too long, `isPartial` marks the answer.
    private func search<Answer: Sendable>(
        for wish: SearchWish, then: @escaping (Result<Answer, StoreFailure>) -> Void,
        isPartial mark: @escaping (inout Answer) -> Void = { _ in },
        _ question: @escaping @Sendable (SearchReader) throws(StoreFailure) -> Answer
    ) {
        // The disk may allow now what it has refused before.
        if loggedFailure != nil { noteChange() }
        afterFollowing { [self] isWhole in
            rest?.noteQuestion()
            ask { (store) throws(StoreFailure) in
                try wish.demandWanted()
                return try store.ask(for: wish, question)
            } then: { [self] result in
                if case .failure(let failure) = result, failure.code == .damaged {
                    damage = failure
                    noteChange()
                }
                then(
                    result.map { answer in
                        var answer = answer
                        if !isWhole { mark(&answer) }
                        return answer
                    })
            }
        }
    }

    private func ask<Answer: Sendable>(
        _ question: @escaping @Sendable (OpenedStore) throws(StoreFailure) -> Answer,
        then: @escaping (Result<Answer, StoreFailure>) -> Void
    ) {
        let job = OpenedJob(question, then: then)
        if isClosed || !worker.submit(job) { then(.failure(StoreHolder.closed)) }
    }
}

extension SearchScope {
    /// The same scope without activities, which are found in the account's store.
    fileprivate var ofOpenedItems: SearchScope {
        var scope = self
        (scope.kept, scope.current, scope.meaning) = (KeptActivities(), KeptActivities(), nil)
        return scope
    }
}

/// A job of the thread, which the loop passes to the thread, and the thread passes back.
///
/// The class is Sendable although it is mutable, because only one of them has the job at a time.
private final class OpenedJob: @unchecked Sendable {
    private var work: ((OpenedStore) -> Void)?
    /// Called and released on the loop's thread.
    private var report: (() -> Void)?

    init<Answer: Sendable>(
        _ question: @escaping @Sendable (OpenedStore) throws(StoreFailure) -> Answer,
        then: @escaping (Result<Answer, StoreFailure>) -> Void
    ) {
        let answer = Answered<Answer>()
        work = { store in answer.result = Result { () throws(StoreFailure) in try question(store) } }
        report = { if let result = answer.result { then(result) } }
    }

    /// The answer, which the thread writes before the loop reads it.
    private final class Answered<Answer> {
        var result: Result<Answer, StoreFailure>?
    }

    func carryOut(with store: OpenedStore) {
        work?(store)
        work = nil
    }

    func tell() {
        report?()
        report = nil
    }
}
