/// Sweeps what has expired, when something happens anyway: it has no timer, so that an idle node does not wake.
///
/// It is a part of `Account`. `Sweeping` says up to when something may be swept; this has the store do it, one lane
/// after the other, in steps between which others write.
package struct Expiry: Sendable {
    private var rule: Sweeping
    private let device: DeviceIdentifier
    private let most: Int
    private var effects: [Effect] = []
    private var sweep: Sweep?

    /// A sweep that is under way.
    private struct Sweep {
        var request: SweepRequest
        /// The lanes that are left, of which the store is at the first.
        var lanes = Lane.allCases[...]
        /// How many records were swept.
        var count = 0
    }

    package enum Effect: Equatable, Sendable {
        /// In which lives does more than one machine write? `handle(shared:in:)` takes the answer.
        case askSharedLives
        /// Do a step in a lane; `handle(_:in:)` takes what came of it.
        case sweep(SweepRequest, Lane)
        /// Write a line into the log.
        case tell(String)
        /// Write a line into the log that tells of a fault.
        case warn(String)
    }

    package init(of device: DeviceIdentifier, at clocks: Clocks, limits: Limits) {
        (self.device, most) = (device, limits.settledRecords)
        rule = Sweeping(wall: clocks.wall, instant: clocks.steady, limits: limits)
    }

    // MARK: Commands

    /// The store took something, or a device was met: a moment to sweep, if it is time.
    package mutating func consider(latest: HybridTime, in account: some AccountSurroundings) {
        guard sweep == nil, let keeping = account.keepingExpired, let others = account.waitedFor else {
            return
        }
        note(account.clocks)
        rule.note(roster: others)
        guard let bound = rule.bound(latest: latest, keeping: keeping) else { return }
        rule.noteSweep()
        sweep = Sweep(
            request: SweepRequest(time: bound, roster: others.union([device]), most: most))
        effects.append(.askSharedLives)
    }

    /// All that the device claimed at that time of comparing is claimed here.
    package mutating func note(met device: DeviceIdentifier, at time: WallTime) {
        rule.note(met: device, at: time)
    }

    /// A device that is connected said at which time it compares.
    package mutating func note(told time: WallTime, by device: DeviceIdentifier, at clocks: Clocks) {
        note(clocks)
        rule.note(told: time, by: device)
    }

    /// A device is not connected any more.
    package mutating func noteEnd(of device: DeviceIdentifier) { rule.noteEnd(of: device) }

    /// Those are the lives in which more than one machine writes.
    package mutating func handle(shared: Set<Life>, in account: some AccountSurroundings) {
        sweep?.request.shared = shared
        goOn(in: account)
    }

    /// The store has done a step, or has found that nothing was left in that lane.
    package mutating func handle(_ step: SweepStep?, in account: some AccountSurroundings) {
        sweep?.request.after = step?.next
        if let step {
            sweep?.count += step.commit.changed.count
        } else {
            sweep?.lanes.removeFirst()
            #if DEBUG
                if Faults.isPlanted(.sweptInOneLane) { sweep?.lanes = [] }
            #endif
        }
        goOn(in: account)
    }

    /// The store could not do what was asked; what is left is swept another time.
    package mutating func handle(_ failure: StoreFailure) {
        sweep = nil
        effects.append(.warn("what has expired could not be swept: \(failure)"))
    }

    // MARK: Outputs

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    /// Why nothing is swept, if a clock is the reason.
    package mutating func doubt(latest: HybridTime, at clocks: Clocks) -> Sweeping.Doubt? {
        note(clocks)
        return rule.doubt(latest: latest)
    }

    // MARK: Steps

    private mutating func note(_ clocks: Clocks) { rule.note(wall: clocks.wall, instant: clocks.steady) }

    private mutating func goOn(in account: some AccountSurroundings) {
        guard var sweep else { return }
        guard let lane = sweep.lanes.first, let keeping = account.keepingExpired else {
            self.sweep = nil
            switch sweep.count {
            case 0: break
            case 1: effects.append(.tell("1 record had expired and was swept"))
            default: effects.append(.tell("\(sweep.count) records had expired and were swept"))
            }
            return
        }
        // What the person wants to keep for longer, and said so since the sweep began, is kept for longer.
        let kept = account.clocks.wall.compared.advanced(by: .zero - keeping)
        sweep.request.time = min(sweep.request.time, kept)
        self.sweep = sweep
        effects.append(.sweep(sweep.request, lane))
    }
}
