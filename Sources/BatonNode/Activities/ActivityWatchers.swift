import BatonCore
import BatonNetwork

/// Tells the watchers of the activity list about changes as soon as this device knows of them.
///
/// `ActivityChangeLog` decides which changes are reported to which watcher. This class answers the watchers' requests.
/// When an activity expires, watchers are told that it is gone, although nobody has written anything then.
final class ActivityWatchers {
    private let account: AccountCore
    private let activities: OwnActivities
    private let allActivities: AllActivities
    private let count: ActivityCount
    private var changes = ActivityChangeLog(after: UInt64(clamping: WallTime.now.milliseconds) * 1000)
    private var waiting: [(after: UInt64, session: ObjectIdentifier, answer: Answer<ActivityChanges>)] = []
    private var expirations = ActivityExpirations()
    /// The timer for the next expiration of an activity, or for an earlier check.
    private let timer: OwnedTimer
    /// The date for which the timer is set.
    private var timedDate: WallTime?
    private var isTelling = false

    init(of account: AccountCore, _ activities: OwnActivities, _ all: AllActivities, _ count: ActivityCount) {
        self.account = account
        self.activities = activities
        allActivities = all
        self.count = count
        timer = OwnedTimer(on: account.loop)
    }

    // MARK: Requests of watchers

    /// Answers once the list has changed since the change with this number.
    ///
    /// If the number is nil or unknown, the answer comes immediately, and the watcher must read a new list.
    func watch(
        after number: UInt64?, by session: ObjectIdentifier, _ answer: @escaping Answer<ActivityChanges>
    ) {
        guard let number else {
            // An activity must be reported as expired even if it never changes from now on.
            allActivities.read { (reader) throws(StoreFailure) in
                .success(try reader.expirations())
            } then: { [self] result in
                if case .success(let dates) = result {
                    for (identity, date) in dates.sorted(by: { $0.key < $1.key }) {
                        expirations.recordExpiration(identity, at: date)
                    }
                }
                for (name, activity) in activities.current {
                    expirations.recordExpiration(name.identity, at: activity.expiration)
                }
                schedule()
            }
            return answer(.success(ActivityChanges(number: changes.number, isAnew: true)))
        }
        waiting.append((number, session, answer))
        tellLater()
    }

    /// Tells all watchers to read a new list, because the set of listed devices has changed.
    func beginAnew() {
        changes.beginAnew()
        tellLater()
    }

    /// Drops the waiting requests of a connection that has ended.
    func forget(_ session: ObjectIdentifier) { waiting.removeAll { $0.session == session } }

    /// Removes and returns the waiting requests of a connection, because another state of the account replaces the
    /// store.
    func takeBack(_ session: ObjectIdentifier) -> [(call: WatchActivities, answer: Answer<ActivityChanges>)] {
        defer { forget(session) }
        return waiting.filter { $0.session == session }.map { (WatchActivities(after: $0.after), $0.answer) }
    }

    /// Cancels the timer.
    ///
    /// The loop holds the timer's callback until then.
    func close() {
        timer.cancel()
        timedDate = nil
    }

    // MARK: Changes

    /// Notes that an activity of this device began, changed or ended, or must be listed differently.
    func recordState(_ identity: RecordIdentity, _ state: ActivityChangeLog.State) {
        changes.recordState(identity, state)
        tellLater()
    }

    /// Notes the present state of an activity of this device.
    func noteOwn(_ name: ActivityName) {
        recordState(name.identity, ActivityChangeLog.State(name, activities.offered(name)))
    }

    /// Tells watchers about a peer's writes before the writes are stored.
    ///
    /// Returns the activities whose changes were reported.
    func receiveWrites(_ writes: [Write]) -> Set<RecordIdentity> {
        var told: Set<RecordIdentity> = []
        for write in writes where !activities.isOwn(write.identity, write.key) {
            if changes.expect(write) { told.insert(write.identity) }
        }
        if !told.isEmpty { tell() }
        return told
    }

    /// Handles stored records.
    ///
    /// Watchers have already been told about the changes of the activities in `told`.
    func keep(_ changed: [Record], told: Set<RecordIdentity> = []) {
        let number = changes.number
        for record in changed where record.identity.kind == .currentActivity {
            if let name = activities.name(of: record.identity) { noteOwn(name) }
        }
        changes.keep(
            changed.lazy.filter { [activities] in !activities.isOwn($0.identity, $0.key) },
            expected: told)
        if changes.number != number { tellLater() }
    }

    /// Withdraws changes that were reported to watchers, because storing them failed.
    func refuse(_ told: Set<RecordIdentity>) {
        guard !told.isEmpty else { return }
        changes.refuse(told)
        tellLater()
    }

    // MARK: Telling

