import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// The events of an account: failures and reopenings of the store, messages of other devices, changes of the roster.
///
/// `handle(_:of:)` in `AccountNode.swift` handles commits.
extension AccountNode {
    // MARK: The store

    /// Handles a failure of the store.
    func handle(_ failure: StoreFailure) { storeTroubles?.note(failure) }

    /// Handles a failure of a job that a peer's session submitted.
    func handle(_ failure: StoreFailure, of device: DeviceIdentifier) {
        handle(failure)
        warnRefused("can't save or read the data exchanged with “\(name(of: device))”: \(failure)")
    }

    /// Handles a store that was opened again while the node ran: claims about a rescued lane are withdrawn.
    func handle(_ opening: StoreOpening) {
        guard !opening.rescues.isEmpty || opening.wasReadOnly else { return }
        note(opening.rescues)
        if opening.wasReadOnly { storeTroubles?.note(nil) }
        drive {
            $0.handleReopening(knowing: opening.reports, quarantined: opening.quarantined, in: self)
        }
        reindexing.take(opening.reindex)
        // The database may have lost its note of the settings, or could not be given it before.
        settingsKeeper.noteAgain { [log] failure in
            if let failure { log.warn("could not save the settings again: \(failure)") }
        }
        publishLostRevocations()
    }

    /// Publishes again the revocations that the database has lost; they are in force all the time.
    private func publishLostRevocations() {
        guard !membership.revocations.keys.isEmpty else { return }
        store.submit(to: .activities) { [keys = membership.revocations.keys] (store) throws(StoreFailure) in
            try store.lacking(keys)
        } then: { [self] result in
            switch result {
            case .success(let lost): drive { $0.handleLoss(of: lost, in: self) }
            case .failure(let failure): log.warn("could not look for lost revocations: \(failure)")
            }
        }
    }

    /// Notes rescues of lanes, for the log and the status.
    func note(_ rescues: [LaneRescue]) {
        storeTroubles?.note(rescues)
        for rescue in rescues { log.warn("trouble: \(StoreTroubles.text(rescue)) (\(rescue.cause))") }
        if rescues.contains(where: { $0.lane == .index && $0.hasLosses }) { lacksItems = true }
    }

    // MARK: Writes of other devices

    /// Called before a peer's writes are stored; returns the part of them that is reported by now.
    func announce(
        arriving writes: [Write], of lane: Lane, from device: DeviceIdentifier
    ) -> TakenWrites {
        // Watchers come first, because they are waiting.
        let told = lane == .activities ? watching.take(writes) : []
        logFarTimes(of: writes, from: device)
        drive { $0.handle(arriving: writes, from: device, in: self) }
        return TakenWrites(
            changes: changes.take(writes, of: lane, from: device), told: told,
            arriving: activities.handleArriving(writes))
    }

    /// Logs whose writes bring times that are far ahead of the clock here, the first time that they do.
    ///
    /// All devices follow these times from then on, and nothing is wrong with that: only the clock of their writer was,
    /// or is.
    private func logFarTimes(of writes: [Write], from device: DeviceIdentifier) {
        guard let latest = writes.max(by: { $0.stamp < $1.stamp }) else { return }
        let now = WallTime.now
        let lead = latest.stamp.time.wall.since(now)
        guard lead > WallTime.day, journal.clock.latest.wall.since(now) <= WallTime.day else { return }
        let days = (lead.components.seconds + 43_200) / 86_400
        let writer = devices.device(of: latest.stamp.life).map { "“\(name(of: $0))”" } ?? "an unknown device"
        log.tell(
            """
            changes of \(writer), which came from “\(name(of: device))”, have times that are \(days) days ahead of \
            the clock here: a clock was wrong when they were made. Later changes get later times, so nothing is lost
            """)
    }

    /// Called when storing those writes failed.
    func giveBack(_ taken: TakenWrites) {
        changes.giveBack(taken.changes)
        activities.handleArrived(taken.arriving, isKept: false)
        watching.refuse(taken.told)
    }

    /// Called when that number of a peer's writes were void, and were not stored.
    func handleVoidWrites(count: Int, from device: DeviceIdentifier) {
        drive { $0.handleVoidWrites(count: count, from: device) }
    }

    // MARK: Other devices

    /// Handles durability reports from a peer that were stored; they are all that the store knows now.
    func handle(_ reports: Reports) { drive { $0.handle(reports, in: self) } }

    /// Notes that this device claims every write that the peer claimed in its comparison at that time.
    func handle(met device: DeviceIdentifier, at time: WallTime) {
        drive { $0.handle(met: device, at: time, in: self) }
    }

