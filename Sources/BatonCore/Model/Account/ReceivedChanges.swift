/// A count of the changes that were received over the connections of one device, whatever author each change names.
///
/// A certificate proves which device sent a change, but the change's author is only what the sender claims. So this
/// count reveals a device that makes changes under invented names.
package struct ReceivedChanges: Equatable, Sendable {
    /// The number of changes.
    package var count: UInt64
    /// The time when the last change was received, by this device's clock.
    package var latest: WallTime

    package init(count: UInt64, latest: WallTime) { (self.count, self.latest) = (count, latest) }
}
