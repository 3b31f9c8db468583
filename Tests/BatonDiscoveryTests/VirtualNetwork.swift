import BatonNetwork
import DiscoverySupport
import Support
import Testing

@testable import BatonDiscovery

/// Several machines of multicast DNS on one link, in virtual time.
///
/// A seed decides everything that happens. Each machine is driven as `LANDiscovery` drives it: it announces a service under
/// names of its own, searches from the moment it joins, and takes other names when it learns that one is taken.
final class VirtualNetwork {
    /// The state of the link.
    struct Weather {
        /// In how many of a hundred cases a packet does not reach a machine, or reaches it twice.
        var loss = 0
        var duplication = 0
        /// The longest time that a packet takes; packets overtake each other.
        var delayMost = Duration.milliseconds(2)

        static let calm = Weather()
    }

    final class Machine {
        let number: Int
        var dns: MulticastDNS
        var watch: MulticastWatch
        var address: SocketAddress
        /// The service that is announced; nil while a new one is chosen.
        var service: ServiceAnnouncement?
        /// The services that the driver was told of.
        var found: [String: MulticastDNS.Instance] = [:]
        var isPresent = true
        /// How often the machine was woken, by a packet or because something was due.
        var wakeCount = 0
        var lastWake: MonotonicTime?
        /// How many names were taken by other machines.
        var conflictCount = 0
        /// When an event is scheduled for this machine's deadline.
        fileprivate var scheduled: MonotonicTime?
        fileprivate var nameCount = 0

        fileprivate init(_ number: Int, _ dns: MulticastDNS, _ watch: MulticastWatch) {
            (self.number, self.dns, self.watch) = (number, dns, watch)
            address = SocketAddress(host: .version4(0), port: MulticastDNS.port)
        }

        /// The service as others should find it.
        var expected: MulticastDNS.Instance? {
            service.map {
                MulticastDNS.Instance(
                    name: $0.instance, port: $0.port, text: $0.text, addresses: [address.host])
            }
        }
    }

    private struct Event {
        let at: MonotonicTime
        let number: Int
        let action: () throws -> Void
    }

    static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private(set) var now = VirtualNetwork.start
    private(set) var machines: [Machine] = []
    var weather = Weather.calm
    var generator: SeededGenerator
    private let settings: MulticastDNS.Settings
    /// Events by time, the next one last.
    private var events: [Event] = []
    private var eventCount = 0
    private var addressCount: UInt32 = 0
    /// How many packets were sent to the group.
    private(set) var packetCount = 0
    /// The addresses under which each name was announced; if there are several, caches may mix them until records end.
    private var holders: [String: Set<SocketAddress>] = [:]
    /// The last events, for a person who asks why a test failed.
    private var story: [String] = []

    init(seed: UInt64, settings: MulticastDNS.Settings = MulticastDNS.Settings()) {
        (generator, self.settings) = (SeededGenerator(seed: seed), settings)
    }

    var present: [Machine] { machines.filter(\.isPresent) }

    // MARK: Time

    /// Runs an action after a while.
    func later(_ delay: Duration, _ action: @escaping () throws -> Void) {
        eventCount += 1
        let event = Event(at: now + delay, number: eventCount, action: action)
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if (events[middle].at, events[middle].number) > (event.at, event.number) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        events.insert(event, at: low)
    }

    /// Lets time pass.
    func run(for time: Duration) throws {
        let end = now + time
        var count = 0
        while let event = events.last, event.at <= end {
            events.removeLast()
            now = event.at
            count += 1
            try #require(count < 2_000_000, "the network does not come to rest")
            try event.action()
        }
        now = end
    }

    /// Does what a machine wants, and schedules its next deadline.
    private func settle(_ machine: Machine) throws {
        while let output = machine.dns.nextOutput() {
            switch output {
            case .send(let packet, let destination):
                try machine.watch.note(sent: packet, to: destination, at: now)
                if destination == .group { try send(packet, from: machine) }
            case .found(let instance): machine.found[instance.name] = instance
            case .lost(let name): machine.found[name] = nil
            case .conflicted(let announcement):
                note("\(machine.number) has a conflict about \(announcement.instance)")
                machine.conflictCount += 1
                guard announcement == machine.service else { continue }
                machine.service = nil
                later(.zero) { [self] in
                    guard machine.isPresent, machine.service == nil else { return }
                    try rename(machine)
                }
            }
        }
        guard machine.isPresent, let deadline = machine.dns.deadline, deadline != machine.scheduled else {
            return
        }
        machine.scheduled = deadline
        later(max(deadline - now, .zero)) { [self] in
            guard machine.scheduled == deadline, machine.isPresent else { return }
            machine.scheduled = nil
            wake(machine)
            machine.dns.handleTime(now: now)
            try settle(machine)
            if let next = machine.dns.deadline {
                try #require(next > now, "the deadline is not in the future")
            }
        }
    }

    private func wake(_ machine: Machine) {
        // Several events within a millisecond wake a process once.
        if let last = machine.lastWake, now - last < .milliseconds(1) { return }
        (machine.lastWake, machine.wakeCount) = (now, machine.wakeCount + 1)
    }

