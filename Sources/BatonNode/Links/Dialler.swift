import BatonCore
import BatonNetwork
import BatonSecurity

/// Seeks one device at all its addresses, side by side, again and again until it is told to rest.
///
/// Nothing is trusted because of an address: whoever answers must prove to be the device.
final class Dialler {
    /// What became of a search: a channel whose peer is known, or why there is none.
    private let found: (Channel, DeviceIdentity, _ expired: WallTime?) -> Void
    private let device: DeviceIdentifier
    /// Who this device shows itself to be there.
    private var context: TLSContext
    /// What the last session with the device left to go on from.
    private let tickets: TicketCache
    private let resolver: Resolver
    /// Whether this machine itself has an address.
    private let isOwn: (SocketAddress.Host) -> Bool
    private let loop: EventLoop
    private let limits: Limits

    /// Where to look.
    var route: Route
    /// Why the last round found nothing, in words.
    private(set) var trouble: String?
    private var isSeeking = false
    /// What there is before the next round.
    private var pause: RedialPause
    private var pauseTimer: TimerToken?
    private var attempts: [ConnectAttempt] = []
    private var calls: [TrialHandshake] = []
    /// Addresses of this round that may still lead somewhere.
    private var open = 0
    /// Counts rounds, so that what comes late from one that is over is known.
    private var round = 0

    init(
        _ device: DeviceIdentifier, route: Route, context: TLSContext, resolver: Resolver,
        isOwn: @escaping (SocketAddress.Host) -> Bool, on loop: EventLoop, limits: Limits,
        found: @escaping (Channel, DeviceIdentity, _ expired: WallTime?) -> Void
    ) {
        (self.device, self.route, self.context, self.resolver) = (device, route, context, resolver)
        (self.loop, self.limits, self.found) = (loop, limits, found)
        self.isOwn = isOwn
        pause = RedialPause(limits.redialTime)
        tickets = TicketCache(for: device)
    }

    /// Begins to seek at once, unless it does already.
    func start() {
        guard !isSeeking else { return }
        isSeeking = true
        beginRound()
    }

    /// Shows itself by another certificate from now on; who waits to try again tries at once.
    func use(_ context: TLSContext) {
        self.context = context
        guard isSeeking, pauseTimer != nil else { return }
        rest()
        pause.reset()
        start()
    }

    /// There may be a way to the device now: tries at once what would be tried after a pause.
    ///
    /// A search goes on where somebody has answered, unless an address of this machine is gone, and the connection with
    /// it.
    func hurry(afterLoss isLost: Bool) {
        guard isSeeking, isLost || pauseTimer != nil || calls.isEmpty else { return }
        rest()
        pause.hurry()
        start()
    }

    /// Begins to seek after a pause, because a connection ended.
    func startLater(because text: String, lasted age: Duration, isTransient: Bool) {
        guard !isSeeking else { return }
        isSeeking = true
        trouble = text
        pause.note(lasting: age, isTransient: isTransient)
        endRound()
    }

    /// The device kept to the protocol since it last broke it.
    func forgive() { pause.forgive() }

    /// Ends the search, because the device is connected or nobody wants it any more.
    func rest() {
        (isSeeking, trouble) = (false, nil)
        round += 1
        if let pauseTimer { loop.cancel(pauseTimer) }
        pauseTimer = nil
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
                        settle(addresses.isEmpty ? "\(text): another device told this local address" : nil)
                    }
                case .failure(let error): settle("\(error)")
                }
            }
        } catch {
            settle("\(error)")
        }
    }

    /// Whether an address is tried.
    ///
    /// Addresses that others told lead to other machines alone: they must not have this machine call programs that
    /// listen here, or on its own link, whatever a host name stands for.
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

    /// One address led nowhere, or to others that are counted by themselves.
    private func settle(_ text: String?) {
        if let text { trouble = text }
        open -= 1
        if open == 0 { endRound() }
    }

    private func endRound() {
        // Without an address there is nothing to wake up for; one is learnt when the device calls.
        isSeeking = isSeeking && !route.places.isEmpty
        guard isSeeking else { return }
        pauseTimer = loop.schedule(after: pause.begin()) { [self] in
            pauseTimer = nil
            beginRound()
        }
    }
}

/// A handshake with whoever answered at an address, to find out whether it is the device that is sought.
private final class TrialHandshake: ChannelOwner {
    struct Failure: Error { let text: String }

    /// The device that was sought.
    struct Answer {
        let channel: Channel
        let identity: DeviceIdentity
        /// When its certificate ended, if it has.
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
            tell(.failure(Failure(text: "another device answers there")))
            channel.close()
        }
    }

    func channel(_ channel: Channel, received frame: Frame) {
        // Nothing can come before the link that owns the channel from `established` on.
        channel.close()
    }

    func channel(_ channel: Channel, refused reason: CloseReason) { channel.close() }

    func channel(_ channel: Channel, ended end: ChannelEnd) {
        let text =
            end.isSilent
            ? "\(end.text) at once: what listens there does not know this account, or the clocks differ by more than a week"
            : end.text
        tell(.failure(Failure(text: text)))
    }

    /// Tells once; nothing tells nobody.
    private func tell(_ result: Result<Answer, Failure>?) {
        let told = told.take()
        channel = nil
        if let result { told?(result) }
    }
}
