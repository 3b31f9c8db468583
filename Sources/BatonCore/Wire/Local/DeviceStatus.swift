/// What a node knows of a device of the account.
package struct DeviceStatus: Equatable, Sendable {
    package var device: DeviceReference
    package var admitted: WallTime
    package var isConnected: Bool
    /// Whether both have all that the other has.
    package var isInStep: Bool
    /// When the device was connected last.
    package var seen: WallTime?
    /// Where it is sought.
    package var addresses: [String]
    /// Those of them that a person named on this machine.
    package var namedAddresses: [String] = []
    /// Why it is not connected, in words, if that is known.
    package var trouble: String?
    /// Whether it may admit and revoke others.
    package var isOwner = false
    /// Since when it is gone, if someone said so: then nobody waits for it.
    package var removed: WallTime?
    /// Whether it said so itself, and means it for good.
    package var hasLeft = false
    /// Why it does not belong to the account any more.
    package var revocation: Revoked?
    /// The version of the program that it ran when it was connected last.
    package var version: String?
    /// How many milliseconds later its clock was then than that of the node.
    package var clockLead: Int64?
    /// The last change of another device that was taken here, if any of it is here.
    package var lastChange: Change?

    /// Since when it is connected, if it is.
    package var connectedSince: WallTime?
    /// Since when the two are not in step, if they are connected and are not.
    package var outOfStepSince: WallTime?
    /// What is missing until they are, if they are connected and it is known.
    package var backlog: SyncBacklog?

    /// That a device does not belong to the account any more.
    package struct Revoked: Equatable, Sendable {
        /// When that was, by the clock of who did it.
        package var date: WallTime
        /// The name of the device whose owner did it, or a beginning of the owner's identifier.
        package var revoker: String
        /// Whether not the device was revoked, but the owner who let it in.
        package var isOfOwner: Bool

        package init(date: WallTime, revoker: String, isOfOwner: Bool) {
            (self.date, self.revoker, self.isOfOwner) = (date, revoker, isOfOwner)
        }
    }

    /// What a device changed.
    package struct Change: Equatable, Sendable {
        /// What kind of thing.
        package var kind: RecordKind
        /// What a person calls it, if it is still there.
        package var title: String?
        package var isDeletion: Bool
        /// When it was made, by the clock of the device.
        package var made: WallTime
        /// When it was taken, by the clock of the node.
        package var taken: WallTime
        /// The device that sent it; often the one that made it.
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
