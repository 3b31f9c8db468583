import BatonCore
import BatonNetwork
import BatonSecurity

/// Dials one device at all its addresses, in rounds, until it is told to stop.
///
/// In a round, attempts begin one shortly after the other. If an attempt fails, the next one begins at once. An address
/// proves nothing. Therefore, an attempt succeeds only if its peer proves to be the device. The first such peer wins.
final class Dialler {
    /// Called with the channel once the device was found.
    ///
    /// If the device's certificate has expired, the time of its expiry is passed, too.
    private let found: (Channel, DeviceIdentity, _ expired: WallTime?) -> Void
    private let device: DeviceIdentifier
    /// The TLS context with the certificate that this device presents.
    private var context: TLSContext
    /// The tickets of the last session with the device, by which a session can be resumed.
    private let tickets: TicketCache
    private let network: MachineNetwork
    private let loop: EventLoop
    private let limits: Limits

    /// The stored addresses of the device.
    var route: Route
    /// The addresses that the device announces on local networks.
    private var announced: FoundPlaces
    /// The address of the last connection with the device since the node started, whichever side made the connection.
    var latest: String?
    /// The reason why the device is not connected: the end of the last connection, or the most informative outcome of
    /// the last round.
    private(set) var trouble: ConnectionTrouble?
    /// Called when a round has failed for a new reason.
    ///
    /// `report` limits how often this happens.
    var failed: (AddressAttempt) -> Void = { _ in }
    /// The known addresses at which the peer ended the last attempt without an answer.
    ///
    /// The clocks of the two devices may differ. Therefore, the next hint to such an address tolerates a difference of
    /// days instead of hours. Announced addresses are left out: anybody could announce an address to get such hints.
    private var silent: Set<String> = []
    /// The outcomes of the attempts in this round and in the previous round.
    private var outcomes: [AddressAttempt] = []
    private var earlierOutcomes: [AddressAttempt] = []
    /// The reason that was last passed to `failed`.
    private var reported: String?
    /// The time of the last call of `failed`.
    private var reportedAt: MonotonicTime?
    private var isSeeking = false
    /// The length of the pauses between rounds.
    private var pause: RedialPause
    /// The timer for the end of the pause between two rounds.
    private let pauseTimer: OwnedTimer
    /// The timer for the beginning of the next attempt.
    private let attemptTimer: OwnedTimer
    private var attempts: [ConnectAttempt] = []
    private var calls: [TrialHandshake] = []
    /// The places that are tried in this round, by address.
    private var places: [String: Place] = [:]
    /// The order of the addresses to connect to in this round.
    private var order = DialOrder()
    /// The number of lookups and attempts that are not finished yet.
    private var open = 0
    /// The number of this round.
    ///
    /// Late events of earlier rounds are ignored.
    private var round = 0

    init(
        _ device: DeviceIdentifier, route: Route, context: TLSContext, over network: MachineNetwork,
        on loop: EventLoop, limits: Limits,
        found: @escaping (Channel, DeviceIdentity, _ expired: WallTime?) -> Void
    ) {
        self.device = device
        self.route = route
        self.context = context
        self.network = network
        self.loop = loop
        self.limits = limits
        self.found = found
        pause = RedialPause(limits.redialTime)
        pauseTimer = OwnedTimer(on: loop)
        announced = FoundPlaces(limits, now: loop.now)
        attemptTimer = OwnedTimer(on: loop)
        tickets = TicketCache(for: device)
    }

    // MARK: Commands

    /// Begins to dial at once, unless the device is being dialled already.
    func start() {
        guard !isSeeking else { return }
        isSeeking = true
        beginRound()
    }

    /// Presents another certificate from now on, and ends a pause between rounds.
    func use(_ context: TLSContext) {
        self.context = context
        guard isSeeking, pauseTimer.isSet else { return }
        endAttempts()
        pause.reset()
        start()
    }

    /// Sets the addresses that the device announces on local networks now.
    ///
    /// New addresses are tried at once.
    func setAnnounced(_ addresses: [String]) {
        let new = announced.set(addresses, now: loop.now)
        guard isSeeking else { return }
        for address in new where places[address].map(isElsewhere) ?? true {
            resolve(Place(address: address, source: .found))
        }
    }

