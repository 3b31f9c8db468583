import BatonCore
import CSQLite
import Synchronization

/// Tells whether somebody still waits for a search.
package final class SearchWish: Sendable {
    private let isOver = Atomic(false)

    package init() {}

    /// Ends the wish: a search that has not begun never runs, and a running one ends soon.
    package func end() { isOver.store(true, ordering: .relaxed) }

    /// Whether the wish has ended, because the search is no longer waited for.
    package var hasEnded: Bool { isOver.load(ordering: .relaxed) }
}

/// Ends a search that takes too long or is no longer wanted.
package final class SearchStop: Sendable {
    private let isStopped = Atomic(false)
    /// How many more times SQLite's progress handler may be called during this search before the search ends.
    private let rest = Atomic(0)
    /// The wish for the present work, if that work may be ended in the middle.
    private let wish = Mutex<SearchWish?>(nil)

    /// The most calls of SQLite's progress handler during one search.
    private let questionsMost: Int

    /// Makes a stop; by default a search may take a few seconds of a slow machine, so that other searches need not wait
    /// longer.
    package init(questionsMost: Int = 5_000) { self.questionsMost = questionsMost }

    /// Whether all searches were ended.
    package var hasStopped: Bool { isStopped.load(ordering: .relaxed) }

    /// Ends the current search and all later ones.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// The number of steps that SQLite's virtual machine makes between two calls of the progress handler.
    fileprivate static let stepsAtOnce: Int32 = 10_000

    /// Begins a search, with the full number of calls of the progress handler.
    func beginSearch() { rest.store(questionsMost, ordering: .relaxed) }

    /// Runs work of a search that may end in the middle once nobody waits for it.
    func during<Value>(
        _ wish: SearchWish?, _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        self.wish.withLock { $0 = wish }
        defer { self.wish.withLock { $0 = nil } }
        return try body()
    }

    /// Whether this search was ended because it took too long.
    var hasEndedSearch: Bool { rest.load(ordering: .relaxed) < 0 }

    /// Counts work outside SQLite as calls of SQLite's progress handler; returns whether to go on.
    func allows(_ questions: Int) -> Bool {
        !isStopped.load(ordering: .relaxed)
            && rest.subtract(questions, ordering: .relaxed).newValue >= 0
    }

    /// Whether the search is to end now.
    fileprivate func demandsEnd() -> Bool {
        !allows(1) || wish.withLock { $0?.hasEnded ?? false }
    }
}

extension Connection {
    /// Makes statements fail with `SQLITE_INTERRUPT` when the stop demands it; the stop outlives the connection.
    @unsafe func limit(by stop: SearchStop) {
        unsafe sqlite3_progress_handler(
            handle, SearchStop.stepsAtOnce, askToGoOn, Unmanaged.passUnretained(stop).toOpaque())
    }
}

/// Returns nonzero to end the statement; SQLite calls it at intervals.
private func askToGoOn(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context = unsafe context else { return 0 }
    return unsafe Unmanaged<SearchStop>.fromOpaque(context).takeUnretainedValue().demandsEnd() ? 1 : 0
}
