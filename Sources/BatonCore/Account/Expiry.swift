/// Sweeps expired records while other events are handled.
///
/// There is no timer for sweeps, so that an idle node does not wake.
///
/// `Expiry` is a part of `Account`. `Sweeping` decides up to which time records may be swept. `Expiry` asks the store
/// to sweep one lane after the other, in steps. Between two steps, the store can store other writes.
package struct Expiry: Sendable {
    private var rule: Sweeping
    private let device: DeviceIdentifier
    private let most: Int
    private var effects: [Effect] = []
    private var sweep: Sweep?

    /// A sweep that is under way.
    private struct Sweep {
        var request: SweepRequest
        /// The lanes that are not swept yet; the store sweeps the first of them.
        var lanes = Lane.allCases[...]
        /// The number of records that were swept so far.
        var count = 0
    }

    package enum Effect: Equatable, Sendable {
        /// Ask the store in which lives more than one machine writes; pass the answer to `handleSharedLives(_:in:)`.
        case askSharedLives
        /// Do one step of the sweep in a lane; pass the result to `handleStep(_:in:)`.
        case sweep(SweepRequest, Lane)
        /// Write a line into the log.
        case tell(String)
        /// Write a line about a fault into the log.
        case warn(String)
    }

    package init(of device: DeviceIdentifier, at clocks: Clocks, limits: Limits) {
        (self.device, most) = (device, limits.settledRecords)
        rule = Sweeping(wall: clocks.wall, instant: clocks.steady, limits: limits)
    }

    // MARK: Commands

    /// Begins a sweep if one is due.
    ///
    /// Called after each commit, and when this device claims everything that a peer claimed.
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

    /// Notes that this device claims everything that the peer claimed at its comparison time `time`.
    package mutating func recordMeeting(_ device: DeviceIdentifier, at time: WallTime) {
        rule.recordMeeting(device, at: time)
    }

    /// Notes the time that the clock of a connected device shows.
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

    /// Handles a step that the store has done; nil means that nothing was left to sweep in the lane.
    package mutating func handleStep(_ step: SweepStep?, in account: some AccountSurroundings) {
        sweep?.request.after = step?.next
        if let step {
            sweep?.count += step.commit.changed.count
        } else {
            sweep?.lanes.removeFirst()
        }
        goOn(in: account)
    }

    /// Handles a failure of the store; the next sweep removes the records that this sweep has not removed.
    package mutating func handleFailure(_ failure: StoreFailure) {
        sweep = nil
        effects.append(.warn("could not remove expired data: \(failure)"))
    }

    // MARK: Outputs

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    /// Returns the reason to distrust a clock, which prevents sweeping; nil if there is none.
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
        // Since the sweep began, the person may have chosen to keep expired records longer. Records within the longer
        // time must not be removed.
        let kept = account.clocks.wall.compared.advanced(by: .zero - keeping)
        sweep.request.time = min(sweep.request.time, kept)
        self.sweep = sweep
        effects.append(.sweep(sweep.request, lane))
    }
}
