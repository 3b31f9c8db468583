import BatonCore
import Support

/// Activities that a person forgets everywhere, and saved activities that an app deletes, as in the product.
extension SimulatedApps {
    /// A person forgets an activity everywhere that they see here.
    func forget() {
        let device = node.identity.device
        let others = read(.currentActivity).filter { record in
            record.activity.map { $0.name.device != device && !isOver($0.activity) } ?? false
        }
        let saved = read(.savedActivity).filter { $0.savedActivity.map { !isOver($0) } ?? false }
        let own = machine.all.filter { !$0.own.isResigned && !isOver($0.own.activity) }.map(\.name)
        switch world.streams["forget"].pick([0, 1, 1, 2]) {
        case 0 where !own.isEmpty: forget(world.streams["forget"].pick(own))
        case 1 where !others.isEmpty: delete(world.streams["forget"].pick(others))
        case 2 where !saved.isEmpty: delete(world.streams["forget"].pick(saved))
        default: return
        }
    }

    private func forget(_ name: ActivityName) {
        guard let freshness = world.freshness else { return }
        world.tell("\(node.name): \(name.instance) is forgotten")
        world.marks[.forgottenHere] += 1
        let (ending, state) = (freshness.noteEnding(of: name, by: self), freshness.lastVersion)
        ask(name) {
            $0.finish(name, as: .forgotten, for: $2, at: $1)
        } then: { [self] in
            freshness.noteEnd(of: name, ending, $0, by: self)
            if $0 == nil { freshness.noteForgotten(name, upTo: state, by: self) }
        }
    }

    /// Deletes a record of an activity that is not going on here.
    private func delete(_ record: Record) {
        guard let key = record.key else { return }
        world.tell("\(node.name) forgets \(record.identity.hash.short)")
        if let (name, activity) = record.activity {
            world.marks[.forgottenElsewhere] += 1
            world.freshness?.noteForgetting(name, activity.version)
            node.write(.activities, [Journal.Draft(.deletion, key)]) { [world] writes in
                world.freshness?.noteForgotten(name, activity.version, by: writes)
            }
        } else {
            world.marks[.savedForgotten] += 1
            world.freshness?.noteDeleting([record.identity])
            node.write(.activities, [Journal.Draft(.deletion, key)])
        }
    }

    /// The app deletes saved activities on whichever device: all of them, or those with one identifier.
    func deleteSaved() {
        guard let freshness = world.freshness else { return }
        let stream = "deleteSaved"
        world.marks[.savedDeleted] += 1
        guard !world.streams[stream].chance(20) else {
            world.tell("\(node.name) deletes all that was kept")
            freshness.noteDeletingAll()
            return deleteAll()
        }
        let device =
            world.streams[stream].chance(70)
            ? node.identity.device : world.streams[stream].pick(world.honest).identity.device
        let all = ["1", "2"].flatMap { Self.identifiers(of: device, $0) }
        delete(Set((0..<world.streams[stream].number(1...2)).map { _ in world.streams[stream].pick(all) }))
    }

    private func deleteAll() {
        let ended = world.freshness?.ended(at: self) ?? [:]
        #if MISTAKES
            let isHeard = !Faults.isPlanted(.deletedKeptLater)
        #else
            let isHeard = true
        #endif
        let deletion = Parts { [world] in world.freshness?.noteDeleted(ended) }
        if isHeard {
            run { machine, now in
                let ticket = { (name: ActivityName) in self.ticket(name, nil, deletion.part()) }
                machine.deleteSaved(Self.app, nil, for: ticket, at: now)
            }
        }
        let key = Scope.activities(app: Self.app).clearKey(in: .activities)
        let isDone = deletion.last()
        node.write(.activities, [Journal.Draft(.full(Write.Content(fields: Fields())), key)]) { _ in
            isDone(nil)
        } failed: {
            isDone($0)
        }
    }

    private func delete(_ identifiers: Set<String>) {
        guard let freshness = world.freshness else { return }
        world.tell("\(node.name) deletes what was kept as \(identifiers.sorted())")
        let saved = identifiers.map { SavedActivityName(app: Self.app, identifier: $0) }
            .sorted { $0.identifier < $1.identifier }
        freshness.noteDeleting(saved.map(\.key.identity))
        let last = freshness.lastVersion
        // An activity that goes on is saved once it ends, also in the state that it has now.
        let goingOn = Set(machine.all.map { $0.own.activity.savedName(by: $0.name.app) })
        let deletion = Parts { [self] in
            freshness.noteDeleted(saved.filter { !goingOn.contains($0) }, upTo: last, by: self)
        }
        cancelSaving(identifiers) { name in self.ticket(name, nil, deletion.part()) }
        let isDone = deletion.last()
        node.write(.activities, saved.map { Journal.Draft(.deletion, $0.key) }) { _ in
            isDone(nil)
        } failed: {
            isDone($0)
        }
    }

    /// Cancels saving the ended activities to which the app gave an identifier.
    private func cancelSaving(
        _ identifiers: Set<String>, _ ticket: (ActivityName) -> CurrentActivities.Ticket
    ) {
        #if MISTAKES
            guard !Faults.isPlanted(.deletedKeptLater) else { return }
        #endif
        run { machine, now in machine.deleteSaved(Self.app, identifiers, for: ticket, at: now) }
    }
}

#if MISTAKES
    /// The behaviour of a driver with planted mistakes.
    extension SimulatedApps {
        /// Returns the records of others that a driver with a planted mistake passes on.
        func heeded(_ records: [Record]) -> [Record] {
            if Faults.isPlanted(.forgottenGoesOn) { return records.filter(\.isThere) }
            guard Faults.isPlanted(.lostNotTakenBack) else { return records }
            return records.filter { record in
                record.activity.map { machine[$0.name] != nil || $0.name.device != node.identity.device }
                    ?? true
            }
        }
    }
#endif

/// A request in several parts, which is stored once all of them are.
private final class Parts {
    private var left = 1
    private var hasFailed = false
    private let kept: () -> Void

    init(kept: @escaping () -> Void) { self.kept = kept }

    /// Adds a part; the returned closure takes its result.
    func part() -> (StoreFailure?) -> Void {
        left += 1
        return last()
    }

    /// Adds the last part.
    func last() -> (StoreFailure?) -> Void {
        { [self] failure in
            left -= 1
            if failure != nil { hasFailed = true }
            if left == 0, !hasFailed { kept() }
        }
    }
}
