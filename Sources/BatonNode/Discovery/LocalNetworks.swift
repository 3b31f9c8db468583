import BatonCore
import BatonNetwork
import BatonSecurity

/// Announces this machine's accounts on local networks, and finds the devices of its accounts there.
///
/// It carries out the decisions of `AnnouncementPlan` and `FoundDevices`. The object belongs to the loop's thread.
final class LocalNetworks {
    /// An account as others need it to find its devices.
    struct Presence {
        let account: AccountIdentifier
        let root: PublicKey
        /// This device, and the others that are looked for.
        let own: DeviceIdentifier, others: Set<DeviceIdentifier>
        /// The bits of the code of an open invitation.
        let invitation: String?
        /// Called with the addresses at which devices are announced.
        let found: ([DeviceIdentifier: [String]]) -> Void
    }

    private let discovery: LANDiscovery
    private let loop: EventLoop
    private let log: Log
    /// The port at which devices connect.
    private let port: UInt16
    /// Returns the accounts to announce, and to find devices of.
    private let presences: () -> [Presence]
    private var plan: AnnouncementPlan
    private var found = FoundDevices()
    /// The keys of the accounts, which take a derivation each.
    private var keys: [AccountIdentifier: AnnouncementKey] = [:]
    /// The devices that are looked for in each account.
    private var sought: [AccountIdentifier: Set<DeviceIdentifier>] = [:]
    /// The bits of the open invitations.
    private var invitations: [AccountIdentifier: String] = [:]
    /// This device in each account.
    private var own: [AccountIdentifier: DeviceIdentifier] = [:]
    /// Set for the end of the next period.
    private let timer: OwnedTimer
    /// Limits how often the loss of a device leads to a search.
    private var lossRate: RateLimit
    private var isUpdatePlanned = false
    private var isClosed = false
    /// The failure that was logged last.
    private var logged: String?

    init(
        _ settings: DiscoverySettings, listeningOn addresses: [SocketAddress], on loop: EventLoop,
        limits: Limits, log: Log, presences: @escaping () -> [Presence]
    ) throws(NetworkError) {
        (self.loop, self.log, self.presences) = (loop, log, presences)
        (port, timer) = (addresses.first?.port ?? Home.port, OwnedTimer(on: loop))
        lossRate = RateLimit(perSecond: 1, burst: 4, now: loop.now)
        plan = AnnouncementPlan(limits.announcementPeriod, drawingFrom: SystemRandomNumberGenerator())
        var search = LANDiscovery.Settings()
        search.interfaces = settings.interfaces(listeningOn: addresses)
        search.multicast.instancesMost = limits.announcements
        let owner = Owner()
        discovery = try LANDiscovery(
            on: loop, settings: search,
            handlers: LANDiscovery.Handlers(
                announcements: { owner.networks?.announcements(on: $0, taken: $1) ?? [] },
                found: { owner.networks?.handle(found: $0) }, lost: { owner.networks?.handle(lost: $0) }))
        owner.networks = self
        accountsChanged()
    }

    /// Holds the object whose methods the handlers call, which exists only once discovery does.
    private final class Owner {
        weak var networks: LocalNetworks?
    }

    // MARK: Commands

    /// Looks at the accounts at the end of this turn, because their devices or invitations may have changed.
    func accountsChanged() {
        guard !isUpdatePlanned, !isClosed else { return }
        isUpdatePlanned = true
        loop.afterTurn { [weak self] in
            guard let self, !isClosed else { return }
            isUpdatePlanned = false
            update()
        }
    }

    /// Changes all names, and asks who is there, because this machine woke up.
    func handleWake() {
        plan.renewAll(now: loop.now)
        publish()
        discovery.searchAgain()
    }

    /// Asks who is there, because a device is not connected any more, which may have another address now.
    func handleLoss() {
        guard lossRate.take(at: loop.now) else { return }
        discovery.searchAgain()
    }

