package import BatonCore
package import BatonNetwork
import BatonSecurity
import BatonStore
import Glibc

/// A node: the process on a device that keeps its account, talks to the other devices, and serves apps.
///
/// One thread runs the event loop that owns everything here; the store has two threads of its own.
package final class Node {
    let home: Home
    let loop: EventLoop
    let limits: Limits
    let log: Log
    private let lock: HomeLock
    let credentials: Credentials
    private let resolver: Resolver
    private let listeners: [Listener]
    private let local: Listener
    private(set) var store: StoreThreads?
    /// What was rescued before the account was read.
    var rescues: [LaneRescue] = []
    var search: Search?
    var account: AccountNode?
    var requests: Requests?
    private lazy var backups = Backups(self)
    /// What waits for a backup to take the place of the store; nothing unless that is under way.
    var replacement: Replacement?
    /// What was set aside because a backup has taken its place.
    var replaced: [String]?
    /// Accounts that still say goodbye.
    var parting: [(account: AccountNode, search: Search?)] = []
    private var localConnections: [ObjectIdentifier: LocalConnection] = [:]
    /// What each of them has begun.
    private(set) var sessions: [ObjectIdentifier: AppSession] = [:]
    /// Sees to connections whose peers are not known yet.
    private lazy var doorkeeper = Doorkeeper(on: loop, limits: limits, log: log) {
        [unowned self] channel, peer in admit(channel, peer)
    }
    private var signals: SignalWatch?
    private var failure: LocalFailure?
    var isStopping = false

    /// Prepares a node on a home; it takes the home's lock, and the ports.
    package init(
        _ home: Home, listen addresses: [SocketAddress], limits: Limits = Limits(), log: Log = .standardError
    ) throws(LocalFailure) {
        (self.home, self.limits, self.log) = (home, limits, log)
        credentials = try home.credentials()
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
            try openStore()
        } catch {
            throw LocalFailure(error, home)
        }
        loop.run()
        if isStopping { _ = loop.run(until: loop.now + limits.closingTime, or: { isQuiet }) }
        backups.finish()
        search?.finish()
        store?.finish()
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

    // MARK: Starting

    func openStore() throws(NetworkError) {
        let witness = try Witness(home, credentials)
        let store = try StoreThreads(
            folder: home.account(), account: credentials.account, witness: witness, on: loop
        ) {
            [unowned self] result in
            switch result {
            case .success(let opening):
                search?.reopen()
                if let replaced = opening.replaced { self.replaced = replaced }
                if let account { account.handle(opening) } else { rescues += opening.rescues }
            case .failure(let failure): fail(LocalFailure(opening: failure, home))
            }
        }
        self.store = store
        readContents(of: store, witness)
    }

    private func readContents(of store: StoreThreads, _ witness: Witness, again isAgain: Bool = false) {
        store.submitToAccount { (store) throws(StoreFailure) in
            try AccountNode.Contents(store, witness)
        } then: { [unowned self] result in
            switch result {
            case .success(let contents): open(contents, store)
            // What was to be read is rescued by now.
            case .failure(let failure) where failure.code == .damaged && !isAgain:
                readContents(of: store, witness, again: true)
            case .failure(let failure): fail(LocalFailure(opening: failure, home))
            }
        }
    }

    private func open(_ contents: AccountNode.Contents, _ store: StoreThreads) {
        // What another state was to be opened for may be over by now.
        guard !isStopping else { return }
        let addresses = listeners.compactMap(\.address)
        do {
            let account = try AccountNode(
                credentials, store: store, contents: contents, port: addresses.first?.port ?? Home.port,
                resolver: resolver, on: loop, limits: limits, log: log)
            let lacksChanges = contents.opening.lacksChanges && replaced == nil
            account.storeTroubles = StoreTroubles(folder: home.account(), lacksChanges: lacksChanges)
            self.account = account
            doorkeeper.server = try TLSServer([account.context])
            account.note(rescues)
            if let replaced {
                log.tell(
                    "a backup was put back; what was here before is \(replaced.joined(separator: " and "))")
            }
            if lacksChanges, rescues.isEmpty {
                log.tell("trouble: \(StoreTroubles.setBackText)")
            }
            let listening = addresses.map(\.description).joined(separator: ", ")
            let search = Search(folder: home.account(), store: store, on: loop, log: log)
            self.search = search
            requests = Requests(
                account: account, search: search, backups: backups, listening: listening, log: log)
            account.start()
            search.fill()
            guard replacement == nil else { return endReplacement() }
            for listener in listeners {
                let rate = RateLimit(
                    perSecond: limits.acceptsPerSecond, burst: limits.acceptsAtOnce, now: loop.now)
                try listener.start(
                    rate: rate, accepted: { [unowned self] in accept($0) },
                    troubled: { [log] in log.tell("\($0)") })
            }
            try local.start(
                accepted: { [unowned self] in acceptLocal($0) }, troubled: { [log] in log.tell("\($0)") })
            log.tell("“\(credentials.deviceName)” (\(credentials.device.short)) is listening on \(listening)")
            StartingCode.letGo()
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
        account?.stop()
        for connection in localConnections.values { connection.close() }
        loop.stop()
    }

    /// Whether everyone has heard the goodbye.
    private var isQuiet: Bool {
        (account?.peers.isQuiet ?? true) && parting.allSatisfy(\.account.peers.isQuiet)
            && localConnections.isEmpty
    }

    // MARK: Strangers

    private func accept(_ connection: StreamConnection) {
        guard account != nil, !isStopping else { return connection.close() }
        doorkeeper.receive(connection)
    }

    /// Takes over a channel whose peer has shown who it is.
    private func admit(_ channel: Channel, _ peer: Peer) {
        guard let account else { return channel.close() }
        switch peer {
        case .device(let identity) where identity.device != credentials.device:
            account.peers.adopt(channel, identity, isDialled: false)
        case .joiner:
            guard let invitation = account.reception.invitation else { return channel.close() }
            invitation.channel(channel, established: peer)
        case .device, .inviter:
            channel.close()
        }
    }

    // MARK: Apps and commands

    /// Answers a request, at once or when there is a state to ask.
    func handle(
        _ request: LocalRequest, of session: AppSession, _ answer: @escaping (LocalAnswer) -> Void
    ) {
        if let requests { return session.handle(request, by: requests, answer) }
        replacement?.requests.append((request, session, answer))
    }

    private func acceptLocal(_ connection: StreamConnection) {
        guard connection.unixPeer?.userID == UnixPeer.ownUserID,
            localConnections.count < limits.localConnections,
            requests != nil || replacement != nil
        else { return connection.close() }
        let session = AppSession()
        let local = LocalConnection(connection, on: loop, limits: limits, log: log) {
            [unowned self] request, answer in handle(request, of: session, answer)
        }
        let identifier = ObjectIdentifier(local)
        (localConnections[identifier], sessions[identifier]) = (local, session)
        do {
            try local.start { [unowned self] in
                (localConnections[identifier], sessions[identifier]) = (nil, nil)
                session.close()
            }
        } catch {
            (localConnections[identifier], sessions[identifier]) = (nil, nil)
            log.tell("a local connection could not be taken: \(error)")
        }
    }
}
