import BatonCore
import Support

/// The app instances of a device, and how their node keeps what they do: as the product's does, by `CurrentActivities`.
final class SimulatedApps {
    unowned let node: SimulatedNode
    private(set) var machine: CurrentActivities
    /// What the person has set; it outlives the process.
    private(set) var isPrivate = false
    /// Who waits for what to be kept.
    private var waiting: [CurrentActivities.Ticket: (StoreFailure?) -> Void] = [:]
    private var lastTicket: CurrentActivities.Ticket = 0
    /// For which deadline a timer runs.
    private var timed: Instant?
    private var isDraining = false
    /// Each state that an app makes has a number of its own, which is its title.
    private var lastVersion = 0

    init(on node: SimulatedNode) {
        self.node = node
        machine = Self.machine(of: node)
    }

    private static func machine(of node: SimulatedNode) -> CurrentActivities {
        CurrentActivities(
            of: node.identity.device, pause: node.world.limits.publishingPause,
            retryPause: node.world.limits.settlingTime, finishedDays: SimulatedNode.finishedDays)
    }

    var world: World { node.world }

    // MARK: The process

    /// The process has started: it takes up what was going on.
    func start() {
        (machine, timed) = (Self.machine(of: node), nil)
        let (current, saved) = (read(.currentActivity), read(.savedActivity))
        let notes = node.ask { (store) throws(StoreFailure) in try store.notes(in: .ownActivity) }
        run {
            $0.load(
                current, notes: notes, taken: TakenActivities(saved, of: self.node.identity.device),
                isPrivate: self.isPrivate, at: $1)
        }
        world.freshness?.noteStart(of: self)
    }

    /// The process has ended, and nobody waits for it any more.
    func stop() { (waiting, timed) = ([:], nil) }

    /// What stands in the store.
    func read(_ kind: RecordKind) -> [Record] {
        node.ask { (store) throws(StoreFailure) in try store.records(of: kind) }
    }

    /// Records are now so; nothing that is written in answer is earlier.
    func takeBack(_ records: [Record], by clock: HybridTime) {
        guard node.isUp, !records.isEmpty else { return }
        node.journal.witness(clock)
        run { $0.handle(records, at: $1) }
    }

    // MARK: What apps and people do

    /// An app instance does something several times in a moment.
    func act() {
        let instance = "\(draw { $0.number(1...2) })"
        let name = ActivityName(device: node.identity.device, app: "org.acting", instance: instance)
        for _ in 0..<draw({ $0.number(1...5) }) where node.isUp { act(name) }
    }

    private func act(_ name: ActivityName) {
        let choice = draw { $0.number(0...99) }
        switch machine[name] {
        case let own? where choice < 75: change(name, own.activity)
        case _? where choice < 85: finish(name)
        case _? where choice < 90:
            world.tell("\(node.name): \(name.instance) is resigned")
            world.freshness?.noteOffer(of: name, isOffered: false)
            ask(name) { $0.resign(name, for: $2, at: $1) }
        default: begin(name)
        }
    }

    private func begin(_ name: ActivityName) {
        var activity = Activity(type: "org.acting.writing", started: node.wallTime)
        // The same thing is done again and again, and what ends takes the place of how it ended before.
        activity.persistentIdentifier = "\(node.number)/\(name.instance)/\(draw { $0.number(1...2) })"
        let lifetime = draw { $0.chance(25) } ? ActivityLifetime.connection : .untilFinished
        let version = nextVersion()
        activity.title = "\(version)"
        world.tell("\(node.name): \(name.instance) begins with \(version)")
        world.freshness?.noteBeginning(of: name, version, lifetime)
        ask(name, version) { [activity] in
            $0.start(name, OwnActivity(activity, lifetime: lifetime), for: $2, at: $1)
        }
    }

