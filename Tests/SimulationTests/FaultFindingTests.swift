import BatonCore
import Simulation
import Support
import Testing

/// Checks that the simulator finds faults that are planted in the code.
@Suite struct `A world with a fault` {
    @Test func `is found when a store loses a write that it claims`() {
        let found = find(.everyday) { transaction in
            // Loses one write of many, so that the rest looks right.
            if transaction.isOwn, let first = transaction.writes.first, first.stamp.time.value % 7 == 0 {
                transaction.writes.removeLast()
            }
        }
        #expect(found.contains(.acknowledgedIsKept) || found.contains(.convergence))
    }

    @Test func `is found when a store drops what peers send`() {
        let found = find(.everyday) { transaction in
            if !transaction.isOwn, transaction.writes.count > 1 { transaction.writes.removeFirst() }
        }
        #expect(found.contains(.acknowledgedIsKept) || found.contains(.convergence))
    }

    @Test func `is found when a store claims a write that it was not sent`() {
        let found = find(.indexing) { transaction in
            guard !transaction.isOwn, let last = transaction.writes.last, transaction.range == nil else {
                return
            }
            transaction.completing.cover(last.dot)
        }
        #expect(!found.isEmpty)
    }

    @Test func `is found when a store drops received deletions`() {
        let found = find(.deletions) { transaction in
            guard !transaction.isOwn else { return }
            transaction.writes.removeAll { $0.action == .deletion }
        }
        #expect(
            found.contains(.noResurrection) || found.contains(.convergence)
                || found.contains(.acknowledgedIsKept))
    }

    @Test func `still breaks the same promise after shrinking`() throws {
        let forget: (inout StoreTransaction) -> Void = { transaction in
            if transaction.isOwn, transaction.writes.count > 1 { transaction.writes.removeLast() }
        }
        for seed in 1...20 as ClosedRange<UInt64> {
            let profile = ProfileName.swarm.profile(for: seed)
            let world = World(seed: seed, profile: profile)
            world.sabotage = forget
            guard let violation = world.run() else { continue }
            var shrinker = Shrinker(
                seed: seed, profile: profile, breaking: violation.promise, budget: 60, sabotage: forget)
            shrinker.shrink()
            #expect(shrinker.profile.steps < profile.steps)
            #expect(shrinker.profile.faults.count <= profile.faults.count)
            let smaller = World(seed: seed, profile: shrinker.profile, isTold: true)
            smaller.sabotage = forget
            let found = try #require(smaller.run())
            #expect(found.promise == violation.promise)
            #expect(smaller.lines.last?.contains("AGAINST") ?? false)
            return
        }
        Issue.record("no world of twenty noticed")
    }

    /// Returns the promises that worlds of a family break with that fault.
    private func find(
        _ name: ProfileName, _ sabotage: @escaping (inout StoreTransaction) -> Void
    ) -> Set<Promise> {
        var promises: Set<Promise> = []
        for seed in 1...15 as ClosedRange<UInt64> {
            let world = World(seed: seed, name)
            world.sabotage = sabotage
            if let violation = world.run() { promises.insert(violation.promise) }
        }
        return promises
    }
}
