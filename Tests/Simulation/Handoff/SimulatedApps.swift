import BatonCore
import Support

/// The app instances of a device, and the callers that wait for what they ask of the account's `CurrentActivities`.
final class SimulatedApps {
    unowned let node: SimulatedNode
    /// The person's settings and their copies.
    private var settings = SimulatedSettings()
    /// The callers that wait for something to be stored, by ticket.
    private var waiting: [CurrentActivities.Ticket: (StoreFailure?) -> Void] = [:]
    private var lastTicket: CurrentActivities.Ticket = 0
    /// Whether something has happened since the activities were judged.
    private var isUnjudged = false

    init(on node: SimulatedNode) { self.node = node }

    /// The state machine that decides what is stored and what others may see, a part of the account.
    var machine: CurrentActivities { node.account.activities }

    /// The app of all instances.
    static let app = "org.acting"

    var world: World { node.world }

    /// Whether nothing that apps do is to leave the device: it is private, or hand-off is off for them.
    var isHidden: Bool { settings.kept.settings.hidesApps }

    /// The hybrid time from which nothing leaves the device, as far as this process knows, or nil while its apps share.
    private(set) var hidden: HybridTime?

    /// The hybrid time at which the person was told that nothing leaves the device, whatever became of its settings
    /// since; nil once the person has asked to share again.
    private(set) var said: HybridTime?

    /// Returns whether an activity has expired.
    func isOver(_ activity: Activity) -> Bool { activity.isExpired(at: node.wallTime) }

    // MARK: The process

    /// The process has started: it loads the activities that were going on.
    func start() {
        node.holdsActivities = false
        let (current, saved) = (read(.currentActivity), read(.savedActivity))
        let (notes, set) = node.ask { (store) throws(StoreFailure) in
            (try store.notes(in: .ownActivity), try store.notes(in: .setting))
        }
        let wasHidden = isHidden
        let note = SettingsCopy(set)
        settings.open(with: note)
        if isHidden, !wasHidden { world.freshness?.noteHiding(at: self) }
        hidden = isHidden ? max(node.contents.clock, lastWritten) : nil
        let kept = settings.kept.settings
        run {
            $0.load(
                current, notes: notes, taken: TakenActivities(saved, of: self.node.identity.device),
                isPrivate: kept.isPrivate, withheld: kept.apps(off: .handoff),
                clock: self.node.contents.clock, at: $1)
        }
        world.freshness?.judgeLoaded(current, notes, by: self)
        world.freshness?.noteStart(of: self, from: current)
        // A device whose person never changed anything needs no note.
        if note ?? .first != settings.kept { keep([settings.kept.note]) { _ in } }
    }

    /// The time of the last write that the device ever made, also of those that it has lost.
    private var lastWritten: HybridTime {
        world.ledger.entries.lazy.map(\.write.stamp).filter { self.node.lives.contains($0.life) }.map(\.time)
            .max() ?? .zero
    }

    /// The process has ended, and nobody waits for it any more.
    func stop() { waiting = [:] }

    /// Returns the stored records of a kind.
    func read(_ kind: RecordKind) -> [Record] {
        node.ask { (store) throws(StoreFailure) in try store.records(of: kind) }
    }

    /// These records have changed, and the change is claimed; anything written in answer is later.
    func takeBack(
        _ records: [Record], complete: VersionVector?, outranked: [RecordIdentity], by clock: HybridTime
    ) {
        var records = records
        #if MISTAKES
            records = heeded(records)
        #endif
        guard node.isUp, !records.isEmpty || complete != nil || !outranked.isEmpty else { return }
        node.drive { $0.writing.witness(clock) }
        let before = machine
        run {
            $0.handleRecords(records, complete: complete, outranked: outranked, clock: clock, at: $1)
        }
        for (name, own) in machine.all where own.activity.version != before[name]?.activity.version {
            world.tell("\(node.name): \(name.instance) is at \(own.activity.version), as others had it")
            world.marks[.takenBack] += 1
            world.freshness?.judgeTakenUp(name, records, by: self)
            world.freshness?.noteTakenBack(name, own, by: self)
        }
    }

