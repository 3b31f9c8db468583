/// The activities of this device's app instances: which part is stored here, and which part others may see, and when.
///
/// It never sees a disk, a clock or a process. There are four families of methods:
/// - commands of apps change an activity, and carry a ticket: `start`, `update`, `resign`, `finish`, `deleteSaved`;
/// - events go in with `handle…`, and `load` is the first;
/// - effects are drained after every call: `nextEffect()`, then `nextWithdrawing()`;
/// - queries are properties and methods that change nothing.
///
/// The part that others may see is a record; the part that they may not see, or not yet, stands in a note. The target
/// state of the disk follows from what is wanted, from what is there, and from the time. At most one transaction of an
/// activity is under way; later changes go with the next one.
///
///     in step ──change, or its time──▶ under way ──kept──▶ in step, or once more
///                                         └──failed──▶ what is on the disk holds; what must be is tried later
package struct CurrentActivities: Sendable {
    /// Names a request whose answer is due once what it asks for is kept.
    package typealias Ticket = UInt64

    /// How an activity ends.
    package enum Ending: Equatable, Sendable {
        case finished
        /// A device continued it, and took it over.
        case takenOver(by: DeviceIdentifier, at: WallTime)
        /// The person deleted it on all devices; nothing of it is kept.
        case forgotten
    }

    /// Drafts that are to be kept together; at most one transaction of a name is under way.
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
        /// It is not going on any more; `to` is the device that took it over, if one did.
        case ended(to: DeviceIdentifier?)
    }

    package let device: DeviceIdentifier
    /// Recognises the records that this device wrote; nil where nobody marks them.
    private let signer: (any DeviceSigner)?
    /// How often changes go out.
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
    /// When something is to be done about an activity.
    private var deadlines: [RecordIdentity: Instant] = [:]
    private var taken = TakenActivities()
    private var unexplained = UnexplainedEnds()
    private var transactions: [Transaction] = []
    private var answers: [(Ticket, StoreFailure?)] = []
    private var endings: [(ActivityName, Ending)] = []
    /// The present names of instances that go on under another name than their first, by the first one.
    private var moved: [RecordIdentity: ActivityName] = [:]
    private var moves: [(from: ActivityName, to: ActivityName)] = []
    private var changed: [ActivityName] = []
    private var stored: [(ActivityName, StoreFailure?, changesKept: Bool)] = []
    /// Whether `isWithdrawing` may differ from what was reported.
    private var mayWithdraw = true
    /// The last report of `isWithdrawing`.
    private var reportedWithdrawing = false
    /// The activities whose state was stored in a note while others wrote over their records, which come next.
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
    /// If it is about another thing now, and may be suggested, the thing that it leaves is kept for this device.
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

    /// Cancels saving the ended activities of an app that have one of these identifiers, or all without identifiers; each
    /// name with one that was still to be saved gets a ticket.
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
    /// or may by now be seen on this device alone.
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

    /// Returns whether an activity that was handed to another device may be sent there, now that this is stored.
    ///
    /// The person may have withheld it since, or its app may have; and its time may be over.
    package func mayLeave(_ handed: Activity, of name: ActivityName, at now: WallTime) -> Bool {
        let isOffered = entries[name.identity]?.value.wanted?.isOffered ?? true
        return isOffered && !isWithheld(name) && !handed.isExpired(at: now)
    }

    // MARK: Events

    /// Loads the activities that were going on.
    ///
    /// Activities that were bound to a connection have ended with it, except those whose connection is still there,
    /// which are given by their first names. Records that others wrote with times that are out of reach of the clock
    /// are not this device's, and what others wrote within its reach is written over.
    ///
    /// One that ends here is not saved if an activity with the same saved form has ended since it was changed last.
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

    /// Whether another activity of this device with the same saved form has ended since one was changed last.
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

    /// Sets whether the person keeps everything on this device.
    package mutating func handlePrivacy(_ isPrivate: Bool, at now: Clocks) {
        self.isPrivate = isPrivate
        mayWithdraw = true
        for name in sortedNames {
            // Saves of ended activities that were not kept yet stay on this device, too.
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
            // Saves of ended activities that were not kept yet stay on this device, too.
            if withheld.contains(name.app) { entries[name.identity]?.value.withholdSaves() }
            settle(name, at: now)
        }
    }

    /// Handles notes about activities that this device keeps for itself, which were stored.
    package mutating func handleKept(_ notes: [LocalNote]) { kept.restoreNotes(notes) }

    /// Called before writes of others are stored; returns the notes to store in the same transaction.
    ///
    /// If others write over the record of an activity that is going on here, its state is kept in a note until it is
    /// written again. So no process that ends in between loses it.
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
    /// are passed to `handle`, which then settles what is left.
    package mutating func handleArrived(_ arriving: Arriving, isKept: Bool, at now: Clocks) {
        for name in arriving.names {
            entries[name.identity]?.value.noteArrived(isKept: isKept)
            if isKept { arrived.append(name) } else { settle(name, at: now) }
        }
    }

    /// Handles records as they are now, in the order in which the store took what changed them; the records that this
    /// device wrote are passed, too, before the store reports that they are kept.
    ///
    /// With them come the claims of the lane by then, if they are certain (`StoreCommit.complete`); the records in
    /// which writes of this device do not count (`StoreCommit.outranked`); and the store's clock.
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
            // The record's content does not matter: only a faulty or hostile member writes so, and this device alone
            // writes here.
            if record.incarnation.time > clock {
                handleLoss(ofName: name, at: now)
                continue
            }
            let told = activity(of: record)
            // A record that is there and can't be read is of a newer version, and left to it.
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

    /// Returns the activity of a record; what was written here need not be decoded.
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
    /// A record that another device wrote is no activity of this one: it is written over, or deleted if nothing is going
    /// on here under that name.
    private mutating func handleReport(_ told: Told, of name: ActivityName, at now: Clocks) {
        let record = told.activity
        if entries[name.identity] == nil {
            guard let record else { return }
            if told.isForeign {
                // A member may write without end; the rest is left as it is.
                guard entries.count < Limits.deviceActivities else { return }
                entries[name.identity] = Boxed(Entry(name, loading: Disk(record: record, isForeign: true)))
                return settle(name, at: now)
            }
            // An earlier state was put back here, and others had this.
            unexplained.remove(name)
            let hasBegun = entries[present(name).identity]?.value.wanted != nil
            entries[name.identity] = Boxed(Entry(name, loading: Disk(record: record)))
            if hasBegun {
                // The instance has begun something since, under another name.
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
        // If there was none, nobody else ended or changed it.
        if let known, known != record, !told.isForeign { adoptRecord(record, insteadOf: known, of: name) }
        settle(name, at: now)
    }

    /// Handles the store's answer about the transaction of an activity: it was kept, or was not.
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
            // Counters that others wrote since may be there for good.
            goOn(from: name, flight, at: now)
            if told.isDeletable { handleReport(told, of: name, at: now) }
            return
        }
        // An activity has ended even if its end could not be kept.
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
            // Changes that others made meanwhile apply to what was there before.
            if let told = flight.told, !told.isForeign, let known, told.activity != known {
                adoptRecord(told.activity, insteadOf: known, of: name)
            }
        }
        answers += flight.tickets.map { ($0, failure) }
        endings += unexplained.takeExplained(by: taken)
        settle(name, at: now)
    }

    /// Sends the changes that were to go out a little later, because the process is about to end.
    ///
    /// After the next start they would be later than what others did meanwhile, and count more.
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

    /// Takes over the last change that others made to a shown record, unless the app has changed the activity since,
    /// which the others could not know.
    ///
    /// This also applies while nothing is to leave this device, as long as the record is not withdrawn: nothing else is
    /// on the disk.
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

    /// Makes an instance go on under another name, because nothing that is written under this one counts any more.
    ///
    /// An activity that was to end under the old name can't be ended for others. They see its record as it stands, and
    /// learn that it has ended if they ask this device.
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
    /// This device keeps for itself what others may not have, and a thing that an activity leaves while it goes on.
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

    /// Does what is to be done about an activity now, and sets its next deadline.
    private mutating func settle(_ name: ActivityName, at now: Clocks) {
        if let expired = entries[name.identity]?.value.wanted?.activity, expired.isExpired(at: now.wall) {
            end(name, as: .finished, isCertain: true, at: now)
            endings.append((name, .finished))
        }
        mayWithdraw = true
        // The entry is changed in place.
        guard let place = entries.index(forKey: name.identity) else { return }
        let settled = entries.values[place].value.settle(
            isPrivate: isWithheld(name), pace: pace, among: kept, at: now)
        if let transaction = settled.transaction { transactions.append(transaction) }
        for ticket in settled.answered { answers.append((ticket, nil)) }
        if settled.isDone { entries.remove(at: place) }
        deadlines[name.identity] = settled.deadline
    }

    /// The names of activities that have ended and are not kept yet, because a transaction is under way.
    package var namesToSave: [SavedActivityName] {
        entries.values.flatMap { entry in
            Array(entry.value.saves.keys) + (entry.value.flight.map { Array($0.saves.keys) } ?? [])
        }
    }

    // MARK: Effects

    package enum Effect: Equatable, Sendable {
        /// Store a transaction, whose answer goes to `handleKept(_:_:at:)`. The account itself carries out one with drafts.
        case store(Transaction)
        /// Answer a request; nil means that the result is stored.
        case answer(Ticket, StoreFailure?)
        /// Tell an app that its activity ended without the app's doing.
        case ending(ActivityName, Ending)
        /// Let an instance go on under another name.
        case move(from: ActivityName, to: ActivityName)
        /// Tell watchers that an activity began, changed or ended, which is about to be stored.
        case changed(ActivityName)
        /// Note that a change of an activity was stored, or was not; activities that this device keeps for itself may be
        /// others now.
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
    /// Call it once the transactions went out: what withdraws an activity must not be withheld itself.
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

    /// Returns the activities that go on here and that searches find, as they would be kept if they had ended with their
    /// last change; none while everything stays on this device, and none that is hidden.
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

    /// Whether others ended the activity, and its app is not told yet because it is not known how it ended.
    package func hasUnexplainedEnd(_ name: ActivityName) -> Bool { unexplained.contains(name.identity) }

    private var sortedNames: [ActivityName] { entries.values.map(\.value.name).sorted { $0.precedes($1) } }
}

extension CurrentActivities.Entry {
    /// The device that takes it over by an end that is being kept.
    fileprivate var taker: DeviceIdentifier? {
        let ends = (flight?.saves ?? [:]).merging(saves) { _, last in last }
        return ends.values.first(where: \.activity.isTaken)?.activity.continuation?.device
    }
}

extension Activity {
    /// Keeps the times and the devices that were recorded of the activity before it was started again.
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
