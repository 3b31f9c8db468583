import BatonCore
import BatonNetwork
import BatonSecurity

/// Dials one device at all its addresses in parallel, in rounds, until it is told to rest.
///
/// An address proves nothing: the peer that answers must prove to be the device.
final class Dialler {
    /// Called with the channel when the device was found, and with the end of its certificate if that is past.
    private let found: (Channel, DeviceIdentity, _ expired: WallTime?) -> Void
    private let device: DeviceIdentifier
    /// The certificate that this device shows.
    private var context: TLSContext
    /// The tickets of the last session with the device, to resume it.
    private let tickets: TicketCache
    private let resolver: Resolver
    /// Returns whether an address belongs to this machine.
    private let isOwn: (SocketAddress.Host) -> Bool
    private let loop: EventLoop
    private let limits: Limits

    /// The addresses of the device.
    var route: Route
    /// Why the last round failed, in words.
    private(set) var trouble: String?
    private var isSeeking = false
    /// The pauses between rounds.
    private var pause: RedialPause
    /// Set between two rounds.
    private let pauseTimer: OwnedTimer
    private var attempts: [ConnectAttempt] = []
    private var calls: [TrialHandshake] = []
    /// How many addresses of this round have not failed yet.
    private var open = 0
    /// The number of this round; late events of earlier rounds are ignored.
    private var round = 0

    init(
        _ device: DeviceIdentifier, route: Route, context: TLSContext, resolver: Resolver,
        isOwn: @escaping (SocketAddress.Host) -> Bool, on loop: EventLoop, limits: Limits,
        found: @escaping (Channel, DeviceIdentity, _ expired: WallTime?) -> Void
    ) {
        (self.device, self.route, self.context, self.resolver) = (device, route, context, resolver)
        (self.loop, self.limits, self.found) = (loop, limits, found)
        self.isOwn = isOwn
        (pause, pauseTimer) = (RedialPause(limits.redialTime), OwnedTimer(on: loop))
        tickets = TicketCache(for: device)
    }

    /// Begins to dial at once, unless it is dialling already.
    func start() {
        guard !isSeeking else { return }
        isSeeking = true
        beginRound()
    }

    /// Shows another certificate from now on, and ends a pause between rounds.
    func use(_ context: TLSContext) {
        self.context = context
        guard isSeeking, pauseTimer.isSet else { return }
        rest()
        pause.reset()
        start()
    }

    /// Begins a new round at once, because the device may have become reachable.
    ///
    /// A round goes on if a peer has answered, unless this machine has lost an address, and the connection with it.
    func hurry(afterLoss isLost: Bool) {
        guard isSeeking, isLost || pauseTimer.isSet || calls.isEmpty else { return }
        rest()
        pause.hurry()
        start()
    }

    /// Begins to dial after a pause, because a connection ended.
    func startLater(because text: String, lasted age: Duration, isTransient: Bool) {
        guard !isSeeking else { return }
        isSeeking = true
        trouble = text
        pause.note(lasting: age, isTransient: isTransient)
        endRound()
    }

    /// Notes that the device keeps to the protocol again.
    func forgive() { pause.forgive() }

    /// Stops dialling, because the device is connected or not wanted any more.
    func rest() {
        (isSeeking, trouble) = (false, nil)
        round += 1
        pauseTimer.cancel()
        for attempt in attempts { attempt.cancel() }
        for call in calls { call.cancel() }
        (attempts, calls, open) = ([], [], 0)
    }

    private func beginRound() {
        round += 1
        (attempts, calls) = ([], [])
        let places = route.places
        open = places.count
        guard open > 0 else { return endRound() }
        for place in places { resolve(place) }
    }

    private func resolve(_ place: Place) {
        let (round, text) = (round, place.address)
        do {
            let endpoint = try Endpoint(text: text)
            resolver.resolve(endpoint, deadline: loop.now + limits.connectingTime) { [self] answer in
                guard round == self.round else { return }
                switch answer {
                case .success(let found):
                    let addresses = found.filter { mayConnect(to: $0, for: place) }
                    open += addresses.count
                    for address in addresses { connect(to: address, named: text) }
                    if found.isEmpty {
                        settle("\(text) has no address")
                    } else {
                        settle(
                            addresses.isEmpty
                                ? "\(text): not tried, since another device reported this local address" : nil
                        )
                    }
                case .failure(let error): settle("\(error)")
                }
            }
        } catch {
            settle("\(error)")
        }
    }

