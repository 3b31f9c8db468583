import BatonCore
import BatonDiscovery
import BatonNetwork
import BatonSecurity

/// Announces this machine's accounts on local networks, and finds the devices of its accounts there.
///
/// It carries out the decisions of `AnnouncementPlan` and `FoundDevices`. The object belongs to the loop's thread.
final class LocalNetworks {
    /// Everything that is needed of an account to announce it and to find its devices.
    struct Presence {
        let account: AccountIdentifier
        let root: PublicKey
        /// This device, and the others that are looked for.
        let own: DeviceIdentifier, others: Set<DeviceIdentifier>
        /// The bits of the code of an open invitation.
        let invitation: String?
        /// Called with the addresses at which devices are announced.
        let found: ([DeviceIdentifier: [String]]) -> Void
        /// Called with the address at which another machine announces itself as this device; with nil if none does.
        let foundTwin: (String?) -> Void
    }

    private let discovery: LANDiscovery
    private let loop: EventLoop
    /// Logs a warning.
    private let warn: (String) -> Void
    /// The port at which devices connect.
    private let port: UInt16
    /// The accounts to announce, and to find devices of.
    private var presences: [AccountIdentifier: Presence] = [:]
    private var plan: AnnouncementPlan
    private var found: FoundDevices
    /// The instances that this process has announced, newest last, so that they are not mistaken for another machine's.
    private var ownInstances: [String] = []
    /// The links of this machine.
    private let links: PresentLinks
    /// Set to check the links once more after a change, because the kernel may learn later where the router is.
    private let linkTimer: OwnedTimer
    /// The pauses before the next checks of the links.
    private var linkPauses: ArraySlice<Duration> = []
    /// The keys of the accounts, cached because deriving one takes time.
    private var keys: [AccountIdentifier: AnnouncementKey] = [:]
    /// The devices that are looked for in each account.
    private var sought: [AccountIdentifier: Set<DeviceIdentifier>] = [:]
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
        // Other machines announce themselves. A query helps only if their packets were lost, and it wakes every
        // machine, so queries become rare quickly.
        search.multicast.searchGrowth = 4
        let owner = Owner()
        discovery = try LANDiscovery(
            on: loop, settings: search,
            handlers: LANDiscovery.Handlers(
                announcements: { owner.networks?.announcements(on: $0, taken: $1) ?? [] },
                found: { owner.networks?.handleFound($0) }, lost: { owner.networks?.handleLost($0) }))
        owner.networks = self
    }

    /// Holds the object whose methods the handlers call; they are made before that object is complete.
    private final class Owner {
        weak var networks: LocalNetworks?
    }

    // MARK: Commands

    /// Announces an account and looks for its devices, by this presence instead of the earlier one.
    func set(_ presence: Presence) {
        presences[presence.account] = presence
        updateLater()
    }

    /// Ends the announcements of an account, and the search for its devices.
    func remove(_ account: AccountIdentifier) {
        presences[account] = nil
        updateLater()
    }

    /// Updates the announcements at the end of this turn, because several accounts may change in it.
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

    /// Renews all names and queries the networks, because this machine woke up.
    func handleWake() {
        handleNetworkChange()
        plan.renewAll(now: loop.now)
        publish()
        discovery.searchAgain()
    }

    /// Queries the networks, because a device that has disconnected may have another address now.
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

    /// Why machines on some network might not be found, in words; nil if all is well.
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

    /// Returns the key of an account, which is derived once.
    private func key(of presence: Presence) throws(SecurityError) -> AnnouncementKey {
        if let key = keys[presence.account] { return key }
        let key = try AnnouncementKey(root: presence.root)
        keys[presence.account] = key
        return key
    }

    /// Returns what to announce on a network; the names in `taken` belong to other machines there.
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

    /// The pauses between checks of the links after the network has changed.
    private static let linkPauses: [Duration] = [.seconds(1), .seconds(4), .seconds(15), .seconds(60)]

    /// Announces this machine under new names on each network whose link's identifying values have changed.
    private func lookAtLinks() {
        links.forget()
        discovery.announceAnew()
        lookLater()
    }

    /// Checks the links after the next pause, if there is one.
    private func lookLater() {
        guard let pause = linkPauses.popFirst() else { return }
        linkTimer.set(after: pause) { [unowned self] in lookAtLinks() }
    }

    /// Returns the number of the hour some time ago.
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

    /// Forgets announcements that were made too many hours ago.
    private func notePresentHour() {
        do throws(SecurityError) {
            if try found.handleTime(hour: Self.hour(ago: .zero)) { passOn() }
        } catch {
            tell(error)
        }
    }

    /// Returns the entries of an announcement; nil if there is no longer anything to announce.
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
        // This machine's own announcements are ignored, because anybody can replay them.
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

    /// Tells every account where its devices are announced.
    private func passOn() {
        for presence in presences.values {
            var addresses = found.addresses(of: presence.account)
            let twin = addresses.removeValue(forKey: presence.own)?.first
            presence.found(addresses)
            presence.foundTwin(twin)
        }
    }

    /// Remembers an instance of this machine.
    private func noteOwn(_ instance: String) {
        guard !ownInstances.contains(instance) else { return }
        if ownInstances.count == Self.ownInstancesMost { ownInstances.removeFirst() }
        ownInstances.append(instance)
    }

    /// The most instances of this machine that are remembered; enough for the hours in which an announcement counts.
    private static let ownInstancesMost = 256

    /// Logs a failure of the cryptography once.
    private func tell(_ error: SecurityError) {
        let text = error.description
        guard logged != text else { return }
        logged = text
        warn("can't announce this machine on local networks: \(text)")
    }
}
