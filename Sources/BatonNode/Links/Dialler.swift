import BatonCore
import BatonNetwork
import BatonSecurity

/// Dials one device at all its addresses, in rounds, until it is told to rest.
///
/// In a round the attempts begin one shortly after the other, or as soon as one fails, and the first peer that proves
/// to be the device wins: an address proves nothing.
final class Dialler {
    /// Called with the channel once the device was found, and with the expiry of its certificate if it has expired.
    private let found: (Channel, DeviceIdentity, _ expired: WallTime?) -> Void
    private let device: DeviceIdentifier
    /// The certificate that this device shows.
    private var context: TLSContext
    /// The tickets of the last session with the device, to resume it.
    private let tickets: TicketCache
    private let network: MachineNetwork
    private let loop: EventLoop
    private let limits: Limits

    /// The addresses of the device that are stored.
    var route: Route
    /// The addresses that are announced on local networks.
    private var announced: FoundPlaces
    /// The address of the last connection with the device since the node started, whichever side made it.
    var latest: String?
    /// Why the device is not connected: the end of the last connection, or the most telling outcome of the last round.
    private(set) var trouble: ConnectionTrouble?
    /// Called when a round has failed for a new reason; `report` limits how often.
    var failed: (AddressAttempt) -> Void = { _ in }
    /// The known addresses at which the peer ended the last attempt without an answer.
    ///
    /// The clocks of the two devices may differ, so the next hint to such an address tolerates days instead of hours.
    /// Announced addresses are excluded: anybody could announce one to get such hints.
    private var silent: Set<String> = []
    /// The outcomes of this round, and of the previous one.
    private var outcomes: [AddressAttempt] = []
    private var earlierOutcomes: [AddressAttempt] = []
    /// The reason that `failed` was called with last.
    private var reported: String?
    /// When `failed` was called last.
    private var reportedAt: MonotonicTime?
    private var isSeeking = false
    /// The pauses between rounds.
    private var pause: RedialPause
    /// Set between two rounds.
    private let pauseTimer: OwnedTimer
    /// Set between the beginnings of two attempts.
    private let attemptTimer: OwnedTimer
    private var attempts: [ConnectAttempt] = []
    private var calls: [TrialHandshake] = []
    /// The places of this round, by their addresses.
    private var places: [String: Place] = [:]
    /// The addresses to connect to in this round.
    private var order = DialOrder()
    /// The number of lookups and attempts that are not over yet.
    private var open = 0
    /// The number of this round; late events of earlier rounds are ignored.
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
        endAttempts()
        pause.reset()
        start()
    }

    /// Sets the addresses that are announced on local networks now; new ones are tried at once.
    func setAnnounced(_ addresses: [String]) {
        let new = announced.set(addresses, now: loop.now)
        guard isSeeking else { return }
        for address in new where places[address].map(isElsewhere) ?? true {
            resolve(Place(address: address, source: .found))
        }
    }

    /// Begins a new round at once, because the device may have become reachable.
    ///
    /// A round in which a peer has answered is not interrupted, unless this machine has lost an address, and perhaps
    /// the connection with it.
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

    /// Ends all attempts; the reason why the device is not connected stays the same until a session opens or a round
    /// ends.
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

    /// All addresses at which the device may be, the stored ones first.
    var addresses: [String] {
        route.addresses + announced.addresses.filter { !route.addresses.contains($0) }
    }

    /// The addresses that were tried last, with their outcomes.
    var attempted: [AddressAttempt] {
        outcomes + earlierOutcomes.filter { earlier in !outcomes.contains { $0.address == earlier.address } }
    }

    // MARK: A round

    /// Tries all places; attempts that announcements have begun during the pause go on.
    private func beginRound() {
        pauseTimer.cancel()
        if open == 0 {
            round += 1
            (attempts, calls) = ([], [])
            (order, places) = (DialOrder(), [:])
            (earlierOutcomes, outcomes) = (outcomes, [])
        }
        let found = announced.due(at: loop.now).map { Place(address: $0, source: .found) }
        // A stored address of another network counts as announced if it is announced on this one.
        let stored = route.places.filter { place in
            !found.contains { $0.address == place.address } || !isElsewhere(place)
        }
        // The round must not end while its first places are being added.
        open += 1
        for place in Self.interleaved(stored, found) where places[place.address] == nil {
            resolve(place)
        }
        settle()
    }

    /// Alternates stored and found places, so that neither kind delays the other.
    private static func interleaved(_ stored: [Place], _ found: [Place]) -> [Place] {
        (0..<max(stored.count, found.count)).flatMap { place in
            [stored, found].compactMap { place < $0.count ? $0[place] : nil }
        }
    }

    /// Returns whether a place is an address that belongs to a network on which this machine is not.
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

    /// Begins the next attempt, unless the last one began a moment ago.
    private func advance() {
        guard isSeeking, !attemptTimer.isSet, let entry = order.next() else { return }
        attemptTimer.set(after: limits.attemptPause) { [unowned self] in advance() }
        connect(to: entry.address, at: entry.place)
    }

    /// Begins the next attempt at once, because one has failed.
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
            // This comes in a later turn, because a series of attempts that fail like this would recurse.
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
                // An address with a scope is not kept: the scope is the number of an interface, which may change.
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

    /// Notes that the peer at an address has ended the connection without an answer.
    private func noteSilence(at text: String) {
        guard places[text]?.source != .found else { return }
        if silent.count >= Limits.attemptsPerRound { silent = [] }
        silent.insert(text)
    }

    /// Notes that an attempt to connect has failed.
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

    /// Keeps the most telling outcome of a place.
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

    /// Notes that a lookup or an attempt is over; the last one ends the round.
    private func settle() {
        open -= 1
        if open == 0 { endRound() }
    }

    /// Reports why every attempt has failed, and plans the next round.
    private func endRound() {
        // Announced addresses count only if no other is known: anybody can announce anything.
        let known = outcomes.filter { $0.source != .found }
        let judged = known.isEmpty ? outcomes : known
        if let telling = judged.max(by: { [latest] in $0.telling(latest) < $1.telling(latest) }) {
            trouble = ConnectionTrouble(telling.text)
            report(telling)
        }
        seekLater()
    }

    /// Calls `failed` for the first failure since the last connection, and for others at most once a minute.
    private func report(_ attempt: AddressAttempt) {
        let isDue = reportedAt.map { loop.now - $0 >= .seconds(60) } ?? true
        guard attempt.text != reported, reported == nil || isDue else { return }
        (reported, reportedAt) = (attempt.text, loop.now)
        failed(attempt)
    }

    /// Begins the next round after a pause.
    private func seekLater() {
        // Without an address there is nothing to try. The device tells its address when it connects, or announces it.
        isSeeking = isSeeking && !addresses.isEmpty
        guard isSeeking, !pauseTimer.isSet else { return }
        pauseTimer.set(after: pause.begin()) { [unowned self] in beginRound() }
    }
}

extension AddressAttempt {
    /// How much the outcome tells a person about why the device is not connected.
    ///
    /// An answer tells more than silence. The outcome at the device's last address tells more than any other outcome:
    /// an earlier address may belong to another machine by now, or to none.
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

/// A handshake with the peer at an address, to find out whether it is the device.
private final class TrialHandshake: ChannelOwner {
    struct Failure: Error {
        let outcome: AddressAttempt.Outcome
        let text: String
        /// Whether the peer ended the connection without an answer.
        var isSilent = false
    }

    /// A channel to the device.
    struct Answer {
        let channel: Channel
        let identity: DeviceIdentity
        /// The end of the device's certificate, if it has expired.
        let expired: WallTime?
    }

    private let device: DeviceIdentifier
    /// The address that is tried.
    private let address: String
    /// How far the clocks may differ, in words.
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
        // After `established`, a link owns the channel, so no frame can come here.
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

    /// Reports the result once; nil ends the handshake without a report.
    private func tell(_ result: Result<Answer, Failure>?) {
        let told = told.take()
        channel = nil
        if let result { told?(result) }
    }
}
