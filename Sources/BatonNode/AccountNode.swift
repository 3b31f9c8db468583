import BatonCore
import BatonNetwork
import BatonSecurity

/// One account on this node: its store, its peers, and what is going on here.
///
/// Everything of one account is behind this; two accounts on a node share the loop and the port, and
/// nothing else. It belongs to the loop's thread.
final class AccountNode {
    /// Who this device is; renewed now and then.
    private(set) var credentials: Credentials
    /// Who it shows itself to be in connections that begin now.
    private(set) var context: TLSContext
    /// Hears that this device shows itself by another certificate from now on.
    var contextChanged: () -> Void = {}
    /// Ends the account on this node, and deletes what is kept of it; answers with what could not be, or why not at all.
    var ending: (@escaping (Result<String?, LocalFailure>) -> Void) -> Void = { _ in }
    /// Where what is here of the account lies.
    let folder: String
    /// The options that name this home and account, to be repeated in advice, and the one that names the account alone.
    let options, accountOption: String
    let store: StoreThreads
    let loop: EventLoop
    let limits: Limits
    let log: Log

    private let door: InvitationDoor
    private let contents: Contents
    private let resolver: Resolver
    /// Where this node takes connections.
    private let port: UInt16
    private var journal: Journal
    private var generator = SystemRandomNumberGenerator()
    private(set) lazy var letting = LettingGo(
        device: credentials.device, store: store, reports: contents.summary.reports, on: loop, limits: limits,
        log: log, owner: self)
    /// Sweeps what has expired.
    private(set) lazy var expiry = Expiry(
        device: credentials.device, store: store, on: loop, limits: limits, log: log, owner: self)
    /// What there is to say of the disk.
    var storeTroubles: StoreTroubles?
    /// Whether another machine uses this device's identity, and how that showed.
    private var clash: String?
    private lazy var twin = TwinWatch(of: credentials.device, in: journal.life, since: started)
    private let started = WallTime.now
    /// What is set aside because it can't be read, and who sent it.
    private var asides: [Dot: DeviceIdentifier?] = [:]
    /// The lanes in which the store is at what batches and clears have left to be done.
    var settling: Set<Lane> = []
    /// Whether nothing is to be begun any more.
    private(set) var isStopped = false
    /// What is set on this machine.
    var settings: Settings
    /// What apps are asked to index anew.
    let reindexing: Reindexing
    /// What is to be shown here no more.
    var dismissals: Dismissals
    /// The apps that take activities.
    let registry = AppRegistry()
    /// Tells who watches what is going on.
    private(set) lazy var watching = ActivityWatch(of: self)
    /// Who belongs to the account.
    let membership: SharedMembership
    /// What other devices last got in, and through whom.
    var lastChanges: LastChanges
    /// The devices of which it was said that they are revoked, or that were so from the start.
    var toldRevoked: Set<DeviceIdentifier> = []
    /// The devices of the roster, by their identifiers.
    private(set) var devices: [DeviceIdentifier: Device] = [:]

    /// Enforces the roster, and says in it what is this device's to say.
    private(set) lazy var belonging = Belonging(
        membership, on: loop, limits: limits, log: log, options: options, owner: self)
    /// Renews certificates, this device's and those of others.
    private(set) lazy var renewal = CertificateRenewal(
        membership, on: loop, limits: limits, log: log, options: options, owner: self)
    /// What is under way to leave the account.
    var departing: Departing?
    /// Streams between apps of this device and of others.
    private(set) lazy var streams = AccountStreams(of: self)
    private(set) lazy var activities = OwnActivities(
        device: credentials.device, on: loop, limits: limits, log: log, finishedDays: settings[.finishedDays]
    ) {
        [unowned self] drafts, notes, then in
        if drafts.isEmpty { keep(notes, then: then) } else { publish(drafts, notes: notes, then: then) }
    }
    private(set) lazy var peers = Peers(
        own: SessionIdentity(
            account: credentials.account, device: credentials.device, name: credentials.deviceName, port: port
        ),
        context: context, store: store, routes: contents.addresses,
        acquaintances: contents.acquaintances, resolver: resolver, on: loop, limits: limits, log: log,
        owner: self)
    private(set) lazy var reception = Reception(
        { [unowned self] in credentials }, door: door, on: loop, limits: limits, log: log, options: options
    ) {
        [unowned self] device, admission, then in belonging.enter(device, admission, then: then)
    }

