package import Disks

/// The behaviours of disks with files that a store in memory does not have.
package struct DiskTroubles: Sendable {
    /// The possible fates of unsynced bytes when the power fails.
    package var losses: [PowerLoss]
    /// Whether a disk that refuses does so in the middle of the store's work, and not only at the end of a group.
    package var failMidway: Bool
    /// Whether bytes of a store are damaged before it is rescued.
    package var damage: Bool
    /// Whether stores put off the remaining work of clears, however little it is.
    package var putsOff: Bool
    /// Whether the product makes and restores some of the backups.
    ///
    /// Restoring one sets no clock back, as copied files do.
    package var backsUp: Bool
    /// Whether stores erase what was removed, which brings to the disk what was not synced yet.
    package var erases: Bool

    /// All behaviours.
    package static let all = DiskTroubles(
        losses: PowerLoss.allCases, failMidway: true, damage: true, putsOff: true, backsUp: true,
        erases: true)
    /// Files that lose and refuse the same as a store in memory.
    package static let none = DiskTroubles(
        losses: [.forgets], failMidway: false, damage: false, putsOff: false, backsUp: false,
        erases: false)
}
