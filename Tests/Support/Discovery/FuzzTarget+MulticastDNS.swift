import BatonDiscovery
import BatonNetwork
package import Support

extension FuzzTarget {
    /// A machine of multicast DNS: the input plays its driver, its clock, and all other machines on the link.
    package static let multicastDNS = FuzzTarget("multicast-dns") { bytes throws(FuzzViolation) in
        var play = MulticastPlay(bytes)
        try play.run()
    }
}

/// A machine that an input controls.
private struct MulticastPlay {
    private var input: FuzzInput
    private let settings: MulticastDNS.Settings
    private var machine: MulticastDNS
    private var watch: MulticastWatch
    private var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    /// The last packets that the machine sent to the group.
    private var sent: [[UInt8]] = []
    /// The services of which the machine has told its driver.
    private var found: [String: MulticastDNS.Instance] = [:]
    /// The services that the driver announces.
    private var services: [ServiceAnnouncement] = []

    private static let own = SocketAddress(host: .version4(0xc000_0201), port: MulticastDNS.port)
    private static let kind = DNSName("_baton._tcp.local")
    /// The most things that a machine may hold, by `countHeld(by:)`: eight services with long texts and many addresses.
    private static let heldMost = 60_000

    init(_ bytes: [UInt8]) {
        input = FuzzInput(bytes)
        var settings = MulticastDNS.Settings()
        settings.instancesMost = 8
        settings.addressesMost = 4
        self.settings = settings
        machine = MulticastDNS(
            on: 2, settings: settings, drawingFrom: SeededGenerator(seed: UInt64(input.byte())))
        watch = MulticastWatch(settings)
    }

    mutating func run() throws(FuzzViolation) {
        for _ in 0..<300 where !input.isAtEnd {
            step()
            try settle()
        }
        try FuzzTarget.require(countHeld(by: machine) <= Self.heldMost, "the machine holds too much")
        try rest()
    }

    // MARK: Operations

    private mutating func step() {
        switch input.number(0...11) {
        case 0: now = now + .milliseconds(input.number(0...255))
        case 1: now = now + .seconds(input.number(0...255) * 4)
        case 2: announce()
        case 3: machine.search(now: now)
        case 4: hear(input.bytes(upTo: Int(input.byte()) * 4))
        case 5: repeatPacket()
        default:
            if let packet = message().encoded() { hear(packet) }
        }
    }

    private mutating func announce() {
        services = []
        for _ in 0..<input.number(0...2) {
            let service = ServiceAnnouncement(
                instance: input.pick(Self.labels), host: input.pick(Self.labels),
                port: UInt16(input.number(0...2)),
                text: ServiceEntries([.init(key: "h", value: input.bytes(upTo: input.number(0...3)))]))
            let isNew = services.allSatisfy { $0.instance.lowercased() != service.instance.lowercased() }
            if isNew { services.append(service) }
        }
        let addresses = (0..<input.number(0...3)).map { _ in host() }
        machine.announce(services, addresses: addresses, delay: input.byte() & 1 == 0, now: now)
    }

    private static let labels = ["a", "b", "B", "c"]

    private mutating func host() -> SocketAddress.Host {
        let last = input.number(1...5)
        return last < 4
            ? .version4(0xc000_0200 | UInt32(last))
            : .version6(high: 0xfe80_0000_0000_0000, low: UInt64(last), interface: 2)
    }

    /// A packet comes from this machine itself, or from another machine or program.
    private mutating func hear(_ packet: [UInt8]) {
        let choice = input.byte()
        let source = SocketAddress(
            host: .version4(0xc000_0202 + UInt32(choice >> 5)),
            port: choice & 7 == 7 ? 40_000 : MulticastDNS.port)
        watch.note(received: packet, at: now)
        machine.handlePacket(packet, from: source, isFromHere: choice & 8 != 0, now: now)
    }

    /// A packet of this machine comes once more, perhaps with other times to live.
    private mutating func repeatPacket() {
        guard !sent.isEmpty else { return }
        let packet = input.pick(sent)
        guard input.byte() & 1 == 0, var message = try? DNSMessage(packet) else { return hear(packet) }
        let seconds = timeToLive()
        for place in message.answers.indices { message.answers[place].timeToLive = seconds }
        message.isTruncated = input.byte() & 1 == 0
        hear(message.encoded() ?? packet)
    }

    // MARK: Messages

