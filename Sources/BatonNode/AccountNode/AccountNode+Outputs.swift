import BatonCore
import BatonNetwork
import BatonSecurity

/// Carries out the outputs of this device's activities.
extension AccountNode {
    func performOwn(_ output: OwnActivities.Output) {
        switch output {
        case .changed(let name, let isSearched):
            watching.noteOwn(name)
            if isSearched { searches.noteChange() }
        case .ended(let name, let ending, let app):
            watching.noteOwn(name)
            app?.tellEnd(of: name, ending, in: core)
        case .withdrawing(let isWithdrawing): peers.holdsActivities = isWithdrawing
        case .keptChanged: searches.noteChange()
        }
    }
}

/// Carries out the outputs of the links and of the search for devices.
extension AccountNode {
    func performPeer(_ output: PeerOutput) {
        switch output {
        case .reached(let channel, let identity, let expired):
            admit(channel, identity, expired: expired, isDialled: true)
        case .greeted(let link, let hello): handleGreeting(hello, of: link)
        case .opened(let link):
            peers.handleOpening(of: link)
            connectionsChanged()
            link.tellReports(core.machine.collector.reports)
        case .asked(.apply(let transaction), let link): store(transaction, of: link)
        case .asked(.keepReports(let reports), let link): store(reports, of: link)
        case .asked(let request, let link): link.ask(request)
        case .continueRequested(let request, let link):
            HandoffAnswers(account: core, activities: activities).answer(request, over: link)
        case .streamRequested(let number, let identity, let link):
            streams.handleRequest(number, identity, from: link)
        case .addresses(let addresses, let device): peers.receiveAddresses(addresses, toldBy: device)
        case .lifeTaken(let life, let device):
            core.drive { $0.handleTakenLife(life, shownBy: device, in: core) }
        case .snapshotLost(let device): core.drive { $0.abandonSnapshots(of: device) }
        case .compared(let time, let device): core.drive { $0.recordComparison(time, by: device, in: core) }
        case .met(let device, let time): core.drive { $0.handleMeeting(device, at: time, in: core) }
        case .toldAll(let device):
            core.drive { $0.handleToldAll(by: device, in: core) }
            considerRestoration()
        case .differed(let difference, let device): peers.recordDifference(difference, with: device)
        case .storing(let device): peers.noteStoring(device)
        case .failed(let failure, let device):
            core.troubles.recordFailure(failure)
            core.warnRefused(
                "can't save or read the data exchanged with “\(core.name(of: device))”: \(failure)")
        case .ended(let link, let end): handleEnd(of: link, end)
        }
    }

    // MARK: Sessions

    /// Lets a device begin a session if the account admits the device.
    ///
    /// `expired` is the time at which the device's certificate expired; nil if the certificate is valid.
    func admit(_ channel: Channel, _ identity: DeviceIdentity, expired: WallTime? = nil, isDialled: Bool) {
        guard peers.admits(channel, identity, isDialled: isDialled) else { return }
        if let reason = refusal(of: identity, showing: channel.shownAdmission, expired: expired) {
            peers.refuse(channel, to: identity.device, because: reason, isDialled: isDialled)
        } else {
            peers.begin(channel, identity, isDialled: isDialled)
        }
    }

    /// Returns the reason to refuse a device; nil if the device is accepted.
    ///
    /// There are two reasons: neither the roster nor the admission that the device shows makes it a member, or its
    /// certificate has expired.
    private func refusal(
        of identity: DeviceIdentity, showing admission: RosterStatement?, expired: WallTime?
    ) -> CloseReason? {
        let refusal = core.drive { $0.meet(identity.device, showing: admission, in: core) }
        core.identity.use(core.membership)
        if let refusal { return refusal }
        guard let expired, !renewal.admits(identity.device) else { return nil }
        return CloseReason(
            .expired,
            """
            the certificate of that device expired on \(expired.date), and the clock here shows \(WallTime.now.date); \
            an owner's device renews it
            """)
    }

