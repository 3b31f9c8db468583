import BatonCore
import Synchronization

/// Tells the progress of a backup or a restoration, and can stop it.
///
/// A watch may be used from other threads.
package final class BackupWatch: Sendable {
    private let isStopped = Atomic(false)
    private let bytes = Atomic(0)
    private let bytesOfAll = Atomic(0)

    package init() {}

    /// Makes the backup or the restoration fail at its next step.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    /// The number of bytes that were written or read, and the total number if it is known.
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
