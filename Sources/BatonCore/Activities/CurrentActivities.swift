/// The activities of the app instances on this device.
///
/// `CurrentActivities` decides which part of an activity is stored on this device. It also decides which part other
/// devices may see, and when.
///
/// It has no access to a disk, a clock or a process. There are four families of methods:
/// - Commands of apps change an activity, and have a ticket: `start`, `update`, `resign`, `finish`, `deleteSaved`.
/// - Events have names that begin with `handle`; the first event is `load`.
/// - Effects are read after every call: first by `nextEffect()`, then by `nextWithdrawing()`.
/// - Queries are properties and methods that change nothing.
///
/// The part that other devices may see is stored in a record. The part that they may not see, or may not see yet, is
/// stored in a note. The target state of the disk follows from three things: the activity that the app wants, the
/// present state of the disk, and the time. At most one transaction of an activity is under way. Later changes are
/// written by the next transaction.
///
///     in step ──change or deadline───▶ under way ──stored──▶ in step, or under way
///                                         └──failed──▶ the state on the disk; necessary writes are retried
package struct CurrentActivities: Sendable {
    /// Identifies a request of an app; the request is answered when its change is stored.
    package typealias Ticket = UInt64

    /// How an activity ends.
    package enum Ending: Equatable, Sendable {
        case finished
        /// Another device continued the activity and took it over.
        case takenOver(by: DeviceIdentifier, at: WallTime)
        /// The person deleted the activity on all devices; nothing of it is kept.
        case forgotten
    }

    /// Drafts and notes to store together; at most one transaction of an activity is under way.
    package struct Transaction: Equatable, Sendable {
        package let name: ActivityName
        package let drafts: [Journal.Draft]
        package let notes: [LocalNote]
        /// The time at which the transaction was made.
        package let clocks: Clocks
    }

    /// The activities whose records other devices are about to overwrite, and the notes that keep their states.
    package struct Arriving: Equatable, Sendable {
        fileprivate(set) var names: [ActivityName] = []
        package fileprivate(set) var notes: [LocalNote] = []
    }

    /// The standing of an activity that another device wants to continue.
    package enum Standing: Equatable, Sendable {
        /// The activity is going on, and other devices may have it.
        case shared(ActivityName)
        /// No part of the activity may leave this device.
        case hidden
        /// The activity is no longer going on; `to` is the device that took it over, if one did.
        case ended(to: DeviceIdentifier?)
    }

    package let device: DeviceIdentifier
    /// Recognises the records that this device wrote; nil if records have no marks.
    private let signer: (any DeviceSigner)?
    /// How often changes are sent to other devices.
    private var pace: PublishingPace
    /// The first and the longest pause before a necessary write is retried after a failure of the disk.
    private let retryPause: ClosedRange<Duration>
    /// Whether the person keeps all activities on this device.
    package private(set) var isPrivate = false
    /// The apps whose activities must not leave this device.
    private var withheld: Set<String> = []
    /// The ended activities that this device keeps for itself.
    package private(set) var kept = KeptActivities()
    /// The number of days for which ended activities are kept.
    package var finishedDays: Int64

    /// The activities, by the identities of their records.
    private var entries: [RecordIdentity: Boxed<Entry>] = [:]
    /// The time at which each activity must be settled next.
    private var deadlines: [RecordIdentity: Instant] = [:]
    private var taken = TakenActivities()
    private var unexplained = UnexplainedEnds()
    private var transactions: [Transaction] = []
    private var answers: [(Ticket, StoreFailure?)] = []
    private var endings: [(ActivityName, Ending)] = []
    /// The present names of instances that go on under a new name, by the identity of the first name of the instance.
    private var moved: [RecordIdentity: ActivityName] = [:]
    private var moves: [(from: ActivityName, to: ActivityName)] = []
    private var changed: [ActivityName] = []
    private var stored: [(ActivityName, StoreFailure?, changesKept: Bool)] = []
    /// Whether `isWithdrawing` may differ from what was reported.
    private var mayWithdraw = true
    /// The value of `isWithdrawing` that was reported last.
    private var reportedWithdrawing = false
    /// The activities whose states were stored in notes because other devices overwrite their records.
    ///
    /// The next call of `handleRecords` has these records.
    private var arrived: [ActivityName] = []

    package init(
        of device: DeviceIdentifier, signer: (any DeviceSigner)?, pace: PublishingPace,
        retryPause: ClosedRange<Duration>, finishedDays: Int64
    ) {
        self.device = device
        self.signer = signer
        self.pace = pace
        self.retryPause = retryPause
        self.finishedDays = finishedDays
    }

    // MARK: Commands of apps, each with a ticket

    /// Makes an activity the current one of its instance.
    ///
    /// The activity that was current before is saved as finished.
    package mutating func start(_ name: ActivityName, _ own: OwnActivity, for ticket: Ticket, at now: Clocks)
    {
        let name = present(name)
        unexplained.remove(name)
        change(name, for: ticket, at: now) { activities in
            var own = own
            if let last = activities.entries[name.identity]?.value.wanted {
                let savedName = last.activity.savedName(by: name.app)
                if savedName == own.activity.savedName(by: name.app) {
                    // The app has started the same activity again, so it goes on.
                    own.activity.goOn(from: last.activity)
                } else {
                    activities.save(last, of: name, as: .finished, at: now)
                }
            }
            activities.entries[name.identity, default: Boxed(Entry(name))].value.wanted = own
        }
    }

    /// Changes an activity, if it is going on.
    ///
    /// The change may give the activity another persistent identifier. If so, and if the previous state may be
    /// suggested, the previous state is saved for this device.
    package mutating func update(
        _ name: ActivityName, _ activity: Activity, for ticket: Ticket, at now: Clocks
    ) {
        change(name, for: ticket, at: now) { activities in
            if let last = activities.entries[name.identity]?.value.wanted, last.activity.isLeft(for: activity)
            {
                activities.save(last, of: name, as: .finished, isLeft: true, at: now)
            }
            activities.entries[name.identity]?.value.wanted?.activity = activity
        }
    }

    /// Stops offering an activity until it is started again.
    package mutating func resign(_ name: ActivityName, for ticket: Ticket, at now: Clocks) {
        change(name, for: ticket, at: now) { $0.entries[name.identity]?.value.wanted?.isResigned = true }
    }

    /// Ends an activity.
    package mutating func finish(
        _ name: ActivityName, as ending: Ending, for ticket: Ticket, at now: Clocks
    ) {
        unexplained.remove(name)
        change(name, for: ticket, at: now) { $0.end(name, as: ending, isCertain: false, at: now) }
    }

    /// Cancels the pending saves of ended activities of an app.
    ///
    /// Only activities with one of these identifiers are meant; nil means all of them.
    ///
    /// Each instance with such a pending save gets a ticket.
    ///
    /// Activities that are going on are not affected. They are saved when they end.
    package mutating func deleteSaved(
        _ app: String, _ identifiers: Set<String>?, for ticket: (ActivityName) -> Ticket, at now: Clocks
    ) {
        let saved = identifiers.map { Set($0.map { SavedActivityName(app: app, identifier: $0) }) }
        for name in sortedNames where name.app == app {
            let isPending = entries[name.identity]?.value.dropSaves { saved?.contains($0) ?? true }
            guard isPending ?? false else { continue }
            change(name, for: ticket(name), at: now) { _ in }
        }
    }

    private mutating func change(
        _ name: ActivityName, for ticket: Ticket, at now: Clocks, _ body: (inout Self) -> Void
    ) {
        body(&self)
        guard let place = entries.index(forKey: name.identity) else { return answers.append((ticket, nil)) }
        entries.values[place].value.tickets.append(ticket)
        settle(name, at: now)
    }

    // MARK: Handing an activity to another device

    /// Returns the standing of the activity that has this record.
    package func standing(of identity: RecordIdentity, at now: WallTime) -> Standing {
        // Nothing may leave this device, not even the name of the device that took an activity over.
        guard !isPrivate else { return .hidden }
        guard let name = name(of: identity) else { return .ended(to: taken[identity]?.device) }
        guard let own = self[name], !own.activity.isExpired(at: now) else {
            return .ended(to: entries[name.identity]?.value.taker ?? taken[identity]?.device)
        }
        return isShared(name) ? .shared(name) : .hidden
    }

    /// Hands an activity to a device, which may take the activity over; returns the present state of the activity.
    ///
    /// The result is nil if the activity is not going on, or if only this device may see it now.
    package mutating func hand(
        _ name: ActivityName, to device: DeviceIdentifier, takes: Bool, for ticket: Ticket, at now: Clocks
    ) -> Activity? {
        guard var activity = self[name]?.activity, !activity.isExpired(at: now.wall),
            device == self.device || isShared(name)
        else {
            answers.append((ticket, nil))
            return nil
        }
        activity.continuation = Activity.Continuation(device: device, time: now.wall)
        if takes {
            finish(name, as: .takenOver(by: device, at: now.wall), for: ticket, at: now)
        } else {
            update(name, activity, for: ticket, at: now)
        }
        return activity
    }

    /// Returns whether an activity that was handed to another device may now be sent to that device.
    ///
    /// Call this method when the new state of the activity is stored.
    ///
    /// In the meantime, the person or the app may have withheld the activity, or it may have expired.
    package func mayLeave(_ handed: Activity, of name: ActivityName, at now: WallTime) -> Bool {
        let isOffered = entries[name.identity]?.value.wanted?.isOffered ?? true
        return isOffered && !isWithheld(name) && !handed.isExpired(at: now)
    }

    // MARK: Events

    /// Loads the activities that were going on.
    ///
    /// An activity that was bound to a connection has ended with the connection, unless its first name is in
    /// `connected`, which means that the connection still exists. A record that another device wrote is overwritten if
    /// its time is not later than `clock`; otherwise, it is ignored.
    ///
    /// An activity that ends here is not saved if another activity with the same saved form has ended since its last
    /// change.
    package mutating func load(
        _ records: [Record], notes: [LocalNote], taken: TakenActivities, isPrivate: Bool,
        kept: KeptActivities = KeptActivities(), withheld: Set<String> = [],
        connected: Set<ActivityName> = [], clock: HybridTime, at now: Clocks
    ) {
        self.taken = taken
        self.isPrivate = isPrivate
        self.kept = kept
        self.withheld = withheld
        var found: [ActivityName: Disk] = [:]
        var changed: [ActivityName: HybridTime] = [:]
        for record in records where record.incarnation.time <= clock {
            guard let (name, activity) = record.activity, name.device == device else { continue }
            found[name] = Disk(record: activity, isForeign: isForeign(record))
            changed[name] = record.incarnation.time
        }
        for (name, note) in notes.compactMap(OwnActivityNote.read) where name.device == device {
            found[name, default: Disk()].note = note
        }
        for (name, disk) in found.sorted(by: { $0.key.precedes($1.key) }) {
            entries[name.identity] = Boxed(Entry(name, loading: disk))
            if disk.own != nil, name.epoch > moved[name.first.identity]?.epoch ?? 0 {
                moved[name.first.identity] = name
            }
            if let own = disk.own, own.lifetime == .connection, !connected.contains(name.first) {
                let ending: Ending = isReplaced(own, of: name, since: changed[name]) ? .forgotten : .finished
                end(name, as: ending, isCertain: true, at: now)
            }
            settle(name, at: now)
        }
    }

    /// Whether another activity of this device with the same saved form has ended since the last change of this
    /// activity.
    private func isReplaced(_ own: OwnActivity, of name: ActivityName, since changed: HybridTime?) -> Bool {
        guard let changed, let end = taken.end(savedAs: own.activity.savedName(by: name.app).key.identity)
        else { return false }
        return end.time > changed.wall
    }

    /// Ends an activity because the process or connection that it was bound to has ended.
    package mutating func handleLoss(of name: ActivityName, at now: Clocks) {
        unexplained.remove(name)
        end(name, as: .finished, isCertain: true, at: now)
        settle(name, at: now)
    }

    /// Sets whether the person keeps all activities on this device.
    package mutating func handlePrivacy(_ isPrivate: Bool, at now: Clocks) {
        self.isPrivate = isPrivate
        mayWithdraw = true
        for name in sortedNames {
            // While the person keeps all activities on this device, no ended activity is saved. So pending saves are
            // dropped.
            if isPrivate { entries[name.identity]?.value.saves = [:] }
            settle(name, at: now)
        }
    }

    /// Sets the apps whose activities must not leave this device.
    package mutating func handleWithheld(_ withheld: Set<String>, at now: Clocks) {
        let changed = self.withheld.symmetricDifference(withheld)
        self.withheld = withheld
        mayWithdraw = true
        for name in sortedNames where changed.contains(name.app) {
            // Pending saves of ended activities stay on this device, too.
            if withheld.contains(name.app) { entries[name.identity]?.value.withholdSaves() }
            settle(name, at: now)
        }
    }

    /// Called when notes about activities that this device keeps for itself were stored.
    package mutating func handleKept(_ notes: [LocalNote]) { kept.restoreNotes(notes) }

    /// Called before writes of other devices are stored; returns the notes to store in the same transaction.
    ///
    /// Other devices may overwrite the record of an activity that is going on here. Until this device has written the
    /// record again, a note keeps the state of the activity. Without the note, the state would be lost if the process
    /// ended in between.
    package mutating func handleArriving(_ writes: [Write]) -> Arriving {
        var arriving = Arriving()
        for write in writes where write.identity.kind == .currentActivity && write.action != .deletion {
            let identity = write.identity
            guard let name = name(of: identity), !arriving.names.contains(name), isForeign(Record(write)),
                let note = entries[identity]?.value.noteArriving()
            else { continue }
            arriving.names.append(name)
            arriving.notes.append(note.note(of: name))
        }
        return arriving
    }

    /// Handles the answer of the store about writes of other devices and the notes that were stored with them.
    ///
    /// Call this method before passing the records of these writes to `handleRecords`, which then settles the
    /// activities.
    package mutating func handleArrived(_ arriving: Arriving, isKept: Bool, at now: Clocks) {
        for name in arriving.names {
            entries[name.identity]?.value.noteArrived(isKept: isKept)
            if isKept { arrived.append(name) } else { settle(name, at: now) }
        }
    }

    /// Handles changed records in their present states, in the order in which the store changed them.
    ///
    /// The records include those that this device wrote. Call this method before `handleKept` is called for their
    /// transactions.
    ///
    /// `complete` are the claims of the lane after these changes, if they are certain (`StoreCommit.complete`).
    /// `outranked` are the records in which writes of this device have no effect (`StoreCommit.outranked`). `clock` is
    /// the clock of the store.
    package mutating func handleRecords(
        _ records: [Record], complete: VersionVector?, outranked: [RecordIdentity],
        clock: HybridTime, at now: Clocks
    ) {
        for identity in outranked { entries[identity]?.value.flight?.isOutranked = true }
        // The saved form of an activity that was taken over names the device that took it over.
        for record in records where record.identity.kind == .savedActivity {
            taken.recordEnd(record, of: device)
        }
        for record in records where record.identity.kind == .currentActivity {
            if entries[record.identity] != nil || unexplained.contains(record.identity) {
                unexplained.recordExplanation(record)
            }
            guard let name = name(of: record.identity) ?? record.activityName, name.device == device else {
                continue
            }
            // Only this device may write this record. A member that writes it with such a time is faulty or hostile, so
            // the content of the record does not matter.
            if record.incarnation.time > clock {
                handleLoss(ofName: name, at: now)
                continue
            }
            let told = activity(of: record)
            // A record that exists but can't be read was written by a newer version. It is left as it is.
            if told == nil, record.isThere { continue }
            let isForeign = told != nil && isForeign(record)
            handleReport(
                Told(activity: told, isForeign: isForeign, isDeletable: record.content != nil), of: name,
                at: now)
        }
        for name in arrived { settle(name, at: now) }
        arrived = []
        if let complete { unexplained.recordClaims(complete) }
        endings += unexplained.takeExplained(by: taken)
    }

    /// Returns the activity of a record.
    ///
    /// If this device wrote the record, the activity is known and need not be decoded.
    private func activity(of record: Record) -> Activity? {
        if let entry = entries[record.identity]?.value, let fields = record.fields,
            let written = entry.flight == nil ? entry.disk.record : entry.flight?.disk.record,
            written.isSpelled(by: fields)
        {
            return written
        }
        return record.activity?.activity
    }

    /// Whether another device wrote the record of an activity of this device, or changed a part of it.
    private func isForeign(_ record: Record) -> Bool { signer.map { !$0.hasMarked(record) } ?? false }

    /// Handles a record that another device wrote with a time that no clock here may reach.
    private mutating func handleLoss(ofName name: ActivityName, at now: Clocks) {
        guard let entry = entries[name.identity]?.value else { return }
        if entry.flight == nil {
            goOn(from: name, nil, at: now)
        } else {
            entries[name.identity]?.value.flight?.isOutranked = true
        }
    }

    /// Handles a report of the store about the record of an activity.
    ///
    /// A record that another device wrote is not an activity of this device. If an activity with this name is going on
    /// here, it is written over the record. Otherwise, the record is deleted.
    private mutating func handleReport(_ told: Told, of name: ActivityName, at now: Clocks) {
        let record = told.activity
        if entries[name.identity] == nil {
            guard let record else { return }
            if told.isForeign {
                // A member may write records endlessly. Records beyond the limit are left as they are.
                guard entries.count < Limits.deviceActivities else { return }
                entries[name.identity] = Boxed(Entry(name, loading: Disk(record: record, isForeign: true)))
                return settle(name, at: now)
            }
            // An earlier state of the store was restored on this device, and other devices still had the record.
            unexplained.remove(name)
            let hasBegun = entries[present(name).identity]?.value.wanted != nil
            entries[name.identity] = Boxed(Entry(name, loading: Disk(record: record)))
            if hasBegun {
                // Since then, the instance has begun another activity under another name.
                entries[name.identity]?.value.wanted = nil
            } else {
                moved[name.first.identity] = name
            }
            return settle(name, at: now)
        }
        guard entries[name.identity]?.value.flight == nil else {
            entries[name.identity]?.value.flight?.told = told
            return
        }
        let known = entries[name.identity]?.value.disk.record
        entries[name.identity]?.value.disk.receiveReport(told)
        // If there was no record, other devices had nothing to end or change.
        if let known, known != record, !told.isForeign { adoptRecord(record, insteadOf: known, of: name) }
        settle(name, at: now)
    }

    /// Handles the answer of the store to the transaction of an activity; `failure` is nil if the transaction was
    /// stored.
    package mutating func handleKept(_ name: ActivityName, _ failure: StoreFailure?, at now: Clocks) {
        guard let place = entries.index(forKey: name.identity),
            let flight = entries.values[place].value.flight.take()
        else {
            preconditionFailure("a store answers what it was asked")
        }
        let isKept = failure == nil || failure?.code == .outranked
        if isKept { kept.restoreNotes(flight.kept) }
        let changesKept = (flight.kept + flight.left).contains { $0.space == .keptActivity }
        stored.append((name, failure, changesKept: changesKept))
        if flight.isOutranked { return goOn(from: name, flight, at: now) }
        if failure == nil, flight.writesRecord, let told = flight.told, told.isForeign,
            entries.values[place].value.wanted != nil || !told.isDeletable
        {
            // A deletion does not remove counters that other devices have written since. So the record of the old name
            // may never disappear.
            goOn(from: name, flight, at: now)
            if told.isDeletable { handleReport(told, of: name, at: now) }
            return
        }
        // An outranked transaction counts as stored, because an activity has ended even if its end is outranked.
        if isKept {
            entries.values[place].value.noteKept(flight)
            if let told = flight.told, !told.isForeign, let written = flight.disk.record,
                told.activity != written
            {
                adoptRecord(told.activity, insteadOf: written, of: name)
            }
        } else {
            answers += entries.values[place].value.takeTickets().map { ($0, failure) }
            let known = entries.values[place].value.disk.record
            entries.values[place].value.resume(
                after: flight, isPrivate: isPrivate, retryingIn: retryPause, at: now.steady)
            if withheld.contains(name.app) { entries.values[place].value.withholdSaves() }
            // The changes that other devices made during the transaction apply to the state before the transaction.
            if let told = flight.told, !told.isForeign, let known, told.activity != known {
                adoptRecord(told.activity, insteadOf: known, of: name)
            }
        }
        answers += flight.tickets.map { ($0, failure) }
        endings += unexplained.takeExplained(by: taken)
        settle(name, at: now)
    }

    /// Sends the delayed changes now, because the process is about to end.
    ///
    /// After the next start, these changes would get later stamps than changes that other devices make in the meantime.
    /// So they would wrongly win.
    package mutating func handleStop(at now: Clocks) {
        pace.pause = .zero
        for name in sortedNames { settle(name, at: now) }
    }

    /// Called when the moment of `deadline` has come.
    package mutating func handleDeadline(at now: Clocks) {
        let due = deadlines.filter { $0.value <= now.steady }.keys.compactMap(name(of:))
        for name in due.sorted(by: { $0.precedes($1) }) { settle(name, at: now) }
    }

    // MARK: Consequences of commands and events

    /// Applies the last change that other devices made to the record, unless the app has changed the activity since
    /// `known`.
    ///
    /// The other devices could not know the change of the app.
    ///
    /// Such changes also apply while the activity must not leave this device, until its record is withdrawn. Before
    /// that, the record is the only state on the disk.
    private mutating func adoptRecord(_ record: Activity?, insteadOf known: Activity, of name: ActivityName) {
        guard let wanted = entries[name.identity]?.value.wanted, wanted.isOffered, wanted.activity == known
        else {
            return
        }
        if let record {
            entries[name.identity]?.value.wanted?.activity = record
        } else {
            entries[name.identity]?.value.wanted = nil
            entries[name.identity]?.value.isOver = true
            unexplained.add(name, started: known.started)
        }
    }

    /// Continues an instance under a new name, because writes under the old name have no effect any more.
    ///
    /// An activity that was to end under the old name can't be ended for other devices. They still see its record. They
    /// learn of the end only if they request the activity from this device.
    private mutating func goOn(from name: ActivityName, _ flight: Flight?, at now: Clocks) {
        guard let entry = entries.removeValue(forKey: name.identity)?.value else { return }
        mayWithdraw = true
        deadlines[name.identity] = nil
        guard entry.wanted != nil else {
            answers += ((flight?.tickets ?? []) + entry.tickets).map { ($0, .outranked) }
            return
        }
        let next = name.next(at: now.steady)
        entries[next.identity] = Boxed(Entry(next, goingOnFrom: entry, flight))
        moved[name.first.identity] = next
        moves.append((name, next))
        settle(next, at: now)
    }

    /// Ends an activity; if `isCertain` is true, the activity stays ended even if the disk fails.
    private mutating func end(_ name: ActivityName, as ending: Ending, isCertain: Bool, at now: Clocks) {
        guard let wanted = entries[name.identity]?.value.wanted else { return }
        entries[name.identity]?.value.wanted = nil
        if isCertain { entries[name.identity]?.value.isOver = true }
        save(wanted, of: name, as: ending, at: now)
    }

    /// Saves an activity that ends, so that the person can go back to it.
    ///
    /// An activity that other devices may not have is saved for this device alone. If an activity turns to another
    /// thing (`isLeft`), its previous state is also saved for this device alone.
    private mutating func save(
        _ own: OwnActivity, of name: ActivityName, as ending: Ending, isLeft: Bool = false, at now: Clocks
    ) {
        guard ending != .forgotten, !isPrivate, finishedDays > 0, !own.activity.isClipboard else { return }
        let isHere =
            isLeft || withheld.contains(name.app) || !own.activity.eligibility.contains(.handoff)
        guard !isHere || own.activity.eligibility.isKeptHere else { return }
        var activity = own.activity
        if case .takenOver(let taker, let time) = ending {
            activity.continuation = Activity.Continuation(device: taker, time: time)
            activity.isTaken = true
        }
        let saved = activity.saved(
            from: Activity.Origin(device: device, identity: name.identity), finished: now.wall,
            keeping: WallTime.day * Int(clamping: finishedDays))
        guard !saved.isExpired(at: now.wall) else { return }
        entries[name.identity]?.value.saves[activity.savedName(by: name.app)] = Save(
            activity: saved, isHere: isHere)
    }

    /// Begins a transaction for an activity if one is needed, and sets its next deadline.
    private mutating func settle(_ name: ActivityName, at now: Clocks) {
        if let expired = entries[name.identity]?.value.wanted?.activity, expired.isExpired(at: now.wall) {
            end(name, as: .finished, isCertain: true, at: now)
            endings.append((name, .finished))
        }
        mayWithdraw = true
        // The entry is changed in place, to avoid copying it.
        guard let place = entries.index(forKey: name.identity) else { return }
        let settled = entries.values[place].value.settle(
            isPrivate: isWithheld(name), pace: pace, among: kept, at: now)
        if let transaction = settled.transaction { transactions.append(transaction) }
        for ticket in settled.answered { answers.append((ticket, nil)) }
        if settled.isDone { entries.remove(at: place) }
        deadlines[name.identity] = settled.deadline
    }

    /// The names of ended activities that are not saved yet, including the ones that a transaction under way saves.
    package var namesToSave: [SavedActivityName] {
        entries.values.flatMap { entry in
            Array(entry.value.saves.keys) + (entry.value.flight.map { Array($0.saves.keys) } ?? [])
        }
    }

    // MARK: Effects

    package enum Effect: Equatable, Sendable {
        /// Store a transaction; pass the answer to `handleKept(_:_:at:)`.
        ///
        /// The account itself handles this effect if the transaction has drafts.
        case store(Transaction)
        /// Answer the request with this ticket; nil means that its change is stored.
        case answer(Ticket, StoreFailure?)
        /// Tell an app that something else than the app ended its activity.
        case ending(ActivityName, Ending)
        /// Replace the name of an instance by another name, under which it goes on.
        case move(from: ActivityName, to: ActivityName)
        /// Tell watchers that an activity began, changed or ended; the change is about to be stored.
        case changed(ActivityName)
        /// Take note: a change of an activity was stored, or storing the change failed.
        ///
        /// If `changesKept` is true, the activities that this device keeps for itself may have changed.
        case stored(ActivityName, StoreFailure?, changesKept: Bool)
        /// Begin to withhold the stored activities, because some of them must not leave this device, or stop
        /// withholding them.
        case withdrawing(Bool)
    }

    /// Returns the next effect; transactions come before answers and reports.
    package mutating func nextEffect() -> Effect? {
        if !moves.isEmpty {
            let (from, to) = moves.removeFirst()
            return .move(from: from, to: to)
        }
        if !transactions.isEmpty {
            let transaction = transactions.removeFirst()
            changed.append(transaction.name)
            return .store(transaction)
        }
        if !answers.isEmpty {
            let (ticket, failure) = answers.removeFirst()
            return .answer(ticket, failure)
        }
        if !endings.isEmpty {
            let (name, ending) = endings.removeFirst()
            return .ending(name, ending)
        }
        if !changed.isEmpty { return .changed(changed.removeFirst()) }
        guard !stored.isEmpty else { return nil }
        let (name, failure, changesKept) = stored.removeFirst()
        return .stored(name, failure, changesKept: changesKept)
    }

    /// Returns an effect if withholding stored activities is to begin or to stop; otherwise nil.
    ///
    /// Call this method after the transactions were sent. A write that withdraws an activity must not be withheld
    /// itself.
    package mutating func nextWithdrawing() -> Effect? {
        guard mayWithdraw else { return nil }
        mayWithdraw = false
        guard isWithdrawing != reportedWithdrawing else { return nil }
        reportedWithdrawing.toggle()
        return .withdrawing(reportedWithdrawing)
    }

    // MARK: Queries

    /// The time at which the driver is to call `handleDeadline(at:)`; nil if no time is set.
    package var deadline: Instant? { deadlines.values.min() }

    /// The activities that are going on here, including resigned ones, sorted by name.
    package var all: [(name: ActivityName, own: OwnActivity)] {
        sortedNames.compactMap { name in entries[name.identity]?.value.wanted.map { (name, $0) } }
    }

    /// Returns the present name of an instance, given any of its names.
    package func present(_ name: ActivityName) -> ActivityName {
        let first = name.first
        return moved[first.identity] ?? first
    }

    /// Returns the current activities that searches find.
    ///
    /// Each activity has the form that it would have if it had ended with its last change.
    ///
    /// Activities for which `isHidden` returns true are left out. While the person keeps all activities on this device,
    /// the result is empty.
    package func searched(
        at now: WallTime, isHidden: (RecordIdentity, Activity) -> Bool
    ) -> KeptActivities {
        guard !isPrivate else { return KeptActivities() }
        var searched: [SavedActivityName: Activity] = [:]
        for (name, own) in all {
            var activity = own.activity
            guard !own.isResigned, activity.eligibility.contains(.search), !activity.isClipboard,
                !activity.isExpired(at: now), !isHidden(name.identity, activity)
            else { continue }
            let savedName = activity.savedName(by: name.app)
            if let other = searched[savedName], other.changed > activity.changed { continue }
            (activity.finished, activity.origin) = (
                activity.changed, Activity.Origin(device: device, identity: name.identity)
            )
            if isWithheld(name) { activity.eligibility.remove(.handoff) }
            searched[savedName] = activity
        }
        return KeptActivities(searched)
    }

    package subscript(name: ActivityName) -> OwnActivity? { entries[name.identity]?.value.wanted }

    /// Returns the name of the activity that has this record, if the activity is known here.
    package func name(of identity: RecordIdentity) -> ActivityName? { entries[identity]?.value.name }

    /// Whether other devices may see the activity.
    package func isShared(_ name: ActivityName) -> Bool {
        entries[name.identity]?.value.wanted.map { $0.isOffered && !isWithheld(name) } ?? false
    }

    /// Whether the activity must not leave this device, even if its app offers it.
    private func isWithheld(_ name: ActivityName) -> Bool { isPrivate || withheld.contains(name.app) }

    /// Whether the store still has records of activities that the person withholds.
    ///
    /// Their withdrawal is not stored yet.
    private var isWithdrawing: Bool {
        guard isPrivate || !withheld.isEmpty else { return false }
        return entries.values.contains { isWithheld($0.value.name) && $0.value.hasStoredRecord }
    }

    /// Returns the notes that remove activities of an app that this device keeps for itself.
    ///
    /// Only activities with one of these identifiers are removed; nil means all of them.
    package func notes(removingKept identifiers: Set<String>?, of app: String) -> [LocalNote] {
        let underWay = entries.values.filter { $0.value.name.app == app }
            .flatMap { Array(($0.value.flight?.saves ?? [:]).keys) }
        let names =
            identifiers.map { $0.map { SavedActivityName(app: app, identifier: $0) } }
            ?? Array(Set(kept.names(of: app) + underWay))
        return KeptActivities.notes(
            removing: names.sorted { $0.key.name.lexicographicallyPrecedes($1.key.name) })
    }

    /// Returns the device that took over the activity of a record and the time; nil unless its last end was a takeover.
    package func takenOver(_ identity: RecordIdentity) -> Activity.Continuation? { taken[identity] }

    /// Whether another device ended the activity and the app is not notified yet, because it is not known how the
    /// activity ended.
    package func hasUnexplainedEnd(_ name: ActivityName) -> Bool { unexplained.contains(name.identity) }

    private var sortedNames: [ActivityName] { entries.values.map(\.value.name).sorted { $0.precedes($1) } }
}

extension CurrentActivities.Entry {
    /// The device that takes the activity over, according to an end that is being stored.
    fileprivate var taker: DeviceIdentifier? {
        let ends = (flight?.saves ?? [:]).merging(saves) { _, last in last }
        return ends.values.first(where: \.activity.isTaken)?.activity.continuation?.device
    }
}

extension Activity {
    /// Takes the start time, the last continuation and the last sending from the state before the activity was started
    /// again.
    fileprivate mutating func goOn(from last: Activity) {
        (started, continuation, sent) = (last.started, last.continuation, last.sent)
    }
}

extension ActivityName {
    /// Compares names by their encoded bytes.
    ///
    /// The order is the same on all devices and in all processes.
    fileprivate func precedes(_ other: ActivityName) -> Bool {
        key.name.lexicographicallyPrecedes(other.key.name)
    }
}
