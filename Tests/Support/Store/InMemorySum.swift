import BatonCore

/// The sum of the digests of a lane's records, of which only those that changed are digested anew.
struct InMemorySum: Sendable {
    private var sum = StateDigest()
    /// What the records add to the sum.
    private var digests: [RecordIdentity: StateDigest] = [:]
    /// When those of them expire that do.
    private var expirations: [RecordIdentity: WallTime] = [:]
    /// Those that changed since the sum was asked for last.
    private var changed: Set<RecordIdentity> = []

    /// A record changed, came or went.
    mutating func note(_ identity: RecordIdentity) { changed.insert(identity) }

    /// Brings the sum up to date and answers with what has not expired of it at that time.
    mutating func update(of records: [RecordIdentity: Record], at time: WallTime) -> StateDigest {
        // In whatever order: it is a sum.
        for identity in changed {
            if let digest = digests.removeValue(forKey: identity) { sum -= digest }
            expirations[identity] = records[identity]?.expiration
            guard let digest = records[identity]?.digest else { continue }
            sum += digest
            digests[identity] = digest
        }
        changed.removeAll()
        #if DEBUG
            if Faults.isPlanted(.expiredCompared) { return sum }
        #endif
        return expirations.reduce(into: sum) { sum, expiration in
            if expiration.value <= time, let digest = digests[expiration.key] { sum -= digest }
        }
    }
}

extension InMemorySum: Equatable {
    /// Always: the sum follows from the records, and when it was brought up to date makes no difference.
    static func == (left: Self, right: Self) -> Bool { true }
}
