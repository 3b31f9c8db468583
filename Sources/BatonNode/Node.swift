package import BatonCore
package import BatonNetwork
import BatonSecurity
import Glibc

/// A node: the process on a device that keeps its accounts, talks to the other devices of each, and serves apps.
///
/// One thread runs the event loop that owns everything here; the store of each account has two threads of its own. What is
/// here is there once, however many accounts there are: the loop, the lock, the ports and who stands at their door, and the
/// local socket. All else is an account's (`ServedAccount`).
package final class Node {
    let home: Home
    let loop: EventLoop
    let limits: Limits
    let log: Log
    private let lock: HomeLock
    private let resolver: Resolver
    private let listeners: [Listener]
    private let local: Listener
    /// The accounts that stand in the home, in the order of their names.
    var accounts: [ServedAccount] = []
    /// Those who talk to the node on the local socket.
    var clients: [ObjectIdentifier: LocalClient] = [:]
    /// Sees to connections whose peers are not known yet.
    private(set) lazy var doorkeeper = Doorkeeper(on: loop, limits: limits, log: log) {
        [unowned self] channel, peer in admit(channel, peer)
    }
    private var signals: SignalWatch?
    private var failure: LocalFailure?
    private var isListening = false
    private(set) var isStopping = false

    /// Prepares a node on a home; it takes the home's lock, and the ports.
    package init(
        _ home: Home, listen addresses: [SocketAddress], limits: Limits = Limits(), log: Log = .standardError
    ) throws(LocalFailure) {
        // Which account is meant each client says for itself.
        (self.home, self.limits, self.log) = (home.of(nil), limits, log)
        LeftAccount.clear(in: home)
        let names = home.accounts()
        guard !names.isEmpty else { throw home.notInitialised }
        // One that can't even be read is no reason to take a port.
        if names.count == 1 { _ = try home.of(names[0]).credentials() }
        lock = try HomeLock(home)
        do {
            loop = try EventLoop()
            resolver = try Resolver(on: loop)
            _ = try OpenFileLimit.raise()
            local = try Listener(atUnix: home.socket, on: loop)
        } catch {
            throw LocalFailure(error, home)
        }
        var listeners: [Listener] = []
        for address in addresses { listeners.append(try Self.listen(at: address, on: loop)) }
        self.listeners = listeners
    }

    private static func listen(at address: SocketAddress, on loop: EventLoop) throws(LocalFailure) -> Listener
    {
        do {
            return try Listener(at: address, on: loop)
        } catch  where error.code == .addressInUse {
            throw LocalFailure(
                .portTaken,
                "Another program listens at \(address). Choose another port with `baton node --listen ADDRESS:PORT`."
            )
        } catch {
            throw LocalFailure(.failed, "This machine can't listen at \(address): \(error)")
        }
    }

    /// Runs until a signal or a failure ends it.
    package func run() throws(LocalFailure) {
        do {
            signals = try SignalWatch([.terminate, .interrupt], on: loop) { [unowned self] _ in stop() }
        } catch {
            throw LocalFailure(error, home)
        }
        takeUpAccounts()
        loop.run()
        if isStopping { _ = loop.run(until: loop.now + limits.closingTime, or: { isQuiet }) }
        for account in accounts { account.finish() }
        do {
            try local.close()
            for listener in listeners { try listener.close() }
        } catch {
            log.tell("a socket could not be removed: \(error)")
        }
        resolver.close()
        signals?.close()
        loop.close()
        if let failure { throw failure }
    }

    /// What its accounts have in common.
    var surroundings: ServedAccount.Surroundings {
        ServedAccount.Surroundings(
            loop: loop, resolver: resolver, limits: limits, addresses: listeners.compactMap(\.address))
    }

    /// Begins to take connections, once there is an account for which one can come.
    func startListening() {
        guard !isListening, !isStopping else { return }
        isListening = true
        do {
            for listener in listeners {
                let rate = RateLimit(
                    perSecond: limits.acceptsPerSecond, burst: limits.acceptsAtOnce, now: loop.now)
                try listener.start(
                    rate: rate, accepted: { [unowned self] in accept($0) },
                    troubled: { [log] in log.tell("\($0)") })
            }
            try local.start(
                accepted: { [unowned self] in acceptLocal($0) }, troubled: { [log] in log.tell("\($0)") })
        } catch {
            fail(LocalFailure(.failed, "The node can't start: \(error)"))
        }
    }

    func fail(_ failure: LocalFailure) {
        self.failure = self.failure ?? failure
        loop.stop()
    }

    /// Says goodbye to everyone, then ends; asked a second time, it ends at once.
    package func stop() {
        guard !isStopping else { return loop.stop() }
        isStopping = true
        log.tell("stopping")
        for account in accounts { account.stop() }
        for client in clients.values { client.connection.close() }
        loop.stop()
    }

    /// Whether everyone has heard the goodbye.
    private var isQuiet: Bool { accounts.allSatisfy(\.isQuiet) && clients.isEmpty }

    // MARK: Strangers

    private func accept(_ connection: StreamConnection) {
        guard !isStopping else { return connection.close() }
        doorkeeper.receive(connection)
    }

    /// Hands a channel whose peer has shown who it is to the account in whose name this side spoke; that is the account of
    /// the peer, or there is nobody to whom it could be handed.
    private func admit(_ channel: Channel, _ peer: Peer) {
        guard let account = accounts.compactMap(\.account).first(where: { $0.isAccount(of: channel) }) else {
            return channel.close()
        }
        switch peer {
        case .device(let identity) where identity.device != account.credentials.device:
            account.peers.adopt(channel, identity, isDialled: false)
        case .expired(let identity, let time) where identity.device != account.credentials.device:
            account.peers.adopt(channel, identity, expired: WallTime(seconds: time), isDialled: false)
        case .joiner:
            guard let invitation = account.reception.invitation else { return channel.close() }
            invitation.channel(channel, established: peer)
        case .device, .expired, .inviter:
            channel.close()
        }
    }
}

extension AccountNode {
    /// Whether this side spoke for this account on that channel.
    fileprivate func isAccount(of channel: Channel) -> Bool { channel.account == credentials.account }
}
