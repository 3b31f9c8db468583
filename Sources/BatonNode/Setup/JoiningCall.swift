import BatonCore
import BatonNetwork
import BatonSecurity

/// A call to one machine that may have the open invitation.
///
/// The call does the joiner's side of the pairing.
///
/// The object belongs to the loop's thread, and reports its outcome once.
final class JoiningCall: ChannelOwner {
    /// The code that the person typed, and the name and key of this machine.
    ///
    /// All calls share them.
    struct Joiner {
        let code: PairingCode
        let name: String
        let key: PrivateKey
        let clock: () -> WallTime
    }

    /// The events of a call.
    ///
    /// The last two are its outcomes.
    enum Event {
        /// The other machine has proved that it knows the code.
        case greeted(PairingHost)
        /// This machine has joined.
        case joined(AdmissionReply)
        /// This machine has not joined.
        case failed(LocalFailure)
    }

    /// Stores the credentials that were granted.
    ///
    /// The inviter is told of the success only after that.
    typealias Keep = (Credentials, PairingHost, Meeting) throws(LocalFailure) -> AdmissionReply

    /// The addresses of both ends of a connection.
    struct Meeting {
        let remote: SocketAddress?
        let local: SocketAddress?
    }

    /// The address that was called, for use in messages.
    let address: String
    private let joiner: Joiner
    private let keep: Keep
    /// Called with each event; nil once the outcome was reported.
    var tell: ((Event) -> Void)?
    private var pairing: PairingJoiner?
    private var call: OutgoingCall?
    /// Whether the other machine has proved that it knows the code.
    private(set) var isProven = false

    init(
        _ joiner: Joiner, to address: String, as context: TLSContext, by resolver: HostResolver,
        on loop: EventLoop, limits: Limits, keep: @escaping Keep
    ) {
        (self.joiner, self.address, self.keep) = (joiner, address, keep)
        call = OutgoingCall(
            as: context, by: resolver, on: loop, limits: limits, owner: self,
            unreachable: { [unowned self] in unreachable($0) },
            failed: { [unowned self] in end(.failed($0)) })
    }

    /// Calls an address that a person typed.
    func begin(_ endpoint: Endpoint) { call?.begin(endpoint) }

    /// Calls one of the addresses of an announcement.
    func begin(_ addresses: [SocketAddress]) { call?.begin(addresses) }

    /// Ends the call without reporting an outcome.
    func cancel() {
        tell = nil
        call?.cancel()
    }

    /// Whether the connection is still open.
    var isOpen: Bool { call?.channel?.isOpen == true }

    /// Returns the failure if no node answers.
    ///
    /// The text is the reason.
    func unreachable(_ text: String) -> LocalFailure {
        let port = address.split(separator: ":").last.map(String.init) ?? "\(Home.port)"
        return LocalFailure(
            .unreachable,
            "No node could be reached at \(address). \(text) Is `baton node` running there, and does its firewall "
                + "allow port \(port)?")
    }

    /// Reports the outcome, unless an outcome was reported already.
    private func end(_ event: Event) { tell.take()?(event) }

    // MARK: The channel

    func channel(_ channel: Channel, established peer: Peer) {
        do {
            let exported = try channel.exportedKey(
                label: PairingChannel.exporterLabel, count: PairingChannel.exportedByteCount)
            var pairing = try PairingJoiner(
                code: joiner.code, name: joiner.name, key: joiner.key, exported: exported)
            channel.send(pairing.begin().frame)
            self.pairing = consume pairing
        } catch {
            end(.failed(LocalFailure(.failed, "Can't prove the code: \(error)")))
            channel.close()
        }
    }

    func channel(_ channel: Channel, received frame: Frame) {
        do {
            let message = try PairingMessage(frame)
            guard tell != nil, let action = pairing?.handleMessage(message, now: joiner.clock().seconds)
            else {
                return channel.close()
            }
            switch action {
            case .send(let message): return channel.send(message.frame)
            case .greet(let host, let introduction):
                channel.send(introduction.frame)
                isProven = true
                tell?(.greeted(host))
                return
            case .keep(let credentials, let host): keep(credentials, invitedBy: host, on: channel)
            case .fail(let error, let telling):
                if let telling { channel.send(telling.frame) }
                end(.failed(Self.failure(error)))
            }
        } catch {
            end(.failed(LocalFailure(.failed, "The other machine violated the protocol: \(error)")))
        }
        channel.close()
    }

    func channel(_ channel: Channel, refused reason: CloseReason) {
        end(.failed(LocalFailure(.failed, "The other machine violated the protocol: \(reason)")))
        channel.close()
    }

    func channel(_ channel: Channel, ended end: ChannelEnd) {
        // A node without an open invitation refuses the handshake of a joiner.
        self.end(
            .failed(
                end.isRefusal
                    ? LocalFailure(
                        .invitationOver,
                        "The node at \(address) has no open invitation: the code was already used or tried, or has expired. "
                            + "Type `baton invite` there for a new one.")
                    : LocalFailure(
                        .unreachable,
                        "The connection to \(address) ended before this machine had joined: \(end.text). Check that "
                            + "`baton node` is running there, and type `baton invite` there for a new code."))
        )
    }

    /// Stores the credentials that were granted, and tells the inviter whether storing them succeeded.
    private func keep(_ credentials: Credentials, invitedBy host: PairingHost, on channel: Channel) {
        do throws(LocalFailure) {
            let meeting = Meeting(remote: channel.remoteAddress, local: channel.localAddress)
            let admission = try keep(credentials, host, meeting)
            if let last = pairing?.handleKept() { channel.send(last.frame) }
            end(.joined(admission))
        } catch {
            if let last = pairing?.handleNotKept() { channel.send(last.frame) }
            end(.failed(error))
        }
    }

    /// Explains to the joining person why joining failed, and names the next command to type.
    private static func failure(_ error: SecurityError) -> LocalFailure {
        let again = "Type `baton invite` there for a new code."
        return switch error.code {
        case .wrongPairingCode: LocalFailure(.wrongCode, "\(error.message)\n\(again)")
        case .pairingOver: LocalFailure(.invitationOver, "\(error.message)\n\(again)")
        case .pairingRevoked:
            LocalFailure(
                .notAllowed, "\(error.message) This machine has not joined, and nothing was written.")
        case .pairingDeclined: LocalFailure(.notAllowed, "\(error.message)\n\(again)")
        case .clocksDiffer:
            LocalFailure(
                .failed, "\(error.message) It has not joined.\nSet the wrong clock. \(again)")
        default: LocalFailure(.failed, "\(error.message) This machine has not joined.\n\(again)")
        }
    }
}
