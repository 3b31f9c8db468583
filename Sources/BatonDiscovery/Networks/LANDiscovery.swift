package import BatonNetwork

/// Announces services of this machine on its networks, and finds those of other machines, by multicast DNS.
///
/// It needs no other program and no privileges. Avahi or another responder may use the same port at the same time.
///
/// It does not ask Avahi to announce the services. Many machines, containers and network namespaces have no Avahi.
/// Besides, Avahi announces a machine under the machine's own name, but Baton uses random names on each network.
///
/// Each IP version on each interface has a socket and a `MulticastDNS`. Discovery notices when interfaces appear,
/// disappear, or change their addresses. While nothing changes on a network, only a few packets are sent for each
/// period of the names, and no timer fires in between.
///
/// `Handlers.announcements` returns what to announce on an interface. It is called when the interface appears, when its
/// addresses change, when another machine uses one of the names, and after `announceAnew()`. If a service has the same
/// names, port and text as before, its announcement continues. Any other service is withdrawn, and other machines find
/// the new services about 0.3 s later. So the owner decides how long a name is used.
///
/// The owner must choose different names for each interface. Two interfaces may be on the same link, where equal names
/// would conflict. Equal names would also let an observer of two networks recognize the machine.
///
/// Only the thread of the loop may use it. It calls its handlers on that thread, but never from within its own methods.
package final class LANDiscovery {
    /// The interfaces on which to announce and to search.
    package enum Interfaces: Equatable, Sendable {
        /// All interfaces that can reach other machines by multicast, with two exceptions.
        ///
        /// Ports of bridges are left out, because the bridge gets their packets. Point-to-point interfaces are left
        /// out, because a VPN is rarely the network of the machines that a person has nearby.
        case usual
        /// The interfaces with one of these names or addresses, whatever their kind is.
        case only(Set<String>)
    }

    /// The settings of discovery.
    ///
    /// Usually, only the interfaces need to be changed.
    package struct Settings: Sendable {
        package var interfaces = Interfaces.usual
        /// The settings of multicast DNS, which are the same for all links.
        package var multicast = MulticastDNS.Settings()

        package init() {}
    }

    /// The closures through which discovery asks and tells its owner.
    package struct Handlers {
        /// Returns what to announce on an interface from now on.
        ///
        /// `taken` has names that other machines on the network use. An announcement with one of these names is left
        /// out. The closure need not use the addresses of the interface.
        package var announcements: (NetworkInterface, _ taken: Set<String>) -> [ServiceAnnouncement]
        /// Called when a service is found, and when the addresses, the port or the text of the service change.
        package var found: (FoundService) -> Void
        /// Called when a service is no longer found.
        ///
        /// The service was withdrawn, its records have expired, or its interface has disappeared.
        package var lost: (FoundService.ID) -> Void

        package init(
            announcements: @escaping (NetworkInterface, _ taken: Set<String>) -> [ServiceAnnouncement],
            found: @escaping (FoundService) -> Void, lost: @escaping (FoundService.ID) -> Void
        ) {
            (self.announcements, self.found, self.lost) = (announcements, found, lost)
        }
    }

    private let loop: EventLoop
    private let settings: Settings
    /// The closures of the owner, which `close()` releases.
    private var handlers: Handlers?
    /// The kernel's notifications about interfaces and addresses; nil once discovery is closed.
    private var notices: RouteMessages?
    /// The registration of `notices` with the loop; nil once discovery is closed.
    private var watch: EventLoop.WatchToken?
    /// The interfaces in use, by their numbers.
    private var interfaces: [UInt32: Announcing] = [:]
    private var links: [DiscoveryLink.Key: DiscoveryLink] = [:]
    /// The instances of each service that the links have found, and the service as it was last reported to the owner.
    private var findings: [FoundService.ID: Finding] = [:]
    /// The names of this machine's own instances, the latest at the end.
    ///
    /// If such an instance is found on another interface, it is not reported.
    private var usedNames: [String] = []
    /// The time when the interfaces were last listed, and the error if they could not be listed.
    private var looked: MonotonicTime?
    private var lookError: NetworkError?
    /// The timer that is set while the next listing of the interfaces is delayed.
    private let lookTimer: OwnedTimer
    /// The timer for the time at which a link has something to do next.
    private let timer: OwnedTimer

    /// An interface in use.
    private struct Announcing {
        var interface: NetworkInterface
        /// The names that other machines on the network use, the latest at the end.
        var taken: [String] = []
        var conflictCount = 0
        /// The times of the last conflicts.
        var conflicts: [MonotonicTime] = []
    }

    /// A service that one link or both links of an interface have found.
    private struct Finding {
        var instances: [IPVersion: MulticastDNS.Instance] = [:]
        /// The IP version of the link that reported the service last.
        var newest: IPVersion
        var told: FoundService?
    }

    /// Starts discovery.
    ///
    /// In the next turn of the loop, it opens the sockets, begins to search, and asks the owner what to announce.
    ///
    /// This throws only errors that concern the whole machine. `status` has the errors of single interfaces.
    package init(on loop: EventLoop, settings: Settings = Settings(), handlers: Handlers) throws(NetworkError)
    {
        let notices = try RouteMessages(of: [.addresses, .interfaces])
        (self.loop, self.settings, self.handlers) = (loop, settings, handlers)
        (lookTimer, timer) = (OwnedTimer(on: loop), OwnedTimer(on: loop))
        watch = try loop.watch(notices.socket, for: .readable, abandoned: { [weak self] in self?.drop() }) {
            [weak self] _ in self?.takeNotices()
        }
        self.notices = consume notices
        loop.nextTurn { [weak self] in self?.look() }
    }

    // MARK: Commands

    /// Asks the owner again what to announce on each interface, and announces it.
    ///
    /// This happens at the end of this turn of the loop.
    package func announceAnew() {
        loop.afterTurn { [weak self] in
            guard let self else { return }
            for index in interfaces.keys.sorted() { announce(on: index, isNew: false) }
        }
    }

    /// Restarts the search at the end of this turn of the loop.
    ///
    /// The search asks often at first, and then less and less often.
    ///
    /// Call this after the machine has slept, or when a found machine can't be reached. A search that began long ago
    /// asks only once an hour.
    package func searchAgain() {
        loop.afterTurn { [weak self] in
            guard let self else { return }
            for link in links.values { link.change { $0.search(now: self.loop.now) } }
        }
    }

    /// Withdraws all announcements, closes the sockets, and releases the handlers.
    ///
    /// The handlers are not called anymore.
    package func close() {
        handlers = nil
        for link in links.values {
            link.change { $0.announce([], addresses: [], now: loop.now) }
            link.close()
        }
        (links, interfaces, findings) = ([:], [:], [:])
        if let watch, let notices = notices.take() { loop.unwatch(watch, of: notices.socket) }
        drop()
    }

    // MARK: Queries

    /// The services that are found now, in no particular order.
    package var found: [FoundService] { findings.values.compactMap(\.told) }

    /// The state of each interface in use, in the order of their numbers.
    package var status: [DiscoveryStatus] {
        interfaces.values.sorted { $0.interface.index < $1.interface.index }.map { announcing in
            let index = announcing.interface.index
            let links = IPVersion.allCases.compactMap {
                self.links[DiscoveryLink.Key(interface: index, family: $0)]
            }
            return DiscoveryStatus(
                index: index, name: announcing.interface.name, links: links.map(\.status),
                announced: Set(links.flatMap(\.machine.announced)).sorted(),
                conflictCount: announcing.conflictCount,
                foundCount: findings.values.count { $0.told?.id.interface == index })
        }
    }

    /// The error because of which the interfaces of this machine could not be listed; nil if they were listed.
    package var error: NetworkError? { lookError }

    // MARK: Interfaces

    /// Closes the socket of the kernel's notifications, which the loop no longer watches, and cancels the timers.
    private func drop() {
        watch = nil
        notices = nil
        lookTimer.cancel()
        timer.cancel()
    }

    /// Reads the kernel's notifications, and lists the interfaces, immediately or after a pause.
    private func takeNotices() {
        guard let summary = notices?.readSummary(), !summary.isEmpty, !lookTimer.isSet else {
            return
        }
        guard let looked, loop.now < looked + Self.lookPause else { return look() }
        lookTimer.set(at: looked + Self.lookPause) { [unowned self] in look() }
    }

    /// Lists the machine's interfaces, and compares them with the interfaces in use.
    private func look() {
        guard handlers != nil else { return }
        looked = loop.now
        let present: [NetworkInterface]
        do throws(NetworkError) {
            present = try NetworkInterface.present().filter(isUsed)
            lookError = nil
        } catch {
            // The kernel is out of memory. The next listing will show what has changed.
            lookError = error
            return lookTimer.set(after: Self.lookRetry) { [unowned self] in look() }
        }
        for index in interfaces.keys where !present.contains(where: { $0.index == index }) {
            interfaces[index] = nil
            for family in IPVersion.allCases { closeLink(index, family) }
        }
        for interface in present.sorted(by: { $0.index < $1.index }) { use(interface) }
        retryIfNeeded()
    }

    /// Returns whether an interface is to be used.
    private func isUsed(_ interface: NetworkInterface) -> Bool {
        guard interface.isRunning, !families(of: interface).isEmpty else { return false }
        switch settings.interfaces {
        case .usual: return interface.reachesOthersByMulticast
        case .only(let names):
            return names.contains(interface.name)
                || interface.addresses.contains { names.contains($0.host.withoutInterface.description) }
        }
    }

    /// Returns the IP versions with which packets can be sent on an interface.
    ///
    /// IPv6 needs a link-local address.
    private func families(of interface: NetworkInterface) -> [IPVersion] {
        var families: [IPVersion] = []
        if interface.addresses.contains(where: \.host.isVersion4) { families.append(.version4) }
        if interface.addresses.contains(where: {
            $0.host.isLinkLocal6 || interface.isLoopback && !$0.host.isVersion4
        }) {
            families.append(.version6)
        }
        return families
    }

    /// Begins to use an interface, or applies changes of the interface.
    private func use(_ interface: NetworkInterface) {
        let index = interface.index
        let old = interfaces[index]?.interface
        guard old != interface else { return }
        if old == nil {
            interfaces[index] = Announcing(interface: interface)
        } else {
            interfaces[index]?.interface = interface
        }
        let families = families(of: interface)
        for family in IPVersion.allCases {
            let key = DiscoveryLink.Key(interface: index, family: family)
            if !families.contains(family) {
                closeLink(index, family)
            } else if let link = links[key] {
                link.interface = interface
            } else {
                links[key] = DiscoveryLink(key, interface, on: loop, settings: settings.multicast) {
                    [unowned self] in
                    handleOutput($0, from: key)
                } settled: { [unowned self] in
                    setTimer()
                }
            }
            links[key]?.change { $0.search(now: loop.now) }
        }
        announce(on: index, isNew: old == nil)
        // Other addresses may be on the link now, so the services are filtered again.
        for id in findings.keys where id.interface == index { tell(id) }
    }

    /// Closes a link, and forgets the services that only this link has found.
    private func closeLink(_ index: UInt32, _ family: IPVersion) {
        guard let link = links.removeValue(forKey: DiscoveryLink.Key(interface: index, family: family)) else {
            return
        }
        link.close()
        for id in findings.keys where id.interface == index {
            findings[id]?.instances[family] = nil
            tell(id)
        }
        setTimer()
    }

    /// If some sockets could not be opened, tries to open them again after a pause.
    private func retryIfNeeded() {
        guard links.values.contains(where: { !$0.isOpen }), !lookTimer.isSet else { return }
        lookTimer.set(after: Self.openRetry) { [unowned self] in
            for link in links.values where !link.isOpen {
                link.open()
                guard link.isOpen else { continue }
                link.change { $0.search(now: loop.now) }
                announce(on: link.key.interface, isNew: true)
            }
            look()
        }
    }

    // MARK: Announcements

    /// Asks the owner what to announce on an interface, and announces it.
    private func announce(on index: UInt32, isNew: Bool) {
        guard let handlers, let announcing = interfaces[index] else { return }
        let taken = Set(announcing.taken)
        let services = handlers.announcements(announcing.interface, taken)
            .filter { !taken.contains($0.instance) && !taken.contains($0.host) }
        for service in services where !usedNames.contains(service.instance) {
            if usedNames.count == Self.usedNamesMost { usedNames.removeFirst() }
            usedNames.append(service.instance)
        }
        for family in IPVersion.allCases {
            links[DiscoveryLink.Key(interface: index, family: family)]?.change { machine in
                machine.announce(
                    services, addresses: announcing.interface.addresses.map(\.host), delay: isNew,
                    now: loop.now)
            }
        }
    }

    /// Notes that another machine uses a name of an announcement, and asks the owner what to announce instead.
    private func handleConflict(_ announcement: ServiceAnnouncement, on index: UInt32) {
        guard var announcing = interfaces[index] else { return }
        announcing.conflictCount += 1
        announcing.conflicts.removeAll { $0 + Self.conflictPeriod <= loop.now }
        announcing.conflicts.append(loop.now)
        announcing.taken = (announcing.taken + [announcement.instance, announcement.host])
            .suffix(Self.takenMost)
        interfaces[index] = announcing
        // From now on, the name belongs to another machine, so a service with this name is reported.
        usedNames.removeAll { $0 == announcement.instance }
        let pause = announcing.conflicts.count > Self.conflictsMost ? Self.conflictPause : .zero
        loop.schedule(after: pause) { [weak self] in self?.announce(on: index, isNew: false) }
    }

    // MARK: Findings

    /// Handles an output of a link.
    private func handleOutput(_ output: MulticastDNS.Output, from key: DiscoveryLink.Key) {
        switch output {
        case .send: break
        case .found(let instance):
            guard !usedNames.contains(instance.name) else { return }
            let id = FoundService.ID(interface: key.interface, instance: instance.name)
            findings[id, default: Finding(newest: key.family)].instances[key.family] = instance
            findings[id]?.newest = key.family
            tell(id)
        case .lost(let name):
            let id = FoundService.ID(interface: key.interface, instance: name)
            findings[id]?.instances[key.family] = nil
            tell(id)
        case .conflicted(let announcement): handleConflict(announcement, on: key.interface)
        }
    }

    /// Reports a change of a service to the owner, if there is one.
    private func tell(_ id: FoundService.ID) {
        guard let finding = findings[id] else { return }
        let service = service(id, finding)
        if finding.instances.isEmpty { findings[id] = nil } else { findings[id]?.told = service }
        guard service != finding.told else { return }
        loop.afterTurn { [weak self] in
            if let service { self?.handlers?.found(service) } else { self?.handlers?.lost(id) }
        }
    }

    /// Combines what both IP versions have found into one service.
    ///
    /// Returns nil if no address of the service belongs to the networks of the interface.
    private func service(_ id: FoundService.ID, _ finding: Finding) -> FoundService? {
        guard let interface = interfaces[id.interface]?.interface,
            let text = (finding.instances[finding.newest] ?? finding.instances.values.first)?.text
        else { return nil }
        var addresses: Set<SocketAddress> = []
        for instance in finding.instances.values {
            for host in instance.addresses where interface.isOnLink(host) {
                addresses.insert(SocketAddress(host: host, port: instance.port))
            }
        }
        guard !addresses.isEmpty else { return nil }
        let sorted = addresses.sorted {
            ($0.host.isVersion4 ? 0 : 1, $0.description) < ($1.host.isVersion4 ? 0 : 1, $1.description)
        }
        return FoundService(id: id, interfaceName: interface.name, addresses: sorted, text: text)
    }

    // MARK: Time

    /// Sets the timer for the next deadline.
    ///
    /// If the deadline of the interface's other link is only a little later, the timer is set for that deadline.
    ///
    /// The links of IPv4 and IPv6 do the same at nearly the same time. An idle machine should wake only once for both,
    /// and so should the machines that receive the packets. The links of different interfaces do not wait for each
    /// other. Otherwise, packets at the same time would let an observer of two networks recognize the machine.
    private func setTimer() {
        let now = loop.now
        let moments = Dictionary(grouping: links.values, by: \.key.interface).values.compactMap { links in
            let deadlines = links.compactMap(\.machine.deadline)
            return deadlines.min().flatMap { first in
                let (least, most) = (Self.timerSlack.lowerBound, Self.timerSlack.upperBound)
                let slack = min(max((first - now) / 16, least), most)
                return deadlines.filter { $0 <= first + slack }.max()
            }
        }
        timer.follow(moments.min()) { [unowned self] in
            let now = loop.now
            for link in links.values where link.machine.deadline.map({ $0 <= now }) == true {
                link.change { $0.handleTime(now: now) }
            }
            setTimer()
        }
    }

    // MARK: Limits

    /// The bounds of the delay that lets both links of an interface work at the same time.
    ///
    /// The delay is a sixteenth of the time until the first deadline, within these bounds.
    private static let timerSlack = Duration.milliseconds(100)...Duration.seconds(2)
    /// The shortest time between two listings of the interfaces.
    ///
    /// This limits the work while a network changes often.
    private static let lookPause = Duration.milliseconds(250)
    /// The pause before the interfaces are listed again after an error.
    private static let lookRetry = Duration.seconds(5)
    /// The pause before a socket is opened again after an error.
    ///
    /// For example, another program may use the port exclusively.
    private static let openRetry = Duration.seconds(60)
    /// The largest number of own names that are remembered, by which this machine recognizes its own services.
    private static let usedNamesMost = 256
    /// The largest number of names of other machines that are remembered for each interface.
    private static let takenMost = 32
    /// After more than this number of conflicts within the period, new names are announced only after a pause.
    private static let conflictsMost = 15
    private static let conflictPeriod = Duration.seconds(10)
    private static let conflictPause = Duration.seconds(5)
}

extension SocketAddress.Host {
    /// The same address without the number of the interface.
    fileprivate var withoutInterface: SocketAddress.Host {
        guard case .version6(let high, let low, _) = self else { return self }
        return .version6(high: high, low: low, interface: 0)
    }
}
