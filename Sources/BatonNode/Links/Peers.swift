import BatonCore
import BatonNetwork
import BatonSecurity

/// The other devices of an account: the links to connected devices, and the search for devices that are not connected.
final class Peers {
    private let own: SessionIdentity
    /// The TLS context with this device's certificate.
    private var context: TLSContext
    private let network: MachineNetwork
    private let loop: EventLoop
    private let limits: Limits
    private let log: Log
    private unowned let account: AccountCore

    private var diallers: [DeviceIdentifier: Dialler] = [:]
    /// For each connected device, the addresses that it sent of devices that are not members, or not yet.
    private var unplaced: [DeviceIdentifier: [DeviceIdentifier: DeviceAddresses]] = [:]
    private var links: [Link] = []
    /// The lines of store jobs of each device's sessions.
    ///
    /// A line stays here until none of its jobs is pending.
    private var lines: [(device: DeviceIdentifier, line: WeakLine)] = []
    /// The devices that have refused this device since the node started, with the reasons that they gave.
    private(set) var refusals: [DeviceIdentifier: CloseReason] = [:]
    /// For each other device, the number of times that it has refused this device since it last accepted this device.
    ///
    /// Refusals are counted for all certificates that this device presented.
    private var refusalCounts: [DeviceIdentifier: Int] = [:]
    /// The devices that could not store what this device sent, with their reasons.
    ///
    /// A device is removed once it stores something again.
    private var refusedToStore: [DeviceIdentifier: ConnectionTrouble] = [:]
    /// For each device whose session has ended, the claims of that device and of this device at that time.
    private var lastClaims: [DeviceIdentifier: SessionClaims] = [:]
    /// This device's own writes that it had when it started.
    private let startedWith: VersionVector
    /// The devices that were found to have different data from this device since the node started.
    private(set) var differences = Differences()
    /// Counts how often each device connects.
    private var rates: ConnectionRates
    /// The devices that are refused for a while, with the times at which the refusals end.
    private var refused: [DeviceIdentifier: MonotonicTime] = [:]
    /// The timer for the end of the earliest refusal.
    private let refusalTimer: OwnedTimer
    private var isStopping = false
    /// Whether the index is sent to no device.
    var holdsIndex = false {
        didSet { for link in links { link.holdsIndex(holdsIndex) } }
    }
    /// Whether stored activities are sent to no device.
    ///
    /// This is true while some activities are withheld, and their withdrawal is not stored yet.
    var holdsActivities = false {
        didSet { for link in links { link.holdsActivities(holdsActivities) } }
    }

    /// The outputs of the links and of the search for devices.
    private let outputs = PeerOutputs()

    /// Creates the peers, with a dialler for each stored route.
    ///
    /// `complete` are the claims of this device when it started.
    init(
        own: SessionIdentity, startingWith complete: VersionVector, routes: [LocalNote],
        over network: MachineNetwork,
        of account: AccountCore
    ) {
        self.own = own
        self.network = network
        self.account = account
        startedWith = complete.written(by: own.device)
        context = account.identity.context
        loop = account.loop
        limits = account.limits
        log = account.log
        rates = ConnectionRates(limits)
        refusalTimer = OwnedTimer(on: loop)
        for (device, route) in routes.compactMap(Route.read) where device != own.device {
            var route = route
            // After a rescue, the roster may lack the device. Addresses that other devices sent count only for members.
            if account.membership.roster.standing(of: device) == .unknown { route.dropTold() }
            addDialler(device, route)
        }
    }

    // MARK: Commands

    /// Dials all known devices.
    func start() {
        for (device, dialler) in diallers where isSought(device) { dialler.start() }
    }

    /// Dials a device at these addresses first.
    ///
    /// They replace the addresses that a person named before.
    func seek(_ device: DeviceIdentifier, at addresses: [String], then: @escaping (StoreFailure?) -> Void) {
        if diallers[device] == nil {
            addDialler(device, newRoute(to: device))
        }
        guard let dialler = diallers[device] else { return }
        dialler.route.set(named: addresses)
        dialler.hurry(afterLoss: true)
        if isSought(device), link(to: device) == nil { dialler.start() }
        tellRoute(to: device)
        keep(dialler.route.note(for: device), then: then)
    }

