#if DEBUG
    /// Mistakes that can be planted, so that tests see whether the simulator finds them.
    ///
    /// They exist in debug builds only. Each stands beside the line that it breaks, and is one that such a system is
    /// easily built with. One is planted for a scope, so that worlds with different ones can be played side by side.
    package enum Faults {
        /// The mistake that is made in this task, if one is.
        @TaskLocal package static var planted: Switch?

        package static func isPlanted(_ fault: Switch) -> Bool { planted == fault }

        package enum Switch: String, CaseIterable, Sendable {
            // MARK: Dots and claims

            /// A record keeps the dot of its last write alone, in which all that survives of it goes out.
            case oneDotARecord
            /// Where the reading for a peer stands is told to it as a claim, of what is not claimed here.
            case positionToldAsClaim
            /// `complete` is advanced by the writes of a batch that is not whole.
            case partialBatchClaims
            /// An app's batch takes its dot when its rows are staged, and others are kept before it ends.
            case stagedRowsTakeDots
            /// A rescued store claims what it claimed before, and not only what it still has.
            case rescuedStoreKeepsVector
            /// A life goes on after an older state of the store was put back.
            case lifeKeptAfterRestore
            /// A life goes on where the store agrees with what was noted of one lane, whatever became of the other.
            case lifeKeptByOneLane
            /// Others are told of a transaction before it is kept, and nothing outside the store knows of that.
            case toldWithoutWitness
            /// What the dead and earlier lives left behind is adopted by nobody.
            case straysNeverAdopted

            /// A life goes on behind a write that was not kept.
            case lifeKeptAfterFailure
            /// A life goes on though another machine writes in it.
            case takenLifeGoesOn

            // MARK: Client states

            /// What a client state covers of its own origin is believed to have come before it, in that order.
            case stateShownByOrigin
            /// The newest client state takes the place of the shown one though it is not covered.
            case uncoveredStateReplaces
            /// A clear of all of an index leaves its client state.
            case deleteAllLeavesState

            // MARK: Letting go

            /// A device reports what would not survive the loss of power.
            case reportBeforeDurable
            /// A tombstone is let go though a device has reported what is not here.
            case tombstoneWithoutStability
            /// Tombstones are chosen in one transaction and let go in a later one, whatever stands there then.
            case tombstoneNotAskedAgain
            /// Tombstones are let go once they are old, and nobody is told.
            case tombstoneByAge
            /// A peer is sent changes though it may lack what was let go.
            case deltaBehindDropped
            /// A peer's writes are taken though it lacks what was let go here.
            case setBackPeerTaken

            /// A device keeps to itself what it reports.
            case reportNotTold
            /// Only as many traces go as are let go at once.
            case collectedOnce

            // MARK: Snapshots

            /// A snapshot removes all that it does not bring, also what its sender does not know.
            case snapshotDeletesOthers
            /// A snapshot removes nothing.
            case snapshotKeepsAbsent
            /// Whether more was let go is asked at the beginning of a snapshot only; who has taken one is believed to
            /// know all that was let go meanwhile.
            case snapshotNotAskedAgain

            // MARK: Clears

            /// A clear covers every domain whose text begins like its own.
            case clearByPrefix
            /// A clear of a counter is judged by the domain in which it was counted last.
            case clearByPresentDomain
            /// What a clear removes leaves no trace.
            case clearWithoutTrace
            /// Clears are told in their turn, behind the traces that they left.
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
            /// Of two incarnations of one time the one that comes last wins.
            case tiesByArrival

            // MARK: Expiry

            /// A device sweeps what has expired by its clock, whatever that says, and whoever it has not met.
            case sweepWhateverTheClock
            /// Only one lane is swept.
            case sweptInOneLane
            /// Of what a clear has left to be done, one step is done.
            case settledInOneStep
            /// Two devices compare also what has expired, which one of them may have swept.
            case expiredCompared

            // MARK: Who belongs to the account

            /// The roster is asked when a session begins, and not when it grows.
            case rosterNotAskedInSessions
            /// The roster is asked when it grows, and not when a session begins.
            case rosterNotAskedAtBeginning
            /// A session is begun with whatever device there is a connection to, of whichever account.
            case accountNotAsked
            /// What a revoked owner admits counts whether it is kept or not.
            case keptListIgnored
            /// Traces wait for a device that is simply gone.
            case removedWaitedFor

            // MARK: Handing over

            /// Who goes on with an activity is told what was published of it, and not how it is now.
            case publishedStateHanded
            /// A device that starts does not know any more which of its activities were taken over.
            case takenForgotten
            /// A device is not told what others deleted of what is going on there.
            case forgottenGoesOn
            /// What waits to be kept of how something ended is not let go as its app deletes what was kept.
            case deletedKeptLater
            /// Nobody waits for the time when an activity is over.
            case expiryNotAwaited
            /// What a device lost of what is going on there, and others still have, is left to them.
            case lostNotTakenBack
            /// A process does not look for the name under which an activity goes on.
            case moveForgotten

            // MARK: Time

            /// Stamps are what the wall clock says.
            case wallClockStamps
            /// The hybrid time begins anew with each process.
            case hybridTimeNotStored
            /// Clocks follow every time, so that one write uses all times up.
            case everyTimeFollowed
            /// An app that writes where a later time stands that no clock shows is not told that its write does not count.
            case outrankedNotTold

            // MARK: Conversation

            /// The index is sent before activities.
            case liveBehindBulk
            /// An app is told that a write is kept before it is.
            case acknowledgedBeforeWrite
            /// A transfer goes on one place behind the one that was told.
            case resumeOffByOne
            /// A session that opens does not know that the person keeps the index on this device.
            case holdForgotten
            /// The successions of lives have the places of what the store makes and of what was staged.
            case successionSharesPlace
            /// A silent peer is waited for anew with each batch that is sent to it.
            case silenceForgotten
            /// Two devices that hold different records do nothing about it.
            case differenceIgnored
            /// People are told that nothing is left to be sent, whatever is.
            case backlogHidden
        }
    }
#endif
