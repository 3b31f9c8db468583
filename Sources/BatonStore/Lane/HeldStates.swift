import BatonCore

/// The client states that can't be shown yet, because each of them covers a transaction that this store does not claim.
///
/// Each state is stored under one such transaction. When a commit claims transactions, only the states under these
/// transactions are judged again.
struct HeldStates {
    private var missing: [RecordIdentity: Dot] = [:]
    private var waiting: [Origin: [RecordIdentity: UInt64]] = [:]

    var isEmpty: Bool { missing.isEmpty }

    /// Stores a state under a transaction for which it waits, or removes the state if `dot` is nil.
    mutating func file(_ identity: RecordIdentity, under dot: Dot?) {
        if let old = missing.removeValue(forKey: identity) {
            waiting[old.origin]?[identity] = nil
            if waiting[old.origin]?.isEmpty == true { waiting[old.origin] = nil }
        }
        guard let dot else { return }
        missing[identity] = dot
        waiting[dot.origin, default: [:]][identity] = dot.sequence
    }

    /// Returns the states that may be shown after these new claims.
    func released(by claims: VersionVector) -> [RecordIdentity] {
        claims.sorted.flatMap { origin, sequence in
            waiting[origin]?.filter { $0.value <= sequence }.map(\.key) ?? []
        }
    }
}
