extension CurrentActivities {
    /// The state of an activity on the disk.
    struct Disk: Equatable, Sendable {
        /// The record that other devices see.
        var record: Activity?
        /// Whether another device wrote the record, which then says nothing about this device's activity.
        var isForeign = false
        /// The last record of this device, while another device has written over it.
        var overwritten: Activity?
        var note = OwnActivityNote()

        /// Notes the record as it is now.
        mutating func receiveReport(_ told: Told) {
            overwritten = told.isForeign ? ownRecord : nil
            (record, isForeign) = (told.activity, told.isForeign)
        }

        /// The last record that this device wrote, if nobody has ended it since.
        private var ownRecord: Activity? { isForeign ? overwritten : record }

        /// The activity that the record and the note encode.
        var own: OwnActivity? {
            guard let activity = note.activity ?? ownRecord else { return nil }
            var own = OwnActivity(activity, lifetime: note.lifetime)
            own.isResigned = note.isResigned
            return own
        }
    }

    /// The record of an activity, as the store reported it.
    struct Told: Sendable {
        let activity: Activity?
        /// Whether another device wrote it.
        let isForeign: Bool
        /// Whether a deletion would remove the record; it does not remove counters.
        let isDeletable: Bool
    }

    /// An activity that ended and is to be saved.
    struct Save: Sendable {
        let activity: Activity
        /// Whether the activity is saved for this device alone.
        let isHere: Bool
    }

    /// A transaction under way.
    struct Flight: Sendable {
        /// The state on the disk once the transaction is stored.
        let disk: Disk
        let tickets: [Ticket]
        var saves: [SavedActivityName: Save]
        /// The notes that save activities for this device alone, or that remove saved activities that now go to all
        /// devices.
        let kept: [LocalNote]
        /// Removals of the notes under previous names.
        let left: [LocalNote]
        /// Whether the activity that was on the disk before has ended, even if the disk fails.
        let isOver: Bool
        /// Whether it writes the record, which other devices may get even if it is not stored here.
        let writesRecord: Bool
        /// Whether it writes the note; otherwise the note stays as it is.
        let writesNote: Bool
        /// The record as the store last reported it since the transaction began, if it did.
        var told: Told?
        /// Whether the record that it writes does not count, because the present record has a time that no clock
        /// reaches.
        var isOutranked = false
    }

    /// One activity, from its beginning until its end is stored and nothing remains to be done for it.
    struct Entry: Sendable {
        let name: ActivityName
        /// The activity as its app or the person wants it; nil once it is to end.
        var wanted: OwnActivity?
        /// The state on the disk.
        var disk = Disk()
        /// Ended activities of the instance, to be saved with the next transaction.
        var saves: [SavedActivityName: Save] = [:]
        /// The tickets that wait until `wanted` is on the disk.
        var tickets: [Ticket] = []
        var flight: Flight?
        /// The recent changes that were sent to other devices.
        var published: PublishingPace.Run?
        /// After a failure of the disk: the earliest time for a transaction that no ticket waits for, and the pauses
        /// after further failures.
        var retry: (time: Instant, pauses: Backoff)?
        /// Whether the activity on the disk has ended, but the transaction under way does not write that end.
        var isOver = false
        /// Whether other devices may have a record that was sent early and then could not be stored here.
        var mayBeElsewhere = false
        /// Removals of the notes under previous names.
        ///
        /// They go with the next transaction, and are repeated if it fails: otherwise the next process would find
        /// activities of one instance under two names.
        var left: [LocalNote] = []
        /// The notes that are being stored together with records that others wrote over this one, oldest first.
        var arriving: [OwnActivityNote] = []

        init(_ name: ActivityName) { self.name = name }

        /// Continues the activity of another entry under a new name.
        init(_ name: ActivityName, goingOnFrom entry: Entry, _ flight: Flight?) {
            self.name = name
            wanted = entry.wanted
            saves = entry.saves
            published = entry.published
            tickets = (flight?.tickets ?? []) + entry.tickets
            left = (flight?.left ?? []) + entry.left + [OwnActivityNote().note(of: entry.name)]
        }

        /// Creates an entry from the state on the disk.
        init(_ name: ActivityName, loading disk: Disk) {
            (self.name, wanted, self.disk) = (name, disk.own, disk)
        }

        /// Returns the state that the disk should have now.
        private func target(isPrivate: Bool, pace: PublishingPace, at now: Instant) -> Disk {
            guard let wanted else { return Disk() }
            guard wanted.isOffered, !isPrivate else {
                return Disk(note: OwnActivityNote(wanted, withActivity: true))
            }
            if mayPublish(pace, at: now) || wanted.activity == disk.record && !disk.isForeign {
                return Disk(
                    record: wanted.activity, note: OwnActivityNote(wanted, withActivity: !arriving.isEmpty))
            }
            var target = disk
            target.note = OwnActivityNote(wanted, withActivity: true)
            return target
        }