    private mutating func message() -> DNSMessage {
        let choice = input.byte()
        var message = DNSMessage(isResponse: choice & 1 == 0)
        message.isTruncated = choice & 2 != 0
        if !message.isResponse {
            for _ in 0..<input.number(0...3) {
                message.questions.append(
                    DNSQuestion(name(), input.pick(Self.kinds), wantsUnicast: input.byte() & 1 == 0))
            }
            if choice & 4 != 0 { message.authorities = records() }
        }
        message.answers = records()
        if choice & 8 != 0 { message.additionals = records() }
        return message
    }

    private static let kinds = [1, 12, 16, 28, 33, 47, 255].map { DNSKind(rawValue: $0) }

    private mutating func records() -> [DNSRecord] {
        (0..<input.number(0...4)).map { _ in
            let isUnique = input.byte() & 1 == 0
            return DNSRecord(name(), data(), timeToLive: timeToLive(), isUnique: isUnique)
        }
    }

    private mutating func timeToLive() -> UInt32 { input.pick([0, 1, 60, 120, 599, 600, 1200, 4500, .max]) }

    /// The name of an instance, of a host, of the kind of service, or another one.
    private mutating func name() -> DNSName {
        let choice = input.number(0...19)
        let label = choice < 16 ? "\(input.pick(Self.labels))" : "\(input.byte())"
        let names = ["\(label)._baton._tcp.local", "\(label).local", "_baton._tcp.local", label]
        guard let name = DNSName(names[choice % 4]), let kind = Self.kind else {
            preconditionFailure("a name is malformed")
        }
        return choice == 19 ? kind : name
    }

    private mutating func data() -> DNSRecord.Data {
        switch input.number(0...5) {
        case 0: .address4(0xc000_0200 | UInt32(input.number(0...9)))
        case 1: .address6(high: 0xfe80_0000_0000_0000, low: UInt64(input.number(0...9)))
        case 2: .service(priority: 0, weight: 0, port: UInt16(input.number(0...2)), host: name())
        case 3:
            .text(
                (0..<input.number(0...3)).map { _ in Array("\(input.byte())=".utf8) + input.bytes(upTo: 250) }
            )
        case 4: .kinds(next: name(), [DNSKind(rawValue: UInt16(input.byte()))])
        default: .pointer(name())
        }
    }

    // MARK: Judging

    /// Does what the machine wants, and judges it.
    private mutating func settle() throws(FuzzViolation) {
        machine.handleTime(now: now)
        if let deadline = machine.deadline {
            try FuzzTarget.require(deadline > now, "the deadline is not in the future")
        }
        var count = 0
        while let output = machine.nextOutput() {
            count += 1
            try FuzzTarget.require(count <= 200, "one event has more than 200 outputs")
            try judge(output)
        }
        let told = Dictionary(uniqueKeysWithValues: machine.found.map { ($0.name, $0) })
        try FuzzTarget.require(told, is: found, "the services of which the driver was told")
        try FuzzTarget.require(found.count <= settings.instancesMost, "\(found.count) services")
    }

    private mutating func judge(_ output: MulticastDNS.Output) throws(FuzzViolation) {
        switch output {
        case .send(let packet, let destination):
            try watch.note(sent: packet, to: destination, at: now)
            guard destination == .group else { return }
            sent = (sent + [packet]).suffix(8)
            // Most packets of this machine come back to it at once.
            if input.byte() < 0xf0 {
                machine.handlePacket(packet, from: Self.own, isFromHere: true, now: now)
            }
        case .found(let instance):
            try FuzzTarget.require(
                (1...settings.addressesMost).contains(instance.addresses.count) && instance.port != 0,
                "\(instance)")
            found[instance.name] = instance
        case .lost(let name):
            try FuzzTarget.require(
                found.removeValue(forKey: name) != nil, "\(name) was not found, and is lost")
        case .conflicted(let announcement):
            try FuzzTarget.require(services.contains(announcement), "a conflict about \(announcement)")
            services.removeAll { $0 == announcement }
        }
    }

    /// Once no packet comes, all that is left of the announcements stands, found services end, and little is sent.
    private mutating func rest() throws(FuzzViolation) {
        machine.announce(services, addresses: [Self.own.host], now: now)
        try settle()
        let (calm, settled) = (now + .seconds(60), now + .seconds(8000))
        var (steps, atCalm) = (0, 0)
        while let deadline = machine.deadline, deadline < settled {
            if deadline >= calm, atCalm == 0 {
                atCalm = watch.packetCount
                try FuzzTarget.require(
                    Set(machine.announced), is: Set(services.map(\.instance)), "the services that stand")
            }
            (now, steps) = (deadline, steps + 1)
            try settle()
            try FuzzTarget.require(steps < 2000, "the machine does not come to rest")
        }
        try FuzzTarget.require(found.isEmpty, "\(found.keys.sorted()) are still found")
    }
}
