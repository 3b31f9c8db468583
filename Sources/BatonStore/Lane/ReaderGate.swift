import BatonCore
import Synchronization

/// Lets searches read a database one at a time, and holds them back while the writer truncates SQLite's log.
///
/// SQLite can truncate its log only while nobody reads from it. If searches followed one another without a pause, there
/// would be no such moment, and the log would grow with every write.
package final class ReaderGate: Sendable {
    /// A lock that the writer holds while it waits for `room`, so that no further search begins.
    ///
    /// A search locks and unlocks it at once.
    private let entrance = Mutex(())
    /// A lock that is held while a search reads the database, or while the writer truncates the log.
    private let room = Mutex(())

    /// The number of times that the store was opened.
    private let openings = Atomic(0)

    package init() {}

    /// The number of the present opening of the store, counted from the start of the process.
    ///
    /// A reader notes this number before it opens its files. If the reader finds damage, the damage is attributed to
    /// that opening.
    package var opening: Int { openings.load(ordering: .acquiring) }

    /// Counts an opening of the store.
    package func noteOpening() { openings.add(1, ordering: .acquiringAndReleasing) }

    /// Runs a closure that reads the database, once no other reader is reading.
    func read<Value: Sendable, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        entrance.withLock { _ in }
        return try room.withLock { (_) throws(Failure) in try body() }
    }

    /// Runs the closure while nobody reads the database.
    ///
    /// This waits for at most one search.
    func holdBack(_ body: () -> Void) {
        entrance.withLock { _ in room.withLock { _ in body() } }
    }
}
