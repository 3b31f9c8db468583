import BatonCore
import BatonNetwork
import BatonSecurity

/// One account on this node: its store, its peers, and its activities.
///
/// Everything that belongs to one account is reached from here; two accounts on a node share the loop and the port, and
/// nothing else. The object belongs to the loop's thread.
final class AccountNode {
    let identity: OwnIdentity
    /// Called when this device shows another certificate from now on.
    var contextChanged: () -> Void = {}
    /// Called when the account stops, before its connections are closed.
    var stopping: () -> Void = {}
    /// Called when what can be found by searching may have changed.
    var searchedChanged: () -> Void = {}
    /// Ends the account on this node and deletes its files; answers with the files that could not be deleted, or with
    /// the failure if nothing was.
    var ending: (@escaping (Result<String?, LocalFailure>) -> Void) -> Void = { _ in }
    /// The folder of the account.
    let folder: String
    /// The options that name this home and account, to be repeated in advice, and the option that names the account
    /// alone.
    let options, accountOption: String
    let store: StoreThreads
    let loop: EventLoop
    let limits: Limits
    let log: Log

    private let door: InvitationDoor
    /// The contents of the store when it was opened, without those that the state machine took.
    private let contents: Contents
    private let resolver: Resolver
    /// Returns whether an address belongs to this machine.
    private let isOwn: (SocketAddress.Host) -> Bool
    /// The links of this machine.
    private let links: PresentLinks
    /// Returns what the kernel knows of the clock; nil if it does not say.
    let clockSynchronization: () -> ClockSynchronization?
    /// The port at which this node listens.
    private let port: UInt16
    /// The state machine that writes, reports, collects tombstones, settles and sweeps.
    private(set) var machine: Account
    /// Whether the account's effects are being carried out.
    private var isDriving = false
    /// Set for the account's deadline.
    private let timer: OwnedTimer
    /// Erases from the files what was removed.
    private lazy var erasing = StoreErasing(
        store, in: folder, on: loop, limits: limits, log: log,
        forgetGone: { [unowned self] in allActivities.forgetGone() }
    ) { [unowned self] keys, then in
        index(keys.map { Journal.Draft(.deletion, $0) }, condition: nil) { result in
            switch result {
            case .success: then(nil)
            case .failure(let failure): then(failure)
            }
        }
    }
    /// Verifies what the roster and devices' records say, on any thread.
    let verifier: RosterVerifier
    /// The line of store jobs for transactions of the present life.
    private(set) var ownWrites = StoreLine()
    /// The closures that are called with the result of a write, once it was stored or failed.
    private var waiting: [Writing.Ticket: (Result<StoreCommit, StoreFailure>) -> Void] = [:]
    private var generator = SystemRandomNumberGenerator()
    /// The problems with the store and its disk.
    var storeTroubles: StoreTroubles?
    /// The writes that the disk refuses, for the log.
    private var refusedWrites: RefusedWrites
    /// The lanes that claim `Limits.laneOrigins` lives, so that further ones are not claimed.
    private(set) var fullLanes: Set<Lane>
    /// Whether a rescue could not read some items, and no device was in step since.
    var lacksItems = false
    /// Whether the account has stopped, so that nothing new may begin.
    private(set) var isStopped = false
    /// Keeps the settings of this machine.
    let settingsKeeper: SettingsKeeper
    /// Keeps the revocations beside the database.
    let revocationKeeper: RevocationKeeper
    /// Whether another device has shown in this process that the home is an older copy.
    private var isOlderCopyKnown = false
    /// The requests to apps to index again.
    let reindexing: Reindexing
    /// The activities of all devices.
    private(set) lazy var allActivities = AllActivities(
        of: self, contents.dismissals, arrivals: contents.arrivals, uses: contents.uses,
        donations: contents.donations)
    /// The apps that continue activities.
    let registry = AppRegistry()
    /// Tells watchers about changes of the activity list.
    private(set) lazy var watching = ActivityWatchers(of: self)
    /// Counts the activities that are not listed.
    private(set) lazy var activityCount = ActivityCount(of: self)
    /// The devices of the account, for people.
    private(set) lazy var devices = DeviceDirectory(of: self)
    /// The last changes that other devices made.
    private(set) lazy var changes = DeviceChanges(of: self, contents.changes)

