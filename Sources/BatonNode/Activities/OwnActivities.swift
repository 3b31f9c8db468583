import BatonCore
import BatonNetwork
import BatonSecurity

/// The current activities of this device, as a part of the account.
///
/// `CurrentActivities` makes the decisions.
///
/// This class knows the processes and connections with which activities end, and the callers that wait for an answer.
/// If a change has consequences for other parts of the node, it emits an `Output`.
final class OwnActivities {
    typealias Ending = CurrentActivities.Ending
    /// Called once something was stored, or with the reason why storing it failed.
    typealias Then = (StoreFailure?) -> Void

    /// A consequence of a change that concerns other parts of the account.
    enum Output {
        /// An activity began, changed or ended. This is emitted before the change is stored, and again if storing it
        /// fails. `isSearched` says whether searches may find the activity, or may have found it before it ended.
        case changed(ActivityName, isSearched: Bool)
        /// An activity ended, although its app did not end it. The events of the app are included if the app is
        /// connected.
        case ended(ActivityName, Ending, AppEvents?)
        /// Whether the store still has records of withheld activities, because their withdrawal is not stored yet.
        /// Emitted when this changes.
        case withdrawing(Bool)
        /// The activities that only this device keeps have changed, so search results may change.
        case keptChanged
    }

    /// This device.
    let device: DeviceIdentifier
    private let account: AccountCore
    private let loop: EventLoop
    private let log: Log
    private var outputs: [Output] = []
    private var isClosed = false
    /// The callbacks that wait for an answer, by ticket.
    ///
    /// Tickets are consecutive numbers.
    private var waiting: [CurrentActivities.Ticket: Then] = [:]
    private var lastTicket: CurrentActivities.Ticket = 0
    /// The earliest time of the next removal of expired activities from the disk.
    private var nextRemoval = Instant(nanoseconds: 0)
    /// The timer for `removalDeadline`.
    private let timer: OwnedTimer
    private let processes: ActivityProcesses
    /// The sizes in bytes of the activities that `makeRoom` has admitted, by the activities' first names.
    ///
    /// Some of these activities may have ended.
    private var sizes: [ActivityName: Int] = [:]
    /// The sum of all `sizes`.
    private var sizeSum = 0
    /// A cache of the first names of app instances, because making a name requires a hash.
    private var firstNames: [AppInstance: ActivityName] = [:]
    /// The connections that began the activities.
    private var apps: [ActivityName: WeakApp] = [:]

    private struct AppInstance: Hashable {
        let app, instance: String
    }

    private struct WeakApp {
        weak var events: AppEvents?
    }

    init(of account: AccountCore) {
        self.account = account
        device = account.credentials.device
        loop = account.loop
        log = account.log
        timer = OwnedTimer(on: loop)
        processes = ActivityProcesses(on: loop, log: log)
        processes.ended = { [unowned self] process, name in end(process, of: name) }
    }

    /// Restores the activities that were current when the node stopped, and finishes activities that have ended since.
    ///
    /// An activity of a connected app continues in the state that the app has, and not in its stored state.
    func load(
        _ records: [Record], notes: [LocalNote], taken: TakenActivities, isPrivate: Bool,
        kept: KeptActivities, withheld: Set<String>, carrying carried: [Carried] = [], clock: HybridTime
    ) {
        let connected = Set(carried.map(\.name.first))
        run {
            $0.load(
                records, notes: notes, taken: taken, isPrivate: isPrivate, kept: kept, withheld: withheld,
                connected: connected, clock: clock, at: $1)
        }
        for (name, own) in all {
            setSize(own.activity.fields.encodedCount, of: name.first)
            watch(name)
        }
        setTimer()
        for carried in carried { carryOn(carried) }
    }

    /// An activity and the connected app that has the activity open.
    struct Carried {
        let name: ActivityName
        let own: OwnActivity
        let app: AppEvents
    }

    /// The activities whose apps are connected.
    var carried: [Carried] {
        all.compactMap { name, own in
            app(of: name).map { Carried(name: name, own: own, app: $0) }
        }
    }