    /// Ends all announcements.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer.cancel()
        discovery.close()
    }

    // MARK: Queries

    /// The state of the sockets and of what is heard, for each network.
    var status: [DiscoveryStatus] { discovery.status }

    // MARK: Announcing

    private func update() {
        do throws(SecurityError) {
            let present = presences()
            for account in sought.keys where !present.contains(where: { $0.account == account }) {
                sought[account] = nil
                keys[account] = nil
                try found.remove(account)
            }
            for presence in present {
                let key = try key(of: presence)
                guard sought[presence.account] != presence.others else { continue }
                sought[presence.account] = presence.others
                try found.set(presence.others, of: presence.account, by: key)
            }
            own = Dictionary(present.map { ($0.account, $0.own) }) { first, _ in first }
            invitations = Dictionary(
                present.compactMap { presence in presence.invitation.map { (presence.account, $0) } }
            ) { first, _ in first }
            let subjects =
                own.keys.map { AnnouncementPlan.Subject.device($0) }
                + invitations.keys.map { .invitation($0) }
            plan.set(Set(subjects), now: loop.now)
            publish()
            passOn()
        } catch {
            warn(error)
        }
    }

    /// Returns the key of an account, which is derived once.
    private func key(of presence: Presence) throws(SecurityError) -> AnnouncementKey {
        if let key = keys[presence.account] { return key }
        let key = try AnnouncementKey(root: presence.root)
        keys[presence.account] = key
        return key
    }

    /// Returns what to announce on a network, where other machines use the given names.
    private func announcements(on network: NetworkInterface, taken: Set<String>) -> [ServiceAnnouncement] {
        plan.use(network.index, with: Set(network.addresses.map(\.host)), taken: taken, now: loop.now)
        setTimer()
        do throws(SecurityError) {
            var announcements: [ServiceAnnouncement] = []
            for (subject, names) in plan.names(on: network.index) {
                guard let text = try text(of: subject, named: names.instance, on: network) else { continue }
                announcements.append(
                    ServiceAnnouncement(
                        instance: names.instance, host: names.host, port: port, text: text))
            }
            return announcements
        } catch {
            warn(error)
            return []
        }
    }

    /// Announces what the plan has now, instead of what it had before.
    private func publish() {
        discovery.announceAnew()
        setTimer()
    }

    private func setTimer() {
        timer.follow(plan.deadline) { [unowned self] in
            plan.keep(Set(discovery.status.map(\.index)))
            plan.handleTime(loop.now)
            publish()
        }
    }

    /// Returns the entries of an announcement; nil if there is nothing to announce any more.
    private func text(
        of subject: AnnouncementPlan.Subject, named name: String, on network: NetworkInterface
    ) throws(SecurityError) -> ServiceText? {
        switch subject {
        case .device(let account):
            guard let key = keys[account], let device = own[account] else { return nil }
            return try DeviceAnnouncement.text(
                for: device, named: name, at: network.addresses.map(\.host), port: port, by: key)
        case .invitation(let account):
            return invitations[account].map { DeviceAnnouncement.text(forInvitation: $0) }
        }
    }

    // MARK: Finding

    private func handle(found service: FoundService) {
        guard let announcement = DeviceAnnouncement.device(service) else { return }
        do throws(SecurityError) {
            if try found.handle(announcement) { passOn() }
        } catch {
            warn(error)
        }
    }

    private func handle(lost service: FoundService.ID) {
        if found.handleEnd(of: service.instance, on: service.interface) { passOn() }
    }

    /// Tells every account where its devices are announced.
    private func passOn() {
        for presence in presences() { presence.found(found.addresses(of: presence.account)) }
    }

    /// Logs a failure of the cryptography once.
    private func warn(_ error: SecurityError) {
        guard logged != "\(error)" else { return }
        logged = "\(error)"
        log.warn("can't announce this machine on local networks: \(error)")
    }
}