    /// Renews certificates, this device's and those of others.
    private(set) lazy var renewal = CertificateRenewal(
        on: loop, limits: limits, log: log, options: options, owner: self)
    /// Leaves the account, if the person wants that.
    private(set) lazy var leaving = Leaving(of: self)
    /// Streams between apps of this device and of others.
    private(set) lazy var streams = AccountStreams(of: self)
    private(set) lazy var activities = OwnActivities(
        device: credentials.device, signer: journal.signer, on: loop, limits: limits, log: log,
        finishedDays: settings[.finishedDays]
    ) { [unowned self] in publishOwn($0, notes: $1, then: $2) }
    private(set) lazy var peers = Peers(
        own: SessionIdentity(
            account: credentials.account, device: credentials.device, name: credentials.deviceName, port: port
        ),
        startingWith: contents.summary.complete, context: identity.context, store: store,
        routes: contents.addresses,
        resolver: resolver, isOwn: isOwn, presentLinks: links, on: loop, limits: limits,
        log: log, account: self)
    /// Called when other devices are looked for on local networks than before, or another invitation is open.
    var presenceChanged: () -> Void = {}
    /// Called when a device is not connected any more.
    var deviceLost: () -> Void = {}
    private(set) lazy var reception = Reception(
        { [unowned self] in credentials },
        name: { [unowned self] in devices.recordedName(of: credentials.device) }, door: door, on: loop,
        limits: limits, log: log, options: options, refusal: { [unowned self] in pairingRefusal(of: $0) },
        changed: { [unowned self] in presenceChanged() }
    ) {
        [unowned self] admission, then in publish([Journal.Draft(admission)], then: then)
    }

    /// The contents of the store when it was opened.
    struct Contents: Sendable {
        let opening: Witness.Opening
        let summary: StoreSummary
        let activities: [Record]
        /// The membership by the statements and the records of devices.
        private(set) var membership: Membership
        let ownActivities: [LocalNote]
        let taken: TakenActivities
        let addresses: [LocalNote]
        let contacts: [LocalNote]
        let quarantined: [QuarantinedWrite]
        let reindex: [LocalNote]
        let settings: OpenedSettings
        /// The backup from which the store was restored, if that still matters.
        let restoration: Restoration?
        /// The revocations that were kept beside the database.
        let revocations: RevocationFiles.Found
        /// Those of them that the database lacks.
        let lostRevocations: Set<RecordKey>
        let dismissals: [LocalNote]
        let arrivals: [LocalNote]
        let kept: [LocalNote]
        let uses: [LocalNote]
        let donations: [LocalNote]
        let changes: [LocalNote]

        init(
            _ store: any AccountStore, of device: DeviceIdentifier, by verifier: RosterVerifier,
            _ witness: Witness, in folder: String
        ) throws(StoreFailure) {
            var generator = SystemRandomNumberGenerator()
            opening = try witness.open(store, using: &generator)
            summary = try store.summary()
            // Activities that others wrote in this device's name are limited in number, too; those that have expired
            // are finished.
            let (lane, start) = (store.lane(.activities), WallTime(milliseconds: .min))
            activities = try lane.recordsListed(on: device, at: start)
            membership = try Membership(own: device, storedIn: store, by: verifier)
            quarantined = try store.quarantined()
            reindex = try store.notes(in: .reindex)
            settings = try OpenedSettings(of: SettingsFiles(folder: folder), store, witness)
            restoration = Restoration(try store.notes(in: .restoration))
            revocations = RevocationFiles(folder: folder).read()
            lostRevocations = Set(try lane.lacking(revocations.keys))
            dismissals = try store.notes(in: .dismissal)
            arrivals = try store.notes(in: .arrivalTime)
            kept = try store.notes(in: .keptActivity) + store.notes(in: .keptUse)
            uses = try store.notes(in: .pastUse) + store.notes(in: .signWeights)
            donations = try store.notes(in: .donation)
            changes = try store.notes(in: .activitiesChange) + store.notes(in: .indexChange)
            ownActivities = try store.notes(in: .ownActivity)
            taken = TakenActivities(try lane.recordsFinished(on: device, at: start), of: device)
            addresses = try store.notes(in: .address)
            contacts = try store.notes(in: .lastContact)
        }