    /// Tells watchers about all changes of this turn of the loop together, at the end of the turn.
    private func tellLater() {
        guard !isTelling, !waiting.isEmpty else { return }
        isTelling = true
        account.loop.afterTurn { [self] in
            isTelling = false
            tell()
        }
    }

    private func tell() {
        var (rest, told) = (waiting, [(after: UInt64, answer: Answer<ActivityChanges>)]())
        rest.removeAll { waiter in
            // A request with an unknown number is answered at once, and the watcher reads a new list.
            guard changes.number != waiter.after else { return false }
            told.append((waiter.after, waiter.answer))
            return true
        }
        waiting = rest
        for (after, answer) in told { self.answer(after, answer) }
    }

    private func answer(_ after: UInt64, _ answer: @escaping Answer<ActivityChanges>) {
        guard var changed = changes.changes(after: after), !isCrowded(changed) else {
            return answer(.success(ActivityChanges(number: changes.number, isAnew: true)))
        }
        for place in changed.indices where changed[place].state.isUnread {
            guard let name = activities.name(of: changed[place].identity) else { continue }
            changed[place].state = ActivityChangeLog.State(name, activities.offered(name))
        }
        guard changed.contains(where: { $0.state.isUnread }) else { return answer(.success(told(changed))) }
        let unread = changed.filter { $0.state.isUnread }.map(\.identity)
        account.store.read(from: .activities) { (store) throws(StoreFailure) in
            var (states, bytes): ([RecordIdentity: ActivityChangeLog.State], Int) = ([:], 0)
            // The rest is read for the watcher's next request.
            for identity in unread where bytes <= Limits.frameBytes / 2 {
                let record = try store.record(identity)
                bytes += record?.fields?.encodedCount ?? 0
                states[identity] = record.map(ActivityChangeLog.State.init) ?? .gone
            }
            return states
        } then: { [self, changed] result in
            switch result {
            case .success(let states):
                let read = changed.map { change in
                    (change.number, change.identity, states[change.identity] ?? change.state)
                }
                answer(.success(told(read)))
            case .failure(let failure):
                answer(.failure(LocalFailure(.storage, "Could not read the activities: \(failure).")))
            }
        }
    }

    /// Whether one of the changes may belong to a device with more activities than lists show.
    ///
    /// In this case, only a new list can tell the watcher which of the device's activities are shown.
    private func isCrowded(
        _ changed: [(number: UInt64, identity: RecordIdentity, state: ActivityChangeLog.State)]
    ) -> Bool {
        let crowded = count.unlisted.ofDevices
        guard !crowded.isEmpty else { return false }
        return changed.contains { change in
            switch change.state {
            case .there(let name, _): crowded[name.device] != nil
            case .gone, .unread: activities.name(of: change.identity) == nil
            }
        }
    }

    /// Returns the changes that fit into an answer.
    ///
    /// A watcher that gets only a part asks for the rest.
    private func told(
        _ changed: [(number: UInt64, identity: RecordIdentity, state: ActivityChangeLog.State)]
    ) -> ActivityChanges {
        var (told, bytes) = (ActivityChanges(number: changes.number), 0)
        if let last = changed.last { told.number = last.number }
        for (place, change) in changed.enumerated() {
            if change.state.isUnread, place > 0 {
                told.number = changed[place - 1].number
                break
            }
            guard case .there(let name, let activity) = change.state else {
                told.gone.append(change.identity.hash.description)
                continue
            }
            guard !activity.isExpired(at: .now),
                !allActivities.dismissals.hide(change.identity, activity),
                allActivities.lists(name.device)
            else {
                told.gone.append(name.identity.hash.description)
                continue
            }
            let entry = ListedActivity(name, activity)
            bytes += entry.answeredBytes
            if !told.changed.isEmpty, bytes > Limits.frameBytes / 2 {
                told.number = changed[place - 1].number
                break
            }
            told.changed.append(allActivities.summary(entry, departure: nil))
            expirations.recordExpiration(entry.identity, at: activity.expiration)
        }
        schedule()
        return told
    }

    // MARK: Expiring

    /// Sets the timer for the nearest expiration.
    private func schedule() {
        let nearest = expirations.nearest
        guard nearest != timedDate else { return }
        close()
        guard let nearest, !account.isStopped else { return }
        // The timer fires at least once an hour. The clock may be set in the meantime, and an expiration can be
        // arbitrarily far away.
        let delay = min(max(nearest.since(.now), .zero), .seconds(3600))
        timedDate = nearest
        timer.set(after: delay + .milliseconds(1)) { [unowned self] in expire() }
    }

    private func expire() {
        timedDate = nil
        let expired = expirations.removeExpired(at: .now)
        for identity in expired { changes.recordState(identity, .unread) }
        if !expired.isEmpty { tellLater() }
        schedule()
    }
}
