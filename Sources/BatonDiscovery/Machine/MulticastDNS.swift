package import BatonNetwork

/// Multicast DNS on one interface, for one IP version and one kind of service (RFC 6762 and 6763).
///
/// It answers questions about the services of this machine, and finds the services of other machines.
///
/// It is a state machine without sockets and clocks. Commands say what to announce and whether to search. The driver
/// passes received packets to `handlePacket(_:from:isFromHere:now:)`, and calls `handleTime(now:)` at `deadline`. After
/// each call, the driver calls `nextOutput()` until it returns nil.
///
/// The settings limit what it remembers and what it sends, whatever arrives from the network:
///
/// - A record is sent to the group at most once a second. To defend a name, it may be sent every 250 ms.
/// - After a few packets in a row, at most one packet of queries is sent each second. At most ten replies to single
///   machines are sent each second.
/// - A search repeats its question after pauses of 1, 2, 4 … seconds, up to an hour. Suppose that packets were lost for
///   some time. Once packets arrive again, two machines find each other after at most the time for which they have
///   already searched, plus a few seconds. Two machines with the same name notice this within the same time. With a
///   `searchGrowth` of 4, both take up to three times longer.
///
/// It deviates from RFC 6762 in four points:
///
/// - One probe is sent for a name instead of three. A name has 80 random bits, so only a copy of this machine can have
///   the same name. Three probes are sent only after a sign that another machine has the name.
/// - All records have the same time to live, which is longer than a name is used. This keeps a network silent while
///   nothing changes.
/// - It never asks for unicast answers. Only one of the programs that share the port would get them, and firewalls that
///   admit multicast DNS drop them.
/// - It asks a question even if another machine has just asked the same. The other machine does not answer its own
///   question, so its services would not be found.
package struct MulticastDNS: Sendable {
    /// The settings, which a node or a test may change.
    package struct Settings: Sendable {
        /// The kind of service, without `.local`.
        package var service = "_baton._tcp"
        /// The time for which other machines may cache what this machine announces.
        ///
        /// After four fifths of this time, other machines ask whether a record is still valid. By then, a node has
        /// already chosen other names.
        package var timeToLive = Duration.seconds(50 * 60)
        /// The number of probes that are sent for a name before this machine uses the name.
        package var probeCount = 1
        /// The number of times that a new announcement is sent, at intervals of a second.
        package var announcementCount = 2
        /// The longest delay before the first probe.
        ///
        /// The delay is random, so that machines that start at the same time don't send at the same time.
        package var startDelayMost = Duration.milliseconds(250)
        /// The factor by which the pauses of a search grow.
        ///
        /// The smallest value that RFC 6762 allows is two.
        package var searchGrowth = 2
        /// The largest number of services that are remembered.
        ///
        /// If there are more, services of the machine with the most services are forgotten.
        package var instancesMost = 128
        /// The number of records of services that are processed each second, and the number in a burst.
        ///
        /// One source may use half of each number.
        ///
        /// A machine has about six records for each of its accounts. It sends them twice every half hour, and whenever
        /// another machine asks for them.
        package var recordsPerSecond = 200
        package var recordsAtOnce = 3000
        /// The largest number of addresses of a host that are remembered.
        package var addressesMost = 16
        /// The largest number of bytes of a TXT record.
        ///
        /// A service with a longer TXT record is not found.
        package var textBytesMost = 1024
        /// The longest time for which a record of another machine is remembered.
        package var rememberedMost = Duration.seconds(75 * 60)
        /// The largest number of bytes of a packet that is sent.
        ///
        /// A packet of the default size is not fragmented by any IPv6 network.
        package var packetBytes = 1232

        package init() {}
    }

    /// An action that the driver must carry out.
    package enum Output: Equatable, Sendable {
        /// Sends a packet.
        case send([UInt8], to: Destination)
        /// A service was found, or its port, text or addresses have changed.
        case found(Instance)
        /// The service with this name is no longer found.
        case lost(String)
        /// Another machine uses a name of this announcement, so the announcement was dropped.
        ///
        /// The driver should announce the service again under other names.
        case conflicted(ServiceAnnouncement)
    }

    /// The destination of a packet.
    package enum Destination: Hashable, Sendable {
        /// To all machines on the link.
        case group
        /// To the one machine that asked.
        case asker(SocketAddress)
    }

    /// A service of another machine.
    package struct Instance: Hashable, Sendable {
        /// The name, as its announcer writes it.
        package let name: String
        package let port: UInt16
        package let text: ServiceEntries
        /// The addresses of the service's host, IPv4 addresses first.
        ///
        /// There is at least one address.
        package let addresses: [SocketAddress.Host]
    }

    /// The port of multicast DNS.
    package static let port: UInt16 = 5353
    /// The groups of multicast DNS: `224.0.0.251` and `ff02::fb`.
    static let group = MulticastGroup(
        "multicast DNS", version4: 0xe000_00fb, version6: (0xff02_0000_0000_0000, 0xfb), port: port,
        packetBytesMost: DNSMessage.bytesMost)

    private var responder: ServiceResponder
    private var browser: ServiceBrowser
    private var budget: RecordBudget
    /// The number of records of other machines' services that were processed.
    package private(set) var processedCount = 0
    private var outputs: [Output] = []
    private var generator: any RandomNumberGenerator & Sendable
    /// The last packets that were sent to the group.
    ///
    /// The network delivers these packets to this machine, too. Each packet is kept until it has come back, but only
    /// for a second.
    private var sentPackets: [(packet: [UInt8], until: MonotonicTime)] = []
    /// The time when a packet was last sent to the group.
    package private(set) var lastSent: MonotonicTime?
    /// The time when a packet of this machine last came back to this machine.
    package private(set) var lastEcho: MonotonicTime?
    /// The time when a packet of another machine or another program last arrived.
    package private(set) var lastHeard: MonotonicTime?
    /// The number of packets that were sent.
    package private(set) var sentCount = 0

    /// Creates the state machine, which announces nothing and does not search yet.
    ///
    /// `interface` is the number of the interface, which is added to link-local addresses.
    package init(
        on interface: UInt32, settings: Settings = Settings(),
        drawingFrom generator: any RandomNumberGenerator & Sendable
    ) {
        responder = ServiceResponder(settings)
        browser = ServiceBrowser(settings, interface: interface)
        budget = RecordBudget(settings)
        self.generator = generator
    }

    // MARK: Commands

    /// Announces these services with these addresses, instead of the services that were announced before.
    ///
    /// If a service with the same names, text and port is already announced, its announcement continues. All other
    /// present services are withdrawn immediately. A new service is announced after the probes for its names. A service
    /// is left out if it can't be written as DNS records, for example because a name is empty or too long.
    package mutating func announce(
        _ services: [ServiceAnnouncement], addresses: [SocketAddress.Host], delay: Bool = true,
        now: MonotonicTime
    ) {
        responder.announce(services, addresses, isDelayed: delay, now: now, using: &generator)
        browser.ignore(responder.instanceNames)
        settle(now)
    }

    /// Begins or restarts a search.
    ///
    /// The search asks almost immediately, and then less and less often.
    package mutating func search(now: MonotonicTime) {
        browser.search(now: now, using: &generator)
        settle(now)
    }

    // MARK: Events

    /// Handles a packet that was sent to the group.
    ///
    /// - Parameter isFromHere: Whether the source is this machine's own address on this interface.
    package mutating func handlePacket(
        _ packet: [UInt8], from source: SocketAddress, isFromHere: Bool, now: MonotonicTime
    ) {
        sentPackets.removeAll { $0.until < now }
        if isFromHere, let place = sentPackets.firstIndex(where: { $0.packet == packet }) {
            sentPackets.remove(at: place)
            return lastEcho = now
        }
        lastHeard = now
        // If a source has sent too much, its responses are dropped without being decoded.
        if Self.isResponse(packet), !budget.allows(source.host, at: now) { return }
        let message: DNSMessage
        do throws(DNSError) {
            message = try DNSMessage(packet)
        } catch {
            // A malformed message, or one of another kind, is ignored. It may concern other programs, but not this one.
            return
        }
        if message.isResponse {
            guard source.port == Self.port else { return }
            responder.handleResponse(message, now: now)
            let count = browser.concernedCount(of: message)
            if count > 0 {
                budget.charge(count, to: source.host, at: now)
                processedCount += count
                browser.handleResponse(message, from: source.host, now: now, using: &generator)
            }
        } else {
            responder.handleQuery(message, from: source, now: now, using: &generator)
        }
        settle(now)
    }

    /// Returns whether a packet is a response, without decoding the message.
    private static func isResponse(_ packet: [UInt8]) -> Bool { packet.count > 2 && packet[2] & 0x80 != 0 }

    /// Does everything that is due at this time.
    package mutating func handleTime(now: MonotonicTime) {
        responder.handleTime(now: now)
        browser.handleTime(now: now)
        settle(now)
    }

    // MARK: Outputs

    /// Returns the next action for the driver; nil if there is none.
    package mutating func nextOutput() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    /// The time at which `handleTime(now:)` must be called next; nil if it need not be called.
    package var deadline: MonotonicTime? {
        [responder.deadline, browser.deadline].compactMap(\.self).min()
    }

    /// The names of the instances that other machines can find now.
    package var announced: [String] { responder.announced }

    /// The services of other machines that are found now.
    package var found: [Instance] { browser.found }

    /// Collects the outputs of the responder and the browser.
    private mutating func settle(_ now: MonotonicTime) {
        let responses = responder.takeOutputs()
        if responses.contains(where: \.isConflict) {
            // So far, the browser has ignored this name as one of this machine. Now it must find the other machine with
            // the name.
            browser.ignore(responder.instanceNames)
            if browser.isSearching { browser.search(now: now, using: &generator) }
        }
        for output in responses + browser.takeOutputs() {
            if case .send(let packet, let destination) = output {
                sentCount += 1
                if destination == .group {
                    lastSent = now
                    if sentPackets.count == Self.sentPacketsMost { sentPackets.removeFirst() }
                    sentPackets.append((packet, now + Self.echoTime))
                }
            }
            outputs.append(output)
        }
    }

    /// The largest number of sent packets that are remembered, and the time for which a packet is remembered.
    private static let sentPacketsMost = 16
    private static let echoTime = Duration.seconds(1)
}

extension MulticastDNS.Output {
    /// True if another machine uses a name of an announcement.
    fileprivate var isConflict: Bool {
        if case .conflicted = self { true } else { false }
    }
}
