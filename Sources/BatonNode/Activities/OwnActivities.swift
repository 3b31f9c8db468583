import BatonCore
import BatonNetwork

/// The current activities of this device: has `CurrentActivities` decide, and does what it says.
///
/// It watches the processes and connections with which activities end, keeps what is to be kept, and waits for its time.
final class OwnActivities {
    typealias Ending = CurrentActivities.Ending
    /// Who hears whether something was kept.
    typealias Then = (StoreFailure?) -> Void
    /// Keeps a transaction and tells everyone; the closure hears whether it was kept.
    typealias Publish = ([Journal.Draft], [LocalNote], @escaping Then) -> Void

    private let loop: EventLoop
    private let log: Log
    private let publish: Publish
    private var machine: CurrentActivities
    private var isDraining = false
    private var isClosed = false
    /// Who waits for what; the tickets are counted.
    private var waiting: [CurrentActivities.Ticket: Then] = [:]
    private var lastTicket: CurrentActivities.Ticket = 0
    /// Set for the machine's deadline.
    private let timer: OwnedTimer
    private let processes: ActivityProcesses
    /// How many bytes the fields of the activities have, as room was made for them, by their first names; some may have
    /// ended.
    private var sizes: [ActivityName: Int] = [:]
    /// The connections that began activities.
    private var sessions: [ActivityName: WeakSession] = [:]
    /// Hears of what ended without its app's doing.
    var ended: (ActivityName, Ending) -> Void = { _, _ in }

    /// Hears of what began, changed or ended, before that is kept, and once more if it is not.
    var changed: (ActivityName) -> Void = { _ in }

    private struct WeakSession {
        weak var session: ClientSession?
    }

    init(
        device: DeviceIdentifier, on loop: EventLoop, limits: Limits, log: Log, finishedDays: Int64,
        publish: @escaping Publish
    ) {
        (self.loop, self.log, self.publish, timer) = (loop, log, publish, OwnedTimer(on: loop))
        processes = ActivityProcesses(on: loop, log: log)
        machine = CurrentActivities(
            of: device, pace: PublishingPace(limits), retryPause: limits.retryPause,
            finishedDays: finishedDays)
        processes.ended = { [unowned self] process, name in end(process, of: name) }
    }

    /// Takes up what was going on when the node ended; what ended meanwhile is finished.
    ///
    /// Activities of connected apps go on as those apps have them, in place of their stored state.
    func load(
        _ records: [Record], notes: [LocalNote], taken: TakenActivities, isPrivate: Bool,
        carrying carried: [Carried] = [], clock: HybridTime
    ) {
        let connected = Set(carried.map(\.name.first))
        run {
            $0.load(
                records, notes: notes, taken: taken, isPrivate: isPrivate, connected: connected, clock: clock,
                at: $1)
        }
        for (name, own) in machine.all {
            sizes[name.first] = own.activity.fields.encodedCount
            watch(name)
        }
        for carried in carried { carryOn(carried) }
    }

    /// An activity and the connected app that is at it.
    struct Carried {
        let name: ActivityName
        let own: OwnActivity
        let session: ClientSession
    }

    /// The activities of connected apps.
    var carried: [Carried] {
        machine.all.compactMap { name, own in
            session(of: name).map { Carried(name: name, own: own, session: $0) }
        }
    }

    private func carryOn(_ carried: Carried) {
        let (name, own) = (present(carried.name), carried.own)
        if machine[name] == nil {
            start(name, own.activity, lifetime: own.lifetime, by: carried.session) { _ in }
        } else {
            // It is the same activity, whatever its title was then: nothing has ended.
            sessions[name] = WeakSession(session: carried.session)
            update(name, own.activity) { _ in }
        }
        if own.isResigned { resign(name) { _ in } }
    }

    /// What others changed of this device's activities: they took them over, or the person forgot them, or they had what
    /// this device lost because an earlier state was put back here.
    func takeBack(_ commit: StoreCommit) {
        run {
            $0.handle(
                commit.changed, complete: commit.complete, outranked: commit.outranked,
                clock: commit.clock, at: $1)
        }
    }

    // MARK: Queries

    /// The name under which the app instance of that name goes on.
    func present(_ name: ActivityName) -> ActivityName { machine.present(name) }

    /// The name of the activity that a record would be about, if one is known here.
    func name(of identity: RecordIdentity) -> ActivityName? { machine.name(of: identity) }

    /// The activity of that name, if it is going on; its app may have resigned from it.
    func activity(_ name: ActivityName) -> Activity? { going(name)?.activity }

    private func going(_ name: ActivityName) -> OwnActivity? {
        machine[name].flatMap { $0.activity.isExpired(at: .now) ? nil : $0 }
    }

