import BatonCore

/// What people forgot everywhere, and what apps deleted of what was kept.
struct Erasures {
    /// The states of activities that someone was about to forget on another device, and the writes that did it.
    private var forgotten: [ActivityName: [Int: Dot?]] = [:]
    /// The last state of all when someone was last about to forget it, whatever they saw of it.
    private var lastForgotten: [ActivityName: Int] = [:]
    /// The states of what was forgotten on the machine where it was going on.
    private var forgottenHere: [FreshestPayload.Place: [ClosedRange<Int>]] = [:]
    /// The names under which things are kept, by what was going on.
    private var saved: [ActivityName: Set<RecordIdentity>] = [:]
    /// Of these, what someone ever deleted.
    private var deleted: Set<RecordIdentity> = []
    private var isAllDeleted = false
    /// Up to which state what a machine keeps was deleted there.
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

    /// An activity that a machine had lost goes on there again, so that it was not among the ended ones that were deleted.
    mutating func noteReturned(_ place: FreshestPayload.Place) { allDeletedHere[place] = nil }

    /// A machine lost what it had, perhaps also what was erased there.
    mutating func lose(at machine: Int) {
        deletedHere[machine] = nil
        for place in allDeletedHere.keys where place.machine == machine { allDeletedHere[place] = nil }
        for place in forgottenHere.keys where place.machine == machine { forgottenHere[place] = nil }
    }

    // MARK: Queries

    /// Whether someone was about to forget it after that state was made; the later word counts.
    func isForgotten(_ name: ActivityName, since begun: Int) -> Bool {
        lastForgotten[name].map { $0 >= begun } ?? false
    }

    /// What forgot that state of it, if that was kept.
    func dot(forgetting name: ActivityName, _ version: Int) -> Dot? { forgotten[name]?[version] ?? nil }

    /// Whether what was kept of an activity may have been deleted.
    func concern(_ name: ActivityName) -> Bool {
        isAllDeleted || !deleted.isDisjoint(with: saved[name] ?? [])
    }

    /// Whether a machine may not write that state any more.
    func forbids(_ key: RecordKey, _ version: Int, at place: FreshestPayload.Place) -> Bool {
        let all = key.kind == .savedActivity ? allDeletedHere[place] ?? 0 : 0
        let last = max(all, deletedHere[place.machine]?[key.identity] ?? 0)
        return version <= last || forgottenHere[place]?.contains { $0.contains(version) } ?? false
    }
}