    /// Returns whether to try an address.
    ///
    /// An address that another device has sent must lead to another machine. Otherwise a device could make this machine
    /// connect to programs on itself or on its own link, whatever a host name resolves to.
    private func mayConnect(to address: SocketAddress, for place: Place) -> Bool {
        switch place.source {
        case .named, .met: true
        case .told: address.host.isRoutable && !isOwn(address.host)
        }
    }

    private func connect(to address: SocketAddress, named text: String) {
        let round = round
        do {
            let deadline = loop.now + limits.connectingTime
            attempts.append(
                try StreamConnection.connect(to: address, on: loop, deadline: deadline) { [self] outcome in
                    switch outcome {
                    case .success(let connection):
                        guard round == self.round else { return connection.close() }
                        call(connection, named: text)
                    case .failure(let error):
                        guard round == self.round else { return }
                        settle("\(text): \(error)")
                    }
                })
        } catch {
            settle("\(text): \(error)")
        }
    }

    private func call(_ connection: StreamConnection, named text: String) {
        let round = round
        let call = TrialHandshake(device: device) { [self] result in
            guard round == self.round else { return }
            switch result {
            case .success(let answer):
                rest()
                route.meet(at: text)
                found(answer.channel, answer.identity, answer.expired)
            case .failure(let failure): settle("\(text): \(failure.text)")
            }
        }
        do {
            let session = try TLSSession(client: context, tickets: tickets)
            let channel = Channel(connection, session: session, on: loop, limits: limits)
            calls.append(call)
            try call.start(channel)
        } catch {
            connection.close()
            settle("\(text): \(error)")
        }
    }

    /// Notes that an address has failed, or was replaced by the addresses that it resolved to, which count separately.
    private func settle(_ text: String?) {
        if let text { trouble = text }
        open -= 1
        if open == 0 { endRound() }
    }

    private func endRound() {
        // Without an address there is nothing to try. The device tells its address when it connects.
        isSeeking = isSeeking && !route.places.isEmpty
        guard isSeeking else { return }
        pauseTimer.set(after: pause.begin()) { [unowned self] in beginRound() }
    }
}

/// A handshake with the peer at an address, to find out whether it is the device.
private final class TrialHandshake: ChannelOwner {
    struct Failure: Error { let text: String }

    /// A channel to the device.
    struct Answer {
        let channel: Channel
        let identity: DeviceIdentity
        /// The end of the device's certificate, if it is past.
        let expired: WallTime?
    }

    private let device: DeviceIdentifier
    private var told: ((Result<Answer, Failure>) -> Void)?
    private var channel: Channel?

    init(device: DeviceIdentifier, told: @escaping (Result<Answer, Failure>) -> Void) {
        (self.device, self.told) = (device, told)
    }

    func start(_ channel: Channel) throws(NetworkError) {
        self.channel = channel
        try channel.start(self)
    }

    func cancel() {
        guard let channel else { return }
        tell(nil)
        channel.close()
    }

    func channel(_ channel: Channel, established peer: Peer) {
        switch peer {
        case .device(let identity) where identity.device == device:
            tell(.success(Answer(channel: channel, identity: identity, expired: nil)))
        case .expired(let identity, let time) where identity.device == device:
            tell(.success(Answer(channel: channel, identity: identity, expired: WallTime(seconds: time))))
        case .device, .expired, .joiner, .inviter:
            tell(.failure(Failure(text: "another device answered at this address")))
            channel.close()
        }
    }

    func channel(_ channel: Channel, received frame: Frame) {
        // From `established` on a link owns the channel, so no frame can come here.
        channel.close()
    }

    func channel(_ channel: Channel, refused reason: CloseReason) { channel.close() }

    func channel(_ channel: Channel, ended end: ChannelEnd) {
        let text =
            end.isSilent
            ? "\(end.text) at once: the program there does not know this account, or the clocks differ by more than a week"
            : end.text
        tell(.failure(Failure(text: text)))
    }

    /// Reports the result once; nil ends the handshake without a report.
    private func tell(_ result: Result<Answer, Failure>?) {
        let told = told.take()
        channel = nil
        if let result { told?(result) }
    }
}
