/// What goes wrong on a disk.
package struct DiskFaults: Sendable {
    /// How many bytes there is room for in all files together.
    package var capacity: Int?
    /// Nothing can be changed.
    package var isReadOnly = false
    /// The file system knows no locks.
    package var hasLocks = true
    /// Processes can share memory of a file, as SQLite's journal in WAL mode needs it.
    package var sharesMemory = true
    /// A sync claims to have done what it did not.
    package var liesAboutSyncs = false
    /// A sync that fails takes with it what it was to keep, and the next one succeeds without that.
    package var forgetsFailedSyncs = false
    /// What fails, and when.
    package var failure: Failure?

    /// No fault at all.
    package init() {}

    /// So many operations of a kind go well, and the next one does not.
    package struct Failure: Sendable {
        package let operation: DiskOperation
        /// How many go well before.
        package let after: Int
        /// Whether all that come later fail, too.
        package let isLasting: Bool

        package init(_ operation: DiskOperation, after: Int, isLasting: Bool) {
            (self.operation, self.after, self.isLasting) = (operation, after, isLasting)
        }
    }
}

/// What a process asks a disk for.
package enum DiskOperation: CaseIterable, Sendable {
    case open, read, write, sync, truncate, delete
}

/// Something that just happens to a disk.
package enum DiskEvent: Sendable {
    /// Some bytes were written, or a file was made, cut or removed.
    case change
    /// A file is about to be synced.
    case beforeSync
    /// A file was synced.
    case afterSync
}
