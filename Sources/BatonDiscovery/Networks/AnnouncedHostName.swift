package import BatonNetwork

/// Finds the name under which another program, such as Avahi, announces this machine on local networks.
///
/// A responder of multicast DNS tells anyone who asks which host has an address. This asks for the addresses of this
/// machine. The question reveals nothing more than its own source address does.
package enum AnnouncedHostName {
    /// The pause before the question is repeated.
    ///
    /// A responder that has just answered another machine does not answer again for a while.
    private static let pause = Duration.milliseconds(550)

    /// Asks on each local network, and returns the first name in an answer of this machine itself.
    ///
    /// Returns nil if no such answer arrives in time.
    package static func find(within time: Duration = .seconds(1)) throws(NetworkError) -> String? {
        let loop = try EventLoop()
        defer { loop.close() }
        var questions: [HostNameQuestion] = []
        for interface in try NetworkInterface.present()
        where interface.isRunning && interface.reachesOthersByMulticast {
            for family in IPVersion.allCases {
                if let question = try HostNameQuestion(family, on: interface, loop) {
                    questions.append(question)
                }
            }
        }
        guard !questions.isEmpty else { return nil }
        let repetition = OwnedTimer(on: loop)
        for question in questions { question.ask() }
        repetition.set(after: pause) { for question in questions { question.ask() } }
        _ = loop.run(until: loop.now + time, or: { questions.contains { $0.answer != nil } })
        for question in questions { question.close() }
        return questions.compactMap(\.answer).first
    }
}

/// A question for the host names of an interface's addresses, which is sent over one IP version.
private final class HostNameQuestion {
    /// The name in an answer of a program of this machine; nil until such an answer has arrived.
    private(set) var answer: String?
    private let interface: NetworkInterface
    private let socket: MulticastSocket
    private let loop: EventLoop
    private var watch: EventLoop.WatchToken?
    /// The DNS names under which the hosts of the addresses are looked up.
    private let names: Set<DNSName>
    private let packet: [UInt8]

    /// Opens a socket; returns nil if the interface has no source address for this IP version.
    init?(
        _ family: IPVersion, on interface: NetworkInterface, _ loop: EventLoop
    ) throws(NetworkError) {
        let hosts = interface.addresses.map(\.host)
        guard hosts.contains(where: { family == .version4 ? $0.isVersion4 : $0.isLinkLocal6 }) else {
            return nil
        }
        (self.interface, self.loop) = (interface, loop)
        socket = try MulticastSocket(MulticastDNS.group, family, on: interface.index)
        let names = hosts.compactMap(\.reverseName)
        var writer = DNSMessageWriter(isResponse: false, limit: DNSMessage.bytesMost)
        // An interface normally has fewer addresses than this.
        for name in names.prefix(Self.namesMost) { _ = writer.append(DNSQuestion(name, .ptr)) }
        (self.names, packet) = (Set(names), writer.bytes)
        watch = try loop.watch(socket.descriptor, for: .readable, abandoned: {}) { [weak self] _ in
            self?.readName()
        }
    }

    private static let namesMost = 16

    /// Sends the question.
    ///
    /// If sending fails, no answer will arrive.
    func ask() {
        do throws(NetworkError) {
            try socket.send(packet)
        } catch {
            // The network is down, or a firewall forbids sending. Then nobody announces this machine here, either.
            return
        }
    }

    func close() {
        if let watch { loop.unwatch(watch, of: socket.descriptor) }
        watch = nil
    }

    /// Reads the packets that have arrived, and stores the first name in an answer of this machine.
    private func readName() {
        while true {
            switch socket.receive() {
            case .packet(let packet):
                guard answer == nil, packet.source.port == MulticastDNS.port,
                    interface.addresses.contains(where: { $0.host == packet.source.host })
                else { continue }
                answer = name(in: packet.bytes)
            case .stray: continue
            case .nothing: return
            }
        }
    }

    /// Returns the name of a host in a response, if the response is about one of the addresses; returns nil otherwise.
    private func name(in packet: [UInt8]) -> String? {
        let message: DNSMessage
        do throws(DNSError) {
            message = try DNSMessage(packet)
        } catch {
            // The message is malformed, or of another kind.
            return nil
        }
        guard message.isResponse else { return nil }
        for record in message.answers where names.contains(record.name) && record.timeToLive > 0 {
            if case .pointer(let host) = record.data { return host.description }
        }
        return nil
    }
}

extension SocketAddress.Host {
    /// The DNS name under which the host of this address is looked up.
    ///
    /// It is never nil, because such a name is never too long.
    fileprivate var reverseName: DNSName? {
        switch self {
        case .version4(let value):
            let bytes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
            return DNSName((bytes.map { "\($0)" } + ["in-addr", "arpa"]).joined(separator: "."))
        case .version6(let high, let low, _):
            let digits = [low, high].flatMap { half in
                stride(from: 0, to: 64, by: 4).map { String(half >> $0 & 0xf, radix: 16) }
            }
            return DNSName((digits + ["ip6", "arpa"]).joined(separator: "."))
        }
    }
}