    /// The person makes the device private, or switches hand-off off, or shares again what is withheld: the first file,
    /// the second one, and then the store have it.
    func hide() {
        let isSwitch = world.streams[Operation.hide.rawValue].chance(50)
        let copy = settings.next { $0.toggle(switching: isSwitch) }
        if isHidden { said = nil }
        settings.files[0] = copy
        node.later(1) { [self] in
            settings.files[1] = copy
            settings.witnessed = copy.number
            keep([copy.note]) { [self] failure in
                guard failure == nil else { return }
                settings.kept = copy
                node.takeLateFrames()
                world.tell("\(node.name) \(isHidden ? "keeps all that apps do" : "shares again")")
                hidden = isHidden ? max(node.journal.clock.latest, lastWritten) : nil
                said = hidden
                world.freshness?.noteHiding(at: self)
                run { $0.handlePrivacy(copy.settings.isPrivate, at: $1) }
                run { $0.handleWithheld(copy.settings.apps(off: .handoff), at: $1) }
            }
        }
    }

    // MARK: Losses of settings

    /// Copies of the settings are lost while no process runs.
    func lose(_ loss: SettingsLoss) {
        world.tell("\(node.name) loses settings: \(loss)")
        settings.lose(loss)
    }

    /// The machine loses power, and with it what lies outside the home.
    func losePower() { settings.witnessed = nil }

    /// Begins with the settings of another machine, of which this one is a copy.
    func copySettings(of other: SimulatedApps?) {
        if let other { settings.files = other.settings.files }
    }

    func draw<Value>(_ body: (inout SeededGenerator) -> Value) -> Value { body(&world.streams["act"]) }

    // MARK: Driving

    typealias Body = (inout CurrentActivities, Clocks) -> Void

    /// Asks for an action that makes a state of that number, if it makes one.
    func ask(
        _ name: ActivityName, _ version: Int? = nil,
        _ body: (inout CurrentActivities, Clocks, CurrentActivities.Ticket) -> Void,
        then: @escaping (StoreFailure?) -> Void = { _ in }
    ) {
        let ticket = ticket(name, version, then)
        run { body(&$0, $1, ticket) }
    }

    /// Registers a caller that waits for a state of an activity to be stored.
    func ticket(
        _ name: ActivityName, _ version: Int? = nil, _ then: @escaping (StoreFailure?) -> Void
    ) -> CurrentActivities.Ticket {
        lastTicket += 1
        waiting[lastTicket] = { [self] failure in
            world.freshness?.noteAnswer(name, version, failure, by: self)
            then(failure)
        }
        return lastTicket
    }

    func run(_ body: Body) {
        isUnjudged = true
        let clocks = node.clocks
        node.drive { body(&$0.activities, clocks) }
    }

    /// Carries out what the state machine has decided.
    func perform(_ effect: CurrentActivities.Effect) {
        isUnjudged = true
        switch effect {
        case .store(let transaction):
            keep(transaction.notes) { [self] failure in
                run { $0.handleKept(transaction.name, failure, at: $1) }
            }
        case .answer(let ticket, let failure): waiting.removeValue(forKey: ticket)?(failure)
        case .move(let from, let to):
            world.tell("\(node.name): \(from.instance) goes on under another name")
            world.marks[.moved] += 1
            world.freshness?.noteMove(from, to)
        case .ending(let name, let ending):
            world.tell("\(node.name): \(name.instance) has ended: \(ending)")
            world.freshness?.noteEnd(of: name, ending, by: self)
        case .withdrawing(let isWithdrawing): node.holdsActivities = isWithdrawing
        case .changed, .stored: break
        }
    }

    /// Judges the activities once all effects are carried out.
    func judge() {
        guard isUnjudged else { return }
        isUnjudged = false
        if Set(machine.all.map(\.name.first)).count < machine.all.count {
            world.violate(.freshestPayload, "an app instance at \(node.name) has two activities")
        }
        world.freshness?.judgeOwn(of: self)
    }

    /// Returns the write of a change of an activity, whose result the account itself hears.
    func ownWrite(of name: ActivityName) -> SimulatedNode.Work.OwnWrite {
        var own = SimulatedNode.Work.OwnWrite(isBatch: false, seen: node.known) { [self] writes in
            for write in writes { world.freshness?.noteKept(write, of: name, by: self) }
        }
        own.isOfActivity = true
        return own
    }

    /// Stores notes that no other device hears of.
    private func keep(_ notes: [LocalNote], then: @escaping (StoreFailure?) -> Void) {
        var transaction = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        transaction.notes = notes
        var own = SimulatedNode.Work.OwnWrite(isBatch: false, seen: node.known) { _ in then(nil) }
        own.failed = then
        node.enter(.write(transaction, own, nil))
    }
}

extension Activity {
    /// The number of the state, in a world with apps.
    var version: Int { title.flatMap { Int($0) } ?? 0 }
}
