/// The state machine for the work that one device does in an account without a peer.
///
/// The account writes, publishes what apps do, and enforces the roster. It reports what the device has, collects
/// tombstones, settles and sweeps. It also knows which writes are quarantined, and when other devices were last
/// connected.
///
/// The account has no access to a disk, a timer or a connection. A driver gives events to the account, together with
/// the state of connections and clocks at that moment (`AccountDriver`). After each event, the driver calls
/// `nextEffect()` and carries out the effects until `nextEffect()` returns nil. The driver calls `handleDeadline(in:)`
/// when `deadline` has come. The node and the simulator drive the same machine.
///
/// Each part owns its state. This type holds only the state that concerns more than one part.
package struct Account: ~Copyable {
    package var writing: Writing
    package var activities: CurrentActivities
    package private(set) var roster: RosterKeeper
    package private(set) var collector: TombstoneCollector
    package private(set) var expiry: Expiry
    package private(set) var settling: Settling
    package private(set) var twin: TwinDetection
    package private(set) var quarantine: Quarantine
    package private(set) var contacts: LastContacts
    /// The subjects of the roster whose transactions the store has not yet answered, by the ticket of the transaction.
    private var entering: [Writing.Ticket: RosterKeeper.Subject] = [:]
    /// The activities whose changes the store has not yet answered, by the ticket of the change.
    package private(set) var publishing: [Writing.Ticket: ActivityName] = [:]

    package enum Effect: Equatable, Sendable {
        case writing(Writing.Effect)
        case activities(CurrentActivities.Effect)
        case roster(RosterKeeper.Effect)
        case collector(TombstoneCollector.Effect)
        case expiry(Expiry.Effect)
        case settling(Settling.Effect)
        case twin(TwinDetection.Effect)
        case quarantine(Quarantine.Effect)
        case contacts(LastContacts.Effect)

        /// Whether a process that is shutting down still carries this effect out.
        ///
        /// It does so for the effects that store what has happened so far. All other effects are left to the next
        /// process.
        package var isDoneWhileEnding: Bool {
            switch self {
            case .writing, .activities, .quarantine, .contacts: true
            case .roster, .collector, .expiry, .settling, .twin: false
            }
        }
    }

    /// Creates the account of an opened journal.
    ///
    /// The membership, the reports, the quarantined writes and the notes about contacts come from the store.
    /// `revocations` are the revocations that are saved beside the store. The store lacks the revocations in `lacking`.
    ///
    /// `written` covers the claims of the store. It also covers the writes that the last process sent early.
    package init(
        in journal: Journal, admitted own: OwnAdmission, knowing membership: Membership,
        keeping revocations: [RecordKey], lacking: Set<RecordKey>,
        by verifier: any StatementVerifier,
        havingWritten written: VersionVector, reports: Reports,
        quarantined: [QuarantinedWrite], contacts: [LocalNote], keepingFinished finishedDays: Int64,
        at clocks: Clocks, limits: Limits, drawingFrom generator: any RandomNumberGenerator & Sendable
    ) {
        writing = Writing(of: own.device, in: journal, limits: limits, drawingFrom: generator)
        activities = CurrentActivities(
            of: own.device, signer: journal.signer, pace: PublishingPace(limits),
            retryPause: limits.retryPause, finishedDays: finishedDays)
        roster = RosterKeeper(
            own, knowing: membership, keeping: revocations, lacking: lacking, by: verifier, limits: limits)
        collector = TombstoneCollector(of: own.device, knowing: reports, limits: limits)
        expiry = Expiry(of: own.device, at: clocks, limits: limits)
        settling = Settling(limits)
        twin = TwinDetection(
            of: own.device, in: journal.life, since: clocks.wall, knowing: written,
            latest: journal.clock.latest, unsynced: limits.unsyncedTime)
        quarantine = Quarantine(quarantined)
        self.contacts = LastContacts(contacts)
    }

    // MARK: The process

    /// Called when the process has begun; resumes the work that the previous process left unfinished.
    package mutating func start(isFirst: Bool, in driver: some AccountDriver) {
        let account = view(of: driver)
        roster.start(isFirst: isFirst, at: driver.clocks)
        if !account.gone.isEmpty { collector.forgetGone(in: account) }
        collector.handleCommit(at: driver.clocks.steady)
        considerSweep(in: driver)
        settle(at: driver.clocks.steady)
    }

    /// Called when the process ends: the roster writes nothing more.
    package mutating func stop() { roster.stop() }

    /// Called when the moment of `deadline` has come.
    package mutating func handleDeadline(in driver: some AccountDriver) {
        let clocks = driver.clocks
        writing.handleDeadline(at: clocks.steady)
        activities.handleDeadline(at: clocks)
        roster.handleDeadline(at: clocks)
        collector.handleDeadline(in: view(of: driver), at: clocks.steady)
        settling.handleDeadline(at: clocks.steady)
    }

    // MARK: Commits of the store

    /// Learns records that were stored; returns whether the standing of a device may have changed.
    ///
    /// `verified` has the results of verifying the statements among the records.
    ///
    /// Call this method before anything is done in answer to the records. Otherwise, a device that is no longer a
    /// member might get an answer.
    package mutating func learn(
        _ records: [Record], verified: [RecordKey: VerifiedStatement], at time: HybridTime,
        in driver: some AccountDriver
    ) -> Bool {
        writing.witness(time)
        return roster.learnRecords(records, verified: verified, at: driver.clocks)
    }

    /// Called when the store has committed writes of this device or of another one.
    ///
    /// The driver has called `learn(_:verified:at:in:)` for the records of these writes before.
    package mutating func handleCommit(_ commit: StoreCommit, of lane: Lane, in driver: some AccountDriver) {
        let now = driver.clocks.steady
        quarantine.handleCommit(commit)
        collector.handleCommit(at: now)
        considerSweep(in: driver)
        if commit.isUnsettled { settling.begin(lane, at: now) }
    }

    /// Called when the store was reopened while the account was in use; the store may claim less than before.
    package mutating func handleReopening(
        knowing reports: Reports, quarantined: [QuarantinedWrite], in driver: some AccountDriver
    ) {
        quarantine.handleReopening(knowing: quarantined)
        collector.handleReopening(knowing: reports, in: view(of: driver))
        settle(at: driver.clocks.steady)
    }

    /// Called when the store was reopened and lacks these revocations.
    package mutating func handleLoss(of revocations: [RecordKey], in driver: some AccountDriver) {
        roster.handleLoss(of: revocations, at: driver.clocks)
    }

    /// Called when a transaction of this device was stored.
    package mutating func handleKept(
        _ ticket: Writing.Ticket, _ commit: StoreCommit, in driver: some AccountDriver
    ) {
        writing.handleKept(ticket)
        if let name = publishing.removeValue(forKey: ticket) {
            let failure: StoreFailure? = commit.outranked.isEmpty ? nil : .outranked
            activities.handleKept(name, failure, at: driver.clocks)
        }
        guard let subject = entering.removeValue(forKey: ticket) else { return }
        if commit.outranked.isEmpty {
            roster.handleKept(subject, at: driver.clocks)
        } else {
            roster.handleFailure(.outranked, of: subject, at: driver.clocks.steady)
        }
    }

    /// Called when a transaction of this device could not be stored.
    package mutating func handleFailure(
        _ failure: StoreFailure, of ticket: Writing.Ticket, in driver: some AccountDriver
    ) {
        writing.handleFailure(failure, of: ticket, at: driver.clocks.steady)
        if let name = publishing.removeValue(forKey: ticket) {
            activities.handleKept(name, failure, at: driver.clocks)
        }
        if let subject = entering.removeValue(forKey: ticket) {
            roster.handleFailure(failure, of: subject, at: driver.clocks.steady)
        }
    }

    // MARK: Answers of the store

    package mutating func handleAnswer(_ answer: TombstoneCollector.Answer, in driver: some AccountDriver) {
        collector.handleAnswer(answer, in: view(of: driver), at: driver.clocks.steady)
    }

    package mutating func handleFailure(
        _ failure: StoreFailure, of request: TombstoneCollector.Request, in driver: some AccountDriver
    ) {
        collector.handleFailure(failure, of: request, at: driver.clocks.steady)
    }

    /// Called when the store has noted that these statements of the roster are skipped: the next process does not read
    /// them when it begins.
    package mutating func handleSkipped(_ skipped: [SkippedStatement], in driver: some AccountDriver) {
        roster.handleSkipped(skipped, at: driver.clocks)
    }

    /// Handles the answer to the effect `.seek`: the skipped statements about these devices.
    ///
    /// The statements may change the standing of the devices.
    package mutating func handleFound(
        _ records: [Record], about devices: Set<DeviceIdentifier>, in driver: some AccountDriver
    ) {
        roster.handleFound(records, about: devices, at: driver.clocks)
    }

    /// Called when a request to the store about a subject of the roster failed.
    package mutating func handleRosterFailure(
        _ failure: StoreFailure, of subject: RosterKeeper.Subject, in driver: some AccountDriver
    ) {
        roster.handleFailure(failure, of: subject, at: driver.clocks.steady)
    }

    /// Called when a lane could not store the report of this device.
    package mutating func handleReportFailure(_ failure: StoreFailure, in driver: some AccountDriver) {
        collector.handleReportFailure(failure, at: driver.clocks.steady)
    }

    /// Handles the answer of the store to `.askSharedLives`: the lives in which more than one machine writes.
    package mutating func handleSharedLives(_ shared: Set<Life>, in driver: some AccountDriver) {
        expiry.handleSharedLives(shared, in: view(of: driver))
    }

    /// Called when the store has done a step of a sweep; nil means that nothing was left to sweep in the lane.
    package mutating func handleStep(_ step: SweepStep?, in driver: some AccountDriver) {
        expiry.handleStep(step, in: view(of: driver))
    }

    package mutating func handleSweepFailure(_ failure: StoreFailure) { expiry.handleFailure(failure) }

    /// Called when the store has done a step of settling; nil means that nothing was left to settle in the lane.
    package mutating func handleSettled(_ commit: StoreCommit?, in lane: Lane, at now: Instant) {
        settling.handleCommit(commit, in: lane, at: now)
    }

    package mutating func handleSettlingFailure(_ failure: StoreFailure, in lane: Lane, at now: Instant) {
        settling.handleFailure(failure, in: lane, at: now)
    }

    /// Called when a note about a contact could not be stored.
    package mutating func handleContactFailure(_ failure: StoreFailure) { contacts.handleFailure(failure) }

    /// Settles a lane that may have something to settle.
    package mutating func settle(_ lane: Lane, at now: Instant) { settling.begin(lane, at: now) }

    // MARK: The identity of this device

    /// Replaces the certificate of this device by another one.
    package mutating func use(_ admission: OwnAdmission, in driver: some AccountDriver) {
        roster.use(admission, at: driver.clocks)
    }

    /// Called when this device leaves the account; from now on the device does not correct its own record.
    ///
    /// A correction would undo the leaving.
    package mutating func beginLeaving() { roster.isLeaving = true }

    // MARK: Other devices

    /// Called when a peer begins a session; returns the reason to refuse the peer, or nil.
    package mutating func meet(
        _ peer: DeviceIdentifier, showing admission: RosterStatement?, in driver: some AccountDriver
    ) -> CloseReason? {
        roster.meet(peer, showing: admission, at: driver.clocks)
    }

    /// Called when a peer has greeted this device; the session with the peer is about to open.
    package mutating func handleHello(
        _ hello: Hello, of device: DeviceIdentifier, in driver: some AccountDriver
    ) {
        let clocks = driver.clocks
        contacts.handleHello(hello, of: device, at: clocks.wall)
        if let clock = hello.clock { expiry.handleClock(clock, of: device, at: clocks) }
    }

    /// Called with the set of all devices with open sessions.
    ///
    /// Some sessions end because the device falls silent. For each such device, `lastSign` has the time of its last
    /// message.
    package mutating func recordConnected(
        _ connected: Set<DeviceIdentifier>, lastSign: [DeviceIdentifier: WallTime] = [:],
        in driver: some AccountDriver
    ) {
        let clocks = driver.clocks
        contacts.recordConnected(connected, at: clocks.wall, lastSign: lastSign)
        roster.recordConnected(connected, at: clocks)
    }

    /// Called when this device claims everything that the peer claimed when the session opened.
    ///
    /// This device then knows the account. If it has no record, it writes one.
    package mutating func handleToldAll(by device: DeviceIdentifier, in driver: some AccountDriver) {
        twin.noteToldAll(by: device, knowing: writing.journal.clock.latest)
        roster.handleIntroduction(at: driver.clocks)
    }

    /// Called when `count` writes of a peer were found to be void (`VoidCheck`).
    package mutating func handleVoidWrites(count: Int, from device: DeviceIdentifier) {
        quarantine.handleVoidWrites(count: count, from: device)
    }

    /// Called before writes of a peer are stored; some of the writes may be void.
    package mutating func handleArriving(
        _ writes: [Write], from device: DeviceIdentifier, in driver: some AccountDriver
    ) {
        twin.handleArriving(writes, from: device, at: driver.clocks.steady)
    }

    // MARK: This device's record

    /// Returns a draft of this device's record that contains a change by a person.
    ///
    /// Call `handleOwnRecord(in:)` when the draft was stored, or when storing it has failed.
    package mutating func ownRecord(changing change: (inout Device) -> Void) -> Journal.Draft {
        roster.ownRecord(changing: change)
    }

    /// Called when a draft of this device's record was stored, or could not be stored.
    package mutating func handleOwnRecord(in driver: some AccountDriver) {
        roster.handleOwnRecord(at: driver.clocks)
    }

    /// Called when a peer has writes that name this device's life and that this device did not make.
    ///
    /// Either two machines have the same identity and life, as clones of one disk or memory have, or the peer lies.
    package mutating func handleTakenLife(
        _ life: Life, shownBy device: DeviceIdentifier, in driver: some AccountDriver
    ) {
        // Several sessions may find that the same life is taken. Only the first one has an effect.
        guard writing.journal.life == life else { return }
        let clocks = driver.clocks
        writing.giveUp(life, at: clocks.wall)
        twin.handleTakenLife(shownBy: device, at: clocks.steady)
    }

    /// Called when the store has rewritten records under this life.
    ///
    /// Peers may send these writes back. This is not a sign of a twin.
    package mutating func handleRenewal(under life: Life) { twin.begin(life) }

    /// Called when a connection has ended.
    ///
    /// If `isReplacedElsewhere` is true, the peer ended the connection because it has a newer one. This process does
    /// not have that newer connection.
    package mutating func handleEnd(
        ofConnectionWith device: DeviceIdentifier, isReplacedElsewhere: Bool, at now: Instant
    ) {
        twin.handleEnd(with: device, isReplacedElsewhere: isReplacedElsewhere, at: now)
    }

    /// Called when another machine announces itself as this device at an address; nil if no machine does so any more.
    package mutating func handleAnnouncement(ofTwinAt address: String?, at now: Instant) {
        twin.handleAnnouncement(at: address, at: now)
    }

    /// Learns the reports that a peer sent; returns the reports to store.
    package mutating func learnReports(_ reports: Reports) -> Reports { roster.learnReports(reports) }

    /// Called when the store has stored reports of a peer; `known` are all reports in the store now.
    package mutating func handleReports(_ known: Reports, in driver: some AccountDriver) {
        collector.handleReports(known, in: view(of: driver))
    }

    /// Called when this device claims everything that the peer claimed at its comparison time `time`.
    package mutating func handleMeeting(
        _ device: DeviceIdentifier, at time: WallTime, in driver: some AccountDriver
    ) {
        collector.handleMeeting(in: view(of: driver))
        expiry.recordMeeting(device, at: time)
        considerSweep(in: driver)
    }

    /// Called when a session has progressed or ended while `awaitsStep` was true.
    ///
    /// All connected devices may be in step now.
    package mutating func handleProgress(in driver: some AccountDriver) {
        collector.handleProgress(in: view(of: driver))
    }

    /// Whether something waits until all connected devices are in step.
    package var awaitsStep: Bool { collector.awaitsStep }

    /// Called when a connected device has sent its comparison time (`WallTime.compared`).
    package mutating func recordComparison(
        _ time: WallTime, by device: DeviceIdentifier, in driver: some AccountDriver
    ) {
        expiry.recordComparison(time, by: device, at: driver.clocks)
    }

    /// Called when a device is no longer connected.
    package mutating func noteEnd(of device: DeviceIdentifier) { expiry.noteEnd(of: device) }

    /// Reports what this device has, before the time to report has come.
    package mutating func report() { collector.report() }

    /// Abandons the snapshots that a device was sending and can't continue.
    package mutating func abandonSnapshots(of device: DeviceIdentifier) {
        collector.abandonSnapshots(of: device)
    }

    /// Begins a sweep if one is due.
    ///
    /// The driver also calls this method while it handles other events.
    package mutating func considerSweep(in driver: some AccountDriver) {
        expiry.consider(in: view(of: driver))
    }

    // MARK: Outputs

    /// Returns the next effect to carry out, or nil if there is none.
    package mutating func nextEffect() -> Effect? {
        while let effect = roster.nextEffect() {
            switch effect {
            case .write(let subject, let drafts, let clocks): enter(subject, drafts, at: clocks)
            case .waitForFewer: collector.forget(roster.membership.gone)
            case .waitForMore:
                let heeded = roster.membership.heeded
                if !heeded.sorted.isEmpty { collector.keep(heeded) }
            case .skip, .seek, .entered, .returned, .warn: return .roster(effect)
            }
        }
        // An effect of the activities comes after the writes that have a dot already.
        if let effect = nextWriting() { return .writing(effect) }
        while let effect = activities.nextEffect() {
            guard case .store(let transaction) = effect, !transaction.drafts.isEmpty else {
                return .activities(effect)
            }
            publish(transaction)
            if let effect = nextWriting() { return .writing(effect) }
        }
        if let effect = nextWriting() { return .writing(effect) }
        if let effect = activities.nextWithdrawing() { return .activities(effect) }
        while let effect = collector.nextEffect() {
            switch effect {
            case .adopt(let strays, let lane):
                writing.adopt(strays, in: lane)
                if let effect = nextWriting() { return .writing(effect) }
            case .beginAnew:
                writing.beginAnew()
                return .collector(effect)
            default: return .collector(effect)
            }
        }
        if let effect = expiry.nextEffect() { return .expiry(effect) }
        if let effect = settling.nextEffect() { return .settling(effect) }
        if let effect = quarantine.nextEffect() { return .quarantine(effect) }
        if let effect = contacts.nextEffect() { return .contacts(effect) }
        return twin.nextEffect().map { .twin($0) }
    }

    private mutating func nextWriting() -> Writing.Effect? {
        let effect = writing.nextEffect()
        switch effect {
        case .begin(let life): twin.begin(life)
        case .keep(let transaction, _, _): settling.noteWrite(in: transaction.lane)
        default: break
        }
        return effect
    }

    /// The time at which the driver is to call `handleDeadline(in:)`; nil if no time is set.
    package var deadline: Instant? {
        Instant.earliest(
            Instant.earliest(Instant.earliest(writing.deadline, activities.deadline), roster.deadline),
            Instant.earliest(collector.deadline, settling.deadline))
    }

    /// The membership of the account.
    package var membership: Membership { _read { yield roster.membership } }

    /// Returns the reason to distrust a clock, which prevents sweeping; nil if there is none.
    package mutating func sweepingDoubt(at clocks: Clocks) -> Sweeping.Doubt? {
        expiry.doubt(at: clocks)
    }

    // MARK: Steps

    private func view<Driver: AccountDriver>(of driver: Driver) -> AccountView<Driver> {
        AccountView(membership: roster.membership, driver: driver)
    }

    /// Writes the drafts of a subject of the roster in one transaction.
    private mutating func enter(
        _ subject: RosterKeeper.Subject, _ drafts: [Journal.Draft], at clocks: Clocks
    ) {
        let ticket = writing.write { $0.transaction(.activities, drafts, now: clocks.wall) }
        if let ticket {
            entering[ticket] = subject
        } else {
            roster.handleFailure(Self.tooLarge, of: subject, at: clocks.steady)
        }
    }

    /// Writes a change of an activity.
    private mutating func publish(_ change: CurrentActivities.Transaction) {
        let ticket = writing.write { journal in
            var transaction = journal.transaction(.activities, change.drafts, now: change.clocks.wall)
            transaction?.notes = change.notes
            return transaction
        }
        if let ticket {
            publishing[ticket] = change.name
        } else {
            activities.handleKept(change.name, Self.tooLarge, at: change.clocks)
        }
    }

    /// The failure of a transaction that exceeds the limits of the protocol.
    package static let tooLarge = StoreFailure(.failed, "it is too large to be sent to other devices")

    private mutating func settle(at now: Instant) {
        for lane in Lane.allCases { settling.begin(lane, at: now) }
    }
}