    private func carryOn(_ carried: Carried) {
        let (name, own) = (present(carried.name), carried.own)
        if ask({ $0[name] }) == nil {
            start(name, own.activity, lifetime: own.lifetime, by: carried.app) { _ in }
        } else {
            // The activity is the same even if its title has changed since. Therefore, it is updated, and does not end.
            apps[name] = WeakApp(events: carried.app)
            update(name, own.activity) { _ in }
        }
        if own.isResigned { resign(name) { _ in } }
    }

    /// Called before a peer's writes are stored.
    ///
    /// Returns the notes that are stored together with the writes.
    func handleArriving(_ writes: [Write]) -> CurrentActivities.Arriving {
        ask { $0.handleArriving(writes) }
    }

    /// Called when the arriving writes and their notes were stored, or when storing them failed.
    ///
    /// After a success, this is called before `takeBack`.
    func handleArrived(_ arriving: CurrentActivities.Arriving, isKept: Bool) {
        guard !arriving.notes.isEmpty else { return }
        run { $0.handleArrived(arriving, isKept: isKept, at: $1) }
    }

    /// Handles changes to this device's activities that were not made here.
    ///
    /// Another device may have taken an activity over, or the person may have removed one. After an earlier state of
    /// this device was restored, other devices also send changes back that this device has lost.
    func takeBack(_ commit: StoreCommit) {
        run {
            $0.handleRecords(
                commit.changed, complete: commit.complete, outranked: commit.outranked,
                clock: commit.clock, at: $1)
        }
    }

    // MARK: Queries

    /// Returns the present name of the app instance for which a name was made.
    func present(_ name: ActivityName) -> ActivityName { ask { $0.present(name) } }

    /// Queries the state machine in place.
    ///
    /// The state machine is large, and reading it through a property would copy it.
    private func ask<Answer>(_ question: (inout CurrentActivities) -> Answer) -> Answer {
        account.ask { question(&$0.activities) }
    }

    /// All activities of this device that are current or resigned, sorted by name.
    private var all: [(name: ActivityName, own: OwnActivity)] { ask { $0.all } }

    /// Returns the present name of an app instance.
    func presentName(of instance: String, of app: String) -> ActivityName {
        let key = AppInstance(app: app, instance: instance)
        if let name = firstNames[key] { return present(name) }
        if firstNames.count >= Limits.deviceActivities { firstNames = [:] }
        let name = ActivityName(device: device, app: app, instance: instance)
        firstNames[key] = name
        return present(name)
    }

    /// Returns the name of the activity that a record describes, if this device knows the activity.
    func name(of identity: RecordIdentity) -> ActivityName? { ask { $0.name(of: identity) } }

    /// Returns the current activity with this name, even if its app has resigned it; nil if it has ended or expired.
    func activity(_ name: ActivityName) -> Activity? { going(name)?.activity }

    private func going(_ name: ActivityName) -> OwnActivity? {
        ask { $0[name] }.flatMap { $0.activity.isExpired(at: .now) ? nil : $0 }
    }

    /// The ended activities that only this device keeps.
    var kept: KeptActivities { ask { $0.kept } }

    /// Returns the current activities of this device that searches find.
    ///
    /// Hidden activities are left out.
    func searched(isHidden: (RecordIdentity, Activity) -> Bool) -> KeptActivities {
        ask { $0.searched(at: .now, isHidden: isHidden) }
    }

    /// The current activities of this device.
    ///
    /// Activities that other devices don't see are included. Resigned activities are left out.
    var current: [(name: ActivityName, activity: Activity)] {
        all.filter { !$0.own.isResigned && !$0.own.activity.isExpired(at: .now) }
            .map { ($0.name, $0.own.activity) }
    }

    /// Whether an activity that this device keeps is protected.
    var hasProtected: Bool {
        current.contains { $0.activity.protection != nil }
            || kept.activities.contains { $0.value.protection != nil }
    }

    /// Returns the activity with this name if it is current and not resigned, even if other devices don't see it.
    func offered(_ name: ActivityName) -> Activity? {
        going(name).flatMap { $0.isResigned ? nil : $0.activity }
    }

