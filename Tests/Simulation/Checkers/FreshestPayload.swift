import BatonCore
import Support

/// Promise 11, in four parts.
///
/// A person who continues an activity is told a state no older than the named tier guarantees. The device where an
/// activity was going on reports where it was taken over. A forgotten, deleted or expired activity stays gone. In the
/// end all see the same: the last state of each activity that goes on, and none that has ended.
///
/// The checker keeps what apps did by machine: each copy of a cloned device has its own apps.
final class FreshestPayload: Checker {
    /// The activity of an app instance on one machine, by its first name, whatever name it has now.
    struct Place: Hashable {
        let machine: Int
        let name: ActivityName
    }

    /// The minimum that a person who continues an activity must be told, as of when they asked.
    struct Bound {
        var place: Place?
        var made = 0
        var kept = 0
        /// The stamp of the record that the asking device had.
        var stamp: Stamp?
    }

    var known: [Place: AppKnowledge] = [:]
    /// The number of the last state that any app made.
    private(set) var lastVersion = 0
    /// The number of ends so far.
    private var endings = 0
    private(set) var identities: [RecordIdentity: ActivityName] = [:]
    /// The devices that ever took an activity over, or tried to.
    private(set) var takers: [ActivityName: Set<DeviceIdentifier>] = [:]
    /// The activities that were taken over without asking their devices, by the record that is left of each.
    private var copied: [RecordIdentity: Set<ActivityName>] = [:]
    /// The latest time of a machine's own writes that it sent to others, whether stored or not.
    private var told: [Int: HybridTime] = [:]
    /// The same time, as of when the machine last lost its witness or was put back; the machine can't know it any more.
    private(set) var toldAndForgotten: [Int: HybridTime] = [:]
    private(set) var erasures = Erasures()
    /// The activities that a strange member wrote over.
    ///
    /// A process that ends before it continues under another name has lost them.
    private(set) var struck: Set<ActivityName> = []

    /// The first names of all activities that ever went on, in a deterministic order.
    var names: [ActivityName] {
        identities.filter { $0.key == $0.value.identity }.sorted { $0.key < $1.key }.map(\.value)
    }

    func noteSent(_ message: PeerMessage, from endpoint: Endpoint, _ world: World) {
        guard case .batch(let batch) = message else { return }
        let node = endpoint.node
        let own = batch.writes.filter { node.lives.contains($0.stamp.life) }.map(\.stamp.time).max()
        if let own { told[node.number] = max(told[node.number] ?? .zero, own) }
    }

    func newVersion() -> Int {
        lastVersion += 1
        return lastVersion
    }

    func place(_ name: ActivityName, _ apps: SimulatedApps) -> Place {
        Place(machine: apps.node.number, name: name.first)
    }

    /// A strange member writes over an activity.
    func noteStrike(on name: ActivityName) { struck.insert(name.first) }

    /// The app instance of a machine continues under another name.
    func noteMove(_ from: ActivityName, _ to: ActivityName) {
        identities[to.identity] = from.first
    }

    /// Returns whether another machine ever used the identity of a device.
    func isCloned(_ device: DeviceIdentifier, _ world: World) -> Bool {
        (world.nodes + world.everyoneGone).count { $0.identity.device == device } > 1
    }

    // MARK: Actions of apps

    func noteBeginning(
        of name: ActivityName, _ activity: Activity, _ lifetime: ActivityLifetime, by apps: SimulatedApps
    ) {
        (identities[name.key.identity], identities[name.first.identity]) = (name.first, name.first)
        known[place(name, apps), default: AppKnowledge()].begin(activity, lifetime)
        erasures.noteSaved(activity.savedName(by: name.app).key.identity, of: name.first)
    }

    func noteOffer(of name: ActivityName, isOffered: Bool, by apps: SimulatedApps) {
        known[place(name, apps)]?.isOffered = isOffered
    }

    func noteAsked(_ name: ActivityName, _ activity: Activity, by apps: SimulatedApps) {
        known[place(name, apps)]?.ask(activity)
    }

    func noteAnswer(
        _ name: ActivityName, _ version: Int?, _ failure: StoreFailure?, by apps: SimulatedApps
    ) {
        known[place(name, apps)]?.answer(version, failure)
    }

    /// An app finishes its activity, or a device takes it over.
    ///
    /// Returns the number of that end.
    func noteEnding(
        of name: ActivityName, to taker: DeviceIdentifier? = nil, by apps: SimulatedApps
    ) -> Int {
        endings += 1
        known[place(name, apps)]?.ending = endings
        if let taker { takers[name.first, default: []].insert(taker) }
        return endings
    }

    /// The app was told that an end is stored, unless it began something else before.
    func noteEnd(
        of name: ActivityName, _ ending: Int, isTaken: Bool = false, _ failure: StoreFailure?,
        by apps: SimulatedApps
    ) {
        guard var state = known[place(name, apps)], state.ending == ending else { return }
        if failure == nil { state.end(isTaken: isTaken) } else { state.ending = nil }
        known[place(name, apps)] = state
    }