    /// Sets the addresses that devices announce on local networks now.
    ///
    /// Devices that are not connected are dialled.
    func setAnnounced(_ addresses: [DeviceIdentifier: [String]]) {
        for device in addresses.keys where diallers[device] == nil && diallers.count < limits.devices {
            addDialler(device, newRoute(to: device))
        }
        for (device, dialler) in diallers {
            dialler.setAnnounced(addresses[device] ?? [])
            if !isStopping, isSought(device), link(to: device) == nil { dialler.start() }
        }
    }

    /// Handles a change of the network, or that this machine woke up.
    ///
    /// Connections whose local address is gone are ended, and all other connections are probed. Devices that are not
    /// connected are dialled.
    func handleChange(_ change: NetworkWatch.Change) {
        guard !isStopping else { return }
        for link in links {
            guard let address = link.localAddress?.host, change.gone.contains(address) else {
                // The route to the device may have changed although this machine's address has not changed.
                link.probe()
                continue
            }
            link.abort("this machine no longer has the address \(address)")
        }
        // The aborted links end during this turn of the loop. Therefore, the rest waits until after it.
        loop.afterTurn { [self] in
            guard !isStopping else { return }
            for dialler in diallers.values { dialler.hurry(afterLoss: !change.gone.isEmpty) }
        }
    }

    /// Ends all links and stops dialling.
    func stop(_ reason: CloseReason) {
        isStopping = true
        refusalTimer.cancel()
        for dialler in diallers.values { dialler.rest() }
        for link in links { link.close(reason) }
    }

    /// Presents another certificate of this device from now on.
    ///
    /// Connections that are open stay open.
    func use(_ context: TLSContext) {
        self.context = context
        refusalCounts = [:]
        for dialler in diallers.values { dialler.use(context) }
    }

    /// Returns whether a device may begin a session.
    ///
    /// If it may not, closes the channel.
    ///
    /// The device's standing in the roster is not considered here.
    func admits(_ channel: Channel, _ identity: DeviceIdentity, isDialled: Bool) -> Bool {
        // TLS has checked the account already. It is checked again, because several accounts may share a port.
        guard identity.account == own.account else {
            log.warn("refused a device of another account")
            channel.abort("the device belongs to another account")
            return false
        }
        let device = identity.device
        let reason: CloseReason
        if !isDialled, !countConnection(of: device) {
            reason = CloseReason(.busy, "this device connects too often")
        } else if refused[device] != nil {
            reason = Self.wrongSignatures
        } else if links.count(where: { $0.device.device == device }) >= limits.deviceLinks {
            reason = CloseReason(.busy, "this device has \(limits.deviceLinks) connections already")
        } else {
            return true
        }
        channel.send(reason.frame)
        channel.close()
        return false
    }

    /// Refuses a device that the account does not allow to begin a session.
    func refuse(_ channel: Channel, to device: DeviceIdentifier, because reason: CloseReason, isDialled: Bool)
    {
        log.warn("“\(account.name(of: device))” is refused: \(reason.text)")
        channel.send(reason.frame)
        channel.close()
        // Before the next attempt, an owner may renew the certificate, or this device may get the renewal from another
        // device.
        guard reason.code == .expired, isDialled else { return }
        diallers[device]?.startLater(
            because: ConnectionTrouble(reason, isOfPeer: false), lasted: .zero, isTransient: false)
    }

    /// Begins a session on a channel to a device of the account.
    func begin(_ channel: Channel, _ identity: DeviceIdentity, isDialled: Bool) {
        // The device may have been renamed since the node started.
        var own = SessionIdentity(
            account: own.account, device: own.device, name: account.names.recordedName(of: own.device),
            port: own.port
        )
        own.clock = .now
        let link = Link(
            channel, device: identity, isDialled: isDialled, own: own, of: account, outputs: outputs)
        link.holdsIndex(holdsIndex)
        link.holdsActivities(holdsActivities)
        links.append(link)
        lines.removeAll { $0.line.line == nil }
        lines.append((identity.device, WeakLine(line: link.line)))
    }