    /// Sends a packet to all machines; the sender gets it back at once.
    private func send(_ packet: [UInt8], from sender: Machine) throws {
        packetCount += 1
        sender.dns.handlePacket(packet, from: sender.address, isFromHere: true, now: now)
        let source = sender.address
        for machine in present where machine !== sender {
            guard !generator.chance(weather.loss) else { continue }
            for _ in 0..<(generator.chance(weather.duplication) ? 2 : 1) {
                let delay = Duration.microseconds(
                    generator.number(100...Int(weather.delayMost.nanoseconds / 1000)))
                later(delay) { [self] in
                    guard machine.isPresent else { return }
                    wake(machine)
                    machine.watch.note(received: packet, at: now)
                    machine.dns.handlePacket(
                        packet, from: source, isFromHere: source == machine.address, now: now)
                    try settle(machine)
                }
            }
        }
    }

    private func note(_ event: String) { story.append("\((now - Self.start) / .seconds(1)) \(event)") }

    /// The story so far, and the names that each machine announces and has found.
    var description: String {
        let states = present.map { machine in
            "\(machine.number) announces \(machine.dns.announced) of \(machine.service?.instance ?? "-"), "
                + "found \(machine.found.keys.sorted())"
        }
        return (story + states).joined(separator: "\n")
    }

    // MARK: Actions

    private func nextAddress() -> SocketAddress {
        addressCount += 1
        return SocketAddress(host: .version4(0x0a00_0000 + addressCount), port: MulticastDNS.port)
    }

    /// A machine joins and announces a service, under the names of another machine if one is given.
    @discardableResult
    func join(as other: Machine? = nil) throws -> Machine {
        let number = machines.count
        let machine = Machine(
            number,
            MulticastDNS(on: 2, settings: settings, drawingFrom: SeededGenerator(seed: generator.next())),
            MulticastWatch(settings))
        machine.address = nextAddress()
        machines.append(machine)
        let text = ServiceEntries(["id": "\(generator.chance(50) ? number : -1)"])
        if let service = other?.service {
            // The other machine's copy has both names, and may have another port.
            machine.service = ServiceAnnouncement(
                instance: service.instance, host: generator.chance(70) ? service.host : "host-\(number)",
                port: UInt16(generator.number(1...2)), text: text)
        } else {
            machine.service = ServiceAnnouncement(
                instance: "machine-\(number)", host: "host-\(number)", port: 1, text: text)
        }
        note("\(number) joins as \(machine.service?.instance ?? "-")")
        machine.dns.search(now: now)
        try announce(machine, delay: true)
        return machine
    }

    func announce(_ machine: Machine, delay: Bool = false) throws {
        for name in machine.service.map({ [$0.instance, $0.host] }) ?? [] {
            holders[name, default: []].insert(machine.address)
        }
        machine.dns.announce(
            machine.service.map { [$0] } ?? [], addresses: [machine.address.host], delay: delay, now: now)
        try settle(machine)
    }

    /// A machine takes new names, as it does every twenty to forty minutes.
    func rename(_ machine: Machine) throws {
        machine.nameCount += 1
        let name = "\(machine.number)-\(machine.nameCount)"
        machine.service = ServiceAnnouncement(
            instance: "machine-\(name)", host: "host-\(name)", port: 1, text: ServiceEntries(["id": name]))
        note("\(machine.number) is now \(name)")
        try announce(machine)
    }

    /// A machine gets another address, and keeps its names or takes others.
    func renumber(_ machine: Machine, keepingNames: Bool) throws {
        note("\(machine.number) gets another address\(keepingNames ? " under the same names" : "")")
        machine.address = nextAddress()
        machine.dns.search(now: now)
        if keepingNames {
            try announce(machine)
        } else {
            try rename(machine)
        }
    }

    /// A machine goes away, with a goodbye or without.
    func leave(_ machine: Machine, politely: Bool) throws {
        note("\(machine.number) leaves\(politely ? "" : " without a goodbye")")
        if politely {
            machine.dns.announce([], addresses: [], now: now)
            try settle(machine)
        }
        machine.isPresent = false
    }

    func searchAgain(_ machine: Machine) throws {
        machine.dns.search(now: now)
        try settle(machine)
    }

    // MARK: Judging

    /// Checks that every machine has found every other one, and nothing else if the check is exact.
    ///
    /// Unless it is exact, a service need only be found whose names another machine had, too, or this one at another address.
    func checkAllFound(exactly: Bool) {
        for one in present {
            for other in present where other !== one {
                guard let expected = other.expected else {
                    Issue.record("\(other.number) has no service\n\(description)")
                    continue
                }
                let found = one.found[expected.name]
                let names = other.service.map { [$0.instance, $0.host] } ?? []
                let isSure = exactly || names.allSatisfy { holders[$0]?.count == 1 }
                let isFine = isSure ? found == expected : found != nil
                #expect(
                    isFine, "\(one.number) has \(String(describing: found)) for \(expected)\n\(description)")
            }
            guard exactly else { continue }
            let names = Set(present.filter { $0 !== one }.compactMap(\.service?.instance))
            #expect(Set(one.found.keys) == names, "\(one.number)\n\(description)")
        }
    }

    /// Checks that all machines stand with names that no other one has.
    func checkNames() {
        for machine in present {
            #expect(
                machine.dns.announced == [machine.service?.instance].compactMap(\.self),
                "\(machine.number)\n\(description)")
        }
        let names = present.compactMap(\.service).flatMap { [$0.instance, $0.host] }
        #expect(Set(names).count == names.count, "\(names.sorted())\n\(description)")
    }

    /// Checks that no machine holds more than its services and those of the others justify.
    func checkMemory() {
        for machine in present {
            let held = countHeld(by: machine.dns)
            #expect(held < 4000 + 1500 * machines.count, "\(machine.number) holds \(held)")
        }
    }
}