    /// The app was told that its activity ended without its doing.
    func noteEnd(of name: ActivityName, _ ending: CurrentActivities.Ending, by apps: SimulatedApps) {
        let place = place(name, apps)
        known[place]?.isGoingOn = false
        guard let state = known[place] else { return }
        let isExcused =
            state.isUncertain || state.mayHaveEnded || state.isOvertaken
            || isCloned(name.device, apps.world)
        switch ending {
        case .takenOver(_, let time): known[place]?.takeOver(at: time)
        case .finished:
            guard !state.hasExpired(at: apps.node.wallTime) else {
                apps.world.marks[.expiredActivities] += 1
                return
            }
            // A clock that was wrong and is right again may have shown a time past the expiration.
            let wasLate = apps.world.profile[.clock] > 0 && state.expires
            guard !isExcused, !wasLate else { return }
            apps.world.violate(
                .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: apps.node),
                "\(name.instance) has ended before its time")
        case .forgotten:
            // Nobody can know any more where an activity went that was taken over, if the copy that says so was deleted, or
            // replaced by that of another activity, as which a member wrote the same one.
            let isTaken =
                takers[name.first] != nil
                && (erasures.concern(name.first) || isCopyReplaced(of: name.first, at: apps.node))
            guard !isExcused, !isTaken, !erasures.isForgotten(name.first, since: state.begun) else { return }
            apps.world.violate(
                .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: apps.node),
                "\(name.instance) has ended, and nobody took it over: \(ending)")
        }
    }

    /// A device takes the activity over without asking.
    func noteTaking(of name: ActivityName, by device: DeviceIdentifier, saving copy: RecordIdentity?) {
        takers[name.first, default: []].insert(device)
        guard let copy else { return }
        copied[copy, default: []].insert(name.first)
    }

    /// Whether the copy that says where an activity went may have been replaced by the copy of another one.
    private func isCopyReplaced(of name: ActivityName, at node: SimulatedNode) -> Bool {
        copied.contains { copy, names in
            guard names.contains(name) else { return false }
            // The device may have saved another activity of its own there, and so has replaced the copy of the taker.
            let origin = node.contents.record(copy)?.savedActivity?.origin
            return names.count > 1 || origin.map { identities[$0.identity] != name } ?? false
        }
    }

    /// The person makes a device private, or no longer, which sends its activities anew.
    func noteHiding(at apps: SimulatedApps) {
        for place in known.keys where place.machine == apps.node.number { known[place]?.hide() }
    }

    // MARK: Erasures

    /// Someone is about to forget an activity everywhere, and has seen that state of it.
    func noteForgetting(_ name: ActivityName, _ version: Int) {
        erasures.noteForgetting(name.first, version, at: lastVersion)
    }

    /// The forgetting was stored, by those writes.
    func noteForgotten(_ name: ActivityName, _ version: Int, by writes: [Write]) {
        erasures.noteForgotten(name.first, version, by: writes)
    }

    /// A machine's own activity was forgotten there; any later record of it must be newer.
    func noteForgotten(_ name: ActivityName, upTo version: Int, by apps: SimulatedApps) {
        let place = place(name, apps)
        guard let state = known[place], state.begun <= version else { return }
        erasures.noteForgotten(place, state.begun...version)
    }

    /// Someone is about to delete the activities saved under those names.
    func noteDeleting(_ saved: [RecordIdentity]) { erasures.noteDeleting(saved) }

    func noteDeletingAll() { erasures.noteDeletingAll() }

    /// An activity that a machine had lost goes on again.
    func noteReturned(_ place: Place) { erasures.noteReturned(place) }

    /// An activity that a machine had lost goes on again, and is saved under that name once it ends.
    func noteReturned(_ saved: SavedActivityName, to apps: SimulatedApps) {
        erasures.noteReturned(saved.key.identity, to: apps.node.number)
    }

    /// An app was told that the activities saved on its machine up to that state are deleted.
    func noteDeleted(_ saved: [SavedActivityName], upTo version: Int, by apps: SimulatedApps) {
        for name in saved { erasures.noteDeleted(name.key.identity, upTo: version, at: apps.node.number) }
    }

    /// Returns up to which state each activity of a machine has ended; an activity that goes on is saved once it ends.
    func ended(at apps: SimulatedApps) -> [Place: Int] {
        known.filter { $0.key.machine == apps.node.number }.mapValues { $0.newestEnded(of: lastVersion) }
    }

    /// The activities that had ended so far are deleted.
    func noteDeleted(_ ended: [Place: Int]) { erasures.noteDeleted(ended) }

    /// A machine has stored a write about the outcome of an activity there.
    func noteKept(_ write: Write, of name: ActivityName, by apps: SimulatedApps) {
        let record = Record(write)
        if let end = record.savedActivity?.end { known[place(name, apps)]?.noteKept(end) }
        guard let activity = record.activity?.activity ?? record.savedActivity, let key = write.key,
            !isCloned(name.device, apps.world),
            erasures.forbids(key, activity.version, at: place(name, apps))
        else { return }
        apps.world.violate(
            .noResurrection, about: Violation.Subject([write], records: [name.key.identity], at: apps.node),
            "\(apps.node.name) writes \(write.told(in: apps.world)) of \(name.instance) at \(activity.version), which was erased there"
        )
    }

    /// A machine lost stored data.
    func noteLoss(at node: SimulatedNode, _ world: World) {
        toldAndForgotten[node.number] = told[node.number]
        for place in known.keys where place.machine == node.number { known[place]?.lose() }
        erasures.lose(at: node.number)
    }
}
