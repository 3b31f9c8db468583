import BatonCore
import BatonNetwork
import BatonSecurity
import BatonStore

/// The part of the node that owns an account, and that is told when a change concerns other parts of the node.
protocol AccountNodeHost: AnyObject {
    /// Called when this device has begun to present another certificate.
    func credentialsChanged()
    /// Called when the open invitation has changed, or the set of devices to look for on local networks.
    func presenceChanged()
    /// Called when a device is no longer connected.
    func deviceLost()
    /// Locks the accounts that have a passphrase, once the present call was answered: the process is replaced.
    func lock()
}

/// One account on this node: its core, its peers, its devices, its activities and its searches.
///
/// The parts know the core and the parts below them. No part knows this object. This object carries out the effects of
/// the core's state machine, and the outputs of the links and of this device's activities. Two accounts on a node share
/// only the loop and the port. The object belongs to the loop's thread.
final class AccountNode {
    let core: AccountCore
    /// The other devices: the links to connected devices, and the search for devices that are not connected.
    let peers: Peers
    /// Describes the devices of the account for people.
    let devices: DeviceDirectory
    /// The last changes that each other device made.
    let changes: DeviceChanges
    /// Renews the certificates of this device and of other devices.
    let renewal: CertificateRenewal
    /// Leaves the account when the person asks for it.
    let leaving: Leaving
    let activityParts: ActivityParts
    /// Streams between apps of this device and of others.
    let streams: AccountStreams
    let searches: AccountSearches
    /// The requests to apps to index again.
    let reindexing: Reindexing
    /// The types of entities that apps index.
    let entityTypes: EntityDescriptions
    /// Tries addresses when a person asks why a device can't be reached.
    let probes: Probes
    /// Admits new machines to the account.
    private(set) lazy var reception = Reception(
        { [core] in core.credentials },
        name: { [core] in core.names.recordedName(of: core.credentials.device) }, door: door, on: core.loop,
        limits: core.limits, log: core.log, options: core.options,
        refusal: { [unowned self] in pairingRefusal(of: $0) },
        changed: { [unowned self] in host?.presenceChanged() }
    ) { [core] admission, then in core.publish([Journal.Draft(admission)], then: then) }

    /// Sets and removes the passphrase, and unlocks the content key.
    private(set) lazy var contentLock = ContentLock(
        core.identity, on: core.loop, log: core.log, options: core.options
    ) { [unowned self] in showProtected() }

    /// Locks protected content when the person leaves.
    private(set) lazy var automaticLock = AutomaticLock(of: core) { [unowned self] in host?.lock() }

    weak var host: (any AccountNodeHost)?
    /// The contents of the store when it was opened, without the membership, which the state machine holds.
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
        entityTypes = EntityDescriptions(of: core)
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

