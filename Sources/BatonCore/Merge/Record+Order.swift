// Two writes never share a stamp unless a node is faulty, or times have run out, or one was told anew with another
// dot; then the later dot decides, and where even dots are equal, content: the same everywhere. Only a deletion wins
// over every full write of its stamp: it leaves nothing of the updates that belong to the stamp, so that a full write
// could not bring them back. It takes the later dot, as it would if a clear had made it of that full write.

extension Record {
    /// What two openings of one stamp amount to.
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
    /// The encoding of this content alone.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return writer.bytes
    }
}