    /// Handles the peer's greeting, which contains the peer's name and the port on which the peer listens.
    private func handleGreeting(_ hello: Hello, of link: Link) {
        peers.learnRoute(of: link, hello)
        let device = link.device.device
        core.drive { $0.handleHello(hello, of: device, in: core) }
        let place = link.remoteAddress.map { " at \($0)" } ?? ""
        core.log.tell("connected with “\(core.name(of: device))”\(place)")
    }

    /// Handles the end of a link.
    private func handleEnd(of link: Link, _ end: LinkEnd) {
        let device = link.device.device
        var end = end
        if let reason = link.peerReason, [.notMember, .expired].contains(reason.code) {
            let count = peers.handleRefusal(by: device, reason)
            end.trouble = ConnectionTrouble("it refused this device: \(reason.text)", code: reason.code)
            end.isTransient = peers.show(context(afterRefusals: count), to: device)
            reception.handleRosterChange()
        }
        peers.handleEnd(of: link, end)
        let isReplaced = link.peerReason?.code == .replaced && !peers.hasLink(to: device)
        core.drive {
            $0.handleEnd(
                ofConnectionWith: device, isReplacedElsewhere: isReplaced, at: core.loop.instant)
        }
        connectionsChanged(lastSign: link.lastSign.map { [device: $0] } ?? [:])
        handleProgress()
        // Another link to this device may exist but not be open yet. It may never open, so it does not count.
        guard peers.link(to: device) == nil else { return }
        core.drive { $0.noteEnd(of: device) }
        host?.deviceLost()
        peers.handleLoss(of: device, link, end)
    }

    /// Returns the TLS context for the next attempt to reach a peer that has refused this device `count` times.
    ///
    /// The result is nil once all certificates of this device were tried.
    private func context(afterRefusals count: Int) -> TLSContext? {
        guard let credentials = renewal.credentials(afterRefusals: count) else { return nil }
        do {
            return try core.identity.context(of: credentials)
        } catch {
            core.log.warn("can't present another certificate of this device: \(error)")
            return nil
        }
    }

    /// Called when the set of connected devices has changed.
    private func connectionsChanged(lastSign: [DeviceIdentifier: WallTime] = [:]) {
        core.names.forget()
        let (connected, closing) = peers.presence
        let lastSigns = lastSign.merging(closing) { max($0, $1) }
        core.drive { $0.recordConnected(connected, lastSign: lastSigns, in: core) }
    }

    /// Called after links have handled something or have ended, because all connected devices may be in step now.
    ///
    /// This method is called for every message. Therefore, it checks first whether anything waits for devices to be in
    /// step.
    func handleProgress() {
        // One device in step suffices, because that device has sent everything that it has.
        if searches.view.lacksItems, !peers.inStep.isEmpty { searches.view.lacksItems = false }
        if core.machine.awaitsStep { core.drive { $0.handleProgress(in: core) } }
    }

    /// Ends the problem that a backup was restored, once every other device has sent all that it had.
    private func considerRestoration() {
        guard core.troubles.isRestored, core.machine.twin.hasHeardAll(of: core.membership.others) else {
            return
        }
        core.troubles.endRestoration()
        core.keep([Restoration.ended]) { [self] failure in
            if let failure { core.warnRefused("could not save that all changes are here again: \(failure)") }
        }
    }

    // MARK: Data of peers

    /// Stores a peer's reports, and passes all reports in the store to the link.
    private func store(_ told: Reports, of link: Link) {
        let reports = core.drive { $0.learnReports(told) }
        core.store.submitToAccount(in: link.line) { (store) throws(StoreFailure) in
            StoreAnswer.keptReports(try store.keep(reports))
        } then: { [core] result in
            if case .success(.keptReports(let reports)) = result {
                core.drive { $0.handleReports(reports, in: core) }
            }
            link.answer(result)
        }
    }