    /// Every activity that is going on here, also those that others don't see, but for those that were resigned.
    var current: [(name: ActivityName, activity: Activity)] {
        machine.all.filter { !$0.own.isResigned && !$0.own.activity.isExpired(at: .now) }
            .map { ($0.name, $0.own.activity) }
    }

    /// The activity of that name, if it is offered, be it to this device alone.
    func offered(_ name: ActivityName) -> Activity? {
        going(name).flatMap { $0.isResigned ? nil : $0.activity }
    }

    /// Whether a record, or what a write is about, is a current activity of this device.
    func isOwn(_ identity: RecordIdentity, _ key: RecordKey?) -> Bool {
        guard identity.kind == .currentActivity else { return false }
        guard let key else { return name(of: identity) != nil }
        do throws(CBORError) {
            return try ActivityName(key, of: identity).device == machine.device
        } catch {
            return false
        }
    }

    /// Whether other devices may see it, and go on with it.
    func isShared(_ name: ActivityName) -> Bool { going(name) != nil && machine.isShared(name) }

    /// Makes room for an activity whose fields have so many bytes; false if this device has too much beside it.
    func makeRoom(for name: ActivityName, bytes: Int) -> Bool {
        let before = sizes.updateValue(bytes, forKey: name.first)
        if isWithinLimits { return true }
        // Activities that have ended still count until then.
        sizes = sizes.filter { $0.key == name.first || machine[present($0.key)] != nil }
        if isWithinLimits { return true }
        sizes[name.first] = before
        return false
    }

    private var isWithinLimits: Bool {
        sizes.count <= Limits.deviceActivities
            && sizes.values.reduce(0, +) <= Limits.deviceActivitiesBytes
    }

    /// How it stands with the activity of that record, which another device wants to go on with.
    func standing(of identity: RecordIdentity) -> CurrentActivities.Standing {
        machine.standing(of: identity, at: .now)
    }

    /// Where the activity of that record went on, if it was taken over when it ended last, and that may be told.
    func taker(of identity: RecordIdentity) -> DeviceIdentifier? {
        if case .ended(let taker) = standing(of: identity) { taker } else { nil }
    }

    /// This device.
    var device: DeviceIdentifier { machine.device }

    /// Every activity that is going on here, also what was resigned, in the order of names.
    var names: [ActivityName] { machine.all.map(\.name) }

    /// The connection that began the activity, if it is still there.
    func session(of name: ActivityName) -> ClientSession? { sessions[name]?.session }

    // MARK: Commands

    /// Makes an activity the current one of its instance, as that connection asks.
    func start(
        _ name: ActivityName, _ activity: Activity, lifetime: ActivityLifetime, by session: ClientSession,
        then: @escaping Then
    ) {
        let name = present(name)
        sessions[name] = WeakSession(session: session)
        let ticket = ticket(then)
        run { $0.start(name, OwnActivity(activity, lifetime: lifetime), for: ticket, at: $1) }
        watch(present(name))
    }

    /// Changes an activity that is going on; `then` hears once that is kept.
    func update(_ name: ActivityName, _ activity: Activity, then: @escaping Then) {
        let ticket = ticket(then)
        run { $0.update(name, activity, for: ticket, at: $1) }
    }

    /// Offers an activity no more until it is started again.
    func resign(_ name: ActivityName, then: @escaping Then) {
        let ticket = ticket(then)
        run { $0.resign(name, for: ticket, at: $1) }
    }

    /// Gives an activity to a device that goes on with it; false if it is not going on.
    ///
    /// `then` hears once that is kept, with the state to go on with.
    func hand(
        _ name: ActivityName, to device: DeviceIdentifier, takes: Bool,
        then: @escaping (Activity, StoreFailure?) -> Void
    ) -> Bool {
        var handed: Activity?
        let ticket = ticket { failure in
            if let handed { then(handed, failure) }
        }
        run { handed = $0.hand(name, to: device, takes: takes, for: ticket, at: $1) }
        return handed != nil
    }

    /// Ends an activity.
    func finish(_ name: ActivityName, as ending: Ending, then: @escaping Then) {
        let ticket = ticket(then)
        run { $0.finish(name, as: ending, for: ticket, at: $1) }
    }

    /// Deletes what an app saved, by those drafts, and ends the activities that it calls so; `then` hears once all of
    /// that is kept, or what was not.
    func delete(
        _ identifiers: Set<String>, of app: String, by drafts: [Journal.Draft], then: @escaping Then
    ) {
        delete(by: drafts, then) { machine, ticket, now in
            _ = machine.deleteSaved(app, identifiers, for: ticket, saving: ticket, at: now)
        }
    }

