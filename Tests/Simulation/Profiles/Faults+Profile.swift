#if MISTAKES
    package import BatonCore
    import Support

    extension Faults.Switch {
        /// Returns worlds in which this mistake comes to light soonest.
        package func profile(for seed: UInt64) -> Profile {
            // A mistake that shows with the product's constants needs no others.
            var profile = family.plainProfile(for: seed)
            // The mistakes show among a few devices.
            profile.nodes = min(profile.nodes, family == .roster ? 5 : 3)
            for (operation, rate) in operations { profile[operation] = rate }
            for (fault, rate) in faults { profile[fault] = rate }
            shape(&profile)
            if isOfSearching {
                var limits = SeededGenerator(seed: seed, for: "searching")
                profile.constants.drawSearch(&limits)
            }
            return profile
        }

        /// The promises that this mistake breaks; a world that breaks only others does not show the mistake.
        package var broken: Set<Promise> {
            switch self {
            case .oneDotARecord, .lifeKeptAfterRestore, .lifeKeptByOneLane, .toldWithoutWitness:
                [.dotsAreUnique]
            case .reportBeforeDurable, .snapshotDeletesOthers, .clearByPrefix, .clearsInTurn,
                .expiryAsDeletion,
                .acknowledgedBeforeWrite:
                [.acknowledgedIsKept]
            case .positionToldAsClaim, .partialBatchClaims, .resumeOffByOne, .rescuedStoreKeepsVector,
                .tombstoneWithoutStability, .tombstoneNotAskedAgain, .snapshotNotAskedAgain:
                // Some of the missing writes that are claimed had ended something that is visible then.
                [.acknowledgedIsKept, .noResurrection]
            case .fullWriteKeepsFields, .clearWithoutTombstone, .clearByPresentDomain, .tiesByArrival:
                [.convergence]
            case .tombstoneByAge, .setBackPeerTaken, .deltaBehindDropped, .snapshotKeepsAbsent,
                .deleteAllLeavesState,
                .partialUpdateRevives, .counterSurvivesClear, .wallClockStamps, .hybridTimeNotStored:
                [.noResurrection]
            case .sweepWhateverTheClock: [.acknowledgedIsKept]
            case .expiredCompared: [.convergence]
            case .stagedRowsTakeDots: [.checkpointsFollowData, .acknowledgedIsKept]
            case .stateShownByOrigin, .uncoveredStateReplaces, .laterPieceBeginsBatch:
                [.checkpointsFollowData]
            case .straysNeverAdopted: [.costFollowsChange]
            case .liveBehindBulk, .publishedStateHanded, .takenForgotten, .forgottenGoesOn,
                .lostNotTakenBack:
                [.freshestPayload]
            case .everyTimeFollowed, .moveForgotten, .markNotAsked: [.freshestPayload]
            case .outrankedNotTold: [.acknowledgedIsKept, .noResurrection, .freshestPayload]
            // An activity that is ended late is sent to nodes that were in step.
            case .expiryNotAwaited: [.freshestPayload, .costFollowsChange]
            case .deletedKeptLater: [.noResurrection]
            case .rosterNotAskedInSessions, .rosterNotAskedAtBeginning, .keptListIgnored, .accountNotAsked,
                .keptRevocationsForgotten:
                [.strangersStayOut]
            case .removedWaitedFor: [.bounds]
            case .deviceSignatureNotAsked: [.convergence, .strangersStayOut, .bounds]
            case .holdForgotten, .lostSettingsForgotten, .keptSettingsForgotten: [.strangersStayOut]
            case .successionSharesPlace: [.dotsAreUnique]
            case .silenceForgotten, .differenceIgnored, .backlogHidden: [.convergence]
            case .lifeKeptAfterFailure: [.convergence]
            case .takenLifeGoesOn, .birthNotWitnessed: [.dotsAreUnique]
            case .sharedOrderKept: [.resumption]
            case .ownReportNotAwaited: [.noResurrection]
            case .givingUpIgnored: [.acknowledgedIsKept]
            case .acknowledgementsNotCounted, .sendingEndsSilence, .deliveryNotCounted, .openingNotAwaited,
                .waitingBeforeSending:
                [.convergence]
            case .laterLivesNotOwn, .lossTakenForTwin, .powerLossTakenForCopy: [.dotsAreUnique]
            case .finishedSnapshotNotClaimed, .finishedPlaceFromBefore: [.resumption]
            case .laterReportReplaces, .laterClaimReplaces: [.acknowledgedIsKept]
            case .acknowledgementErased: [.convergence]
            case .commitWhileReadingForgotten: [.convergence, .freshestPayload]
            case .laterReportsDiscarded, .waitingReportsReplaced, .laterCollectionForgotten: [.bounds]
            case .laterSearchForgotten: [.costFollowsChange, .bounds]
            case .refusedReportForgotten, .firstRefusalRetried, .refusedSubjectsStay:
                [.bounds, .strangersStayOut, .convergence]
            case .refusedStatementForgotten: [.strangersStayOut, .convergence]
            case .quarantinedTransactionClaimed: [.convergence]
            case .quarantineForgotten: [.convergence, .acknowledgedIsKept]
            case .quarantineEndsEarly: [.acknowledgedIsKept, .convergence]
            case .stepsReleaseNothing: [.convergence, .unknownIsKept]
            case .reportNotTold, .collectedOnce, .sweptInOneLane, .settledInOneStep, .settlingNotRetried:
                [.bounds]
            case .batchTakesOneTime, .batchTimesNotStored, .batchTimesNotFollowed: [.noResurrection]
            case .handedWithoutAskingAgain: [.strangersStayOut, .freshestPayload]
            case .withdrawnStillSent: [.strangersStayOut]
            case .spoolNotAwaited, .spoolOvertaken, .spooledWriteRenamed: [.acknowledgedIsKept]
            case .pendingNotMergedFirst, .laterPendingNotMerged: [.acknowledgedIsKept]
            case .earlyDraftMisnamed: [.acknowledgedIsKept, .dotsAreUnique]
            // All others are mistakes of searching.
            default: [.acknowledgedIsKept, .convergence, .noResurrection]
            }
        }

        /// The kind of stores in which this mistake can be seen.
        package var store: StoreName {
            switch self {
            case .settledInOneStep, .settlingNotRetried: .sqlite
            case .pendingNotMergedFirst, .laterPendingNotMerged, .earlyDraftMisnamed: .sqlite
            case .stepsReleaseNothing, .quarantineForgotten: .sqlite
            default: isOfSearching ? .sqlite : .memory
            }
        }

        /// Whether searches alone show the mistake.
        private var isOfSearching: Bool {
            switch self {
            case .changedTextKept, .newestNotChosenAnew, .switchedAppsRemembered, .laterUseNotRead,
                .clearedItemsRemembered, .deletedActivityRemembered, .clearedActivitiesRemembered,
                .wordCountsKept, .roomNotFilled, .keptStandsForLater,
                .expiredItemsFound, .expiredItemsSuggested, .wordsResumedLate, .scopesResumedLate,
                .pagesAsTheyWere, .pagesOfSwitchedApps, .removedWordsCounted, .laterFactsMissed:
                true
            default: false
            }
        }

        private var family: ProfileName {
            switch self {
            case .stateShownByOrigin, .uncoveredStateReplaces, .deleteAllLeavesState, .stagedRowsTakeDots,
                .laterPieceBeginsBatch:
                .indexing
            case .snapshotKeepsAbsent, .rescuedStoreKeepsVector, .lifeKeptAfterRestore, .lifeKeptByOneLane,
                .straysNeverAdopted,
                .setBackPeerTaken, .reportBeforeDurable, .deltaBehindDropped:
                .restores
            case .snapshotDeletesOthers, .snapshotNotAskedAgain: .snapshots
            case .hybridTimeNotStored, .wallClockStamps, .liveBehindBulk, .acknowledgedBeforeWrite,
                .toldWithoutWitness, .holdForgotten, .silenceForgotten, .differenceIgnored, .backlogHidden:
                .everyday
            case .successionSharesPlace: .indexing
            case .sweepWhateverTheClock, .expiredCompared: .expiry
            case .rosterNotAskedInSessions, .rosterNotAskedAtBeginning, .keptListIgnored, .removedWaitedFor,
                .deviceSignatureNotAsked, .keptRevocationsForgotten:
                .roster
            case .accountNotAsked: .accounts
            case .acknowledgementErased, .commitWhileReadingForgotten: .everyday
            case .laterCollectionForgotten, .laterSearchForgotten: .restores
            case .lifeKeptAfterFailure: .indexing
            case .takenLifeGoesOn, .sharedOrderKept: .twins
            case .birthNotWitnessed: .everyday
            case .givingUpIgnored: .snapshots
            case .sweptInOneLane: .expiry
            case .settledInOneStep, .settlingNotRetried: .indexing
            case .pendingNotMergedFirst, .laterPendingNotMerged, .earlyDraftMisnamed: .indexing
            case .spoolNotAwaited, .spoolOvertaken, .spooledWriteRenamed: .everyday
            case .publishedStateHanded, .takenForgotten, .forgottenGoesOn, .deletedKeptLater,
                .expiryNotAwaited,
                .lostNotTakenBack, .lostSettingsForgotten, .keptSettingsForgotten:
                .continuing
            case .refusedReportForgotten, .firstRefusalRetried: .restores
            case .refusedStatementForgotten, .refusedSubjectsStay: .roster
            case .quarantinedTransactionClaimed, .quarantineEndsEarly, .quarantineForgotten: .everyday
            case .stepsReleaseNothing: .indexing
            case .markNotAsked: .impostors
            case .batchTakesOneTime, .batchTimesNotStored, .batchTimesNotFollowed: .indexing
            case .handedWithoutAskingAgain, .withdrawnStillSent: .continuing
            case .acknowledgementsNotCounted, .sendingEndsSilence, .deliveryNotCounted, .openingNotAwaited,
                .waitingBeforeSending:
                .everyday
            case .laterLivesNotOwn, .lossTakenForTwin, .powerLossTakenForCopy: .everyday
            case .finishedSnapshotNotClaimed, .finishedPlaceFromBefore: .snapshots
            case .everyTimeFollowed, .outrankedNotTold, .moveForgotten: .times
            default: isOfSearching ? .searching : .deletions
            }
        }

        /// The operations that happen more often than usual.
        private var operations: [Operation: Int] {
            switch self {
            case .clearByPrefix, .clearWithoutTombstone, .counterSurvivesClear:
                [.clear: 200, .write: 300]
            case .clearByPresentDomain: [.clear: 300, .write: 900, .change: 0, .report: 0]
            case .clearsInTurn: [.clear: 20, .write: 900, .change: 0, .report: 0]
            case .deleteAllLeavesState: [.clear: 100]
            case .holdForgotten: [.hold: 80]
            case .successionSharesPlace, .laterPieceBeginsBatch: [.stage: 400]
            case .stateShownByOrigin, .uncoveredStateReplaces: [.index: 400]
            case .straysNeverAdopted: [.report: 100]
            case .acknowledgementsNotCounted, .sendingEndsSilence: [.write: 900]
            case .waitingBeforeSending: [.write: 60, .activity: 30, .change: 0, .index: 0, .show: 0]
            case .deliveryNotCounted: [.bulk: 60]
            case .laterReportReplaces, .laterClaimReplaces: [.report: 300]
            case .lifeKeptByOneLane: [.index: 200, .write: 20, .change: 0, .activity: 0, .clear: 0]
            case .tiesByArrival: [.write: 900, .change: 900, .clear: 100, .report: 0]
            case .snapshotKeepsAbsent: [.change: 300, .report: 400]
            case .setBackPeerTaken: [.change: 300, .report: 800]
            case .deltaBehindDropped: [.change: 400, .report: 500]
            case .snapshotNotAskedAgain: [.write: 60, .change: 150, .report: 250]
            case .tombstoneWithoutStability, .givingUpIgnored:
                [.report: 1000, .write: 150, .change: 400, .clear: 0, .activity: 400]
            case .tombstoneNotAskedAgain: [.report: 400, .write: 400, .change: 500]
            case .tombstoneByAge: [.report: 250, .change: 300]
            case .settledInOneStep: [.stage: 300, .clear: 100]
            case .settlingNotRetried: [.stage: 400, .clear: 150]
            case .pendingNotMergedFirst, .earlyDraftMisnamed: [.overtake: 300]
            case .laterPendingNotMerged: [.overtake: 600]
            case .spoolNotAwaited, .spoolOvertaken, .spooledWriteRenamed: [.save: 300]
            case .ownReportNotAwaited: [.report: 400]
            case .publishedStateHanded, .takenForgotten: [.act: 300, .goOn: 500, .forget: 0, .deleteSaved: 0]
            case .forgottenGoesOn: [.act: 100, .forget: 150]
            case .deletedKeptLater: [.act: 600, .deleteSaved: 400]
            case .expiryNotAwaited: [.act: 100]
            case .lostNotTakenBack: [.act: 150]
            case .lostSettingsForgotten, .keptSettingsForgotten: [.act: 400, .hide: 100]
            case .keptRevocationsForgotten: [.revoke: 60]
            case .markNotAsked: [.act: 300]
            case .rosterNotAskedInSessions, .rosterNotAskedAtBeginning, .keptListIgnored: [.revoke: 60]
            case .deviceSignatureNotAsked: [.forge: 100]
            case .batchTakesOneTime, .batchTimesNotStored, .batchTimesNotFollowed: [.stage: 400]
            case .handedWithoutAskingAgain: [.act: 300, .goOn: 600, .hide: 60]
            case .withdrawnStillSent: [.act: 200, .hide: 60]
            case .deletedActivityRemembered, .clearedActivitiesRemembered, .roomNotFilled,
                .keptStandsForLater, .wordCountsKept:
                [.act: 500, .goOn: 100, .deleteSaved: 100, .forget: 60, .search: 900]
            case .pagesOfSwitchedApps, .pagesAsTheyWere: [.search: 900]
            case .expiredItemsSuggested: [.search: 900]
            default: [:]
            }
        }

        /// The faults that happen more often than usual.
        private var faults: [Fault: Int] {
            switch self {
            case .rescuedStoreKeepsVector: [.rescue: 40]
            case .sendingEndsSilence: [.oneWay: 60, .halfOpen: 60]
            case .deliveryNotCounted: [.slowReader: 200]
            case .laterLivesNotOwn: [.failedGroup: 200]
            case .lossTakenForTwin, .powerLossTakenForCopy: [.powerLoss: 100]
            case .lifeKeptAfterFailure: [.failedGroup: 200, .fullDisk: 40]
            case .successionSharesPlace: [.powerLoss: 60]
            case .laterPieceBeginsBatch: [.crash: 40, .stop: 20]
            case .spoolNotAwaited, .spoolOvertaken, .spooledWriteRenamed: [.crash: 80, .stop: 40]
            case .birthNotWitnessed: [.clock: 200, .failedGroup: 300]
            case .givingUpIgnored:
                [.loseSender: 900, .join: 100, .slowReader: 300, .cut: 20, .crash: 0, .empty: 0]
            case .settlingNotRetried: [.failedUpkeep: 600]
            case .lifeKeptByOneLane: [.backup: 150, .restore: 100]
            case .tiesByArrival: [.clock: 0, .crash: 0, .powerLoss: 0, .away: 0, .partition: 0, .cut: 0]
            case .setBackPeerTaken: [.restore: 40, .backup: 60, .clone: 0, .clock: 100]
            case .sweepWhateverTheClock: [.clock: 10]
            case .deltaBehindDropped: [.restore: 60, .backup: 80, .clone: 0]
            case .snapshotNotAskedAgain: [.clone: 60, .empty: 0, .join: 0, .cut: 0, .fullInSnapshot: 700]
            case .straysNeverAdopted: [.destroy: 20, .powerLoss: 80]
            case .reportBeforeDurable: [.powerLoss: 80]
            case .hybridTimeNotStored: [.clock: 60, .crash: 60]
            case .wallClockStamps: [.clock: 60]
            case .acknowledgedBeforeWrite, .toldWithoutWitness: [.crash: 60]
            case .rosterNotAskedAtBeginning: [.cut: 100]
            case .keptListIgnored: [.join: 40]
            case .removedWaitedFor: [.destroy: 20]
            case .moveForgotten: [.crash: 80]
            case .lostSettingsForgotten: [.loseSettings: 60, .clone: 0]
            case .keptSettingsForgotten: [.backup: 80, .restore: 60, .clone: 0, .loseSettings: 0]
            case .keptRevocationsForgotten: [.backup: 80, .restore: 60, .empty: 20]
            case .markNotAsked: [.impersonate: 100]
            case .takenForgotten: [.crash: 80, .restore: 0, .clone: 0, .empty: 0, .rescue: 0]
            case .publishedStateHanded: [.restore: 0, .clone: 0, .empty: 0, .rescue: 0]
            case .deletedKeptLater: [.failedGroup: 200, .fullDisk: 60, .clone: 0]
            case .lostNotTakenBack: [.backup: 60, .restore: 40, .empty: 20]
            case .clearsInTurn: [.cut: 120, .powerLoss: 60, .crash: 0, .away: 0, .partition: 0]
            case .tombstoneWithoutStability:
                [
                    .clone: 100, .slowReader: 400, .fullInSnapshot: 700, .cut: 0, .away: 0, .crash: 0,
                    .powerLoss: 0, .partition: 0,
                ]
            case .tombstoneNotAskedAgain: [.cut: 0, .away: 0, .crash: 0, .powerLoss: 0, .partition: 0]
            case .batchTakesOneTime, .batchTimesNotStored, .batchTimesNotFollowed: [.clockBehindBatch: 500]
            case .handedWithoutAskingAgain: [.clone: 0]
            case .withdrawnStillSent: [.clone: 0, .failedGroup: 100]
            default: [:]
            }
        }

        /// Shapes the profile so that the mistake comes to light.
        private func shape(_ profile: inout Profile) {
            // Sending activities ahead hides which write came first.
            if [.tiesByArrival, .tombstoneWithoutStability].contains(self) { profile.tellsAhead = false }
            switch self {
            case .tiesByArrival:
                // Several devices write to the same keys in the same millisecond, and hear of each other afterwards.
                (profile.delay, profile.pace, profile.keys, profile.burst) = (1, 0, 8, 2)
                (profile.nodes, profile.shape, profile.connecting, profile.steps) = (3, .full, 500, 80)
            case .setBackPeerTaken:
                // A device whose clock is set back writes older stamps than those that all others collected.
                (profile.delay, profile.pace, profile.keys, profile.steps) = (2, 20, 4, 100)
            case .stateShownByOrigin, .uncoveredStateReplaces: (profile.nodes, profile.batchBytes) = (3, 200)
            case .straysNeverAdopted: profile.syncing = 5
            // Disks are slow, so that much happens while something is being stored.
            case .handedWithoutAskingAgain:
                (profile.delay, profile.pace, profile.steps) = (100, 20, 150)
            case .silenceForgotten, .openingNotAwaited: profile.lasting = .mute
            case .acknowledgementsNotCounted:
                // Something is on the way all the time.
                (profile.delay, profile.pace, profile.steps) = (200, 50, 200)
                profile.constants.secondsToAcknowledge = 4
            case .waitingBeforeSending:
                // Nobody says anything for longer than a peer may take to acknowledge.
                (profile.pace, profile.connecting, profile.steps) = (2000, 500, 60)
                profile.constants.secondsToAcknowledge = 5
            case .sendingEndsSilence:
                (profile.pace, profile.connecting, profile.steps) = (1000, 500, 60)
                profile.constants.secondsToAcknowledge = 5
            case .deliveryNotCounted: (profile.delay, profile.pace, profile.steps) = (200, 500, 60)
            case .lossTakenForTwin, .powerLossTakenForCopy: profile.syncing = 5
            case .acknowledgementErased: profile.lateFrames = 50
            case .laterCollectionForgotten, .laterSearchForgotten:
                profile.comparesStates = false
            case .differenceIgnored: profile.plantsDifference = true
            // Snapshots take many batches, so that many devices are lost while they send one.
            case .givingUpIgnored:
                (profile.nodes, profile.steps) = (3, 80)
                (profile.tellsAhead, profile.batchBytes) = (false, 200)
            case .tombstoneNotAskedAgain:
                // Records whose tombstones are collected are written anew in the next moment.
                (profile.nodes, profile.connecting, profile.keys) = (2, 500, 2)
                (profile.delay, profile.pace, profile.steps) = (2, 2, 60)
                profile.batchBytes = 10_000
            case .clearsInTurn:
                // Much waits to be sent, batch by batch, and none of it survives a power loss.
                (profile.nodes, profile.shape, profile.connecting, profile.keys) = (3, .chain, 160, 30)
                (profile.delay, profile.pace, profile.steps) = (20, 20, 100)
                (profile.batchBytes, profile.burst, profile.syncing) = (1, 1, 0)
            case .snapshotNotAskedAgain:
                // A copy takes a snapshot, range by range, of what its other half has reported.
                (profile.nodes, profile.keys, profile.batchBytes) = (2, 16, 1)
                (profile.delay, profile.pace, profile.steps) = (20, 100, 100)
            case .tombstoneWithoutStability:
                // Tombstones that one copy of a device has reported are collected although the other copy lacks them.
                // The records that they had ended come back from that copy in a range that is long on its way.
                (profile.nodes, profile.shape, profile.connecting, profile.keys) = (2, .chain, 600, 16)
                (profile.delay, profile.pace, profile.steps) = (5, 50, 150)
                (profile.batchBytes, profile.burst, profile.slowLanes) = (200, 4, 0)
                profile.syncing = 95
            default: break
            }
        }
    }
#endif
