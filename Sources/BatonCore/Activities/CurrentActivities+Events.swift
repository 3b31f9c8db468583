/// What happens to activities without their apps' doing, and what the store says.
extension CurrentActivities {
    /// What an activity was bound to, a process or a connection, is gone.
    package mutating func handleLoss(of name: ActivityName, at now: Moment) {
        unexplained.remove(name)
        end(name, as: .finished, isCertain: true, at: now)
        settle(name, at: now)
    }

    /// The person wants nothing to leave this device, or no longer.
    package mutating func handle(isPrivate: Bool, at now: Moment) {
        self.isPrivate = isPrivate
        for name in sortedNames {
            // What ended before and was not kept yet stays here, too.
            if isPrivate { entries[name.identity]?.saves = [:] }
            settle(name, at: now)
        }
    }

    /// Records are now so, in the order in which the store took what changed them; those that this device wrote are
    /// told, too, and before it is told that they are kept.
    ///
    /// With them goes what is claimed of the lane by then, where that is certain (`StoreCommit.complete`); the records in
    /// which writes of this device do not count (`StoreCommit.outranked`); and the store's clock.
    package mutating func handle(
        _ records: [Record], complete: VersionVector?, outranked: [RecordIdentity],
        clock: HybridTime, at now: Moment
    ) {
        for identity in outranked { entries[identity]?.flight?.isOutranked = true }
        // What is kept of one that was taken over says who did it.
        for record in records where record.identity.kind == .savedActivity { taken.note(record, of: device) }
        for record in records where record.identity.kind == .currentActivity {
            if entries[record.identity] != nil || unexplained.contains(record.identity) {
                unexplained.note(record)
            }
            let told = record.activity
            guard let name = told?.name ?? name(of: record.identity), name.device == device else { continue }
            // Whatever it says: only a faulty or hostile member writes so, and this device alone writes here.
            if record.incarnation.time > clock {
                handleLoss(ofName: name, at: now)
                continue
            }
            // What is there and can't be read is of a newer version, and its business.
            if told == nil, record.isThere { continue }
            handle(told?.activity, of: name, at: now)
        }
        if let complete { unexplained.note(complete: complete) }
        endings += unexplained.takeExplained(by: taken)
    }

    /// Another device wrote the record with a time that is out of reach of clocks.
    private mutating func handleLoss(ofName name: ActivityName, at now: Moment) {
        guard let entry = entries[name.identity] else { return }
        if entry.flight == nil {
            goOn(from: name, nil, at: now)
        } else {
            entries[name.identity]?.flight?.isOutranked = true
        }
    }

    /// The record of an activity is now so.
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

    /// The transaction of an activity was kept, or was not.
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
            // What others did meanwhile is done to what was there before.
            if let told = flight.told, let known, told != known { take(told, insteadOf: known, of: name) }
        }
        answers += flight.tickets.map { ($0, failure) }
        endings += unexplained.takeExplained(by: taken)
        settle(name, at: now)
    }

    /// The process is about to end: what was to go out a little later goes out while it can.
    ///
    /// After the next start it would be later than what others did meanwhile, and count more.
    package mutating func handleStop(at now: Moment) {
        pace.pause = .zero
        for name in sortedNames { settle(name, at: now) }
    }

    /// The moment of `deadline` came.
    package mutating func handleDeadline(at now: Moment) {
        let due = deadlines.filter { $0.value <= now.instant }.keys.compactMap(name(of:))
        for name in due.sorted(by: { $0.precedes($1) }) { settle(name, at: now) }
    }
}
