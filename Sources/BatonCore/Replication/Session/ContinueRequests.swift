/// The unanswered requests to continue in either direction, limited in number.
struct ContinueRequests: Sendable {
    private var last: UInt64 = 0
    /// The requests that the peer has not answered yet.
    private var asked: Set<UInt64> = []
    /// The requests that the peer waits for.
    private var asking: Set<UInt64> = []

    /// Begins another request; returns its number, or nil if too many are unanswered.
    mutating func ask() -> UInt64? {
        guard asked.count < Limits.continuingRequests else { return nil }
        last += 1
        asked.insert(last)
        return last
    }

    /// Handles an answer of the peer; false if no unanswered request has that number.
    mutating func handleAnswer(_ number: UInt64) -> Bool { asked.remove(number) != nil }

    /// Handles a request of the peer; false if too many are unanswered, or one of these has the same number.
    mutating func handleRequest(_ number: UInt64) -> Bool {
        asking.count < Limits.continuingRequests && asking.insert(number).inserted
    }

    /// Notes that this side answers a request; false if the peer does not wait for an answer to it.
    mutating func answer(_ number: UInt64) -> Bool { asking.remove(number) != nil }
}
