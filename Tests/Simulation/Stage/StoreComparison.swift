package import BatonCore

/// One world, played on both stores: whatever a node is told by one of them, the other one would have told it.
///
/// Left out is where disks differ by their nature: files are full at another moment than a store in memory, and what
/// was not synced may be there after the loss of power all the same.
package struct StoreComparison {
    package typealias Sabotage = (StoreName, inout StoreTransaction) -> Void

    private let seed: UInt64
    private let profile: Profile

    package init(seed: UInt64, _ name: ProfileName) {
        var profile = name.profile(for: seed)
        profile[.fullDisk] = 0
        // When a staged batch is merged is each store's own affair; `StoreConformance` compares what comes of it.
        profile[.stage] = 0
        if profile.lasting == .full { profile.lasting = nil }
        (self.seed, self.profile) = (seed, profile)
    }

    /// Plays the world on both; answers with where the stories part, if they do.
    ///
    /// The sabotage changes what one of the stores is asked to keep, so that a test can see that this is found.
    package func run(sabotage: Sabotage? = nil) -> String? {
        let hashes = StoreName.allCases.map { play(on: $0, isTold: false, sabotage).traceHash }
        guard Set(hashes).count > 1 else { return nil }
        let lines = StoreName.allCases.map { play(on: $0, isTold: true, sabotage).lines }
        let place = zip(lines[0], lines[1]).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let story = { (lines: [String]) in
            lines[max(0, (place ?? lines.count) - 3)...].prefix(6).joined(separator: "\n    ")
        }
        return zip(StoreName.allCases, lines).map { "\($0):\n    \(story($1))" }.joined(separator: "\n  ")
    }

    private func play(on store: StoreName, isTold: Bool, _ sabotage: Sabotage?) -> World {
        let world = World(seed: seed, profile: profile, on: store, .none, isTold: isTold)
        if let sabotage { world.sabotage = { sabotage(store, &$0) } }
        _ = world.run()
        return world
    }
}
