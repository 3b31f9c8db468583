package import BatonCore

/// Looks for the smallest world in which a seed still breaks the same promise.
///
/// It drops phases, then lowers rates, then drops devices, then single events. All candidates are played along a
/// recording of the whole world, so that the remaining events draw what they drew there.
package struct Shrinker {
    package let seed: UInt64
    private let store: StoreName
    private let promise: Promise
    private let sabotage: ((inout StoreTransaction) -> Void)?
    private let recording = Recording()
    /// The number of worlds that it may still play.
    private var budget: Int
    /// The events that took place in the smallest world so far.
    private var events: [PlannedEvent] = []
    /// The smallest profile so far.
    package private(set) var profile: Profile

    package init(
        seed: UInt64, profile: Profile, on store: StoreName = .memory, breaking promise: Promise,
        budget: Int = 600,
        sabotage: ((inout StoreTransaction) -> Void)? = nil
    ) {
        (self.seed, self.profile, self.store) = (seed, profile, store)
        (self.promise, self.budget) = (promise, budget)
        self.sabotage = sabotage
    }

    /// Shrinks for as long as something can be dropped.
    package mutating func shrink() {
        let whole = world()
        guard whole.run()?.promise == promise else { return }
        events = whole.events
        var before: Profile
        repeat {
            before = profile
            for phase in Phase.droppable { tryTo { $0.droppedPhases.insert(phase) } }
            for change in changes() { tryTo(change) }
            for number in 0..<profile.nodes where profile.droppedDevices.count < profile.nodes - 2 {
                tryTo { $0.droppedDevices.insert(number) }
            }
            dropEvents()
        } while profile != before && budget > 0
    }

    /// Returns the smallest world so far, to be played; before `shrink()`, the whole world.
    package func world(isTold: Bool = false) -> World { world(of: profile, isTold: isTold) }

    private func world(of profile: Profile, isTold: Bool = false) -> World {
        let world = World(seed: seed, profile: profile, on: store, along: recording, isTold: isTold)
        world.sabotage = sabotage
        return world
    }

    /// Keeps a change of the profile if it still breaks the same promise; returns whether it does.
    @discardableResult
    private mutating func tryTo(_ change: (inout Profile) -> Void) -> Bool {
        var candidate = profile
        change(&candidate)
        guard budget > 0, candidate != profile, candidate.steps > 0 else { return false }
        budget -= 1
        let world = world(of: candidate)
        guard world.run()?.promise == promise else { return false }
        (profile, events) = (candidate, world.events)
        return true
    }

    /// Drops all events, or halves, quarters and so on down to single ones.
    private mutating func dropEvents() {
        var size = events.count
        while size > 0, budget > 0 {
            var start = 0
            while start < events.count, budget > 0 {
                let part = events[start..<min(start + size, events.count)]
                // If they are dropped, others have taken their places.
                if !tryTo({ $0.dropped.formUnion(part) }) { start += size }
            }
            size /= 2
        }
    }

    /// Returns reductions of the profile, the largest first.
    private func changes() -> [(inout Profile) -> Void] {
        var changes: [(inout Profile) -> Void] = [
            { $0.neighbours = 0 }, { $0.steps /= 2 }, { $0.steps = $0.steps * 3 / 4 },
        ]
        for fault in Fault.allCases where profile[fault] > 0 { changes.append { $0[fault] = 0 } }
        for operation in Operation.allCases where profile[operation] > 0 {
            changes.append { $0[operation] = 0 }
        }
        changes += [
            { $0.burst = 1 }, { $0.oldNodes = 0 }, { $0.keys = max(1, $0.keys / 2) }, { $0.shape = .chain },
            { $0.batchBytes = 256 << 10 }, { $0.steps -= 1 },
        ]
        return changes
    }
}
