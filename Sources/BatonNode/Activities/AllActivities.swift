import BatonCore
import BatonSecurity

/// The current and ended activities of all devices, as far as this device knows them.
final class AllActivities {
    private let account: AccountCore
    private let activities: OwnActivities
    /// The actions that apps of this device have donated.
    private let donations: Donations
    /// The activities that are hidden on this machine.
    var dismissals: Dismissals
    /// The arrival times of activities whose last change has a time in the future.
    private var arrivals: ArrivalTimes
    /// The readings of both clocks when arrival times were last noted.
    private var lastClocks: Clocks
    /// The other devices that have left the account or were removed from it.
    ///
    /// Their current activities are not listed.
    private var departed: Set<DeviceIdentifier> = []

    /// The last state that an app saved because a client on this device asked for it; nil once the state was used.
    var fetched: Fetched?

    /// The state of an activity that its app saved so that the activity can be continued.
    struct Fetched {
        let continued: ContinuedActivity
        let identity: RecordIdentity
        let time: Instant
    }

    init(
        of account: AccountCore, _ activities: OwnActivities, _ donations: Donations,
        _ contents: AccountContents
    ) {
        self.account = account
        self.activities = activities
        self.donations = donations
        dismissals = Dismissals(contents.dismissals)
        arrivals = ArrivalTimes(contents.arrivals)
        lastClocks = account.clocks
        departed = Set(account.membership.others(departed: true))
    }

    /// Handles changed records, and returns the things that deleted saved activities were about.
    ///
    /// If any device has deleted a saved activity, this device's own copy of the activity is dropped.
    func handleChanges(_ changed: [Record]) -> [KeyHash] {
        noteArrivals(
            of: changed.lazy.filter { [.currentActivity, .savedActivity].contains($0.identity.kind) }
                .map { ($0.identity, $0.fields.flatMap { Activity.changed(in: $0) }) })
        let deleted = changed.filter { $0.identity.kind == .savedActivity && $0.isDeleted }
        guard !deleted.isEmpty else { return [] }
        let identities = Set(deleted.map(\.identity))
        let names = activities.kept.activities.keys.filter { identities.contains($0.key.identity) }
        for name in names {
            activities.deleteKept(name, by: []) { [log = account.log] failure in
                if let failure { log.warn("could not drop an activity that was deleted: \(failure)") }
            }
        }
        return identities.map(\.hash)
    }

    /// Records the arrival times of activities whose last change has a time in the future.
    private func noteArrivals(of times: some Sequence<(RecordIdentity, WallTime?)>) {
        let clocks = account.clocks
        let jump = clocks.wall.since(lastClocks.wall) - clocks.steady.since(lastClocks.steady)
        lastClocks = clocks
        var notes = arrivals.handleJump(of: jump)
        for (identity, time) in times {
            notes += arrivals.handleChange(identity, changed: time, at: clocks.wall)
        }
        guard !notes.isEmpty else { return }
        account.keep(notes) { [log = account.log] failure in
            if let failure { log.tell("could not save when an activity arrived: \(failure)") }
        }
    }

    /// Handles a changed roster, and returns whether the set of departed devices has changed.
    ///
    /// The activities of a device disappear from lists when the device departs, and appear again when it returns.
    func handleRosterChange() -> Bool {
        let departed = Set(account.membership.others(departed: true))
        defer { self.departed = departed }
        return departed != self.departed
    }

    /// Returns the description of an activity that a person sees.
    func summary(_ listed: ListedActivity) -> ActivitySummary {
        summary(listed, departure: departure(of: listed))
    }

    /// Returns the description of an activity that a person sees.
    ///
    /// `departure` says why the activity's device has departed; it is nil if the device has not departed.
    func summary(_ listed: ListedActivity, departure: DeviceDeparture?) -> ActivitySummary {
        let own = activities.device
        let listed = listed.dated(by: arrivals, at: .now)
        var summary = ActivitySummary(
            identifier: listed.identifier, device: account.names.reference(listed.device), app: listed.app,
            instance: listed.instance ?? "", activity: account.sealing.shown(listed.activity, of: listed.app),
            continuedOn: listed.activity.continuation.map { account.name(of: $0.device) })
        summary.isSentHere = listed.isSent(to: own)
        summary.departure = departure
        summary.isForgotten = dismissals.hide(listed.identity, listed.activity)
        if let name = listed.name, name.device == own {
            summary.isPrivate = !activities.isShared(name)
        }
        if listed.isKept { summary.isPrivate = true }
        if listed.isDonated { summary.donation = listed.savedName.flatMap(donations.last) }
        return summary
    }

