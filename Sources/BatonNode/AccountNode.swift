import BatonCore
import BatonNetwork
import BatonSecurity

/// One account on this node: its store, its peers, and its activities.
///
/// Everything that belongs to one account is reached from here; two accounts on a node share the loop and the port, and
/// nothing else. The object belongs to the loop's thread.
final class AccountNode {
    /// The identity of this device; its certificate is renewed now and then.
    private(set) var credentials: Credentials
    /// The TLS context, with this device's certificate, for connections that begin now.
    private(set) var context: TLSContext
    /// Called when this device shows another certificate from now on.
    var contextChanged: () -> Void = {}
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
    private let contents: Contents
    private let resolver: Resolver
    /// Returns whether an address belongs to this machine.
    private let isOwn: (SocketAddress.Host) -> Bool
    /// The port at which this node listens.
    private let port: UInt16
    /// The state machine that writes, reports, collects tombstones, settles and sweeps.
    var account: Account
    /// Whether the account's effects are being carried out.
    var isDriving = false
    /// Set for the account's deadline.
    let accountTimer: OwnedTimer
    /// The line of store jobs for transactions of the present life.
    var ownWrites = StoreLine()
    /// The closures that are called with the result of a write, once it was stored or failed.
    var waiting: [Writing.Ticket: (Result<StoreCommit, StoreFailure>) -> Void] = [:]
    var generator = SystemRandomNumberGenerator()
    /// The problems with the store and its disk.
    var storeTroubles: StoreTroubles?
    /// The quarantined writes, which can't be read, with the devices that sent them.
    var asides: [Dot: DeviceIdentifier?] = [:]
    /// Whether the account has stopped, so that nothing new may begin.
    private(set) var isStopped = false
    /// The settings of this machine.
    var settings: Settings
    /// The requests to apps to index again.
    let reindexing: Reindexing
    /// The activities that are hidden on this machine.
    var dismissals: Dismissals
    /// The apps that continue activities.
    let registry = AppRegistry()
    /// Tells watchers about changes of the activity list.
    private(set) lazy var watching = ActivityWatchers(of: self)
    /// Counts the activities that are not listed.
    private(set) lazy var activityCount = ActivityCount(of: self)
    /// The membership of the account, for the handshakes of this device.
    let rosterForHandshakes: RosterForHandshakes
    /// The last changes that other devices received, and through which device.
    var lastChanges: LastChanges
    /// The devices whose revocation was reported, or that were revoked from the start.
    var toldRevoked: Set<DeviceIdentifier> = []
    /// The other devices that have departed, whose activities are not listed.
    var departedDevices: Set<DeviceIdentifier> = []
    /// The devices of the roster, by their identifiers.
    var devices: [DeviceIdentifier: Device] = [:] {
        didSet { forgetPresentNames() }
    }
    /// The devices that have not left the account, by their names; nil until they are needed.
    var presentNames: [String: [DeviceIdentifier]]?

    /// Renews certificates, this device's and those of others.
    private(set) lazy var renewal = CertificateRenewal(
        on: loop, limits: limits, log: log, options: options, owner: self)
    /// The leaving of the account that is under way; nil if this device stays.
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

    /// The contents of the store when it was opened.
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
            // Activities that others wrote in this device's name are limited in number, too; those that have expired
            // are finished.
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

    /// Restores this device's activities, enters this device in the roster if it is the first, and dials the others.
    ///
    /// Activities and waits that connected apps began with the earlier state go on.
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

    /// Closes all connections with this reason; the store's threads are left to the owner.
    func stop(_ reason: CloseReason = CloseReason(.goingAway, "the node stops")) {
        isStopped = true
        // Its last writes must go out before the links end.
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

    /// Called when a device was added, removed or renamed.
    func forgetPresentNames() { presentNames = nil }

    // MARK: The identity of this device

    private static func context(
        _ credentials: Credentials, _ door: InvitationDoor, _ roster: RosterForHandshakes
    ) throws(SecurityError) -> TLSContext {
        try TLSContext.device(
            credentials, invitationIsOpen: { door.isOpen }, resumes: { roster.refusal(of: $0) == nil })
    }

    /// Returns a context that shows this device with other credentials.
    func context(of credentials: Credentials) throws(SecurityError) -> TLSContext {
        try Self.context(credentials, door, rosterForHandshakes)
    }

    /// Switches to other credentials of this device, which the caller stores; open connections go on.
    func use(_ credentials: Credentials) throws(SecurityError) {
        let context = try context(of: credentials)
        (self.credentials, self.context) = (credentials, context)
        peers.use(context)
        contextChanged()
        drive { $0.use(Self.ownAdmission(credentials, log), in: self) }
    }
}