        /// These contents without the members, which are held once.
        fileprivate var withoutMembership: Contents {
            var contents = self
            contents.membership = Membership(own: membership.own)
            return contents
        }

    }

    init(
        _ credentials: Credentials, in home: Home, store: StoreThreads, contents: Contents, port: UInt16,
        resolver: Resolver, isOwn: @escaping (SocketAddress.Host) -> Bool, links: PresentLinks,
        clockSynchronization: @escaping () -> ClockSynchronization?, on loop: EventLoop, limits: Limits,
        log: Log
    ) throws(SecurityError) {
        (folder, verifier) = (home.account(), RosterVerifier(root: credentials.root))
        (options, accountOption) = (home.option + home.accountOption, home.accountOption)
        let door = InvitationDoor()
        (self.store, self.door, self.contents) = (store, door, contents.withoutMembership)
        (self.port, self.resolver, self.loop, self.limits, self.log) = (port, resolver, loop, limits, log)
        (self.isOwn, self.links, timer) = (isOwn, links, OwnedTimer(on: loop))
        self.clockSynchronization = clockSynchronization
        refusedWrites = RefusedWrites(limits)
        fullLanes = Set(
            Lane.allCases.filter {
                contents.summary.complete.restricted(to: $0).count >= Limits.laneOrigins
            })
        var written = contents.summary.complete
        written.join(contents.opening.toldAhead)
        machine = Account(
            in: Journal(
                life: contents.opening.life, latest: contents.opening.clock,
                after: contents.opening.sequences, signer: try DeviceKeySigner(credentials)),
            admitted: OwnIdentity.admission(of: credentials, log),
            knowing: contents.membership, keeping: contents.revocations.keys,
            lacking: contents.lostRevocations, by: verifier,
            havingWritten: written, reports: contents.summary.reports,
            quarantined: contents.quarantined, contacts: contents.contacts,
            at: Clocks(wall: .now, steady: loop.instant), limits: limits,
            drawingFrom: SystemRandomNumberGenerator())
        identity = try OwnIdentity(
            credentials, in: IdentityFolder(path: folder + "/identity"), door,
            knowing: machine.membership, store: store, log: log)
        settingsKeeper = SettingsKeeper(contents.settings.copy, in: SettingsFiles(folder: folder), store)
        revocationKeeper = RevocationKeeper(
            contents.revocations, in: RevocationFiles(folder: folder), store, on: loop,
            pause: limits.diskPause)
        reindexing = Reindexing(contents.reindex, store: store)
        identity.changed = { [unowned self] in handleOtherIdentity() }
    }

    /// Restores this device's activities, enters this device in the roster if it is the first, and dials the others.
    ///
    /// Activities and waits that connected apps began with the earlier state go on.
    func start(carrying carried: CarriedApps? = nil) {
        activities.changed = { [unowned self] name, isSearched in
            watching.noteOwn(name)
            if isSearched { searchedChanged() }
        }
        Handoff.attend(to: self)
        activities.load(
            contents.activities, notes: contents.ownActivities, taken: contents.taken,
            isPrivate: settings.isPrivate, kept: KeptActivities(contents.kept),
            withheld: settings.apps(off: .handoff), carrying: carried?.activities ?? [],
            clock: contents.summary.clock)
        if let carried {
            registry.carry(carried.registry, of: carried.present)
            for session in carried.present { session.goOn(with: self) }
        }
        for path in contents.revocations.damaged {
            log.warn("\(path) can't be read, and is written anew; revocations that only it had are lost")
        }
        keepRevocations()
        changes.start()
        allActivities.start()
        renewal.start()
        erasing.start()
        peers.holdsIndex = settings.isPrivate
        peers.start()
        drive { $0.start(isFirst: FirstDevice(folder: folder).isHere, in: self) }
    }

    /// Closes all connections with this reason; the store's threads are left to the owner.
    func stop(_ reason: CloseReason = CloseReason(.goingAway, "the node is stopping")) {
        isStopped = true
        allActivities.stop()
        // Its last writes must go out before the links end.
        activities.close()
        stopping()
        peers.stop(reason)
        machine.stop()
        setTimer()
        renewal.stop()
        revocationKeeper.stop()
        erasing.close()
        leaving.stop()
        reception.close()
        watching.close()
    }

    // MARK: Queries

    /// The credentials of this device.
    var credentials: Credentials { identity.credentials }