    /// What the store held when it was opened.
    struct Contents: Sendable {
        let opening: Witness.Opening
        let summary: StoreSummary
        let activities: [Record]
        let devices: [Record]
        let statements: [Record]
        let ownActivities: [LocalNote]
        let taken: TakenActivities
        let addresses: [LocalNote]
        let acquaintances: [LocalNote]
        let asides: [Aside]
        let reindex: [LocalNote]
        let settings: [LocalNote]
        let dismissals: [LocalNote]
        let changes: [LocalNote]

        init(
            _ store: any AccountStore, of device: DeviceIdentifier, _ witness: Witness
        ) throws(StoreFailure) {
            var generator = SystemRandomNumberGenerator()
            opening = try witness.open(store, using: &generator)
            summary = try store.summary()
            (activities, devices) = (try store.records(of: .currentActivity), try store.records(of: .device))
            statements = try store.records(of: .rosterStatement)
            asides = try store.asides()
            (reindex, settings) = (try store.notes(in: .reindex), try store.notes(in: .setting))
            dismissals = try store.notes(in: .dismissal)
            changes = try store.notes(in: .activitiesChange) + store.notes(in: .indexChange)
            ownActivities = try store.notes(in: .ownActivity)
            taken = TakenActivities(try store.records(of: .savedActivity), of: device)
            addresses = try store.notes(in: .address)
            acquaintances = try store.notes(in: .acquaintance)
        }
    }

    init(
        _ credentials: Credentials, in home: Home, store: StoreThreads, contents: Contents, port: UInt16,
        resolver: Resolver, on loop: EventLoop, limits: Limits, log: Log
    ) throws(SecurityError) {
        folder = home.account()
        (options, accountOption) = (home.option + home.accountOption, home.accountOption)
        let door = InvitationDoor()
        (self.credentials, self.store, self.door, self.contents) = (credentials, store, door, contents)
        (self.port, self.resolver, self.loop, self.limits, self.log) = (port, resolver, loop, limits, log)
        let membership = SharedMembership(
            of: credentials, knowing: contents.statements + contents.devices)
        self.membership = membership
        context = try Self.context(credentials, door, membership)
        journal = Journal(
            life: contents.opening.life, latest: contents.summary.clock, after: contents.opening.sequences)
        settings = Settings(contents.settings)
        lastChanges = LastChanges(of: credentials.device, contents.changes)
        reindexing = Reindexing(contents.reindex, store: store)
        dismissals = Dismissals(contents.dismissals)
        for device in contents.devices.compactMap(\.device) { devices[device.identifier] = device }
        for aside in contents.asides { asides[aside.dot] = .some(aside.peer) }
    }

    /// Takes up what was going on, enters this device in the roster if it is the first, and seeks the others.
    func start() {
        activities.changed = { [unowned self] name in watching.noteOwn(name) }
        activities.ended = { [unowned self] name, ending in tellEnd(of: name, ending) }
        activities.load(
            contents.activities, notes: contents.ownActivities, taken: contents.taken,
            isPrivate: settings.isPrivate)
        toldRevoked = everyDevice.filter(isRevoked)
        let marker = FirstDevice(folder: folder)
        belonging.start(isFirst: marker.isHere) { [store, log] in marker.remove(on: store, log) }
        renewal.start()
        peers.holdsIndex = settings.isPrivate
        peers.start()
        if !gone.isEmpty { letting.forgetGone() }
        letting.handleCommit()
        expiry.consider()
        for lane in Lane.allCases { settle(lane) }
    }

    /// Says goodbye to everyone, and why; the store's threads are the owner's business.
    func stop(_ reason: CloseReason = CloseReason(.goingAway, "the node stops")) {
        isStopped = true
        peers.stop(reason)
        letting.stop()
        belonging.stop()
        renewal.stop()
        departing?.stop()
        expiry.stop()
        reception.close()
        activities.close()
        watching.close()
    }

    // MARK: Who this device is

