extension ProfileName {
    /// The marks that the worlds of the profile reach, by how many worlds reach each for certain.
    ///
    /// The numbers were measured with 1,000 worlds, or 100 of twins. A run of that length misses a mark at most once in
    /// eight thousand runs.
    private var reach: [Int: [Mark]] {
        switch self {
        case .swarm:
            [
                20: [.tombstonesCollected, .toldAhead, .cutsInFrame, .partsTold, .failedGroups],
                50: [
                    .tombstonesCollectedWhileAway, .statesShown, .statesHeldBack, .batchesUnheard,
                    .duplicates,
                    .halfOpen, .partitions, .fullWindows, .pauses, .lifeGoesOn, .lifeBegins, .forgotten,
                    .clones, .away, .newerWrites, .rubbishClosed, .restlessReached,
                ],
                100: [
                    .oneWay, .powerLosses, .emptied, .rescued, .destroyed, .joined, .rejoined, .clockZero,
                    .clockFar, .oldSessions,
                ],
                200: [.snapshots, .adoptions, .restoredSilent, .clockBack, .expiredActivities],
                500: [
                    .refusals, .restoredWriting, .revoked, .removed, .returned, .misdialled, .pretenders,
                    .handed, .savedForOthers, .takenOver, .takenAlone, .replicasTold, .savedDeleted,
                ],
                1000: [
                    .snapshotsCut, .snapshotsResumed, .fullInSnapshot, .strangeTimes, .ownersRevoked,
                    .refusedByRoster, .sessionsEndedByRoster, .outcasts, .goneTold, .forgottenElsewhere,
                    .forgottenHere, .takenBack,
                ],
                2000: [.moved, .feuds, .strangers, .savedForgotten],
                5000: [.claimsGivenUp, .renewals],
            ]
        case .everyday:
            [
                20: [.toldAhead, .statesShown, .statesHeldBack, .batchesUnheard, .cutsInFrame, .partsTold],
                50: [.fullWindows, .pauses, .lifeGoesOn, .away, .restlessReached],
                100: [.halfOpen, .lifeBegins, .powerLosses],
                200: [.forgotten, .spooled],
                1000: [.piecesLost],
            ]
        case .restores:
            [
                20: [
                    .tombstonesCollected, .tombstonesCollectedWhileAway, .toldAhead, .cutsInFrame, .partsTold,
                    .lifeGoesOn,
                    .lifeBegins, .restoredSilent,
                ],
                50: [
                    .fullWindows, .forgotten, .restoredWriting, .clones, .emptied, .rescued, .away,
                    .restlessReached,
                ],
                100: [.snapshots, .adoptions],
                200: [.snapshotsCut, .refusals, .powerLosses],
                1000: [.snapshotsResumed],
                5000: [.renewals],
            ]
        case .deletions:
            [
                20: [.tombstonesCollected, .tombstonesCollectedWhileAway, .toldAhead, .partsTold],
                50: [.cutsInFrame, .partitions, .fullWindows, .lifeGoesOn, .away, .restlessReached],
                100: [.lifeBegins],
                200: [.powerLosses],
                500: [.forgotten],
                5000: [.snapshots, .refusals],
            ]
        case .indexing:
            [
                20: [.tombstonesCollected, .statesShown, .statesHeldBack, .batchesUnheard, .cutsInFrame],
                50: [
                    .tombstonesCollectedWhileAway, .partsTold, .fullWindows, .lifeGoesOn, .failedGroups,
                    .restlessReached,
                ],
                100: [.lifeBegins, .clocksBehindBatches],
                200: [.toldAhead, .powerLosses],
                1000: [.forgotten],
            ]
        case .snapshots:
            [
                20: [
                    .tombstonesCollected, .tombstonesCollectedWhileAway, .toldAhead, .cutsInFrame, .partsTold,
                    .lifeBegins,
                    .emptied, .joined,
                ],
                50: [
                    .snapshots, .fullWindows, .lifeGoesOn, .forgotten, .failedGroups, .clones,
                    .restlessReached,
                ],
                100: [.snapshotsCut, .snapshotsResumed, .adoptions, .refusals],
                200: [.fullInSnapshot],
                500: [.sendersLost],
                1000: [.claimsGivenUp],
                2000: [.snapshotsAnew],
                5000: [.renewals],
            ]
        case .twins:
            [
                20: [
                    .toldAhead, .adoptions, .statesShown, .statesHeldBack, .batchesUnheard, .cutsInFrame,
                    .lifeGoesOn, .clones,
                ],
                50: [.halfOpen, .partitions, .pauses, .away],
                100: [.lifeBegins],
            ]
        case .expiry:
            [
                20: [.cutsInFrame, .extended],
                50: [
                    .tombstonesCollected, .partsTold, .fullWindows, .pauses, .lifeGoesOn, .lifeBegins, .away,
                    .restlessReached,
                ],
                100: [
                    .tombstonesCollectedWhileAway, .powerLosses, .forgotten, .emptied, .rescued, .joined,
                    .expiredGone,
                ],
                200: [.toldAhead, .clockBack, .clockZero, .clockFar, .swept],
                500: [.adoptions, .restoredSilent],
                1000: [.restoredWriting],
                2000: [.snapshots],
            ]
        case .roster:
            [
                20: [
                    .tombstonesCollected, .tombstonesCollectedWhileAway, .toldAhead, .cutsInFrame, .partsTold,
                    .forgotten,
                    .failedGroups, .revoked, .refusedByRoster, .outcasts, .removed,
                ],
                50: [
                    .duplicates, .partitions, .fullWindows, .pauses, .lifeGoesOn, .lifeBegins, .destroyed,
                    .joined, .away, .ownersRevoked, .strangers, .sessionsEndedByRoster, .returned,
                    .restlessReached, .cameLate,
                ],
                100: [.adoptions, .halfOpen, .emptied, .rescued, .rejoined],
                200: [
                    .snapshots, .powerLosses, .restoredSilent, .restoredWriting, .clockBack, .clockZero,
                    .clockFar, .feuds,
                ],
                500: [.refusals],
                1000: [.renewals, .admittedAnew, .revocationsLost],
                2000: [.snapshotsCut, .snapshotsResumed],
                5000: [.fullInSnapshot],
            ]
        case .accounts:
            [
                20: [
                    .toldAhead, .statesShown, .statesHeldBack, .batchesUnheard, .cutsInFrame, .partsTold,
                    .misdialled, .pretenders,
                ],
                50: [
                    .tombstonesCollected, .tombstonesCollectedWhileAway, .fullWindows, .pauses, .lifeGoesOn,
                    .joined,
                    .away,
                    .restlessReached,
                ],
                100: [.halfOpen, .lifeBegins],
                200: [.powerLosses],
                500: [.forgotten],
                1000: [.snapshots],
                2000: [.snapshotsCut, .adoptions, .refusals],
            ]
        case .continuing:
            [
                20: [
                    .tombstonesCollected, .toldAhead, .cutsInFrame, .partsTold, .failedGroups, .takenAlone,
                    .replicasTold, .savedDeleted, .expiredActivities,
                ],
                50: [
                    .tombstonesCollectedWhileAway, .statesShown, .statesHeldBack, .batchesUnheard,
                    .duplicates,
                    .halfOpen, .partitions, .fullWindows, .pauses, .lifeGoesOn, .lifeBegins, .clones, .away,
                    .handed, .savedForOthers, .takenOver, .goneTold, .forgottenElsewhere, .restlessReached,
                ],
                100: [
                    .oneWay, .powerLosses, .forgotten, .restoredSilent, .restoredWriting, .emptied,
                    .rescued, .forgottenHere, .savedForgotten, .takenBack,
                ],
                200: [.adoptions],
                500: [.snapshots, .handedTooLate],
                1000: [.snapshotsCut, .refusals],
                5000: [.renewals],
            ]
        case .times:
            [
                20: [
                    .tombstonesCollected, .toldAhead, .cutsInFrame, .partsTold, .strangeTimes, .moved,
                    .expiredActivities, .takenBack,
                ],
                50: [
                    .tombstonesCollectedWhileAway, .statesShown, .statesHeldBack, .batchesUnheard,
                    .fullWindows,
                    .pauses, .lifeGoesOn, .failedGroups, .away, .clockBack, .clockZero, .clockFar,
                    .restlessReached,
                ],
                100: [.lifeBegins],
                1000: [.adoptions],
            ]
        case .impostors: [20: [.impersonations]]
        case .searching: [20: [.statesShown]]
        }
    }

