/// What happens to activities without their apps' doing, and what the store says.
extension CurrentActivities {
    /// What an activity was bound to, a process or a connection, is gone.
    package mutating func handleLoss(of name: ActivityName, at now: Moment) {
        end(name, as: .finished, isCertain: true, at: now)
        settle(name, at: now)
    }

    /// The person wants nothing to leave this device, or no longer.
    package mutating func handle(isPrivate: Bool, at now: Moment) {
        self.isPrivate = isPrivate
        for name in sortedNames {
            // What ended before and was not kept yet stays here, too.
            if isPrivate { entries[name]?.saves = [:] }
            settle(name, at: now)
        }
    }

    /// Records are now so, in the order in which the store took what changed them; those that this device wrote are told,
    /// too, and before it is told that they are kept.
    package mutating func handle(_ records: [Record], at now: Moment) {
        // What is kept of one that was taken over says who did it.
        for record in records where record.identity.kind == .savedActivity {
            if let saved = record.savedActivity { taken.note(saved, of: device) }
        }
        for record in records where record.identity.kind == .currentActivity {
            let told = record.activity
            guard let name = told?.name ?? names[record.identity], name.device == device else { continue }
            // What is there and can't be read is of a newer version, and its business.
            if told == nil, record.isThere { continue }
            handle(told?.activity, of: name, at: now)
        }
    }

    /// The record of an activity is now so.
    private mutating func handle(_ record: Activity?, of name: ActivityName, at now: Moment) {
        if entries[name] == nil {
            guard let record else { return }
            // An earlier state was put back here, and others had this.
            names[name.key.identity] = name
            entries[name] = Entry(loading: Disk(record: record))
            return settle(name, at: now)
        }
        guard entries[name]?.flight == nil else {
            entries[name]?.flight?.told = .some(record)
            return
        }
        guard let known = entries[name]?.disk.record, known != record else {
            // There was none, so nobody else ended or changed it.
            entries[name]?.disk.record = record
            return settle(name, at: now)
        }
        entries[name]?.disk.record = record
        take(record, insteadOf: known, of: name)
        settle(name, at: now)
    }

    /// The transaction of an activity was kept, or was not.
    package mutating func handleKept(_ name: ActivityName, _ failure: StoreFailure?, at now: Moment) {
        guard var entry = entries[name], let flight = entry.flight.take() else {
            preconditionFailure("a store answers what it was asked")
        }
        if failure == nil {
            entry.disk = Disk(record: flight.told ?? flight.disk.record, note: flight.disk.note)
            entry.retry = nil
            entries[name] = entry
            if let told = flight.told, let written = flight.disk.record, told != written {
                take(told, insteadOf: written, of: name)
            }
        } else {
            answers += entry.tickets.map { ($0, failure) }
            entry.tickets = []
            entry.retry = now.instant + retryPause
            entry.isOver = entry.isOver || flight.isOver
            entry.wanted = entry.isOver ? nil : entry.disk.own
            // What was to be kept for others is for nobody, if nothing is to leave by now.
            entry.saves =
                entry.isOver && !isPrivate ? entry.saves.merging(flight.saves) { last, _ in last } : [:]
            let known = entry.disk.record
            if let told = flight.told { entry.disk.record = told }
            entries[name] = entry
            // What others did meanwhile is done to what was there before.
            if let told = flight.told, let known, told != known { take(told, insteadOf: known, of: name) }
        }
        answers += flight.tickets.map { ($0, failure) }
        settle(name, at: now)
    }

    /// The moment of `deadline` came.
    package mutating func handleDeadline(at now: Moment) {
        let due = deadlines.filter { $0.value <= now.instant }.keys
        for name in due.sorted(by: { $0.precedes($1) }) { settle(name, at: now) }
    }
}
