import BatonCore
import Simulation
import Testing

#if DEBUG
    /// Checks that the story of a shrunk failure is short enough to read.
    @Suite struct `A shrunk world` {
        @Test(arguments: Planted.all)
        fileprivate func `shows in 150 lines how a planted fault breaks its promise`(_ planted: Planted)
            throws
        {
            try Faults.$planted.withValue(planted.fault) {
                let shrinker = try #require(planted.shrunk())
                let world = shrinker.world(isTold: true)
                let violation = try #require(world.run())
                let whole = World(seed: planted.seed, profile: planted.profile, isTold: true)
                let first = try #require(whole.run())
                #expect(violation.promise == first.promise)
                #expect(world.lines.count <= 150)
                #expect(world.why.last?.contains("AGAINST") ?? false)
            }
        }

        @Test func `is the same each time it is played`() throws {
            let planted = Planted.all[0]
            try Faults.$planted.withValue(planted.fault) {
                let (one, other) = (try #require(planted.shrunk()), try #require(planted.shrunk()))
                #expect(one.profile == other.profile)
                let worlds = [one.world(), one.world(isTold: true), other.world()]
                let violations = worlds.map { $0.run() }
                #expect(Set(worlds.map(\.traceHash)).count == 1)
                #expect(violations.allSatisfy { $0 == violations[0] && $0 != nil })
            }
        }
    }

    /// A fault, and a seed whose world finds it.
    private struct Planted: CustomTestStringConvertible, Sendable {
        let fault: Faults.Switch
        let seed: UInt64

        static let all = [
            Planted(fault: .clearByPrefix, seed: 5), Planted(fault: .partialBatchClaims, seed: 7),
            Planted(fault: .tombstoneByAge, seed: 5), Planted(fault: .snapshotKeepsAbsent, seed: 50),
            Planted(fault: .fullWriteKeepsFields, seed: 1),
        ]

        var profile: Profile { fault.profile(for: seed) }
        var testDescription: String { "\(fault)" }

        /// Returns the smallest world found in which the fault breaks its promise, or nil if it breaks nothing.
        func shrunk() -> Shrinker? {
            guard let violation = World(seed: seed, profile: profile).run() else { return nil }
            var shrinker = Shrinker(seed: seed, profile: profile, breaking: violation.promise)
            shrinker.shrink()
            return shrinker
        }
    }
#endif

@Suite struct `A world of which something is dropped` {
    /// Without this property, dropping an event would make another world, and few failures could be shrunk.
    @Test func `plays everything else as before`() {
        var profile = Profile()
        (profile[.newer], profile[.clear], profile[.activity]) = (300, 100, 100)
        profile.droppedPhases = Set(Phase.allCases).subtracting([.rest])
        let recording = Recording()
        let whole = World(seed: 7, profile: profile, along: recording, isTold: true)
        #expect(whole.run() == nil)
        #expect(whole.events.count > 20)
        for event in whole.events {
            profile.dropped = [event]
            let less = World(seed: 7, profile: profile, along: recording, isTold: true)
            #expect(less.run() == nil)
            let changes = written(in: less).difference(from: written(in: whole))
            let moments = changes.removals.map { change in
                guard case .remove(_, let written, _) = change else { return "" as Substring }
                return written.moment
            }
            #expect(changes.insertions.isEmpty)
            #expect(Set(moments).count <= 1)
        }
    }

    /// Returns the writes of a world: when, by whom, and to which record.
    private func written(in world: World) -> [Written] {
        world.lines.compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 4, words[2] == "writes" else { return nil }
            return Written(moment: words[0], node: words[1], record: words[4])
        }
    }

    private struct Written: Hashable {
        let moment, node, record: Substring
    }

    @Test func `keeps all promises without its phases`() {
        for seed in 1...10 as ClosedRange<UInt64> {
            for name in [ProfileName.snapshots, .continuing] {
                var profile = name.profile(for: seed)
                profile.droppedPhases = Set(Phase.allCases).subtracting([.rest])
                #expect(World(seed: seed, profile: profile).run() == nil, "\(name) \(seed)")
            }
        }
    }
}
