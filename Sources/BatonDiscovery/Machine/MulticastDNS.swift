package import BatonNetwork

/// Multicast DNS on one interface, for one IP version and one kind of service: it answers for the services of this
/// machine, and finds those of others (RFC 6762 and 6763).
///
/// It never sees a socket or a clock. Commands say what to announce and whether to search;
/// `handlePacket(_:from:isFromHere:now:)` takes packets, and `handleTime(now:)` is called once `deadline` has come.
/// After each of these `nextOutput()` is drained.
///
/// Its settings bound what it holds and what it sends, whatever comes from the network:
///
/// - A record goes to the group at most once a second, but for the defence of a name (once in 250 ms).
/// - Queries go out at most one packet a second after a few in a row, and replies to single machines ten a second.
/// - A search asks after 1, 2, 4 … seconds, up to an hour. So once no more packets are lost, two machines find each
///   other within the time for which they have already searched, plus a few seconds. Two machines with one name notice
///   this within the same time. With a `searchGrowth` of 4, finding and noticing take up to three times as long.
///
/// It deviates from RFC 6762 in four points. One probe is sent for a name instead of three: a name has 80 random bits,
/// so the probe looks for a copy of this machine, not for a coincidence. Three are sent only after a sign of another
/// machine with the name. All records have the same time to live, which is longer than a name is used, so that a
/// network at rest is silent. It never asks for unicast answers, because only one of the programs that share the port
/// would get them, and because firewalls that let multicast DNS in drop them. And it asks its questions even if another
/// machine has just asked the same: that machine does not answer itself, so its services would not be found.
package struct MulticastDNS: Sendable {
    /// The numbers that a node or a test may set differently.
    package struct Settings: Sendable {
        /// The kind of service, without `.local`.
        package var service = "_baton._tcp"
        /// For how long others may cache what this machine announces.
        ///
        /// Other machines ask whether a record is still valid after four fifths of this time, and by then a node has
        /// taken other names.
        package var timeToLive = Duration.seconds(50 * 60)
        /// How many probes are sent for a name before it is used.
        package var probeCount = 1
        /// How many times a new announcement is sent, a second apart.
        package var announcementCount = 2
        /// The longest delay before the first probe, which keeps machines that start at the same time apart.
        package var startDelayMost = Duration.milliseconds(250)
        /// The factor by which the pauses of a search grow; two is the least that the RFC allows.
        package var searchGrowth = 2
        /// The most services that are remembered; if there are more, services of the machine with the most are dropped.
        package var instancesMost = 128
        /// How many records of services are processed in a second, and in a burst; one source may use half of each.
        ///
        /// A machine has some six records for each of its accounts, and sends them twice in half an hour and whenever
        /// it is asked.
        package var recordsPerSecond = 200
        package var recordsAtOnce = 3000
        /// How many addresses of a host are remembered.
        package var addressesMost = 16
        /// How many bytes of a TXT record are remembered; a service with more is not found.
        package var textBytesMost = 1024
        /// The longest time for which an announcement of another machine is remembered.
        package var rememberedMost = Duration.seconds(75 * 60)
        /// The most bytes of a packet; the default passes unfragmented through every network of IPv6.
        package var packetBytes = 1232

        package init() {}
    }

    /// An action for the driver.
    package enum Output: Equatable, Sendable {
        /// Sends a packet.
        case send([UInt8], to: Destination)
        /// A service was found, or what is known of it has changed.
        case found(Instance)
        /// The service of that name is gone.
        case lost(String)
        /// Another machine uses a name of this announcement, which was therefore dropped; announce under other names.
        case conflicted(ServiceAnnouncement)
    }

    /// Where a packet goes.
    package enum Destination: Hashable, Sendable {
        /// To all machines on the link.
        case group
        /// To one machine that asked.
        case asker(SocketAddress)
    }

    /// A service of another machine.
    package struct Instance: Hashable, Sendable {
        /// The name, as its announcer writes it.
        package let name: String
        package let port: UInt16
        package let text: ServiceEntries
        /// The addresses of its host, IPv4 first; never empty.
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
    /// How many records of services of other machines were processed.
    package private(set) var processedCount = 0
    private var outputs: [Output] = []
    private var generator: any RandomNumberGenerator & Sendable
    /// The last packets to the group, which come back to this machine; each is kept until it has come back, or a moment
    /// has passed.
    private var sentPackets: [(packet: [UInt8], until: MonotonicTime)] = []
    /// When a packet to the group was last sent.
    package private(set) var lastSent: MonotonicTime?
    /// When a packet of this machine came back to it.
    package private(set) var lastEcho: MonotonicTime?
    /// When a packet of another machine or another program last arrived.
    package private(set) var lastHeard: MonotonicTime?
    /// How many packets were sent.
    package private(set) var sentCount = 0

    /// Starts without an announcement and without a search; link-local addresses get the number of the interface.
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

    /// Announces these services, which have these addresses, in place of the present ones.
    ///
    /// A service with the same names, text and port stays announced. Every other present service is withdrawn
    /// immediately, and each new one is announced after the probes for its names. Announcements that can't be written
    /// as DNS records, because a name is empty or too long, are left out.
    package mutating func announce(
        _ services: [ServiceAnnouncement], addresses: [SocketAddress.Host], delay: Bool = true,
        now: MonotonicTime
    ) {
        responder.announce(services, addresses, isDelayed: delay, now: now, using: &generator)
        browser.ignore(responder.instanceNames)
        settle(now)
    }

    /// Begins or restarts a search: asks immediately, and then less and less often.
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
        // A response of a source that has sent too much is not even read.
        if Self.isResponse(packet), !budget.allows(source.host, at: now) { return }
        let message: DNSMessage
        do throws(DNSError) {
            message = try DNSMessage(packet)
        } catch {
            // Messages of other kinds, and malformed ones, are ignored: at most they concern other programs.
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

    /// Returns whether a packet is a response, if it is a message at all.
    private static func isResponse(_ packet: [UInt8]) -> Bool { packet.count > 2 && packet[2] & 0x80 != 0 }

    /// Does everything that is due at this time.
    package mutating func handleTime(now: MonotonicTime) {
        responder.handleTime(now: now)
        browser.handleTime(now: now)
        settle(now)
    }

    // MARK: Outputs

    /// Returns the next thing to do; nil if there is nothing.
    package mutating func nextOutput() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    /// When `handleTime(now:)` is to be called next; nil for never.
    package var deadline: MonotonicTime? {
        [responder.deadline, browser.deadline].compactMap(\.self).min()
    }

    /// The names of the instances that others can find now.
    package var announced: [String] { responder.announced }

    /// The services that are found.
    package var found: [Instance] { browser.found }

    /// Collects the outputs of the responder and the browser.
    private mutating func settle(_ now: MonotonicTime) {
        let responses = responder.takeOutputs()
        if responses.contains(where: \.isConflict) {
            // The browser has ignored this name so far, and must now look for the machine that has it.
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

    /// How many packets are remembered until they come back, and for how long.
    private static let sentPacketsMost = 16
    private static let echoTime = Duration.seconds(1)
}

extension MulticastDNS.Output {
    /// True if a name of an announcement is another machine's.
    fileprivate var isConflict: Bool {
        if case .conflicted = self { true } else { false }
    }
}
