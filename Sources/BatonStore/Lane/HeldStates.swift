import BatonCore

/// Client states that can't be shown yet, because they cover something that is not claimed.
///
/// Each is filed under one missing transaction, so that a commit judges only the states that it may release.
struct HeldStates {
    private var missing: [RecordIdentity: Dot] = [:]
    private var waiting: [Origin: [RecordIdentity: UInt64]] = [:]

    var isEmpty: Bool { missing.isEmpty }

    /// Files a state under a transaction that it lacks, or removes the state if `dot` is nil.
    mutating func file(_ identity: RecordIdentity, under dot: Dot?) {
        if let old = missing.removeValue(forKey: identity) {
            waiting[old.origin]?[identity] = nil
            if waiting[old.origin]?.isEmpty == true { waiting[old.origin] = nil }
        }
        guard let dot else { return }
        missing[identity] = dot
        waiting[dot.origin, default: [:]][identity] = dot.sequence
    }

    /// Returns the states that these new claims may release.
    func released(by claims: VersionVector) -> [RecordIdentity] {
        claims.sorted.flatMap { origin, sequence in
            waiting[origin]?.filter { $0.value <= sequence }.map(\.key) ?? []
        }
    }
}
