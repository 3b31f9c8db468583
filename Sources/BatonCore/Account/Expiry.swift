/// Sweeps expired records while other events are handled: it has no timer, so that an idle node does not wake.
///
/// It is a part of `Account`. `Sweeping` decides up to which time something may be swept; this type has the store sweep
/// one lane after the other, in steps, so that other writes are stored in between.
package struct Expiry: Sendable {
    private var rule: Sweeping
    private let device: DeviceIdentifier
    private let most: Int
    private var effects: [Effect] = []
    private var sweep: Sweep?

    /// A sweep that is under way.
    private struct Sweep {
        var request: SweepRequest
        /// The lanes that are left; the store is at the first of them.
        var lanes = Lane.allCases[...]
        /// How many records were swept.
        var count = 0
    }

    package enum Effect: Equatable, Sendable {
        /// Ask in which lives more than one machine writes; `handleSharedLives(_:in:)` takes the answer.
        case askSharedLives
        /// Do a step in a lane; `handleStep(_:in:)` takes the result.
        case sweep(SweepRequest, Lane)
        /// Write a line into the log.
        case tell(String)
        /// Write a line into the log that reports a fault.
        case warn(String)
    }

    package init(of device: DeviceIdentifier, at clocks: Clocks, limits: Limits) {
        (self.device, most) = (device, limits.settledRecords)
        rule = Sweeping(wall: clocks.wall, instant: clocks.steady, limits: limits)
    }

    // MARK: Commands

    /// Begins a sweep if one is due; called after each commit, and when everything that a device claimed is claimed
    /// here.
    package mutating func consider(in account: some AccountSurroundings) {
        guard sweep == nil, let keeping = account.keepingExpired, let others = account.waitedFor else {
            return
        }
        recordClocks(account.clocks)
        rule.recordRoster(others)
        guard let bound = rule.bound(keeping: keeping) else { return }
        rule.noteSweep()
        sweep = Sweep(
            request: SweepRequest(time: bound, roster: others.union([device]), most: most))
        effects.append(.askSharedLives)
    }

    /// Notes that everything that the device claimed at its comparison time `time` is claimed here.
    package mutating func recordMeeting(_ device: DeviceIdentifier, at time: WallTime) {
        rule.recordMeeting(device, at: time)
    }

    /// Notes what the clock of a connected device shows.
    package mutating func handleClock(_ time: WallTime, of device: DeviceIdentifier, at clocks: Clocks) {
        recordClocks(clocks)
        rule.handleClock(time, of: device)
    }

    /// Notes the comparison time that a connected device sent.
    package mutating func recordComparison(_ time: WallTime, by device: DeviceIdentifier, at clocks: Clocks) {
        recordClocks(clocks)
        rule.recordComparison(time, by: device)
    }

    /// Notes that a device is no longer connected.
    package mutating func noteEnd(of device: DeviceIdentifier) { rule.noteEnd(of: device) }

    /// Handles the answer to `.askSharedLives`: the lives in which more than one machine writes.
    package mutating func handleSharedLives(_ shared: Set<Life>, in account: some AccountSurroundings) {
        sweep?.request.shared = shared
        goOn(in: account)
    }

    /// Handles a step that the store has done, or nil if nothing was left in that lane.
    package mutating func handleStep(_ step: SweepStep?, in account: some AccountSurroundings) {
        sweep?.request.after = step?.next
        if let step {
            sweep?.count += step.commit.changed.count
        } else {
            sweep?.lanes.removeFirst()
        }
        goOn(in: account)
    }

    /// Handles a failure of the store; the next sweep removes what this one has not.
    package mutating func handleFailure(_ failure: StoreFailure) {
        sweep = nil
        effects.append(.warn("could not remove expired data: \(failure)"))
    }

    // MARK: Outputs

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    /// Returns the doubt about a clock that prevents sweeping, or nil if there is none.
    package mutating func doubt(at clocks: Clocks) -> Sweeping.Doubt? {
        recordClocks(clocks)
        return rule.doubt
    }

    // MARK: Steps

    private mutating func recordClocks(_ clocks: Clocks) {
        rule.recordClocks(wall: clocks.wall, instant: clocks.steady)
    }

    private mutating func goOn(in account: some AccountSurroundings) {
        guard var sweep else { return }
        guard let lane = sweep.lanes.first, let keeping = account.keepingExpired else {
            self.sweep = nil
            switch sweep.count {
            case 0: break
            case 1: effects.append(.tell("removed 1 expired record"))
            default: effects.append(.tell("removed \(sweep.count) expired records"))
            }
            return
        }
        // The person may have chosen a longer time since the sweep began; records within it must not be removed.
        let kept = account.clocks.wall.compared.advanced(by: .zero - keeping)
        sweep.request.time = min(sweep.request.time, kept)
        self.sweep = sweep
        effects.append(.sweep(sweep.request, lane))
    }
}
