import BatonCore

/// The client states that wait for claims, each filed under one transaction that is missing; so a commit looks only at
/// those that it may release, and where none wait, at nothing.
struct HeldStates {
    private var missing: [RecordIdentity: Dot] = [:]
    private var waiting: [Origin: [RecordIdentity: UInt64]] = [:]

    var isEmpty: Bool { missing.isEmpty }

    /// Files a state under what it lacks, or takes it out.
    mutating func file(_ identity: RecordIdentity, under dot: Dot?) {
        if let old = missing.removeValue(forKey: identity) {
            waiting[old.origin]?[identity] = nil
            if waiting[old.origin]?.isEmpty == true { waiting[old.origin] = nil }
        }
        guard let dot else { return }
        missing[identity] = dot
        waiting[dot.origin, default: [:]][identity] = dot.sequence
    }

    /// The states for which it is worth looking once more, now that so much is claimed.
    func released(by claims: VersionVector) -> [RecordIdentity] {
        claims.sorted.flatMap { origin, sequence in
            waiting[origin]?.filter { $0.value <= sequence }.map(\.key) ?? []
        }
    }
}
