extension CurrentActivities {
    /// The state of an activity on the disk.
    struct Disk: Equatable, Sendable {
        /// The record that other devices see.
        var record: Activity?
        /// Whether another device wrote the record, so that it says nothing of this one.
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

        /// The activity that this encodes.
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
        /// Whether a deletion removes it; counters stay.
        let isDeletable: Bool
    }

    /// An activity that ended and is to be saved.
    struct Save: Sendable {
        let activity: Activity
        /// Whether no other device may have it.
        let isHere: Bool
    }

    /// A transaction under way.
    struct Flight: Sendable {
        /// The state on the disk once the transaction is kept.
        let disk: Disk
        let tickets: [Ticket]
        var saves: [SavedActivityName: Save]
        /// The notes that keep activities for this device alone, or remove those that go to all devices now.
        let kept: [LocalNote]
        /// Removals of the notes under previous names.
        let left: [LocalNote]
        /// Whether what was on the disk before has ended, whether or not that can be kept.
        let isOver: Bool
        /// Whether it writes the record, which others may get although it is not kept here.
        let writesRecord: Bool
        /// Whether it writes the note; else the note stays as it is by then.
        let writesNote: Bool
        /// The record as it was reported since, if it was reported.
        var told: Told?
        /// Whether the record that it writes does not count.
        var isOutranked = false
    }

    /// One activity, from when it begins until nothing is left of it.
    struct Entry: Sendable {
        let name: ActivityName
        /// The activity as its app or the person wants it; nil once it is to end.
        var wanted: OwnActivity?
        /// The state on the disk.
        var disk = Disk()
        /// Activities that ended in its place, to be kept with the next transaction.
        var saves: [SavedActivityName: Save] = [:]
        /// The tickets that wait for what is wanted to be kept.
        var tickets: [Ticket] = []
        var flight: Flight?
        /// The changes that were sent to other devices lately.
        var published: PublishingPace.Run?
        /// The earliest moment for a transaction that nobody asked for, because the disk failed, and the pauses after
        /// further failures.
        var retry: (time: Instant, pauses: Backoff)?
        /// Whether what is on the disk has ended, and the transaction under way does not say so.
        var isOver = false
        /// Whether others may have a record that was sent ahead of the disk, which then did not keep it.
        var mayBeElsewhere = false
        /// Removals of the notes under previous names, which go with the next transaction, and again if it fails: else
        /// the next process would find activities of one instance under two names.
        var left: [LocalNote] = []
        /// The notes that are being stored together with records that others wrote over this one, oldest first.
        var arriving: [OwnActivityNote] = []

        init(_ name: ActivityName) { self.name = name }

        /// Continues what another entry wants, under a new name.
        init(_ name: ActivityName, goingOnFrom entry: Entry, _ flight: Flight?) {
            self.name = name
            wanted = entry.wanted
            saves = entry.saves
            published = entry.published
            tickets = (flight?.tickets ?? []) + entry.tickets
            left = (flight?.left ?? []) + entry.left + [OwnActivityNote().note(of: entry.name)]
        }

        /// Begins with what is on the disk.
        init(_ name: ActivityName, loading disk: Disk) {
            (self.name, wanted, self.disk) = (name, disk.own, disk)
        }

        /// Returns what is to be on the disk now.
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
            /// The tickets of those who wait for nothing more.
            var answered: [Ticket] = []
            /// Whether the entry is not needed any more.
            var isDone = false
            /// When something is to be done about it next.
            var deadline: Instant?
        }

        /// Does what is to be done about it now.
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

