/// Hands an activity that is going on here to another device.
extension CurrentActivities {
    /// The standing of an activity that another device wants to continue.
    package enum Standing: Equatable, Sendable {
        /// It is going on, and other devices may have it.
        case shared(ActivityName)
        /// Nothing of it is to leave this device.
        case hidden
        /// It is not going on any more; `to` is the device that took it over, if one did.
        case ended(to: DeviceIdentifier?)
    }

    /// Returns the standing of the activity that a record is about.
    package func standing(of identity: RecordIdentity, at now: WallTime) -> Standing {
        // Nothing leaves, not even the name of the device that took an activity over.
        guard !isPrivate else { return .hidden }
        guard let name = name(of: identity) else { return .ended(to: taken[identity]?.device) }
        guard let own = self[name], !own.activity.isExpired(at: now) else {
            return .ended(to: entries[name.identity]?.taker ?? taken[identity]?.device)
        }
        return isShared(name) ? .shared(name) : .hidden
    }

    /// Hands an activity to a device, which may take it over; returns its present state, or nil if it is not going on,
    /// or may by now be seen on this device alone.
    package mutating func hand(
        _ name: ActivityName, to device: DeviceIdentifier, takes: Bool, for ticket: Ticket, at now: Moment
    ) -> Activity? {
        guard var activity = self[name]?.activity, !activity.isExpired(at: now.wall),
            device == self.device || isShared(name)
        else {
            answers.append((ticket, nil))
            return nil
        }
        #if DEBUG
            let published =
                Faults.isPlanted(.publishedStateHanded) ? entries[name.identity]?.disk.record : nil
        #else
            let published: Activity? = nil
        #endif
        activity.continuation = Activity.Continuation(device: device, time: now.wall)
        if takes {
            finish(name, as: .takenOver(by: device, at: now.wall), for: ticket, at: now)
        } else {
            update(name, activity, for: ticket, at: now)
        }
        return published ?? activity
    }
}

extension CurrentActivities.Entry {
    /// The device that takes it over by an end that is being kept.
    fileprivate var taker: DeviceIdentifier? {
        let ends = (flight?.saves ?? [:]).merging(saves) { _, last in last }
        return ends.values.first(where: \.isTaken)?.continuation?.device
    }
}

extension Activity {
    /// Takes over an activity from a device that can't be asked; returns its new state, and the writes that end it
    /// there and keep it for this many days.
    ///
    /// If two devices do so, the later one counts in the end. The device where it was going on learns of it when it is
    /// back; if its app has changed the activity later than that, it goes on there.
    package func takenOver(
        _ name: ActivityName, by device: DeviceIdentifier, keeping days: Int64, at now: WallTime
    ) -> (activity: Activity, drafts: [Journal.Draft]) {
        var taken = self
        (taken.continuation, taken.isTaken) = (Continuation(device: device, time: now), true)
        let end = Journal.Draft(.deletion, name.key)
        guard days > 0 else { return (taken, [end]) }
        let saved = taken.saved(
            from: Origin(device: name.device, identity: name.identity), finished: now,
            keeping: WallTime.day * Int(clamping: days))
        let draft = Journal.Draft(
            .full(saved.content(savedBy: name.app)), taken.savedName(by: name.app).key)
        // The saved form stands before the end, so that a device that sees the end sees where the activity went.
        return (taken, draft.isWithinLimits ? [draft, end] : [end])
    }
}