    /// Stores a batch that a peer sent.
    private func store(_ transaction: StoreTransaction, of link: Link) {
        let (lane, device) = (transaction.lane, link.device.device)
        var transaction = transaction
        // Some writes may need a new dot on this device. Those writes are named in a new life.
        if transaction.range != nil || transaction.isAhead {
            transaction.renewingLife = core.drive { $0.writing.newLife() }
            transaction.renewingSigner = core.journal.signer.map(StoreTransaction.Signer.init)
        }
        let arriving = announce(transaction.writes, of: lane, from: device)
        transaction.notes += arriving.notes
        let weight = transaction.writes.reduce(0) { $0 + $1.byteCount }
        core.store.submit(to: lane, in: link.line, mayWait: transaction.awaitsClaim, weight: weight) {
            [transaction, verifier = core.verifier] (store) throws(StoreFailure) in
            // Checking the signatures of a batch may take most of a second. The loop must not wait for that, so the
            // store's thread checks them.
            var transaction = transaction
            let check = try VoidCheck(of: &transaction, by: verifier)
            var commit = try store.commit(transaction)
            commit.voidCount = check.count
            commit.verified = check.statements
            return commit
        } then: { [self, life = transaction.renewingLife] result in
            switch result {
            case .success(let commit):
                if let life, commit.hasWritten(under: life) { core.drive { $0.handleRenewal(under: life) } }
                handleCommit(commit, of: lane, with: arriving)
                if commit.voidCount > 0 { handleVoidWrites(count: commit.voidCount, from: device) }
            case .failure(let failure):
                giveBack(arriving)
                if failure.code == .void, link.isUnharmed {
                    handleVoidWrites(count: Limits.voidWrites + 1, from: device)
                }
            }
            link.answer(result.map { .applied(lane, $0) })
        }
    }

    /// Called before a peer's writes are stored.
    ///
    /// Returns what was done about the writes already. The caller needs it again when the writes are stored or storing
    /// them fails.
    private func announce(
        _ writes: [Write], of lane: Lane, from device: DeviceIdentifier
    ) -> ArrivingWrites {
        // Watchers are told first, because they are waiting.
        let told = lane == .activities ? watching.receiveWrites(writes) : []
        logFarTimes(of: writes, from: device)
        core.drive { $0.handleArriving(writes, from: device, in: core) }
        return ArrivingWrites(
            changes: changes.receiveWrites(writes, of: lane, from: device), told: told,
            states: activities.handleArriving(writes))
    }

    /// Takes back what was done about a peer's writes, because storing them failed.
    private func giveBack(_ arriving: ArrivingWrites) {
        changes.giveBack(arriving.changes)
        activities.handleArrived(arriving.states, isKept: false)
        watching.refuse(arriving.told)
    }

    /// Called when `count` of a peer's writes were void, and therefore not stored.
    private func handleVoidWrites(count: Int, from device: DeviceIdentifier) {
        core.drive { $0.handleVoidWrites(count: count, from: device) }
    }

    /// Logs that writes have times more than a day ahead of this device's clock, with the name of their writer.
    ///
    /// Nothing is logged if the journal has seen such times before. All devices use later times from then on. This does
    /// no harm: only the clock of the writer was wrong.
    private func logFarTimes(of writes: [Write], from device: DeviceIdentifier) {
        guard let latest = writes.max(by: { $0.stamp < $1.stamp }) else { return }
        let now = WallTime.now
        let lead = latest.stamp.time.wall.since(now)
        guard lead > WallTime.day, core.journal.clock.latest.wall.since(now) <= WallTime.day else { return }
        let days = (lead.components.seconds + 43_200) / 86_400
        let writer = core.names.device(of: latest.stamp.life).map { "“\(core.name(of: $0))”" }
        core.log.tell(
            """
            changes of \(writer ?? "an unknown device"), which came from “\(core.name(of: device))”, have times that are \
            \(days) days ahead of the clock here: a clock was wrong when they were made. Later changes get later times, so \
            nothing is lost
            """)
    }
}

/// Everything that was done about a peer's writes before they were stored.
struct ArrivingWrites {
    /// The last changes of devices, to be stored with the writes.
    let changes: LastChanges.Taken
    /// The activities whose changes were reported to watchers.
    let told: Set<RecordIdentity>
    /// The activities of this device whose records the writes would change.
    let states: CurrentActivities.Arriving

    /// The notes to store with the writes.
    var notes: [LocalNote] { changes.notes + states.notes }
}
