/// The unanswered requests to continue an activity, both from this side and from the peer.
///
/// Their number is limited.
struct ContinueRequests: Sendable {
    private var last: UInt64 = 0
    /// The requests of this side that the peer has not answered yet.
    private var asked: Set<UInt64> = []
    /// The requests of the peer that this side has not answered yet.
    private var asking: Set<UInt64> = []

    /// Creates the number of a new request; returns nil if too many requests are unanswered.
    mutating func ask() -> UInt64? {
        guard asked.count < Limits.continuingRequests else { return nil }
        last += 1
        asked.insert(last)
        return last
    }

    /// Handles an answer of the peer; returns false if no unanswered request has this number.
    mutating func handleAnswer(_ number: UInt64) -> Bool { asked.remove(number) != nil }

    /// Handles a request of the peer; returns false if too many of its requests are unanswered or if one of them has
    /// the same number.
    mutating func handleRequest(_ number: UInt64) -> Bool {
        asking.count < Limits.continuingRequests && asking.insert(number).inserted
    }

    /// Records that this side answers a request; returns false if the peer does not wait for this answer.
    mutating func answer(_ number: UInt64) -> Bool { asking.remove(number) != nil }
}
