/// Reports which writes this device has durably, and garbage-collects the tombstones that all devices have.
///
/// `TombstoneCollector` is a part of `Account`.
///
/// A change that is not reported yet sets a timer of fixed length (`Limits.reportTime`), and later changes don't extend
/// it. So a node that stores writes without a pause reports, too. An idle node sets no timer, so it never wakes.
package struct TombstoneCollector: Sendable {
    /// The reports of all devices that are known here.
    package private(set) var reports: Reports
    private let device: DeviceIdentifier
    private let limits: Limits
    private var effects: [Effect] = []
    /// The claims that this device reported last, and the claims that it is reporting now.
    private var (reported, reporting): (VersionVector?, VersionVector?)
    private var reportTime: Instant?
    /// Whether the store is collecting, and whether a new reason to collect has come up since the collection began.
    private var (isCollecting, isReasonNew) = (false, false)
    /// The requests that failed; all are retried at `retryTime`.
    private var refused = Set<Refused>()
    private var retryTime: Instant?
    /// Whether to look for strays as soon as all connected devices are in step.
    private var seeksInStep = false
    /// Whether to collect tombstones as soon as all devices are known and none of them has lost data that it once had
    /// durably.
    private var collectsLater = false
    /// The strays that a search found; the ones that are still strays at `dueTime` are adopted.
    private var suspects: (dots: Set<Dot>, dueTime: Instant)?
    /// The time at which to look for strays again.
    private var seekTime: Instant?
    /// Whether the disk failed while the lanes gave up their claims.
    ///
    /// In this case, one lane may have given up its claims, and the other may not.
    private var mayHaveGivenUp = false

    private enum Refused { case forgetting, heeding, collecting, seeking }

    /// Begins with the reports that the store holds.
    package init(of device: DeviceIdentifier, knowing reports: Reports, limits: Limits) {
        (self.device, self.reports, self.limits) = (device, reports, limits)
    }

    // MARK: Commands

    /// Called when the store has stored a write.
    package mutating func handleCommit(at now: Instant) {
        if reportTime == nil { reportTime = now + limits.reportTime }
    }

    /// Called when the store has stored reports of another device; `known` are all reports in the store.
    package mutating func handleReports(_ known: Reports, in account: some AccountSurroundings) {
        guard known != reports else { return }
        learn(known)
        collect(in: account)
    }

    /// Called when a session has progressed or ended while `awaitsStep` was true.
    ///
    /// All connected devices may be in step now.
    package mutating func handleProgress(in account: some AccountSurroundings) {
        if collectsLater { collect(in: account) }
        if seeksInStep { seekStrays(in: account) }
    }

    /// Called when this device claims everything that a peer claimed.
    ///
    /// Tombstones that were kept only for this peer can be collected now.
    package mutating func handleMeeting(in account: some AccountSurroundings) {
        collect(in: account)
        handleProgress(in: account)
    }

    /// Forgets the reports of the devices that are gone; then the tombstones that waited for these devices are
    /// collected.
    package mutating func forgetGone(in account: some AccountSurroundings) { forget(account.gone) }

    /// Forgets the reports of these devices.
    package mutating func forget(_ gone: Set<DeviceIdentifier>) { effects.append(.ask(.forget(gone))) }

    /// Stores reports that peers sent about devices.
    ///
    /// They were not stored before, because the devices were not waited for then.
    package mutating func keep(_ heeded: Reports) { effects.append(.ask(.keep(heeded))) }

    /// Abandons the snapshots that a device was sending and can't continue.
    package mutating func abandonSnapshots(of device: DeviceIdentifier) {
        effects.append(.ask(.abandonSnapshots(of: device)))
    }

    /// Called when the store was reopened while the account was in use; the store may claim less than before.
    package mutating func handleReopening(knowing known: Reports, in account: some AccountSurroundings) {
        beginAnew(known, without: nil, in: account)
    }

    /// Called when the moment of `deadline` has come.
    package mutating func handleDeadline(in account: some AccountSurroundings, at now: Instant) {
        if let time = reportTime, time <= now { report() }
        if let time = retryTime, time <= now {
            retryTime = nil
            let again = refused
            refused = []
            if again.contains(.forgetting) { forgetGone(in: account) }
            if again.contains(.heeding) { keep(account.heeded) }
            if again.contains(.collecting) { collect(in: account) }
            if again.contains(.seeking) { seekStrays(in: account) }
        }
        if let time = seekTime, time <= now {
            seekTime = nil
            seekStrays(in: account)
        }
    }

    /// Begins to report the claims of this device.
    package mutating func report() {
        reportTime = nil
        effects.append(.ask(.claims))
    }

    /// Handles an answer of the store.
    package mutating func handleAnswer(
        _ answer: Answer, in account: some AccountSurroundings, at now: Instant
    ) {
        switch answer {
        // The same claims were reported already, so nothing must be synced. The writes since that report may be strays,
        // which nobody claims.
        case .claims(reported):
            collect(in: account)
            seekStrays(in: account)
        // The lanes store the report one after the other, so that neither lane waits for the disk writes of the other.
        case .claims(let complete): effects.append(.report(complete, .activities))
        case .reported(let complete, .activities): effects.append(.report(complete, .index))
        case .reported(let complete, .index):
            reporting = complete
            effects.append(.ask(.reports))
        case .reports(let known):
            // Now both lanes have the report durably, so it can be sent to the other devices.
            reported = reporting
            handleReports(known, in: account)
            seekStrays(in: account)
        case .kept(let known): handleReports(known, in: account)
        case .forgotten(let givesUp, let known):
            if givesUp || mayHaveGivenUp { return beginAnew(known, without: nil, in: account) }
            // `known` may contain the last report of this device, which was not yet sent to anyone.
            learn(known)
            collect(in: account)
            seekStrays(in: account)
        case .abandoned(_, nil): break
        case .abandoned(let device, let known?): beginAnew(known, without: device, in: account)
        case .collected(let count):
            isCollecting = false
            if count > 0 || isReasonNew { collect(in: account) }
        case .strays(let strays): adopt(strays, at: now)
        }
    }

    /// Called when a request to the store failed.
    package mutating func handleFailure(_ failure: StoreFailure, of request: Request, at now: Instant) {
        switch request {
        case .claims, .reports: handleReportFailure(failure, at: now)
        case .keep:
            effects.append(.warn("could not save the reports of devices: \(failure)"))
            tryAgain(.heeding, at: now)
        case .forget:
            effects.append(.warn("could not delete the reports of devices that are gone: \(failure)"))
            giveUpAgain(at: now)
        case .abandonSnapshots:
            effects.append(.warn("could not discard a snapshot that can't be completed: \(failure)"))
            giveUpAgain(at: now)
        case .collect:
            isCollecting = false
            effects.append(.warn("could not delete old tombstones: \(failure)"))
            tryAgain(.collecting, at: now)
        case .strays:
            effects.append(.warn("could not look for lost changes of this device: \(failure)"))
            tryAgain(.seeking, at: now)
        }
    }

    /// Called when a lane could not store the report of this device; the report is repeated later.
    package mutating func handleReportFailure(_ failure: StoreFailure, at now: Instant) {
        effects.append(.warn("could not save the report of this device: \(failure)"))
        handleCommit(at: now)
    }

    // MARK: Outputs

    package mutating func nextEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

    /// Whether the driver is to call `handleProgress(in:)`, because something waits until other devices have caught up.
    package var awaitsStep: Bool { seeksInStep || collectsLater }

    /// The time at which the driver is to call `handleDeadline(in:at:)`; nil if no time is set.
    package var deadline: Instant? {
        Instant.earliest(reportTime, Instant.earliest(retryTime, seekTime))
    }

    // MARK: Steps

    private mutating func learn(_ known: Reports) {
        guard known != reports else { return }
        reports = known
        effects.append(.tell(known))
    }

    /// Asks the store to collect tombstones, unless it is collecting already.
    private mutating func collect(in account: some AccountSurroundings) {
        guard limits.collectsTombstones else { return }
        let waitedFor = account.waitedFor
        collectsLater = waitedFor == nil
        guard let others = waitedFor else { return }
        // The collection under way may have read the reports before new ones came. So another collection must follow.
        isReasonNew = isCollecting
        guard !isCollecting else { return }
        isCollecting = true
        effects.append(.ask(.collect(CollectRequest(roster: others.union([device])))))
    }

    /// Looks for strays of this device and of the devices that are gone, as soon as all connected devices are in step.
    ///
    /// Before that, the claim for such a write may still be on its way to this device.
    private mutating func seekStrays(in account: some AccountSurroundings) {
        seeksInStep = !account.isInStep
        guard !seeksInStep else { return }
        effects.append(.ask(.strays(of: account.gone.union([device]))))
    }

    /// Adopts the strays that an earlier search also found, if that search was at least `Limits.adoptingTime` ago.
    ///
    /// A clone of this machine may be writing under the same identity, and the rest of the clone's transaction may be
    /// on its way. Without the wait, the two machines would adopt each other's writes endlessly.
    private mutating func adopt(_ strays: [Lane: [Write]], at now: Instant) {
        var suspected: Set<Dot> = []
        if let suspects {
            guard suspects.dueTime <= now else { return }
            suspected = suspects.dots
        }
        var (young, hasMore): (Set<Dot>, Bool) = ([], false)
        for lane in Lane.allCases {
            let found = strays[lane] ?? []
            let lost = found.filter { suspected.contains($0.dot) }
            hasMore = hasMore || lost.count > limits.adoptedWrites
            young.formUnion(found.lazy.map(\.dot).filter { !suspected.contains($0) })
            if !lost.isEmpty { effects.append(.adopt(Array(lost.prefix(limits.adoptedWrites)), lane)) }
        }
        // The remaining strays are adopted after the next report.
        if hasMore { return }
        suspects = young.isEmpty ? nil : (young, now + limits.adoptingTime)
        seekTime = suspects?.dueTime
    }

    private mutating func beginAnew(
        _ known: Reports, without device: DeviceIdentifier?, in account: some AccountSurroundings
    ) {
        (mayHaveGivenUp, reported, reporting) = (false, nil, nil)
        handleReports(known, in: account)
        effects.append(.beginAnew(without: device))
    }

    /// Retries later, and begins anew after the retry.
    ///
    /// One lane may have given up its claims before the disk failed.
    private mutating func giveUpAgain(at now: Instant) {
        mayHaveGivenUp = true
        tryAgain(.forgetting, at: now)
    }

    private mutating func tryAgain(_ request: Refused, at now: Instant) {
        refused.insert(request)
        if retryTime == nil { retryTime = now + limits.reportTime }
    }
}
