package import BatonCore
package import BatonNetwork
import BatonSecurity
import Glibc

/// A node: the process that holds the accounts of a device, talks to the other devices of each account, and serves
/// apps.
///
/// One thread runs the event loop, which owns everything here. The store of each account has two threads of its own.
/// This class owns the objects of which there is only one, however many accounts there are: the loop, the lock, the
/// ports with their doorkeeper, and the local socket. Everything else belongs to an account (`ServedAccount`).
package final class Node {
    let home: Home
    let loop: EventLoop
    let limits: Limits
    let log: Log
    private let lock: HomeLock
    private let resolver: HostResolver
    private let listeners: [Listener]
    /// The listeners to which apps and commands connect.
    private let local: [Listener]
    /// The accounts in the home, sorted by name.
    private(set) var accounts: [ServedAccount] = []
    /// The connections of apps and commands on the local socket.
    private(set) lazy var clients = LocalClients(of: self)
    /// Handles connections whose peers are not identified yet.
    private(set) lazy var doorkeeper = Doorkeeper(on: loop, limits: limits, log: log) {
        [unowned self] channel, peer in admit(channel, peer)
    }
    /// The hints that clients have already used.
    ///
    /// They must be remembered when the contexts of the accounts change.
    private let usedHints = UsedHints()
    private var signals: SignalWatch?
    /// Reports changes of this machine's addresses; nil if the system does not support it.
    private var network: NetworkWatch?
    /// The links to which this machine is connected.
    private lazy var links = PresentLinks(on: loop)
    /// Announces this machine on local networks; nil if the person has switched that off, or if it is not possible.
    private(set) var localNetworks: LocalNetworks?
    private let discovery: DiscoverySettings
    /// Returns the kernel's statement about the clock; nil if the kernel does not say.
    private let clockSynchronization: () -> ClockSynchronization?
    /// Reports that this machine woke up; nil if the system does not support it.
    private var sleep: WakeWatch?
    private var failure: LocalFailure?
    private var isListening = false
    private(set) var isStopping = false
    /// Whether a new run of this program is to replace this process once the node has stopped.
    private var isReplacing = false
    /// The service manager that started this process; nil if there is none.
    private let manager: ServiceManager?
    /// The time when the node was started, and the time when it was told to stop.
    private let began: MonotonicTime
    private var ending: MonotonicTime?

    /// Prepares a node for a home: takes the lock of the home, and opens the ports.
    ///
    /// A service manager may have opened sockets for this process. They are used in place of new sockets, both for the
    /// local socket and, if no address is named, for the usual port.
    package init(
        _ home: Home, listen addresses: [SocketAddress], discovery: DiscoverySettings = DiscoverySettings(),
        limits: Limits = Limits(),
        clockSynchronization: @escaping () -> ClockSynchronization? = { .now }, log: Log = .standardError
    ) throws(LocalFailure) {
        // The home of a node names no account, because each client says which account it means.
        self.home = home.of(nil)
        self.limits = limits
        self.log = log
        self.discovery = discovery
        self.clockSynchronization = clockSynchronization
        (manager, began) = (ServiceManager.takeFromEnvironment(), .now)
        LeftAccount.clear(in: home)
        let names = home.accounts()
        guard !names.isEmpty else { throw home.notInitialised }
        // If the only account can't be read, the node ends before it opens a port.
        if names.count == 1 { _ = try home.of(names[0]).credentials() }
        lock = try HomeLock(home)
        do {
            loop = try EventLoop()
            loop.calmed = FreedMemory.giveBack
            loop.alarmFailed = { [log] in log.warn("\($0) Timers still run, but may be late after a sleep.") }
            resolver = try HostResolver(on: loop)
            _ = try OpenFileLimit.raise()
        } catch {
            throw LocalFailure(error, home)
        }
        let passed = try NodeSockets(of: home, on: loop)
        local = try passed.local(of: home, on: loop)
        let missing = passed.ports.isEmpty && addresses.isEmpty ? [.any(port: Home.port)] : addresses
        let own = passed.isContinued && !passed.ports.isEmpty ? [] : missing
        var listeners = passed.ports
        for address in own { listeners.append(try Self.listen(at: address, on: loop)) }
        self.listeners = listeners
    }

    private static func listen(at address: SocketAddress, on loop: EventLoop) throws(LocalFailure) -> Listener
    {
        do {
            return try Listener(at: address, on: loop)
        } catch  where error.code == .addressInUse {
            throw LocalFailure(
                .portTaken,
                "Another program is already listening on \(address). Choose another port with `baton node --listen ADDRESS:PORT`."
            )
        } catch {
            throw LocalFailure(
                .failed,
                "This machine can't listen on \(address): \(error.reason).\n"
                    + "`--listen` takes an address of this machine, which `ip address` lists.")
        }
    }

    /// Runs the node until a signal or a failure ends it, or until it locks its accounts.
    ///
    /// In the last case, it returns the next run of the program, which the caller begins.
    package func run() throws(LocalFailure) -> NextRun? {
        do {
            signals = try SignalWatch([.terminate, .interrupt], on: loop) { [unowned self] signal in
                if !isStopping || isReplacing { log.tell("\(signal.words); stopping") }
                isReplacing = false
                stop()
            }
        } catch {
            throw LocalFailure(error, home)
        }
        watchNetwork()
        startDiscovery()
        takeUpAccounts()
        loop.run()
        if isStopping {
            let time = isReplacing ? limits.lockingTime : limits.closingTime
            _ = loop.run(until: loop.now + time, or: { isQuiet })
        }
        for account in accounts { account.finish() }
        if !isReplacing || failure != nil { closeSockets() }
        resolver.close()
        signals?.close()
        network?.close()
        localNetworks?.close()
        sleep?.close()
        loop.close()
        if let failure { throw failure }
        if let ending {
            let (took, ran) = (MonotonicTime.now - ending, ending - began)
            log.tell("stopped in \(took.spoken), after running for \(ran.spoken)")
        }
        return isReplacing ? NextRun(taking: listeners + local, of: home, telling: manager) : nil
    }

    /// Watches the network, and tells all accounts when this machine's addresses change.
    ///
    /// If the network can't be watched, lost connections are noticed later.
    private func watchNetwork() {
        do throws(NetworkError) {
            network = try NetworkWatch(on: loop) { [unowned self] change in handleChange(change) }
        } catch {
            log.warn("can't watch the network, so changes of it are noticed later: \(error)")
        }
        do throws(NetworkError) {
            sleep = try WakeWatch(on: loop) { [unowned self] length in
                log.tell("this machine slept for \(length.spoken)")
                // The machine may be on another network now, even if it has the same addresses.
                handleChange(NetworkWatch.Change())
                localNetworks?.handleWake()
            }
        } catch {
            log.warn("can't watch for sleep, so lost connections are noticed later: \(error)")
        }
    }

    /// Tells all accounts that the network has changed.
    private func handleChange(_ change: NetworkWatch.Change) {
        links.forget()
        localNetworks?.handleNetworkChange()
        for account in accounts { account.account?.peers.handleChange(change) }
    }

    /// Begins to announce this machine on local networks and to find other machines there, unless the person has
    /// switched that off.
    private func startDiscovery() {
        let addresses = surroundings.addresses
        guard discovery.isOn(listeningOn: addresses) else { return }
        do throws(NetworkError) {
            localNetworks = try LocalNetworks(
                discovery, listeningOn: addresses, on: loop, limits: limits, usualPort: Home.port,
                links: links
            ) { [log] in log.warn($0) }
        } catch {
            log.warn(
                "can't find machines on local networks, which are reached by known addresses only: \(error)")
        }
    }

    /// The reason why machines on local networks might not be found, in words; nil if there is none.
    var discoveryTrouble: String? {
        guard discovery.isOn else { return NodeStatus.discoveryOff }
        guard discovery.isOn(listeningOn: surroundings.addresses) else { return nil }
        guard let localNetworks else { return "not possible; the log says why" }
        return localNetworks.trouble.map {
            "\($0) Machines there are reached by known addresses only."
        }
    }

    /// Stops accepting connections.
    ///
    /// New connections wait in a socket that the service manager owns, or are refused.
    private func closeSockets() {
        do {
            for listener in local + listeners { try listener.close() }
        } catch {
            log.warn("could not remove a socket: \(error)")
        }
    }

    /// The parts of the node that its accounts share.
    var surroundings: ServedAccount.Surroundings {
        ServedAccount.Surroundings(
            loop: loop,
            network: MachineNetwork(
                resolver: resolver,
                isOwn: { [weak self] in self?.network?.addresses.contains($0) ?? false }, links: links),
            limits: limits, addresses: listeners.compactMap(\.address),
            clockSynchronization: clockSynchronization)
    }

    /// Begins to accept connections, once there is an account that can handle them.
    private func startListening() {
        guard !isListening, !isStopping else { return }
        isListening = true
        log.tell("Baton \(Build.version) starting in \(home.data), process \(getpid())")
        do {
            for listener in listeners {
                let rate = RateLimit(
                    perSecond: limits.acceptsPerSecond, burst: limits.acceptsAtOnce, now: loop.now)
                try listener.start(
                    rate: rate, accepted: { [unowned self] in accept($0) },
                    troubled: { [log] in log.warn("\($0)") })
            }
            for listener in local {
                try listener.start(
                    accepted: { [unowned self] in clients.accept($0) },
                    troubled: { [log] in log.warn("\($0)") })
            }
        } catch {
            fail(LocalFailure(.failed, "The node can't start: \(error)"))
        }
        tellManager { (manager) throws(NetworkError) in
            try manager.tellReady("listening on \(surroundings.listening)")
        }
    }

    /// Sends a message to the service manager that started this process.
    ///
    /// A failure is only logged. Its only consequence is that the manager waits too long or too briefly.
    private func tellManager(_ word: (ServiceManager) throws(NetworkError) -> Void) {
        guard let manager else { return }
        do throws(NetworkError) { try word(manager) } catch { log.warn("\(error)") }
    }

    private func fail(_ failure: LocalFailure) {
        self.failure = self.failure ?? failure
        loop.stop()
    }

    /// Ends all connections properly, and then ends the process.
    ///
    /// A second call ends the process at once.
    ///
    /// Clients that wait for an answer get it if it is ready before the closing time is over.
    package func stop() {
        guard !isStopping else { return loop.stop() }
        isStopping = true
        ending = .now
        if isReplacing {
            tellManager { (manager) throws(NetworkError) in try manager.tellStatus("locking") }
            for listener in local + listeners { listener.pause() }
        } else {
            tellManager { (manager) throws(NetworkError) in try manager.tellStopping() }
            closeSockets()
        }
        localNetworks?.close()
        for account in accounts { account.stop() }
        clients.closeOnceAnswered()
        loop.stop()
    }

    /// Ends all connections properly, and then replaces the process by a new run of this program.
    ///
    /// Nothing that is only in memory survives, so the content keys under a passphrase are gone. The listening sockets
    /// stay open, so no connection is refused.
    func replaceProcess() {
        guard !isStopping else { return }
        isReplacing = true
        stop()
    }

    /// Whether all connections have ended.
    private var isQuiet: Bool { accounts.allSatisfy(\.isQuiet) && clients.isEmpty }

    // MARK: Accounts

    /// Begins to serve the accounts of the home that are not served yet.
    ///
    /// When the node starts, these are all accounts. Later, they are accounts that were created or joined in the
    /// meantime.
    /// A command creates or joins an account only with files, in a folder that gets its final name when it is complete.
    /// Therefore, an account is never incomplete, even if a process is killed, and the node finds new accounts by
    /// listing the home.
    func takeUpAccounts() {
        guard !isStopping else { return }
        let served = Set(accounts.map(\.name))
        let new = home.accounts().filter { !served.contains($0) }
            .map { ServedAccount(home, $0, surroundings, log: log, of: self) }
        guard !new.isEmpty else { return }
        accounts = (accounts + new).sorted { $0.name < $1.name }
        for account in new { account.open() }
    }

    /// Returns the account that a client named.
    ///
    /// If the client named none, returns the default account.
    func account(named text: String?) throws(LocalFailure) -> ServedAccount {
        let named = try text.map { (text) throws(LocalFailure) in try AccountName(text) }
        // If there is an account with the usual name, it is the default, and the home need not be listed.
        if let account = find(named ?? .usual) { return account }
        takeUpAccounts()
        let home = home.of(named)
        let names = accounts.map(\.name)
        guard !names.isEmpty else { throw home.notInitialised }
        guard let account = find(home.meant(among: names)) else { throw home.unknownAccount(among: names) }
        return account
    }

    private func find(_ name: AccountName) -> ServedAccount? { accounts.first { $0.name == name } }

    /// The status of each account.
    private var accountStatus: [AccountStatus] {
        let usual = home.meant(among: accounts.map(\.name))
        return accounts.map { served in
            let others = served.account?.devices.statuses.others ?? []
            let devices = others.filter { $0.revocation == nil && !$0.hasLeft }
            return AccountStatus(
                name: served.name.text,
                isDefault: served.name == usual,
                account: served.credentials?.account, devices: served.account == nil ? 0 : devices.count + 1,
                connected: devices.count(where: \.isConnected), trouble: served.failure?.text)
        }
    }

    /// Lists all accounts.
    ///
    /// The answer comes once each account was opened, or could not be opened.
    func listAccounts(_: ListAccounts, _ answer: @escaping Answer<AccountsReply>) {
        takeUpAccounts()
        let opening = accounts.filter(\.isOpening)
        guard !opening.isEmpty else { return answer(.success(AccountsReply(accountStatus))) }
        var left = opening.count
        for account in opening {
            account.serve { [unowned self] _ in
                left -= 1
                if left == 0 { answer(.success(AccountsReply(accountStatus))) }
            }
        }
    }

    // MARK: Messages of accounts

    /// Called when an account is open and served, or was opened again.
    func accountOpened(_ account: ServedAccount) {
        startListening()
    }

    /// Called when an account can't be served, or can no longer be served.
    ///
    /// The account's `failure` has the reason.
    ///
    /// Other accounts are still served. If no account is left, the node fails.
    func accountFailed(_ account: ServedAccount) {
        // If the node stops while it opens an account, the stopped opening is no failure.
        guard let failure = account.failure, !isStopping else { return }
        guard accounts.contains(where: { $0.failure == nil || $0.triesAgain }) else { return fail(failure) }
        account.logOnce(failure)
        // The node listens anyway. Then a client that makes a call gets the reason.
        if account.triesAgain { startListening() }
    }

    /// Called when an account has closed all its files permanently.
    func accountClosed(_ account: ServedAccount) {
        accounts.removeAll { $0 === account }
        if accounts.isEmpty {
            log.tell("no account is left on this machine; stopping")
            stop()
        } else if let failure = accounts.first?.failure, accounts.allSatisfy({ $0.failure != nil }) {
            fail(failure)
        }
    }

    /// Makes new handshakes use the present TLS contexts of the accounts.
    ///
    /// Handshakes that have begun continue with the earlier contexts.
    func contextsChanged() {
        let contexts = accounts.compactMap(\.account?.core.identity.context)
        do throws(SecurityError) {
            doorkeeper.server = contexts.isEmpty ? nil : try TLSServer(contexts, usedHints: usedHints)
        } catch {
            // Without a context for the new accounts, the node must not continue with the old contexts.
            doorkeeper.server = nil
            log.warn("can't accept connections: \(error)")
        }
    }

    /// Returns the name of another served account with the same identifier; nil if there is none.
    func name(of identifier: AccountIdentifier, besides account: ServedAccount) -> AccountName? {
        accounts.first { $0 !== account && $0.credentials?.account == identifier && $0.isServedOrOpening }?
            .name
    }

    /// Returns the name of another account that has an open invitation; nil if there is none.
    func invites(besides account: ServedAccount) -> AccountName? {
        accounts.first { $0 !== account && $0.account?.reception.invitation != nil }?.name
    }

    // MARK: Strangers

    private func accept(_ connection: StreamConnection) {
        guard !isStopping else { return connection.close() }
        doorkeeper.receive(connection)
    }

    /// Passes a channel whose peer is identified now to an account.
    ///
    /// This is the account for which this side did the handshake. If there is none, the channel is closed.
    private func admit(_ channel: Channel, _ peer: Peer) {
        guard let account = accounts.compactMap(\.account).first(where: { $0.core.hasShaken(channel) }) else {
            return channel.close()
        }
        let own = account.core.credentials.device
        switch peer {
        case .device(let identity) where identity.device != own:
            account.admit(channel, identity, isDialled: false)
        case .expired(let identity, let time) where identity.device != own:
            account.admit(channel, identity, expired: WallTime(seconds: time), isDialled: false)
        case .joiner:
            guard let invitation = account.reception.invitation else { return channel.close() }
            invitation.channel(channel, established: peer)
        case .device, .expired, .inviter:
            channel.close()
        }
    }
}

extension AccountCore {
    /// Whether the handshake of a channel was done for this account.
    fileprivate func hasShaken(_ channel: Channel) -> Bool { channel.account == credentials.account }
}
