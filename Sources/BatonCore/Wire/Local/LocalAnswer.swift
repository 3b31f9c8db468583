/// What a node answers to one request.
package enum LocalAnswer: Equatable, Sendable {
    /// The activity as it is now, or was when it was finished.
    case activity(ActivitySummary)
    /// A part of the list; more may stand behind it.
    case activities([ActivitySummary], isLast: Bool)
    case continued(ContinuedActivity)
    case status(NodeStatus)
    case devices([DeviceStatus])
    case digest(StateDigest)
    case settings(Settings)
    case invitation(code: String, expires: WallTime)
    /// The invitation was used by this device.
    case joined(DeviceReference)
    /// Both sides of a pairing have proved that they know the code: what the other machine is called, what both show
    /// to be compared, and whether the joiner waits for the person at the inviter.
    case joining(name: String, phrase: String, asksPerson: Bool)
    /// An account was made, with this device as its first; or it will be, once the person has the code.
    case initialised(AccountIdentifier, DeviceReference, recoveryCode: String)
    /// This device became one of an account, by the invitation of another.
    case admitted(AccountIdentifier, DeviceReference, inviter: DeviceReference)
    /// Items, the best first, and whether all were looked through.
    case found([FoundItem], isWhole: Bool)
    /// What was done to an index is kept; so many updates had nothing to change.
    case indexed(passedOver: Int)
    case clientState([UInt8]?)
    /// What is to be indexed anew.
    case reindexing(ReindexRequest.Extent)
    /// A backup is being written or read: how many bytes so far, and of how many if that is known.
    case working(bytes: Int, all: Int?)
    /// A backup that was written, or looked at.
    case backup(BackupDescription)
    /// A backup took the place of what is set aside in those files.
    case restored(BackupDescription, aside: [String])
    /// The accounts that stand in the home, by their names.
    case accounts([AccountStatus])
    /// The invitation that was open is over.
    case invitationCancelled
    /// This device leaves the account once that is confirmed, or has left.
    case departure(Departure)
    /// This device has an owner's key now.
    case promoted(Promotion)
    case failure(LocalFailure)
}

/// A device, as a person knows it.
package struct DeviceReference: Equatable, Sendable {
    package var identifier: DeviceIdentifier
    package var name: String
    /// Whether it is the device of the answering node.
    package var isHere: Bool

    package init(identifier: DeviceIdentifier, name: String, isHere: Bool) {
        (self.identifier, self.name, self.isHere) = (identifier, name, isHere)
    }
}

/// An activity that is going on somewhere.
package struct ActivitySummary: Equatable, Sendable {
    /// Stands for the activity in commands; any beginning that is unambiguous will do.
    package var identifier: String
    package var device: DeviceReference
    package var app: String
    package var instance: String
    package var activity: Activity
    /// The name of the device where it was continued last.
    package var continuedOn: String?

    package init(
        identifier: String, device: DeviceReference, app: String, instance: String, activity: Activity,
        continuedOn: String?
    ) {
        (self.identifier, self.device, self.app, self.instance) = (identifier, device, app, instance)
        (self.activity, self.continuedOn) = (activity, continuedOn)
    }

    /// Where this activity stands in the list.
    package var place: ListPlace { ListPlace(changed: activity.changed, identifier: identifier) }
}

/// An activity to go on with.
package struct ContinuedActivity: Equatable, Sendable {
    package var summary: ActivitySummary
    package var source: Source

    /// Where the state came from.
    package enum Source: UInt64, Equatable, Sendable {
        /// The node of the device where it is going on.
        case node = 1
        /// What was replicated last; that device could not be asked.
        case replica = 2
    }

    package init(summary: ActivitySummary, source: Source) { (self.summary, self.source) = (summary, source) }
}

/// What a node says of itself.
package struct NodeStatus: Equatable, Sendable {
    package var account: AccountIdentifier
    package var device: DeviceReference
    package var build: String
    package var process: Int32
    /// Where it takes connections.
    package var listening: String
    /// The other devices of the account.
    package var peers: [DeviceStatus]
    /// Faults that a person should know of, in words.
    package var troubles: [String]
    /// What the account is called on this machine.
    package var accountName: String?

    package init(
        account: AccountIdentifier, device: DeviceReference, build: String, process: Int32, listening: String,
        peers: [DeviceStatus], troubles: [String]
    ) {
        (self.account, self.device, self.build, self.process) = (account, device, build, process)
        (self.listening, self.peers, self.troubles) = (listening, peers, troubles)
    }
}

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
