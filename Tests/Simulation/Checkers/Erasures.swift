import BatonCore

/// The activities that people forgot everywhere, and the saved activities that apps deleted.
struct Erasures {
    /// The states of activities that someone was about to forget on another device, and the writes that did it.
    private var forgotten: [ActivityName: [Int: Dot?]] = [:]
    /// The last state that existed when someone was last about to forget the activity, whichever state they saw.
    private var lastForgotten: [ActivityName: Int] = [:]
    /// The states that were forgotten on the machine where the activity was going on.
    private var forgottenHere: [FreshestPayload.Place: [ClosedRange<Int>]] = [:]
    /// The names under which an activity is saved.
    private var saved: [ActivityName: Set<RecordIdentity>] = [:]
    /// The saved activities that someone ever deleted.
    private var deleted: Set<RecordIdentity> = []
    private var isAllDeleted = false
    /// The last state that was deleted on a machine, by saved activity.
    private var deletedHere: [Int: [RecordIdentity: Int]] = [:]
    private var allDeletedHere: [FreshestPayload.Place: Int] = [:]

    // MARK: Changes

    mutating func noteSaved(_ identity: RecordIdentity, of name: ActivityName) {
        saved[name, default: []].insert(identity)
    }

    mutating func noteForgetting(_ name: ActivityName, _ version: Int, at last: Int) {
        lastForgotten[name] = last
        if forgotten[name]?[version] == nil { forgotten[name, default: [:]][version] = .some(nil) }
    }

    mutating func noteForgotten(_ name: ActivityName, _ version: Int, by writes: [Write]) {
        forgotten[name, default: [:]][version] = .some(writes.first?.dot)
    }

    mutating func noteForgotten(_ place: FreshestPayload.Place, _ versions: ClosedRange<Int>) {
        forgottenHere[place, default: []].append(versions)
    }

    mutating func noteDeleting(_ identities: [RecordIdentity]) { deleted.formUnion(identities) }

    mutating func noteDeletingAll() { isAllDeleted = true }

    mutating func noteDeleted(_ identity: RecordIdentity, upTo version: Int, at machine: Int) {
        deletedHere[machine, default: [:]][identity] = version
    }

    mutating func noteDeleted(_ ended: [FreshestPayload.Place: Int]) {
        allDeletedHere.merge(ended) { _, last in last }
    }

    /// An activity that a machine had lost goes on there again, so it was not among the ended activities that were
    /// deleted.
    mutating func noteReturned(_ place: FreshestPayload.Place) { allDeletedHere[place] = nil }

    /// An activity that a machine had lost goes on there again, so an app that deleted what is saved under its name did
    /// not end it.
    mutating func noteReturned(_ saved: RecordIdentity, to machine: Int) {
        deletedHere[machine]?[saved] = nil
    }

    /// A machine lost stored data, perhaps also its deletions.
    mutating func lose(at machine: Int) {
        deletedHere[machine] = nil
        for place in allDeletedHere.keys where place.machine == machine { allDeletedHere[place] = nil }
        for place in forgottenHere.keys where place.machine == machine { forgottenHere[place] = nil }
    }

    // MARK: Queries

    /// Returns whether someone was about to forget the activity after that state was made; the later action counts.
    func isForgotten(_ name: ActivityName, since begun: Int) -> Bool {
        lastForgotten[name].map { $0 >= begun } ?? false
    }

    /// Returns the write that forgot that state, if it was stored.
    func dot(forgetting name: ActivityName, _ version: Int) -> Dot? { forgotten[name]?[version] ?? nil }

    /// Returns whether a saved record of an activity may have been deleted.
    func concern(_ name: ActivityName) -> Bool {
        isAllDeleted || !deleted.isDisjoint(with: saved[name] ?? [])
    }

    /// Returns whether a machine must not write that state any more.
    func forbids(_ key: RecordKey, _ version: Int, at place: FreshestPayload.Place) -> Bool {
        let all = key.kind == .savedActivity ? allDeletedHere[place] ?? 0 : 0
        let last = max(all, deletedHere[place.machine]?[key.identity] ?? 0)
        return version <= last || forgottenHere[place]?.contains { $0.contains(version) } ?? false
    }
}
