/// What an app or the command asks of its node.
package enum LocalRequest: Equatable, Sendable {
    /// Makes an activity the current one of an app instance.
    case start(StartActivity)
    /// Changes a current activity of this device.
    case update(ActivityTarget, ActivityChange)
    /// Ends a current activity of this device; it stays findable for a while.
    case finish(ActivityTarget)
    /// Offers a current activity of this device no more; its app may make it current again.
    case resign(ActivityTarget)
    /// Activities of all devices, the one that changed last first; as many as an answer holds.
    case list(ListActivities)
    /// Answered once the list of what is going on differs from how it was at that number; at once without one.
    case watch(after: UInt64?)
    /// Continues an activity here.
    case continueActivity(ContinueActivity)
    /// Shows an activity on this device no more, or deletes it on all.
    case forget(String, everywhere: Bool)
    /// Shows an activity on this device again that was forgotten here.
    case unforget(String)
    /// Offers a current activity of this device on another one before all others.
    case send(ActivityTarget, to: String)
    /// Deletes what an app saved, by its persistent identifiers; all of it without any.
    case deleteSaved(app: String, identifiers: [String]?)
    /// Says that the app at this connection continues activities of some types, for as long as it is connected.
    case register(AppRegistration)
    /// The apps that said so.
    case registrations
    /// Answered once something concerns the activities that this connection began, or what it registered for.
    case awaitEvent
    /// The app has brought its activity up to date, as it was asked by the event of that number; nothing if it was.
    case saved(UInt64, ActivityChange?)
    /// Asks for a pair of streams to the app whose activity is meant. Once it is answered, the connection carries them,
    /// and nothing else.
    case openStream(ActivitySelection)
    /// Takes the streams that are wanted by that number, in the same way.
    case acceptStream(UInt64)
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
    case index(ChangeIndex)
    /// Ends a batch: all of it is kept, survives the loss of power, and can be seen; or nothing.
    case endBatch(EndBatch)
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
    /// Writes a backup of the account's state to a file, whose path is absolute; in place of what is there only if said
    /// so.
    case backup(path: String, replaces: Bool)
    /// Puts a backup in the place of the present state; unless that is confirmed, the file is only looked at.
    case restore(path: String, isConfirmed: Bool)
    /// Answered once the backup or the restoration that is under way has ended, or some time has passed.
    case awaitBackup
    /// Has a device, named or identified so, belong to the account no longer; unless that is confirmed, it is only
    /// looked at.
    case revoke(String, isConfirmed: Bool)
    /// Has nobody wait for a device any more, until it is met again.
    case remove(String)
    /// Gives a device another name; nothing means this one.
    case rename(String?, to: String)
    /// Seeks a device, named or identified so, at these addresses besides those that are found out; none ends that.
    case setAddresses(String, [String])
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
