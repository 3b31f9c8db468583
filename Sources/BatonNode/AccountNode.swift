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
    /// Whether this machine itself has an address.
    private let isOwn: (SocketAddress.Host) -> Bool
    /// Where this node takes connections.
    private let port: UInt16
    /// Writes, reports, lets traces go, settles and sweeps.
    var account: Account
    /// Whether its effects are being carried out.
    var isDriving = false
    /// Set for the account's deadline.
    let accountTimer: OwnedTimer
    /// Has what the present life named kept.
    var ownWrites = StoreLine()
    /// Who hears of what was written, once the disk has answered.
    var waiting: [Writing.Ticket: (Result<StoreCommit, StoreFailure>) -> Void] = [:]
    var generator = SystemRandomNumberGenerator()
    /// What there is to say of the disk.
    var storeTroubles: StoreTroubles?
    /// What is set aside because it can't be read, and who sent it.
    var asides: [Dot: DeviceIdentifier?] = [:]
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
    private(set) lazy var watching = ActivityWatchers(of: self)
    /// Counts what is not listed.
    private(set) lazy var activityCount = ActivityCount(of: self)
    /// Who belongs to the account, for the handshakes of this device.
    let rosterForHandshakes: RosterForHandshakes
    /// What other devices last got in, and through whom.
    var lastChanges: LastChanges
    /// The devices of which it was said that they are revoked, or that were so from the start.
    var toldRevoked: Set<DeviceIdentifier> = []
    /// The other devices that have departed, whose activities are not listed.
    var departedDevices: Set<DeviceIdentifier> = []
    /// The devices of the roster, by their identifiers.
    var devices: [DeviceIdentifier: Device] = [:] {
        didSet { forgetPresentNames() }
    }
    /// The devices that have not left the account, by their names, once that was asked.
    var presentNames: [String: [DeviceIdentifier]]?

    /// Renews certificates, this device's and those of others.
    private(set) lazy var renewal = CertificateRenewal(
        on: loop, limits: limits, log: log, options: options, owner: self)
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
        acquaintances: contents.acquaintances, resolver: resolver, isOwn: isOwn, on: loop, limits: limits,
        log: log, account: self)
    private(set) lazy var reception = Reception(
        { [unowned self] in credentials },
        name: { [unowned self] in recordedName(of: credentials.device) }, door: door, on: loop,
        limits: limits, log: log, options: options, refusal: { [unowned self] in pairingRefusal(of: $0) }
    ) {
        [unowned self] device, admission, then in
        publish([Journal.Draft(admission), Journal.Draft(device)], then: then)
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
        let asides: [QuarantinedWrite]
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
            // Activities that others wrote in this device's name are bounded, too; expired ones are brought to their
            // end.
            let (lane, start) = (store.lane(.activities), WallTime(milliseconds: .min))
            activities = try lane.recordsListed(on: device, at: start)
            devices = try store.records(of: .device)
            statements = try store.records(of: .rosterStatement)
            asides = try store.asides()
            (reindex, settings) = (try store.notes(in: .reindex), try store.notes(in: .setting))
            dismissals = try store.notes(in: .dismissal)
            changes = try store.notes(in: .activitiesChange) + store.notes(in: .indexChange)
            ownActivities = try store.notes(in: .ownActivity)
            taken = TakenActivities(try lane.recordsFinished(on: device, at: start), of: device)
            addresses = try store.notes(in: .address)
            acquaintances = try store.notes(in: .acquaintance)
        }
    }

    init(
        _ credentials: Credentials, in home: Home, store: StoreThreads, contents: Contents, port: UInt16,
        resolver: Resolver, isOwn: @escaping (SocketAddress.Host) -> Bool, on loop: EventLoop,
        limits: Limits, log: Log
    ) throws(SecurityError) {
        folder = home.account()
        (options, accountOption) = (home.option + home.accountOption, home.accountOption)
        let door = InvitationDoor()
        (self.credentials, self.store, self.door, self.contents) = (credentials, store, door, contents)
        (self.port, self.resolver, self.loop, self.limits, self.log) = (port, resolver, loop, limits, log)
        (self.isOwn, accountTimer) = (isOwn, OwnedTimer(on: loop))
        var written = contents.summary.complete
        written.join(contents.opening.toldAhead)
        account = Account(
            in: Journal(
                life: contents.opening.life, latest: contents.opening.clock,
                after: contents.opening.sequences),
            admitted: Self.ownAdmission(credentials, log),
            knowing: contents.statements + contents.devices, by: RosterVerifier(root: credentials.root),
            havingWritten: written, reports: contents.summary.reports,
            at: Clocks(wall: .now, steady: loop.instant), limits: limits,
            drawingFrom: SystemRandomNumberGenerator())
        rosterForHandshakes = RosterForHandshakes(account.membership)
        context = try Self.context(credentials, door, rosterForHandshakes)
        settings = Settings(contents.settings)
        lastChanges = LastChanges(of: credentials.device, contents.changes)
        reindexing = Reindexing(contents.reindex, store: store)
        dismissals = Dismissals(contents.dismissals)
        for device in contents.devices.compactMap(\.device) { devices[device.identifier] = device }
        for aside in contents.asides { asides[aside.dot] = .some(aside.peer) }
    }

    /// Takes up what was going on, enters this device in the roster if it is the first, and seeks the others.
    ///
    /// Activities and waits that connected apps began with the state before go on.
    func start(carrying carried: CarriedApps? = nil) {
        activities.changed = { [unowned self] name in watching.noteOwn(name) }
        activities.ended = { [unowned self] name, ending in tellEnd(of: name, ending) }
        activities.load(
            contents.activities, notes: contents.ownActivities, taken: contents.taken,
            isPrivate: settings.isPrivate, carrying: carried?.activities ?? [], clock: contents.summary.clock)
        if let carried {
            registry.carry(carried.registry, of: carried.present)
            for session in carried.present { session.goOn(with: self) }
        }
        toldRevoked = everyDevice.filter(isRevoked)
        departedDevices = Set(membership.others(departed: true))
        renewal.start()
        peers.holdsIndex = settings.isPrivate
        peers.start()
        drive { $0.start(isFirst: FirstDevice(folder: folder).isHere, in: self) }
        activityCount.start()
    }

    /// Says goodbye to everyone, and why; the store's threads are the owner's business.
    func stop(_ reason: CloseReason = CloseReason(.goingAway, "the node stops")) {
        isStopped = true
        // What it still publishes goes out before the links end.
        activities.close()
        peers.stop(reason)
        account.stop()
        stopDriving()
        renewal.stop()
        departing?.stop()
        reception.close()
        watching.close()
        activityCount.stop()
    }

    /// Some device has come, gone, or been renamed.
    func forgetPresentNames() { presentNames = nil }

    // MARK: Who this device is

    private static func context(
        _ credentials: Credentials, _ door: InvitationDoor, _ roster: RosterForHandshakes
    ) throws(SecurityError) -> TLSContext {
        try TLSContext.device(
            credentials, invitationIsOpen: { door.isOpen }, resumes: { roster.refusal(of: $0) == nil })
    }

    /// The same device, shown by other credentials.
    func context(of credentials: Credentials) throws(SecurityError) -> TLSContext {
        try Self.context(credentials, door, rosterForHandshakes)
    }

    /// Goes on as the same device by other credentials, which are kept; connections that exist go on.
    func use(_ credentials: Credentials) throws(SecurityError) {
        let context = try context(of: credentials)
        (self.credentials, self.context) = (credentials, context)
        peers.use(context)
        contextChanged()
        drive { $0.use(Self.ownAdmission(credentials, log), in: self) }
    }
}
