/// A node's view of one device of its account.
package struct DeviceStatus: Equatable, Sendable {
    package var device: DeviceReference
    package var admitted: WallTime
    package var isConnected: Bool
    /// Whether the device and the node's own device have the same data.
    package var isInStep: Bool
    /// The time when the device was last connected.
    package var seen: WallTime?
    /// The addresses at which the node tries to reach the device.
    package var addresses: [String]
    /// The addresses that a person set on this machine.
    package var namedAddresses: [String] = []
    /// The reason in words why the device is not connected, or why it can't store the data that the node sends.
    ///
    /// The reason is nil if there is no trouble, or if the reason is unknown.
    package var trouble: String?
    /// The code with which the last session ended, if `trouble` names this end as the reason.
    package var closeCode: UInt64?
    /// The recent attempts to reach the device, in the order in which they were made.
    package var attempts: [AddressAttempt] = []
    /// Whether the device is an owner, which may admit and revoke other devices.
    package var isOwner = false
    /// The time when a person removed the device; nil if nobody removed it.
    ///
    /// The account does not keep tombstones for a removed device.
    package var removed: WallTime?
    /// Whether the device announced that it has left the account.
    package var hasLeft = false
    /// The revocation of the device; nil if it still belongs to the account.
    package var revocation: Revoked?
    /// The version of Baton on the device when it was last connected.
    package var version: String?
    /// The number of milliseconds by which the device's clock was ahead of the node's clock when the device was last
    /// connected.
    package var clockLead: Int64?
    /// The last change by the device that the node has received; nil if it has received none.
    package var lastChange: Change?
    /// The changes that the node received over its connections with the device; nil if there were none.
    ///
    /// Other devices may have made these changes.
    package var received: ReceivedChanges?

    /// The time when the device connected; nil if it is not connected.
    package var connectedSince: WallTime?
    /// The time since which the connected devices have not been in step; nil if they are in step or not connected.
    package var outOfStepSince: WallTime?
    /// The number of changes to exchange until the devices are in step; nil if they are not connected or the number is
    /// unknown.
    package var backlog: SyncBacklog?

    /// The revocation of a device.
    package struct Revoked: Equatable, Sendable {
        /// The time of the revocation, by the clock of the device that made the revocation.
        package var date: WallTime
        /// The name of the device that made the revocation, or the beginning of that device's owner identifier.
        package var revoker: String
        /// Whether the revocation is of the owner that admitted the device, and not of the device itself.
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
        /// The time of the change, by the clock of the device that made it.
        package var made: WallTime
        /// The time when the node received the change, by the clock of the node.
        package var taken: WallTime
        /// The device that sent the change to the node, which is often the device that made the change.
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
    /// A phrase that names the changed record; if the record has a title, the phrase contains the title as it is.
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
        case .entityType: "the description of a type of entities"
        case .focus: "a focus"
        case .presentFocus: "the switch of a focus"
        case .sharedLife: "the notice of a duplicated device"
        default: "a record of a kind that this version does not know"
        }
    }
}