    private static func context(
        _ credentials: Credentials, _ door: InvitationDoor, _ membership: SharedMembership
    ) throws(SecurityError) -> TLSContext {
        try TLSContext.device(
            credentials, invitationIsOpen: { door.isOpen }, resumes: { membership.refusal(of: $0) == nil })
    }

    /// The same device, shown by other credentials.
    func context(of credentials: Credentials) throws(SecurityError) -> TLSContext {
        try Self.context(credentials, door, membership)
    }

    /// Goes on as the same device by other credentials, which are kept; connections that exist go on.
    func use(_ credentials: Credentials) throws(SecurityError) {
        let context = try context(of: credentials)
        (self.credentials, self.context) = (credentials, context)
        peers.use(context)
        contextChanged()
    }

    // MARK: Writing

    /// Names drafts, keeps them, and passes them on once they are kept.
    func publish(
        _ drafts: [Journal.Draft], notes: [LocalNote] = [], durably: Bool = false,
        then: @escaping (StoreFailure?) -> Void
    ) {
        write(durably: durably) { result in
            if case .failure(let failure) = result { then(failure) } else { then(nil) }
        } naming: { journal in
            var transaction = journal.transaction(.activities, drafts, now: .now)
            transaction?.notes = notes
            return transaction
        }
    }

    /// Keeps what this device notes for itself; nobody else hears of it.
    func keep(_ notes: [LocalNote], then: @escaping (StoreFailure?) -> Void) {
        var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.notes = notes
        store.submit(to: .activities) { [transaction] (store) throws(StoreFailure) in
            _ = try store.commit(transaction)
        } then: { [self] result in
            guard case .failure(let failure) = result else { return then(nil) }
            storeTroubles?.note(failure)
            then(failure)
        }
    }

    /// Keeps what the closure names, and passes it on; nothing is named of what is beyond limits.
    func write(
        durably: Bool = false, then: @escaping (Result<StoreCommit, StoreFailure>) -> Void,
        naming name: (inout Journal) -> StoreTransaction?
    ) {
        guard let transaction = name(&journal) else {
            return then(
                .failure(StoreFailure(.failed, "it is larger than what can be told to other devices")))
        }
        keep(transaction, durably: durably, then: then)
    }

    /// Names a batch that begins.
    func newBatch() -> BatchIdentifier { BatchIdentifier(value: generator.next()) }

    /// Keeps what the journal named, and passes it on.
    private func keep(
        _ transaction: StoreTransaction, durably: Bool = false,
        then: @escaping (Result<StoreCommit, StoreFailure>) -> Void
    ) {
        let life = journal.life
        let isTold = tellAhead(transaction)
        store.submit(to: transaction.lane, durably: durably) { (store) throws(StoreFailure) in
            try store.commit(transaction)
        } then: { [self] result in
            switch result {
            case .success(let commit):
                handle(commit, of: transaction.lane)
                then(result)
            case .failure(let failure):
                // What is named from now on must not be covered together with what was not kept.
                if journal.life == life { beginLife() }
                // Who was told of it has it, and takes it for known here: met anew, they bring it back.
                if isTold { peers.meetAnew() }
                storeTroubles?.note(failure)
                log.warn("a change was not kept: \(failure)")
                then(result)
            }
        }
    }

    /// Tells who is connected of what goes on here before the disk has it, so that nobody waits for that.
    ///
    /// The witness knows by then that its dots were told: should this process end before they are kept, the next one
    /// begins another life.
    private func tellAhead(_ transaction: StoreTransaction) -> Bool {
        guard transaction.canBeToldAhead, !peers.connected.isEmpty,
            let sequence = journal.names.sequences[transaction.lane],
            store.witness.noteTold(sequence, of: journal.life, in: transaction.lane)
        else { return false }
        peers.handleWriting(transaction)
        return true
    }

    private func beginLife() {
        journal.beginLife(newLife())
        twin.begin(journal.life)
        store.begin(journal.life)
    }

    /// The store does not claim any more what it did: all sessions end, and what is named from now on bears another life.
    func beginAnew(reports: Reports) {
        letting.handle(reports)
        beginLife()
        peers.meetAnew()
    }

