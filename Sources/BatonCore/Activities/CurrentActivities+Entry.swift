extension CurrentActivities {
    /// The state of an activity on the disk, made of its record and its note.
    struct Disk: Equatable, Sendable {
        /// The record that other devices see.
        var record: Activity?
        /// Whether another device wrote the record; if so, the record says nothing about this device's activity.
        var isForeign = false
        /// The last record that this device wrote; nil unless another device has overwritten it.
        var overwritten: Activity?
        var note = OwnActivityNote()

        /// Replaces the record by the one that the store reported.
        mutating func receiveReport(_ told: Told) {
            overwritten = told.isForeign ? ownRecord : nil
            (record, isForeign) = (told.activity, told.isForeign)
        }

        /// The last record that this device wrote; nil if a device has ended the activity since.
        private var ownRecord: Activity? { isForeign ? overwritten : record }

        /// The activity that the record and the note encode together.
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
        /// Whether another device wrote the record.
        let isForeign: Bool
        /// Whether a deletion would remove the whole record; counters in the record survive a deletion.
        let isDeletable: Bool
    }

    /// An activity that ended and is to be saved.
    struct Save: Sendable {
        let activity: Activity
        /// Whether the activity is saved for this device alone.
        let isHere: Bool
    }

    /// A transaction that the store has not answered yet.
    struct Flight: Sendable {
        /// The state on the disk once the transaction is stored.
        let disk: Disk
        let tickets: [Ticket]
        var saves: [SavedActivityName: Save]
        /// The notes that save activities for this device alone.
        ///
        /// They also include removals of saved activities that all devices get now.
        let kept: [LocalNote]
        /// The removals of the notes that the instance has under previous names.
        let left: [LocalNote]
        /// Whether the previous activity on the disk has ended; it stays ended even if the disk fails.
        let isOver: Bool
        /// Whether the transaction writes the record; other devices may get the record even if it is not stored here.
        let writesRecord: Bool
        /// Whether the transaction writes the note; otherwise, the note stays as it is.
        let writesNote: Bool
        /// The last record that the store reported since the transaction began; nil if it reported none.
        var told: Told?
        /// Whether the record that the transaction writes has no effect.
        ///
        /// This happens if the present record has a time that no clock reaches.
        var isOutranked = false
    }

    /// One activity, from its beginning until nothing remains to be done for it.
    struct Entry: Sendable {
        let name: ActivityName
        /// The activity as its app or the person wants it; nil if it is to end.
        var wanted: OwnActivity?
        /// The state on the disk.
        var disk = Disk()
        /// The ended activities of the instance, which the next transaction saves.
        var saves: [SavedActivityName: Save] = [:]
        /// The tickets of requests that are answered when `wanted` is on the disk.
        var tickets: [Ticket] = []
        var flight: Flight?
        /// The recent changes that were sent to other devices.
        var published: PublishingPace.Run?
        /// The time of the next retry after a failure of the disk, and the pauses after further failures.
        ///
        /// A transaction that some ticket waits for begins earlier.
        var retry: (time: Instant, pauses: Backoff)?
        /// Whether the activity on the disk has ended and the transaction under way does not write that end.
        var isOver = false
        /// Whether other devices may have a record that was sent early but could not be stored here.
        var mayBeElsewhere = false
        /// The removals of the notes that the instance has under previous names.
        ///
        /// They are part of the next transaction. If that transaction fails, the removals are repeated. Otherwise, the
        /// next process would find activities of one instance under two names.
        var left: [LocalNote] = []
        /// The notes that are being stored because other devices write over the record, oldest first.
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

        /// Creates an entry from the state that was found on the disk.
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

        /// The results of settling an entry.
        struct Settled {
            /// The transaction that begins now, if one is needed.
            var transaction: Transaction?
            /// The tickets that can be answered now.
            var answered: [Ticket] = []
            /// Whether the entry is no longer needed.
            var isDone = false
            /// The time at which the entry must be settled next.
            var deadline: Instant?
        }

        /// Begins a transaction if one is needed; also returns the tickets to answer and the next deadline.
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

        /// Begins a transaction that brings the disk to its target state; returns nil if none is needed or a retry is
        /// not due yet.
        ///
        /// `kept` are the activities that this device keeps for itself. Some of them may have to make room for new
        /// ones.
        private mutating func begin(
            isPrivate: Bool, pace: PublishingPace, among kept: KeptActivities, at moment: Clocks
        ) -> Transaction? {
            let now = moment.steady
            let target = target(isPrivate: isPrivate, pace: pace, at: now)
            let isOtherRecord = isOtherRecord(target)
            let isOtherNote = target.note != arriving.last ?? disk.note
            guard isOtherRecord || isOtherNote || !saves.isEmpty || !left.isEmpty else { return nil }
            // After a failure, a transaction is delayed if no ticket waits for it.
            if tickets.isEmpty, let retry, now < retry.time { return nil }
            // The saved form of an activity is written before the deletion that ends the activity.
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
        /// Some devices may have a record that could not be stored on this disk. The end of the activity must reach
        /// these devices, too.
        private func isOtherRecord(_ target: Disk) -> Bool {
            target.record != disk.record || target.isForeign != disk.isForeign
                || mayBeElsewhere && target.record == nil
        }

        /// Returns the notes about ended activities.
        ///
        /// The notes save activities for this device alone. They also remove the notes of activities that all devices
        /// get now.
        private func notesKeepingSaves(among kept: KeptActivities, at now: WallTime) -> [LocalNote] {
            let sorted = saves.sorted { $0.key.key.name.lexicographicallyPrecedes($1.key.key.name) }
            return sorted.flatMap { name, save in
                if save.isHere { return kept.notes(keeping: save.activity, as: name, at: now) }
                return kept[name] == nil ? [] : KeptActivities.notes(removing: [name])
            }
        }

        /// Returns a note that keeps the activity while others write over its record; nil if no activity is going on.
        mutating func noteArriving() -> OwnActivityNote? {
            guard let wanted else { return nil }
            let note = OwnActivityNote(wanted, withActivity: true)
            arriving.append(note)
            return note
        }

        /// Notes that the oldest note in `arriving` was stored (`isKept`) or could not be stored.
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

        /// Returns to the state on the disk, because a transaction could not be stored.
        ///
        /// An activity that has ended stays ended.
        ///
        /// The pauses between retries grow with each failure, as long as no ticket waits for the transaction.
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

        /// Removes the tickets that wait until `wanted` is on the disk, and returns them.
        mutating func takeTickets() -> [Ticket] {
            defer { tickets = [] }
            return tickets
        }

        /// Cancels the saves of ended activities whose names satisfy `isDeleted`; returns whether the deletion must
        /// wait.
        ///
        /// If a transaction under way has such a save and fails, the save is not retried.
        ///
        /// The deletion must wait if such an activity was still to be saved, or has not ended on the disk yet. If the
        /// process ended now, the next process would save the activity again. So the end of the activity must be stored
        /// before anyone is told of the deletion.
        mutating func dropSaves(where isDeleted: (SavedActivityName) -> Bool) -> Bool {
            // The transaction under way may end an activity without saving it, because the save was cancelled before.
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

        /// Turns pending saves into saves for this device alone, and drops the saves of activities that may not be kept
        /// here.
        mutating func withholdSaves() {
            saves = saves.filter { $0.value.activity.eligibility.isKeptHere }
                .mapValues { Save(activity: $0.activity, isHere: true) }
        }

        /// Whether the store has a record of the activity, or is about to have one.
        var hasStoredRecord: Bool { disk.record != nil || flight?.disk.record != nil }

        /// Whether the entry can be removed, because nothing remains to be done for it.
        ///
        /// The entry also stays until the pace of its changes need not be remembered.
        private func isDone(at now: Instant, pace: PublishingPace) -> Bool {
            wanted == nil && disk == Disk() && !mayBeElsewhere && flight == nil && tickets.isEmpty
                && saves.isEmpty && left.isEmpty
                && published.map { pace.end(of: $0) <= now } ?? true
        }

        /// Returns the time at which the entry must be settled even if nobody asks for it.
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
    /// Returns the time from `now` until this date, limited to the range from zero to the longest wait of a timer.
    fileprivate func delay(from now: WallTime) -> Duration {
        min(max(since(now), .zero), .seconds(1 << 30))
    }
}