    /// Starts the account: restores this device's activities, dials the other devices, and enters this device in the
    /// roster if it is the first device.
    ///
    /// `carried` has the activities and waiting calls that connected apps began before the store was replaced. They
    /// continue.
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
        if contents.hasProtectedItems { searches.openProtected() }
        peers.holdsIndex = core.settings.isPrivate
        peers.start()
        automaticLock.handleChange()
        core.drive { $0.start(isFirst: FirstDevice(folder: core.folder).isHere, in: core) }
    }

    /// Stops the account, and closes all connections with this reason.
    ///
    /// The owner must stop the store's threads itself.
    func stop(_ reason: CloseReason = CloseReason(.goingAway, "the node is stopping")) {
        core.stop()
        // The last writes of activities must be sent before the links end.
        activityParts.stop()
        probes.stop()
        searches.close()
        peers.stop(reason)
        renewal.stop()
        revocationKeeper.stop()
        erasing.close()
        leaving.stop()
        reception.close()
        automaticLock.close()
        activityParts.watching.close()
    }

    // MARK: Queries

    /// The activities of this device.
    var activities: OwnActivities { activityParts.own }

    /// The activities of all devices.
    var allActivities: AllActivities { activityParts.all }

    /// Learns what the person uses on this device, and suggests what to use next.
    var suggested: SuggestedActivities { activityParts.suggested }

    /// Tells watchers about changes of the activity list.
    var watching: ActivityWatchers { activityParts.watching }

    /// The focuses of the person.
    var focuses: Focuses { activityParts.focuses }

    /// The apps that continue activities.
    var registry: AppRegistry { activityParts.registry }

    /// The parts that find and continue activities.
    var fetchSources: ActivityFetch.Sources {
        ActivityFetch.Sources(
            account: core, peers: peers, registry: registry, activities: activities,
            allActivities: allActivities)
    }

    /// The problems that a person should know about, in words.
    var troubles: [String] {
        let troubles = AccountTroubles(of: core, refusals: peers.refusals)
        return troubles.ofMachine + renewal.troubles + activityParts.count.troubles + troubles.ofData
    }

    /// Returns the reason why this device may not admit a joiner.
    ///
    /// If `joiner` is nil, the reason concerns every joiner. The reason comes from the roster, or from a member that
    /// has refused this device since the node started and has not accepted it since. Members send no statements to a
    /// revoked device, so a refusal may be the only way in which the device learns of its revocation.
    private func pairingRefusal(of joiner: DeviceIdentifier?) -> PairingRefusal? {
        guard devices.countingAuthority != nil,
            AccountTroubles(of: core, refusals: peers.refusals).ofRoster == nil
        else { return .inviterRevoked }
        return joiner.map(core.membership.isRevoked) ?? false ? .joinerRevoked : nil
    }

    // MARK: Settings and identity

    private func handleOtherIdentity() {
        automaticLock.handleChange()
        peers.use(core.identity.context)
        host?.credentialsChanged()
        core.drive { $0.use(OwnIdentity.admission(of: core.credentials, core.log), in: core) }
    }

    /// Shows what is protected, now that the content key is there.
    private func showProtected() {
        watching.beginAnew()
        searches.handleUnlocking()
    }

    /// Applies a setting after it was changed.
    func apply(_ setting: Setting) {
        switch setting {
        case .private:
            // The index is withheld first. Otherwise, a link could send more of the index before the other steps are
            // done.
            peers.holdsIndex = core.settings.isPrivate
            activities.set(isPrivate: core.settings.isPrivate)
            if core.settings.isPrivate { peers.withholdStreams() }
        case .finishedDays: activities.set(finishedDays: core.settings[.finishedDays])
        // These settings are read whenever they are needed.
        case .itemsPerApp, .bytesPerApp, .expiredDays, .lockAsleep, .lockAway: break
        case .lockMinutes: automaticLock.setTimer()
        }
    }

    /// Makes this machine private until its person decides, because the home is an older copy.
    ///
    /// An older copy lacks the settings that the person changed later.
    ///
    /// A lost database is no reason to make the machine private, because the settings beside it are current. A rescued
    /// or restored database is no reason either: changes that were lost before the rescue or the restoration do not
    /// point to an older copy. The person is asked once per process, although several devices may show the same.
    func suspectSettings() {
        guard contents.settings.wasNoted, !isOlderCopyKnown else { return }
        isOlderCopyKnown = true
        core.settingsKeeper.suspect(.older) { [log = core.log] failure in
            if let failure { log.warn("could not save that this machine is private: \(failure)") }
        }
        apply(.private)
        if let trouble = AccountTroubles(of: core).ofSettings { core.log.warn("trouble: \(trouble)") }
    }

    /// Saves the known revocations beside the database.
    ///
    /// Nobody waits for the result.
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

    /// Carries out effects and outputs until none is left.
    ///
    /// Carrying out an effect or an output may add others. They are carried out after all that already wait.
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

    /// Calls a closure, and carries out the closure's effects and outputs after it has returned.
    func together(_ body: () -> Void) {
        let isNested = isCarryingOut
        isCarryingOut = true
        body()
        isCarryingOut = isNested
        carryOut()
    }
}
