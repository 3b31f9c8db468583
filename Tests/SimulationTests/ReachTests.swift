import Simulation
import Testing

@Suite struct `Worlds in which traces are let go` {
    /// What these seeds never come to is not tried by them.
    @Test func `come to what is rare`() {
        var marks = Marks()
        for name in [ProfileName.snapshots, .restores] {
            for seed in 241...300 as ClosedRange<UInt64> {
                let world = World(seed: seed, name)
                _ = world.run()
                marks += world.marks
            }
        }
        for mark in [
            Mark.tracesLetGo, .tracesLetGoWhileAway, .snapshots, .snapshotsCut, .snapshotsResumed, .renewals,
            .restoredWriting,
        ] { #expect(marks[mark] > 0, "\(mark.rawValue)") }
    }

    @Test func `come to what is rare about who belongs to the account`() {
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

    @Test func `come to what is rare where people go on elsewhere`() {
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

    @Test func `come to what is rare where two accounts are`() {
        var marks = Marks()
        for seed in 1...20 as ClosedRange<UInt64> {
            let world = World(seed: seed, .accounts)
            _ = world.run()
            marks += world.marks
        }
        for mark in [Mark.misdialled, .pretenders] { #expect(marks[mark] > 10, "\(mark.rawValue)") }
    }

    /// What only disks with files do must be reached where stores are files.
    @Test func `come to what disks do, on the product's store`() {
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

    /// A long run fails where a mark that its worlds reach for certain is missing; one that none demands is never missed.
    @Test func `are asked for every mark by some profile, but for the rarest`() {
        let demanded = Set(ProfileName.allCases.flatMap { $0.marks(in: 10_000, on: .sqlite) })
        #expect(Mark.allCases.filter { !demanded.contains($0) } == [.statesComparedBack])
        var marks = Marks()
        #expect(marks.missing(of: .times, in: 20, on: .memory).contains(.strangeTimes))
        marks[.strangeTimes] = 1
        #expect(!marks.missing(of: .times, in: 20, on: .memory).contains(.strangeTimes))
        #expect(marks.missing(of: .times, in: 1, on: .memory).isEmpty)
    }
}
