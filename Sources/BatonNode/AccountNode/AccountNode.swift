import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// The owner of an account on the node, which is called when a change concerns other parts of the node.
protocol AccountNodeHost: AnyObject {
    /// Called when this device shows another certificate from now on.
    func credentialsChanged()
    /// Called when the set of devices to look for on local networks, or the open invitation, has changed.
    func presenceChanged()
    /// Called when a device is no longer connected.
    func deviceLost()
}

/// One account on this node: its core, its peers, its devices, its activities and its searches.
///
/// The parts know the core and the parts below them, and no part knows this object. It carries out what they decide:
/// the effects of the core's state machine, and the outputs of the links and of this device's activities. Two accounts
/// on a node share the loop and the port, and nothing else. The object belongs to the loop's thread.
final class AccountNode {
    let core: AccountCore
    /// The other devices: the links to those that are connected, and the search for those that are not.
    let peers: Peers
    /// The devices of the account, for people.
    let devices: DeviceDirectory
    /// The last changes that other devices made.
    let changes: DeviceChanges
    /// Renews certificates, this device's and those of others.
    let renewal: CertificateRenewal
    /// Leaves the account, if the person wants that.
    let leaving: Leaving
    let activityParts: ActivityParts
    /// Streams between apps of this device and of others.
    let streams: AccountStreams
    let searches: AccountSearches
    /// The requests to apps to index again.
    let reindexing: Reindexing
    /// Tries addresses for a person who asks why a device can't be reached.
    let probes: Probes
    /// Lets machines into the account.
    private(set) lazy var reception = Reception(
        { [core] in core.credentials },
        name: { [core] in core.names.recordedName(of: core.credentials.device) }, door: door, on: core.loop,
        limits: core.limits, log: core.log, options: core.options,
        refusal: { [unowned self] in pairingRefusal(of: $0) },
        changed: { [unowned self] in host?.presenceChanged() }
    ) { [core] admission, then in core.publish([Journal.Draft(admission)], then: then) }

    weak var host: (any AccountNodeHost)?
    /// The contents of the store when it was opened, without the parts that the state machine holds now.
    private let contents: AccountContents
    private let door: InvitationDoor
    /// Keeps the revocations beside the database.
    private let revocationKeeper: RevocationKeeper
    private let revocationLog: RevocationLog
    /// Erases removed content from the files of the store.
    private let erasing: StoreErasing
    /// Whether effects and outputs are being carried out.
    private var isCarryingOut = false
    /// Whether another device has shown, since this process started, that the home is an older copy.
    private var isOlderCopyKnown = false

    init(
        _ credentials: Credentials, _ contents: AccountContents, search: SearchThread, port: UInt16,
        over network: MachineNetwork, in surroundings: AccountCore.Surroundings
    ) throws(SecurityError) {
        door = InvitationDoor()
        self.contents = contents.withoutMembership
        let core = try AccountCore(credentials, contents, door, in: surroundings)
        self.core = core
        peers = Peers(
            own: SessionIdentity(
                account: credentials.account, device: credentials.device, name: credentials.deviceName,
                port: port),
            startingWith: contents.summary.complete, routes: contents.addresses, over: network, of: core)
        revocationKeeper = RevocationKeeper(
            contents.revocations, in: RevocationFiles(folder: core.folder), core.store, on: core.loop,
            pause: core.limits.diskPause)
        devices = DeviceDirectory(of: core, peers, keeping: revocationKeeper)
        changes = DeviceChanges(of: core, contents.changes)
        revocationLog = RevocationLog(of: core, devices, changes)
        renewal = CertificateRenewal(
            on: core.loop, limits: core.limits, log: core.log, options: core.options, owner: core)
        leaving = Leaving(core, devices, peers)
        let parts = ActivityParts(of: core, contents)
        activityParts = parts
        streams = AccountStreams(of: core, peers, parts.own, parts.all)
        searches = AccountSearches(
            search, SearchView(of: core, devices, parts.own, parts.all), of: core, parts.own)
        reindexing = Reindexing(contents.reindex, store: core.store)
        probes = Probes(over: network, of: core, peers)
        erasing = StoreErasing(
            core.store, in: core.folder, on: core.loop, limits: core.limits, log: core.log,
            forgetGone: { parts.suggested.forgetGone() }
        ) { keys, then in
            core.index(keys.map { Journal.Draft(.deletion, $0) }, condition: nil) { result in
                switch result {
                case .success: then(nil)
                case .failure(let failure): then(failure)
                }
            }
        }
        core.owner = self
        core.identity.changed = { [unowned self] in handleOtherIdentity() }
    }

    /// Restores this device's activities, enters this device in the roster if it is the first, and dials the others.
    ///
    /// Activities and waiting calls that connected apps began before the store was replaced continue.
    func start(carrying carried: CarriedApps? = nil) {
        activityParts.start(contents, in: core, carrying: carried)
        for path in contents.revocations.damaged {
            core.log.warn(
                "\(path) can't be read, and is rewritten; revocations that only this file had are lost")
        }
        keepRevocations()
        revocationLog.start()
        renewal.start()
        erasing.start()
        peers.holdsIndex = core.settings.isPrivate
        peers.start()
        core.drive { $0.start(isFirst: FirstDevice(folder: core.folder).isHere, in: core) }
    }

