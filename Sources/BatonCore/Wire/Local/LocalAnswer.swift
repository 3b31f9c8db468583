/// What a node answers to one request.
package enum LocalAnswer: Equatable, Sendable {
    /// The activity as it is now, or was when it was finished.
    case activity(ActivitySummary)
    /// A part of the list; more may stand behind it.
    case activities([ActivitySummary], isLast: Bool)
    case continued(ContinuedActivity)
    /// What has changed in the list of what is going on.
    case changes(ActivityChanges)
    /// Apps that continue activities, and of which types.
    case registrations([AppRegistration])
    case event(AppEvent)
    /// The connection carries a pair of streams from now on, to the app of that activity.
    case streamOpened(ContinuedActivity)
    /// It was done, and there is nothing to be told of it.
    case done
    case status(NodeStatus)
    case devices([DeviceStatus])
    case digest(StateDigest)
    /// The digest is not known before this is done; it is to be asked for again.
    case settling(Unsettled)
    case settings(Settings)
    /// A code, when it ends, and where the other machine can reach this one, the best address first.
    case invitation(code: String, expires: WallTime, addresses: [String])
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
