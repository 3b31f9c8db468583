import BatonCore
import BatonDiscovery
import BatonNetwork
import BatonSecurity

/// Announces this machine's accounts on local networks, and finds the devices of these accounts there.
///
/// `AnnouncementPlan` and `FoundDevices` make the decisions, and this class carries them out. The object belongs to the
/// loop's thread.
final class LocalNetworks {
    /// The data of an account that is needed to announce the account and to find its devices.
    struct Presence {
        let account: AccountIdentifier
        let root: PublicKey
        /// This device, and the other devices to look for.
        let own: DeviceIdentifier, others: Set<DeviceIdentifier>
        /// The bits of an open invitation's code; nil if no invitation is open.
        let invitation: String?
        /// Called with the addresses that each device announces.
        let found: ([DeviceIdentifier: [String]]) -> Void
        /// Called with an address that another machine announces under this device's identity, or with nil if no other
        /// machine does.
        let foundTwin: (String?) -> Void
    }

    private let discovery: LANDiscovery
    private let loop: EventLoop
    /// Logs a warning.
    private let warn: (String) -> Void
    /// The port on which devices connect.
    private let port: UInt16
    /// The accounts to announce, whose devices are looked for.
    private var presences: [AccountIdentifier: Presence] = [:]
    private var plan: AnnouncementPlan
    private var found: FoundDevices
    /// The instance names that this process has announced, newest last.
    ///
    /// They are remembered so that they are not mistaken for another machine's.
    private var ownInstances: [String] = []
    /// The links to which this machine is connected.
    private let links: PresentLinks
    /// The timer for the next check of the links after a change.
    ///
    /// The kernel may learn the router's address only some time after the change.
    private let linkTimer: OwnedTimer
    /// The pauses before the remaining checks of the links.
    private var linkPauses: ArraySlice<Duration> = []
    /// A cache of the accounts' keys, because deriving a key takes time.
    private var keys: [AccountIdentifier: AnnouncementKey] = [:]
    /// The devices of each account that are looked for.
    private var sought: [AccountIdentifier: Set<DeviceIdentifier>] = [:]
    /// The timer for the end of the plan's next period.
    private let timer: OwnedTimer
    /// Limits how often the loss of a device starts a search.
    private var lossRate: RateLimit
    private var isUpdatePlanned = false
    private var isClosed = false
    /// The text of the failure that was logged last.
    private var logged: String?

    init(
        _ settings: DiscoverySettings, listeningOn addresses: [SocketAddress], on loop: EventLoop,
        limits: Limits, usualPort: UInt16, links: PresentLinks, warn: @escaping (String) -> Void
    ) throws(NetworkError) {
        (self.loop, self.warn, self.links) = (loop, warn, links)
        (found, linkTimer) = (FoundDevices(hour: Self.hour(ago: .zero)), OwnedTimer(on: loop))
        (port, timer) = (addresses.first?.port ?? usualPort, OwnedTimer(on: loop))
        lossRate = RateLimit(perSecond: 1, burst: 4, now: loop.now)
        plan = AnnouncementPlan(limits.announcementPeriod, drawingFrom: SystemRandomNumberGenerator())
        var search = LANDiscovery.Settings()
        search.interfaces = settings.interfaces(listeningOn: addresses)
        search.multicast.instancesMost = limits.announcements
        // Other machines announce themselves. A query helps only if their packets were lost, and each query wakes every
        // machine. Therefore, the interval between queries grows quickly.
        search.multicast.searchGrowth = 4
        let owner = Owner()
        discovery = try LANDiscovery(
            on: loop, settings: search,
            handlers: LANDiscovery.Handlers(
                announcements: { owner.networks?.announcements(on: $0, taken: $1) ?? [] },
                found: { owner.networks?.handleFound($0) }, lost: { owner.networks?.handleLost($0) }))
        owner.networks = self
    }