    /// The members of the account, as far as this device knows.
    var membership: Membership { _read { yield machine.membership } }

    /// The journal, which names the writes of this device.
    var journal: Journal { machine.writing.journal }

    /// Returns the name of a device, with part of its identifier if others have the same name.
    func name(of device: DeviceIdentifier) -> String { devices.name(of: device) }

    /// Returns the reason why this device may not let a joiner in, or anybody if the joiner is nil.
    ///
    /// The reason comes from the roster, or from a member that turned this device away since the node started and has
    /// not let it in since. A revoked device is sent no statements, so it may learn of its revocation in no other way.
    private func pairingRefusal(of joiner: DeviceIdentifier?) -> PairingRefusal? {
        guard devices.countingAuthority != nil, AccountTroubles(of: self).ofRoster == nil else {
            return .inviterRevoked
        }
        return joiner.map(membership.isRevoked) ?? false ? .joinerRevoked : nil
    }

    // MARK: The identity of this device

    private func handleOtherIdentity() {
        peers.use(identity.context)
        contextChanged()
        drive { $0.use(OwnIdentity.admission(of: credentials, log), in: self) }
    }

    // MARK: Settings

    /// The settings of this machine.
    var settings: Settings { settingsKeeper.settings }

    /// Applies a setting that was changed.
    func apply(_ setting: Setting) {
        switch setting {
        case .private:
            // This comes first, so that nothing is read meanwhile.
            peers.holdsIndex = settings.isPrivate
            activities.set(isPrivate: settings.isPrivate)
            if settings.isPrivate { peers.withholdStreams() }
        case .finishedDays: activities.set(finishedDays: settings[.finishedDays])
        // These settings are read each time they are needed.
        case .itemsPerApp, .bytesPerApp, .expiredDays: break
        }
    }

    /// Makes this machine private until its person decides, because the home is an older copy: what the person said since
    /// is not in it.
    ///
    /// A database that was lost is older, too, but the settings beside it are not; one that was rescued, or restored from
    /// a backup, knows the time of that, so what it lost is not later. The person is asked once in a process, because
    /// other devices may show more of the same.
    private func suspectSettings() {
        guard contents.settings.wasNoted, !isOlderCopyKnown else { return }
        isOlderCopyKnown = true
        settingsKeeper.suspect(.older) { [log] failure in
            if let failure { log.warn("could not save that this machine is private: \(failure)") }
        }
        apply(.private)
        if let trouble = AccountTroubles(of: self).ofSettings { log.warn("trouble: \(trouble)") }
    }

    // MARK: Writing

    /// Names drafts, stores them, and sends them on once they are stored.
    func publish(
        _ drafts: [Journal.Draft], notes: [LocalNote] = [], then: @escaping (StoreFailure?) -> Void
    ) {
        write { result in
            switch result {
            case .failure(let failure): then(failure)
            case .success(let commit): then(commit.outranked.isEmpty ? nil : .outranked)
            }
        } naming: { journal in
            var transaction = journal.transaction(.activities, drafts, now: .now)
            transaction?.notes = notes
            return transaction
        }
    }

    /// Names, sends and stores what this device's activities ask for; notes alone are only stored.
    private func publishOwn(
        _ drafts: [Journal.Draft], notes: [LocalNote], then: @escaping (StoreFailure?) -> Void
    ) {
        let then = { [self] (failure: StoreFailure?) in
            then(failure)
            // Activities that only this device keeps are searched as well.
            if notes.contains(where: { $0.space == .keptActivity }) { searchedChanged() }
        }
        if drafts.isEmpty { keep(notes, then: then) } else { publish(drafts, notes: notes, then: then) }
    }

    /// Stores notes of this device, which are not replicated.
    func keep(_ notes: [LocalNote], durably: Bool = false, then: @escaping (StoreFailure?) -> Void) {
        var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.notes = notes
        store.submit(to: .activities, durably: durably) { [transaction] (store) throws(StoreFailure) in
            _ = try store.commit(transaction)
        } then: { [self] result in
            guard case .failure(let failure) = result else { return then(nil) }
            storeTroubles?.note(failure)
            then(failure)
        }
    }

