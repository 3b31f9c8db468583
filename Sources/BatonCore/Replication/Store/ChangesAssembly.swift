/// Collects the writes that a peer lacks for one batch.
///
/// The clears that were not sent yet come first, and then the other writes.
///
/// The store offers the writes after the places in the request: first the clears and then the other writes, each in the
/// order of arrival. The store stops when a write is refused.
package struct ChangesAssembly {
    private let request: ChangesRequest
    private var writes: [Write] = []
    private var bytes = 0
    private var next: Arrival
    private var clears: Arrival
    /// Whether a write was left for the next batch.
    ///
    /// If so, the store need not offer any more writes.
    package private(set) var isAtEnd = false

    package init(_ request: ChangesRequest) {
        self.request = request
        (next, clears) = (request.after, request.clearsAfter)
    }

    /// Adds a clear whose place is after `clearsAfter`; returns false if it is left for the next batch.
    package mutating func add(clear write: Write, at place: Arrival) -> Bool {
        guard receiveWrite(write) else { return false }
        clears = place
        return true
    }

    /// Whether the store should offer this write, which is not a clear and whose place is after `after`.
    ///
    /// A write that the peer already has is skipped.
    package mutating func wants(_ dot: (origin: Origin, sequence: UInt64), at place: Arrival) -> Bool {
        // If some clears were left for the next batch, no write may be skipped yet.
        if isAtEnd { return false }
        guard request.covered[dot.origin] >= dot.sequence else { return true }
        next = place
        return false
    }

    /// Adds a write that is not a clear and that `wants` accepted; returns false if it is left for the next batch.
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

    /// Returns everything that was added.
    ///
    /// If no write was left for the next batch, it includes the store's claims. `head` is the last place that the store
    /// gave to a write.
    package func changes(upTo head: Arrival, claiming complete: VersionVector) -> Changes {
        if isAtEnd { return Changes(writes: writes, next: next, clears: clears, complete: nil) }
        return Changes(writes: writes, next: max(next, head), clears: max(clears, head), complete: complete)
    }
}
