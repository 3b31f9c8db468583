#if MISTAKES
    import BatonCore
    import Simulation

    extension Simulate {
        /// Tells the smallest world in which a planted mistake breaks a promise; returns whether it does.
        static func tell(_ mistake: Faults.Switch, _ seed: UInt64) -> Bool {
            Faults.$planted.withValue(mistake) {
                let profile = mistake.profile(for: seed)
                guard let violation = World(seed: seed, profile: profile, on: mistake.store).run() else {
                    say("seed \(seed) keeps all promises in spite of \(mistake)")
                    return false
                }
                let shrinker = Shrinker(
                    seed: seed, profile: profile, on: mistake.store, breaking: violation.promise)
                let command = "make mistakes SEED=\(seed) ONLY=\(mistake)"
                tellFailure(of: shrinker, command, violation, lines: .max)
                return true
            }
        }

        /// Plays worlds in which a mistake is planted; returns whether one of them found it.
        static func find(_ mistake: Faults.Switch, _ seeds: ClosedRange<UInt64>) async -> Bool {
            var (found, others) = (0, 0)
            await onAllCores(seeds) { seed in
                mistake.play(seed)
            } note: { seed, violation in
                guard let violation else { return }
                guard mistake.broken.contains(violation.promise) else {
                    others += 1
                    return say("seed \(seed) breaks another promise: \(violation)")
                }
                found += 1
                say("seed \(seed) finds \(mistake): \(violation)")
            }
            say("\(found) of \(seeds.count) worlds find \(mistake), \(others) break another promise")
            return found > 0
        }

        /// Looks for a world that finds each mistake; returns whether there is one for all of them.
        static func find(_ mistakes: [Faults.Switch]) async -> Bool {
            let began = ContinuousClock.now
            var missed: [Faults.Switch] = []
            await onAllCores(mistakes) { mistake in
                mistake.find()
            } note: { mistake, found in
                guard let found else {
                    missed.append(mistake)
                    return say("\(mistake): NOT FOUND by any world")
                }
                let kept = mistake.keptSeed.map { $0 == found.seed ? "" : ", no longer by \($0)" } ?? ""
                say("\(mistake): found by seed \(found.seed)\(kept), \(found.violation)")
            }
            let seconds = began.duration(to: .now).components.seconds
            say("worlds found \(mistakes.count - missed.count) of \(mistakes.count) mistakes in \(seconds) s")
            if !missed.isEmpty { say("not found: \(missed.map(\.rawValue).joined(separator: " "))") }
            return missed.isEmpty
        }
    }

    extension Faults.Switch {
        /// The worlds that found the mistakes which show in few worlds; any change may lead these elsewhere.
        private static let kept: [Self: UInt64] = [
            .acknowledgedBeforeWrite: 29,
            .acknowledgementErased: 23,
            .batchTimesNotStored: 7,
            .changedTextKept: 15,
            .clearedActivitiesRemembered: 17,
            .clearedItemsRemembered: 7,
            .clearsInTurn: 5,
            .deletedActivityRemembered: 13,
            .deliveryNotCounted: 64,
            .deltaBehindDropped: 50,
            .expiredItemsSuggested: 15,
            .expiryNotAwaited: 26,
            .forgottenGoesOn: 17,
            .givingUpIgnored: 50,
            .handedWithoutAskingAgain: 9,
            .hybridTimeNotStored: 9,
            .keptStandsForLater: 7,
            .laterClaimReplaces: 20,
            .laterCollectionForgotten: 60,
            .laterLivesNotOwn: 13,
            .laterPieceBeginsBatch: 7,
            .laterSearchForgotten: 132,
            .lifeKeptAfterFailure: 9,
            .lifeKeptAfterRestore: 5,
            .lossTakenForTwin: 29,
            .lostNotTakenBack: 5,
            .lostSettingsForgotten: 44,
            .moveForgotten: 9,
            .newestNotChosenAnew: 15,
            .pagesAsTheyWere: 10,
            .pagesOfSwitchedApps: 3,
            .partialBatchClaims: 5,
            .partialUpdateRevives: 21,
            .positionToldAsClaim: 7,
            .publishedStateHanded: 13,
            .quarantineEndsEarly: 30,
            .quarantineForgotten: 61,
            .reportBeforeDurable: 21,
            .rescuedStoreKeepsVector: 15,
            .roomNotFilled: 21,
            .settlingNotRetried: 4,
            .sharedOrderKept: 4,
            .snapshotDeletesOthers: 7,
            .snapshotKeepsAbsent: 8,
            .snapshotNotAskedAgain: 24,
            .stagedRowsTakeDots: 4,
            .stepsReleaseNothing: 33,
            .straysNeverAdopted: 12,
            .sweepWhateverTheClock: 5,
            .switchedAppsRemembered: 70,
            .takenForgotten: 25,
            .takenLifeGoesOn: 4,
            .tiesByArrival: 43,
            .toldWithoutWitness: 10,
            .tombstoneByAge: 5,
            .tombstoneNotAskedAgain: 65,
            .tombstoneWithoutStability: 103,
            .waitingBeforeSending: 85,
            .waitingReportsReplaced: 2,
            .wordCountsKept: 45,
        ]

        /// The seed of the world that found this mistake last, if it shows in few worlds.
        fileprivate var keptSeed: UInt64? { Self.kept[self] }

        /// Plays a world in which this mistake is planted; returns the promise that it breaks.
        fileprivate func play(_ seed: UInt64) -> Violation? {
            Faults.$planted.withValue(self) {
                World(seed: seed, profile: profile(for: seed), on: store).run()
            }
        }

        /// Returns a world that breaks the promise of this mistake: the kept one, or else the first one of a hundred.
        ///
        /// A world that breaks a promise without the mistake proves nothing.
        fileprivate func find() -> (seed: UInt64, violation: Violation)? {
            for seed in (keptSeed.map { [$0] } ?? []) + Array(1...100) {
                guard let violation = play(seed), broken.contains(violation.promise),
                    World(seed: seed, profile: profile(for: seed), on: store).run() == nil
                else { continue }
                return (seed, violation)
            }
            return nil
        }
    }
#endif