    /// The marks that worlds on files reach as well.
    private var reachOnFiles: [Int: [Mark]] {
        switch self {
        case .swarm:
            [20: [.settlingSteps], 100: [.failedMidway], 200: [.damageLosses, .itemsFound, .quotasRefused]]
        case .restores:
            [
                100: [.restoredByProduct], 200: [.backupsRefused, .damageHarmless],
                2000: [.batchesRescued, .searchesRefilled],
            ]
        case .indexing: [50: [.itemsFound, .settledByNext], 200: [.batchesLost, .overtaken]]
        case .searching: [20: [.pagesTaken, .suggested], 50: [.searchesCorrected, .activitiesFound]]
        default: [:]
        }
    }

    /// The marks of happenings that every profile's worlds have.
    private var reachEverywhere: [Int: [Mark]] {
        guard self != .twins else { return [100: [.lasting, .stopped, .failedUpkeep]] }
        return [
            100: [.staged, .stagedBatches, .held, .stopped, .differences, .lasting, .unreadable],
            50: [.framesLate],
            200: [.addressesHeard, .failedUpkeep, .quarantined, .refusedSubjects], 1000: [.conditionsRefused],
        ]
    }

    /// Returns the marks that this many worlds of the profile reach for certain.
    package func marks(in worlds: Int, on store: StoreName) -> [Mark] {
        let reach = [store == .memory ? [:] : reachOnFiles, reachEverywhere].reduce(reach) {
            $0.merging($1) { $0 + $1 }
        }
        return reach.filter { $0.key <= worlds }.values.flatMap(\.self)
    }
}