        /// Begins a transaction of what differs between the disk and what is wanted there; nil if nothing differs.
        ///
        /// The activities that are kept for this device alone are given, since others may have to make room for them.
        private mutating func begin(
            isPrivate: Bool, pace: PublishingPace, among kept: KeptActivities, at moment: Clocks
        ) -> Transaction? {
            let now = moment.steady
            let target = target(isPrivate: isPrivate, pace: pace, at: now)
            let isOtherRecord = isOtherRecord(target)
            let isOtherNote = target.note != arriving.last ?? disk.note
            guard isOtherRecord || isOtherNote || !saves.isEmpty || !left.isEmpty else { return nil }
            // A transaction that nobody asked for waits after a failure.
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

        /// Whether a record has to be written, or deleted, so that others see what this target says.
        ///
        /// An end must also reach others who have what this disk did not keep.
        private func isOtherRecord(_ target: Disk) -> Bool {
            target.record != disk.record || target.isForeign != disk.isForeign
                || mayBeElsewhere && target.record == nil
        }

        /// Returns the notes that keep what ended for this device alone, and remove what all devices get now.
        private func notesKeepingSaves(among kept: KeptActivities, at now: WallTime) -> [LocalNote] {
            let sorted = saves.sorted { $0.key.key.name.lexicographicallyPrecedes($1.key.key.name) }
            return sorted.flatMap { name, save in
                if save.isHere { return kept.notes(keeping: save.activity, as: name, at: now) }
                return kept[name] == nil ? [] : KeptActivities.notes(removing: [name])
            }
        }

        /// Returns the note that keeps the activity while others write over its record; nil if nothing goes on.
        mutating func noteArriving() -> OwnActivityNote? {
            guard let wanted else { return nil }
            let note = OwnActivityNote(wanted, withActivity: true)
            arriving.append(note)
            return note
        }

        /// Notes that the oldest of the notes that were being stored is on the disk, or could not be stored.
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

        /// Goes back to what is on the disk, because a transaction was not kept; what has ended stays ended.
        ///
        /// A retry that nobody asked for backs off: it waits about as long as the disk has failed.
        mutating func resume(
            after flight: Flight, isPrivate: Bool, retryingIn bounds: ClosedRange<Duration>, at now: Instant
        ) {
            var pauses = (flight.tickets.isEmpty ? retry?.pauses : nil) ?? Backoff(bounds)
            retry = (now + pauses.next(), pauses)
            isOver = isOver || flight.isOver
            mayBeElsewhere = mayBeElsewhere || flight.writesRecord && flight.disk.record != nil
            wanted = isOver ? nil : disk.own
            // Saves for other devices are dropped if nothing is to leave this device by now.
            saves = isOver && !isPrivate ? saves.merging(flight.saves) { last, _ in last } : [:]
            left = flight.left + left
            if let told = flight.told { disk.receiveReport(told) }
        }

        /// Removes and returns the tickets that wait for what is wanted, because it is on the disk.
        mutating func takeTickets() -> [Ticket] {
            defer { tickets = [] }
            return tickets
        }

        /// Saves nothing of activities that ended under such a name, not even if a transaction that saves them fails.
        ///
        /// Returns whether one of them is still to be saved or has not ended on the disk yet. A process that started
        /// with such a disk would save the activity anew, so its end is kept before the deletion is reported to anyone.
        mutating func dropSaves(where isDeleted: (SavedActivityName) -> Bool) -> Bool {
            // A transaction may be under way that ends an activity and saves nothing, because it was deleted before.
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

        /// Keeps what is still to be saved for this device alone, where it may be kept here; drops the rest.
        mutating func withholdSaves() {
            saves = saves.filter { $0.value.activity.eligibility.isKeptHere }
                .mapValues { Save(activity: $0.activity, isHere: true) }
        }

        /// Whether the store has a record of it, or is about to.
        var hasStoredRecord: Bool { disk.record != nil || flight?.disk.record != nil }

        /// Whether nothing is left of it, and the pace of its changes need not be remembered.
        private func isDone(at now: Instant, pace: PublishingPace) -> Bool {
            wanted == nil && disk == Disk() && !mayBeElsewhere && flight == nil && tickets.isEmpty
                && saves.isEmpty && left.isEmpty
                && published.map { pace.end(of: $0) <= now } ?? true
        }

        /// Returns when something is to be done about it that nobody asks for.
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
    /// Returns how long it is until then; not longer than a timer can wait.
    fileprivate func delay(from now: WallTime) -> Duration {
        min(max(since(now), .zero), .seconds(1 << 30))
    }
}
