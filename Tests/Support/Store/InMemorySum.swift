import BatonCore

/// The sum of the digests of a lane's records; only changed records are digested anew.
struct InMemorySum: Sendable {
    private var sum = StateDigest()
    /// The digests of the records in the sum.
    private var digests: [RecordIdentity: StateDigest] = [:]
    /// The expirations of the records that have one.
    private var expirations: [RecordIdentity: WallTime] = [:]
    /// The records that changed since the sum was last read.
    private var changed: Set<RecordIdentity> = []

    /// Notes that a record changed, came or went.
    mutating func note(_ identity: RecordIdentity) { changed.insert(identity) }

    /// Updates the sum, and returns the part of it that has not expired at that time.
    mutating func update(of records: [RecordIdentity: Record], at time: WallTime) -> StateDigest {
        // In any order: addition is commutative.
        for identity in changed {
            if let digest = digests.removeValue(forKey: identity) { sum -= digest }
            expirations[identity] = records[identity]?.expiration
            guard let digest = records[identity]?.digest else { continue }
            sum += digest
            digests[identity] = digest
        }
        changed.removeAll()
        #if MISTAKES
            if Faults.isPlanted(.expiredCompared) { return sum }
        #endif
        return expirations.reduce(into: sum) { sum, expiration in
            if expiration.value <= time, let digest = digests[expiration.key] { sum -= digest }
        }
    }
}

extension InMemorySum: Equatable {
    /// Always true: the sum follows from the records, and the time of its last update makes no difference.
    static func == (left: Self, right: Self) -> Bool { true }
}
