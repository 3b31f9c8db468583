package import BatonCore
import BatonNetwork
import BatonSecurity

/// Makes this device a member of an account, by a code that a device of the account shows.
///
/// It runs once, in the foreground, and ends with an account in the home or with the home as it was.
package final class Joining: ChannelOwner {
    private let home: Home
    private let endpoint: Endpoint
    private let code: PairingCode
    private let name: String
    private let key: PrivateKey
    private let loop: EventLoop
    private let resolver: Resolver
    private let limits: Limits
    private let clock: () -> WallTime
    /// Called once, with the machine that lets this one in.
    private let greeted: (PairingNotice) -> Void

    private var joiner: PairingJoiner?
    /// The time at which joining is given up.
    private var deadline: MonotonicTime
    private var result: Result<AdmissionReply, LocalFailure>?

    /// Prepares to join with what the person typed; text that can't be a code is refused before anything is sent.
    package init(
        _ home: Home, code text: String, at address: String, name: String, limits: Limits = Limits(),
        clock: (() -> WallTime)? = nil, greeted: @escaping (PairingNotice) -> Void = { _ in }
    ) throws(LocalFailure) {
        try home.demandNoAccount()
        code = try Self.code(text)
        (self.home, self.name, self.limits, self.greeted) = (home, name, limits, greeted)
        self.clock = clock ?? { .now }
        do {
            endpoint = try Endpoint(text: address, usualPort: Home.port)
            loop = try EventLoop()
            resolver = try Resolver(on: loop)
            deadline = loop.now + limits.connectingTime + limits.openingTime
        } catch  where error.code == .malformed {
            throw LocalFailure(
                .usage, "“\(address)” is not an address. An address looks like HOST:\(Home.port).")
        } catch {
            throw LocalFailure(.failed, "\(error)")
        }
        do {
            key = try PrivateKey.generate()
        } catch {
            throw LocalFailure(.failed, "Can't create a key: \(error)")
        }
    }

    /// Joins, and returns the outcome for the person.
    package func run() throws(LocalFailure) -> AdmissionReply {
        defer {
            resolver.close()
            loop.close()
        }
        let context: TLSContext
        do {
            context = try TLSContext.joiner(key: key, now: WallTime.now.seconds)
        } catch {
            throw LocalFailure(.failed, "The connection can't be secured: \(error)")
        }
        let call = OutgoingCall(
            endpoint, as: context, by: resolver, on: loop, limits: limits, owner: self,
            unreachable: { [self] in unreachable($0) }, failed: { [self] in end(.failure($0)) })
        call.begin()
        while true {
            let until = deadline
            if loop.run(until: until, or: { result != nil && call.channel?.isOpen != true }) { break }
            // The deadline may have been moved meanwhile.
            guard deadline > until else { throw unreachable("It did not answer in time.") }
        }
        guard let result else { throw unreachable("It did not answer in time.") }
        return try result.get()
    }

    /// Reads the typed code; the error says what is wrong with it.
    private static func code(_ text: String) throws(LocalFailure) -> PairingCode {
        do {
            return try PairingCode(text: text)
        } catch {
            throw LocalFailure(
                .usage, "\(error.message)\nA code looks like lemon-tiger-cloud; `baton invite` shows one.")
        }
    }

    private func unreachable(_ text: String) -> LocalFailure {
        LocalFailure(
            .unreachable,
            "No node could be reached at \(endpoint). \(text) Is `baton node` running there, and does its firewall "
                + "allow port \(endpoint.port)?")
    }

    private func end(_ result: Result<AdmissionReply, LocalFailure>) { self.result = self.result ?? result }

    // MARK: The channel

    func channel(_ channel: Channel, established peer: Peer) {
        do {
            let exported = try channel.exportedKey(
                label: PairingChannel.exporterLabel, count: PairingChannel.exportedByteCount)
            var joiner = try PairingJoiner(code: code, name: name, key: key, exported: exported)
            channel.send(joiner.begin().frame)
            self.joiner = consume joiner
        } catch {
            end(.failure(LocalFailure(.failed, "Can't prove the code: \(error)")))
            channel.close()
        }
    }

    func channel(_ channel: Channel, received frame: Frame) {
        do {
            let message = try PairingMessage(frame)
            guard let action = joiner?.handle(message, now: clock().seconds) else { return channel.close() }
            switch action {
            case .send(let message): return channel.send(message.frame)
            case .greet(let host, let introduction):
                channel.send(introduction.frame)
                return greet(host)
            case .keep(let credentials, let host):
                end(keep(credentials, invitedBy: host, on: channel))
            case .fail(let error, let telling):
                if let telling { channel.send(telling.frame) }
                end(.failure(Self.failure(error)))
            }
        } catch {
            end(.failure(LocalFailure(.failed, "The other machine violated the protocol: \(error)")))
        }
        channel.close()
    }

    /// Tells the person which device answered, and waits for the person there if that is necessary.
    private func greet(_ host: PairingHost) {
        greeted(PairingNotice(name: host.name, phrase: host.phrase, asksPerson: host.asksPerson))
        deadline = loop.now + (host.asksPerson ? limits.invitationTime : limits.openingTime)
    }

    func channel(_ channel: Channel, refused reason: CloseReason) {
        end(.failure(LocalFailure(.failed, "The other machine violated the protocol: \(reason)")))
        channel.close()
    }

    func channel(_ channel: Channel, ended end: ChannelEnd) {
        // A node without an open invitation refuses the pairing protocol during the handshake.
        self.end(
            .failure(
                end.isRefusal
                    ? LocalFailure(
                        .invitationOver,
                        "The node at \(endpoint) has no open invitation: the code was already used or tried, or has expired. "
                            + "Type `baton invite` there for a new one.")
                    : LocalFailure(
                        .unreachable,
                        "The connection to \(endpoint) ended before this machine had joined: \(end.text). Check that "
                            + "`baton node` is running there, and type `baton invite` there for a new code."))
        )
    }

    /// Stores what was granted, before the inviter is told that all went well.
    private func keep(
        _ credentials: Credentials, invitedBy host: PairingHost, on channel: Channel
    ) -> Result<AdmissionReply, LocalFailure> {
        let inviter = DeviceReference(identifier: host.device, name: host.name, isHere: false)
        do {
            try home.demandStrange(credentials.account)
            try home.makePlace(for: credentials.account)
            try home.keepRoute(to: inviter, at: endpoint, of: credentials.account)
            try home.keep(credentials)
            if let last = joiner?.handleKept() { channel.send(last.frame) }
            let device = DeviceReference(
                identifier: credentials.device, name: credentials.deviceName, isHere: true)
            return .success(AdmissionReply(credentials.account, device, inviter: inviter))
        } catch {
            if let last = joiner?.handleNotKept() { channel.send(last.frame) }
            return .failure(error)
        }
    }

    /// Explains to the joining person why joining failed, with the next command to type.
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
