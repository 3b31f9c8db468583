/// Mistakes that can be planted, so that tests see whether the simulator finds them.
///
/// They exist only in the copy of the sources that `Scripts/mistakes` makes. Each is a mistake that is easily made in
/// such a system. One is planted for a scope, so that worlds with different ones can be played side by side.
package enum Faults {
    /// The mistake that is made in this task, if there is one.
    @TaskLocal package static var planted: Switch?

    package static func isPlanted(_ fault: Switch) -> Bool { planted == fault }

    package enum Switch: String, CaseIterable, Sendable {
        // MARK: Dots and claims

        /// A record keeps the dot of its last write alone, under which all that survives of it is sent.
        case oneDotARecord
        /// The place up to which the store was read for a peer is sent to it as a claim, of what is not claimed
        /// here.
        case positionToldAsClaim
        /// `complete` is advanced by the writes of a batch that is not whole.
        case partialBatchClaims
        /// An app's batch takes its dot when its rows are staged, and others are kept before it ends.
        case stagedRowsTakeDots
        /// A rescued store claims what it claimed before, and not only what it still has.
        case rescuedStoreKeepsVector
        /// A life goes on after an older state of the store was put back.
        case lifeKeptAfterRestore
        /// A life goes on if the store agrees with what was noted of one lane, whatever became of the other.
        case lifeKeptByOneLane
        /// A transaction is sent to others before it is kept, and nothing outside the store knows of that.
        case toldWithoutWitness
        /// Nobody adopts the writes that dead devices and earlier lives left behind.
        case straysNeverAdopted

        /// A life goes on behind a write that was not kept.
        case lifeKeptAfterFailure
        /// A life goes on though another machine writes in it.
        case takenLifeGoesOn
        /// A life begins, and its writes may have times before its beginning.
        case birthNotWitnessed
        /// A device goes on in the order of arrival that it shares with another machine.
        case sharedOrderKept
        /// A device does not take note that its store gave up its claims.
        case givingUpIgnored

        // MARK: Client states

        /// The writes of its own origin that a client state covers are believed to have come before it, in order.
        case stateShownByOrigin
        /// The newest client state takes the place of the shown one though it is not covered.
        case uncoveredStateReplaces
        /// A clear of all of an index leaves its client state.
        case deleteAllLeavesState

        /// Changes begin a batch of an app whatever comes before them in it, and an end ends whatever is there.
        case laterPieceBeginsBatch

        // MARK: Garbage collection

        /// A device reports what would not survive the loss of power.
        case reportBeforeDurable
        /// A tombstone is garbage-collected though a device has reported what is not here.
        case tombstoneWithoutStability
        /// Tombstones are chosen in one transaction and garbage-collected in a later one, whatever stands there
        /// then.
        case tombstoneNotAskedAgain
        /// Tombstones are garbage-collected once they are old, and no peer is told.
        case tombstoneByAge
        /// A peer is sent changes though it may lack what was garbage-collected.
        case deltaBehindDropped
        /// A peer's writes are taken though it lacks what was garbage-collected here.
        case setBackPeerTaken

        /// A device sends nobody its reports.
        case reportNotTold
        /// Only one round of tombstones is garbage-collected.
        case collectedOnce
        /// Tombstones are garbage-collected before this device has reported them.
        case ownReportNotAwaited

        // MARK: Snapshots

        /// A snapshot removes all that it does not bring, even what its sender does not know.
        case snapshotDeletesOthers
        /// A snapshot removes nothing.
        case snapshotKeepsAbsent
        /// Further garbage collection is asked about at the beginning of a snapshot only; a device that has taken
        /// one is believed to know everything that was garbage-collected meanwhile.
        case snapshotNotAskedAgain

        // MARK: Clears

        /// A clear covers every domain whose text begins like its own.
        case clearByPrefix
        /// A clear of a counter is judged by the domain in which it was counted last.
        case clearByPresentDomain
        /// A record that a clear removes leaves no tombstone.
        case clearWithoutTombstone
        /// Clears are sent in their turn, behind the tombstones that they left.
        case clearsInTurn

        // MARK: Merging

        /// A partial update of what was deleted makes it anew.
        case partialUpdateRevives
        /// A full write keeps fields of the incarnation before it.
        case fullWriteKeepsFields
        /// Counters live on when their scope is cleared.
        case counterSurvivesClear
        /// A device deletes, for all others, what has expired by its clock.
        case expiryAsDeletion
        /// If two incarnations have the same time, the one that arrives last wins.
        case tiesByArrival

        // MARK: Expiry

        /// A device sweeps what has expired by its clock, whatever the clock shows, and whichever devices it has
        /// not met.
        case sweepWhateverTheClock
        /// Only one lane is swept.
        case sweptInOneLane
        /// Only one step is done of what a clear has left to be done.
        case settledInOneStep
        /// Work that clears have left is not tried again after the disk refused it.
        case settlingNotRetried
        /// Two devices also compare what has expired, which one of them may have swept.
        case expiredCompared

        // MARK: Membership of the account

        /// The roster is asked when a session begins, and not when it grows.
        case rosterNotAskedInSessions
        /// The roster is asked when it grows, and not when a session begins.
        case rosterNotAskedAtBeginning
        /// A session is begun with whatever device there is a connection to, of whichever account.
        case accountNotAsked
        /// The admissions by a revoked owner count whether they are on its list of kept ones or not.
        case keptListIgnored
        /// Tombstones wait for a device that is simply gone.
        case removedWaitedFor
        /// The record of a device counts whoever signed it.
        case deviceSignatureNotAsked
        /// A process starts without the revocations that were kept beside its database.
        case keptRevocationsForgotten

        // MARK: Handoff

        /// A device that continues an activity is sent its published state, and not its present one.
        case publishedStateHanded
        /// A device that starts does not know any more which of its activities were taken over.
        case takenForgotten
        /// A device does not learn which of its current activities others deleted.
        case forgottenGoesOn
        /// A record of how something ended, still to be kept, is not discarded when its app deletes what was kept.
        case deletedKeptLater
        /// Nobody waits for the time when an activity is over.
        case expiryNotAwaited
        /// A device does not take back its current activities that it lost and others still have.
        case lostNotTakenBack
        /// A process does not look for the name under which an activity goes on.
        case moveForgotten
        /// A device takes up a record of a current activity whoever wrote it in its name.
        case markNotAsked

        // MARK: Time

        /// Stamps are what the wall clock says.
        case wallClockStamps
        /// The hybrid time begins anew with each process.
        case hybridTimeNotStored
        /// Clocks follow every time, so that one write uses all times up.
        case everyTimeFollowed
        /// An app is not told that its write does not count where a later time stands that no clock shows.
        case outrankedNotTold

        // MARK: Conversation

        /// The index is sent before activities.
        case liveBehindBulk
        /// An app is told that a write is kept before it is.
        case acknowledgedBeforeWrite
        /// A transfer continues one place behind the one that was sent.
        case resumeOffByOne
        /// A session that opens does not know that the person keeps the index on this device.
        case holdForgotten
        /// Settings of which no copy can be read count as if the person had never changed any.
        case lostSettingsForgotten
        /// The settings in the database count, and not those that were kept beside it.
        case keptSettingsForgotten
        /// The successions of lives have the places of what the store makes and of what was staged.
        case successionSharesPlace
        /// A peer that is silent is never given up, however much waits for it.
        case silenceForgotten
        /// Two devices that hold different records do nothing about it.
        case differenceIgnored
        /// People are told that nothing is left to be sent, even if something is.
        case backlogHidden

        // MARK: Clocks behind batches

        /// A batch uses up one time, and not one for each of its changes.
        case batchTakesOneTime
        /// The clock is stored with a batch as its first change shows it.
        case batchTimesNotStored
        /// A device follows the first write of a batch that it is sent, and not the latest one.
        case batchTimesNotFollowed

        // MARK: Privacy at every moment

        /// An activity that was handed over is sent once that is stored, whatever has become of it since.
        case handedWithoutAskingAgain
        /// The record of an activity that a person withholds is sent until its withdrawal is stored.
        case withdrawnStillSent

        // MARK: Timers and false alarms

        /// The time in which a peer must acknowledge something begins with the first batch on the way, whatever the
        /// peer acknowledges meanwhile.
        case acknowledgementsNotCounted
        /// The wait for an acknowledgement begins with the last event before the batch.
        case waitingBeforeSending
        /// Each batch that is sent begins the peer's silence anew.
        case sendingEndsSilence
        /// A peer that takes what waits on a slow connection counts as silent.
        case deliveryNotCounted
        /// Nobody waits for the opening messages to arrive in time.
        case openingNotAwaited
        /// A device takes the writes of a life that it began while it ran for those of another machine.
        case laterLivesNotOwn
        /// Writes that this device lost count as those of another machine.
        case lossTakenForTwin
        /// Writes that went with the power count as a sign that the home is an older copy.
        case powerLossTakenForCopy
        /// The sender of a snapshot does not note what the peer claims with its end.
        case finishedSnapshotNotClaimed
        /// The end of a snapshot carries the place from before the snapshot.
        case finishedPlaceFromBefore
        /// A report that arrives takes the place of the one before it.
        case laterReportReplaces
        /// A claim that arrives takes the place of a larger one.
        case laterClaimReplaces

        // MARK: Lost reasons

        /// An acknowledgement that is not sent yet is erased when a batch of the other lane is kept.
        case acknowledgementErased
        /// Reports that a peer can't be sent yet are discarded together with those that it is sent.
        case laterReportsDiscarded
        /// Reports that arrive while others are being kept take the place of those that wait.
        case waitingReportsReplaced
        /// A lane is not read again after a commit that came while it was read.
        case commitWhileReadingForgotten

        // MARK: Mended by comparing

        /// Nothing is collected once the device has caught up for which tombstones were kept.
        case laterCollectionForgotten
        /// Lost writes that were not looked for while devices were out of step are not looked for later.
        case laterSearchForgotten

        // MARK: Batches that are not merged yet

        /// An update does not wait for what an ended batch has yet to write of its item.
        case pendingNotMergedFirst
        /// Only the oldest of several ended batches is asked for what it has yet to write of an item.
        case laterPendingNotMerged
        /// A draft that is merged before the rest of its batch is named by its place among those of its record.
        case earlyDraftMisnamed

        // MARK: Programs that write to indexes

        /// A write is removed from the spool once it was sent, whether a node has answered or not.
        case spoolNotAwaited
        /// The writes of the spool are sent once nothing else waits, behind later ones.
        case spoolOvertaken
        /// A write of the spool gets another name each time that it is sent.
        case spooledWriteRenamed

        // MARK: Refused subjects of the account

        /// A report that the disk refused is not made again before something else changes.
        case refusedReportForgotten
        /// Only the first kind of several requests that the disk refused is made again.
        case firstRefusalRetried
        /// A statement that the disk refused counts as stored.
        case refusedStatementForgotten
        /// Subjects of the roster that the disk refused once are refused for good.
        case refusedSubjectsStay

        // MARK: Quarantine

        /// The transaction with the quarantined write is claimed, and only what comes behind it is not.
        case quarantinedTransactionClaimed
        /// A quarantined update counts as overwritten by the incarnation that it changes.
        case quarantineEndsEarly
        /// Batches that are merged in steps release no quarantined writes.
        case stepsReleaseNothing
        /// The next process does not know which writes are quarantined.
        case quarantineForgotten

        // MARK: Readers that live long

        /// The words of an item that has changed stay in memory.
        case changedTextKept
        /// The newest items stay the same ones when others arrive.
        case newestNotChosenAnew
        /// Items of an app that was switched off stay in memory, and those of one that was switched on are missing.
        case switchedAppsRemembered
        /// How items are opened is read once.
        case laterUseNotRead
        /// Items stay in memory that a clear has removed.
        case clearedItemsRemembered
        /// Activities stay in memory that were deleted.
        case deletedActivityRemembered
        /// Activities stay in memory that a clear has removed.
        case clearedActivitiesRemembered
        /// The words of all activities are counted once.
        case wordCountsKept
        /// Where there was no room for all activities, those left out don't come back when there is.
        case roomNotFilled
        /// An activity that only this device keeps hides one that others have and that ended later.
        case keptStandsForLater

        // MARK: Results of searches

        /// Items are found that have expired.
        case expiredItemsFound
        /// Words are suggested that only expired items have.
        case expiredItemsSuggested
        /// A query goes on one record too late in those with its words.
        case wordsResumedLate
        /// A query passes over what is left of a scope in the middle of which a step has ended.
        case scopesResumedLate
        /// Later pages show things as they were at the first one.
        case pagesAsTheyWere
        /// Later pages show items of apps that were switched off meanwhile.
        case pagesOfSwitchedApps

        // MARK: Tables of words

        /// Words count for items that were removed.
        case removedWordsCounted
        /// Facts of an item that it did not have at first are not stored.
        case laterFactsMissed
    }
}
