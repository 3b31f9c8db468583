import BatonCore
import BatonNetwork

/// What sweeping wants of its account.
protocol ExpiryOwner: AnyObject {
    /// The other devices of the account; nothing if they are not all known, or one of them lacks what it once had.
    var waitedFor: Set<DeviceIdentifier>? { get }
    /// The largest hybrid time that was given or seen.
    var latestTime: HybridTime { get }
    /// How long what has expired is kept here.
    var keepingExpired: Duration { get }
    /// What the store took, which others are to be told of.
    func handle(_ commit: StoreCommit, of lane: Lane)
    func name(of device: DeviceIdentifier) -> String
}

/// Sweeps what has expired, when something happens anyway: it has no timer, so that an idle node does not wake.
final class Expiry {
    private var sweeping: Sweeping
    private let own: DeviceIdentifier
    private let store: StoreThreads
    private let loop: EventLoop
    private let limits: Limits
    private let log: Log
    private unowned let owner: any ExpiryOwner
    private var isSweeping = false
    private var isStopped = false

    init(
        device own: DeviceIdentifier, store: StoreThreads, on loop: EventLoop, limits: Limits, log: Log,
        owner: any ExpiryOwner
    ) {
        self.own = own
        (self.store, self.loop, self.limits, self.log, self.owner) = (store, loop, limits, log, owner)
        sweeping = Sweeping(wall: .now, instant: loop.instant, limits: limits)
    }

    // MARK: Events

    /// The store took something, or a device was met: a moment to sweep, if it is time.
    func consider() {
        guard !isStopped, !isSweeping, let others = owner.waitedFor else { return }
        noteTime()
        sweeping.note(roster: others)
        guard let bound = sweeping.bound(latest: owner.latestTime, keeping: owner.keepingExpired)
        else { return }
        sweeping.noteSweep()
        isSweeping = true
        var request = SweepRequest(time: bound, roster: others.union([own]), most: limits.settledRecords)
        store.submit(to: .activities) { (store) throws(StoreFailure) in
            Set(try store.records(of: .sharedLife).compactMap(\.sharedLife))
        } then: { [self] result in
            switch result {
            case .success(let shared):
                request.shared = shared
                sweep(request, in: Lane.allCases[...], count: 0)
            case .failure(let failure): fail(failure)
            }
        }
    }

    /// All that the device claimed at that time of comparing is claimed here.
    func note(met device: DeviceIdentifier, at time: WallTime) {
        sweeping.note(met: device, at: time)
        consider()
    }

    /// A device that is connected said at which time it compares.
    func note(told time: WallTime, by device: DeviceIdentifier) {
        noteTime()
        sweeping.note(told: time, by: device)
    }

    /// A device is not connected any more.
    func noteEnd(of device: DeviceIdentifier) { sweeping.noteEnd(of: device) }

    func stop() { isStopped = true }

    private func noteTime() { sweeping.note(wall: .now, instant: loop.instant) }

    /// Sweeps one lane after the other, in steps between which others write.
    private func sweep(_ request: SweepRequest, in lanes: ArraySlice<Lane>, count: Int) {
        guard let lane = lanes.first, !isStopped else {
            isSweeping = false
            if lanes.isEmpty, count > 0 {
                log.tell(
                    count == 1
                        ? "1 record had expired and was swept" : "\(count) records had expired and were swept"
                )
            }
            return
        }
        var request = request
        // What is to be kept for longer since the sweep began is.
        let kept = WallTime.now.compared.advanced(by: .zero - owner.keepingExpired)
        request.time = min(request.time, kept)
        store.submit(to: lane) { [request] (store) throws(StoreFailure) in
            try store.sweep(request)
        } then: { [self] result in
            switch result {
            case .success(let step?):
                owner.handle(step.commit, of: lane)
                var rest = request
                rest.after = step.next
                sweep(rest, in: lanes, count: count + step.commit.changed.count)
            case .success(nil):
                var other = request
                other.after = nil
                sweep(other, in: lanes.dropFirst(), count: count)
            case .failure(let failure): fail(failure)
            }
        }
    }

    /// What is left is swept another time.
    private func fail(_ failure: StoreFailure) {
        isSweeping = false
        if !isStopped { log.warn("what has expired could not be swept: \(failure)") }
    }

    // MARK: Queries

    /// Why nothing is swept, for a person, if a clock is wrong.
    var trouble: String? {
        noteTime()
        switch sweeping.doubt(latest: owner.latestTime) {
        case nil: return nil
        case .jumped:
            return """
                the clock of this device was set by more than a day; if it is right now (`date` shows it), what has expired is \
                removed again after a day
                """
        case .behind:
            return """
                the clock of this device is more than a day behind what was written before; set it (`timedatectl` shows whether \
                it is kept right), or what has expired is not removed
                """
        case .differs(let device):
            return """
                the clock of “\(owner.name(of: device))” and that of this device differ by a day or more; set the wrong one \
                (`timedatectl` shows whether it is kept right), or what has expired is not removed
                """
        }
    }
}
