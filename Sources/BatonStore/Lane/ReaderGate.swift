import BatonCore
import Synchronization

/// Lets searches read a database one at a time, and holds them back while the writer truncates SQLite's log.
///
/// SQLite can truncate its log only while nobody reads from it. If searches followed one another without a pause, there
/// would be no such moment, and the log would grow with every write.
package final class ReaderGate: Sendable {
    /// Held by a writer that waits for the room, so that no further search begins; a search only passes through.
    private let entrance = Mutex(())
    /// Held while the database is read, or its log truncated.
    private let room = Mutex(())

    /// How many times the store was opened.
    private let openings = Atomic(0)

    package init() {}

    /// The number of the present opening of the store.
    ///
    /// Damage that a reader finds is attributed to the opening that was present before the reader opened its files.
    package var opening: Int { openings.load(ordering: .acquiring) }

    /// Counts an opening of the store.
    package func noteOpening() { openings.add(1, ordering: .acquiringAndReleasing) }

    /// Runs the closure, which reads the database, once there is no other reader.
    func read<Value: Sendable, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        entrance.withLock { _ in }
        return try room.withLock { (_) throws(Failure) in try body() }
    }

    /// Runs the closure while nobody reads; waits for at most one search.
    func holdBack(_ body: () -> Void) {
        entrance.withLock { _ in room.withLock { _ in body() } }
    }
}
