package import BatonCore

/// One world, played on both stores: one store must answer a node exactly as the other would.
///
/// It leaves out the natural differences of disks: files are full at another moment than a store in memory, and
/// unsynced data may survive a power loss.
package struct StoreComparison {
    package typealias Sabotage = (StoreName, inout StoreTransaction) -> Void

    private let seed: UInt64
    private let profile: Profile

    package init(seed: UInt64, _ name: ProfileName) {
        var profile = name.profile(for: seed)
        profile[.fullDisk] = 0
        // Each store merges a staged batch when it likes; `StoreConformance` compares the results.
        for operation in [Operation.stage, .overtake] { profile[operation] = 0 }
        if profile.lasting == .full { profile.lasting = nil }
        (self.seed, self.profile) = (seed, profile)
    }

    /// Plays the world on both stores; returns where the stories differ, or nil.
    ///
    /// It tells so many lines that both stories have before they differ. The sabotage changes what one of the stores is asked to store, so that a test can see that the comparison finds
    /// it.
    package func run(common: Int = 3, sabotage: Sabotage? = nil) -> String? {
        let hashes = StoreName.allCases.map { play(on: $0, isTold: false, sabotage).traceHash }
        guard Set(hashes).count > 1 else { return nil }
        let lines = StoreName.allCases.map { play(on: $0, isTold: true, sabotage).lines }
        let place = zip(lines[0], lines[1]).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let story = { (lines: [String]) in
            lines[max(0, (place ?? lines.count) - common)...].prefix(common + 3).joined(separator: "\n    ")
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
