package import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// Makes this device one of an account, by a code that a device of the account shows.
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

    private var joiner: PairingJoiner?
    private var result: Result<LocalAnswer, LocalFailure>?
    /// Addresses that may still lead somewhere.
    private var open = 0
    private var lastTrouble = ""
    /// The address that answered first; others are let go.
    private var channel: Channel?

    /// Prepares to join with what the person typed.
    package init(
        _ home: Home, code text: String, at address: String, name: String, limits: Limits = Limits()
    ) throws(LocalFailure) {
        try home.demandNoAccount()
        guard let code = PairingCode(text: text) else {
            throw LocalFailure(
                .usage, "“\(text)” is not a code. It looks like abcd-efgh-jkmn; `baton invite` shows one.")
        }
        (self.home, self.code, self.name, self.limits) = (home, code, name, limits)
        do {
            endpoint = try Endpoint(text: address)
            loop = try EventLoop()
            resolver = try Resolver(on: loop)
        } catch  where error.code == .malformed {
            throw LocalFailure(.usage, "“\(address)” is not an address. It looks like HOST:\(Home.port).")
        } catch {
            throw LocalFailure(.failed, "\(error)")
        }
        do {
            key = try PrivateKey.generate()
        } catch {
            throw LocalFailure(.failed, "A key can't be made: \(error)")
        }
    }

    /// Joins, and tells what came of it.
    package func run() throws(LocalFailure) -> LocalAnswer {
        defer {
            resolver.close()
            loop.close()
        }
        let deadline = loop.now + limits.connectingTime + limits.openingTime
        resolver.resolve(endpoint, deadline: loop.now + limits.connectingTime) { [self] answer in
            switch answer {
            case .success(let addresses):
                open = addresses.count
                for address in addresses { connect(to: address) }
            case .failure(let error): end(.failure(unreachable("\(error)")))
            }
        }
        guard loop.run(until: deadline, or: { result != nil && channel?.isOpen != true }), let result else {
            throw unreachable("It did not answer in time.")
        }
        return try result.get()
    }

    private func connect(to address: SocketAddress) {
        do {
            let deadline = loop.now + limits.connectingTime
            try StreamConnection.connect(to: address, on: loop, deadline: deadline) { [self] outcome in
                switch outcome {
                case .success(let connection): begin(on: connection)
                case .failure(let error): settle("\(error)")
                }
            }
        } catch {
            settle("\(error)")
        }
    }

    private func begin(on connection: StreamConnection) {
        guard channel == nil else { return connection.close() }
        do {
            let context = try TLSContext.joiner(key: key, now: WallTime.now.seconds)
            let channel = try Channel(connection, context: context, role: .client, on: loop, limits: limits)
            self.channel = channel
            try channel.start(self)
        } catch {
            connection.close()
            end(.failure(LocalFailure(.failed, "The connection can't be secured: \(error)")))
        }
    }

    /// One address led nowhere.
    private func settle(_ text: String) {
        (open, lastTrouble) = (open - 1, text)
        if open == 0, channel == nil { end(.failure(unreachable(lastTrouble))) }
    }

    private func unreachable(_ text: String) -> LocalFailure {
        LocalFailure(
            .unreachable,
            "No node could be reached at \(endpoint). \(text) Is `baton node` running there, and does a firewall "
                + "let port \(endpoint.port) through?")
    }

    private func end(_ result: Result<LocalAnswer, LocalFailure>) { self.result = self.result ?? result }

    // MARK: The channel

    func channel(_ channel: Channel, established peer: Peer) {
        do {
            let exported = try channel.exportedKey(
                label: PairingSecret.exporterLabel, count: PairingSecret.channelByteCount)
            var joiner = try PairingJoiner(code: code, name: name, key: key, channel: exported)
            channel.send(try joiner.request().frame)
            self.joiner = consume joiner
        } catch {
            end(.failure(LocalFailure(.failed, "The code can't be proved: \(error)")))
            channel.close()
        }
    }

    func channel(_ channel: Channel, received frame: Frame) {
        do {
            let message = try PairingMessage(frame)
            guard let action = joiner?.handle(message, now: WallTime.now.seconds) else {
                return channel.close()
            }
            switch action {
            case .keep(let credentials, let inviter, let inviterName):
                let reference = DeviceReference(identifier: inviter, name: inviterName, isHere: false)
                end(keep(credentials, invitedBy: reference, on: channel))
            case .fail(let error):
                end(.failure(Self.failure(message, error)))
            }
        } catch {
            end(.failure(LocalFailure(.failed, "The other side does not speak as it should: \(error)")))
        }
        channel.close()
    }

    func channel(_ channel: Channel, refused reason: CloseReason) {
        end(.failure(LocalFailure(.failed, "The other side does not speak as it should: \(reason)")))
        channel.close()
    }

    func channel(_ channel: Channel, ended end: ChannelEnd) {
        // A node that invites nobody does not even begin to speak of joining.
        self.end(
            .failure(
                end.isRefusal
                    ? LocalFailure(
                        .invitationOver,
                        "The node at \(endpoint) invites nobody now: the code was used or tried already, or its time is over. "
                            + "Type `baton invite` there for a new one.")
                    : LocalFailure(
                        .unreachable,
                        "What answers at \(endpoint) broke off before this machine had joined: \(end.text). See whether "
                            + "`baton node` runs there, and type `baton invite` there for a new code.")))
    }

    /// Keeps what was granted, before the inviter hears that all went well.
    private func keep(
        _ credentials: Credentials, invitedBy inviter: DeviceReference, on channel: Channel
    ) -> Result<LocalAnswer, LocalFailure> {
        do {
            try home.makeFolders()
            try keepRoute(to: inviter, of: credentials.account)
            try home.keep(credentials)
            if let last = joiner?.handleKept() { channel.send(last.frame) }
            let device = DeviceReference(
                identifier: credentials.device, name: credentials.deviceName, isHere: true)
            return .success(.admitted(credentials.account, device, inviter: inviter))
        } catch {
            return .failure(error)
        }
    }

    /// Notes where the inviter was reached, so that the node begins by seeking it there.
    private func keepRoute(to inviter: DeviceReference, of account: AccountIdentifier) throws(LocalFailure) {
        let route = Route(name: inviter.name, addresses: [endpoint.description])
        do {
            let store = try SQLiteStore(folder: home.account(), account: account)
            _ = try store.commit(
                StoreTransaction(
                    lane: .activities, writes: [], completing: VersionVector(),
                    notes: [route.note(for: inviter.identifier)]))
        } catch {
            throw LocalFailure(.storage, "The other machine's address can't be kept: \(error)")
        }
    }

    /// What the inviter's refusal means for who joins.
    private static func failure(_ message: PairingMessage, _ error: SecurityError) -> LocalFailure {
        switch message {
        case .refusal(.wrongCode):
            LocalFailure(
                .wrongCode,
                "That is not the code that the other machine shows, and each is good for one try. Type `baton invite` there for a new one."
            )
        case .refusal(.ended):
            LocalFailure(
                .invitationOver,
                "The invitation is over. Type `baton invite` on the other machine for a new one.")
        case .request, .grant, .refusal, .joined: LocalFailure(.failed, error.message)
        }
    }
}
