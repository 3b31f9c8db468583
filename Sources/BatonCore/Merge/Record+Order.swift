// Two writes never share a stamp unless a node is faulty; then content decides, the same everywhere.

extension Record {
    static func precedes(_ standing: Opening, _ candidate: Opening) -> Bool {
        switch (standing, candidate) {
        case (.awaited, .awaited): false
        case (.awaited, _), (.full, .deletion): true
        case (_, .awaited), (.deletion, .full): false
        case (.deletion(let standing), .deletion(let candidate)): standing < candidate
        case (.full(let standing, let content), .full(let candidate, let other)):
            // As for deletions the dot comes first, so that the same one stands before and after a clear.
            standing == candidate
                ? content.encoded.lexicographicallyPrecedes(other.encoded) : standing < candidate
        }
    }

    static func precedes(_ standing: Update, _ candidate: Update) -> Bool {
        if standing.origin.stamp != candidate.origin.stamp { return standing.origin < candidate.origin }
        return standing.value == candidate.value
            ? standing.origin < candidate.origin : standing.value.lexicographicallyPrecedes(candidate.value)
    }

    static func precedes(_ standing: Counter, _ candidate: Counter) -> Bool {
        if standing.begun != candidate.begun { return standing.begun < candidate.begun }
        if standing.origin.stamp != candidate.origin.stamp { return standing.origin < candidate.origin }
        return standing.value == candidate.value
            ? standing.origin < candidate.origin : standing.value.lexicographicallyPrecedes(candidate.value)
    }
}

extension Write.Content {
    /// The encoding of this content alone.
    fileprivate var encoded: [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return writer.bytes
    }
}
