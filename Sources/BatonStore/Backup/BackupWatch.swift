import BatonCore
import Synchronization

/// Reports the progress of a backup or a restoration on another thread, and stops it.
package final class BackupWatch: Sendable {
    private let isStopped = Atomic(false)
    private let bytes = Atomic(0)
    private let bytesOfAll = Atomic(0)

    package init() {}

    /// Makes the backup or the restoration fail soon.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// How many bytes were written or read, and the total if it is known.
    package var progress: (bytes: Int, all: Int?) {
        let all = bytesOfAll.load(ordering: .relaxed)
        return (bytes.load(ordering: .relaxed), all > 0 ? all : nil)
    }

    /// Notes the total number of bytes to be read.
    func expect(_ count: Int) { bytesOfAll.store(count, ordering: .relaxed) }

    /// Notes that further bytes were written or read; throws if the watch was stopped.
    func advance(by count: Int) throws(StoreFailure) {
        bytes.add(count, ordering: .relaxed)
        guard !isStopped.load(ordering: .relaxed) else {
            throw StoreFailure(.failed, "it was stopped")
        }
    }
}
