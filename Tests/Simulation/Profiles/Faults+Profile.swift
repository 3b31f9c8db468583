#if DEBUG
    package import BatonCore

    extension Faults.Switch {
        /// The worlds in which this mistake comes to light soonest.
        package func profile(for seed: UInt64) -> Profile {
            var profile = family.profile(for: seed)
            // What matters happens among a few.
            profile.nodes = min(profile.nodes, 3)
            for (operation, rate) in operations { profile[operation] = rate }
            for (fault, rate) in faults { profile[fault] = rate }
            if self == .tiesByArrival {
                // Several devices write to one key in the same millisecond.
                (profile.delay, profile.pace, profile.keys, profile.burst) = (1, 1, 2, 4)
            }
            if self == .tombstoneWithoutStability {
                // A write must be on its way for longer than news of all others take.
                (profile.nodes, profile.shape, profile.connecting, profile.keys) = (3, .full, 500, 2)
                (profile.delay, profile.pace, profile.steps) = (20, 40, 100)
            }
            return profile
        }

        private var family: ProfileName {
            switch self {
            case .stateShownByOrigin, .uncoveredStateReplaces, .deleteAllLeavesState, .stagedRowsTakeDots:
                .indexing
            case .snapshotKeepsAbsent, .rescuedStoreKeepsVector, .lifeKeptAfterRestore, .straysNeverAdopted,
                .setBackPeerTaken,
                .reportBeforeDurable:
                .restores
            case .snapshotDeletesOthers, .snapshotNotAskedAgain, .deltaBehindDropped: .snapshots
            case .hybridTimeNotStored, .wallClockStamps, .liveBehindBulk, .acknowledgedBeforeWrite: .everyday
            default: .deletions
            }
        }

        /// What is done more often than usual.
        private var operations: [Operation: Int] {
            switch self {
            case .clearByPrefix, .clearByPresentDomain, .clearWithoutTrace, .clearsInTurn,
                .counterSurvivesClear:
                [.clear: 200, .write: 300]
            case .deleteAllLeavesState: [.clear: 100]
            case .tiesByArrival: [.write: 900, .change: 900]
            case .setBackPeerTaken, .snapshotKeepsAbsent, .snapshotNotAskedAgain:
                [.change: 300, .report: 400]
            case .tombstoneWithoutStability: [.report: 800, .write: 300, .change: 500]
            case .tombstoneNotAskedAgain, .tombstoneByAge: [.report: 250, .change: 300]
            default: [:]
            }
        }

        /// What goes wrong more often than usual.
        private var faults: [Fault: Int] {
            switch self {
            case .rescuedStoreKeepsVector: [.rescue: 40]
            case .setBackPeerTaken: [.clock: 100, .restore: 40, .backup: 60]
            case .snapshotNotAskedAgain: [.cut: 60]
            case .straysNeverAdopted: [.destroy: 40, .powerLoss: 40]
            case .reportBeforeDurable: [.powerLoss: 80]
            case .hybridTimeNotStored: [.clock: 60, .crash: 60]
            case .wallClockStamps: [.clock: 60]
            case .acknowledgedBeforeWrite: [.crash: 60]
            case .tombstoneWithoutStability:
                [.slowReader: 200, .away: 0, .crash: 0, .powerLoss: 0, .partition: 0]
            default: [:]
            }
        }

        /// Why no world can find it yet, if that is so.
        package var unfound: String? {
            switch self {
            case .clearsInTurn:
                "the checkers forgive a trace whose clear was lost, whoever told it first"
            case .tombstoneWithoutStability:
                "a write must still be on its way when all have reported its deletion, and no world is slow enough"
            case .snapshotNotAskedAgain:
                "what was let go during a snapshot is rarely what an earlier range told"
            default: nil
            }
        }
    }
#endif
