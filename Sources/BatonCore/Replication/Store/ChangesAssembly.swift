/// Gathers the writes that a peer lacks for one batch: first the clears that were not sent yet, then the other writes.
///
/// A store offers it the writes behind the places of the request, clears first, each kind in the order of arrival,
/// until a write is refused.
package struct ChangesAssembly {
    private let request: ChangesRequest
    private var writes: [Write] = []
    private var bytes = 0
    private var next: Arrival
    private var clears: Arrival
    /// Whether a write was left for the next batch; then nothing more is to be offered.
    package private(set) var isAtEnd = false

    package init(_ request: ChangesRequest) {
        self.request = request
        (next, clears) = (request.after, request.clearsAfter)
    }

    /// Adds a clear behind `clearsAfter`; false if it is left for the next batch.
    package mutating func add(clear write: Write, at place: Arrival) -> Bool {
        guard receiveWrite(write) else { return false }
        clears = place
        return true
    }

    /// Whether a write behind `after` that is not a clear is to be offered; it is skipped if the peer has it.
    package mutating func wants(_ dot: (origin: Origin, sequence: UInt64), at place: Arrival) -> Bool {
        // Nothing is skipped before all clears are sent.
        if isAtEnd { return false }
        guard request.covered[dot.origin] >= dot.sequence else { return true }
        next = place
        return false
    }

    /// Adds a wanted write that is not a clear; false if it is left for the next batch.
    package mutating func add(_ write: Write, at place: Arrival) -> Bool {
        guard receiveWrite(write) else { return false }
        next = place
        return true
    }

    private mutating func receiveWrite(_ write: Write) -> Bool {
        guard !isAtEnd, bytes < request.bytes else {
            isAtEnd = true
            return false
        }
        writes.append(write)
        bytes += write.byteCount
        return true
    }

    /// Returns everything that was added, and the store's claims if no write was left; `head` is the last place that
    /// the store gave out.
    package func changes(upTo head: Arrival, claiming complete: VersionVector) -> Changes {
        if isAtEnd { return Changes(writes: writes, next: next, clears: clears, complete: nil) }
        return Changes(writes: writes, next: max(next, head), clears: max(clears, head), complete: complete)
    }
}
