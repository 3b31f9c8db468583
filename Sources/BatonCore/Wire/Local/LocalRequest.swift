/// What an app or the command asks of its node.
package enum LocalRequest: Equatable, Sendable {
    /// Makes an activity the current one of an app instance.
    case start(ActivityStart)
    /// Changes a current activity of this device.
    case update(ActivityTarget, ActivityChange)
    /// Ends a current activity of this device.
    case finish(ActivityTarget)
    /// The activities that are going on, on all devices, the one that changed last first; as many as an answer
    /// holds, after the place where the answer before ended.
    case list(after: ListPlace?)
    /// Continues an activity here.
    case continueActivity(ActivitySelection)
    case status
    case devices
    /// What is set on this machine.
    case settings
    /// Sets something there, by its name; nothing lets hold again what does as a rule.
    case set(String, to: Int64?)
    /// What nodes in step have in common; what has expired at that time counts as gone.
    case digest(at: WallTime)
    /// Opens an invitation for another machine; it may ask the person before that is let in.
    case invite(asksPerson: Bool)
    /// Answered once somebody joins by the invitation with this code, unless that is known already, and once it is used
    /// or over.
    case awaitInvitation(code: String, isJoinerKnown: Bool)
    /// What the person says to who waits to be let in by the invitation with this code; answered once it is over.
    case answerJoiner(code: String, letIn: Bool)
    /// Ends the open invitation.
    case cancelInvitation
    /// The items that have all the words of a text, the best first, so many at the most.
    case search(String, most: Int)
    /// Changes an index of an app; answered once that is kept, or has its place in a batch.
    case index(IndexRequest)
    /// Ends a batch: all of it is kept, survives the loss of power, and can be seen; or nothing.
    case endBatch(BatchEnding)
    /// Forgets a batch, as the end of the connection does.
    case discardBatch(ClientStateName, UInt64)
    /// What an indexing job stored last, as far as all that it covers is here.
    case clientState(ClientStateName)
    /// Counts that a person opened an item.
    case opened(ItemName)
    /// Answered once an app is to index something anew, at once if it is already.
    case awaitReindexing(ClientStateName)
    /// The app has indexed that anew.
    case acknowledgeReindexing(ClientStateName, ReindexRequest.Extent)
    /// Writes a backup of the account's state to a file, whose path is absolute; in place of what is there only if said so.
    case backup(path: String, replaces: Bool)
    /// Puts a backup in the place of the present state; unless that is confirmed, the file is only looked at.
    case restore(path: String, isConfirmed: Bool)
    /// Answered once the backup or the restoration that is under way has ended, or some time has passed.
    case awaitBackup
    /// Has a device, named or identified so, belong to the account no longer; unless that is confirmed, it is only looked
    /// at.
    case revoke(String, isConfirmed: Bool)
    /// Has nobody wait for a device any more, until it is met again.
    case remove(String)
    /// Gives a device another name; nothing means this one.
    case rename(String?, to: String)
    /// The accounts that stand in the home, whichever the connection is about; the node begins to serve such as are new.
    case accounts
    /// Makes this device an owner, by the words of the account's recovery code.
    case promote(code: String)
    /// Has this device leave the account, and deletes all that is kept of it here; unless that is confirmed, nothing is
    /// done.
    case leave(isConfirmed: Bool)
    /// A request that this version does not know, by its number; it is answered by a failure.
    case unknown(UInt64)
}

/// A new current activity.
package struct ActivityStart: Equatable, Sendable {
    package var app: String
    package var instance: String
    /// The process with which the activity ends; nothing if it lasts until it is finished.
    package var process: ProcessName?
    package var type: String
    package var change: ActivityChange

    package init(app: String, instance: String, process: ProcessName?, type: String, change: ActivityChange) {
        (self.app, self.instance, self.process) = (app, instance, process)
        (self.type, self.change) = (type, change)
    }
}

/// Names one process of this machine for good: numbers are used again, start times are not.
package struct ProcessName: Equatable, Sendable {
    package var number: Int32
    /// When it started, in ticks since the machine did.
    package var started: UInt64
    /// Names the time from one start of the machine to the next.
    package var boot: String

    package init(number: Int32, started: UInt64, boot: String) {
        (self.number, self.started, self.boot) = (number, started, boot)
    }
}

/// Which activity of this device is meant.
package enum ActivityTarget: Equatable, Sendable {
    /// The current one of an app instance.
    case instance(app: String, instance: String)
    /// The one whose identifier begins so.
    case identifier(String)
}

/// Which activity of any device is meant.
package enum ActivitySelection: Equatable, Sendable {
    /// The one that another device changed last.
    case last
    /// The one whose identifier begins so, or the last one of that type.
    case named(String)
}

/// A place in the list of activities: that of an activity that stood there when it was asked for.
package struct ListPlace: Equatable, Comparable, Sendable {
    package var changed: WallTime
    package var identifier: String

    package init(changed: WallTime, identifier: String) {
        (self.changed, self.identifier) = (changed, identifier)
    }

    /// What changed later comes first.
    package static func < (left: Self, right: Self) -> Bool {
        left.changed == right.changed ? left.identifier < right.identifier : left.changed > right.changed
    }
}

/// What a start or an update says of an activity.
///
/// Nothing means: as it is.
package struct ActivityChange: Equatable, Sendable {
    package var title: String?
    package var set: [PropertyValue: PropertyValue] = [:]
    package var removed: Set<PropertyValue> = []
    package var webpage: String?
    package var keywords: Set<String>?
    package var expiration: WallTime?

    package init() {}

    /// Makes the change.
    package func apply(to activity: inout Activity) {
        if let title { activity.title = title }
        for key in removed { activity.info[key] = nil }
        activity.info.merge(set) { $1 }
        if let webpage { activity.webpage = webpage }
        if let keywords { activity.keywords = keywords }
        if let expiration { activity.expiration = expiration }
    }
}
