import BatonCore
import BatonNetwork
import BatonSecurity

/// Finds out whether a device answers at an address.
///
/// The probe connects, does a handshake, and waits for the device's first message.
///
/// Only the first message proves that the device accepts this device: in TLS 1.3, a client completes its handshake
/// before the server has checked the client's certificate. The probe itself sends no first message. Therefore, no
/// session begins, and open connections are not replaced.
final class AddressProbe: ChannelOwner {
    private let address: SocketAddress
    private let device: DeviceIdentifier
    /// The device for which the hint in the handshake is made.
    ///
    /// No other device answers the hint.
    private let named: DeviceIdentifier
    private let account: AccountCore
    private let loop: EventLoop
    private let limits: Limits
    /// The timer for the end of the time that the attempt may take.
    private let timer: OwnedTimer
    private var stage = Stage.connecting(nil)
    /// The difference that is allowed between the clocks of the two devices.
    private let tolerance: ClockTolerance
    /// Called once with the outcome, and then released.
    private var then: ((ProbeOutcome) -> Void)?

    /// The current step of the attempt.
    private enum Stage {
        case connecting(ConnectAttempt?)
        case handshaking(Channel)
        /// The device has proved its identity. Its first message has not arrived yet.
        case awaitingGreeting(Channel)
        case over
    }

    init(
        _ address: SocketAddress, of device: DeviceIdentifier, naming named: DeviceIdentifier,
        tolerating tolerance: ClockTolerance, in account: AccountCore,
        then: @escaping (ProbeOutcome) -> Void
    ) {
        self.named = named
        self.address = address
        self.device = device
        self.account = account
        self.then = then
        (loop, limits, self.tolerance) = (account.loop, account.limits, tolerance)
        timer = OwnedTimer(on: loop)
    }

    // MARK: Commands

    /// Begins the attempt, which ends within `Limits.addressProbeTime`.
    func begin() {
        timer.set(after: limits.addressProbeTime) { [self] in runOut() }
        do throws(NetworkError) {
            // The timer ends the attempt. The deadline of the connection only has to be later.
            let deadline = loop.now + limits.addressProbeTime + limits.closingTime
            let attempt = try StreamConnection.connect(to: address, on: loop, deadline: deadline) {
                [self] result in
                switch result {
                case .success(let connection): shakeHands(on: connection)
                case .failure(let error): finish(outcome(of: error))
                }
            }
            stage = .connecting(attempt)
        } catch {
            let outcome = outcome(of: error)
            // The caller must not be called back during its own call.
            loop.afterTurn { [self] in finish(outcome) }
        }
    }

    /// Ends the attempt without an outcome.
    func cancel() {
        then = nil
        end()
    }

    // MARK: Steps

    private func shakeHands(on connection: StreamConnection) {
        guard case .connecting = stage else { return connection.close() }
        do {
            // Session tickets are not used here. They are left for connections that stay open.
            let session = try TLSSession(client: account.identity.context, to: named, tolerating: tolerance)
            let channel = Channel(connection, session: session, on: loop, limits: limits)
            stage = .handshaking(channel)
            try channel.start(self)
        } catch {
            connection.close()
            finish(.failed("\(error)"))
        }
    }

    /// Ends the attempt, because its time is over.
    private func runOut() {
        let (seconds, attoseconds) = limits.addressProbeTime.components
        let time = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        switch stage {
        case .connecting: finish(.noAnswer(milliseconds: time))
        case .handshaking: finish(.silent(milliseconds: time))
        case .awaitingGreeting: finish(.noGreeting(milliseconds: time))
        case .over: return
        }
    }

    /// Reports the outcome, unless an outcome was reported already.
    private func finish(_ outcome: ProbeOutcome) {
        let then = then.take()
        end()
        then?(outcome)
    }

    private func end() {
        timer.cancel()
        let last = stage
        stage = .over
        switch last {
        case .connecting(let attempt): attempt?.cancel()
        case .handshaking(let channel): channel.abort("the attempt is over")
        case .awaitingGreeting(let channel):
            channel.send(CloseReason(.goingAway, "it only checked whether this device answers").frame)
            channel.close()
        case .over: return
        }
    }

    // MARK: The channel

    func channel(_ channel: Channel, established peer: Peer) {
        guard case .handshaking = stage else { return }
        stage = .awaitingGreeting(channel)
        switch peer {
        case .device(let identity): judge(identity, expired: nil)
        case .expired(let identity, let time): judge(identity, expired: WallTime(seconds: time))
        case .joiner, .inviter: finish(.failed("the other side wants to pair"))
        }
    }

    /// Ends the attempt if the peer is another device, or if this device does not accept the peer.
    private func judge(_ peer: DeviceIdentity, expired: WallTime?) {
        if peer.device == account.credentials.device { return finish(.thisMachine) }
        guard peer.device == device else {
            return finish(.otherDevice(account.names.reference(peer.device)))
        }
        // A device that the roster does not know yet presents its admission with its certificate. Therefore, only a
        // revoked device is refused here.
        if account.membership.isRevoked(device), let reason = account.membership.refusal(of: device) {
            return finish(.notAccepted(reason.text))
        }
        guard let expired else { return }
        // If this were a connection attempt to stay connected, an owner could renew the certificate. The probe changes
        // nothing.
        let now = WallTime.now
        let isRenewed =
            account.membership.roster.newestAdmission(of: device, at: now)?.holds(at: now) ?? false
        if !isRenewed { finish(.expired(expired)) }
    }

    func channel(_ channel: Channel, received frame: Frame) {
        guard case .awaitingGreeting = stage else { return }
        do throws(CloseReason) {
            switch try PeerMessage(frame) {
            case .hello(let hello):
                let lead = hello.clock.map { $0.milliseconds &- WallTime.now.milliseconds }
                finish(.reached(version: hello.build, clockLead: lead))
            case .close(let reason):
                finish(.refusedByDevice(code: reason.code.rawValue, reason.text))
            default: finish(.failed("the device began with an unexpected message"))
            }
        } catch {
            finish(.failed("the device's first message can't be read: \(error.text)"))
        }
    }

    func channel(_ channel: Channel, refused reason: CloseReason) { finish(.failed(reason.text)) }

    func channel(_ channel: Channel, ended end: ChannelEnd) {
        switch stage {
        case .handshaking where end.isSilent: finish(.closed)
        case .handshaking, .awaitingGreeting: finish(end.error.map(outcome) ?? .failed(end.text))
        case .connecting, .over: return
        }
    }

    // MARK: Translating errors

    private func outcome(of error: NetworkError) -> ProbeOutcome {
        switch error.code {
        case .refused: .refused
        case .timedOut: .noAnswer(milliseconds: 0)
        case .unreachable, .unsupported, .addressNotAvailable, .malformed: .unreachable(error.reason)
        case .permission: .forbidden(error.reason)
        default: .failed(error.reason)
        }
    }

    private func outcome(of error: SecurityError) -> ProbeOutcome {
        if let alert = error.alert { return .alert(alert) }
        let message = error.message.last == "." ? String(error.message.dropLast()) : error.message
        return switch error.code {
        case .notYetValid: .notYetValid(message)
        case .untrusted: .notOfAccount(message)
        // If OpenSSL gives a reason, the bytes are not TLS. If it gives none, the bytes are TLS of another protocol.
        case .handshake where error.reasons.isEmpty: .notOfAccount(message)
        case .handshake, .excess: .notTLS(error.reasons.first ?? message)
        default: .failed(ChannelEnd(error).text)
        }
    }
}
