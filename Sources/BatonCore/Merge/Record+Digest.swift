extension Record {
    /// What this record adds to the digest of the state: its key, and every field with its stamp.
    ///
    /// Counters may live beside what is left of a deletion, which does not count.
    package var digest: StateDigest {
        guard isThere, identity.kind != .clear, let name else { return StateDigest() }
        var writer = CBORWriter()
        writer.unsigned(identity.kind.rawValue)
        writer.encoded(name)
        let begun = if case .full = opening { incarnation } else { Stamp.least }
        begun.encode(to: &writer)
        for (name, value, stamp) in visible {
            name.encode(to: &writer)
            writer.encoded(value)
            stamp.encode(to: &writer)
        }
        return StateDigest(of: writer.bytes)
    }
}
