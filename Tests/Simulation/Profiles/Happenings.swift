/// The operations of people and apps.
///
/// Each has a rate of its own in a `Profile`, and draws from a stream of its own.
package enum Operation: String, CaseIterable, Sendable {
    /// Writes of all kinds to few keys, so that they meet.
    case write
    /// An activity that changes many times in a moment, and ends.
    case activity
    /// Everything in a scope is deleted at once.
    case clear
    /// A record is changed in part, or deleted, by a device that sees it.
    case change
    /// Kinds and fields that only a newer version knows.
    case newer
    /// Writes that fill a window.
    case bulk
    /// An indexing job does its next batch.
    case index
    /// An app goes on with a batch that is too large for one transaction.
    case stage
    /// An app ends a batch, and at once changes or deletes items of it, which may not be merged yet.
    case overtake
    /// A program writes to an index with the product's client, also while no node runs.
    case save
    /// A person searches, takes pages of what was found, and is offered words.
    case search
    /// A person keeps the index on a device, or no longer.
    case hold
    /// A device sends others the addresses of devices.
    case tell
    /// A person opens an item of the index, which the device counts.
    case open
    /// An app asks for the state of its job.
    case show
    /// A device reports its durable claims, and tombstones are collected.
    case report
    /// An expiring item is written, or one that has not expired is given another end.
    case expire
    /// A day or two pass, and expired items may be swept.
    case day
    /// An owner revokes a device, an owner, or a machine that is both.
    case revoke
    /// An owner admits a device again.
    case admit
    /// Someone enters statements in the roster that nobody signed.
    case forge
    /// An app changes its activity, as its node allows.
    case act
    /// A person continues an activity of another device, and may take it over.
    case goOn
    /// A person makes a device private, or switches hand-off off for its apps, or shares again.
    case hide
    /// A person forgets an activity everywhere, whether it is going on or has ended.
    case forget
    /// An app deletes some or all of its saved activities.
    case deleteSaved

    /// Whether it is drawn for worlds of every profile, and not by the profile.
    var isOfEveryProfile: Bool { [.stage, .hold, .tell, .open].contains(self) }

    /// Whether it is drawn by a stream of its own, so that the worlds that were there before it stay as they were.
    var isDrawnByItself: Bool { [.overtake, .save, .search].contains(self) }

    /// Whether it happens only where there is a roster.
    var isOfRoster: Bool { [.revoke, .admit, .forge].contains(self) }

    /// Whether it happens only where nodes have apps.
    var isOfApps: Bool { [.act, .goOn, .hide, .forget, .deleteSaved].contains(self) }
}

/// The faults that strike a world.
package enum Fault: String, CaseIterable, Sendable {
    // MARK: Connections
    case cut, halfOpen, oneWay, partition, duplicate, slowReader, rubbish
    // MARK: Processes
    case pause, crash, powerLoss
    /// The process ends in order, and starts again.
    case stop
    // MARK: Disks
    case failedGroup, fullDisk, fullInSnapshot
    /// A disk refuses work that a device does by itself: settling, sweeping, collecting, reporting, and beginning an order of
    /// arrival.
    case failedUpkeep
    /// A state is copied, as a backup is.
    case backup
    /// The backup is restored.
    case restore
    case clone
    /// The running machine is copied with its witness, so that both go on with one life; nothing notices that yet.
    case cloneRunning
    case empty, rescue
    /// Copies of the settings are lost, or older ones are put back, in their files and perhaps in the store.
    case loseSettings
    // MARK: People
    case destroy, join, leave, away
    /// A device is destroyed while it sends a snapshot, and is declared gone.
    case loseSender
    case clock
    /// Two owners revoke each other while they can't hear of it.
    case feud
    /// A machine that was not admitted tries to take part.
    case intrude
    /// A device is away, someone declares it gone, and it comes back.
    case giveUp
    /// A member writes with a time that no clock shows, over another device's activity or over a record that anyone may
    /// write.
    case strangeTime
    /// A member writes the record of an activity in the name of another device.
    case impersonate
    // MARK: Several accounts
    /// A device of one account is connected with a device of another one, which may claim to belong to the first.
    case misdial
    // MARK: Clocks
    /// A clock is set back behind a batch of an app, and what the batch wrote is deleted, changed or cleared there.
    case clockBehindBatch

    /// Whether it is drawn by a stream of its own, so that the worlds that were there before it stay as they were.
    var isDrawnByItself: Bool {
        [.failedUpkeep, .loseSender, .loseSettings].contains(self) || self == .clockBehindBatch
    }

    /// Whether it happens only where there is a roster.
    var isOfRoster: Bool { [.feud, .intrude, .giveUp].contains(self) }
}