    /// Begins a new round at once, because the device may have become reachable.
    ///
    /// If a peer has answered in the present round, the round goes on. An exception is the loss of one of this
    /// machine's addresses, because the connection to the peer may be lost with the address.
    func hurry(afterLoss isLost: Bool) {
        announced.hurry(now: loop.now)
        guard isSeeking, isLost || pauseTimer.isSet || calls.isEmpty else { return }
        endAttempts()
        pause.hurry()
        start()
    }

    /// Begins to dial after a pause, because a connection ended.
    func startLater(because trouble: ConnectionTrouble, lasted age: Duration, isTransient: Bool) {
        guard !isSeeking else { return }
        isSeeking = true
        (self.trouble, reported, reportedAt) = (trouble, nil, nil)
        pause.recordConnection(lasting: age, isTransient: isTransient)
        seekLater()
    }

    /// Notes that the device keeps to the protocol again.
    func forgive() { pause.forgive() }

    /// Stops dialling, because the device is connected or no longer wanted.
    func rest() {
        trouble = nil
        endAttempts()
    }

    /// Ends all attempts.
    ///
    /// The reason why the device is not connected stays the same until a session opens or a round ends.
    private func endAttempts() {
        isSeeking = false
        round += 1
        pauseTimer.cancel()
        attemptTimer.cancel()
        for attempt in attempts { attempt.cancel() }
        for call in calls { call.cancel() }
        (attempts, calls, open) = ([], [], 0)
        (order, places) = (DialOrder(), [:])
    }

    // MARK: Queries

    /// All addresses at which the device may be.
    ///
    /// The stored addresses come first.
    var addresses: [String] {
        route.addresses + announced.addresses.filter { !route.addresses.contains($0) }
    }

    /// The addresses that were tried last, with the outcomes of the attempts.
    var attempted: [AddressAttempt] {
        outcomes + earlierOutcomes.filter { earlier in !outcomes.contains { $0.address == earlier.address } }
    }

    // MARK: A round

    /// Tries all places.
    ///
    /// Attempts that announcements started during the pause go on.
    private func beginRound() {
        pauseTimer.cancel()
        if open == 0 {
            round += 1
            (attempts, calls) = ([], [])
            (order, places) = (DialOrder(), [:])
            (earlierOutcomes, outcomes) = (outcomes, [])
        }
        let found = announced.due(at: loop.now).map { Place(address: $0, source: .found) }
        // A stored address may belong to another network. If the device announces the same address on this network, the
        // address counts as announced.
        let stored = route.places.filter { place in
            !found.contains { $0.address == place.address } || !isElsewhere(place)
        }
        // The round must not end while its first places are being added. This count prevents it.
        open += 1
        for place in Self.interleaved(stored, found) where places[place.address] == nil {
            resolve(place)
        }
        settle()
    }

    /// Alternates stored and announced places.
    ///
    /// This keeps each kind from delaying the other.
    private static func interleaved(_ stored: [Place], _ found: [Place]) -> [Place] {
        (0..<max(stored.count, found.count)).flatMap { place in
            [stored, found].compactMap { place < $0.count ? $0[place] : nil }
        }
    }

    /// Returns whether a place is an address in a network to which this machine is not connected.
    private func isElsewhere(_ place: Place) -> Bool {
        guard let endpoint = try? Endpoint(text: place.address), let address = SocketAddress(endpoint) else {
            return false
        }
        return !place.mayLead(to: address, over: network)
    }

    private func resolve(_ place: Place) {
        let (round, text) = (round, place.address)
        places[text] = place
        open += 1
        do {
            let endpoint = try Endpoint(text: text)
            network.resolver.resolve(endpoint, deadline: loop.now + limits.connectingTime) { [self] answer in
                guard round == self.round else { return }
                switch answer {
                case .success(let found):
                    let addresses = found.filter { place.mayLead(to: $0, over: network) }
                    open += order.add(addresses, of: text)
                    if found.isEmpty {
                        recordOutcome(.unresolved, "\(text) has no address", of: text)
                    } else if addresses.isEmpty {
                        recordOutcome(.notTried, Self.notTried(place), of: text)
                    }
                case .failure(let error): recordOutcome(.unresolved, "\(error)", of: text)
                }
                settle()
                advance()
            }
        } catch {
            recordOutcome(.unresolved, "\(error)", of: text)
            settle()
        }
    }

