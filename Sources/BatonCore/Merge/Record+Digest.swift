extension Record {
    /// What this record adds to the digest of the state: its key, its fields as they are seen, and every stamp.
    ///
    /// Counters may live beside what is left of a deletion, which does not count.
    package var digest: StateDigest {
        guard isThere, !identity.kind.isClear, let name, let fields else { return StateDigest() }
        var writer = CBORWriter(reserving: name.count + fields.encodedCount + 64)
        writer.unsigned(identity.kind.rawValue)
        writer.encoded(name)
        let begun = if case .full = opening { incarnation } else { Stamp.least }
        begun.encode(to: &writer)
        fields.encode(to: &writer)
        for (name, change) in changes.sorted(by: { $0.key < $1.key }) {
            name.encode(to: &writer)
            change.stamp.encode(to: &writer)
        }
        return StateDigest(of: writer.bytes)
    }

    /// What this record adds to the digest of the state at a time: nothing if it has expired.
    package func digest(at time: WallTime) -> StateDigest { isExpired(at: time) ? StateDigest() : digest }
}