    /// Counts a connection of a device, and returns whether the connection is accepted.
    ///
    /// Refusals are logged from time to time.
    private func countConnection(of device: DeviceIdentifier) -> Bool {
        switch rates.count(device, at: loop.now) {
        case .accepted: return true
        case .refused(nil): return false
        case .refused(let count?):
            log.warn(
                "“\(account.name(of: device))” connects too often: refused \(count == 1 ? "1 connection" : "\(count) connections")"
            )
            return false
        }
    }

    /// Handles a changed roster.
    ///
    /// Connections that the roster no longer allows are ended at once. Devices that the roster allows now are dialled.
    func handleRosterChange() {
        // A link that has ended may still have pending store jobs. They must not be performed.
        for (device, line) in lines where account.membership.refusal(of: device) != nil {
            line.line?.cancel()
        }
        for link in links {
            guard let reason = account.membership.refusal(of: link.device.device) else { continue }
            link.expel(reason)
        }
        placeTold()
        for (device, dialler) in diallers {
            if !isSought(device) {
                dialler.rest()
            } else if !isStopping, !links.contains(where: { $0.device.device == device }) {
                dialler.start()
            }
        }
    }

    /// Ends the links to a device, and refuses the device for a while.
    ///
    /// The device has sent too many records whose signatures are wrong.
    func refuse(_ device: DeviceIdentifier) {
        guard !isStopping else { return }
        refused[device] = loop.now + limits.voidPause
        // A link that has ended may still have pending store jobs. They must not be performed.
        for (other, line) in lines where other == device { line.line?.cancel() }
        for link in links where link.device.device == device { link.close(Self.wrongSignatures) }
        diallers[device]?.rest()
        refusalTimer.follow(refused.values.min()) { [unowned self] in endRefusals() }
    }

    private static let wrongSignatures = CloseReason(
        .malformed, "more than \(Limits.voidWrites) records and statements with wrong signatures")

    /// Ends the refusals whose time is over, and dials the devices that were refused.
    private func endRefusals() {
        for (device, time) in refused where time <= loop.now {
            refused[device] = nil
            if isSought(device), link(to: device) == nil { diallers[device]?.start() }
        }
        refusalTimer.follow(refused.values.min()) { [unowned self] in endRefusals() }
    }

    /// Ends all links, so that a new session begins with each device.
    func meetAnew() {
        for link in links {
            link.close(CloseReason(.startingOver, "all its sessions start over"))
        }
    }

    /// Breaks the streams with all devices, because nothing may leave this device.
    func withholdStreams() {
        for link in links { link.streams.withhold() }
    }

    /// Sends a transaction of this device to all connected devices before the transaction is stored.
    func tellAhead(_ transaction: StoreTransaction) {
        for link in links { link.tellAhead(transaction) }
    }

    /// Handles the store's commit of writes of a lane.
    ///
    /// Connected devices may lack these writes.
    func handleCommit(_ lane: Lane) {
        for link in links { link.handleCommit(lane) }
    }

    /// Sends the durability reports of this device's store to all connected devices.
    func tellReports(_ reports: Reports) {
        for link in links { link.tellReports(reports) }
    }

    // MARK: Outputs

    /// Removes and returns the oldest output; nil if there is none.
    func nextOutput() -> PeerOutput? { outputs.next() }

    /// Returns whether a link has handled something or has ended since the last call of this method.
    func takeProgress() -> Bool { outputs.takeProgress() }

    // MARK: Queries

    /// Whether at least one device is connected, and all connected devices are in step with this device.
    var areInStep: Bool { !links.isEmpty && links.allSatisfy(\.isInStep) }

    /// Whether a connected device lacks changes that it had reported as durable earlier.
    var isSomeoneSetBack: Bool { links.contains(where: \.isPeerSetBack) }

    /// The devices with an open session, and the last signs of devices that fell silent.
    ///
    /// `lastSigns` has the time of the last message of each device that fell silent and whose link is still closing.
    var presence: (connected: Set<DeviceIdentifier>, lastSigns: [DeviceIdentifier: WallTime]) {
        let connected = links.lazy.filter { $0.isOpen && $0.wasOpened }.map(\.device.device)
        let closing = links.compactMap { link in
            link.isOpen ? nil : link.lastSign.map { (link.device.device, $0) }
        }
        return (Set(connected), Dictionary(closing) { max($0, $1) })
    }