    private static func notTried(_ place: Place) -> String {
        switch place.source {
        case .found: "\(place.address) is not tried, since it leads to this machine"
        case .told: "\(place.address) is not tried, since another device reported this local address"
        case .met, .named:
            "\(place.address) is not tried, since the device was met there on another network"
        }
    }

    /// Begins the next attempt, unless the last attempt began a moment ago.
    private func advance() {
        guard isSeeking, !attemptTimer.isSet, let entry = order.next() else { return }
        attemptTimer.set(after: limits.attemptPause) { [unowned self] in advance() }
        connect(to: entry.address, at: entry.place)
    }

    /// Begins the next attempt at once, because an attempt has failed.
    private func advanceAtOnce() {
        attemptTimer.cancel()
        advance()
    }

    private func connect(to address: SocketAddress, at text: String) {
        let round = round
        do {
            let deadline = loop.now + limits.connectingTime
            attempts.append(
                try StreamConnection.connect(to: address, on: loop, deadline: deadline) { [self] outcome in
                    switch outcome {
                    case .success(let connection):
                        guard round == self.round else { return connection.close() }
                        call(connection, at: text)
                    case .failure(let error):
                        guard round == self.round else { return }
                        fail(error, of: text)
                    }
                })
        } catch {
            // The failure is handled in a later turn of the loop. Otherwise, a series of attempts that fail in this way
            // would recurse.
            loop.afterTurn { [self] in if round == self.round { fail(error, of: text) } }
        }
    }

    private func call(_ connection: StreamConnection, at text: String) {
        let round = round
        let call = TrialHandshake(
            device: device, at: text, clocks: places[text]?.source == .found ? "three hours" : "a week"
        ) { [self] result in
            guard round == self.round else { return }
            switch result {
            case .success(let answer):
                let place = places[text]
                recordOutcome(.connected, "connected", of: text)
                endAttempts()
                (reported, reportedAt, latest) = (nil, nil, text)
                // An address with a scope is not stored. The scope is the index of an interface, which may change.
                if place?.source != .found || Place.canBeTold(text) {
                    route.meet(
                        at: text, on: network.links.remembered(carrying: answer.channel.localAddress?.host))
                }
                found(answer.channel, answer.identity, answer.expired)
            case .failure(let failure):
                if failure.isSilent { noteSilence(at: text) }
                fail(failure.outcome, failure.text, of: text)
            }
        }
        do {
            let tolerance: ClockTolerance = silent.remove(text) == nil ? .hours : .days
            let session = try TLSSession(client: context, tickets: tickets, tolerating: tolerance)
            let channel = Channel(connection, session: session, on: loop, limits: limits)
            calls.append(call)
            try call.start(channel)
        } catch {
            connection.close()
            fail(.other, "\(text) can't be tried (\(error))", of: text)
        }
    }

    /// Notes that the peer at an address ended the connection without an answer.
    private func noteSilence(at text: String) {
        guard places[text]?.source != .found else { return }
        if silent.count >= Limits.attemptsPerRound { silent = [] }
        silent.insert(text)
    }

    /// Handles an attempt to connect that has failed.
    private func fail(_ error: NetworkError, of text: String) {
        switch error.code {
        case .timedOut: fail(.noAnswer, "no answer at \(text)", of: text)
        case .refused: fail(.refused, "no program is listening at \(text)", of: text)
        case .unreachable: fail(.unreachable, "\(text) can't be reached (\(error.reason))", of: text)
        default: fail(.other, "\(text) can't be tried (\(error.reason))", of: text)
        }
    }

    private func fail(_ outcome: AddressAttempt.Outcome, _ words: String, of text: String) {
        recordOutcome(outcome, words, of: text)
        advanceAtOnce()
        settle()
    }

    /// Records the outcome of an attempt at a place, unless an earlier outcome is more informative.
    private func recordOutcome(_ outcome: AddressAttempt.Outcome, _ words: String, of text: String) {
        let source = places[text]?.source ?? .told
        if source == .found, outcome != .connected { announced.noteFailure(at: text, now: loop.now) }
        let attempt = AddressAttempt(
            address: text, source: source, outcome: outcome, text: words, time: .now)
        guard let place = outcomes.firstIndex(where: { $0.address == text }) else {
            return outcomes.append(attempt)
        }
        if attempt.telling(latest) >= outcomes[place].telling(latest) { outcomes[place] = attempt }
    }

    /// Notes that a lookup or an attempt is finished.
    ///
    /// The round ends with the last one.
    private func settle() {
        open -= 1
        if open == 0 { endRound() }
    }

