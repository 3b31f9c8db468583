/// The activities of this device's app instances: decides which part of them is stored here, and which part other
/// devices may see at which time.
///
/// It has no access to a disk, a clock or a process. There are four families of methods:
/// - commands of apps change an activity, and carry a ticket: `start`, `update`, `resign`, `finish`, `deleteSaved`;
/// - events go in with `handle…`, and `load` is the first;
/// - effects are drained after every call: `nextEffect()`, then `nextWithdrawing()`;
/// - queries are properties and methods that change nothing.
///
/// The part that others may see is a record; the part that they may not see, or not yet, stands in a note. The target
/// state of the disk follows from what the app wants, from the present state of the disk, and from the time. At most
/// one transaction of an activity is under way; later changes go with the next one.
///
///     in step ──change or deadline───▶ under way ──stored──▶ in step, or under way
///                                         └──failed──▶ the state on the disk; necessary writes are retried
package struct CurrentActivities: Sendable {
    /// Identifies a request, which is answered once its change is stored.
    package typealias Ticket = UInt64

    /// How an activity ends.
    package enum Ending: Equatable, Sendable {
        case finished
        /// A device continued it, and took it over.
        case takenOver(by: DeviceIdentifier, at: WallTime)
        /// The person deleted it on all devices; nothing of it is kept.
        case forgotten
    }

    /// Drafts and notes to store together; at most one transaction of a name is under way.
    package struct Transaction: Equatable, Sendable {
        package let name: ActivityName
        package let drafts: [Journal.Draft]
        package let notes: [LocalNote]
        /// When it was made.
        package let clocks: Clocks
    }

    /// The activities over whose records others write, with the notes that keep their states.
    package struct Arriving: Equatable, Sendable {
        fileprivate(set) var names: [ActivityName] = []
        package fileprivate(set) var notes: [LocalNote] = []
    }

    /// The standing of an activity that another device wants to continue.
    package enum Standing: Equatable, Sendable {
        /// It is going on, and other devices may have it.
        case shared(ActivityName)
        /// Nothing of it is to leave this device.
        case hidden
        /// It is no longer going on; `to` is the device that took it over, if one did.
        case ended(to: DeviceIdentifier?)
    }

    package let device: DeviceIdentifier
    /// Recognises the records that this device wrote; nil if records are not marked.
    private let signer: (any DeviceSigner)?
    /// How often changes are sent to other devices.
    private var pace: PublishingPace
    /// The pause after a failure of the disk before a necessary write is retried: the first and the longest one.
    private let retryPause: ClosedRange<Duration>
    /// Whether nothing is to leave this device.
    package private(set) var isPrivate = false
    /// The apps whose activities are not to leave this device.
    private var withheld: Set<String> = []
    /// The activities that ended and that this device keeps for itself.
    package private(set) var kept = KeptActivities()
    /// For how many days ended activities are kept.
    package var finishedDays: Int64

    /// The activities, by the identities of their records.
    private var entries: [RecordIdentity: Boxed<Entry>] = [:]
    /// When each activity is to be settled next.
    private var deadlines: [RecordIdentity: Instant] = [:]
    private var taken = TakenActivities()
    private var unexplained = UnexplainedEnds()
    private var transactions: [Transaction] = []
    private var answers: [(Ticket, StoreFailure?)] = []
    private var endings: [(ActivityName, Ending)] = []
    /// The present names of instances that continue under a new name, by the identity of their first name.
    private var moved: [RecordIdentity: ActivityName] = [:]
    private var moves: [(from: ActivityName, to: ActivityName)] = []
    private var changed: [ActivityName] = []
    private var stored: [(ActivityName, StoreFailure?, changesKept: Bool)] = []
    /// Whether `isWithdrawing` may differ from what was reported.
    private var mayWithdraw = true
    /// The last report of `isWithdrawing`.
    private var reportedWithdrawing = false
    /// The activities whose state was stored in a note while others wrote over their records; `handleRecords` gets
    /// these records next.
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

    /// Makes an activity the current one of its instance; the activity that it replaces is kept as finished.
    package mutating func start(_ name: ActivityName, _ own: OwnActivity, for ticket: Ticket, at now: Clocks)
    {
        let name = present(name)
        unexplained.remove(name)
        change(name, for: ticket, at: now) { activities in
            var own = own
            if let last = activities.entries[name.identity]?.value.wanted {
                let savedName = last.activity.savedName(by: name.app)
                if savedName == own.activity.savedName(by: name.app) {
                    // It is the same activity, which goes on.
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
    /// If the activity gets another persistent identifier, and its previous state may be suggested, this state is saved
    /// for this device.
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

    /// Cancels the pending saves of an app's ended activities that have one of these identifiers, or all if
    /// `identifiers` is nil.
    ///
    /// Each name with such a pending save gets a ticket.
    ///
    /// Activities that are going on stay: they are saved once they end.
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

    /// Returns the standing of the activity that a record is about.
    package func standing(of identity: RecordIdentity, at now: WallTime) -> Standing {
        // Nothing leaves, not even the name of the device that took an activity over.
        guard !isPrivate else { return .hidden }
        guard let name = name(of: identity) else { return .ended(to: taken[identity]?.device) }
        guard let own = self[name], !own.activity.isExpired(at: now) else {
            return .ended(to: entries[name.identity]?.value.taker ?? taken[identity]?.device)
        }
        return isShared(name) ? .shared(name) : .hidden
    }

    /// Hands an activity to a device, which may take it over; returns its present state, or nil if it is not going on,
    /// or may now be seen on this device only.
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

    /// Returns whether an activity that is handed to another device may be sent there, now that its new state is
    /// stored.
    ///
    /// Since then the person or the app may have withheld it, or it may have expired.
    package func mayLeave(_ handed: Activity, of name: ActivityName, at now: WallTime) -> Bool {
        let isOffered = entries[name.identity]?.value.wanted?.isOffered ?? true
        return isOffered && !isWithheld(name) && !handed.isExpired(at: now)
    }

    // MARK: Events

    /// Loads the activities that were going on.
    ///
    /// Activities that were bound to a connection have ended with it, except those in `connected`, which has the first
    /// names of activities whose connections still exist. Records that others wrote with times out of reach of the
    /// clock are ignored; records that others wrote with times within its reach are overwritten.
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

    /// Whether another activity of this device with the same saved form has ended since this one's last change.
    private func isReplaced(_ own: OwnActivity, of name: ActivityName, since changed: HybridTime?) -> Bool {
        guard let changed, let end = taken.end(savedAs: own.activity.savedName(by: name.app).key.identity)
        else { return false }
        return end.time > changed.wall
    }

    /// Handles the loss of the process or connection that an activity was bound to.
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
            // Pending saves are dropped: while the person keeps all activities here, no ended activity is saved.
            if isPrivate { entries[name.identity]?.value.saves = [:] }
            settle(name, at: now)
        }
    }

    /// Sets the apps whose activities are not to leave this device.
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

    /// Called before writes of others are stored; returns the notes to store in the same transaction.
    ///
    /// If others write over the record of an activity that is going on here, its state is kept in a note until it is
    /// written again. Otherwise it would be lost if the process ended in between.
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

    /// Handles the store's answer about writes of others and the notes that went with them; called before their records
    /// are passed to `handleRecords`, which then settles these activities.
    package mutating func handleArrived(_ arriving: Arriving, isKept: Bool, at now: Clocks) {
        for name in arriving.names {
            entries[name.identity]?.value.noteArrived(isKept: isKept)
            if isKept { arrived.append(name) } else { settle(name, at: now) }
        }
    }

    /// Handles changed records in their present states, in the order in which the store made the changes.
    ///
    /// Records that this device wrote are passed, too, before `handleKept` is called for their transactions.
    ///
    /// `complete` are the claims of the lane after these changes, if they are certain (`StoreCommit.complete`);
    /// `outranked` are the records in which writes of this device do not count (`StoreCommit.outranked`); `clock` is
    /// the store's clock.
    package mutating func handleRecords(
        _ records: [Record], complete: VersionVector?, outranked: [RecordIdentity],
        clock: HybridTime, at now: Clocks
    ) {
        for identity in outranked { entries[identity]?.value.flight?.isOutranked = true }
        // The saved form of an activity that was taken over says which device did it.
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
            // Only this device may write this record, and only a faulty or hostile member writes such a time; so the
            // content does not matter.
            if record.incarnation.time > clock {
                handleLoss(ofName: name, at: now)
                continue
            }
            let told = activity(of: record)
            // A record that exists but can't be read was written by a newer version, and is left alone.
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

    /// Returns the activity of a record; a record that was written here need not be decoded.
    private func activity(of record: Record) -> Activity? {
        if let entry = entries[record.identity]?.value, let fields = record.fields,
            let written = entry.flight == nil ? entry.disk.record : entry.flight?.disk.record,
            written.isSpelled(by: fields)
        {
            return written
        }
        return record.activity?.activity
    }

    /// Whether another device wrote the record of an activity of this device, or a part of it.
    private func isForeign(_ record: Record) -> Bool { signer.map { !$0.hasMarked(record) } ?? false }

    /// Handles a record that another device wrote with a time that is out of reach of clocks.
    private mutating func handleLoss(ofName name: ActivityName, at now: Clocks) {
        guard let entry = entries[name.identity]?.value else { return }
        if entry.flight == nil {
            goOn(from: name, nil, at: now)
        } else {
            entries[name.identity]?.value.flight?.isOutranked = true
        }
    }

    /// Handles the record of an activity as it is now.
    ///
    /// A record that another device wrote is not an activity of this device: it is overwritten, or deleted if no
    /// activity is going on here under that name.
    private mutating func handleReport(_ told: Told, of name: ActivityName, at now: Clocks) {
        let record = told.activity
        if entries[name.identity] == nil {
            guard let record else { return }
            if told.isForeign {
                // A member may write endlessly; records beyond the limit are left as they are.
                guard entries.count < Limits.deviceActivities else { return }
                entries[name.identity] = Boxed(Entry(name, loading: Disk(record: record, isForeign: true)))
                return settle(name, at: now)
            }
            // An earlier state of the store was restored here, and other devices still had this record.
            unexplained.remove(name)
            let hasBegun = entries[present(name).identity]?.value.wanted != nil
            entries[name.identity] = Boxed(Entry(name, loading: Disk(record: record)))
            if hasBegun {
                // The instance has begun another activity since, under another name.
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
        // If there was no record, others had nothing to end or change.
        if let known, known != record, !told.isForeign { adoptRecord(record, insteadOf: known, of: name) }
        settle(name, at: now)
    }

    /// Handles the store's answer about the transaction of an activity; `failure` is nil if it was stored.
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
            // A deletion does not remove counters that others have written since, so the old name may never become
            // free.
            goOn(from: name, flight, at: now)
            if told.isDeletable { handleReport(told, of: name, at: now) }
            return
        }
        // An outranked transaction counts as stored: an activity has ended even if its end is outranked.
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
            // Changes that others made during the transaction apply to the state before it.
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
    /// After the next start they would get later stamps than changes that others make in the meantime, and would
    /// wrongly win.
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

    /// Applies the last change that others made to a shared record, unless the app has changed the activity since:
    /// others could not know that change.
    ///
    /// Others' changes also apply while nothing is to leave this device, as long as the record is not withdrawn: until
    /// then it is the only state on the disk.
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

    /// Continues an instance under a new name, because writes under the old name no longer count.
    ///
    /// An activity that was to end under the old name can't be ended for other devices. They see its record as it is,
    /// and learn of the end only if they request the activity from this device.
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

    /// Ends an activity; if `isCertain`, the end holds even if the disk fails.
    private mutating func end(_ name: ActivityName, as ending: Ending, isCertain: Bool, at now: Clocks) {
        guard let wanted = entries[name.identity]?.value.wanted else { return }
        entries[name.identity]?.value.wanted = nil
        if isCertain { entries[name.identity]?.value.isOver = true }
        save(wanted, of: name, as: ending, at: now)
    }

    /// Saves an activity that ends, so that people can go back to it.
    ///
    /// An activity that others may not have is saved for this device alone, and so is the previous state of an activity
    /// that turns to another thing.
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
        // The entry is changed in place, so that it is not copied.
        guard let place = entries.index(forKey: name.identity) else { return }
        let settled = entries.values[place].value.settle(
            isPrivate: isWithheld(name), pace: pace, among: kept, at: now)
        if let transaction = settled.transaction { transactions.append(transaction) }
        for ticket in settled.answered { answers.append((ticket, nil)) }
        if settled.isDone { entries.remove(at: place) }
        deadlines[name.identity] = settled.deadline
    }

    /// The names of ended activities that are still to be saved, some by a transaction under way.
    package var namesToSave: [SavedActivityName] {
        entries.values.flatMap { entry in
            Array(entry.value.saves.keys) + (entry.value.flight.map { Array($0.saves.keys) } ?? [])
        }
    }

    // MARK: Effects

    package enum Effect: Equatable, Sendable {
        /// Store a transaction, which the account itself does if there are drafts; the answer goes to
        /// `handleKept(_:_:at:)`.
        case store(Transaction)
        /// Answer a request; nil means that the result is stored.
        case answer(Ticket, StoreFailure?)
        /// Tell an app that its activity ended without the app's doing.
        case ending(ActivityName, Ending)
        /// Let an instance go on under another name.
        case move(from: ActivityName, to: ActivityName)
        /// Tell watchers that an activity began, changed or ended, which is about to be stored.
        case changed(ActivityName)
        /// Note that a change of an activity was stored, or was not; with `changesKept`, the activities that this
        /// device keeps for itself may have changed.
        case stored(ActivityName, StoreFailure?, changesKept: Bool)
        /// Withhold the stored activities, because some must not leave this device, or withhold them no longer.
        case withdrawing(Bool)
    }

    /// Returns the next effect: transactions go before what is reported.
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

    /// Returns whether stored activities are to be withheld from now on; nil if that has not changed.
    ///
    /// Call it once the transactions went out: a write that withdraws an activity must not itself be withheld.
    package mutating func nextWithdrawing() -> Effect? {
        guard mayWithdraw else { return nil }
        mayWithdraw = false
        guard isWithdrawing != reportedWithdrawing else { return nil }
        reportedWithdrawing.toggle()
        return .withdrawing(reportedWithdrawing)
    }

    // MARK: Queries

    /// When `handleDeadline(at:)` is due.
    package var deadline: Instant? { deadlines.values.min() }

    /// Every activity that is going on here, or is resigned, in the order of names.
    package var all: [(name: ActivityName, own: OwnActivity)] {
        sortedNames.compactMap { name in entries[name.identity]?.value.wanted.map { (name, $0) } }
    }

    /// Returns the name under which the instance of that name goes on.
    package func present(_ name: ActivityName) -> ActivityName {
        let first = name.first
        return moved[first.identity] ?? first
    }

    /// Returns the current activities that searches find, in the form that they would have if they had ended with their
    /// last change.
    ///
    /// Hidden activities are left out; there are none while all activities stay on this device.
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

    /// Returns the name of the activity that a record would be about, if one is known here.
    package func name(of identity: RecordIdentity) -> ActivityName? { entries[identity]?.value.name }

    /// Whether other devices may see the activity.
    package func isShared(_ name: ActivityName) -> Bool {
        entries[name.identity]?.value.wanted.map { $0.isOffered && !isWithheld(name) } ?? false
    }

    /// Whether nothing of the activity is to leave this device, whatever its app offers.
    private func isWithheld(_ name: ActivityName) -> Bool { isPrivate || withheld.contains(name.app) }

    /// Whether the store has records of activities that the person withholds, whose withdrawal is not stored yet.
    private var isWithdrawing: Bool {
        guard isPrivate || !withheld.isEmpty else { return false }
        return entries.values.contains { isWithheld($0.value.name) && $0.value.hasStoredRecord }
    }

    /// Returns the notes that remove activities of an app that this device keeps for itself: those with these
    /// identifiers, or all.
    package func notes(removingKept identifiers: Set<String>?, of app: String) -> [LocalNote] {
        let underWay = entries.values.filter { $0.value.name.app == app }
            .flatMap { Array(($0.value.flight?.saves ?? [:]).keys) }
        let names =
            identifiers.map { $0.map { SavedActivityName(app: app, identifier: $0) } }
            ?? Array(Set(kept.names(of: app) + underWay))
        return KeptActivities.notes(
            removing: names.sorted { $0.key.name.lexicographicallyPrecedes($1.key.name) })
    }

    /// Returns where the activity of that record went on, if it was taken over when it ended last.
    package func takenOver(_ identity: RecordIdentity) -> Activity.Continuation? { taken[identity] }

    /// Whether others ended the activity, but its app is not notified yet because it is not known how the activity
    /// ended.
    package func hasUnexplainedEnd(_ name: ActivityName) -> Bool { unexplained.contains(name.identity) }

    private var sortedNames: [ActivityName] { entries.values.map(\.value.name).sorted { $0.precedes($1) } }
}

extension CurrentActivities.Entry {
    /// The device that takes the activity over by an end that is being stored.
    fileprivate var taker: DeviceIdentifier? {
        let ends = (flight?.saves ?? [:]).merging(saves) { _, last in last }
        return ends.values.first(where: \.activity.isTaken)?.activity.continuation?.device
    }
}

extension Activity {
    /// Keeps the times and the devices that were recorded for the activity before it was started again.
    fileprivate mutating func goOn(from last: Activity) {
        (started, continuation, sent) = (last.started, last.continuation, last.sent)
    }
}

extension ActivityName {
    /// Compares names in an order that is the same everywhere.
    fileprivate func precedes(_ other: ActivityName) -> Bool {
        key.name.lexicographicallyPrecedes(other.key.name)
    }
}
