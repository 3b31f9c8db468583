import Simulation
import Testing

@Suite struct `Worlds in which tombstones are collected` {
    /// Checks that these seeds reach rare events; an event that no seed reaches is not tested.
    @Test func `reach rare events`() {
        var marks = Marks()
        for name in [ProfileName.snapshots, .restores] {
            for seed in 241...300 as ClosedRange<UInt64> {
                let world = World(seed: seed, name)
                _ = world.run()
                marks += world.marks
            }
        }
        for mark in [
            Mark.tombstonesCollected, .tombstonesCollectedWhileAway, .snapshots, .snapshotsCut,
            .snapshotsResumed,
            .renewals,
            .restoredWriting,
        ] { #expect(marks[mark] > 0, "\(mark.rawValue)") }
    }

    @Test func `reach rare events of the roster`() {
        var marks = Marks()
        for seed in 1...80 as ClosedRange<UInt64> {
            let world = World(seed: seed, .roster)
            _ = world.run()
            marks += world.marks
        }
        for mark in [
            Mark.revoked, .ownersRevoked, .feuds, .strangers, .refusedByRoster, .sessionsEndedByRoster,
            .outcasts,
            .removed, .returned,
        ] { #expect(marks[mark] > 0, "\(mark.rawValue)") }
    }

    @Test func `reach rare events of activities that are continued elsewhere`() {
        var marks = Marks()
        for seed in 1...100 as ClosedRange<UInt64> {
            let world = World(seed: seed, .continuing)
            _ = world.run()
            marks += world.marks
        }
        for mark in [
            Mark.handed, .savedForOthers, .takenOver, .takenAlone, .replicasTold, .goneTold, .forgottenHere,
            .forgottenElsewhere, .savedForgotten, .savedDeleted, .expiredActivities, .takenBack,
        ] { #expect(marks[mark] > 5, "\(mark.rawValue): \(marks[mark])") }
    }

    @Test func `reach rare events of two accounts beside each other`() {
        var marks = Marks()
        for seed in 1...20 as ClosedRange<UInt64> {
            let world = World(seed: seed, .accounts)
            _ = world.run()
            marks += world.marks
        }
        for mark in [Mark.misdialled, .pretenders] { #expect(marks[mark] > 10, "\(mark.rawValue)") }
    }

    /// Checks that worlds with stores in files reach the events that only files have.
    @Test func `reach rare disk events on the product's store`() {
        var marks = Marks()
        for seed in 1...15 as ClosedRange<UInt64> {
            var profile = ProfileName.restores.profile(for: seed)
            (profile.steps, profile[.rescue], profile[.failedGroup]) = (20, 40, 60)
            let world = World(seed: seed, profile: profile, on: .sqlite)
            #expect(world.run() == nil, "seed \(seed)")
            marks += world.marks
        }
        for mark in [Mark.failedMidway, .damageLosses, .settlingSteps] {
            #expect(marks[mark] > 0, "\(mark.rawValue)")
        }
    }

    /// A long run fails if it misses a mark that its worlds reach for certain.
    ///
    /// A mark that no profile demands could be missed unnoticed.
    @Test func `are required by some profile to reach every mark`() {
        let demanded = Set(ProfileName.allCases.flatMap { $0.marks(in: 10_000, on: .sqlite) })
        #expect(Mark.allCases.filter { !demanded.contains($0) } == [])
        var marks = Marks()
        #expect(marks.missing(of: .times, in: 20, on: .memory).contains(.strangeTimes))
        marks[.strangeTimes] = 1
        #expect(!marks.missing(of: .times, in: 20, on: .memory).contains(.strangeTimes))
        #expect(marks.missing(of: .times, in: 1, on: .memory).isEmpty)
    }
}
