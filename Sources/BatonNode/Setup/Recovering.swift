package import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// Makes this machine an owner of an account by the account's recovery code.
///
/// This is the way back into an account that has no owner left.
///
/// The object is used once, in the foreground. In the end, the home has the account, or is as it was before. If the
/// person gives the address of another device, this machine connects to that device first, and creates the account only
/// if the device accepts it.
package final class Recovering: ChannelOwner {
    private let home: Home
    private let name: String
    private let endpoint: Endpoint?
    private let limits: Limits
    private let loop: EventLoop
    private let resolver: HostResolver

    private var result: Result<DeviceReference, LocalFailure>?
    /// The identity of the device that answered; nil if none has answered.
    private var met: DeviceIdentity?

    /// Prepares to recover an account.
    ///
    /// If an address is given, a device of the account is expected there.
    package init(
        _ home: Home, name: String, at address: String?, limits: Limits = Limits()
    ) throws(LocalFailure) {
        do throws(LocalFailure) {
            try home.demandNoAccount()
        } catch {
            throw LocalFailure(
                error.code,
                "\(error.text)\nTo make this machine an owner of that account, type "
                    + "`baton promote\(home.option)\(home.of(home.meant(among: home.accounts())).accountOption)`."
            )
        }
        try home.demandPlace()
        (self.home, self.name, self.limits) = (home, name, limits)
        do {
            endpoint = try address.map { (text) throws(NetworkError) in
                try Endpoint(text: text, usualPort: Home.port)
            }
            loop = try EventLoop()
            resolver = try HostResolver(on: loop)
        } catch  where error.code == .malformed {
            throw LocalFailure(
                .usage, "“\(address ?? "")” is not an address. An address looks like HOST:\(Home.port).")
        } catch {
            throw LocalFailure(.failed, "\(error)")
        }
    }

    /// Reads lines until one of them is a recovery code, and recovers its account.
    ///
    /// For each other line, `refuse` is called with the mistake.
    package func run(
        line: () -> String?, refuse: (LocalFailure) throws(LocalFailure) -> Void
    ) throws(LocalFailure) -> AdmissionReply {
        defer {
            resolver.close()
            loop.close()
        }
        let code = try Home.awaitCode(line: line, refuse: refuse) { (text) throws(LocalFailure) in
            try RecoveryCode(typed: text)
        }
        let credentials: Credentials
        let context: TLSContext
        do {
            let now = WallTime.now.seconds
            credentials = try Credentials(
                root: try RootAuthority(recoveryCode: code, now: now), deviceName: name, now: now)
            context = try TLSContext.device(credentials)
        } catch {
            throw LocalFailure(.failed, "Can't recover the account: \(error)")
        }
        try home.demandStrange(credentials.account)
        let own = DeviceReference(
            identifier: credentials.device, name: credentials.deviceName, isHere: true)
        let other = try endpoint.map { (endpoint) throws(LocalFailure) in try meet(at: endpoint, as: context)
        }
        do throws(LocalFailure) {
            try home.makePlace(for: credentials.account)
            if let other, let endpoint {
                try home.keepRoute(to: other, at: endpoint, of: credentials.account)
            }
            try home.keep(credentials)
        } catch {
            guard let other else { throw error }
            // The keys of the device that the other device lists were not stored anywhere. Therefore, it need not be
            // revoked.
            throw LocalFailure(
                error.code,
                "\(error.text)\nThis machine was not recovered, but “\(other.name)” already lists it: type "
                    + "`baton remove \(own.identifier.short)` there, fix the problem, and try again.")
        }
        return AdmissionReply(credentials.account, own, inviter: other ?? own)
    }

    // MARK: Calling

    /// Connects to the device at an address, waits for its greeting, and returns its identity.
    private func meet(
        at endpoint: Endpoint, as context: TLSContext
    ) throws(LocalFailure) -> DeviceReference {
        let deadline = loop.now + limits.connectingTime + limits.openingTime
        let call = OutgoingCall(
            as: context, by: resolver, on: loop, limits: limits, owner: self,
            unreachable: { [self] in unreachable($0) }, failed: { [self] in end(.failure($0)) })
        call.begin(endpoint)
        guard loop.run(until: deadline, or: { result != nil && call.channel?.isOpen != true }), let result
        else {
            throw unreachable("It did not answer in time.")
        }
        return try result.get()
    }

    private func unreachable(_ text: String) -> LocalFailure {
        LocalFailure(
            .unreachable,
            "No node could be reached at \(address). \(text) Nothing was created.\nIs `baton node` running there? If no other machine is left, leave out --at."
        )
    }

    private var address: String { endpoint.map { "\($0)" } ?? "" }

    private func end(_ result: Result<DeviceReference, LocalFailure>) { self.result = self.result ?? result }

    private func end(_ text: String) { end(.failure(LocalFailure(.unreachable, text))) }

    // MARK: The channel

    func channel(_ channel: Channel, established peer: Peer) {
        // The other device sends its greeting once it has accepted this device. The other device's certificate may have
        // expired.
        switch peer {
        case .device(let identity), .expired(let identity, _): met = identity
        case .joiner, .inviter: channel.close()
        }
    }

    func channel(_ channel: Channel, received frame: Frame) {
        do throws(CloseReason) {
            switch try PeerMessage(frame) {
            case .hello(let hello):
                if let met {
                    end(.success(DeviceReference(identifier: met.device, name: hello.name, isHere: false)))
                }
            case .close(let reason):
                end(
                    "The machine at \(address) refused this one: \(reason.text). Nothing was created."
                )
            default:
                end("The machine at \(address) violated the protocol. Nothing was created.")
            }
        } catch {
            end("The machine at \(address) violated the protocol: \(error). Nothing was created.")
        }
        channel.close()
    }

    func channel(_ channel: Channel, refused reason: CloseReason) {
        end("The machine at \(address) violated the protocol: \(reason). Nothing was created.")
        channel.close()
    }

    func channel(_ channel: Channel, ended end: ChannelEnd) {
        let text =
            end.isSilent
            ? "The program at \(address) does not know the account of this recovery code, or its clock differs from the one here by more than a week."
            : "The machine at \(address) refused this one: \(end.text). Check that both clocks are right."
        self.end("\(text) Nothing was created.")
    }
}

extension Home {
    /// Stores the address at which a device was reached, so that the node tries this address first.
    func keepRoute(
        to device: DeviceReference, at endpoint: Endpoint, of account: AccountIdentifier
    ) throws(LocalFailure) {
        try keep(Route(name: device.name, named: [endpoint.description]), to: device, of: account)
    }

    /// Stores the address at which a device was met, and the links over which it was met.
    func keepRoute(
        to device: DeviceReference, metAt address: SocketAddress?, on links: Set<[UInt8]>,
        of account: AccountIdentifier
    ) throws(LocalFailure) {
        var route = Route(name: device.name)
        // An address with a scope is not stored. The scope is the index of an interface, which may change.
        if let address, Place.canBeTold(address.description) {
            route.meet(at: address.description, on: links)
        }
        try keep(route, to: device, of: account)
    }

    private func keep(
        _ route: Route, to device: DeviceReference, of account: AccountIdentifier
    ) throws(LocalFailure) {
        do {
            let store = try SQLiteStore(folder: self.account(), account: account)
            _ = try store.commit(
                StoreTransaction(
                    lane: .activities, writes: [], completing: VersionVector(),
                    notes: [route.note(for: device.identifier)]))
        } catch {
            throw LocalFailure(.storage, "Could not save the address of the other machine: \(error)")
        }
    }
}
