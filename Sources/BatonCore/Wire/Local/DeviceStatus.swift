/// What a node knows of a device of the account.
package struct DeviceStatus: Equatable, Sendable {
    package var device: DeviceReference
    package var admitted: WallTime
    package var isConnected: Bool
    /// Whether each of the two devices has all that the other has.
    package var isInStep: Bool
    /// When the device was connected last.
    package var seen: WallTime?
    /// The addresses at which the device is dialled.
    package var addresses: [String]
    /// The addresses among these that a person named on this machine.
    package var namedAddresses: [String] = []
    /// Why it is not connected, in words, if that is known.
    package var trouble: String?
    /// Whether it may admit and revoke others.
    package var isOwner = false
    /// Since when the device is gone, if a person said so; no device waits for it then.
    package var removed: WallTime?
    /// Whether the device itself said that it left for good.
    package var hasLeft = false
    /// Why the device does not belong to the account any more.
    package var revocation: Revoked?
    /// The version of the program that the device ran when it was connected last.
    package var version: String?
    /// By how many milliseconds the device's clock was ahead of the node's then.
    package var clockLead: Int64?
    /// The device's last change that was received here, if there is one.
    package var lastChange: Change?

    /// Since when the device is connected, if it is.
    package var connectedSince: WallTime?
    /// Since when the two devices are out of step, if they are connected and out of step.
    package var outOfStepSince: WallTime?
    /// What is missing until the two are in step, if they are connected and it is known.
    package var backlog: SyncBacklog?

    /// The revocation of a device.
    package struct Revoked: Equatable, Sendable {
        /// When the device was revoked, by the clock of the device that revoked it.
        package var date: WallTime
        /// The name of the device whose owner revoked it, or the beginning of the owner's identifier.
        package var revoker: String
        /// Whether the owner who let the device in was revoked, and not the device itself.
        package var isOfOwner: Bool

        package init(date: WallTime, revoker: String, isOfOwner: Bool) {
            (self.date, self.revoker, self.isOfOwner) = (date, revoker, isOfOwner)
        }
    }

    /// What a device changed.
    package struct Change: Equatable, Sendable {
        /// The kind of the record that was changed.
        package var kind: RecordKind
        /// The title of what was changed, if it is still there.
        package var title: String?
        package var isDeletion: Bool
        /// When the change was made, by the clock of the device.
        package var made: WallTime
        /// When the change was received, by the clock of the node.
        package var taken: WallTime
        /// The device that sent the change, often the one that made it.
        package var sender: DeviceReference

        package init(
            kind: RecordKind, title: String?, isDeletion: Bool, made: WallTime, taken: WallTime,
            sender: DeviceReference
        ) {
            (self.kind, self.title, self.isDeletion) = (kind, title, isDeletion)
            (self.made, self.taken, self.sender) = (made, taken, sender)
        }
    }

    package init(
        device: DeviceReference, admitted: WallTime, isConnected: Bool, isInStep: Bool, seen: WallTime?,
        addresses: [String], trouble: String?
    ) {
        (self.device, self.admitted, self.isConnected, self.isInStep) = (
            device, admitted, isConnected, isInStep
        )
        (self.seen, self.addresses, self.trouble) = (seen, addresses, trouble)
    }
}
