import BatonCore
import BatonSecurity

/// Taking over what is going on on a device that can't be asked.
extension AccountNode {
    /// Does that device's part by writes of this one: the activity ends, and is kept as one that was taken over.
    ///
    /// Of two devices that do so the later one counts in the end. The device where it was going on hears of it when it is
    /// back; if its app has changed the activity later than that, it goes on there.
    func takeOver(
        _ name: ActivityName, _ activity: Activity, then: @escaping (Result<Activity, StoreFailure>) -> Void
    ) {
        let now = WallTime.now
        var taken = activity
        (taken.continuation, taken.isTaken) = (
            Activity.Continuation(device: credentials.device, time: now), true
        )
        var drafts = [Journal.Draft(.deletion, name.key)]
        let days = settings[.finishedDays]
        if days > 0 {
            let origin = Activity.Origin(device: name.device, identity: name.key.identity)
            let saved = taken.saved(
                from: origin, finished: now, keeping: .seconds(86_400 * days))
            let draft = Journal.Draft(
                .full(saved.content(savedBy: name.app)), taken.savedName(by: name.app).key)
            // What is kept stands before the end, so that who sees the end sees where it went.
            if draft.isWithinLimits { drafts.insert(draft, at: 0) }
        }
        publish(drafts) { [taken] failure in
            then(failure.map { .failure($0) } ?? .success(taken))
        }
    }
}