        private func mayPublish(_ pace: PublishingPace, at now: Instant) -> Bool {
            published.map { pace.next(after: $0) <= now } ?? true
        }

        /// The consequences of settling an entry at a moment.
        struct Settled {
            /// A transaction that begins.
            var transaction: Transaction?
            /// The tickets that can be answered now.
            var answered: [Ticket] = []
            /// Whether the entry is no longer needed.
            var isDone = false
            /// When the entry is to be settled next.
            var deadline: Instant?
        }

        /// Begins a transaction if one is needed, and returns the consequences.
        mutating func settle(
            isPrivate: Bool, pace: PublishingPace, among kept: KeptActivities, at now: Clocks
        ) -> Settled {
            var settled = Settled()
            if flight == nil {
                settled.transaction = begin(isPrivate: isPrivate, pace: pace, among: kept, at: now)
                if settled.transaction == nil { settled.answered = takeTickets() }
            }
            settled.isDone = isDone(at: now.steady, pace: pace)
            if !settled.isDone { settled.deadline = deadline(isPrivate: isPrivate, pace: pace, at: now) }
            return settled
        }

        /// Begins a transaction that brings the disk to its target state; returns nil if it is there, or a retry is not
        /// due yet.
        ///
        /// `kept` are the activities that this device keeps for itself, some of which may have to make room for new
        /// ones.
        private mutating func begin(
            isPrivate: Bool, pace: PublishingPace, among kept: KeptActivities, at moment: Clocks
        ) -> Transaction? {
            let now = moment.steady
            let target = target(isPrivate: isPrivate, pace: pace, at: now)
            let isOtherRecord = isOtherRecord(target)
            let isOtherNote = target.note != arriving.last ?? disk.note
            guard isOtherRecord || isOtherNote || !saves.isEmpty || !left.isEmpty else { return nil }
            // After a failure, a transaction that no ticket waits for is delayed.
            if tickets.isEmpty, let retry, now < retry.time { return nil }
            // The saved form of an activity is written before its end.
            var drafts: [Journal.Draft] = []
            if !saves.isEmpty {
                drafts = saves.filter { !$0.value.isHere }.map { saved in
                    Journal.Draft(.full(saved.value.activity.content(savedBy: name.app)), saved.key.key)
                }.filter(\.isWithinLimits).sorted { $0.key.name.lexicographicallyPrecedes($1.key.name) }
            }
            if isOtherRecord, target.record != nil, let wanted {
                published = pace.add(to: published, at: now)
                drafts.append(Journal.Draft(.full(wanted.activity.content), name.key))
            } else if isOtherRecord {
                drafts.append(Journal.Draft(.deletion, name.key))
            }
            let keeps = notesKeepingSaves(among: kept, at: moment.wall)
            let notes = left + (isOtherNote ? [target.note.note(of: name)] : []) + keeps
            flight = Flight(
                disk: target, tickets: tickets, saves: saves, kept: keeps, left: left, isOver: isOver,
                writesRecord: isOtherRecord, writesNote: isOtherNote)
            saves = [:]
            tickets = []
            left = []
            isOver = false
            return Transaction(name: name, drafts: drafts, notes: notes, clocks: moment)
        }

        /// Whether the record must be written or deleted so that other devices see the target state.
        ///
        /// The end of an activity must also reach devices that have a record that this disk did not store.
        private func isOtherRecord(_ target: Disk) -> Bool {
            target.record != disk.record || target.isForeign != disk.isForeign
                || mayBeElsewhere && target.record == nil
        }

        /// Returns the notes that save ended activities for this device alone, and that remove the notes of activities
        /// that all devices get now.
        private func notesKeepingSaves(among kept: KeptActivities, at now: WallTime) -> [LocalNote] {
            let sorted = saves.sorted { $0.key.key.name.lexicographicallyPrecedes($1.key.key.name) }
            return sorted.flatMap { name, save in
                if save.isHere { return kept.notes(keeping: save.activity, as: name, at: now) }
                return kept[name] == nil ? [] : KeptActivities.notes(removing: [name])
            }
        }

        /// Returns the note that keeps the activity while others write over its record; nil if no activity goes on.
        mutating func noteArriving() -> OwnActivityNote? {
            guard let wanted else { return nil }
            let note = OwnActivityNote(wanted, withActivity: true)
            arriving.append(note)
            return note
        }

        /// Notes that the oldest note in `arriving` was stored, or could not be stored.
        mutating func noteArrived(isKept: Bool) {
            guard !arriving.isEmpty else { return }
            let note = arriving.removeFirst()
            if isKept { disk.note = note }
        }

