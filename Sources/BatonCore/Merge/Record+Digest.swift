extension Record {
    /// This record's part of the state digest: its key, its visible fields, and every stamp.
    ///
    /// Counters may exist beside a tombstone; the tombstone does not count.
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

    /// This record's part of the state digest at a time: empty if the record has expired.
    package func digest(at time: WallTime) -> StateDigest { isExpired(at: time) ? StateDigest() : digest }
}