    /// Whether a record, or a write to a record, belongs to a current activity of this device.
    func isOwn(_ identity: RecordIdentity, _ key: RecordKey?) -> Bool {
        guard identity.kind == .currentActivity else { return false }
        guard let key else { return name(of: identity) != nil }
        return ActivityName.device(in: key) == device
    }

    /// Whether other devices may see and continue the activity.
    func isShared(_ name: ActivityName) -> Bool {
        going(name) != nil && ask { $0.isShared(name) }
    }

    /// Whether the handed state of an activity may be sent to another device, now that the continuation is stored.
    func mayLeave(_ handed: Activity, of name: ActivityName) -> Bool {
        ask { $0.mayLeave(handed, of: name, at: .now) }
    }

    /// Makes room for an activity whose fields have this size in bytes.
    ///
    /// Returns false if this device's other activities leave too little room.
    func makeRoom(for name: ActivityName, bytes: Int) -> Bool {
        let name = name.first
        let before = setSize(bytes, of: name)
        if isWithinLimits { return true }
        // The sum may still include activities that have ended. They are subtracted only now.
        for other in sizes.keys where other != name && ask({ $0[$0.present(other)] }) == nil {
            setSize(nil, of: other)
        }
        if isWithinLimits { return true }
        setSize(before, of: name)
        return false
    }

    /// Sets or removes the size of an activity, and returns its previous size.
    @discardableResult private func setSize(_ bytes: Int?, of name: ActivityName) -> Int? {
        let before = sizes[name]
        guard before != bytes else { return before }
        sizes[name] = bytes
        sizeSum += (bytes ?? 0) - (before ?? 0)
        return before
    }

    private var isWithinLimits: Bool {
        sizes.count <= Limits.deviceActivities && sizeSum <= Limits.deviceActivitiesBytes
    }

    /// Returns whether another device may continue the activity of a record, or how the activity ended.
    func standing(of identity: RecordIdentity) -> CurrentActivities.Standing {
        ask { $0.standing(of: identity, at: .now) }
    }

    /// Returns the device that took over the activity of a record.
    ///
    /// The result is nil if the activity's last end was no takeover, or if the takeover must not be revealed.
    func taker(of identity: RecordIdentity) -> DeviceIdentifier? {
        if case .ended(let taker) = standing(of: identity) { taker } else { nil }
    }

    /// The names of all current activities of this device, including resigned ones, in sorted order.
    var names: [ActivityName] { all.map(\.name) }

    /// The names for activities that have ended and are not saved yet.
    var namesToSave: [SavedActivityName] { ask { $0.namesToSave } }

    /// Returns the events of the app that began an activity; nil if the app's connection has ended.
    func app(of name: ActivityName) -> AppEvents? { apps[name]?.events }

    /// Removes and returns the oldest output.
    func nextOutput() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    // MARK: Commands

    /// Makes an activity the current activity of its app instance.
    ///
    /// `app` is the connection that began the activity.
    func start(
        _ name: ActivityName, _ activity: Activity, lifetime: ActivityLifetime, by app: AppEvents,
        then: @escaping Then
    ) {
        let name = present(name)
        apps[name] = WeakApp(events: app)
        let ticket = ticket(then)
        run { $0.start(name, OwnActivity(activity, lifetime: lifetime), for: ticket, at: $1) }
        watch(present(name))
    }

    /// Changes a current activity.
    ///
    /// `then` is called once the change is stored, or with the failure.
    func update(_ name: ActivityName, _ activity: Activity, then: @escaping Then) {
        let ticket = ticket(then)
        run { $0.update(name, activity, for: ticket, at: $1) }
    }

    /// Stops offering an activity until its app starts it again.
    func resign(_ name: ActivityName, then: @escaping Then) {
        let ticket = ticket(then)
        run { $0.resign(name, for: ticket, at: $1) }
    }

    /// Gives an activity to a device that continues it.
    ///
    /// Returns false if the activity is not current. `then` gets the state to continue once the continuation is stored.
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

