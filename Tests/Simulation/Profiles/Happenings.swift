/// What people and apps do.
///
/// Each has a rate of its own in a `Profile`, and draws from a stream of its own.
package enum Operation: String, CaseIterable, Sendable {
    /// Writes of all kinds to few keys, so that they meet.
    case write
    /// An activity that changes many times in a moment, and ends.
    case activity
    /// Something in a scope is deleted, all at once.
    case clear
    /// What is there is changed in part, or deleted, by who sees it.
    case change
    /// Kinds and fields that only a newer version knows.
    case newer
    /// Writes that fill a window.
    case bulk
    /// An indexing job does its next batch.
    case index
    /// An app goes on with a batch that is too large for one transaction.
    case stage
    /// A person wants nothing of the index to leave a device, or no longer.
    case hold
    /// A device tells others where devices may be found.
    case tell
    /// A person opens something that stands in the index, which the device counts.
    case open
    /// An app asks for the state of its job.
    case show
    /// A device says what it has for good, and traces are let go.
    case report
    /// An item is written that expires, or one that has not is given another end.
    case expire
    /// A day passes, or two, and what has expired may be swept.
    case day
    /// An owner revokes a device, an owner, or a machine that is both.
    case revoke
    /// An owner lets a device in anew.
    case admit
    /// Someone enters statements in the roster that nobody signed.
    case forge
    /// An app does something with its activity, as its node lets it.
    case act
    /// A person goes on with what is going on elsewhere, and takes it over perhaps.
    case goOn
    /// A person wants nothing to leave a device, or no longer.
    case hide
    /// A person wants something nowhere any more that is going on somewhere, or has ended.
    case forget
    /// An app deletes what was kept of what it did, some of it or all.
    case deleteSaved

    /// Whether it is drawn for worlds of every profile, and not by the profile.
    var isOfEveryProfile: Bool { [.stage, .hold, .tell, .open].contains(self) }

    /// Whether it happens only where there is a roster.
    var isOfRoster: Bool { [.revoke, .admit, .forge].contains(self) }

    /// Whether it happens only where nodes have apps.
    var isOfApps: Bool { [.act, .goOn, .hide, .forget, .deleteSaved].contains(self) }
}

/// What goes wrong.
package enum Fault: String, CaseIterable, Sendable {
    // MARK: Connections
    case cut, halfOpen, oneWay, partition, duplicate, slowReader, rubbish
    // MARK: Processes
    case pause, crash, powerLoss
    /// The process ends in order, and starts again.
    case stop
    // MARK: Disks
    case failedGroup, fullDisk, fullInSnapshot
    /// A state is put aside, as a backup is.
    case backup
    /// What was put aside comes back.
    case restore
    case clone
    /// The running machine is copied with its witness, so that both go on with one life; nothing notices that yet.
    case cloneRunning
    case empty, rescue
    // MARK: People
    case destroy, join, leave, away
    case clock
    /// Two owners revoke each other while they can't hear of it.
    case feud
    /// A machine that nobody let in tries to take part.
    case intrude
    /// A device is away, someone says that it is gone, and it comes back.
    case giveUp
    /// A member writes with a time that no clock shows, over what another device does or anyone may write.
    case strangeTime
    // MARK: Several accounts
    /// A device of one account is connected with a device of another one, which may say that it is of the first.
    case misdial

    /// Whether it happens only where there is a roster.
    var isOfRoster: Bool { [.feud, .intrude, .giveUp].contains(self) }
}
