/// A node's view of one device of its account.
package struct DeviceStatus: Equatable, Sendable {
    package var device: DeviceReference
    package var admitted: WallTime
    package var isConnected: Bool
    /// Whether both devices have the same data.
    package var isInStep: Bool
    /// The time when the device was last connected.
    package var seen: WallTime?
    /// The addresses at which the node tries to reach the device.
    package var addresses: [String]
    /// The addresses that a person set on this machine.
    package var namedAddresses: [String] = []
    /// The reason why the device is not connected, or why it can't store what it is sent, in words; nil if there is no
    /// trouble, or its reason is unknown.
    package var trouble: String?
    /// The code with which the last session ended, if that is the reason in `trouble`.
    package var closeCode: UInt64?
    /// The addresses that were tried recently, each with its source and outcome, in the order of the attempts.
    package var attempts: [AddressAttempt] = []
    /// Whether the device may admit and revoke others.
    package var isOwner = false
    /// The time when a person removed the device; nil if no one did.
    ///
    /// Tombstones are not kept for a removed device.
    package var removed: WallTime?
    /// Whether the device announced that it left the account.
    package var hasLeft = false
    /// The revocation of the device; nil if it still belongs to the account.
    package var revocation: Revoked?
    /// The version of Baton on the device when it was last connected.
    package var version: String?
    /// The number of milliseconds by which the device's clock was ahead of the node's when it was last connected.
    package var clockLead: Int64?
    /// The last change by the device that was received here, if there is one.
    package var lastChange: Change?
    /// The changes that were received over the device's own connections, whichever device made them; nil if there were
    /// none.
    package var received: ReceivedChanges?

    /// The time when the device connected; nil if it is not connected.
    package var connectedSince: WallTime?
    /// The time since which the connected devices differ; nil if they are in step or not connected.
    package var outOfStepSince: WallTime?
    /// The changes to exchange until the devices are in step; nil if they are not connected, or the number is unknown.
    package var backlog: SyncBacklog?

    /// The revocation of a device.
    package struct Revoked: Equatable, Sendable {
        /// The time of the revocation, by the clock of the device that made it.
        package var date: WallTime
        /// The name of the device that made the revocation, or the beginning of its owner identifier.
        package var revoker: String
        /// Whether the owner that admitted the device was revoked, rather than the device itself.
        package var isOfOwner: Bool

        package init(date: WallTime, revoker: String, isOfOwner: Bool) {
            (self.date, self.revoker, self.isOfOwner) = (date, revoker, isOfOwner)
        }
    }

    /// A change that a device made.
    package struct Change: Equatable, Sendable {
        /// The kind of the record that was changed.
        package var kind: RecordKind
        /// The title of the changed record, if it still exists.
        package var title: String?
        package var isDeletion: Bool
        /// The time of the change, by the clock of the device.
        package var made: WallTime
        /// The time when the change was received, by the clock of the node.
        package var taken: WallTime
        /// The device that sent the change; often, but not always, the one that made it.
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
        self.device = device
        self.admitted = admitted
        self.isConnected = isConnected
        self.isInStep = isInStep
        (self.seen, self.addresses, self.trouble) = (seen, addresses, trouble)
    }
}

extension DeviceStatus.Change {
    /// A phrase for the changed record, which includes its title unchanged.
    package var thing: String {
        if let title, !isDeletion { return "“\(title)”" }
        return isDeletion ? "the deletion of \(kindInWords)" : kindInWords
    }

    private var kindInWords: String {
        switch kind {
        case .currentActivity, .savedActivity: "an activity"
        case .item: "an item"
        case .activitiesClear, .indexClear: "the deletion of a group of records"
        case .rosterStatement: "the membership of the account"
        case .device: "the record of a device"
        case .clientState: "the state of an indexing job"
        case .engagement: "the use of an item"
        case .sharedLife: "the notice of a duplicated device"
        default: "a record of a kind that this version does not know"
        }
    }
}