    /// Sends and stores the transaction that the closure names; nothing is named if it would be beyond the limits.
    func write(
        durably: Bool = false, then: @escaping (Result<StoreCommit, StoreFailure>) -> Void,
        naming name: (inout Journal) -> StoreTransaction?
    ) {
        let ticket = drive { machine in
            let ticket = machine.writing.write(durably: durably, naming: name)
            if let ticket { waiting[ticket] = then }
            return ticket
        }
        if ticket == nil {
            then(.failure(StoreFailure(.failed, "it is too large to be sent to other devices")))
        }
    }

    /// Names drafts of the index, stores them if the condition holds, and sends them on; if durable, they survive a
    /// power failure once reported.
    func index(
        _ drafts: [Journal.Draft], condition: IndexCondition?, durably: Bool = false,
        then: @escaping (Result<StoreCommit, StoreFailure>) -> Void
    ) {
        write(durably: durably, then: then) { journal in
            var transaction = journal.transaction(.index, drafts, now: .now)
            transaction?.condition = condition
            return transaction
        }
    }

    /// Ends a staged batch, of which this many drafts were given to the store.
    func end(
        _ batch: BatchIdentifier, count: Int, with state: Journal.Draft?, condition: IndexCondition,
        then: @escaping (Result<StoreCommit, StoreFailure>) -> Void
    ) {
        write(durably: true, then: then) { journal in
            var transaction = journal.ending(batch, count: count, with: state, now: .now)
            transaction?.condition = condition
            return transaction
        }
    }

    /// Returns the identifier of a new batch.
    func newBatch() -> BatchIdentifier { BatchIdentifier(value: generator.next()) }

    /// Returns how much an app may have in its indexes.
    func quota(of app: String) -> Quota {
        Quota(app: app, items: Int(settings[.itemsPerApp]), bytes: Int(settings[.bytesPerApp]))
    }

    /// Applies the rest of the batches and clears of a lane.
    func settle(_ lane: Lane) { drive { $0.settle(lane, at: loop.instant) } }

    /// Logs that the disk refused a write, unless the log says so already.
    func warnRefused(_ text: String) {
        if let line = refusedWrites.handleRefusal(text, at: loop.instant) { log.warn(line) }
    }

    // MARK: Driving

    /// Handles a commit of the store, of local or remote writes, and lets the links send it on.
    func handle(_ commit: StoreCommit, of lane: Lane) { handle(commit, of: lane, with: nil) }

    /// Handles a commit of a peer's writes, with what was done about them before; nil for writes of this device.
    func handle(_ commit: StoreCommit, of lane: Lane, with taken: TakenWrites?) {
        storeTroubles?.note(nil)
        if let claimed = commit.complete?.count, claimed >= Limits.laneOrigins { fullLanes.insert(lane) }
        if let line = refusedWrites.handleKept(at: loop.instant) { log.tell(line) }
        if commit.changed.contains(where: { $0.identity.kind == .device }) { devices.forgetNames() }
        // `learn` only queues effects. `drive` below carries them out, after the consequences for the roster.
        if machine.learn(commit.changed, verified: commit.verified, at: commit.clock, in: self) {
            handleRosterChange()
        }
        if lane == .activities {
            if let taken { activities.handleArrived(taken.arriving, isKept: true) }
            activities.takeBack(commit)
            watching.keep(commit.changed, told: taken?.told ?? [])
            allActivities.note(commit.changed)
        }
        if lane == .index || commit.changed.contains(where: { $0.identity.kind != .currentActivity }) {
            searchedChanged()
        }
        peers.handleCommit(lane)
        drive { $0.handle(commit, of: lane, in: self) }
    }

    /// Gives the account an event, and carries out the effects.
    @discardableResult
    func drive<Value>(_ event: (inout Account) -> Value) -> Value {
        let value = event(&machine)
        // Carrying out an effect may cause further events; their effects come after those that are pending.
        guard !isDriving else { return value }
        isDriving = true
        while let effect = machine.nextEffect() { perform(effect) }
        isDriving = false
        setTimer()
        return value
    }

