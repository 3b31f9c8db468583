import BatonCore
import BatonStore
import Disks
import Support

/// A series of steps on a disk that fails for a while; before and afterwards everything must succeed.
///
/// A step that was refused because of the fault is done or not done in each lane. Everything acknowledged is there, and
/// what the store returns while the disk fails is right.
final class FaultTrial {
    let disk: TestDisk
    private var series: StoreSeries
    private var store: SQLiteStore?
    /// Why the store refused a step, or its opening.
    private(set) var failure: StoreFailure?
    /// The failed step and the error of the store, for messages.
    private(set) var failedStep = ""

    init(seed: UInt64, faults: DiskFaults) {
        (series, disk) = (StoreSeries(seed: seed), TestDisk(seed: seed))
        disk.faults = faults
    }

    deinit { store = nil }

    /// Does this many steps; returns how many operations the disk did before anything failed.
    @discardableResult
    func run(steps: Int) throws -> [DiskOperation: Int] {
        try open()
        for _ in 0..<steps {
            let step = series.next()
            if step.isReopening {
                store = nil
                try open()
            } else if try !perform(step) {
                break
            }
        }
        let counts = disk.counts
        try end()
        return counts
    }

    /// Opens the store; if the fault prevents that, it has changed nothing, and the store is opened after it.
    private func open() throws {
        do throws(StoreFailure) {
            store = try opened()
        } catch {
            guard failure == nil else { throw error }
            note(error, "an opening")
            store = try opened()
            try compare([series.model.state])
        }
    }

    private func opened() throws(StoreFailure) -> SQLiteStore {
        try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: disk.name)
    }

    /// Does a step; returns false if only one lane kept it, so that the model can't follow.
    private func perform(_ step: StoreStep) throws -> Bool {
        guard let store else { return false }
        do {
            try series.take(step, try step.perform(store))
            return true
        } catch let refusal as StoreFailure where failure == nil {
            let before = series.model.state
            let model = InMemoryStore(before)
            _ = try step.perform(model)
            try demandTruth([before, model.state])
            note(refusal, step.description)
            guard let found = try compare([before, model.state]) else { return false }
            self.store = nil
            try open()
            try compare([found])
            series.go(back: found)
            return true
        }
    }

    private func note(_ refusal: StoreFailure, _ step: String) {
        (failure, failedStep) = (refusal, step)
        disk.faults = DiskFaults()
    }

    /// Checks while the disk still fails that what the store returns, if it does, is of one of these states.
    private func demandTruth(_ states: [InMemoryStore.State]) throws {
        guard let store, let summary = try? store.summary() else { return }
        let expected = states.map { InMemoryStore($0).summary() }
        for lane in Lane.allCases {
            guard
                expected.contains(where: {
                    $0.complete.restricted(to: lane) == summary.complete.restricted(to: lane)
                })
            else { throw StoreViolation("a store that failed claims of \(lane) \(summary.complete)") }
        }
        for kind in [RecordKind.item, .currentActivity, .clientState, .device] {
            guard let records = try? store.records(of: kind) else { continue }
            guard states.contains(where: { InMemoryStore($0).records(of: kind) == records }) else {
                throw StoreViolation("a store that failed has other records of \(kind)")
            }
        }
    }

    /// Compares each lane with these states; returns the state that both have, if it is the same.
    @discardableResult
    private func compare(_ states: [InMemoryStore.State]) throws -> InMemoryStore.State? {
        var common = states
        for lane in Lane.allCases {
            let found = try compare(lane, states)
            common = common.filter { state in found.contains(state) }
        }
        return common.first
    }

    /// The states in which a lane may be.
    @discardableResult
    private func compare(_ lane: Lane, _ states: [InMemoryStore.State]) throws -> [InMemoryStore.State] {
        guard let store else { throw StoreViolation("no store is open") }
        let view = try LaneView(lane, of: store)
        let expected = try states.map { try LaneView(lane, of: InMemoryStore($0)) }
        let found = zip(states, expected).filter { $0.1 == view }.map(\.0)
        guard !found.isEmpty else {
            throw StoreViolation("\(lane) after \(failedStep) failed: \(view.difference(from: expected[0]))")
        }
        return found
    }

    /// Checks that without faults everything survives a power loss after a report, and is sound.
    private func end() throws {
        disk.faults = DiskFaults()
        guard let store else { return }
        _ = try store.report(of: StoreSeries.own, having: try store.summary().complete)
        let views = try Lane.allCases.map { try LaneView($0, of: store) }
        var generator = SeededGenerator(seed: 1)
        let after = TestDisk(disk.image.afterPowerLoss(.forgets, &generator))
        let found = try SQLiteStore(folder: "", account: StoreSeries.account, fileSystem: after.name)
        for (lane, view) in zip(Lane.allCases, views) {
            guard try LaneView(lane, of: found) == view else {
                throw StoreViolation(
                    "\(lane) is another after the loss of power: \(try LaneView(lane, of: found).difference(from: view))"
                )
            }
            let troubles = try LaneDump(lane, on: after).troubles
            guard troubles.isEmpty else { throw StoreViolation("\(lane) is damaged: \(troubles)") }
        }
    }
}