    /// Called after a link has handled something or has ended: all connected devices may be in step now.
    ///
    /// It is called for every message, and therefore asks first whether anything waits for that.
    func handleProgress() {
        // One device that is in step has sent all that it has.
        if lacksItems, !peers.inStep.isEmpty { lacksItems = false }
        if machine.awaitsStep { drive { $0.handleProgress(in: self) } }
    }

    /// Notes that this device claims every write that the peer claimed when its session opened.
    func handleToldAll(by device: DeviceIdentifier) {
        drive { $0.handleToldAll(by: device, in: self) }
        considerRestoration()
    }

    /// Notes the time on a peer's clock at which the peer made a comparison.
    func handle(told time: WallTime, by device: DeviceIdentifier) {
        drive { $0.note(told: time, by: device, in: self) }
    }

    /// Returns a new life that no device has used before.
    func newLife() -> Life { drive { $0.writing.newLife() } }

    /// The signer that marks the activities of this device, for those that are written anew.
    var activitySigner: StoreTransaction.Signer? { journal.signer.map(StoreTransaction.Signer.init) }

    /// Handles a peer that has writes of this device's present life which this device did not make.
    func handle(taken life: Life, shownBy device: DeviceIdentifier) {
        drive { $0.handle(taken: life, shownBy: device, in: self) }
    }

    /// Handles the end of a link with a device.
    ///
    /// `isReplacedElsewhere` says that the peer named a newer connection as the reason, which is not here.
    func handleEnd(of device: DeviceIdentifier, isReplacedElsewhere: Bool) {
        drive {
            $0.handleEnd(
                ofConnectionWith: device, isReplacedElsewhere: isReplacedElsewhere, at: loop.instant)
        }
    }

    /// Handles that another machine announces itself as this device at an address, or with nil that none does any more.
    func handleAnnouncement(ofTwinAt address: String?) {
        drive { $0.handleAnnouncement(ofTwinAt: address, at: loop.instant) }
    }

    // MARK: The roster

    func meet(
        _ identity: DeviceIdentity, showing admission: RosterStatement?, expired: WallTime?
    ) -> CloseReason? {
        let refusal = drive { $0.meet(identity.device, showing: admission, in: self) }
        self.identity.use(membership)
        if let refusal { return refusal }
        guard let expired, !renewal.admits(identity.device) else { return nil }
        return CloseReason(
            .expired,
            """
            the certificate of that device expired on \(expired.date), and the clock here shows \(WallTime.now.date); \
            an owner's device renews it
            """)
    }

    /// Saves the revocations that are known, beside the database; `then` is called once they would survive a power loss.
    func keepRevocations(then: @escaping (StoreFailure?) -> Void) {
        revocationKeeper.keep(membership.revocations.keys, then: then)
    }

    /// Saves the revocations that are known, beside the database, for nobody who waits.
    func keepRevocations() {
        keepRevocations { [log] failure in
            if let failure { log.warn("could not save revocations beside the database: \(failure)") }
        }
    }

    /// Applies a changed roster, before anything else is sent.
    func handleRosterChange() {
        keepRevocations()
        identity.use(membership)
        devices.forgetNames()
        peers.handleRosterChange()
        reception.handleRosterChange()
        changes.tellRevoked()
        renewal.consider()
        allActivities.handleRosterChange()
        presenceChanged()
    }

    /// Called when the set of connected devices has changed.
    func connectionsChanged(lastSign: [DeviceIdentifier: WallTime] = [:]) {
        devices.forgetNames()
        let (connected, closing) = peers.presence
        let lastSigns = lastSign.merging(closing) { max($0, $1) }
        drive { $0.note(connected: connected, lastSign: lastSigns, in: self) }
    }

    /// Returns the TLS context to use with a peer that has refused this device this many times; nil once all were
    /// tried.
    func context(afterRefusals count: Int) -> TLSContext? {
        guard let credentials = renewal.credentials(afterRefusals: count) else { return nil }
        do {
            return try identity.context(of: credentials)
        } catch {
            log.warn("can't present another certificate of this device: \(error)")
            return nil
        }
    }
}

/// Effects of a peer's writes before the store has committed them.
struct TakenWrites {
    /// The last changes that are stored with the writes.
    let changes: LastChanges.Taken
    /// The activities whose changes were reported to watchers.
    let told: Set<RecordIdentity>
    /// The activities of this device over whose records the writes come.
    let arriving: CurrentActivities.Arriving

    /// The notes that are stored with the writes.
    var notes: [LocalNote] { changes.notes + arriving.notes }
}