    /// Closes all connections with this reason; the store's threads are left to the owner.
    func stop(_ reason: CloseReason = CloseReason(.goingAway, "the node is stopping")) {
        core.stop()
        // The last writes of activities must go out before the links end.
        activityParts.stop()
        probes.stop()
        searches.close()
        peers.stop(reason)
        renewal.stop()
        revocationKeeper.stop()
        erasing.close()
        leaving.stop()
        reception.close()
        activityParts.watching.close()
    }

    // MARK: Queries

    /// The activities of this device.
    var activities: OwnActivities { activityParts.own }

    /// The activities of all devices.
    var allActivities: AllActivities { activityParts.all }

    /// Learns what the person uses here, and suggests what comes next.
    var suggested: SuggestedActivities { activityParts.suggested }

    /// Tells watchers about changes of the activity list.
    var watching: ActivityWatchers { activityParts.watching }

    /// The apps that continue activities.
    var registry: AppRegistry { activityParts.registry }

    /// The parts with which activities are found and continued.
    var fetchSources: ActivityFetch.Sources {
        ActivityFetch.Sources(
            account: core, peers: peers, registry: registry, activities: activities,
            allActivities: allActivities)
    }

    /// The problems that a person should know of, in words.
    var troubles: [String] {
        let troubles = AccountTroubles(of: core, refusals: peers.refusals)
        return troubles.ofMachine + renewal.troubles + activityParts.count.troubles + troubles.ofData
    }

    /// Returns the reason why this device may not admit that joiner, or, for nil, any joiner.
    ///
    /// The reason comes from the roster, or from a member that turned this device away since the node started and has
    /// not let it in since. A revoked device is sent no statements, so it may learn of its revocation in no other way.
    private func pairingRefusal(of joiner: DeviceIdentifier?) -> PairingRefusal? {
        guard devices.countingAuthority != nil,
            AccountTroubles(of: core, refusals: peers.refusals).ofRoster == nil
        else { return .inviterRevoked }
        return joiner.map(core.membership.isRevoked) ?? false ? .joinerRevoked : nil
    }

    // MARK: Settings and identity

    private func handleOtherIdentity() {
        peers.use(core.identity.context)
        host?.credentialsChanged()
        core.drive { $0.use(OwnIdentity.admission(of: core.credentials, core.log), in: core) }
    }

    /// Applies a setting that was changed.
    func apply(_ setting: Setting) {
        switch setting {
        case .private:
            // The index is withheld first, so that no link reads more of it before the rest is applied.
            peers.holdsIndex = core.settings.isPrivate
            activities.set(isPrivate: core.settings.isPrivate)
            if core.settings.isPrivate { peers.withholdStreams() }
        case .finishedDays: activities.set(finishedDays: core.settings[.finishedDays])
        // These settings are read each time they are needed.
        case .itemsPerApp, .bytesPerApp, .expiredDays: break
        }
    }

    /// Makes this machine private until its person decides, because the home is an older copy: settings that the person
    /// changed later are not in it.
    ///
    /// A lost database is no reason, because the settings beside it are current. A rescued or restored database is none
    /// either: the time of the rescue or the restoration is known, and changes that were lost before it do not point to
    /// an older copy. The person is asked once per process, because other devices may show the same.
    func suspectSettings() {
        guard contents.settings.wasNoted, !isOlderCopyKnown else { return }
        isOlderCopyKnown = true
        core.settingsKeeper.suspect(.older) { [log = core.log] failure in
            if let failure { log.warn("could not save that this machine is private: \(failure)") }
        }
        apply(.private)
        if let trouble = AccountTroubles(of: core).ofSettings { core.log.warn("trouble: \(trouble)") }
    }

    /// Saves the known revocations beside the database; nobody waits for the result.
    private func keepRevocations() {
        revocationKeeper.keep(core.membership.revocations.keys) { [log = core.log] failure in
            if let failure { log.warn("could not save revocations beside the database: \(failure)") }
        }
    }

    // MARK: The roster

    /// Applies a changed roster, before anything else is sent.
    func handleRosterChange() {
        keepRevocations()
        core.identity.use(core.membership)
        core.names.forget()
        peers.handleRosterChange()
        reception.handleRosterChange()
        revocationLog.logNew()
        renewal.consider()
        activityParts.handleRosterChange()
        host?.presenceChanged()
    }
}

extension AccountNode: AccountOwner {
    var isSomeoneSetBack: Bool { peers.isSomeoneSetBack }

    var isInStep: Bool { peers.areInStep }

    /// Carrying out an effect or an output may add others, which are carried out after those that wait already.
    func carryOut() {
        guard !isCarryingOut else { return }
        isCarryingOut = true
        while true {
            if let effect = core.nextEffect() {
                perform(effect)
            } else if let output = peers.nextOutput() {
                performPeer(output)
            } else if let output = activities.nextOutput() {
                performOwn(output)
            } else if peers.takeProgress() {
                handleProgress()
            } else {
                break
            }
        }
        isCarryingOut = false
        core.setTimer()
    }

    /// Calls a closure, and carries out its effects and outputs only after it has returned.
    func together(_ body: () -> Void) {
        let isNested = isCarryingOut
        isCarryingOut = true
        body()
        isCarryingOut = isNested
        carryOut()
    }
}
