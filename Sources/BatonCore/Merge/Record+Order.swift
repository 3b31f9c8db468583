// Two writes never share a stamp unless a node is faulty, or times have run out; then the later dot decides, and
// where even dots are equal, content: the same everywhere. Only a deletion wins over every full write of its
// stamp: it leaves nothing of the updates that belong to the stamp, so that a full write could not bring them back.

extension Record {
    static func precedes(_ standing: Opening, _ candidate: Opening) -> Bool {
        switch (standing, candidate) {
        case (.awaited, .awaited): false
        case (.awaited, _), (.full, .deletion): true
        case (_, .awaited), (.deletion, .full): false
        case (.deletion(let standing), .deletion(let candidate)): standing < candidate
        case (.full(let standing, let content), .full(let candidate, let other)):
            standing == candidate
                ? content.encoded.lexicographicallyPrecedes(other.encoded) : standing < candidate
        }
    }

    static func precedes(_ standing: Update, _ candidate: Update) -> Bool {
        standing.origin == candidate.origin
            ? standing.value.lexicographicallyPrecedes(candidate.value) : standing.origin < candidate.origin
    }

    static func precedes(_ standing: Counter, _ candidate: Counter) -> Bool {
        if standing.begun != candidate.begun { return standing.begun < candidate.begun }
        return standing.origin == candidate.origin
            ? standing.value.lexicographicallyPrecedes(candidate.value) : standing.origin < candidate.origin
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