    /// Returns the explanation why a search shows or omits a current activity.
    ///
    /// Until the activity ends, only searches on its own device find it.
    func explanation(of current: ListedActivity) -> SearchExplanation {
        let isEligible = current.activity.eligibility.contains(.search)
        let isHere = current.device == account.credentials.device
        let outcome: SearchExplanation.Outcome =
            if !isEligible {
                .ineligible
            } else if isHere {
                account.settings.isPrivate
                    ? .isPrivate : dismissals.hide(current.identity, current.activity) ? .hidden : .shown
            } else {
                .goingOn
            }
        return SearchExplanation(outcome, title: current.activity.title, app: current.app)
    }

    /// Whether lists show the current activities of a device.
    func lists(_ device: DeviceIdentifier) -> Bool {
        device == activities.device || account.membership.isPresent(device)
    }

    /// Returns the reason why the device of a current activity has departed.
    ///
    /// The result is nil if the device has not departed, or if the activity has ended.
    private func departure(of listed: ListedActivity) -> DeviceDeparture? {
        guard listed.name != nil, listed.device != activities.device else { return nil }
        return account.membership.departure(of: listed.device)
    }

    /// The data that a reader of activities needs, as of now.
    private var scope: ActivityScope {
        let own = account.credentials.device
        let (members, departed) = (
            account.membership.others(departed: false), account.membership.others(departed: true)
        )
        let kept = activities.kept.activities.map { ListedActivity(kept: $0.key, $0.value, on: own) }
        let donated = donations.activities.map { ListedActivity(donated: $0.key, $0.value, on: own) }
        let here = activities.current.map { ListedActivity($0.name, $0.activity) }
        // This device's clock may have been set back since these activities changed.
        noteArrivals(of: (here + kept).lazy.map { ($0.identity, Optional($0.activity.changed)) })
        return ActivityScope(
            own: own, here: here, kept: kept + donated, members: members, departed: departed,
            names: Dictionary(members.map { ($0, account.name(of: $0)) }) { $1 }, dismissals: dismissals,
            arrivals: arrivals, sealing: account.sealing, now: .now)
    }

    /// Reads activities of all devices from the store.
    ///
    /// This device's activities are not read from the disk: their state comes from its apps.
    ///
    /// Reads wait behind writes (`StoreThreads.read`).
    func read<Answer: Sendable>(
        _ question: @escaping @Sendable (ActivityReader) throws(StoreFailure) -> Result<Answer, LocalFailure>,
        then: @escaping (Result<Answer, LocalFailure>) -> Void
    ) {
        account.store.read(from: .activities) { [scope] (store) throws(StoreFailure) in
            try question(ActivityReader(scope, store))
        } then: { result in
            switch result {
            case .success(let answer): then(answer)
            case .failure(let failure):
                then(
                    .failure(LocalFailure(.storage, "Could not read the activities: \(failure).")))
            }
        }
    }

    /// Finds the current or ended activity whose identifier begins with a text.
    func find(identified text: String, then: @escaping (Result<ListedActivity, LocalFailure>) -> Void) {
        read { (reader) throws(StoreFailure) in
            let current = try reader.identified(text)
            guard case .success(nil) = current else { return current }
            let finished = try reader.finished(text)
            guard case .success(nil) = finished else { return finished }
            return .success(reader.searched(text))
        } then: { result in
            then(
                result.required(
                    LocalFailure(
                        .notFound,
                        "No activity has the ID “\(text)”. See `baton list`.")))
        }
    }

    /// Finds the last end of an activity that was current under a record's identity.
    ///
    /// Ends that this device does not know of are not considered.
    func findEnd(of identity: RecordIdentity, then: @escaping (ListedActivity?) -> Void) {
        read { (reader) throws(StoreFailure) in
            .success(try reader.end(of: identity))
        } then: { [log = account.log] result in
            switch result {
            case .success(let found): then(found)
            case .failure(let failure):
                log.tell("could not read how an activity ended: \(failure)")
                then(nil)
            }
        }
    }

    /// Takes over an activity with writes of this device.
    ///
    /// The writes end the activity, and save it as taken over.
    func takeOver(
        _ name: ActivityName, _ activity: Activity, then: @escaping (Result<Activity, StoreFailure>) -> Void
    ) {
        let (taken, drafts) = activity.takenOver(
            name, by: account.credentials.device, keeping: account.settings[.finishedDays], at: .now)
        account.publish(drafts) { failure in
            then(failure.map { .failure($0) } ?? .success(taken))
        }
    }
}
