import BatonCore
import BatonNetwork
import BatonStore

/// Erases removed content from the files of a store, within a limited time after the content was removed.
///
/// There is one round in each interval. In a round, each lane erases everything that was removed before the round. It
/// does so in small steps, and other jobs are performed between the steps. Therefore, the full-text table is rewritten
/// at most once per interval, however much is removed. If nothing was removed, it is not rewritten.
///
/// The first round begins soon after the store was opened, because an earlier process may have left something to erase.
/// If something in a round fails, the round is repeated soon, and then with backoff. Once a day, a round also removes
/// databases that were moved long ago.
final class StoreErasing {
    private let store: StoreThreads
    /// The folder of the store.
    private let folder: String
    private let loop: EventLoop
    private let limits: Limits
    private let log: Log
    /// Forgets the uses of activities that no longer exist.
    private let forgetGone: () -> Void
    /// Deletes records of the index.
    ///
    /// The closure is called once the records are deleted, or with the failure.
    private let delete: ([RecordKey], _ then: @escaping (StoreFailure?) -> Void) -> Void
    private let timer: OwnedTimer
    /// The lanes that are still erasing in the present round.
    private var running: Set<Lane> = []
    /// The time from which a round also erases words of replaced texts; nil if the next round does so.
    private var due: MonotonicTime?
    /// The time of the next check for obsolete moved databases.
    ///
    /// Opening the store checks for them, too.
    private var nextLook: MonotonicTime
    private var isClosed = false
    /// Whether something in the present round has failed.
    private var isFailed = false
    /// The pauses before a round is repeated because something failed.
    private var retryPause: Backoff

    init(
        _ store: StoreThreads, in folder: String, on loop: EventLoop, limits: Limits, log: Log,
        forgetGone: @escaping () -> Void,
        delete: @escaping ([RecordKey], _ then: @escaping (StoreFailure?) -> Void) -> Void
    ) {
        self.store = store
        self.folder = folder
        self.loop = loop
        self.limits = limits
        self.log = log
        (self.forgetGone, self.delete) = (forgetGone, delete)
        nextLook = loop.now + limits.movedDatabasesPause
        timer = OwnedTimer(on: loop)
        let period = limits.erasingTime / 2
        retryPause = Backoff(min(limits.retryPause.lowerBound, period)...period)
    }

    /// The time from one round to the next.
    ///
    /// It is half of the time limit: content that is removed just after the beginning of a round is erased only by the
    /// next round.
    private var period: Duration { limits.erasingTime / 2 }

    func start() { timer.set(after: min(limits.erasingPause, period)) { [unowned self] in begin() } }

    func close() {
        isClosed = true
        timer.cancel()
    }

    /// Begins a round.
    private func begin() {
        timer.set(after: period) { [unowned self] in begin() }
        isFailed = false
        var words = RemovedWords.removed
        if due.map({ $0 <= loop.now }) ?? true {
            words = .replaced
            due = loop.now + limits.replacedErasingTime
        }
        removeMovedDatabases()
        forgetVainSearches()
        forgetGone()
        deleteUses(after: nil) { [self] in
            for lane in Lane.allCases where !running.contains(lane) {
                running.insert(lane)
                step(lane, words)
            }
        }
    }

    /// Repeats the round soon, because a part of it has failed.
    ///
    /// If several parts of one round fail, the round is repeated once.
    private func beginAgain(because text: String) {
        log.warn(text)
        due = nil
        guard !isFailed else { return }
        isFailed = true
        timer.set(after: retryPause.next()) { [unowned self] in begin() }
    }

    /// The largest number of engagement records that one step reads.
    private static let usesMost = 500

    /// Deletes the engagement records of items that no longer exist, and then calls the closure.
    ///
    /// These records contain the names of the items' domains.
    private func deleteUses(after hash: KeyHash?, then: @escaping () -> Void) {
        let failed = { [self] (failure: StoreFailure) in
            guard !isClosed else { return }
            beginAgain(because: "could not delete the counts of openings of removed items: \(failure)")
            then()
        }
        store.read(from: .index) { (store) throws(StoreFailure) in
            try (store as? SQLiteLane)?.usesOfGoneItems(after: hash, most: Self.usesMost)
        } then: { [self] result in
            let goOn = { [self] (last: KeyHash?) in
                if let last { deleteUses(after: last, then: then) } else { then() }
            }
            switch result {
            case _ where isClosed: break
            case .failure(let failure): failed(failure)
            case .success(let gone?) where !gone.keys.isEmpty:
                delete(gone.keys) { [self] failure in
                    guard !isClosed else { return }
                    if let failure { failed(failure) } else { goOn(gone.last) }
                }
            case .success(let gone): goOn(gone?.last)
            }
        }
    }

    /// Removes databases that were moved long ago.
    ///
    /// This runs on the thread that also moves databases.
    private func removeMovedDatabases() {
        guard nextLook <= loop.now else { return }
        nextLook = loop.now + limits.movedDatabasesPause
        store.submit(to: .index) { [folder] (_) throws(StoreFailure) in
            RemovedDatabases(from: StoreFolder(path: folder))
        } then: { [self] result in
            switch result {
            case .success(let removed): removed.tell(log)
            case .failure(let failure):
                if !isClosed { beginAgain(because: "could not look for moved databases: \(failure)") }
            }
        }
    }

    /// Forgets searches that led only to an activity.
    ///
    /// The activity may no longer exist, although no item was removed.
    private func forgetVainSearches() {
        store.submit(to: .index) { (store) throws(StoreFailure) in
            try (store as? SQLiteLane)?.forgetVainSearches(at: .now)
        } then: { [self] result in
            if case .failure(let failure) = result, !isClosed {
                beginAgain(because: "could not forget searches that find nothing any more: \(failure)")
            }
        }
    }

    private func step(_ lane: Lane, _ words: RemovedWords) {
        store.submit(to: lane) { (store) throws(StoreFailure) in
            try (store as? SQLiteLane)?.erase(words, at: .now) ?? .done
        } then: { [self] result in
            switch result {
            case _ where isClosed: break
            case .success(.more): return step(lane, words)
            case .success(.held):
                // A reader keeps the lane from erasing. Another round continues when that reader may have finished.
                if !isFailed {
                    timer.set(after: min(limits.erasingPause, period)) { [unowned self] in begin() }
                }
            case .success(.done): break
            case .failure(let failure): beginAgain(because: "could not erase what was removed: \(failure)")
            }
            running.remove(lane)
            if running.isEmpty, !isFailed { retryPause.reset() }
        }
    }
}