/// Tells an account about connections, settings and clocks while it handles an event.
package protocol AccountDriver {
    /// Whether a connected device has lost data that it once had durably; then no tombstone may be collected.
    var isSomeoneSetBack: Bool { get }
    /// Whether at least one device is connected and every connected device is in step with this one.
    var isInStep: Bool { get }
    /// How long expired records are kept; nil if they are kept permanently.
    var keepingExpired: Duration? { get }
    var clocks: Clocks { get }
}

/// Tells the collector and expiry about the account while they handle an event.
package protocol AccountSurroundings {
    /// The other devices of the account, which collecting and sweeping must wait for.
    ///
    /// The set is nil if not all devices are known, or if one of them has lost data that it once had durably.
    var waitedFor: Set<DeviceIdentifier>? { get }
    /// The devices that left the account, were revoked, or were declared gone.
    var gone: Set<DeviceIdentifier> { get }
    /// The reports that peers sent about devices that are waited for.
    var heeded: Reports { get }
    /// Whether at least one device is connected and every connected device is in step with this one.
    var isInStep: Bool { get }
    /// How long expired records are kept; nil if they are kept permanently.
    var keepingExpired: Duration? { get }
    var clocks: Clocks { get }
}

/// A view of an account at one moment, made of its membership and its driver.
private struct AccountView<Driver: AccountDriver>: AccountSurroundings {
    let membership: Membership
    let driver: Driver

    var waitedFor: Set<DeviceIdentifier>? {
        guard membership.mayCollect, !driver.isSomeoneSetBack else { return nil }
        return membership.others
    }
    var gone: Set<DeviceIdentifier> { membership.gone }
    var heeded: Reports { membership.heeded }
    var isInStep: Bool { driver.isInStep }
    var keepingExpired: Duration? { driver.keepingExpired }
    var clocks: Clocks { driver.clocks }
}
