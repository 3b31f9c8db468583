package import BatonCore

/// The place of the store under test.
///
/// Reopening it, with no other one open, finds everything that was stored.
package struct StoreHome {
    package let open: () throws -> any AccountStore

    package init(open: @escaping () throws -> any AccountStore) { self.open = open }
}

/// The contract of every store of account state.
///
/// Each check begins with an empty home, and throws a `StoreViolation` where the store breaks the contract.
///
/// A test target runs them all with `@Test(arguments: StoreConformance.checks, seeds)`.
package enum StoreConformance {
    package static let checks: [StoreCheck] =
        contract + clearing + comparisons + resuming + newerVersion + faulty + collection + quarantine
        + states
        + statesCleared + stateHistories + repair + strays + succession + forgetting + setBack + twoSnapshots
        + doubts + batches + unsettledRanges + expiry + lanes + reach

    /// Fails the check unless the claim is true.
    static func require(_ claim: Bool, _ sentence: @autoclosure () -> String) throws(StoreViolation) {
        guard claim else { throw StoreViolation(description: sentence()) }
    }

    /// Fails the check unless the two values are equal.
    static func require<Value: Equatable>(
        _ found: Value, is expected: Value, _ what: @autoclosure () -> String
    ) throws(StoreViolation) {
        guard found == expected else {
            throw StoreViolation(description: "\(what()): found \(found), expected \(expected)")
        }
    }

    /// Reads everything of a lane that a peer lacks, in parts of about this many bytes.
    static func read(
        _ store: any AccountStore, _ lane: Lane, after: Arrival = .none,
        covered: VersionVector = VersionVector(),
        bytes: Int = .max
    ) throws -> (writes: [Write], next: Arrival, complete: VersionVector) {
        var (writes, next, clears): ([Write], Arrival, Arrival) = ([], after, after)
        while true {
            let request = ChangesRequest(
                lane: lane, after: next, clearsAfter: clears, covered: covered, bytes: bytes)
            let changes = try store.delta(request)
            writes += changes.writes
            try require(changes.next >= next && changes.clears >= clears, "reading goes forward")
            if let complete = changes.complete { return (writes, changes.next, complete) }
            try require(
                changes.next > next || changes.clears > clears, "a part that is not the last goes forward")
            try require(!changes.writes.isEmpty, "a part that is not the last has a write")
            (next, clears) = (changes.next, changes.clears)
        }
    }
}

/// One requirement of every store.
package struct StoreCheck: Sendable, CustomStringConvertible {
    /// The requirement, as a sentence.
    package let description: String
    /// Runs the check on a new home, with draws from the seed.
    package let run: @Sendable (_ home: StoreHome, _ seed: UInt64) throws -> Void

    init(_ description: String, _ run: @escaping @Sendable (StoreHome, UInt64) throws -> Void) {
        (self.description, self.run) = (description, run)
    }
}

/// A violation of the contract by a store.
package struct StoreViolation: Error, CustomStringConvertible {
    package let description: String
}
