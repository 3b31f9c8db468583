import BatonCore
import BatonNetwork

/// The current activities of this device: what its app instances are doing, and the processes with which
/// they end.
///
/// It holds what is on disk or on its way there; `publish` and `withdraw` see to the way.
final class OwnActivities {
    /// Keeps a transaction and tells everyone; the closure hears whether it was kept.
    typealias Publish = ([Journal.Draft], [LocalNote], @escaping (StoreFailure?) -> Void) -> Void

    private let device: DeviceIdentifier
    private let loop: EventLoop
    private let log: Log
    private let publish: Publish
    private var current: [ActivityName: Entry] = [:]
    /// What is on disk; where it differs, something is on its way there.
    private var kept: [ActivityName: Entry] = [:]
    /// The watches of processes, also of some that have ended.
    private var watches: [ActivityName: (process: ProcessName, watch: ProcessWatch)] = [:]

    /// An activity, and the process with which it ends.
    private struct Entry: Equatable {
        let activity: Activity
        let process: ProcessName?
    }

    init(device: DeviceIdentifier, on loop: EventLoop, log: Log, publish: @escaping Publish) {
        (self.device, self.loop, self.log, self.publish) = (device, loop, log, publish)
    }

    /// Takes up what was going on when the node ended; what ended meanwhile is finished.
    func load(_ records: [Record], notes: [LocalNote]) {
        for record in records {
            guard let (name, activity) = record.activity, name.device == device else { continue }
            let note = notes.first { $0.name == name.key.name }
            let entry = Entry(activity: activity, process: note.flatMap(ProcessName.init))
            (current[name], kept[name]) = (entry, entry)
            watch(name)
        }
    }

    /// What others had of this device's activities came back, because an earlier state was put back here or changes were lost.
    ///
    /// Where something of this device is on its way to the disk, that counts.
    func takeBack(_ changed: [Record]) {
        for record in changed where record.identity.kind == .currentActivity {
            if let (name, activity) = record.activity, name.device == device {
                guard current[name] == kept[name], current[name]?.activity != activity else { continue }
                let entry = Entry(activity: activity, process: current[name]?.process)
                (current[name], kept[name]) = (entry, entry)
            } else if let name = name(of: record.identity), current[name] == kept[name], !record.isThere {
                (current[name], kept[name]) = (nil, nil)
                watch(name)
            }
        }
    }

    // MARK: Queries

    /// The name of the activity that a record would be about, if one is known here.
    func name(of identity: RecordIdentity) -> ActivityName? {
        current.keys.first { $0.key.identity == identity }
    }

    /// The activity of that name, if it is going on.
    func activity(_ name: ActivityName) -> Activity? {
        current[name].flatMap { $0.activity.isExpired(at: .now) ? nil : $0.activity }
    }

    /// The activity that a person means.
    func find(_ target: ActivityTarget) throws(LocalFailure) -> (name: ActivityName, activity: Activity) {
        switch target {
        case .instance(let app, let instance):
            let name = ActivityName(device: device, app: app, instance: instance)
            guard let activity = activity(name) else {
                throw LocalFailure(.notFound, "This shell has no activity. `baton start TYPE` begins one.")
            }
            return (name, activity)
        case .identifier(let prefix):
            let names = current.keys.filter { $0.shortIdentifier.hasPrefix(prefix.lowercased()) }
            guard let name = names.first, names.count == 1, let activity = activity(name) else {
                throw LocalFailure(.notFound, Self.text(prefix, count: names.count))
            }
            return (name, activity)
        }
    }

    private static func text(_ prefix: String, count: Int) -> String {
        count > 1
            ? "More than one activity of this device begins with “\(prefix)”. Type more of it; `baton list` shows them."
            : "No activity of this device begins with “\(prefix)”. `baton list` shows what is going on."
    }

    // MARK: Commands

    /// Makes an activity the current one of its instance.
    func start(
        _ name: ActivityName, _ activity: Activity, process: ProcessName?,
        then: @escaping (StoreFailure?) -> Void
    ) {
        let note = ProcessName.note(process, for: name)
        change(name, to: Entry(activity: activity, process: process), notes: [note], then: then)
    }

    /// Changes an activity that is going on.
    func update(_ name: ActivityName, _ activity: Activity, then: @escaping (StoreFailure?) -> Void) {
        let entry = Entry(activity: activity, process: current[name]?.process)
        change(name, to: entry, notes: [], then: then)
    }

    /// Ends an activity.
    func finish(_ name: ActivityName, then: @escaping (StoreFailure?) -> Void) {
        change(name, to: nil, notes: [ProcessName.note(nil, for: name)], then: then)
    }

    /// Changes what is going on, and what is on disk; if that fails and nothing came after it, what is on
    /// disk holds again.
    private func change(
        _ name: ActivityName, to entry: Entry?, notes: [LocalNote], then: @escaping (StoreFailure?) -> Void
    ) {
        current[name] = entry
        let action = entry.map { Write.Action.full(Write.Content(fields: $0.activity.fields)) }
        publish([Journal.Draft(action ?? .deletion, name.key)], notes) { [self] failure in
            if failure == nil {
                kept[name] = entry
            } else if current[name] == entry {
                current[name] = kept[name]
            }
            watch(name)
            then(failure)
        }
    }

    /// Lets go of everything that the loop calls back about.
    func close() {
        for (_, watch) in watches.values { watch.close() }
        watches = [:]
    }

    /// Watches the process with which an activity ends, and no other.
    private func watch(_ name: ActivityName) {
        let process = current[name]?.process
        guard watches[name]?.process != process else { return }
        watches.removeValue(forKey: name)?.watch.close()
        guard let process else { return }
        do {
            let watch = try ProcessWatch(process.identity, on: loop) { [self] in ended(process, name) }
            watches[name] = (process, watch)
        } catch {
            log.tell("an activity can't end with its process: \(error)")
        }
    }

    private func ended(_ process: ProcessName, _ name: ActivityName) {
        guard current[name]?.process == process else {
            // Another one takes the activity over; should that not be kept, this one is watched anew.
            watches[name] = nil
            return
        }
        log.tell("process \(process.number) ended, and its activity with it")
        finish(name) { [self] failure in
            if let failure { log.tell("the end of an activity was not kept: \(failure)") }
        }
    }
}

extension Record {
    /// The activity that this record is about, if it is there and can be read.
    ///
    /// One that many writes made larger than what can be said of it is as if it could not.
    var activity: (name: ActivityName, activity: Activity)? {
        guard let key, key.kind == .currentActivity, let fields, fields.canBeWritten else { return nil }
        do {
            return (try ActivityName(key), try Activity(fields))
        } catch {
            return nil
        }
    }
}

extension ActivityName {
    /// Stands for the activity in commands.
    var shortIdentifier: String { key.identity.hash.description }
}
