import CSQLite
import Synchronization

/// Ends a search that takes too long, or is wanted no more.
package final class SearchStop: Sendable {
    private let isStopped = Atomic(false)
    /// How often SQLite may ask during this search whether to go on.
    private let rest = Atomic(0)

    /// How often SQLite may ask during one search.
    private let questionsMost: Int

    /// As a rule a search may take some seconds of a slow machine: more would keep others waiting for nothing.
    package init(questionsMost: Int = 5_000) { self.questionsMost = questionsMost }

    /// Ends the search that goes on, and all that come.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// How many steps SQLite's machine makes between two questions.
    fileprivate static let stepsAtOnce: Int32 = 10_000

    /// A search begins.
    func beginSearch() { rest.store(questionsMost, ordering: .relaxed) }

    /// Whether this search was ended because it took too long.
    var hasEndedSearch: Bool { rest.load(ordering: .relaxed) < 0 }

    /// Whether the search is to end now.
    fileprivate func demandsEnd() -> Bool {
        isStopped.load(ordering: .relaxed) || rest.subtract(1, ordering: .relaxed).newValue < 0
    }
}

extension Connection {
    /// Has statements fail with `SQLITE_INTERRUPT` when that is demanded; whoever demands it outlives the connection.
    @unsafe func limit(by stop: SearchStop) {
        unsafe sqlite3_progress_handler(
            handle, SearchStop.stepsAtOnce, askToGoOn, Unmanaged.passUnretained(stop).toOpaque())
    }
}

/// What SQLite calls now and then; anything but zero ends the statement.
private func askToGoOn(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context = unsafe context else { return 0 }
    return unsafe Unmanaged<SearchStop>.fromOpaque(context).takeUnretainedValue().demandsEnd() ? 1 : 0
}
