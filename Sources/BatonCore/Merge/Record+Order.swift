// Two writes never share a stamp unless a node is faulty, the clock has run out of times, or a write was sent again
// under another dot. Then the later dot wins; between equal dots, the content decides, the same everywhere. Only a
// deletion wins over every full write with its stamp: it removes the updates that belong to the stamp, and a full write
// could not bring them back. The deletion takes the later dot, as if a clear had turned that full write into a
// deletion.

extension Record {
    /// Merges two openings that have the same stamp.
    static func joined(_ standing: Opening, _ arriving: Opening) -> Opening {
        switch (standing, arriving) {
        case (.awaited, let opening), (let opening, .awaited): opening
        case (.deletion(let dot), .deletion(let other)), (.deletion(let dot), .full(let other, _)),
            (.full(let dot, _), .deletion(let other)):
            .deletion(max(dot, other))
        case (.full(let dot, let content), .full(let other, let others)):
            if dot == other {
                content.encoded.lexicographicallyPrecedes(others.encoded) ? arriving : standing
            } else {
                dot < other ? arriving : standing
            }
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
    /// The encoding of this content by itself.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return writer.bytes
    }
}
