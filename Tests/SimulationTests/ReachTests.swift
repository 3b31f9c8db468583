import Simulation
import Testing

@Suite struct `Simulated worlds` {
    /// Plays worlds until each of these events has happened often enough; an event that no seed reaches is not tested.
    private func reach(
        _ wanted: [Mark], _ times: Int = 1, in profiles: ProfileName..., seeds: ClosedRange<UInt64>
    ) {
        var marks = Marks()
        for seed in seeds {
            for name in profiles {
                let world = World(seed: seed, name)
                _ = world.run()
                marks += world.marks
            }
            if wanted.allSatisfy({ marks[$0] >= times }) { return }
        }
        for mark in wanted { #expect(marks[mark] >= times, "\(mark.rawValue): \(marks[mark])") }
    }

    @Test func `reach rare events of snapshots and restorations`() {
        reach(
            [
                .tombstonesCollected, .tombstonesCollectedWhileAway, .snapshots, .snapshotsCut,
                .snapshotsResumed, .renewals, .restoredWriting,
            ], in: .snapshots, .restores, seeds: 241...300)
    }

    @Test func `reach rare events of the roster`() {
        reach(
            [
                .revoked, .ownersRevoked, .feuds, .strangers, .refusedByRoster, .sessionsEndedByRoster,
                .outcasts, .removed, .returned,
            ], in: .roster, seeds: 1...80)
    }

    @Test func `reach rare events of continued activities`() {
        reach(
            [
                .handed, .savedForOthers, .takenOver, .takenAlone, .replicasTold, .goneTold, .forgottenHere,
                .forgottenElsewhere, .savedForgotten, .savedDeleted, .expiredActivities, .takenBack,
            ], 6, in: .continuing, seeds: 1...100)
    }

    @Test func `reach rare events of two accounts side by side`() {
        reach([.misdialled, .pretenders], 11, in: .accounts, seeds: 1...20)
    }

    /// Checks that worlds with stores in files reach the events that only files have.
    @Test func `reach rare disk events on SQLite stores`() {
        let wanted = [Mark.failedMidway, .damageLosses, .settlingSteps]
        var marks = Marks()
        // Damage often hits an index, which costs nothing.
        for seed in 1...60 as ClosedRange<UInt64> where !wanted.allSatisfy({ marks[$0] > 0 }) {
            var profile = ProfileName.restores.profile(for: seed)
            (profile.steps, profile[.rescue], profile[.failedGroup]) = (20, 40, 60)
            let world = World(seed: seed, profile: profile, on: .sqlite)
            #expect(world.run() == nil, "seed \(seed)")
            marks += world.marks
        }
        for mark in wanted { #expect(marks[mark] > 0, "\(mark.rawValue)") }
    }

    /// A long run fails if it misses a mark that its worlds reach for certain.
    ///
    /// A mark that no profile demands could be missed unnoticed.
    @Test func `have profiles that together demand every mark`() {
        let demanded = Set(ProfileName.allCases.flatMap { $0.marks(in: 10_000, on: .sqlite) })
        #expect(Mark.allCases.filter { !demanded.contains($0) } == [])
        var marks = Marks()
        #expect(marks.missing(of: .times, in: 20, on: .memory).contains(.strangeTimes))
        marks[.strangeTimes] = 1
        #expect(!marks.missing(of: .times, in: 20, on: .memory).contains(.strangeTimes))
        #expect(marks.missing(of: .times, in: 1, on: .memory).isEmpty)
    }
}
