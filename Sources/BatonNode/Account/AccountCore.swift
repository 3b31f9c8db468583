import BatonCore
import BatonNetwork
import BatonSecurity

/// The owner of an account's core, which carries out the decisions of the core and of the account's parts.
protocol AccountOwner: AnyObject {
    /// Whether a connected device lacks changes that it had reported as durable earlier.
    var isSomeoneSetBack: Bool { get }
    /// Whether at least one device is connected, and all connected devices are in step with this device.
    var isInStep: Bool { get }

    /// Carries out the effects of the core and the outputs of the parts, until none is left.
    func carryOut()
}

/// The core of an account on this node: its identity, its settings, its store, and the state machine that decides what
/// this device writes.
///
/// All parts of the account use the core, and the core knows none of the parts. A part gives an event to the state
/// machine with `drive`, and then the owner carries out the effects. The object belongs to the loop's thread.
final class AccountCore {
    /// The folder of the account.
    let folder: String
    /// Options to print in advice to a person.
    ///
    /// `options` names this home and account; `accountOption` names only the account.
    let options, accountOption: String
    let store: StoreThreads
    let loop: EventLoop
    let limits: Limits
    let log: Log
    let identity: OwnIdentity
    /// Verifies the signatures of roster statements and of device records.
    ///
    /// Any thread may use the verifier.
    let verifier: RosterVerifier
    /// Reads and changes the settings of this machine.
    let settingsKeeper: SettingsKeeper
    /// The state machine that writes, reports, collects tombstones, settles and sweeps.
    private(set) var machine: Account
    /// The names of the account's devices.
    private(set) lazy var names = DeviceNames(of: self)
    /// The problems with the store and its disk.
    var troubles: StoreTroubles
    /// The lanes that can't claim further lives, because they already claim `Limits.laneOrigins` lives.
    private(set) var fullLanes: Set<Lane>
    /// Returns the kernel's statement about the clock; nil if the kernel does not say.
    let clockSynchronization: () -> ClockSynchronization?
    /// Carries out effects; nil until the account is complete.
    weak var owner: (any AccountOwner)?
    /// Whether the account has stopped, so that nothing new may begin.
    private(set) var isStopped = false
    /// The timer for the state machine's deadline.
    private let timer: OwnedTimer
    /// Whether the state machine's deadline may have changed since the timer was set.
    private var isTimerStale = true
    /// The line of store jobs for transactions of the present life.
    ///
    /// If a job fails, later jobs of the line fail, too, and are not performed.
    private(set) var ownWrites = StoreLine()
    /// The callbacks for the results of writes, called once a write was stored or has failed.
    private var waiting: [Writing.Ticket: (Result<StoreCommit, StoreFailure>) -> Void] = [:]
    private var generator = SystemRandomNumberGenerator()
    /// Decides when the log says that the disk refuses writes.
    private var refusedWrites: RefusedWrites

    /// The parts of the node that the account uses, and facts about its home.
    struct Surroundings {
        /// The folder of the account.
        let folder: String
        /// Options to print in advice to a person: the option that names this home and account, and the option that
        /// names only the account.
        let options, accountOption: String
        let store: StoreThreads
        let loop: EventLoop
        let limits: Limits
        let log: Log
        /// Returns the kernel's statement about the clock; nil if the kernel does not say.
        let clockSynchronization: () -> ClockSynchronization?
        /// The problems with the store that were found before the account was created.
        let troubles: StoreTroubles
    }

    init(
        _ credentials: Credentials, _ contents: AccountContents, _ door: InvitationDoor,
        in surroundings: Surroundings
    ) throws(SecurityError) {
        folder = surroundings.folder
        options = surroundings.options
        accountOption = surroundings.accountOption
        store = surroundings.store
        loop = surroundings.loop
        limits = surroundings.limits
        log = surroundings.log
        clockSynchronization = surroundings.clockSynchronization
        troubles = surroundings.troubles
        fullLanes = Set(
            Lane.allCases.filter {
                contents.summary.complete.restricted(to: $0).count >= Limits.laneOrigins
            })
        verifier = RosterVerifier(root: credentials.root)
        timer = OwnedTimer(on: loop)
        refusedWrites = RefusedWrites(limits)
        machine = try Account(
            credentials, contents, at: Clocks(wall: .now, steady: loop.instant), limits: limits, log: log)
        identity = try OwnIdentity(
            credentials, in: IdentityFolder(path: folder + "/identity"), door,
            knowing: machine.membership, store: store, log: log)
        settingsKeeper = SettingsKeeper(contents.settings.copy, in: SettingsFiles(folder: folder), store)
    }

