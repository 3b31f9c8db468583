/// Events of activities that their apps did not cause, and the store's answers.
extension CurrentActivities {
    /// Handles the loss of the process or connection that an activity was bound to.
    package mutating func handleLoss(of name: ActivityName, at now: Moment) {
        unexplained.remove(name)
        end(name, as: .finished, isCertain: true, at: now)
        settle(name, at: now)
    }

    /// Sets whether the person keeps everything on this device.
    package mutating func handle(isPrivate: Bool, at now: Moment) {
        self.isPrivate = isPrivate
        for name in sortedNames {
            // Saves of ended activities that were not kept yet stay on this device, too.
            if isPrivate { entries[name.identity]?.saves = [:] }
            settle(name, at: now)
        }
    }

    /// Handles records as they are now, in the order in which the store took what changed them; the records that this
    /// device wrote are passed, too, before the store reports that they are kept.
    ///
    /// With them come the claims of the lane by then, if they are certain (`StoreCommit.complete`); the records in
    /// which writes of this device do not count (`StoreCommit.outranked`); and the store's clock.
    package mutating func handle(
        _ records: [Record], complete: VersionVector?, outranked: [RecordIdentity],
        clock: HybridTime, at now: Moment
    ) {
        for identity in outranked { entries[identity]?.flight?.isOutranked = true }
        // The saved form of an activity that was taken over says which device did it.
        for record in records where record.identity.kind == .savedActivity { taken.note(record, of: device) }
        for record in records where record.identity.kind == .currentActivity {
            if entries[record.identity] != nil || unexplained.contains(record.identity) {
                unexplained.note(record)
            }
            let told = record.activity
            guard let name = told?.name ?? name(of: record.identity), name.device == device else { continue }
            // The record's content does not matter: only a faulty or hostile member writes so, and this device alone
            // writes here.
            if record.incarnation.time > clock {
                handleLoss(ofName: name, at: now)
                continue
            }
            // A record that is there and can't be read is of a newer version, and left to it.
            if told == nil, record.isThere { continue }
            handle(told?.activity, of: name, at: now)
        }
        if let complete { unexplained.note(complete: complete) }
        endings += unexplained.takeExplained(by: taken)
    }

    /// Handles a record that another device wrote with a time that is out of reach of clocks.
    private mutating func handleLoss(ofName name: ActivityName, at now: Moment) {
        guard let entry = entries[name.identity] else { return }
        if entry.flight == nil {
            goOn(from: name, nil, at: now)
        } else {
            entries[name.identity]?.flight?.isOutranked = true
        }
    }

    /// Handles the record of an activity as it is now.
    private mutating func handle(_ record: Activity?, of name: ActivityName, at now: Moment) {
        if entries[name.identity] == nil {
            guard let record else { return }
            // An earlier state was put back here, and others had this.
            unexplained.remove(name)
            let hasBegun = entries[present(name).identity]?.wanted != nil
            entries[name.identity] = Entry(name, loading: Disk(record: record))
            if hasBegun {
                // The instance has begun something since, under another name.
                entries[name.identity]?.wanted = nil
            } else {
                moved[name.first.identity] = name
            }
            return settle(name, at: now)
        }
        guard entries[name.identity]?.flight == nil else {
            entries[name.identity]?.flight?.told = .some(record)
            return
        }
        guard let known = entries[name.identity]?.disk.record, known != record else {
            // There was none, so nobody else ended or changed it.
            entries[name.identity]?.disk.record = record
            return settle(name, at: now)
        }
        entries[name.identity]?.disk.record = record
        take(record, insteadOf: known, of: name)
        settle(name, at: now)
    }

    /// Handles the store's answer about the transaction of an activity: it was kept, or was not.
    package mutating func handleKept(_ name: ActivityName, _ failure: StoreFailure?, at now: Moment) {
        guard let place = entries.index(forKey: name.identity),
            let flight = entries.values[place].flight.take()
        else {
            preconditionFailure("a store answers what it was asked")
        }
        if flight.isOutranked { return goOn(from: name, flight, at: now) }
        // An activity has ended even if its end could not be kept.
        if failure == nil || failure?.code == .outranked {
            entries.values[place].disk = Disk(
                record: flight.told ?? flight.disk.record, note: flight.disk.note)
            entries.values[place].retry = nil
            if let told = flight.told, let written = flight.disk.record, told != written {
                take(told, insteadOf: written, of: name)
            }
        } else {
            answers += entries.values[place].takeTickets().map { ($0, failure) }
            let known = entries.values[place].disk.record
            entries.values[place].resume(
                after: flight, isPrivate: isPrivate, retryingIn: retryPause, at: now.instant)
            // Changes that others made meanwhile apply to what was there before.
            if let told = flight.told, let known, told != known { take(told, insteadOf: known, of: name) }
        }
        answers += flight.tickets.map { ($0, failure) }
        endings += unexplained.takeExplained(by: taken)
        settle(name, at: now)
    }

    /// Sends the changes that were to go out a little later, because the process is about to end.
    ///
    /// After the next start they would be later than what others did meanwhile, and count more.
    package mutating func handleStop(at now: Moment) {
        pace.pause = .zero
        for name in sortedNames { settle(name, at: now) }
    }

    /// Called when the moment of `deadline` has come.
    package mutating func handleDeadline(at now: Moment) {
        let due = deadlines.filter { $0.value <= now.instant }.keys.compactMap(name(of:))
        for name in due.sorted(by: { $0.precedes($1) }) { settle(name, at: now) }
    }
}