    /// Deletes all that an app saved, by that draft, also activities that are still to be saved; `then` hears once all of
    /// that is kept, or what was not.
    func deleteAll(of app: String, by draft: Journal.Draft, then: @escaping Then) {
        delete(by: [draft], then) { machine, ticket, now in
            machine.deleteAllSaved(app, for: ticket, at: now)
        }
    }

    /// Deletes by drafts and by what the closure does, which takes a ticket for each thing that is to be kept first.
    private func delete(
        by drafts: [Journal.Draft], _ then: @escaping Then,
        _ body: (
            inout CurrentActivities, (ActivityName) -> CurrentActivities.Ticket, CurrentActivities.Moment
        ) -> Void
    ) {
        var (left, failure): (Int, StoreFailure?) = (1, nil)
        let isDone = { (failed: StoreFailure?) in
            (left, failure) = (left - 1, failure ?? failed)
            if left == 0 { then(failure) }
        }
        run { machine, now in
            let ticket = { (_: ActivityName) in
                left += 1
                return self.ticket(isDone)
            }
            body(&machine, ticket, now)
        }
        publish(drafts, []) { isDone($0) }
    }

    /// The person wants nothing to leave this device, or no longer.
    func set(isPrivate: Bool) { run { $0.handle(isPrivate: isPrivate, at: $1) } }

    /// What ends from now on is kept for so many days.
    func set(finishedDays: Int64) { machine.finishedDays = finishedDays }

    /// A connection has ended, and what was bound to it.
    func handleEnd(of session: ClientSession) {
        for (name, begun) in sessions where begun.session === session {
            sessions[name] = nil
            guard machine[name]?.lifetime == .connection else { continue }
            run { $0.handleLoss(of: name, at: $1) }
        }
    }

    /// Lets go of everything that the loop calls back about.
    ///
    /// What was to be published later is published before. Whoever asks while the store still takes it is answered. What
    /// was bound to a connection has ended when the node starts again.
    func close() {
        run { $0.handleStop(at: $1) }
        isClosed = true
        processes.close()
        sessions = [:]
        timer.cancel()
    }

    private func ticket(_ then: @escaping Then) -> CurrentActivities.Ticket {
        lastTicket += 1
        waiting[lastTicket] = then
        return lastTicket
    }

    // MARK: Driving

    /// Does something about the activities, and all that follows.
    private func run(_ body: (inout CurrentActivities, CurrentActivities.Moment) -> Void) {
        body(&machine, CurrentActivities.Moment(loop.instant, .now))
        // What is told here may lead to more; the loop below sees it.
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        while let output = machine.nextOutput() {
            switch output {
            case .transaction(let transaction): keep(transaction)
            case .answer(let ticket, let failure): waiting.removeValue(forKey: ticket)?(failure)
            case .ending(let name, let ending): ended(name, ending)
            case .move(let from, let to): move(from, to)
            }
        }
        setTimer()
    }

    /// An instance goes on under another name.
    private func move(_ from: ActivityName, _ to: ActivityName) {
        log.warn(
            "“\(from.instance)” of \(from.app) goes on under another name, because \(StoreFailure.outranked)")
        sessions[to] = sessions.removeValue(forKey: from)
        watch(from)
        watch(to)
        loop.afterTurn { [self] in
            changed(from)
            changed(to)
        }
    }

    private func keep(_ transaction: CurrentActivities.Transaction) {
        let name = transaction.name
        publish(transaction.drafts, transaction.notes) { [self] failure in
            if let failure { log.tell("how an activity stands was not kept: \(failure)") }
            run { $0.handleKept(name, failure, at: $1) }
            if failure != nil { changed(name) }
            watch(name)
            // Who began what others ended hears how, once that is known.
            if machine[name] == nil, !machine.hasUnexplainedEnd(name) { sessions[name] = nil }
        }
        // What goes to other devices leaves at the end of this turn; who watches here is told behind it.
        loop.afterTurn { [self] in changed(name) }
    }

    private func setTimer() {
        let deadline = machine.deadline.map(MonotonicTime.init)
        guard deadline != timer.deadline, !isClosed else { return }
        guard let deadline else { return timer.cancel() }
        timer.set(at: deadline) { [unowned self] in run { $0.handleDeadline(at: $1) } }
    }

    /// Watches the process with which an activity ends, and no other.
    private func watch(_ name: ActivityName) {
        guard !isClosed else { return }
        processes.watch(machine[name]?.lifetime.process, for: name)
    }

    private func end(_ process: ProcessName, of name: ActivityName) {
        // Another one takes the activity over; should that not be kept, this one is watched anew.
        guard machine[name]?.lifetime.process == process else { return processes.forget(name) }
        log.tell("process \(process.number) ended, and its activity with it")
        run { $0.handleLoss(of: name, at: $1) }
    }
}