    /// The app brings its activity to another state, which others may see or not.
    func change(_ name: ActivityName, _ last: Activity) {
        var activity = last
        let version = nextVersion()
        (activity.title, activity.changed) = ("\(version)", node.wallTime)
        activity.eligibility = draw { $0.chance(90) } ? .handoff : .search
        world.tell("\(node.name): \(name.instance) is at \(version)")
        let isOffered = activity.eligibility.contains(.handoff) && !(machine[name]?.isResigned ?? false)
        world.freshness?.noteOffer(of: name, isOffered: isOffered)
        ask(name, version) { [activity] in $0.update(name, activity, for: $2, at: $1) }
    }

    private func finish(_ name: ActivityName) {
        world.tell("\(node.name): \(name.instance) is finished")
        guard let freshness = world.freshness else { return }
        let ending = freshness.noteEnding(of: name)
        ask(name) {
            $0.finish(name, as: .finished, for: $2, at: $1)
        } then: {
            freshness.noteEnd(of: name, ending, $0)
        }
    }

    /// The person wants nothing to leave this device, or no longer.
    func hide() {
        isPrivate.toggle()
        world.tell("\(node.name) is \(isPrivate ? "private" : "private no longer")")
        run { $0.handle(isPrivate: self.isPrivate, at: $1) }
    }

    private func nextVersion() -> Int {
        lastVersion += 1
        return lastVersion
    }

    func draw<Value>(_ body: (inout SeededGenerator) -> Value) -> Value { body(&world.streams["act"]) }

    // MARK: Driving

    typealias Body = (inout CurrentActivities, CurrentActivities.Moment) -> Void

    /// Asks for something that makes a state of that number, if it does.
    func ask(
        _ name: ActivityName, _ version: Int? = nil,
        _ body: (inout CurrentActivities, CurrentActivities.Moment, CurrentActivities.Ticket) -> Void,
        then: @escaping (StoreFailure?) -> Void = { _ in }
    ) {
        lastTicket += 1
        let ticket = lastTicket
        if let version { world.freshness?.noteAsked(name, version) }
        waiting[ticket] = { [world] failure in
            world.freshness?.noteAnswer(name, version, failure)
            then(failure)
        }
        run { body(&$0, $1, ticket) }
    }

    private func run(_ body: Body) {
        body(&machine, CurrentActivities.Moment(world.now, node.wallTime))
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        var isDone = false
        while !isDone {
            isDone = true
            while let transaction = machine.nextTransaction() {
                keep(transaction)
                isDone = false
            }
            while let (ticket, failure) = machine.nextAnswer() {
                waiting.removeValue(forKey: ticket)?(failure)
                isDone = false
            }
            while let (name, ending) = machine.nextEnding() {
                world.tell("\(node.name): \(name.instance) has ended: \(ending)")
                world.freshness?.noteEnd(of: name, ending, world)
                isDone = false
            }
        }
        setTimer()
    }

    private func keep(_ transaction: CurrentActivities.Transaction) {
        let name = transaction.name
        let isKept = { [self] (failure: StoreFailure?) in run { $0.handleKept(name, failure, at: $1) } }
        guard transaction.drafts.isEmpty else {
            return node.write(.activities, transaction.drafts, notes: transaction.notes) { _ in
                isKept(nil)
            } failed: {
                isKept($0)
            }
        }
        var notes = StoreTransaction(lane: .activities, writes: [], completing: VersionVector())
        notes.notes = transaction.notes
        var own = SimulatedNode.Work.OwnWrite(isBatch: false, seen: node.known) { _ in isKept(nil) }
        own.failed = { isKept($0) }
        node.enter(.write(notes, own))
    }

    private func setTimer() {
        guard let deadline = machine.deadline, deadline != timed else { return }
        timed = deadline
        let left = deadline > world.now ? deadline.nanoseconds - world.now.nanoseconds : 0
        node.later(Int((left + 999_999) / 1_000_000)) { [self] in
            guard timed == deadline else { return }
            timed = nil
            run { $0.handleDeadline(at: $1) }
        }
    }
}

extension Activity {
    /// The number of the state, in a world with apps.
    var version: Int { title.flatMap { Int($0) } ?? 0 }
}
