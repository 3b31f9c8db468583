import BatonCore
import BatonNetwork
import BatonSecurity

/// The other devices of an account: the links to those that are connected, and the search for those that are not.
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
    /// The addresses that each connected device sent of devices that are not, or not yet, members.
    private var unplaced: [DeviceIdentifier: [DeviceIdentifier: DeviceAddresses]] = [:]
    private var links: [Link] = []
    /// The lines of store jobs of each device's sessions, while jobs of the line are pending.
    private var lines: [(device: DeviceIdentifier, line: WeakLine)] = []
    /// The devices that have refused this one since the node started, with the reasons that they gave.
    private(set) var refusals: [DeviceIdentifier: CloseReason] = [:]
    /// How many times each device has refused this one since it last accepted it, whatever certificate it was shown.
    private var refusalCounts: [DeviceIdentifier: Int] = [:]
    /// The devices that could not store what this one sent, with their reasons, until they store something again.
    private var refusedToStore: [DeviceIdentifier: ConnectionTrouble] = [:]
    /// For each device whose session has ended, its claims and this device's claims at that time.
    private var lastClaims: [DeviceIdentifier: SessionClaims] = [:]
    /// This device's own writes that it had when it started.
    private let startedWith: VersionVector
    /// The devices that were found to differ from this one since the node started.
    private(set) var differences = Differences()
    /// How often each device connects.
    private var rates: ConnectionRates
    /// The devices that are refused for a while, and until when.
    private var refused: [DeviceIdentifier: MonotonicTime] = [:]
    /// Set for the end of the earliest refusal.
    private let refusalTimer: OwnedTimer
    private var isStopping = false
    /// Whether the index is withheld from all devices.
    var holdsIndex = false {
        didSet { for link in links { link.holdsIndex(holdsIndex) } }
    }
    /// Whether stored activities are sent to no device, because some of them are withheld and not withdrawn yet.
    var holdsActivities = false {
        didSet { for link in links { link.holdsActivities(holdsActivities) } }
    }

    /// The outputs of the links and of the search for devices.
    private let outputs = PeerOutputs()

    /// Creates the peers with the devices of these routes; `complete` is what this device had when it started.
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
            // After a rescue the roster may lack the device, and addresses that others sent count only for members.
            if account.membership.roster.standing(of: device) == .unknown { route.dropTold() }
            addDialler(device, route)
        }
    }

    // MARK: Commands

    /// Dials every known device.
    func start() {
        for (device, dialler) in diallers where isSought(device) { dialler.start() }
    }

    /// Dials a device at these addresses first, instead of those that a person named before.
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

    /// Sets the addresses at which devices are announced on local networks now, and dials devices that are not
    /// connected.
    func setAnnounced(_ addresses: [DeviceIdentifier: [String]]) {
        for device in addresses.keys where diallers[device] == nil && diallers.count < limits.devices {
            addDialler(device, newRoute(to: device))
        }
        for (device, dialler) in diallers {
            dialler.setAnnounced(addresses[device] ?? [])
            if !isStopping, isSought(device), link(to: device) == nil { dialler.start() }
        }
    }

    /// Handles a change of the network, or that this machine woke up: ends connections whose local address is gone,
    /// probes the others, and dials devices that are not connected.
    func handleChange(_ change: NetworkWatch.Change) {
        guard !isStopping else { return }
        for link in links {
            guard let address = link.localAddress?.host, change.gone.contains(address) else {
                // The route to the device may have changed although this machine's address has not.
                link.probe()
                continue
            }
            link.abort("this machine no longer has the address \(address)")
        }
        // By the end of the turn, the aborted links have ended.
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

    /// Shows another certificate of this device from now on; open connections go on.
    func use(_ context: TLSContext) {
        self.context = context
        refusalCounts = [:]
        for dialler in diallers.values { dialler.use(context) }
    }

    /// Returns whether a device may begin a session, apart from its standing in the roster; closes the channel if not.
    func admits(_ channel: Channel, _ identity: DeviceIdentity, isDialled: Bool) -> Bool {
        // TLS has checked the account already; it is checked once more because several accounts may share a port.
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

    /// Refuses a device that the account does not let begin a session.
    func refuse(_ channel: Channel, to device: DeviceIdentifier, because reason: CloseReason, isDialled: Bool)
    {
        log.warn("“\(account.name(of: device))” is refused: \(reason.text)")
        channel.send(reason.frame)
        channel.close()
        // By the next attempt an owner may have renewed the certificate, or this device may have the renewal from
        // elsewhere.
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

    /// Counts a connection of a device; returns whether it is accepted.
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

    /// Handles a changed roster: at once ends connections that it no longer allows, and dials devices that it allows
    /// now.
    func handleRosterChange() {
        // A link that has ended may still have pending jobs, which must not be performed.
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

    /// Ends the links with a device that sent too many records with wrong signatures, and refuses it for a while.
    func refuse(_ device: DeviceIdentifier) {
        guard !isStopping else { return }
        refused[device] = loop.now + limits.voidPause
        // A link that has ended may still have pending jobs, which must not be performed.
        for (other, line) in lines where other == device { line.line?.cancel() }
        for link in links where link.device.device == device { link.close(Self.wrongSignatures) }
        diallers[device]?.rest()
        refusalTimer.follow(refused.values.min()) { [unowned self] in endRefusals() }
    }

    private static let wrongSignatures = CloseReason(
        .malformed, "more than \(Limits.voidWrites) records and statements with wrong signatures")

    /// Ends the refusals whose time is over, and dials these devices.
    private func endRefusals() {
        for (device, time) in refused where time <= loop.now {
            refused[device] = nil
            if isSought(device), link(to: device) == nil { diallers[device]?.start() }
        }
        refusalTimer.follow(refused.values.min()) { [unowned self] in endRefusals() }
    }

    /// Ends all links, so that a new session begins with every device.
    func meetAnew() {
        for link in links {
            link.close(CloseReason(.startingOver, "all its sessions start over"))
        }
    }

    /// Breaks the streams with all devices, because nothing may leave this device.
    func withholdStreams() {
        for link in links { link.streams.withhold() }
    }

    /// Sends a transaction of this device early to all connected devices, before it is stored.
    func tellAhead(_ transaction: StoreTransaction) {
        for link in links { link.tellAhead(transaction) }
    }

    /// Notes that the store has committed writes of a lane, which the devices may lack.
    func handleCommit(_ lane: Lane) {
        for link in links { link.handleCommit(lane) }
    }

    /// Sends the durability reports to every device.
    func tellReports(_ reports: Reports) {
        for link in links { link.tellReports(reports) }
    }

    // MARK: Outputs

    /// Returns what the account is to do next; nil if nothing is.
    func nextOutput() -> PeerOutput? { outputs.next() }

    /// Returns whether a link has handled something or has ended since the last call.
    func takeProgress() -> Bool { outputs.takeProgress() }

    // MARK: Queries

    /// Whether some device is connected, and all connected devices are in step with this one.
    var areInStep: Bool { !links.isEmpty && links.allSatisfy(\.isInStep) }

    /// Whether a connected device lacks changes that it had reported as durable.
    var isSomeoneSetBack: Bool { links.contains(where: \.isPeerSetBack) }

    /// The devices with an open session, and the time of the last message of each device that fell silent and whose
    /// link is still closing.
    var presence: (connected: Set<DeviceIdentifier>, lastSigns: [DeviceIdentifier: WallTime]) {
        let connected = links.lazy.filter { $0.isOpen && $0.wasOpened }.map(\.device.device)
        let closing = links.compactMap { link in
            link.isOpen ? nil : link.lastSign.map { (link.device.device, $0) }
        }
        return (Set(connected), Dictionary(closing) { max($0, $1) })
    }

    /// Whether a session is open with some device.
    var isConnected: Bool { links.contains { $0.isOpen && $0.wasOpened } }

    /// The devices that have everything that this one has, as far as is known here.
    var inStep: Set<DeviceIdentifier> {
        Set(links.lazy.filter { $0.isOpen && $0.isInStep }.map(\.device.device))
    }

    /// Whether no link is left.
    var isQuiet: Bool { links.isEmpty }

    /// The devices to look for on local networks: all members, and devices that are dialled although the roster does
    /// not name them yet.
    var soughtDevices: Set<DeviceIdentifier> {
        let members = account.membership.roster.members.filter { !account.membership.hasLeft($0) }
        return Set(members).union(diallers.keys.filter(isSought)).subtracting([own.device])
    }

    /// Returns the addresses at which a device is looked for, the best one first.
    func places(of device: DeviceIdentifier) -> [Place] { diallers[device]?.route.places ?? [] }

    /// Returns the devices that are dialled at an address, in a fixed order.
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

    /// Whether a link to a device is left, open or not.
    func hasLink(to device: DeviceIdentifier) -> Bool { links.contains { $0.device.device == device } }

    /// Returns the newest open link to a device.
    func link(to device: DeviceIdentifier) -> Link? {
        links.last { $0.device.device == device && $0.isOpen }
    }

    /// Returns the status of a device.
    func status(of device: DeviceReference, admitted: WallTime) -> DeviceStatus {
        let (link, dialler) = (link(to: device.identifier), diallers[device.identifier])
        let contact = account.machine.contacts[device.identifier]
        let addresses = dialler?.addresses ?? []
        let unknown = addresses.isEmpty ? ConnectionTrouble("its address is not known") : nil
        // The link to a machine that reads nothing takes a while to close.
        let closing = links.last { $0.device.device == device.identifier && !$0.isOpen }
        let trouble =
            refused[device.identifier] != nil
            ? ConnectionTrouble("it is refused for a while, because it sent records with wrong signatures")
            : closing?.trouble ?? dialler?.trouble ?? refusedToStore[device.identifier] ?? unknown
        var status = DeviceStatus(
            device: device, admitted: admitted, isConnected: link != nil, isInStep: link?.isInStep ?? false,
            seen: link != nil ? .now : closing.map { $0.lastSign ?? .now } ?? contact?.seen,
            addresses: addresses, trouble: nil)
        // A device whose disk is full connects repeatedly for a moment, so its disk is the reason while it is
        // connected. Once the device can't be reached, that is the reason.
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

    /// Returns how many changes wait for a device that is not connected, and whose last link may still be closing.
    private func waiting(for device: DeviceIdentifier, _ closing: Link?) -> UInt64 {
        let claims =
            closing?.claims ?? lastClaims[device]
            ?? SessionClaims(
                own: startedWith, peer: account.machine.collector.reports[device] ?? VersionVector())
        return claims.waiting(named: account.journal.names)
    }

    // MARK: Searching

    /// Whether a device is to be dialled: it is a member, or the roster does not know it yet but a person named it or
    /// it was connected before.
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

    /// Returns a route without addresses, for a device that was not dialled before.
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

    /// Remembers at which address a device was reached, and where it says that it listens.
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
        // For a link that this device dialled, the dialler has put the address first. The present route is stored in
        // any case.
        let isNew = dialler.route != route
        dialler.route = route
        keep(route, of: device)
        if isNew { tellRoute(to: device) }
    }

    /// Sends the addresses of a device to all others.
    private func tellRoute(to device: DeviceIdentifier) {
        guard let told = addresses(of: device) else { return }
        for other in links where other.isOpen && other.device.device != device { other.tellAddresses([told]) }
    }

    /// The addresses of a member, in the form that is sent to others; nil if there are none.
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

    /// Applies addresses that connected devices sent earlier, of devices that have become members since.
    private func placeTold() {
        for (teller, told) in unplaced {
            for (device, addresses) in told where account.membership.roster.standing(of: device) == .member {
                unplaced[teller]?[device] = nil
                receiveAddresses(addresses, toldBy: teller)
            }
        }
    }

    /// Adds the addresses that another device sent of a member, and tries them.
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

/// Handles the events of links.
extension Peers {
    /// Handles the opening of a session: batches go both ways from now on.
    func handleOpening(of link: Link) {
        let device = link.device.device
        diallers[device]?.rest()
        diallers[device]?.forgive()
        refusals[device] = nil
        refusalCounts[device] = nil
        tellRoutes(to: link)
        // If there are several connections between two devices, the device with the smaller identifier decides: it
        // keeps the newest one, which has just shown that it works. The other device probes its older connections: a
        // device whose address has changed abandons them silently, and they count until they end.
        for older in links where older !== link && older.device.device == device {
            if own.device < device {
                older.close(CloseReason(.replaced, "a newer connection replaced it"))
            } else {
                older.probe()
            }
        }
    }

    /// Notes that a device stores what it is sent, or lacks nothing.
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

    /// Notes that a peer claims the same writes as this device but has a different state or, with nil, the same state.
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

    /// Handles the end of the last session with a device, which is dialled again later.
    func handleLoss(of device: DeviceIdentifier, _ link: Link, _ end: LinkEnd) {
        unplaced[device] = nil
        log.tell(
            "no longer connected with “\(account.name(of: device))”: \(end.text) (connected for \(link.age.spoken))"
        )
        guard !isStopping, isSought(device) else { return }
        diallers[device]?.startLater(because: end.trouble, lasted: link.age, isTransient: end.isTransient)
    }

    /// Records that a device has refused this one; returns how many times it did, whatever certificate it was shown.
    func handleRefusal(by device: DeviceIdentifier, _ reason: CloseReason) -> Int {
        refusals[device] = reason
        refusalCounts[device, default: 0] += 1
        return refusalCounts[device, default: 0]
    }

    /// Shows another certificate of this device to a device that refused the last one; nil, after all were shown, means
    /// the usual one.
    ///
    /// Returns whether another attempt may succeed soon.
    func show(_ other: TLSContext?, to device: DeviceIdentifier) -> Bool {
        if other == nil { refusalCounts[device] = 0 }
        guard let dialler = diallers[device] else { return false }
        dialler.use(other ?? context)
        return other != nil
    }
}

/// The line of a session's store jobs, held weakly: it disappears once none of its jobs is pending.
private struct WeakLine {
    weak var line: StoreLine?
}