    /// Names what earlier lives of this device wrote, and lost with the power, once more; others still had it.
    private func adopt(_ strays: [Write], in lane: Lane) {
        guard let latest = strays.map(\.dot.origin.life).max() else { return }
        if latest >= journal.life {
            journal.witness(latest.birth)
            beginLife()
        }
        guard let transaction = journal.adoption(of: strays, in: lane) else { return }
        keep(transaction) { [log] result in
            guard case .success = result else { return }
            log.tell("\(strays.count) changes that nobody else would pass on were taken over")
        }
    }
}

extension AccountNode: PeersOwner {
    /// Takes note of what the store took, from here or from a peer, and lets the links send it on.
    func handle(_ commit: StoreCommit, of lane: Lane) { handle(commit, of: lane, told: []) }

    /// The same, of what a peer sent, some of which was told to those who watch before.
    func handle(_ commit: StoreCommit, of lane: Lane, told: Set<RecordIdentity>) {
        storeTroubles?.note(nil)
        journal.witness(commit.clock)
        for device in commit.changed.compactMap(\.device) { devices[device.identifier] = device }
        // Before anything is done in answer: who is no member any more gets none.
        belonging.take(commit.changed)
        note(commit)
        activities.takeBack(commit.changed)
        if lane == .activities { watching.keep(commit.changed, told: told) }
        peers.handleCommit(lane)
        letting.handleCommit()
        expiry.consider()
        if commit.isUnsettled { settle(lane) }
    }

    func handle(_ failure: StoreFailure) { storeTroubles?.note(failure) }

    func handle(_ reports: Reports) { letting.handle(reports) }

    func peer(_ device: DeviceIdentifier, metAt time: WallTime) {
        expiry.note(met: device, at: time)
        twin.noteCompared(with: device)
        // Whatever the peer has of it is here by now, so nobody else has entered it. Before, who is new and has nothing yet
        // would enter everyone anew, over what their records say: their names, who let them in, whose key they have.
        belonging.enterIfMissing(device, named: name(of: device))
    }

    /// An owner enters a device of which nothing will tell when all that it has is here.
    ///
    /// It does so once it was entered itself: then it has the records of whoever did that, and is not new here.
    func peerMet(_ identity: DeviceIdentity) {
        guard credentials.ownerKey != nil, membership.look(\.mayLetGo) else { return }
        belonging.enterIfMissing(identity.device, named: identity.name)
    }

    func peer(_ device: DeviceIdentifier, toldTime time: WallTime) { expiry.note(told: time, by: device) }

    func peerEnded(_ device: DeviceIdentifier) { expiry.noteEnd(of: device) }

    var reports: Reports { letting.reports }

    func newLife() -> Life {
        Life(after: journal.clock.latest, of: credentials.device, random: generator.next())
    }

    var names: OwnNames { journal.names }

    /// Two machines have this device's identity and life, as clones of one disk or memory have, or the peer lies:
    /// what is named from now on is this machine's own.
    ///
    /// Links that find the same life taken are one story; so are later lives, for the log.
    func peer(_ device: DeviceIdentifier, found taken: Life) {
        guard journal.life == taken else { return }
        beginLife()
        // The other machine tells places in the same order of arrival, where other writes stand.
        let order = ArrivalOrder.random(using: &generator)
        store.submitToAccount { (store) throws(StoreFailure) in
            try store.begin(order)
        } then: { [self] result in
            if case .failure(let failure) = result { log.tell("no new order could be begun: \(failure)") }
            peers.meetAnew()
        }
        publish([Journal.Draft(.full(Write.Content(fields: Fields())), SharedLife(taken).key)]) {
            [log] failure in
            if let failure { log.warn("the other machine could not be told: \(failure)") }
        }
        tellOfTwin(shownBy: device)
    }

    /// What is on its way to be kept may show that another machine uses this device's identity.
    func lookForTwin(in writes: [Write], from peer: DeviceIdentifier) {
        if twin.isShown(by: writes, from: peer) { tellOfTwin(shownBy: peer) }
    }

    func peer(_ device: DeviceIdentifier, endedLink isReplacedElsewhere: Bool) {
        guard twin.noteEnd(with: device, isReplacedElsewhere: isReplacedElsewhere) else { return }
        tellOfTwin("“\(name(of: device))” is connected with it elsewhere")
    }