    /// Whether at least one device has an open session.
    var isConnected: Bool { links.contains { $0.isOpen && $0.wasOpened } }

    /// The connected devices that are in step with this device.
    var inStep: Set<DeviceIdentifier> {
        Set(links.lazy.filter { $0.isOpen && $0.isInStep }.map(\.device.device))
    }

    /// Whether there are no links.
    var isQuiet: Bool { links.isEmpty }

    /// The devices to look for on local networks.
    ///
    /// These are all members, and devices that are dialled although the roster does not have them yet.
    var soughtDevices: Set<DeviceIdentifier> {
        let members = account.membership.roster.members.filter { !account.membership.hasLeft($0) }
        return Set(members).union(diallers.keys.filter(isSought)).subtracting([own.device])
    }

    /// Returns the addresses at which a device is dialled, best first.
    func places(of device: DeviceIdentifier) -> [Place] { diallers[device]?.route.places ?? [] }

    /// Returns the devices that are dialled at an address, sorted by identifier.
    func devices(dialledAt address: SocketAddress) -> [DeviceIdentifier] {
        let text = address.description
        return diallers.filter { device, dialler in
            isSought(device)
                && dialler.route.places.contains { place in
                    place.address == text
                        && place.mayLead(to: address, over: network)
                }
        }.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// Whether there is a link to a device, open or not.
    func hasLink(to device: DeviceIdentifier) -> Bool { links.contains { $0.device.device == device } }

    /// Returns the newest open link to a device; nil if there is none.
    func link(to device: DeviceIdentifier) -> Link? {
        links.last { $0.device.device == device && $0.isOpen }
    }

    /// Returns the status of a device.
    func status(of device: DeviceReference, admitted: WallTime) -> DeviceStatus {
        let (link, dialler) = (link(to: device.identifier), diallers[device.identifier])
        let contact = account.machine.contacts[device.identifier]
        let addresses = dialler?.addresses ?? []
        let unknown = addresses.isEmpty ? ConnectionTrouble("its address is not known") : nil
        // If a machine does not read, the link to it takes a while to close.
        let closing = links.last { $0.device.device == device.identifier && !$0.isOpen }
        let trouble =
            refused[device.identifier] != nil
            ? ConnectionTrouble("it is refused for a while, because it sent records with wrong signatures")
            : closing?.trouble ?? dialler?.trouble ?? refusedToStore[device.identifier] ?? unknown
        var status = DeviceStatus(
            device: device, admitted: admitted, isConnected: link != nil, isInStep: link?.isInStep ?? false,
            seen: link != nil ? .now : closing.map { $0.lastSign ?? .now } ?? contact?.seen,
            addresses: addresses, trouble: nil)
        // A device whose disk is full connects again and again for a moment. While it is connected, its disk is the
        // trouble to show. When it is not connected, the trouble is the reason why it can't be reached.
        let reason = link == nil ? trouble : refusedToStore[device.identifier]
        (status.trouble, status.closeCode) = (reason?.text, reason?.code?.rawValue)
        (status.version, status.clockLead) = (contact?.version, contact?.clockLead)
        (status.namedAddresses, status.attempts) = (dialler?.route.named ?? [], dialler?.attempted ?? [])
        status.connectedSince = link?.openedAt
        (status.outOfStepSince, status.backlog) = (link?.outOfStepSince, link?.backlog)
        if link == nil, isSought(device.identifier) {
            status.backlog = SyncBacklog(toSend: waiting(for: device.identifier, closing))
        }
        return status
    }

    /// Returns the number of changes that wait for a device that is not connected.
    ///
    /// `closing` is the device's last link, if that is still closing.
    private func waiting(for device: DeviceIdentifier, _ closing: Link?) -> UInt64 {
        let claims =
            closing?.claims ?? lastClaims[device]
            ?? SessionClaims(
                own: startedWith, peer: account.machine.collector.reports[device] ?? VersionVector())
        return claims.waiting(named: account.journal.names)
    }

    // MARK: Searching

    /// Whether to dial a device.
    ///
    /// A member is dialled. If the roster does not have the device yet, it is dialled if a person named it or if it was
    /// connected before.
    private func isSought(_ device: DeviceIdentifier) -> Bool {
        guard let dialler = diallers[device], refused[device] == nil,
            !account.membership.hasLeft(device)
        else { return false }
        switch account.membership.roster.standing(of: device) {
        case .member, .unsettled: return true
        case .unknown: return !dialler.route.places.isEmpty
        case .revoked, .undone, .surplus: return false
        }
    }

    /// Creates a route without addresses, for a device that was never dialled.
    private func newRoute(to device: DeviceIdentifier) -> Route {
        Route(name: account.names.recordedName(of: device))
    }

    private func addDialler(_ device: DeviceIdentifier, _ route: Route) {
        let dialler = Dialler(
            device, route: route, context: context, over: network, on: loop, limits: limits
        ) { [unowned self] channel, identity, expired in
            outputs.add(.reached(channel, identity, expired: expired))
            account.carryOut()
        }
        dialler.failed = { [unowned self] attempt in tellFailure(attempt, of: device) }
        diallers[device] = dialler
        account.names.meet(device, as: route.name)
    }

    /// Logs in one line why a device is not connected.
    private func tellFailure(_ attempt: AddressAttempt, of device: DeviceIdentifier) {
        let seen = account.machine.contacts[device]?.seen
        let last = seen.map { "last seen \($0.dateAndTime)" } ?? "not seen yet"
        log.tell("“\(account.name(of: device))” is not connected: \(attempt.text) (\(last))")
    }

    /// Remembers the address at which a device was reached, and the port on which the device says that it listens.
    func learnRoute(of link: Link, _ hello: Hello) {
        guard let remote = link.remoteAddress else { return }
        let device = link.device.device
        if diallers[device] == nil { addDialler(device, Route(name: hello.name)) }
        guard let dialler = diallers[device] else { return }
        var route = dialler.route
        route.name = hello.name
        account.names.meet(device, as: hello.name)
        if !link.isDialled, let port = hello.port {
            let address = SocketAddress(host: remote.host, port: port).description
            dialler.latest = address
            route.hear(from: address, on: network.links.remembered(carrying: link.localAddress?.host))
        }
        // If this device dialled the link, the dialler has already put the address first. The present route is stored
        // in any case.
        let isNew = dialler.route != route
        dialler.route = route
        keep(route, of: device)
        if isNew { tellRoute(to: device) }
    }

    /// Sends the addresses of a device to all other connected devices.
    private func tellRoute(to device: DeviceIdentifier) {
        guard let told = addresses(of: device) else { return }
        for other in links where other.isOpen && other.device.device != device { other.tellAddresses([told]) }
    }

    /// Returns the addresses of a device in the form that is sent to other devices; nil if there are none.
    private func addresses(of device: DeviceIdentifier) -> DeviceAddresses? {
        guard let route = diallers[device]?.route, isSought(device) else { return nil }
        let addresses = route.tellable
        guard !addresses.isEmpty else { return nil }
        return DeviceAddresses(device: device, name: route.name, addresses: addresses)
    }

    /// Sends a device the addresses of all other devices.
    private func tellRoutes(to link: Link) {
        let others = diallers.keys.filter { $0 != link.device.device }.sorted().compactMap(addresses)
        if !others.isEmpty { link.tellAddresses(others) }
    }

    /// Applies addresses that connected devices sent earlier.
    ///
    /// Only the addresses of devices that have become members since are applied.
    private func placeTold() {
        for (teller, told) in unplaced {
            for (device, addresses) in told where account.membership.roster.standing(of: device) == .member {
                unplaced[teller]?[device] = nil
                receiveAddresses(addresses, toldBy: teller)
            }
        }
    }

    /// Adds the addresses of a member that another device sent, and tries them.
    private func receiveAddresses(_ told: DeviceAddresses, toldBy teller: DeviceIdentifier) {
        let device = told.device
        if diallers[device] == nil {
            guard diallers.count < limits.devices else { return }
            addDialler(device, Route(name: told.name))
        }
        guard let dialler = diallers[device] else { return }
        let known = dialler.route
        let local = links.first { $0.device.device == teller }?.localAddress?.host
        let present = network.links.remembered(carrying: local)
        for address in told.addresses { dialler.route.hear(told: address, on: present) }
        if dialler.route != known { keep(dialler.route, of: device) }
        if isSought(device), !links.contains(where: { $0.device.device == device }) { dialler.start() }
    }

    private func keep(_ route: Route, of device: DeviceIdentifier) {
        keep(route.note(for: device)) { [account] failure in
            if let failure { account.warnRefused("could not save an address: \(failure)") }
        }
    }

    private func keep(_ note: LocalNote, then: @escaping (StoreFailure?) -> Void) {
        account.store.submit(to: .activities) { (store) throws(StoreFailure) in
            _ = try store.commit(
                StoreTransaction(lane: .activities, writes: [], completing: VersionVector(), notes: [note]))
        } then: { result in
            if case .failure(let failure) = result { then(failure) } else { then(nil) }
        }
    }
}

/// Handles what links report.
extension Peers {
    /// Handles the opening of a session.
    ///
    /// Both devices send batches from now on.
    func handleOpening(of link: Link) {
        let device = link.device.device
        diallers[device]?.rest()
        diallers[device]?.forgive()
        refusals[device] = nil
        refusalCounts[device] = nil
        tellRoutes(to: link)
        // There may be several connections between two devices. Then the device with the smaller identifier decides: it
        // keeps the newest connection, which has just shown that it works. The other device only probes its older
        // connections. A device whose address has changed abandons its connections silently, and they count until they
        // end.
        for older in links where older !== link && older.device.device == device {
            if own.device < device {
                older.close(CloseReason(.replaced, "a newer connection replaced it"))
            } else {
                older.probe()
            }
        }
    }

