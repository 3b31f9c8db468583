package import Disks

/// What disks with files on them do that a store in memory does not.
package struct DiskTroubles: Sendable {
    /// What may become of what was not synced when the power goes.
    package var losses: [PowerLoss]
    /// Whether a disk that refuses does so in the middle of what the store does, and not at the end of a group.
    package var failMidway: Bool
    /// Whether bytes of a store that is rescued are others than were written.
    package var damage: Bool
    /// Whether stores put off what clears leave to be done, however little it is.
    package var putsOff: Bool
    /// Whether the product makes some of the backups and restores them, which sets no clock back as copied files do.
    package var backsUp: Bool

    /// All that there is.
    package static let all = DiskTroubles(
        losses: PowerLoss.allCases, failMidway: true, damage: true, putsOff: true, backsUp: true)
    /// Files that lose and refuse the same as a store in memory.
    package static let none = DiskTroubles(
        losses: [.forgets], failMidway: false, damage: false, putsOff: false, backsUp: false)
}