    private func tellOfTwin(shownBy device: DeviceIdentifier) {
        tellOfTwin("“\(name(of: device))” has writes in its name that were not made here")
    }

    /// Says so until this node ends: which of the two is to go on is for the person to say.
    private func tellOfTwin(_ sign: String) {
        guard clash == nil else { return }
        let trouble = """
            another machine uses this device's identity: \(sign). Let only one of the two go on; on the other, stop the \
            node, type `baton leave\(accountOption)`, and join anew.
            """
        log.warn(trouble)
        clash = trouble
    }

    /// A snapshot that was under way can't come to its end.
    func peerLostSnapshot(_ device: DeviceIdentifier) {
        store.submitToAccount { (store) throws(StoreFailure) in
            try store.abandonSnapshots(of: [device]) ? try store.summary().reports : nil
        } then: { [self] result in
            switch result {
            case .success(nil): return
            case .success(let reports?):
                beginAnew(reports: reports)
                log.tell(
                    "what “\(name(of: device))” was sending will not come to its end; all is taken anew from the others"
                )
            case .failure(let failure):
                log.warn("what “\(name(of: device))” had begun to send could not be given up: \(failure)")
            }
        }
    }

    /// Takes note of what can't be read, and of what can be after all.
    private func note(_ commit: StoreCommit) {
        for aside in commit.setAside {
            asides[aside.dot] = .some(aside.peer)
            let sender = aside.peer.map { "“\(name(of: $0))” sent" } ?? "there is"
            log.warn("\(sender) \(aside.reason); it was set aside, and the rest is taken")
        }
        for dot in commit.resolved { asides[dot] = nil }
    }

    /// Faults that a person should know of, in words.
    var troubles: [String] {
        let senders = Dictionary(grouping: asides.values.compactMap(\.self), by: \.self)
        return [belonging.trouble(refused: peers.refusals), clash, expiry.trouble].compactMap(\.self)
            + renewal.troubles + (storeTroubles?.texts ?? [])
            + senders.sorted { $0.key < $1.key }.map { device, all in
                """
                \(all.count == 1 ? "1 record" : "\(all.count) records") from “\(name(of: device))” can't be read \
                and \(all.count == 1 ? "is" : "are") set aside; a newer version of Baton there or here may help
                """
            }
    }

    func peer(_ link: Link, wantsStream number: UInt64, to identity: RecordIdentity) {
        streams.handle(number, identity, from: link)
    }

    func name(of device: DeviceIdentifier) -> String {
        if let name = devices[device]?.name ?? peers.metName(of: device) { return name }
        return device == credentials.device ? credentials.deviceName : device.short
    }
}

extension AccountNode: LettingGoOwner {
    func tell(_ reports: Reports) { peers.tellReports(reports) }

    /// While others still tell what they have, such writes may be among it.
    func adoptStrays() {
        guard peers.areInStep else { return }
        let authors = gone.union([credentials.device])
        store.submitToAccount { (store) throws(StoreFailure) in
            var strays: [Lane: [Write]] = [:]
            for lane in Lane.allCases {
                strays[lane] = Array(try store.strays(of: authors, in: lane).prefix(Limits.adoptedWrites))
            }
            return strays
        } then: { [self] result in
            switch result {
            case .success(let strays):
                for lane in Lane.allCases { adopt(strays[lane] ?? [], in: lane) }
            case .failure(let failure):
                log.warn("what this device had lost could not be looked for: \(failure)")
            }
        }
    }

    /// Nobody knows them all before another device has entered this one in the account.
    var waitedFor: Set<DeviceIdentifier>? {
        guard !peers.isSomeoneSetBack else { return nil }
        return membership.look { $0.mayLetGo ? $0.others : nil }
    }

    var gone: Set<DeviceIdentifier> { membership.look(\.gone) }

    var heeded: Reports { membership.look(\.heeded) }
}

extension AccountNode: ExpiryOwner {
    var latestTime: HybridTime { journal.clock.latest }

    var keepingExpired: Duration { .seconds(86_400 * settings[.expiredDays]) }
}
