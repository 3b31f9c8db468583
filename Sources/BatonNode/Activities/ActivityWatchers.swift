import BatonCore
import BatonNetwork

/// Tells those who watch the list of what is going on what changes there, as soon as it is known.
///
/// While a watcher has no request open, changes of one activity become one. An activity is told as gone when it expires,
/// though nobody has written anything then.
final class ActivityWatchers {
    private unowned let account: AccountNode
    private var changes = ActivityChangeLog(after: UInt64(clamping: WallTime.now.milliseconds) * 1000)
    private var waiting: [(after: UInt64, session: ObjectIdentifier, answer: Answer<ActivityChanges>)] = []
    /// When activities stop being offered that somebody may have been told of; the nearest dates.
    private var expirations: [RecordIdentity: WallTime] = [:]
    /// Set for the nearest of those dates, or for a moment before it.
    private let timer: OwnedTimer
    /// The date for which the timer is set.
    private var timedDate: WallTime?
    private var isTelling = false

    init(of account: AccountNode) { (self.account, timer) = (account, OwnedTimer(on: account.loop)) }

    // MARK: What watchers ask

    /// Answers once something has changed since the list had that number; at once if that is not known, or without one.
    func watch(
        after number: UInt64?, by session: ClientSession, _ answer: @escaping Answer<ActivityChanges>
    ) {
        guard let number else {
            // What expires without having changed before is told, too.
            account.readActivities { (reader) throws(StoreFailure) in
                .success(try reader.expirations())
            } then: { [self] result in
                if case .success(let dates) = result {
                    for (identity, date) in dates.sorted(by: { $0.key < $1.key }) {
                        noteExpiration(of: identity, at: date)
                    }
                }
                for (name, activity) in account.activities.current {
                    noteExpiration(of: name.identity, at: activity.expiration)
                }
                schedule()
            }
            return answer(.success(ActivityChanges(number: changes.number, isAnew: true)))
        }
        waiting.append((number, ObjectIdentifier(session), answer))
        tellLater()
    }

    /// Other devices are listed than before.
    func beginAnew() {
        changes.beginAnew()
        tellLater()
    }

    /// Nobody waits on that connection any more.
    func forget(_ session: ClientSession) { waiting.removeAll { $0.session == ObjectIdentifier(session) } }

    /// Takes back what a connection waits for, because another state is served from now on.
    func takeBack(_ session: ClientSession) -> [ServedAccount.Waiting] {
        defer { forget(session) }
        return waiting.filter { $0.session == ObjectIdentifier(session) }
            .map { session.waiting(WatchActivities(after: $0.after), $0.answer, ClientSession.handle) }
    }

    /// Lets go of everything that the loop calls back about.
    func close() {
        timer.cancel()
        timedDate = nil
    }

    // MARK: What changes

    /// An activity of this device began or changed, ended, or is to be shown otherwise.
    func note(_ identity: RecordIdentity, _ state: ActivityChangeLog.State) {
        changes.note(identity, state)
        tellLater()
    }

    /// An activity of this device is as it is now.
    func noteOwn(_ name: ActivityName) {
        note(name.identity, ActivityChangeLog.State(name, account.activities.offered(name)))
    }

    /// A peer's writes are about to be kept; answers which of them are told by now.
    func take(_ writes: [Write]) -> Set<RecordIdentity> {
        var told: Set<RecordIdentity> = []
        for write in writes where !account.activities.isOwn(write.identity, write.key) {
            if changes.expect(write) { told.insert(write.identity) }
        }
        if !told.isEmpty { tell() }
        return told
    }

    /// The store has taken writes, of which those were told before.
    func keep(_ changed: [Record], told: Set<RecordIdentity> = []) {
        let number = changes.number
        for record in changed where record.identity.kind == .currentActivity {
            if let name = account.activities.name(of: record.identity) { noteOwn(name) }
        }
        changes.keep(
            changed.lazy.filter { [account] in !account.activities.isOwn($0.identity, $0.key) },
            expected: told)
        if changes.number != number { tellLater() }
    }