    /// Reports why all attempts have failed, and plans the next round.
    private func endRound() {
        // Anybody can announce anything. Therefore, announced addresses count only if no other address is known.
        let known = outcomes.filter { $0.source != .found }
        let judged = known.isEmpty ? outcomes : known
        if let telling = judged.max(by: { [latest] in $0.telling(latest) < $1.telling(latest) }) {
            trouble = ConnectionTrouble(telling.text)
            report(telling)
        }
        seekLater()
    }

    /// Calls `failed` for the first failure since the last connection.
    ///
    /// For other failures, `failed` is called at most once a minute.
    private func report(_ attempt: AddressAttempt) {
        let isDue = reportedAt.map { loop.now - $0 >= .seconds(60) } ?? true
        guard attempt.text != reported, reported == nil || isDue else { return }
        (reported, reportedAt) = (attempt.text, loop.now)
        failed(attempt)
    }

    /// Begins the next round after a pause.
    private func seekLater() {
        // Without an address, there is nothing to try. The device gives its address when it connects, or announces it.
        isSeeking = isSeeking && !addresses.isEmpty
        guard isSeeking, !pauseTimer.isSet else { return }
        pauseTimer.set(after: pause.begin()) { [unowned self] in beginRound() }
    }
}

extension AddressAttempt {
    /// Returns how well the outcome explains to a person why the device is not connected.
    ///
    /// An answer explains more than silence. The outcome at the device's last address explains more than any other
    /// outcome: an earlier address may belong to another machine by now, or to none.
    fileprivate func telling(_ latest: String?) -> Int {
        let weight =
            switch outcome {
            case .connected: 8
            case .rejected: 7
            case .otherDevice: 6
            case .refused: 5
            case .noAnswer: 4
            case .unreachable: 3
            case .other: 2
            case .unresolved: 1
            case .notTried, .trying: 0
            }
        let isKnown = source == .met || source == .named
        return (address == latest && weight > 1 ? 100 : 0) + 2 * weight + (isKnown ? 1 : 0)
    }
}

/// A handshake with the peer at an address, which finds out whether the peer is the device.
private final class TrialHandshake: ChannelOwner {
    struct Failure: Error {
        let outcome: AddressAttempt.Outcome
        let text: String
        /// Whether the peer ended the connection without an answer.
        var isSilent = false
    }

    /// The channel to the device.
    struct Answer {
        let channel: Channel
        let identity: DeviceIdentity
        /// The end of the device's certificate, if the certificate has expired.
        let expired: WallTime?
    }

    private let device: DeviceIdentifier
    /// The address that is tried.
    private let address: String
    /// The difference that is allowed between the two clocks, in words.
    private let clocks: String
    private var told: ((Result<Answer, Failure>) -> Void)?
    private var channel: Channel?

    init(
        device: DeviceIdentifier, at address: String, clocks: String,
        told: @escaping (Result<Answer, Failure>) -> Void
    ) {
        self.device = device
        self.address = address
        self.clocks = clocks
        self.told = told
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
            tell(.failure(Failure(outcome: .otherDevice, text: "another device answered at \(address)")))
            channel.close()
        }
    }

    func channel(_ channel: Channel, received frame: Frame) {
        // After `established`, a link owns the channel. Therefore, no frame is received here before the channel is
        // passed on.
        channel.close()
    }

    func channel(_ channel: Channel, refused reason: CloseReason) { channel.close() }

    func channel(_ channel: Channel, ended end: ChannelEnd) {
        if end.isUnanswered {
            let text =
                "a program accepts connections at \(address), but does not answer; its node may hang"
            return tell(.failure(Failure(outcome: .noAnswer, text: text)))
        }
        let text =
            end.isSilent
            ? "the program at \(address) ended the connection at once; it does not know this account, or the clocks differ by more than \(clocks)"
            : "no connection to \(address), because \(end.text)"
        let outcome: AddressAttempt.Outcome = end.isRefusal || end.isSilent ? .rejected : .other
        tell(.failure(Failure(outcome: outcome, text: text, isSilent: end.isSilent)))
    }

    /// Reports the result once.
    ///
    /// If the result is nil, the handshake ends without a report.
    private func tell(_ result: Result<Answer, Failure>?) {
        let told = told.take()
        channel = nil
        if let result { told?(result) }
    }
}
