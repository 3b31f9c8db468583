/// The changes that were received over the connections of one device, whichever authors they name.
///
/// A certificate proves which device sent a change, but its author is only the sender's claim. So only this count
/// reveals a device that makes changes under invented names.
package struct ReceivedChanges: Equatable, Sendable {
    /// The number of changes.
    package var count: UInt64
    /// When the last change was received, by the clock here.
    package var latest: WallTime

    package init(count: UInt64, latest: WallTime) { (self.count, self.latest) = (count, latest) }
}