        /// Notes that a transaction is on the disk.
        mutating func noteKept(_ flight: Flight) {
            let note = flight.writesNote ? flight.disk.note : disk.note
            disk = flight.disk
            disk.note = note
            if let told = flight.told { disk.receiveReport(told) }
            retry = nil
            if flight.writesRecord { mayBeElsewhere = false }
        }

        /// Returns to the state on the disk, because a transaction could not be stored; an activity that has ended
        /// stays ended.
        ///
        /// A retry that no ticket waits for backs off: it waits about as long as the disk has been failing.
        mutating func resume(
            after flight: Flight, isPrivate: Bool, retryingIn bounds: ClosedRange<Duration>, at now: Instant
        ) {
            var pauses = (flight.tickets.isEmpty ? retry?.pauses : nil) ?? Backoff(bounds)
            retry = (now + pauses.next(), pauses)
            isOver = isOver || flight.isOver
            mayBeElsewhere = mayBeElsewhere || flight.writesRecord && flight.disk.record != nil
            wanted = isOver ? nil : disk.own
            // While the person keeps all activities on this device, no ended activity is saved.
            saves = isOver && !isPrivate ? saves.merging(flight.saves) { last, _ in last } : [:]
            left = flight.left + left
            if let told = flight.told { disk.receiveReport(told) }
        }

        /// Removes and returns the tickets that wait until `wanted` is on the disk.
        mutating func takeTickets() -> [Ticket] {
            defer { tickets = [] }
            return tickets
        }

        /// Cancels the saves of ended activities whose names satisfy `isDeleted`, and does not retry them if a
        /// transaction with such a save fails.
        ///
        /// Returns whether such an activity was still to be saved, or has not ended on the disk yet. A process that
        /// started from that disk would save the activity again, so its end must be stored before the deletion is
        /// reported to anyone.
        mutating func dropSaves(where isDeleted: (SavedActivityName) -> Bool) -> Bool {
            // The transaction under way may end an activity without saving it, because its save was cancelled already.
            let goingOn = [disk, flight?.disk].compactMap { $0?.own?.activity.persistentIdentifier }
                .filter { $0 != wanted?.activity.persistentIdentifier }
                .map { SavedActivityName(app: name.app, identifier: $0) }
            let underWay = flight?.saves ?? [:]
            let isPending = [Array(saves.keys), Array(underWay.keys), goingOn].joined().contains(
                where: isDeleted)
            saves = saves.filter { !isDeleted($0.key) }
            flight?.saves = underWay.filter { !isDeleted($0.key) }
            return isPending
        }

        /// Turns pending saves into saves for this device alone, and drops the ones that may not be kept here.
        mutating func withholdSaves() {
            saves = saves.filter { $0.value.activity.eligibility.isKeptHere }
                .mapValues { Save(activity: $0.activity, isHere: true) }
        }

        /// Whether the store has a record of the activity, or is about to.
        var hasStoredRecord: Bool { disk.record != nil || flight?.disk.record != nil }

        /// Whether the entry can be removed: nothing remains to be done, and the pace of its changes need not be
        /// remembered.
        private func isDone(at now: Instant, pace: PublishingPace) -> Bool {
            wanted == nil && disk == Disk() && !mayBeElsewhere && flight == nil && tickets.isEmpty
                && saves.isEmpty && left.isEmpty
                && published.map { pace.end(of: $0) <= now } ?? true
        }

        /// Returns when the entry must be settled without a request.
        private func deadline(isPrivate: Bool, pace: PublishingPace, at now: Clocks) -> Instant? {
            guard flight == nil else { return nil }
            guard let wanted else {
                if disk != Disk() || mayBeElsewhere || !saves.isEmpty || !left.isEmpty {
                    return retry?.time ?? now.steady
                }
                return published.map { pace.end(of: $0) }
            }
            let next = published.map { pace.next(after: $0) }
            let unpublished =
                wanted.isOffered && !isPrivate && (wanted.activity != disk.record || disk.isForeign)
            let target = target(isPrivate: isPrivate, pace: pace, at: now.steady)
            let isDue = target != disk || isOtherRecord(target) || !left.isEmpty
            let publishing = unpublished ? max(next ?? now.steady, retry?.time ?? now.steady) : nil
            let expiring = wanted.activity.expiration.map { now.steady + $0.delay(from: now.wall) }
            return Instant.earliest(Instant.earliest(publishing, isDue ? retry?.time : nil), expiring)
        }
    }
}

extension WallTime {
    /// Returns the time from `now` until this date, at least zero and at most what a timer can wait.
    fileprivate func delay(from now: WallTime) -> Duration {
        min(max(since(now), .zero), .seconds(1 << 30))
    }
}
