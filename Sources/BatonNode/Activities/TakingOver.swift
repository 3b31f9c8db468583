import BatonCore
import BatonSecurity

/// Taking over an activity of a device that can't be asked.
extension AccountNode {
    /// Does that device's part by writes of this device: the activity ends, and is kept as one that was taken over.
    func takeOver(
        _ name: ActivityName, _ activity: Activity, then: @escaping (Result<Activity, StoreFailure>) -> Void
    ) {
        let (taken, drafts) = activity.takenOver(
            name, by: credentials.device, keeping: settings[.finishedDays], at: .now)
        publish(drafts) { failure in
            then(failure.map { .failure($0) } ?? .success(taken))
        }
    }
}