    /// Holds the object whose methods the handlers call.
    ///
    /// The handlers must be created before that object is complete.
    private final class Owner {
        weak var networks: LocalNetworks?
    }

    // MARK: Commands

    /// Announces an account and looks for its devices.
    ///
    /// The presence replaces the account's earlier presence.
    func set(_ presence: Presence) {
        presences[presence.account] = presence
        updateLater()
    }

    /// Ends the announcements of an account, and ends the search for its devices.
    func remove(_ account: AccountIdentifier) {
        presences[account] = nil
        updateLater()
    }

    /// Updates the announcements at the end of this turn of the loop.
    ///
    /// Several accounts may change in one turn.
    private func updateLater() {
        guard !isUpdatePlanned, !isClosed else { return }
        isUpdatePlanned = true
        loop.afterTurn { [weak self] in
            guard let self, !isClosed else { return }
            isUpdatePlanned = false
            update()
        }
    }

    /// Checks the links now and several times later, because the network may have changed.
    func handleNetworkChange() {
        linkPauses = Self.linkPauses[...]
        lookAtLinks()
    }

    /// Draws new names for all announcements and queries the networks, because this machine woke up.
    func handleWake() {
        handleNetworkChange()
        plan.renewAll(now: loop.now)
        publish()
        discovery.searchAgain()
    }

    /// Queries the networks, because a device that has disconnected may have a new address.
    func handleLoss() {
        guard lossRate.take(at: loop.now) else { return }
        discovery.searchAgain()
    }

