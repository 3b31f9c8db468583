import BatonCore
import Synchronization

/// Watches a backup or a restoration that is under way on another thread, and ends it when it is wanted no more.
package final class BackupWatch: Sendable {
    private let isStopped = Atomic(false)
    private let bytes = Atomic(0)
    private let bytesOfAll = Atomic(0)

    package init() {}

    /// Ends it soon.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// How many bytes of a backup were written or read, and of how many if that is known.
    package var progress: (bytes: Int, all: Int?) {
        let all = bytesOfAll.load(ordering: .relaxed)
        return (bytes.load(ordering: .relaxed), all > 0 ? all : nil)
    }

    /// So many bytes are to be read.
    func expect(_ count: Int) { bytesOfAll.store(count, ordering: .relaxed) }

    /// So many further bytes were written or read; throws if it is to end.
    func advance(by count: Int) throws(StoreFailure) {
        bytes.add(count, ordering: .relaxed)
        guard !isStopped.load(ordering: .relaxed) else {
            throw StoreFailure(.failed, "it was stopped")
        }
    }
}
