import BatonCore
import BatonNetwork

/// What letting go of traces wants of its account.
protocol LettingGoOwner: AnyObject {
    /// Tells every connected device what devices have for good.
    func tell(_ reports: Reports)
    /// The other devices of the account; nothing if they are not all known, or one of them lacks what it once had.
    var waitedFor: Set<DeviceIdentifier>? { get }
    /// Takes what this device, or one that is gone, wrote and lost, and others still have, for its own.
    func adoptStrays()
    /// The devices that are no part of the account any more, or gone.
    var gone: Set<DeviceIdentifier> { get }
    /// What was told of the devices that are waited for.
    var heeded: Reports { get }
    /// The store gave up what it claimed, because what a device sent will not come to its end.
    func beginAnew(reports: Reports)
}

/// Says what this device has for good, and lets go of traces of deletions that all devices have.
///
/// It reports some time after the first change that it has not reported, so that a node that takes writes without end
/// reports, too, and one that takes none never wakes.
final class LettingGo {
    /// What devices have for good, as far as it is known here.
    private(set) var reports: Reports
    private let device: DeviceIdentifier
    private let store: StoreThreads
    private let loop: EventLoop
    private let limits: Limits
    private let log: Log
    private unowned let owner: any LettingGoOwner
    /// What was claimed when this device reported last.
    private var reported: VersionVector?
    private var timer: TimerToken?
    private var isCollecting = false
    /// What the disk refused, and is tried again.
    private var (mustForget, mustHeed) = (false, false)
    /// Whether the disk failed while claims were given up: one lane may have done so, and the other not.
    private var mayHaveGivenUp = false
    private var retryTimer: TimerToken?
    private var isStopped = false

    init(
        device: DeviceIdentifier, store: StoreThreads, reports: Reports, on loop: EventLoop, limits: Limits,
        log: Log, owner: any LettingGoOwner
    ) {
        (self.device, self.store, self.reports, self.loop) = (device, store, reports, loop)
        (self.limits, self.log, self.owner) = (limits, log, owner)
    }

    /// The store took something.
    func handleCommit() {
        guard timer == nil, !isStopped else { return }
        timer = loop.schedule(after: limits.reportTime) { [self] in
            timer = nil
            report()
        }
    }

    /// Another device told what devices have.
    func handle(_ known: Reports) {
        guard known != reports else { return }
        reports = known
        owner.tell(known)
        collect()
    }

    /// There are devices for which nobody waits any more: what they told is forgotten, and what waited for them goes.
    func forgetGone() {
        guard !isStopped else { return }
        store.submitToAccount { [gone = owner.gone] (store) throws(StoreFailure) in
            let givesUp = try store.forget(gone)
            return (givesUp, try store.summary().reports)
        } then: { [self] result in
            switch result {
            case .success(let (givesUp, known)):
                if givesUp || mayHaveGivenUp {
                    mayHaveGivenUp = false
                    return owner.beginAnew(reports: known)
                }
                reports = known
                collect()
                owner.adoptStrays()
            case .failure(let failure):
                log.warn("what devices told that are gone could not be forgotten: \(failure)")
                noteHalfGivenUp()
            }
        }
    }

    /// The disk failed while claims were given up.
    ///
    /// Once it takes something again, the device begins anew, whether or not a lane did give up what it claims.
    func noteHalfGivenUp() {
        (mayHaveGivenUp, mustForget) = (true, true)
        tryAgain()
    }

    /// There are more devices to wait for: what was told of them meanwhile is kept.
    func heed() {
        guard !isStopped else { return }
        store.submitToAccount { [told = owner.heeded] (store) throws(StoreFailure) in
            try store.keep(told)
        } then: { [self] result in
            switch result {
            case .success(let known): handle(known)
            case .failure(let failure):
                log.warn("what devices have could not be kept: \(failure)")
                mustHeed = true
                tryAgain()
            }
        }
    }

    /// Asks the disk once more, after a while.
    private func tryAgain() {
        guard retryTimer == nil, !isStopped else { return }
        retryTimer = loop.schedule(after: limits.reportTime) { [self] in
            retryTimer = nil
            let (forgets, heeds) = (mustForget, mustHeed)
            (mustForget, mustHeed) = (false, false)
            if forgets { forgetGone() }
            if heeds { heed() }
        }
    }

    func stop() {
        isStopped = true
        for timer in [timer, retryTimer].compactMap(\.self) { loop.cancel(timer) }
        (timer, retryTimer) = (nil, nil)
    }

    private func report() {
        store.submitToAccount { (store) throws(StoreFailure) in
            try store.summary().complete
        } then: { [self] result in
            switch result {
            // Nothing is synced for what was reported already.
            case .success(let complete):
                if complete == reported { collect() } else { report(complete) }
            case .failure(let failure): noteFailure(failure)
            }
        }
    }

    /// Reports what was claimed when the loop last heard of it.
    ///
    /// The clock has taken note of that, because all that either lane had kept was told before; and what was named
    /// before it had was submitted to its lane before the report. Each lane reports by itself, so that none waits for
    /// the disk with the other.
    private func report(_ complete: VersionVector, in lanes: ArraySlice<Lane> = Lane.allCases[...]) {
        guard let lane = lanes.first else {
            reported = complete
            return readReports()
        }
        store.submit(to: lane, durably: true) { [device] (store) throws(StoreFailure) in
            try store.report(of: device, having: complete)
        } then: { [self] result in
            switch result {
            case .success: report(complete, in: lanes.dropFirst())
            case .failure(let failure): noteFailure(failure)
            }
        }
    }

    /// Tells what is reported by now.
    private func readReports() {
        store.submitToAccount { (store) throws(StoreFailure) in
            try store.summary().reports
        } then: { [self] result in
            switch result {
            case .success(let reports):
                handle(reports)
                owner.adoptStrays()
            case .failure(let failure): noteFailure(failure)
            }
        }
    }

    private func noteFailure(_ failure: StoreFailure) {
        log.warn("what is kept here could not be reported: \(failure)")
    }

    /// Lets go of what it may, step by step.
    private func collect() {
        guard limits.letsTracesGo, !isCollecting, !isStopped, let others = owner.waitedFor else { return }
        let roster = others.union([device])
        isCollecting = true
        store.submitToAccount { (store) throws(StoreFailure) in
            try store.collect(CollectRequest(roster: roster))
        } then: { [self] result in
            isCollecting = false
            switch result {
            case .success(let count): if count > 0 { collect() }
            case .failure(let failure): log.warn("what is deleted could not be let go: \(failure)")
            }
        }
    }
}
