import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// An account in the home, with everything that belongs only to this account: its keys, its store and the store's
/// threads, its peers, its searches and its backups.
///
/// Accounts share only the loop, the ports and the local socket, which belong to the node. A failure of one account
/// does not affect the other accounts. The object belongs to the loop's thread.
final class ServedAccount {
    let name: AccountName
    /// The home, with this account selected.
    let home: Home
    /// The parts of the node that its accounts share.
    let surroundings: Surroundings
    let log: Log
    private(set) unowned var node: Node
    var state = State.closed
    /// The identity of this device in the account; nil until it was read.
    var credentials: Credentials?
    var store: StoreThreads?
    var search: SearchThread?
    /// The running account, which talks to the other devices; nil while the account is not served.
    var account: AccountNode?
    var backups: Backups?
    /// The number of stores that were opened so far.
    ///
    /// By this number, late reports of an earlier store are recognised and ignored.
    var opening = 0
    /// Whether opening the store is tried again after a while, because the disk may allow it then.
    private(set) var triesAgain = false
    /// The timer for the next attempt to open the store, or to make it writable.
    private let diskTimer: OwnedTimer
    /// The failure that was logged last.
    ///
    /// It is not logged again after each attempt.
    private var loggedFailure: String?
    /// The number of stores that are being closed.
    var closing = 0
    /// The rescues of lanes that happened before the contents of the account were read.
    var rescues: [LaneRescue] = []
    /// The paths of the files that a restored backup has replaced; nil if no backup was restored.
    var replaced: [String]?
    /// Earlier states of the account that are still closing their connections.
    var parting: [(account: AccountNode, search: SearchThread?)] = []

    /// The parts of the node that exist only once.
    struct Surroundings {
        let loop: EventLoop
        let network: MachineNetwork
        let limits: Limits
        /// The addresses on which the node listens.
        let addresses: [SocketAddress]

        /// Returns the kernel's statement about the clock; nil if the kernel does not say.
        let clockSynchronization: () -> ClockSynchronization?

        /// Returns the addresses that a person can type on another machine to reach this node, best first.
        func reachable(_ log: Log) -> [SocketAddress] {
            do throws(NetworkError) {
                let hosts = addresses.contains(where: \.isAny) ? try LocalAddresses.reachable() : []
                return addresses.flatMap { address in
                    guard address.isAny else { return [address] }
                    return hosts.filter { $0.isVersion4 || !address.host.isVersion4 }
                        .map { SocketAddress(host: $0, port: address.port) }
                }
            } catch {
                log.warn("\(error)")
                return addresses.filter { !$0.isAny }
            }
        }

        /// The addresses on which the node listens, in words for people.
        var listening: String { addresses.map(\.description).joined(separator: ", ") }
    }

    /// The state of the account.
    enum State {
        /// The store of the account is being opened.
        case opening(waiting: [Requests.Waiting])
        /// The account is served.
        case open(Requests)
        /// Another state is replacing the state that was served.
        case replacing(Replacement)
        /// The account can't be served, for this reason.
        case failed(LocalFailure)
        /// The account is not open yet, is being closed, or is closed permanently.
        case closed

        /// The apps and activities to carry over from the earlier state while a backup is being restored; nil
        /// otherwise.
        var carried: CarriedApps? {
            if case .replacing(let replacement) = self { replacement.carried } else { nil }
        }
    }

    init(
        _ home: Home, _ name: AccountName, _ surroundings: Surroundings, log: Log,
        of node: Node
    ) {
        self.name = name
        self.home = home.of(name)
        self.surroundings = surroundings
        self.node = node
        // Most people have only one account. Its name need not be in every line.
        self.log = name == .usual ? log : log.prefixed("\(name): ")
        diskTimer = OwnedTimer(on: surroundings.loop)
    }

    var loop: EventLoop { surroundings.loop }
    var limits: Limits { surroundings.limits }

    // MARK: Requests

    /// Makes a waiting call.
    ///
    /// If the account is not open yet, the call is made once it is open.
    func serve(_ call: @escaping Requests.Waiting) {
        switch state {
        case .open(let requests): call(.success(requests))
        case .opening(let waiting): state = .opening(waiting: waiting + [call])
        case .replacing(var replacement):
            replacement.waiting.append(call)
            state = .replacing(replacement)
        case .failed(let failure): call(.failure(failure))
        case .closed:
            call(
                .failure(
                    LocalFailure(.unknownAccount, "The account “\(name)” is no longer on this machine.")))
        }
    }

    /// Presents another certificate to the other devices of the account from now on.
    ///
    /// Connections that are open stay open.
    func credentialsChanged() {
        if let account { credentials = account.core.credentials }
        node.contextsChanged()
    }

    /// Logs why the account can't be served, unless the same failure was logged last.
    func logOnce(_ failure: LocalFailure) {
        if loggedFailure != failure.text { log.warn("can't open the account: \(failure)") }
        loggedFailure = failure.text
    }

