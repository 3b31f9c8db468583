import BatonCore
import Simulation
import Testing

/// Checks that the story of a shrunk failure is short enough to read.
@Suite struct `A shrunk world` {
    @Test(arguments: Broken.all)
    fileprivate func `shows in at most 150 lines how a fault breaks its promise`(_ broken: Broken) throws {
        let (shrinker, first) = try #require(broken.shrunk())
        let world = shrinker.world(isTold: true)
        let violation = try #require(world.run())
        #expect(violation.promise == first.promise)
        #expect(world.lines.count <= 150)
        #expect(world.why.last?.contains("AGAINST") ?? false)
    }

    @Test func `is the same in every run`() throws {
        let (one, other) = (try #require(Broken.all[0].shrunk()), try #require(Broken.all[0].shrunk()))
        #expect(one.shrinker.profile == other.shrinker.profile)
        let worlds = [one.shrinker.world(), one.shrinker.world(isTold: true), other.shrinker.world()]
        let violations = worlds.map { $0.run() }
        #expect(Set(worlds.map(\.traceHash)).count == 1)
        #expect(violations.allSatisfy { $0 == violations[0] && $0 != nil })
    }
}

/// A store with a fault, and a family of worlds that find it.
private struct Broken: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let name: ProfileName
    let sabotage: @Sendable (inout StoreTransaction) -> Void

    static let all = [
        Broken(testDescription: "drops writes of peers", name: .restores) { transaction in
            if !transaction.isOwn, transaction.writes.count > 1 { transaction.writes.removeFirst() }
        },
        Broken(testDescription: "claims what it was not sent", name: .indexing) { transaction in
            guard !transaction.isOwn, let last = transaction.writes.last, transaction.range == nil else {
                return
            }
            transaction.completing.cover(last.dot)
        },
        Broken(testDescription: "drops deletions", name: .deletions) { transaction in
            if !transaction.isOwn { transaction.writes.removeAll { $0.action == .deletion } }
        },
    ]

    /// Returns the smallest world found in which the fault breaks a promise, and how it breaks it at first; nil if no
    /// world of twenty breaks any.
    func shrunk() -> (shrinker: Shrinker, violation: Violation)? {
        for seed in 1...20 as ClosedRange<UInt64> {
            var profile = name.profile(for: seed)
            // Stories of few devices are told in fewer lines.
            profile.nodes = min(profile.nodes, 3)
            let world = World(seed: seed, profile: profile)
            world.sabotage = sabotage
            guard let violation = world.run() else { continue }
            var shrinker = Shrinker(
                seed: seed, profile: profile, breaking: violation.promise, sabotage: sabotage)
            shrinker.shrink()
            return (shrinker, violation)
        }
        return nil
    }
}

@Suite struct `A world from which an event or phase is dropped` {
    /// Without this property, dropping an event would make another world, and few failures could be shrunk.
    @Test func `plays all other events as before`() {
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

    @Test func `keeps all promises even if all phases are dropped`() {
        for seed in 1...10 as ClosedRange<UInt64> {
            for name in [ProfileName.snapshots, .continuing] {
                var profile = name.profile(for: seed)
                profile.droppedPhases = Set(Phase.allCases).subtracting([.rest])
                #expect(World(seed: seed, profile: profile).run() == nil, "\(name) \(seed)")
            }
        }
    }
}
