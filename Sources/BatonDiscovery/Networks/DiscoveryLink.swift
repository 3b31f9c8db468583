import BatonNetwork

/// The state machine of multicast DNS and its socket, for one IP version on one interface.
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
    /// A closure that is called for each output except packets.
    private let handle: (MulticastDNS.Output) -> Void
    /// A closure that is called when the deadline of the state machine may have changed.
    private let settled: () -> Void
    /// The error because of which the socket could not be opened, or the last packet could not be sent.
    private(set) var error: NetworkError?
    /// Limits the number of packets that are read each second.
    private var rate: RateLimit
    /// The timer that is set while packets wait because too many have arrived.
    private let restTimer: OwnedTimer
    /// True while `work()` is running, so that it is not run within itself.
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

    /// Opens the socket, if it is not open.
    ///
    /// If this fails, the state machine still works, but its packets are lost.
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

    /// Closes the socket, which the loop no longer watches.
    private func drop() {
        watch = nil
        socket = nil
        restTimer.cancel()
    }

    /// Calls the closure with the state machine, and carries out the outputs.
    func change(_ body: (inout MulticastDNS) -> Void) {
        body(&machine)
        work()
    }

    /// Carries out the state machine's outputs and receives the packets that have arrived, until none are left.
    ///
    /// The packets of this machine come back immediately. They are received here, because they would otherwise wake the
    /// loop again.
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
            // An asker that is not on the link can't have received a packet to the group. So its address may be forged,
            // and it gets no reply.
            if case .asker(let asker) = destination, !interface.isOnLink(asker.host) { continue }
            send(packet, to: destination)
        }
    }

    /// Sends a packet.
    ///
    /// If sending fails, the packet is lost, which multicast DNS tolerates.
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

    /// Receives the packets that have arrived, up to the limit for one turn of the loop.
    ///
    /// Returns whether the state machine was given any packet.
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

    /// The state of the link, which is shown to a person.
    var status: DiscoveryStatus.Link {
        DiscoveryStatus.Link(
            family: key.family, isOpen: isOpen, hearing: hearing, heardOthers: machine.lastHeard,
            sentCount: machine.sentCount, error: error)
    }

    /// Whether the last packet to the group came back to this machine.
    private var hearing: DiscoveryStatus.Hearing {
        guard let sent = machine.lastSent else { return .unknown }
        if let echo = machine.lastEcho, echo >= sent { return .ownPackets }
        return loop.now - sent < .seconds(1) ? .unknown : .nothing
    }

    /// The largest number of packets that are read each second, in a burst, and in one turn of the loop.
    ///
    /// Further packets wait in the buffer of the kernel, which drops packets when the buffer is full.
    private static let packetsPerSecond = 200
    private static let packetsMost = 400
    private static let packetsPerTurn = 64
}