    /// Handles a device that stores what it is sent, or lacks nothing.
    func noteStoring(_ device: DeviceIdentifier) { refusedToStore[device] = nil }

    /// Handles addresses of other devices that a peer sent.
    func receiveAddresses(_ routes: [DeviceAddresses], toldBy teller: DeviceIdentifier) {
        for told in routes where told.device != own.device && told.device != teller {
            if account.membership.roster.standing(of: told.device) == .member {
                receiveAddresses(told, toldBy: teller)
            } else if unplaced[teller, default: [:]].count < Limits.toldDevices {
                unplaced[teller, default: [:]][told.device] = told
            }
        }
    }

    /// Records the result of a comparison with a peer that claims the same writes as this device.
    ///
    /// If the difference is nil, the two devices have the same state.
    func recordDifference(_ difference: Difference?, with device: DeviceIdentifier) {
        guard let line = differences.recordDifference(difference, with: device, account.name(of: device))
        else { return }
        if difference == nil { log.tell(line) } else { log.warn(line) }
    }

    /// Handles the end of a link.
    func handleEnd(of link: Link, _ end: LinkEnd) {
        links.removeAll { $0 === link }
        let device = link.device.device
        if link.peerReason?.code == .storage { refusedToStore[device] = end.trouble }
        if let claims = link.claims { lastClaims[device] = claims }
    }