    /// The store did not take what was told.
    func refuse(_ told: Set<RecordIdentity>) {
        guard !told.isEmpty else { return }
        changes.refuse(told)
        tellLater()
    }

    // MARK: Telling

    /// Tells once for all that changes in this turn of the loop.
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
            // Who asks for a number that is not known is told so.
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
        for (place, change) in changed.enumerated() where change.state == .unread {
            guard let name = account.activities.name(of: change.identity) else { continue }
            changed[place].state = ActivityChangeLog.State(name, account.activities.offered(name))
        }
        let unread = changed.filter { $0.state == .unread }.map(\.identity)
        guard !unread.isEmpty else { return answer(.success(told(changed))) }
        account.store.read(from: .activities) { (store) throws(StoreFailure) in
            var (states, bytes): ([RecordIdentity: ActivityChangeLog.State], Int) = ([:], 0)
            // The rest is read when it is asked for.
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
                answer(.failure(LocalFailure(.storage, "The activities could not be read: \(failure).")))
            }
        }
    }

    /// Whether changes are of a device with more activities than are listed: which of them are is for the list to say.
    private func isCrowded(
        _ changed: [(number: UInt64, identity: RecordIdentity, state: ActivityChangeLog.State)]
    ) -> Bool {
        let crowded = account.activityCount.unlisted.ofDevices
        guard !crowded.isEmpty else { return false }
        return changed.contains { change in
            switch change.state {
            case .there(let name, _, _): crowded[name.device] != nil
            case .gone, .unread: account.activities.name(of: change.identity) == nil
            }
        }
    }

    /// As much of it as an answer holds; who is told a part asks for the rest.
    private func told(
        _ changed: [(number: UInt64, identity: RecordIdentity, state: ActivityChangeLog.State)]
    ) -> ActivityChanges {
        var (told, bytes) = (ActivityChanges(number: changes.number), 0)
        if let last = changed.last { told.number = last.number }
        for (place, change) in changed.enumerated() {
            if change.state == .unread, place > 0 {
                told.number = changed[place - 1].number
                break
            }
            guard case .there(let name, let activity, let fields) = change.state else {
                told.gone.append(change.identity.hash.description)
                continue
            }
            let entry = ListedActivity(name, activity, spelledBy: fields)
            guard !activity.isExpired(at: .now), !account.dismissals.hide(change.identity, activity),
                account.lists(name.device)
            else {
                told.gone.append(entry.identifier)
                continue
            }
            bytes += entry.answeredBytes
            if !told.changed.isEmpty, bytes > Limits.frameBytes / 2 {
                told.number = changed[place - 1].number
                break
            }
            told.changed.append(account.summary(entry))
            noteExpiration(of: entry.identity, at: activity.expiration)
        }
        schedule()
        return told
    }

    // MARK: Expiring

    private func noteExpiration(of identity: RecordIdentity, at date: WallTime?) {
        expirations[identity] = date
        guard expirations.count > ActivityChangeLog.most,
            let last = expirations.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })
        else { return }
        expirations[last.key] = nil
    }

    /// Waits for the nearest date.
    private func schedule() {
        let nearest = expirations.values.min()
        guard nearest != timedDate else { return }
        close()
        guard let nearest, !account.isStopped else { return }
        // Clocks are set, and no date is too far to be said.
        let delay = min(max(nearest.since(.now), .zero), .seconds(3600))
        timedDate = nearest
        timer.set(after: delay + .milliseconds(1)) { [unowned self] in expire() }
    }

    private func expire() {
        timedDate = nil
        let now = WallTime.now
        let expired = expirations.filter { $0.value <= now }.keys.sorted()
        for identity in expired {
            expirations[identity] = nil
            changes.note(identity, .unread)
        }
        if !expired.isEmpty { tellLater() }
        schedule()
    }
}
