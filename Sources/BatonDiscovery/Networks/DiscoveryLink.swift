import BatonNetwork

/// One IP version of one interface: the state machine of multicast DNS, and its socket.
final class DiscoveryLink {
    /// The interface and the IP version of a link.
    struct Key: Hashable {
        let interface: UInt32
        let family: IPVersion
    }

    let key: Key
    private(set) var machine: MulticastDNS
    private let loop: EventLoop
    /// The interface as it is now.
    var interface: NetworkInterface
    /// The socket; nil if it can't be opened.
    private var socket: MulticastSocket?
    private var watch: EventLoop.WatchToken?
    /// Called for each output except packets.
    private let handle: (MulticastDNS.Output) -> Void
    /// Called when the state machine's deadline may have changed.
    private let settled: () -> Void
    /// Why the socket could not be opened, or the last packet not be sent.
    private(set) var error: NetworkError?
    /// Limits the packets that are read.
    private var rate: RateLimit
    /// Set while packets wait because too many came.
    private let restTimer: OwnedTimer
    /// True while packets are sent and received, so that `work()` is not called within itself.
    private var isWorking = false

    init(
        _ key: Key, _ interface: NetworkInterface, on loop: EventLoop, settings: MulticastDNS.Settings,
        handle: @escaping (MulticastDNS.Output) -> Void, settled: @escaping () -> Void
    ) {
        (self.key, self.interface, self.loop) = (key, interface, loop)
        (self.handle, self.settled) = (handle, settled)
        machine = MulticastDNS(
            on: key.interface, settings: settings, drawingFrom: SystemRandomNumberGenerator())
        rate = RateLimit(perSecond: Self.packetsPerSecond, burst: Self.packetsMost, now: loop.now)
        restTimer = OwnedTimer(on: loop)
        open()
    }

    /// True while the socket is open.
    var isOpen: Bool { watch != nil }

    /// Opens the socket, if it is not open; the state machine goes on either way.
    func open() {
        guard watch == nil else { return }
        do throws(NetworkError) {
            let socket = try MulticastSocket(MulticastDNS.group, key.family, on: key.interface)
            watch = try loop.watch(
                socket.descriptor, for: .readable, abandoned: { [weak self] in self?.drop() }
            ) {
                [weak self] _ in self?.work()
            }
            self.socket = consume socket
            error = nil
        } catch {
            self.error = error
        }
    }

    /// Closes the socket.
    func close() {
        if let watch, let socket = socket.take() { loop.unwatch(watch, of: socket.descriptor) }
        drop()
    }

    /// Forgets the socket, which the loop no longer watches.
    private func drop() {
        watch = nil
        socket = nil
        restTimer.cancel()
    }

    /// Changes the state machine, and carries out its outputs.
    func change(_ body: (inout MulticastDNS) -> Void) {
        body(&machine)
        work()
    }

    /// Carries out the state machine's outputs and receives the packets that have arrived, until none are left.
    ///
    /// Packets of this machine come back immediately. They are received here, because they would wake the loop
    /// otherwise.
    private func work() {
        guard !isWorking else { return }
        isWorking = true
        repeat { drain() } while receive()
        isWorking = false
        settled()
    }

    /// Carries out the outputs of the state machine.
    private func drain() {
        while let output = machine.nextOutput() {
            guard case .send(let packet, let destination) = output else {
                handle(output)
                continue
            }
            // An asker that is not on the link can't have received a packet to the group, or its address is forged.
            if case .asker(let asker) = destination, !interface.isOnLink(asker.host) { continue }
            send(packet, to: destination)
        }
    }

    /// Sends a packet; one that can't be sent is lost, as packets may be.
    private func send(_ packet: [UInt8], to destination: MulticastDNS.Destination) {
        guard socket != nil else { return }
        do throws(NetworkError) {
            switch destination {
            case .group:
                try socket?.send(packet)
                error = nil
            case .asker(let asker): try socket?.send(packet, to: asker)
            }
        } catch {
            self.error = error
        }
    }

    /// Receives the packets that have arrived, up to the limit of a turn; returns whether the state machine got any.
    private func receive() -> Bool {
        guard !restTimer.isSet else { return false }
        var hasAny = false
        for _ in 0..<Self.packetsPerTurn {
            guard socket != nil else { return hasAny }
            guard rate.take(at: loop.now) else {
                restTimer.set(after: rate.pause) { [unowned self] in work() }
                return hasAny
            }
            switch socket?.receive() {
            case .packet(let packet):
                let isOwn = interface.addresses.contains { $0.host == packet.source.host }
                machine.handlePacket(packet.bytes, from: packet.source, isFromHere: isOwn, now: loop.now)
                hasAny = true
            case .stray: continue
            case .nothing, nil: return hasAny
            }
        }
        loop.nextTurn { [weak self] in self?.work() }
        return hasAny
    }

    /// The state of the link, for a person.
    var status: DiscoveryStatus.Link {
        DiscoveryStatus.Link(
            family: key.family, isOpen: isOpen, hearing: hearing, heardOthers: machine.lastHeard,
            sentCount: machine.sentCount, error: error)
    }

    /// Whether the last packet came back to this machine.
    private var hearing: DiscoveryStatus.Hearing {
        guard let sent = machine.lastSent else { return .unknown }
        if let echo = machine.lastEcho, echo >= sent { return .ownPackets }
        return loop.now - sent < .seconds(1) ? .unknown : .nothing
    }

    /// How many packets are read in a second, in a burst, and in one turn.
    ///
    /// Further packets wait in the kernel, which drops those that do not fit.
    private static let packetsPerSecond = 200
    private static let packetsMost = 400
    private static let packetsPerTurn = 64
}
