import BatonCore
import BatonNetwork
import BatonSecurity

/// Counts other devices' activities that exceed the limits.
///
/// These activities are kept and sent to other devices, but not listed.
final class ActivityCount {
    private let account: AccountCore
    private(set) var unlisted = UnlistedActivities()
    /// The timer for the next count.
    private let timer: OwnedTimer
    private var isCounting = false
    /// Whether an activity has changed since the last count began.
    private var isStale = false
    private var isStopped = false

    init(of account: AccountCore) { (self.account, timer) = (account, OwnedTimer(on: account.loop)) }

    /// Counts for the first time, when the node starts.
    func start() { count() }

    func stop() {
        isStopped = true
        timer.cancel()
    }

    /// Plans a count if one of the changed records is an activity.
    ///
    /// All changes before the planned count share it.
    func recordChanges(_ changed: [Record]) {
        guard !isStale, changed.contains(where: { $0.identity.kind == .currentActivity }) else { return }
        isStale = true
        if !isCounting { schedule() }
    }

    private func schedule() {
        guard !timer.isSet, !isStopped else { return }
        timer.set(after: account.limits.countingPause) { [unowned self] in count() }
    }

    private func count() {
        (isCounting, isStale) = (true, false)
        let devices = Set(
            account.membership.others(departed: false) + account.membership.others(departed: true)
        )
        .union([account.credentials.device])
        account.store.read(from: .activities) { (store) throws(StoreFailure) in
            try store.unlistedActivities(besides: devices, at: .now)
        } then: { [self] result in
            isCounting = false
            switch result {
            case .success(let counted): receiveCount(counted)
            case .failure(let failure): account.log.tell("could not count the activities: \(failure)")
            }
            if isStale { schedule() }
        }
    }

    private func receiveCount(_ counted: UnlistedActivities) {
        let before = troubles
        unlisted = counted
        for trouble in troubles where !before.contains(trouble) { account.log.warn(trouble) }
    }

    /// The problems to show to the person, one for each device that has too many activities.
    var troubles: [String] {
        var troubles = unlisted.ofDevices.sorted { $0.key < $1.key }.map { device, count in
            """
            “\(account.name(of: device))” has \(Self.text(count)) more than the limit (\(Limits.deviceActivities) activities, \
            \(Limits.deviceActivitiesBytes >> 20) MiB); those that changed longest ago are kept but not listed
            """
        }
        if unlisted.ofOthers > 0 {
            troubles.append(
                "\(Self.text(unlisted.ofOthers)) of devices that were never in the account are kept but not listed"
            )
        }
        return troubles
    }

    private static func text(_ count: Int) -> String { count == 1 ? "1 activity" : "\(count) activities" }
}