    /// Stops the state machine.
    ///
    /// After this call, only effects that store what has already happened are carried out.
    func stop() {
        machine.stop()
        isStopped = true
        isTimerStale = true
        setTimer()
    }

    // MARK: Queries

    /// Queries the state machine in place.
    ///
    /// Parts of the state machine are large, and reading it through a property would copy them.
    func ask<Answer>(_ question: (inout Account) -> Answer) -> Answer { question(&machine) }

    /// The credentials of this device.
    var credentials: Credentials { identity.credentials }

    /// Seals and opens protected activities.
    var sealing: ActivitySealing { ActivitySealing(with: credentials.contentKey, options: options) }

    /// Seals and opens the items of protected indexes; nil while the content key is locked.
    var itemSealing: ItemSealing? { credentials.contentKey.map(ItemSealing.init) }

    /// Seals and opens the items of protected indexes; throws `.locked` while the content key is locked.
    func demandItemSealing() throws(LocalFailure) -> ItemSealing {
        guard let itemSealing else { throw locked("The protected content of this machine") }
        return itemSealing
    }

    /// The failure for something that needs the content key while it is locked.
    func locked(_ subject: String) -> LocalFailure { .locked(subject, options: options) }

    /// Returns the name under which an item is stored; throws `.locked` if only the content key tells it.
    func storedName(of name: ItemName) throws(LocalFailure) -> ItemName {
        name.isProtected ? try demandItemSealing().storedName(of: name) : name
    }

    /// Makes the drafts of changes of an index, whose content is sealed if the index is protected.
    func drafts(
        _ changes: [IndexChange], of index: ClientStateName
    ) throws(LocalFailure) -> [Journal.Draft] {
        guard index.isProtected else { return try IndexDrafts(index, at: .now).drafts(changes) }
        let sealing = try demandItemSealing()
        return try IndexDrafts(index, at: .now) { (change) throws(LocalFailure) in
            try sealing.seal(change, of: index)
        }.drafts(changes)
    }

    /// The members of the account, as far as this device knows.
    var membership: Membership { _read { yield machine.membership } }

    /// The journal, which names the writes of this device.
    var journal: Journal { machine.writing.journal }

    /// The settings of this machine.
    var settings: Settings { settingsKeeper.settings }

    /// Returns the name of a device.
    ///
    /// If other devices have the same name, part of the device's identifier follows.
    func name(of device: DeviceIdentifier) -> String { names.name(of: device) }

    /// Returns how much an app may have in its indexes.
    func quota(of app: String) -> Quota {
        Quota(app: app, items: Int(settings[.itemsPerApp]), bytes: Int(settings[.bytesPerApp]))
    }

    /// Returns the identifier of a new batch.
    func newBatch() -> BatchIdentifier { BatchIdentifier(value: generator.next()) }

    // MARK: Writing

    /// Names drafts, stores them as a transaction, and then sends the transaction to peers.
    func publish(
        _ drafts: [Journal.Draft], notes: [LocalNote] = [], then: @escaping (StoreFailure?) -> Void
    ) {
        write { result in
            switch result {
            case .failure(let failure): then(failure)
            case .success(let commit): then(commit.outranked.isEmpty ? nil : .outranked)
            }
        } naming: { journal in
            var transaction = journal.transaction(.activities, drafts, now: .now)
            transaction?.notes = notes
            return transaction
        }
    }

    /// Stores notes, which this device keeps for itself and sends to nobody.
    func keep(_ notes: [LocalNote], durably: Bool = false, then: @escaping (StoreFailure?) -> Void) {
        var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.notes = notes
        store.submit(to: .activities, durably: durably) { [transaction] (store) throws(StoreFailure) in
            _ = try store.commit(transaction)
        } then: { [self] result in
            guard case .failure(let failure) = result else { return then(nil) }
            troubles.recordFailure(failure)
            then(failure)
        }
    }

    /// Sends and stores the transaction that the closure returns.
    ///
    /// The write fails if the closure returns nil, because the transaction is too large to be sent.
    func write(
        durably: Bool = false, then: @escaping (Result<StoreCommit, StoreFailure>) -> Void,
        naming name: (inout Journal) -> StoreTransaction?
    ) {
        let ticket = drive { machine in
            let ticket = machine.writing.write(durably: durably, naming: name)
            if let ticket { waiting[ticket] = then }
            return ticket
        }
        if ticket == nil {
            then(.failure(Account.tooLarge))
        }
    }

    /// Reports the result of a write to the caller that waits for it.
    func answer(_ ticket: Writing.Ticket, _ result: Result<StoreCommit, StoreFailure>) {
        waiting.removeValue(forKey: ticket)?(result)
    }

