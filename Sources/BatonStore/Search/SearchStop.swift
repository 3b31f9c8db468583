import BatonCore
import CSQLite
import Synchronization

/// Says whether somebody still waits for a search.
package final class SearchWish: Sendable {
    private let isOver = Atomic(false)

    package init() {}

    /// Ends the wish, because nobody waits for the search anymore.
    ///
    /// If the search has not begun, it never begins. If it is running, it ends soon.
    package func end() { isOver.store(true, ordering: .relaxed) }

    /// Whether the wish has ended, because nobody waits for the search anymore.
    package var hasEnded: Bool { isOver.load(ordering: .relaxed) }
}

/// Ends a search that takes too long or is no longer wanted.
package final class SearchStop: Sendable {
    private let isStopped = Atomic(false)
    /// The number of times that SQLite's progress handler may still be called during this search before the search
    /// ends.
    private let rest = Atomic(0)
    /// The wish for the present work; nil if that work must not be interrupted.
    private let wish = Mutex<SearchWish?>(nil)

    /// The largest number of calls of SQLite's progress handler during one search.
    private let questionsMost: Int

    /// Creates a stop.
    ///
    /// By default, a search may take a few seconds on a slow machine, so no other search waits longer.
    package init(questionsMost: Int = 5_000) { self.questionsMost = questionsMost }

    /// Whether `stop()` was called.
    package var hasStopped: Bool { isStopped.load(ordering: .relaxed) }

    /// Ends the present search and each later search.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// The number of steps that SQLite's virtual machine makes between two calls of the progress handler.
    fileprivate static let stepsAtOnce: Int32 = 10_000

    /// Begins a search, which may use the full number of calls of the progress handler.
    func beginSearch() { rest.store(questionsMost, ordering: .relaxed) }

    /// Runs work of a search, which is interrupted if nobody waits for the search anymore.
    func during<Value>(
        _ wish: SearchWish?, _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        self.wish.withLock { $0 = wish }
        defer { self.wish.withLock { $0 = nil } }
        return try body()
    }

    /// Whether this search was ended because it took too long.
    var hasEndedSearch: Bool { rest.load(ordering: .relaxed) < 0 }

    /// Counts this number of calls of SQLite's progress handler, also for work outside SQLite.
    ///
    /// Returns false if the search must end.
    func allows(_ questions: Int) -> Bool {
        !isStopped.load(ordering: .relaxed)
            && rest.subtract(questions, ordering: .relaxed).newValue >= 0
    }

    /// Whether the search must end now.
    fileprivate func demandsEnd() -> Bool {
        !allows(1) || wish.withLock { $0?.hasEnded ?? false }
    }
}

extension Connection {
    /// Makes statements fail with `SQLITE_INTERRUPT` when the stop ends the search.
    ///
    /// The stop must outlive the connection.
    @unsafe func limit(by stop: SearchStop) {
        unsafe sqlite3_progress_handler(
            handle, SearchStop.stepsAtOnce, askToGoOn, Unmanaged.passUnretained(stop).toOpaque())
    }
}

/// Returns nonzero if the present statement must end.
///
/// SQLite calls this function at intervals.
private func askToGoOn(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context = unsafe context else { return 0 }
    return unsafe Unmanaged<SearchStop>.fromOpaque(context).takeUnretainedValue().demandsEnd() ? 1 : 0
}
