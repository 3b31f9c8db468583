import BatonNetwork
import DiscoverySupport
import Support
import Testing

@testable import BatonDiscovery

/// A machine of multicast DNS in virtual time, and everything that it has sent and told its driver.
struct LoneMachine {
    /// A packet that was sent.
    struct Sent {
        /// How long after the start of the test.
        let at: Duration
        let message: DNSMessage
        let destination: MulticastDNS.Destination
    }

    static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
    static let own = SocketAddress(host: .version4(0xc000_0201), port: MulticastDNS.port)
    /// Another machine on the link.
    static let other = SocketAddress(host: .version4(0xc000_0202), port: MulticastDNS.port)
    /// The service that is announced unless a test says otherwise.
    static let service = ServiceAnnouncement(
        instance: "own", host: "own-host", port: 4817, text: ServiceEntries(["v": "1", "h": "mark"]))

    var machine: MulticastDNS
    private(set) var now = Self.start
    private var watch: MulticastWatch
    /// The packets since `forget()`.
    private(set) var sent: [Sent] = []
    /// The services that are found.
    private(set) var found: [String: MulticastDNS.Instance] = [:]
    /// The names of services that were lost.
    private(set) var lost: [String] = []
    /// The announcements that were dropped.
    private(set) var conflicted: [ServiceAnnouncement] = []
    /// How often `handleTime` was called because something was due.
    private(set) var wakeCount = 0

    init(seed: UInt64 = 1, _ change: (inout MulticastDNS.Settings) -> Void = { _ in }) {
        var settings = MulticastDNS.Settings()
        // Its records last as long as those that other machines tell it here.
        settings.timeToLive = .seconds(1200)
        change(&settings)
        machine = MulticastDNS(on: 2, settings: settings, drawingFrom: SeededGenerator(seed: seed))
        watch = MulticastWatch(settings)
    }

    /// Returns a machine whose announcement stands, and which has sent nothing for a while.
    static func standing(
        _ services: [ServiceAnnouncement] = [service], addresses: [SocketAddress.Host] = [own.host]
    ) throws -> LoneMachine {
        var lone = LoneMachine()
        try lone.announce(services, addresses: addresses)
        try lone.run(for: .seconds(10))
        lone.forget()
        return lone
    }

    mutating func announce(
        _ services: [ServiceAnnouncement] = [service], addresses: [SocketAddress.Host] = [own.host],
        delay: Bool = false
    ) throws {
        machine.announce(services, addresses: addresses, delay: delay, now: now)
        try drain()
    }

    mutating func search() throws {
        machine.search(now: now)
        try drain()
    }

    /// Gets a packet that another machine has sent to the group.
    mutating func hear(_ message: DNSMessage, from source: SocketAddress = other) throws {
        try hear(bytes: #require(message.encoded()), from: source)
    }

    mutating func hear(bytes: [UInt8], from source: SocketAddress = other) throws {
        watch.note(received: bytes, at: now)
        machine.handlePacket(bytes, from: source, isFromHere: false, now: now)
        try drain()
    }

    /// Lets time pass, and does what is due in it.
    mutating func run(for time: Duration) throws {
        let end = now + time
        while let deadline = machine.deadline, deadline <= end {
            now = max(now, deadline)
            machine.handleTime(now: now)
            wakeCount += 1
            try drain()
            try #require(machine.deadline.map { $0 > now } ?? true, "the deadline is not in the future")
        }
        now = end
    }

    /// Lets time pass without doing what is due.
    mutating func sleep(for time: Duration) { now = now + time }

    /// Forgets the packets so far.
    mutating func forget() { (sent, wakeCount) = ([], 0) }

    private mutating func drain() throws {
        while let output = machine.nextOutput() {
            switch output {
            case .send(let packet, let destination):
                let message = try watch.note(sent: packet, to: destination, at: now)
                sent.append(Sent(at: now - Self.start, message: message, destination: destination))
                if destination == .group {
                    machine.handlePacket(packet, from: Self.own, isFromHere: true, now: now)
                }
            case .found(let instance): found[instance.name] = instance
            case .lost(let name):
                found[name] = nil
                lost.append(name)
            case .conflicted(let announcement): conflicted.append(announcement)
            }
        }
    }

    // MARK: Queries

    /// The queries to the group that are no probes.
    var queries: [Sent] { sent.filter { !$0.message.isResponse && $0.message.authorities.isEmpty } }

    var probes: [Sent] { sent.filter { !$0.message.authorities.isEmpty } }

    /// The responses to the group.
    var responses: [Sent] { sent.filter { $0.message.isResponse && $0.destination == .group } }

    /// The replies to single machines.
    var replies: [Sent] { sent.filter { $0.destination != .group } }

    /// The moments at which a record went to the group.
    func moments(of record: DNSRecord) -> [Duration] {
        responses.filter {
            $0.message.records.contains { $0.identity == record.identity && $0.timeToLive > 0 }
        }
        .map(\.at)
    }
}

extension DNSMessage {
    /// A query.
    static func query(_ questions: DNSQuestion..., knowing answers: [DNSRecord] = []) -> DNSMessage {
        var message = DNSMessage(isResponse: false)
        (message.questions, message.answers) = (questions, answers)
        return message
    }

    /// A query that says what the sender is going to announce.
    static func probe(_ records: [DNSRecord]) -> DNSMessage {
        var message = DNSMessage(isResponse: false)
        message.questions = Set(records.map(\.name)).map { DNSQuestion($0, .any) }
        message.authorities = records.map { record in
            var record = record
            record.isUnique = false
            return record
        }
        return message
    }

    static func response(_ answers: [DNSRecord], additionals: [DNSRecord] = []) -> DNSMessage {
        var message = DNSMessage(isResponse: true)
        (message.answers, message.additionals) = (answers, additionals)
        return message
    }
}

/// The records of a service, as its machine announces them.
struct Records {
    var pointer: DNSRecord
    var target: DNSRecord
    var text: DNSRecord
    var addresses: [DNSRecord]

    static let kind = name("_baton._tcp.local")

    static func name(_ text: String) -> DNSName {
        guard let name = DNSName(text) else { preconditionFailure("\(text) is no name") }
        return name
    }

    init(
        _ service: ServiceAnnouncement = LoneMachine.service,
        addresses: [SocketAddress.Host] = [LoneMachine.own.host], seconds: UInt32 = 1200
    ) {
        let instance = Self.name(service.instance + "._baton._tcp.local")
        let host = Self.name(service.host + ".local")
        pointer = DNSRecord(Self.kind, .pointer(instance), timeToLive: seconds, isUnique: false)
        target = DNSRecord(
            instance, .service(priority: 0, weight: 0, port: service.port, host: host), timeToLive: seconds,
            isUnique: true)
        text = DNSRecord(instance, .text(service.text.strings ?? []), timeToLive: seconds, isUnique: true)
        self.addresses = addresses.map {
            DNSRecord(host, DNSRecord.Data($0), timeToLive: seconds, isUnique: true)
        }
    }

    /// All records, the shared one first.
    var all: [DNSRecord] { [pointer, target, text] + addresses }

    /// The records of which no other machine has any.
    var unique: [DNSRecord] { [target, text] + addresses }

    /// The same records, taken back.
    var gone: [DNSRecord] {
        all.map { record in
            var record = record
            record.timeToLive = 0
            return record
        }
    }
}