    private func perform(_ effect: Account.Effect) {
        if isStopped, !effect.isDoneWhileEnding { return }
        switch effect {
        case .writing(let effect): perform(effect)
        case .roster(let effect): perform(effect)
        case .collector(let effect): perform(effect)
        case .expiry(let effect): perform(effect)
        case .settling(let effect): perform(effect)
        case .twin(let effect): perform(effect)
        case .quarantine(.quarantined(let write)):
            let sender = write.peer.map { "“\(name(of: $0))” sent" } ?? "there is"
            log.warn("\(sender) \(write.reason); it was quarantined, and the rest was saved")
        case .quarantine(.void(let device)):
            log.warn(
                "“\(name(of: device))” sent records with wrong signatures, which were not saved"
            )
        case .quarantine(.refuse(let device)):
            log.warn(
                """
                “\(name(of: device))” is refused for \(limits.voidPause.spoken), because it sent more than \
                \(Limits.voidWrites) records with wrong signatures
                """)
            peers.refuse(device)
        case .contacts(.keep(let note)):
            keep([note]) { [self] failure in
                if let failure { drive { $0.handleContactFailure(failure) } }
            }
        case .contacts(.warn(let text)): warnRefused(text)
        }
    }

    private func perform(_ effect: Writing.Effect) {
        switch effect {
        case .tellAhead(let transaction):
            guard peers.isConnected, let (origin, sequence) = transaction.ownName,
                store.witness.noteTold(
                    sequence, of: origin.life, at: transaction.clock, in: transaction.lane)
            else { return }
            peers.tellAhead(transaction)
        case .keep(let transaction, let ticket, let isDurable):
            store.submit(to: transaction.lane, in: ownWrites, durably: isDurable) {
                (store) throws(StoreFailure) in
                try store.commit(transaction)
            } then: { [self] result in
                switch result {
                case .success(let commit):
                    handle(commit, of: transaction.lane)
                    drive { $0.handleKept(ticket, commit, in: self) }
                case .failure(let failure):
                    storeTroubles?.note(failure)
                    if transaction.canBeToldAhead, let (origin, sequence) = transaction.ownName {
                        store.witness.handleRefused(sequence, of: origin)
                    }
                    drive { $0.handle(failure, of: ticket, in: self) }
                }
                waiting.removeValue(forKey: ticket)?(result)
            }
        case .begin:
            ownWrites = StoreLine()
            store.forgetLife()
        case .witness(let life): store.begin(life)
        case .beginOrder(let order):
            store.submitToAccount { (store) throws(StoreFailure) in
                try store.begin(order)
            } then: { [self] result in
                drive { machine in
                    switch result {
                    case .success: machine.writing.handleBegun(order)
                    case .failure(let failure): machine.writing.handle(failure, of: order, at: loop.instant)
                    }
                }
            }
        case .meetAnew: peers.meetAnew()
        case .refused(let failure): warnRefused("could not save a change: \(failure)")
        case .tell(let text): log.tell(text)
        case .warn(let text): log.warn(text)
        }
    }

    private func perform(_ effect: RosterEnforcement.Effect) {
        switch effect {
        case .entered: FirstDevice(folder: folder).remove(on: store, log)
        case .returned(let devices):
            let names = devices.map { "“\(name(of: $0))”" }.joined(separator: ", ")
            log.tell("back in the account after being removed, so deletions are kept for it again: \(names)")
        case .warn(let text): log.warn(text)
        case .skip(let skipped):
            keep(skipped.map(\.note)) { [self] failure in
                drive { machine in
                    if let failure {
                        machine.handleRosterFailure(failure, of: .skip, in: self)
                    } else {
                        machine.handleSkipped(skipped, in: self)
                    }
                }
            }
        case .seek(let devices, let kept):
            store.read(from: .activities) { (store) throws(StoreFailure) in
                try store.statements(about: devices, admissionsOf: kept)
            } then: { [self] result in
                switch result {
                case .success(let records):
                    drive { $0.handleFound(records, about: devices, in: self) }
                    handleRosterChange()
                case .failure(let failure): drive { $0.handleRosterFailure(failure, of: .sought, in: self) }
                }
            }
        // The account itself carries these out.
        case .write, .waitForFewer, .waitForMore: break
        }
    }

