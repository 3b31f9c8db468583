/// Who goes on elsewhere with what is going on here, and what that device is told.
extension CurrentActivities {
    /// How it stands with an activity that another device wants to go on with.
    package enum Standing: Equatable, Sendable {
        /// It is going on, and other devices may have it.
        case shared(ActivityName)
        /// Nothing of it is to leave this device.
        case hidden
        /// It is not going on any more; where it was taken over, if it was.
        case ended(to: DeviceIdentifier?)
    }

    /// How it stands with the activity that a record is about.
    package func standing(of identity: RecordIdentity, at now: WallTime) -> Standing {
        // Nothing leaves, not even where something went.
        guard !isPrivate else { return .hidden }
        guard let name = name(of: identity) else { return .ended(to: taken[identity]?.device) }
        guard let own = self[name], !own.activity.isExpired(at: now) else {
            return .ended(to: entries[name.identity]?.taker ?? taken[identity]?.device)
        }
        return isShared(name) ? .shared(name) : .hidden
    }

    /// A device goes on with an activity, and takes it over perhaps; answers with its state as it is now, or nothing if
    /// it is not going on, or by now is to be seen on this device alone.
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
    /// Who takes it over by an end that is being kept.
    fileprivate var taker: DeviceIdentifier? {
        let ends = (flight?.saves ?? [:]).merging(saves) { _, last in last }
        return ends.values.first(where: \.isTaken)?.continuation?.device
    }
}

extension Activity {
    /// Takes over what is going on on a device that can't be asked: how it is then, and the writes by which it ends
    /// there, and is kept for so many days.
    ///
    /// If two devices do so, the later one counts in the end. The device where it was going on hears of it when it is
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
        // What is kept stands before the end, so that who sees the end sees where it went.
        return (taken, draft.isWithinLimits ? [draft, end] : [end])
    }
}
