/// The changes that came over the connections of one device, whoever is named as their author.
///
/// A certificate proves which device sends a change. The author is the sender's claim, so a device that makes changes
/// under invented names is noticed here alone.
package struct ReceivedChanges: Equatable, Sendable {
    /// How many changes came.
    package var count: UInt64
    /// When the last of them came, by the clock here.
    package var latest: WallTime

    package init(count: UInt64, latest: WallTime) { (self.count, self.latest) = (count, latest) }
}