    /// Names drafts of the index, stores them if the condition holds, and then sends them to peers.
    ///
    /// If the write is durable, it survives a power failure once `then` is called.
    func index(
        _ drafts: [Journal.Draft], condition: IndexCondition?, durably: Bool = false,
        then: @escaping (Result<StoreCommit, StoreFailure>) -> Void
    ) {
        write(durably: durably, then: then) { journal in
            var transaction = journal.transaction(.index, drafts, now: .now)
            transaction?.condition = condition
            return transaction
        }
    }

    /// Ends a staged batch.
    ///
    /// `count` is the number of the batch's drafts that were passed to the store.
    func end(
        _ batch: BatchIdentifier, count: Int, with state: Journal.Draft?, condition: IndexCondition,
        then: @escaping (Result<StoreCommit, StoreFailure>) -> Void
    ) {
        write(durably: true, then: then) { journal in
            var transaction = journal.ending(batch, count: count, with: state, now: .now)
            transaction?.condition = condition
            return transaction
        }
    }

    /// Begins a new line of store jobs for the transactions of a new life.
    func beginLine() { ownWrites = StoreLine() }

    /// Does the pending work of batches and clears in a lane, in small steps.
    func settle(_ lane: Lane) { drive { $0.settle(lane, at: loop.instant) } }

    // MARK: The disk

    /// Logs that the disk refused a write, unless the log says already that the disk refuses writes.
    func warnRefused(_ text: String) {
        if let line = refusedWrites.handleRefusal(text, at: loop.instant) { log.warn(line) }
    }

    /// Handles a commit that the store has stored.
    func handleKept(_ commit: StoreCommit, in lane: Lane) {
        troubles.recordFailure(nil)
        if let claimed = commit.complete?.count, claimed >= Limits.laneOrigins { fullLanes.insert(lane) }
        if let line = refusedWrites.handleKept(at: loop.instant) { log.tell(line) }
    }

    // MARK: Driving

    /// Applies the roster changes in a commit.
    ///
    /// Returns whether a device's standing may have changed.
    ///
    /// The effects are not carried out here. The caller first applies the consequences of the roster change.
    func learn(_ commit: StoreCommit) -> Bool {
        isTimerStale = true
        return machine.learn(commit.changed, verified: commit.verified, at: commit.clock, in: self)
    }

    /// Gives the state machine an event, and lets the owner carry out the effects.
    @discardableResult
    func drive<Value>(_ event: (inout Account) -> Value) -> Value {
        let value = event(&machine)
        isTimerStale = true
        carryOut()
        return value
    }

    /// Makes the owner carry out effects and outputs.
    ///
    /// A part calls this after it has added outputs.
    func carryOut() { owner?.carryOut() }

    /// Returns the next effect of the state machine.
    ///
    /// After the account has stopped, only effects that are allowed at the end are returned.
    func nextEffect() -> Account.Effect? {
        while let effect = machine.nextEffect() {
            if !isStopped || effect.isDoneWhileEnding { return effect }
        }
        return nil
    }

    /// Sets the timer for the state machine's deadline.
    ///
    /// This method is called for every message. It returns early in most cases, because most messages don't change the
    /// state machine.
    func setTimer() {
        guard isTimerStale else { return }
        isTimerStale = false
        let deadline = isStopped ? nil : machine.deadline.map(MonotonicTime.init)
        timer.follow(deadline) { [unowned self] in
            drive { $0.handleDeadline(in: self) }
        }
    }
}

extension AccountCore: AccountDriver {
    var isSomeoneSetBack: Bool { owner?.isSomeoneSetBack ?? false }

    var isInStep: Bool { owner?.isInStep ?? false }

    var keepingExpired: Duration? { .seconds(86_400 * settings[.expiredDays]) }

    var clocks: Clocks { Clocks(wall: .now, steady: loop.instant) }
}

extension Account {
    /// Creates the state machine of an account from the contents of its store.
    fileprivate init(
        _ credentials: Credentials, _ contents: AccountContents, at clocks: Clocks, limits: Limits, log: Log
    ) throws(SecurityError) {
        var written = contents.summary.complete
        written.join(contents.opening.toldAhead)
        self.init(
            in: Journal(
                life: contents.opening.life, latest: contents.opening.clock,
                after: contents.opening.sequences, signer: try DeviceKeySigner(credentials)),
            admitted: OwnIdentity.admission(of: credentials, log),
            knowing: contents.membership, keeping: contents.revocations.keys,
            lacking: contents.lostRevocations, by: RosterVerifier(root: credentials.root),
            havingWritten: written, reports: contents.summary.reports,
            quarantined: contents.quarantined, contacts: contents.contacts,
            keepingFinished: contents.settings.copy.settings[.finishedDays],
            at: clocks, limits: limits,
            drawingFrom: SystemRandomNumberGenerator())
    }
}