    /// Deletes saved activities of an app with drafts.
    ///
    /// Activities that are yet to be saved are deleted, too.
    ///
    /// `identifiers` selects the activities; nil selects all. `then` is called once the deletion is stored, or with the
    /// failure.
    func deleteSaved(
        _ identifiers: Set<String>?, of app: String, by drafts: [Journal.Draft], then: @escaping Then
    ) {
        let kept = ask { $0.notes(removingKept: identifiers, of: app) }
        delete(by: drafts, kept, then) { machine, ticket, now in
            machine.deleteSaved(app, identifiers, for: ticket, at: now)
        }
    }

    /// Deletes saved activities.
    ///
    /// The drafts delete activities of all devices, and the notes delete activities that only this device keeps. `body`
    /// may make further changes. It takes a ticket for each change that must be stored before `then` is called.
    private func delete(
        by drafts: [Journal.Draft], _ kept: [LocalNote], _ then: @escaping Then,
        _ body: (
            inout CurrentActivities, (ActivityName) -> CurrentActivities.Ticket, Clocks
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
        publish(drafts, kept) { [self] failure in
            if failure == nil { run { machine, _ in machine.handleKept(kept) } }
            isDone(failure)
        }
    }

    /// Deletes an activity that only this device keeps.
    ///
    /// The drafts delete the activity on other devices.
    func deleteKept(_ name: SavedActivityName, by drafts: [Journal.Draft], then: @escaping Then) {
        delete(by: drafts, KeptActivities.notes(removing: [name]), then) { _, _, _ in }
    }

    /// Applies stored notes about activities that only this device keeps.
    func restoreKept(_ notes: [LocalNote]) {
        run { machine, _ in machine.handleKept(notes) }
        setTimer()
    }

    /// Removes from the disk the expired activities that only this device has kept.
    private func removeExpired() {
        let notes = kept.notesRemovingExpired(at: .now)
        // The clock may have been set after the timer was started. Then nothing has expired yet.
        guard !notes.isEmpty else { return setTimer() }
        nextRemoval = loop.instant + Self.removalPause
        publish([], notes) { [self] failure in
            if failure == nil { run { machine, _ in machine.handleKept(notes) } }
        }
    }

    /// Sets the apps whose activities must not leave this device.
    func set(withheld: Set<String>) { run { $0.handleWithheld(withheld, at: $1) } }

    /// Handles the person's decision to make this device private, or to end that.
    func set(isPrivate: Bool) { run { $0.handlePrivacy(isPrivate, at: $1) } }

    /// Sets the number of days for which this device keeps activities that end from now on.
    func set(finishedDays: Int64) { run { machine, _ in machine.finishedDays = finishedDays } }

    /// Ends the activities that were bound to an app's connection, because the connection has ended.
    func handleEnd(of app: AppEvents) {
        for (name, begun) in apps where begun.events === app {
            apps[name] = nil
            guard ask({ $0[name] })?.lifetime == .connection else { continue }
            run { $0.handleLoss(of: name, at: $1) }
        }
    }

    /// Closes the process watches and the timer.
    ///
    /// The loop holds their callbacks until then.
    ///
    /// Delayed writes are published first. Callers still get their answers while the store accepts writes. Activities
    /// that were bound to a connection count as ended when the node starts again.
    func close() {
        run { $0.handleStop(at: $1) }
        isClosed = true
        processes.close()
        apps = [:]
        timer.cancel()
    }

    private func ticket(_ then: @escaping Then) -> CurrentActivities.Ticket {
        lastTicket += 1
        waiting[lastTicket] = then
        return lastTicket
    }

    // MARK: Driving

    /// Changes the state machine, and carries out its effects.
    private func run(_ body: (inout CurrentActivities, Clocks) -> Void) {
        let clocks = account.clocks
        account.drive { body(&$0.activities, clocks) }
    }

    /// Carries out an effect of the state machine.
    func perform(_ effect: CurrentActivities.Effect) {
        switch effect {
        case .store(let transaction): storeNotes(of: transaction)
        case .answer(let ticket, let failure): waiting.removeValue(forKey: ticket)?(failure)
        case .ending(let name, let ending): put(.ended(name, ending, app(of: name)))
        case .move(let from, let to): move(from, to)
        // Messages to other devices are sent at the end of this turn of the loop. Watchers on this device are told
        // after that.
        case .changed(let name): loop.afterTurn { [self] in tellChanged(name) }
        case .stored(let name, let failure, let changesKept):
            handleStored(name, failure)
            if changesKept { handleKeptChange() }
        case .withdrawing(let isWithdrawing): put(.withdrawing(isWithdrawing))
        }
    }

    /// Stores the notes of a change that other devices can't see.
    private func storeNotes(of transaction: CurrentActivities.Transaction) {
        account.keep(transaction.notes) { [self] failure in
            run { $0.handleKept(transaction.name, failure, at: $1) }
        }
    }

    /// Handles the result of storing a change of an activity.
    private func handleStored(_ name: ActivityName, _ failure: StoreFailure?) {
        if let failure {
            log.tell("could not save the state of an activity: \(failure)")
            tellChanged(name)
        }
        watch(name)
        // The app may still have to be told why its activity ended. Therefore, its connection is kept until the reason
        // is known.
        if ask({ $0[name] == nil && !$0.hasUnexplainedEnd(name) }) { apps[name] = nil }
    }

    /// Continues the activity of an app instance under another name.
    private func move(_ from: ActivityName, _ to: ActivityName) {
        log.warn(
            "“\(from.instance)” of \(from.app) continues under another name, because \(StoreFailure.outranked)"
        )
        apps[to] = apps.removeValue(forKey: from)
        watch(from)
        watch(to)
        loop.afterTurn { [self] in
            tellChanged(from)
            tellChanged(to)
        }
    }

    private func tellChanged(_ name: ActivityName) {
        // The eligibility of an ended activity is unknown here. Therefore, searches may have found the activity.
        put(.changed(name, isSearched: activity(name)?.eligibility.contains(.search) ?? true))
    }

    private func put(_ output: Output) {
        outputs.append(output)
        account.carryOut()
    }

    /// Names, sends and stores drafts together with notes.
    ///
    /// If there are no drafts, the notes are only stored.
    private func publish(_ drafts: [Journal.Draft], _ notes: [LocalNote], then: @escaping Then) {
        let done = { [self] (failure: StoreFailure?) in
            then(failure)
            if notes.contains(where: { $0.space == .keptActivity }) { handleKeptChange() }
        }
        if drafts.isEmpty {
            account.keep(notes, then: done)
        } else {
            account.publish(drafts, notes: notes, then: done)
        }
    }

    /// Handles a change of the activities that only this device keeps.
    ///
    /// Searches find these activities, too.
    private func handleKeptChange() {
        setTimer()
        put(.keptChanged)
    }

    private func setTimer() {
        guard !isClosed else { return }
        timer.follow(removalDeadline.map(MonotonicTime.init)) { [unowned self] in removeExpired() }
    }

    /// The time for the next removal of expired activities that only this device keeps; nil if none expires.
    private var removalDeadline: Instant? {
        kept.nearestExpiration.map { expiration in
            // The timer fires at least once an hour. The clock may be set in the meantime, and an expiration can be
            // arbitrarily far away.
            let wait = min(max(expiration.since(.now), .zero), Self.removalPause)
            return max(nextRemoval, loop.instant + wait)
        }
    }

    /// The shortest time between two removals of expired activities from the disk, and the longest time between two
    /// checks for expired activities.
    ///
    /// The shortest time keeps the node from writing to a failing disk all the time.
    private static let removalPause = Duration.seconds(3600)

    /// Watches the process with which an activity ends, and stops watching any other process for the activity.
    private func watch(_ name: ActivityName) {
        guard !isClosed else { return }
        processes.watch(ask { $0[name] }?.lifetime.process, for: name)
    }

    private func end(_ process: ProcessName, of name: ActivityName) {
        // The activity may be bound to another process by now. If storing that change fails, the old process is watched
        // again.
        guard ask({ $0[name] })?.lifetime.process == process else { return processes.forget(name) }
        log.tell("process \(process.number) ended, so its activity ended, too")
        run { $0.handleLoss(of: name, at: $1) }
    }
}