    // MARK: Queries

    /// Whether the account is being opened or its state is being replaced.
    ///
    /// The outcome is not known yet.
    var isOpening: Bool {
        switch state {
        case .opening, .replacing: true
        case .open, .failed, .closed: false
        }
    }

    /// Whether the account is served, or may be served soon.
    var isServedOrOpening: Bool {
        switch state {
        case .opening, .open, .replacing: true
        case .failed, .closed: false
        }
    }

    /// The reason why the account is not served; nil if the account is served, or may be served soon.
    var failure: LocalFailure? { if case .failed(let failure) = state { failure } else { nil } }

    /// Whether all connections have ended.
    var isQuiet: Bool {
        (account?.peers.isQuiet ?? true) && parting.allSatisfy(\.account.peers.isQuiet)
    }

    /// The reason why machines on local networks might not be found, in words; nil if there is none.
    var discoveryTrouble: String? { node.discoveryTrouble }

    // MARK: Opening

    /// Reads the identity of this device, and opens the store.
    ///
    /// The node is told the outcome.
    ///
    /// The keys are a few small files. They are read on the loop's thread when the node starts, or when a person adds
    /// an account.
    func open() {
        state = .opening(waiting: [])
        // The store of an earlier attempt may still be being closed. Opening waits for that.
        if closing == 0 { begin() }
    }

    func begin() {
        do throws(LocalFailure) {
            finishLockChange()
            let credentials = try home.credentials()
            if let other = node.name(of: credentials.account, besides: self) {
                throw LocalFailure(
                    .failed,
                    "“\(name)” is the same account as “\(other)”, and can't be opened under both names. "
                        + "Move one of the folders \(home.account()) and \(home.of(other).account()) away."
                )
            }
            self.credentials = credentials
            do throws(NetworkError) { try openStore() } catch { throw LocalFailure(error, home) }
        } catch {
            fail(error)
        }
    }

    /// Removes a plain content key that an interrupted change of the passphrase has left.
    private func finishLockChange() {
        do throws(SecurityError) {
            try IdentityFolder(path: home.identity()).finishLockChange()
        } catch {
            // If the identity can't be read at all, reading it fails next, and says so.
            log.warn("can't remove the content key that an interrupted change has left: \(error.message)")
        }
    }

    /// Opens the store in the account's folder, whichever state is there.
    func openStore() throws(NetworkError) {
        guard let credentials else { preconditionFailure("the credentials are read first") }
        let witness = try Witness(home, credentials)
        if let trouble = home.witnessTrouble {
            log.warn("\(trouble) Until then, every start of the node begins a new life of its journal.")
        }
        opening += 1
        let store = try StoreThreads(
            folder: home.account(), account: credentials.account, witness: witness,
            logBytes: limits.logBytes, claimTime: limits.claimTime, on: loop,
            restPause: limits.restPause
        ) { [weak self, opening] result in
            guard let self, self.opening == opening else { return }
            switch result {
            case .success(let opening):
                search?.reopen()
                if let replaced = opening.replaced { self.replaced = replaced }
                opening.removed?.tell(log)
                if opening.isReadOnly { reopenLater() }
                if opening.wasReadOnly { log.tell("the disk of the account “\(name)” is writable again") }
                if let account { account.handleOpening(opening) } else { rescues += opening.rescues }
            case .failure(let failure): failOpening(failure)
            }
        } rescuing: { [log] progress in
            log.tell(StoreTroubles.text(progress))
        }
        self.store = store
        readContents(of: store, witness)
    }

    /// Stops serving the account.
    ///
    /// If the disk is full or can't be written, opening is tried again after a while.
    private func failOpening(_ failure: StoreFailure) {
        triesAgain = failure.code == .full || failure.code == .readOnly
        fail(LocalFailure(opening: failure, home))
        guard triesAgain else { return }
        diskTimer.set(after: limits.diskPause) { [unowned self] in
            if triesAgain, self.failure != nil { open() }
        }
    }

    /// Plans to open a read-only store for writing, once its disk allows it.
    private func reopenLater() {
        diskTimer.set(after: limits.diskPause) { [unowned self, opening] in reopen(opening) }
    }

    private func reopen(_ opening: Int) {
        guard self.opening == opening, let store else { return }
        store.reopen { [weak self] result in
            guard let self, self.opening == opening else { return }
            switch result {
            case .done: break
            case .postponed: reopenLater()
            case .failed:
                // SQLite allows no connection of the process to write while an older reader is open. Therefore, the
                // search thread is ended.
                search?.finish()
                reopenLater()
            }
        }
    }

    /// The largest number of attempts to read the contents while damage is found.
    ///
    /// There is one attempt more than the largest number of rescues.
    private static var readingAttemptsMost: Int { StoreHolder.rescuesMost + 1 }