    /// Ends all announcements.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer.cancel()
        linkTimer.cancel()
        discovery.close()
    }

    // MARK: Queries

    /// The reason why machines on a local network might not be found, in words; nil if there is none.
    var trouble: String? { discovery.trouble }

    // MARK: Announcing

    private func update() {
        do throws(SecurityError) {
            for account in sought.keys where presences[account] == nil {
                sought[account] = nil
                keys[account] = nil
                try found.remove(account)
            }
            for presence in presences.values {
                let key = try key(of: presence)
                let all = presence.others.union([presence.own])
                guard sought[presence.account] != all else { continue }
                sought[presence.account] = all
                try found.set(all, of: presence.account, by: key)
            }
            var subjects: Set<AnnouncementPlan.Subject> = []
            for presence in presences.values {
                subjects.insert(.device(presence.account))
                if presence.invitation != nil { subjects.insert(.invitation(presence.account)) }
            }
            plan.set(subjects, now: loop.now)
            publish()
            passOn()
        } catch {
            tell(error)
        }
    }

    /// Returns the key of an account.
    ///
    /// The key is derived only once.
    private func key(of presence: Presence) throws(SecurityError) -> AnnouncementKey {
        if let key = keys[presence.account] { return key }
        let key = try AnnouncementKey(root: presence.root)
        keys[presence.account] = key
        return key
    }

    /// Returns the services to announce on a network.
    ///
    /// `taken` has the names that other machines on the network use.
    private func announcements(on network: NetworkInterface, taken: Set<String>) -> [ServiceAnnouncement] {
        let addresses = Set(network.addresses.map(\.host))
        if plan.addresses(on: network.index) != addresses {
            links.forget()
            linkPauses = Self.linkPauses[...]
            lookLater()
        }
        guard let link = links.fingerprints(of: network.index) else { return [] }
        plan.use(network.index, with: addresses, link: link.told, taken: taken, now: loop.now)
        setTimer()
        do throws(SecurityError) {
            if try found.set(link.recognised, of: network.index) { passOn() }
            var announcements: [ServiceAnnouncement] = []
            for (subject, names) in plan.names(on: network.index) {
                guard let text = try text(of: subject, names, link, on: network) else { continue }
                noteOwn(names.instance)
                announcements.append(
                    ServiceAnnouncement(
                        instance: names.instance, host: names.host, port: port, text: text))
            }
            return announcements
        } catch {
            tell(error)
            return []
        }
    }

    /// Replaces all announcements with those of the present plan.
    private func publish() {
        discovery.announceAnew()
        setTimer()
    }

    /// The pauses between the checks of the links after the network has changed.
    private static let linkPauses: [Duration] = [.seconds(1), .seconds(4), .seconds(15), .seconds(60)]

    /// Reads the links again.
    ///
    /// If the values that identify a network's link have changed, this machine announces itself there under new names.
    private func lookAtLinks() {
        links.forget()
        discovery.announceAnew()
        lookLater()
    }

    /// Plans the next check of the links, unless all pauses are over.
    private func lookLater() {
        guard let pause = linkPauses.popFirst() else { return }
        linkTimer.set(after: pause) { [unowned self] in lookAtLinks() }
    }

    /// Returns the number of the hour at a time in the past.
    ///
    /// `age` is the time since then.
    private static func hour(ago age: Duration) -> UInt32 {
        AnnouncementKey.hour(of: WallTime.now.seconds - age.components.seconds)
    }

    private func setTimer() {
        timer.follow(plan.deadline) { [unowned self] in
            notePresentHour()
            plan.keep(Set(discovery.status.map(\.index)))
            plan.handleTime(loop.now)
            publish()
        }
    }

    /// Sets the present hour, so that announcements that are too many hours old no longer count.
    private func notePresentHour() {
        do throws(SecurityError) {
            if try found.handleTime(hour: Self.hour(ago: .zero)) { passOn() }
        } catch {
            tell(error)
        }
    }

    /// Returns the text entries of an announcement; nil if there is no longer anything to announce.
    private func text(
        of subject: AnnouncementPlan.Subject, _ names: AnnouncementPlan.Names, _ link: LinkFingerprints,
        on network: NetworkInterface
    ) throws(SecurityError) -> ServiceEntries? {
        switch subject {
        case .device(let account):
            guard let key = keys[account], let device = presences[account]?.own else { return nil }
            return try DeviceAnnouncement.text(
                for: device, named: names.instance, in: Self.hour(ago: loop.now - names.drawn), on: link.told,
                at: network.addresses.map(\.host), port: port, by: key)
        case .invitation(let account):
            return presences[account]?.invitation.map { DeviceAnnouncement.text(forInvitation: $0) }
        }
    }

    // MARK: Finding

    private func handleFound(_ service: FoundService) {
        // Anybody can replay this machine's own announcements. Therefore, they are ignored.
        guard !ownInstances.contains(service.id.instance),
            let announcement = DeviceAnnouncement.device(service)
        else { return }
        do throws(SecurityError) {
            let isOtherHour = try found.handleTime(hour: Self.hour(ago: .zero))
            if try found.handleAnnouncement(announcement) || isOtherHour { passOn() }
        } catch {
            tell(error)
        }
    }

    private func handleLost(_ service: FoundService.ID) {
        if found.handleEnd(of: service.instance, on: service.interface) { passOn() }
    }

    /// Tells every account the addresses that its devices announce.
    private func passOn() {
        for presence in presences.values {
            var addresses = found.addresses(of: presence.account)
            let twin = addresses.removeValue(forKey: presence.own)?.first
            presence.found(addresses)
            presence.foundTwin(twin)
        }
    }

    /// Remembers the name of an instance that this machine announces.
    private func noteOwn(_ instance: String) {
        guard !ownInstances.contains(instance) else { return }
        if ownInstances.count == Self.ownInstancesMost { ownInstances.removeFirst() }
        ownInstances.append(instance)
    }

    /// The largest number of own instance names that are remembered.
    ///
    /// This suffices for the hours in which an announcement counts.
    private static let ownInstancesMost = 256

    /// Logs a failure of the cryptography, unless it was logged last.
    private func tell(_ error: SecurityError) {
        let text = error.description
        guard logged != text else { return }
        logged = text
        warn("can't announce this machine on local networks: \(text)")
    }
}