    private func perform(_ effect: TombstoneCollector.Effect) {
        switch effect {
        case .ask(let request):
            store.submitToAccount { (store) throws(StoreFailure) in
                try request.perform(on: store)
            } then: { [self] result in
                drive { machine in
                    switch result {
                    case .success(let answer): machine.handle(answer, in: self)
                    case .failure(let failure): machine.handle(failure, of: request, in: self)
                    }
                }
            }
        case .report(let complete, let lane):
            // The report covers only what the loop has heard of. All of that was submitted to its lane before this, so
            // it is stored by then.
            store.submit(to: lane, durably: true) {
                [device = credentials.device] (store) throws(StoreFailure) in
                try store.report(of: device, having: complete)
            } then: { [self] result in
                drive { machine in
                    switch result {
                    case .success: machine.handle(.reported(complete, lane), in: self)
                    case .failure(let failure): machine.handleReportFailure(failure, in: self)
                    }
                }
            }
        case .tell(let reports): peers.tellReports(reports)
        case .beginAnew(without: let device?):
            log.tell(
                "the full copy from “\(name(of: device))” can't be completed; fetching everything again from the other devices"
            )
        // The account itself carries these out.
        case .adopt, .beginAnew(without: nil): break
        case .warn(let text): log.warn(text)
        }
    }

    private func perform(_ effect: Expiry.Effect) {
        switch effect {
        case .askSharedLives:
            store.submit(to: .activities) { (store) throws(StoreFailure) in
                Set(try store.records(of: .sharedLife).compactMap(\.sharedLife))
            } then: { [self] result in
                drive { machine in
                    switch result {
                    case .success(let shared): machine.handle(shared: shared, in: self)
                    case .failure(let failure): machine.handleSweepFailure(failure)
                    }
                }
            }
        case .sweep(let request, let lane):
            store.submit(to: lane) { (store) throws(StoreFailure) in
                try store.sweep(request)
            } then: { [self] result in
                if case .success(let step?) = result, let commit = step.news { handle(commit, of: lane) }
                drive { machine in
                    switch result {
                    case .success(let step): machine.handle(step, in: self)
                    case .failure(let failure): machine.handleSweepFailure(failure)
                    }
                }
            }
        case .tell(let text): log.tell(text)
        case .warn(let text): log.warn(text)
        }
    }

    private func perform(_ effect: Settling.Effect) {
        switch effect {
        case .settle(let lane, let most):
            store.submit(to: lane) { (store) throws(StoreFailure) in
                try store.settle(most: most)
            } then: { [self] result in
                if case .success(let commit?) = result { handle(commit, of: lane) }
                drive { machine in
                    switch result {
                    case .success(let commit):
                        machine.handle(settled: commit, in: lane, at: loop.instant)
                    case .failure(let failure):
                        storeTroubles?.note(failure)
                        machine.handleSettlingFailure(failure, in: lane, at: loop.instant)
                    }
                }
            }
        case .warn(let text): log.warn(text)
        }
    }

    private func perform(_ effect: TwinDetection.Effect) {
        switch effect {
        case .appeared(let sign): log.warn(AccountTroubles(of: self).text(of: sign))
        case .setBack(shownBy: let peer, isOlderCopy: let isOlderCopy):
            if isOlderCopy { suspectSettings() }
            guard var troubles = storeTroubles, !troubles.explainsSetBack else { return }
            troubles.noteSetBack(shownBy: name(of: peer))
            storeTroubles = troubles
            let text = troubles.setBackText(shownBy: name(of: peer))
            if troubles.isRestored { log.tell(text) } else { log.warn("trouble: \(text)") }
        }
    }

    /// Ends what a restored backup explains once every device that belongs to the account has sent all that it had.
    func considerRestoration() {
        guard storeTroubles?.isRestored == true, machine.twin.hasHeardAll(of: membership.others) else {
            return
        }
        storeTroubles?.endRestoration()
        keep([Restoration.ended]) { [self] failure in
            if let failure { warnRefused("could not save that all changes are here again: \(failure)") }
        }
    }

    private func setTimer() {
        let deadline = isStopped ? nil : machine.deadline.map(MonotonicTime.init)
        timer.follow(deadline) { [unowned self] in
            drive { $0.handleDeadline(in: self) }
        }
    }
}

extension AccountNode: AccountDriver {
    var isSomeoneSetBack: Bool { peers.isSomeoneSetBack }

    var isInStep: Bool { peers.areInStep }

    var keepingExpired: Duration? { .seconds(86_400 * settings[.expiredDays]) }

    var clocks: Clocks { Clocks(wall: .now, steady: loop.instant) }
}

extension AccountNode: RenewalOwner {
    func takeOver(_ credentials: Credentials) { identity.takeOver(credentials) }
}