    private func readContents(of store: StoreThreads, _ witness: Witness, attempt: Int = 1) {
        guard let credentials else { return }
        let (device, verifier) = (credentials.device, RosterVerifier(root: credentials.root))
        store.submitToAccount { [folder = home.account()] (store) throws(StoreFailure) in
            try AccountContents(store, of: device, by: verifier, witness, in: folder)
        } then: { [self, opening] result in
            guard self.opening == opening, isOpening else { return }
            switch result {
            case .success(let contents): serve(contents, store)
            // The damaged lane has been rescued. Therefore, the contents are read again. This may find damage in the
            // other lane.
            case .failure(let failure) where failure.code == .damaged && attempt < Self.readingAttemptsMost:
                readContents(of: store, witness, attempt: attempt + 1)
            case .failure(let failure): failOpening(failure)
            }
        }
    }

    private func serve(_ contents: AccountContents, _ store: StoreThreads) {
        guard let credentials else { return }
        let lacksChanges = contents.opening.lacksChanges && replaced == nil
        let search = SearchThread(
            folder: home.account(), store: store, on: loop, restPause: limits.restPause, log: log)
        let account: AccountNode
        do {
            account = try AccountNode(
                credentials, contents, search: search,
                port: surroundings.addresses.first?.port ?? Home.port, over: surroundings.network,
                in: AccountCore.Surroundings(
                    folder: home.account(), options: home.option + home.accountOption,
                    accountOption: home.accountOption, store: store, loop: loop, limits: limits, log: log,
                    clockSynchronization: surroundings.clockSynchronization,
                    troubles: StoreTroubles(
                        folder: home.account(), lacksChanges: lacksChanges,
                        restoration: contents.restoration)))
        } catch {
            return fail(LocalFailure(.failed, "The account “\(name)” can't be opened: \(error)"))
        }
        account.host = self
        self.account = account
        self.search = search
        (triesAgain, loggedFailure) = (false, nil)
        tellTroubles(of: account, contents, lacksChanges: lacksChanges)
        let backups = self.backups ?? Backups(of: self, credentials, in: home.account(), on: loop, log)
        self.backups = backups
        let requests = Requests(host: self, account: account, backups: backups)
        let before = state
        state = .open(requests)
        node.contextsChanged()
        if case .replacing(let replacement) = before { replacement.goOn(with: requests) }
        account.start(carrying: before.carried)
        announce()
        search.fill()
        switch before {
        case .opening(let waiting):
            node.accountOpened(self)
            tellOpened(account, contents, credentials)
            for call in waiting { serve(call) }
        case .replacing(let replacement): end(replacement)
        case .open, .failed, .closed: preconditionFailure("only an account that is opening becomes open")
        }
    }

    /// Logs the problems of an account that was opened.
    private func tellTroubles(of account: AccountNode, _ contents: AccountContents, lacksChanges: Bool) {
        if let trouble = DiskTrouble(of: home.account()) {
            let failure = StoreFailure(trouble.code, "detected when the node started")
            account.core.troubles.recordFailure(failure)
            log.warn("trouble: \(account.core.troubles.texts.last ?? failure.text)")
        }
        account.recordRescues(rescues)
        if let failure = contents.settings.failure { log.warn("can't save the settings: \(failure)") }
        if let trouble = AccountTroubles(of: account.core).ofSettings { log.warn("trouble: \(trouble)") }
        if let replaced {
            log.tell(
                "a backup was restored; the previous data is kept in \(replaced.joined(separator: " and "))"
            )
        }
        if lacksChanges, rescues.isEmpty { log.warn("trouble: \(StoreTroubles.setBackText)") }
    }

    /// Logs that an account was opened, and how many devices and activities it has.
    private func tellOpened(_ account: AccountNode, _ contents: AccountContents, _ credentials: Credentials) {
        let devices = account.devices.statuses.others.count { $0.revocation == nil && $0.removed == nil }
        let (others, activities) = (devices == 1 ? "device" : "devices", contents.activities.count)
        log.tell(
            "account \(credentials.account.short): \(devices) other \(others), "
                + "\(activities) \(activities == 1 ? "activity" : "activities")")
        log.tell(
            "“\(credentials.deviceName)” (\(credentials.device.short)) is listening on \(surroundings.listening)"
        )
    }
}

extension ServedAccount: AccountNodeHost {
    func presenceChanged() { announce() }

    func deviceLost() { node.localNetworks?.handleLoss() }
}

extension ServedAccount: AccountHost {
    var listening: String { surroundings.listening }

    var reachable: [SocketAddress] { surroundings.reachable(log) }

    var otherInvitation: (name: AccountName, options: String)? {
        node.invites(besides: self).map { ($0, home.option + home.of($0).accountOption) }
    }

    func lock() { loop.afterTurn { [node] in node.replaceProcess() } }

    func hasReplaced(_ account: AccountNode) -> Bool { self.account !== account && isServedOrOpening }
}

extension ServedAccount: BackupOwner {
    func recordedName(of device: DeviceIdentifier) -> String? { account?.devices.recorded(device) }
}
