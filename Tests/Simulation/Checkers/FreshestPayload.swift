import BatonCore
import Support

/// Promise 11: who goes on with an activity is told a state that is no older than what the tier that is named
/// guarantees; what was taken over is told to be gone, and where, by the device where it was going on; what was
/// forgotten, deleted or is over stays so; and in the end all see the same: the last state of what is going on, and
/// nothing of what is not.
///
/// What apps did it knows by machine: of a device that was cloned each has apps of its own.
final class FreshestPayload: Checker {
    /// The activity of an app instance on one machine, by its first name, whatever name it goes on under.
    struct Place: Hashable {
        let machine: Int
        let name: ActivityName
    }

    /// What who goes on with something must be told at the least, by what was so when they asked.
    struct Bound {
        var place: Place?
        var made = 0
        var kept = 0
        /// The record as it stood with who asked.
        var stamp: Stamp?
    }

    var known: [Place: AppKnowledge] = [:]
    /// The number of the last state that any app made.
    private(set) var lastVersion = 0
    /// How many ends there were.
    private var endings = 0
    private(set) var identities: [RecordIdentity: ActivityName] = [:]
    /// The devices that ever took an activity over, or tried to.
    private(set) var takers: [ActivityName: Set<DeviceIdentifier>] = [:]
    /// The latest time of all writes of its own that a machine told others, whether it kept them or not.
    private var told: [Int: HybridTime] = [:]
    /// The same, as it was when the machine last lost its witness or was put back: then it can't know any more.
    private(set) var toldAndForgotten: [Int: HybridTime] = [:]
    private(set) var erasures = Erasures()
    /// What a strange member wrote over; a process that ends before it has gone on under another name has lost it.
    private(set) var struck: Set<ActivityName> = []

    /// The first names of all that was ever going on, in an order that is the same everywhere.
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

    /// The app instance of a machine goes on under another name.
    func noteMove(_ from: ActivityName, _ to: ActivityName) {
        identities[to.identity] = from.first
    }

    /// Whether other machines ever used the identity of a device.
    func isCloned(_ device: DeviceIdentifier, _ world: World) -> Bool {
        (world.nodes + world.everyoneGone).count { $0.identity.device == device } > 1
    }

    // MARK: What apps do

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

    /// An app finishes what it does, or a device takes it over; answers with the number of that end.
    func noteEnding(
        of name: ActivityName, to taker: DeviceIdentifier? = nil, by apps: SimulatedApps
    ) -> Int {
        endings += 1
        known[place(name, apps)]?.ending = endings
        if let taker { takers[name.first, default: []].insert(taker) }
        return endings
    }

    /// The app was told that an end is kept, unless it began something else before.
    func noteEnd(
        of name: ActivityName, _ ending: Int, isTaken: Bool = false, _ failure: StoreFailure?,
        by apps: SimulatedApps
    ) {
        guard var state = known[place(name, apps)], state.ending == ending else { return }
        if failure == nil { state.end(isTaken: isTaken) } else { state.ending = nil }
        known[place(name, apps)] = state
    }

    /// The app was told that it ended without its doing.
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
            // By a clock that was wrong and is right again, it may have been over.
            let wasLate = apps.world.profile[.clock] > 0 && state.expires
            guard !isExcused, !wasLate else { return }
            apps.world.violate(
                .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: apps.node),
                "\(name.instance) has ended before its time")
        case .forgotten:
            // Of what was taken over and deleted since nobody can say any more where it went.
            let isTaken = takers[name.first] != nil && erasures.concern(name.first)
            guard !isExcused, !isTaken, !erasures.isForgotten(name.first, since: state.begun) else { return }
            apps.world.violate(
                .freshestPayload, about: Violation.Subject(records: [name.key.identity], at: apps.node),
                "\(name.instance) has ended, and nobody took it over: \(ending)")
        }
    }

    /// A device takes it over without asking.
    func noteTaking(of name: ActivityName, by device: DeviceIdentifier) {
        takers[name.first, default: []].insert(device)
    }

    /// The person has nothing leave a device, or lets things leave again, which are told anew.
    func noteHiding(at apps: SimulatedApps) {
        for place in known.keys where place.machine == apps.node.number { known[place]?.hide() }
    }

    // MARK: What is erased

    /// Someone is about to forget an activity everywhere, of which they saw that state.
    func noteForgetting(_ name: ActivityName, _ version: Int) {
        erasures.noteForgetting(name.first, version, at: lastVersion)
    }

    /// That is kept, by those writes.
    func noteForgotten(_ name: ActivityName, _ version: Int, by writes: [Write]) {
        erasures.noteForgotten(name.first, version, by: writes)
    }

    /// What was going on at a machine was forgotten there; the closest that may follow is newer.
    func noteForgotten(_ name: ActivityName, upTo version: Int, by apps: SimulatedApps) {
        let place = place(name, apps)
        guard let state = known[place], state.begun <= version else { return }
        erasures.noteForgotten(place, state.begun...version)
    }

    /// Someone is about to delete what was kept under those names.
    func noteDeleting(_ saved: [RecordIdentity]) { erasures.noteDeleting(saved) }

    func noteDeletingAll() { erasures.noteDeletingAll() }

    /// An activity goes on again that a machine had lost.
    func noteReturned(_ place: Place) { erasures.noteReturned(place) }

    /// An app of a machine was told that what was kept there up to that state is deleted.
    func noteDeleted(_ saved: [SavedActivityName], upTo version: Int, by apps: SimulatedApps) {
        for name in saved { erasures.noteDeleted(name.key.identity, upTo: version, at: apps.node.number) }
    }

    /// Up to which state all that a machine does has ended by now; what goes on is kept once it ends.
    func ended(at apps: SimulatedApps) -> [Place: Int] {
        known.filter { $0.key.machine == apps.node.number }.mapValues { $0.newestEnded(of: lastVersion) }
    }

    /// What had ended so far is deleted.
    func noteDeleted(_ ended: [Place: Int]) { erasures.noteDeleted(ended) }

    /// A machine has kept a write of what became of an activity there.
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

    /// A machine lost what it had.
    func noteLoss(at node: SimulatedNode, _ world: World) {
        toldAndForgotten[node.number] = told[node.number]
        for place in known.keys where place.machine == node.number { known[place]?.lose() }
        erasures.lose(at: node.number)
    }
}
