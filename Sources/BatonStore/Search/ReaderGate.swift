import BatonCore
import Synchronization

/// Lets searches read a database one at a time, and holds them back while the writer cuts off SQLite's log.
///
/// SQLite can cut its log off only in a moment in which nobody reads from it. Where one search follows the other there
/// is no such moment, and the log grows for as long as something is written.
package final class ReaderGate: Sendable {
    /// Held by a writer that wants in, so that no further search begins; a search only passes through.
    private let entrance = Mutex(())
    /// Held while a database is read, or its log cut off.
    private let room = Mutex(())

    package init() {}

    /// Reads, once nobody else does.
    func read<Value: Sendable, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        entrance.withLock { _ in }
        return try room.withLock { (_) throws(Failure) in try body() }
    }

    /// Runs the closure while nobody reads; it waits for at most one search.
    func holdBack(_ body: () -> Void) {
        entrance.withLock { _ in room.withLock { _ in body() } }
    }
}
