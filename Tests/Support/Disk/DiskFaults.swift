/// The faults of a disk.
package struct DiskFaults: Sendable {
    /// The most bytes of all files together, or nil without a limit.
    package var capacity: Int?
    /// Whether every change fails.
    package var isReadOnly = false
    /// Whether the file system has locks.
    package var hasLocks = true
    /// Processes can share memory of a file, which SQLite's write-ahead log needs.
    package var sharesMemory = true
    /// Whether a write that is interrupted may change bytes beside those that are written.
    package var harmsNeighbours = false
    /// A sync reports success and does nothing.
    package var liesAboutSyncs = false
    /// A sync that fails forgets the writes that it was to sync, and the next one succeeds without them.
    package var forgetsFailedSyncs = false
    /// The operation that fails, and when.
    package var failure: Failure?

    /// Creates no faults.
    package init() {}

    /// A failure after some successful operations of a kind.
    package struct Failure: Sendable {
        package let operation: DiskOperation
        /// The number of operations that succeed before.
        package let after: Int
        /// Whether all later ones fail, too.
        package let isLasting: Bool

        package init(_ operation: DiskOperation, after: Int, isLasting: Bool) {
            (self.operation, self.after, self.isLasting) = (operation, after, isLasting)
        }
    }
}

/// An operation of a process on a disk.
package enum DiskOperation: CaseIterable, Sendable {
    case open, read, write, sync, truncate, delete
}

/// A change of a disk.
package enum DiskEvent: Sendable {
    /// Some bytes were written, or a file was made, truncated or removed.
    case change
    /// A file is about to be synced.
    case beforeSync
    /// A file was synced.
    case afterSync
}
