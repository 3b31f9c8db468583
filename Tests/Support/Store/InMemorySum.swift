import BatonCore

/// The sum of the digests of a lane's records, of which only those that changed are digested anew.
struct InMemorySum: Sendable {
    private var sum = StateDigest()
    /// What the records add to the sum.
    private var digests: [RecordIdentity: StateDigest] = [:]
    /// Those that changed since the sum was asked for last.
    private var changed: Set<RecordIdentity> = []

    /// A record changed, came or went.
    mutating func note(_ identity: RecordIdentity) { changed.insert(identity) }

    /// Brings the sum up to date and answers with it.
    mutating func update(of records: [RecordIdentity: Record]) -> StateDigest {
        // In whatever order: it is a sum.
        for identity in changed {
            if let digest = digests.removeValue(forKey: identity) { sum -= digest }
            guard let digest = records[identity]?.digest else { continue }
            sum += digest
            digests[identity] = digest
        }
        changed.removeAll()
        return sum
    }
}

extension InMemorySum: Equatable {
    /// Always: the sum follows from the records, and when it was brought up to date makes no difference.
    static func == (left: Self, right: Self) -> Bool { true }
}
