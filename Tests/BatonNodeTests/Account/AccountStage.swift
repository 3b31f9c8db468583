import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore
import Support
import Testing

@testable import BatonNode

/// An account with its core and its store, without a node: the test owns the core, and runs the loop.
final class AccountStage: AccountOwner {
    let folder: TemporaryFolder
    let loop: EventLoop
    let core: AccountCore
    let contents: AccountContents
    let network: MachineNetwork
    private let lines: Lines
    /// The transactions that the core had stored.
    private(set) var kept: [StoreTransaction] = []
    /// Called for each commit of the store.
    var committed: (StoreCommit) -> Void = { _ in }
    var isSomeoneSetBack = false
    var isInStep = false
    private var isCarryingOut = false
    /// The activities of this device, once they are made.
    private weak var activities: OwnActivities?

    /// The lines of a log.
    private final class Lines { var all: [String] = [] }

    /// Makes an account, whose only device is this one, and opens its store.
    init(_ name: String = "own", limits: Limits = Limits()) throws {
        folder = try TemporaryFolder()
        let loop = try EventLoop()
        self.loop = loop
        let home = try RunningNode.home(folder)
        _ = try home.makeAccount(name: name)
        let credentials = try home.credentials()
        let witness = try Witness(home, credentials)
        let store = try StoreThreads(
            folder: home.account(), account: credentials.account, witness: witness,
            logBytes: limits.logBytes, claimTime: limits.claimTime, on: loop, restPause: limits.restPause,
            opened: { _ in }, rescuing: { _ in })
        var read: Result<AccountContents, StoreFailure>?
        let verifier = RosterVerifier(root: credentials.root)
        store.submitToAccount { [folder = home.account()] (store) throws(StoreFailure) in
            try AccountContents(store, of: credentials.device, by: verifier, witness, in: folder)
        } then: {
            read = $0
        }
        _ = loop.run(until: loop.now + .seconds(30), or: { read != nil })
        contents = try #require(read).get()
        let lines = Lines()
        self.lines = lines
        core = try AccountCore(
            credentials, contents, InvitationDoor(),
            in: AccountCore.Surroundings(
                folder: home.account(), options: "", accountOption: "", store: store, loop: loop,
                limits: limits, log: Log { lines.all.append($0) },
                clockSynchronization: { .synchronized },
                troubles: StoreTroubles(folder: home.account(), lacksChanges: false)))
        network = MachineNetwork(
            resolver: try HostResolver(on: loop), isOwn: { _ in false }, links: PresentLinks(on: loop))
        core.owner = self
    }

    deinit { core.store.finish() }

    var device: DeviceIdentifier { core.credentials.device }

    /// The lines that were logged.
    var logged: [String] { lines.all }

    /// Stores what the core writes, carries out what activities need, and ignores other effects.
    func carryOut() {
        guard !isCarryingOut else { return }
        isCarryingOut = true
        defer {
            isCarryingOut = false
            core.setTimer()
        }
        while let effect = core.nextEffect() {
            if case .activities(let effect) = effect { activities?.perform(effect) }
            guard case .writing(.keep(let transaction, let ticket, let isDurable)) = effect else { continue }
            kept.append(transaction)
            core.store.submit(to: transaction.lane, in: core.ownWrites, durably: isDurable) {
                (store) throws(StoreFailure) in
                try store.commit(transaction)
            } then: { [unowned self] result in
                switch result {
                case .success(let commit):
                    _ = core.learn(commit)
                    committed(commit)
                    core.drive { $0.handleKept(ticket, commit, in: core) }
                case .failure(let failure): core.drive { $0.handleFailure(failure, of: ticket, in: core) }
                }
                core.answer(ticket, result)
            }
        }
    }

    /// Runs the loop until a condition holds.
    func wait(
        for what: String, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool
    ) {
        let holds = loop.run(until: loop.now + .seconds(30), or: condition)
        #expect(holds, "awaited: \(what); logged: \(logged)", sourceLocation: sourceLocation)
    }

    /// Runs the loop until something answers, and returns the answer.
    func answer<Answer>(
        to what: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ ask: (@escaping (Answer) -> Void) throws -> Void
    ) throws -> Answer {
        var answer: Answer?
        try ask { answer = $0 }
        wait(for: what, sourceLocation: sourceLocation) { answer != nil }
        return try #require(answer, sourceLocation: sourceLocation)
    }

    // MARK: Parts

    /// Returns the search for other devices, of which none is known.
    func peers() -> Peers {
        Peers(
            own: SessionIdentity(
                account: core.credentials.account, device: device, name: core.credentials.deviceName, port: 1),
            startingWith: contents.summary.complete, routes: [], over: network, of: core)
    }

    /// Returns the parts that know activities, begun as at the start of a node.
    func activityParts() -> ActivityParts {
        let parts = ActivityParts(of: core, contents)
        activities = parts.own
        parts.start(contents, in: core, carrying: nil)
        committed = { parts.handleCommit($0, told: []) }
        return parts
    }

    /// Returns the directory of devices.
    func directory(_ peers: Peers) -> DeviceDirectory {
        DeviceDirectory(of: core, peers, keeping: revocationKeeper())
    }

    private func revocationKeeper() -> RevocationKeeper {
        RevocationKeeper(
            contents.revocations, in: RevocationFiles(folder: core.folder), core.store, on: loop,
            pause: core.limits.diskPause)
    }
}
