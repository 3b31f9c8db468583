package import BatonCore

/// Looks for the smallest profile with which a seed still breaks the same promise.
///
/// What happens draws from a stream of its own, so that less of one thing leaves the others as they were.
package struct Shrinker {
    private let seed: UInt64
    private let store: StoreName
    private let promise: Promise
    private let sabotage: ((inout StoreTransaction) -> Void)?
    /// How many worlds it may play.
    private var budget: Int
    /// The smallest profile so far.
    package private(set) var profile: Profile

    package init(
        seed: UInt64, profile: Profile, on store: StoreName = .memory, breaking promise: Promise,
        budget: Int = 250,
        sabotage: ((inout StoreTransaction) -> Void)? = nil
    ) {
        (self.seed, self.profile, self.store) = (seed, profile, store)
        (self.promise, self.budget) = (promise, budget)
        self.sabotage = sabotage
    }

    /// Shrinks for as long as something can be left out.
    package mutating func shrink() {
        var isSmaller = true
        while isSmaller, budget > 0 {
            isSmaller = false
            for change in changes() where budget > 0 {
                var candidate = profile
                change(&candidate)
                guard candidate != profile, candidate.steps > 0, breaks(candidate) else { continue }
                (profile, isSmaller) = (candidate, true)
            }
        }
    }

    private mutating func breaks(_ candidate: Profile) -> Bool {
        budget -= 1
        let world = World(seed: seed, profile: candidate, on: store)
        world.sabotage = sabotage
        return world.run()?.promise == promise
    }

    /// What may be left out, the largest parts first.
    private func changes() -> [(inout Profile) -> Void] {
        var changes: [(inout Profile) -> Void] = [{ $0.steps /= 2 }, { $0.steps = $0.steps * 3 / 4 }]
        for fault in Fault.allCases where profile[fault] > 0 { changes.append { $0[fault] = 0 } }
        for operation in Operation.allCases where profile[operation] > 0 {
            changes.append { $0[operation] = 0 }
        }
        changes += [
            { $0.nodes = max(2, $0.nodes - 1) }, { $0.burst = 1 }, { $0.oldNodes = 0 },
            { $0.keys = max(1, $0.keys / 2) }, { $0.shape = .chain }, { $0.batchBytes = 256 << 10 },
            { $0.steps -= 1 },
        ]
        return changes
    }
}
