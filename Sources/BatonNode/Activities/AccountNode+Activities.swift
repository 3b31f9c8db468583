import BatonCore
import BatonSecurity

/// Questions about activities of all devices, current and ended, as this device knows them.
extension AccountNode {
    /// Returns the description of an activity that a person sees.
    func summary(_ listed: ListedActivity) -> ActivitySummary {
        let own = credentials.device
        var summary = ActivitySummary(
            identifier: listed.identifier, device: reference(listed.device), app: listed.app,
            instance: listed.instance ?? "", activity: listed.activity, spelledBy: listed.fields,
            continuedOn: listed.activity.continuation.map { name(of: $0.device) })
        summary.isSentHere = listed.isSent(to: own)
        summary.departure = departure(of: listed)
        summary.isForgotten = dismissals.hide(listed.identity, listed.activity)
        if let name = listed.name, name.device == own { summary.isPrivate = !activities.isShared(name) }
        return summary
    }

    /// Whether the current activities of a device are listed.
    func lists(_ device: DeviceIdentifier) -> Bool {
        device == credentials.device
            || membership.roster.isMember(device) && membership.departure(of: device) == nil
    }

    /// The reason why the device of a current activity is not part of the account any more; nil if it is, or if the
    /// activity has ended.
    private func departure(of listed: ListedActivity) -> DeviceDeparture? {
        guard listed.name != nil, listed.device != credentials.device else { return nil }
        return membership.departure(of: listed.device)
    }

    /// The scope for questions about activities, as of now.
    private var activityScope: ActivityScope {
        let own = credentials.device
        let (members, departed) = (membership.others(departed: false), membership.others(departed: true))
        return ActivityScope(
            own: own, here: activities.current.map { ListedActivity($0.name, $0.activity) },
            members: members, departed: departed, dismissals: dismissals, now: .now)
    }

    /// Reads activities of all devices in the store; activities of this device are as its apps say, and not as on disk.
    ///
    /// Reads wait behind writes (`StoreThreads.read`).
    func readActivities<Answer: Sendable>(
        _ question: @escaping @Sendable (ActivityReader) throws(StoreFailure) -> Result<Answer, LocalFailure>,
        then: @escaping (Result<Answer, LocalFailure>) -> Void
    ) {
        store.read(from: .activities) { [scope = activityScope] (store) throws(StoreFailure) in
            try question(ActivityReader(scope, store))
        } then: { result in
            switch result {
            case .success(let answer): then(answer)
            case .failure(let failure):
                then(
                    .failure(LocalFailure(.storage, "The activities could not be read: \(failure).")))
            }
        }
    }

    /// Finds the activity whose identifier begins with a text, whether it is current or has ended.
    func find(identified text: String, then: @escaping (Result<ListedActivity, LocalFailure>) -> Void) {
        readActivities { (reader) throws(StoreFailure) in
            let current = try reader.identified(text)
            guard case .success(nil) = current else { return current }
            return try reader.finished(text)
        } then: { result in
            then(
                result.required(
                    LocalFailure(
                        .notFound,
                        "No activity has “\(text)” as its identifier. `baton list` shows what is going on.")))
        }
    }

    /// Finds how an activity that was current under a record ended last, as far as that is known here.
    func findEnd(of identity: RecordIdentity, then: @escaping (ListedActivity?) -> Void) {
        readActivities { (reader) throws(StoreFailure) in
            .success(try reader.end(of: identity))
        } then: { [log] result in
            switch result {
            case .success(let found): then(found)
            case .failure(let failure):
                log.tell("what became of an activity could not be read: \(failure)")
                then(nil)
            }
        }
    }
}
