/// The consequences of commands and events.
extension CurrentActivities {
    /// Takes over the last word that others had on a record that was shown; changes that the app made since, which they
    /// could not know, count more.
    ///
    /// That also holds while nothing is to leave this device, as long as the record is not withdrawn: nothing else is
    /// on the disk.
    mutating func take(_ record: Activity?, insteadOf known: Activity, of name: ActivityName) {
        guard let wanted = entries[name.identity]?.wanted, wanted.isOffered, wanted.activity == known else {
            return
        }
        if let record {
            entries[name.identity]?.wanted?.activity = record
        } else {
            entries[name.identity]?.wanted = nil
            entries[name.identity]?.isOver = true
            unexplained.add(name, started: known.started)
        }
    }

    /// Makes an instance go on under another name, because nothing that is written under this one counts any more.
    ///
    /// An activity that was to end under the old name can't be ended for others. They see its record as it stands, and
    /// learn that it has ended if they ask this device.
    mutating func goOn(from name: ActivityName, _ flight: Flight?, at now: Moment) {
        guard let entry = entries.removeValue(forKey: name.identity) else { return }
        deadlines[name.identity] = nil
        guard entry.wanted != nil else {
            answers += ((flight?.tickets ?? []) + entry.tickets).map { ($0, .outranked) }
            return
        }
        let next = name.next(at: now.instant)
        entries[next.identity] = Entry(next, goingOnFrom: entry, flight)
        moved[name.first.identity] = next
        moves.append((name, next))
        settle(next, at: now)
    }

    /// Ends an activity; if `isCertain`, the end holds even if the disk fails.
    mutating func end(_ name: ActivityName, as ending: Ending, isCertain: Bool, at now: Moment) {
        guard let wanted = entries[name.identity]?.wanted else { return }
        entries[name.identity]?.wanted = nil
        if isCertain { entries[name.identity]?.isOver = true }
        save(wanted, of: name, as: ending, at: now)
    }

    /// Saves an activity that ends, so that people can go back to it.
    mutating func save(_ own: OwnActivity, of name: ActivityName, as ending: Ending, at now: Moment) {
        guard ending != .forgotten, !isPrivate, finishedDays > 0, own.activity.eligibility.contains(.handoff)
        else { return }
        var activity = own.activity
        if case .takenOver(let taker, let time) = ending {
            activity.continuation = Activity.Continuation(device: taker, time: time)
            activity.isTaken = true
        }
        let saved = activity.saved(
            from: Activity.Origin(device: device, identity: name.identity), finished: now.wall,
            keeping: WallTime.day * Int(clamping: finishedDays))
        guard !saved.isExpired(at: now.wall) else { return }
        entries[name.identity]?.saves[activity.savedName(by: name.app)] = saved
    }

    /// Does what is to be done about an activity now, and sets its next deadline.
    mutating func settle(_ name: ActivityName, at now: Moment) {
        if let expired = entries[name.identity]?.wanted?.activity, expired.isExpired(at: now.wall) {
            end(name, as: .finished, isCertain: true, at: now)
            endings.append((name, .finished))
        }
        // The entry is changed in place.
        guard let place = entries.index(forKey: name.identity) else { return }
        if entries.values[place].flight == nil {
            if let transaction = entries.values[place].begin(
                isPrivate: isPrivate, pace: pace, at: now.instant)
            {
                transactions.append(transaction)
            } else {
                answers += entries.values[place].takeTickets().map { ($0, nil) }
            }
        }
        let entry = entries.values[place]
        if entry.isDone(at: now.instant, pace: pace) {
            entries.remove(at: place)
            deadlines[name.identity] = nil
        } else {
            deadlines[name.identity] = entry.deadline(isPrivate: isPrivate, pace: pace, at: now)
        }
    }
}