    /// Handles the end of the last session with a device.
    ///
    /// The device is dialled again later.
    func handleLoss(of device: DeviceIdentifier, _ link: Link, _ end: LinkEnd) {
        unplaced[device] = nil
        log.tell(
            "no longer connected with “\(account.name(of: device))”: \(end.text) (connected for \(link.age.spoken))"
        )
        guard !isStopping, isSought(device) else { return }
        diallers[device]?.startLater(because: end.trouble, lasted: link.age, isTransient: end.isTransient)
    }

    /// Records that a device has refused this device, and returns how often it has.
    ///
    /// Refusals are counted for all certificates that this device presented.
    func handleRefusal(by device: DeviceIdentifier, _ reason: CloseReason) -> Int {
        refusals[device] = reason
        refusalCounts[device, default: 0] += 1
        return refusalCounts[device, default: 0]
    }

    /// Presents another certificate of this device to a device that refused the last one.
    ///
    /// If `other` is nil, all certificates were tried, and the usual certificate is presented again. Returns whether
    /// another attempt may succeed soon.
    func show(_ other: TLSContext?, to device: DeviceIdentifier) -> Bool {
        if other == nil { refusalCounts[device] = 0 }
        guard let dialler = diallers[device] else { return false }
        dialler.use(other ?? context)
        return other != nil
    }
}

/// A weak reference to the line of a session's store jobs.
///
/// The line disappears once none of its jobs is pending.
private struct WeakLine {
    weak var line: StoreLine?
}
