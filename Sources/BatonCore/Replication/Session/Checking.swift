/// Decides when two nodes that are in step compare their states.
///
/// A node sends a check of its state when both nodes are in step, and again after changes. Between two checks there is
/// a pause. Only a change sets a timer, so an idle session has no timer.
struct Checking: Sendable {
    private let pause: Duration
    private var rest: Rest
    /// Whether the store has changed since this side last sent a check, or since the first messages compared the
    /// states.
    private var isChanged: Bool
    /// The purpose of each request to the store that is not answered yet, oldest first.
    private var asked: [Purpose] = []
    /// The peer's last check; nil if it was compared already.
    private var told: Told?
    private var sentCount = 0
    private var receivedCount = 0
    /// Whether this side has sent a check since the repair was finished.
    private var hasToldRepaired = false
    /// The result of the last comparison; nil if there was none.
    private var outcome: Difference??

    /// The time when the next check may be sent.
    private enum Rest: Sendable {
        /// The pause is over, so the next check may be sent immediately.
        case over
        /// The pause began when a check was sent, at a time that is unknown here.
        ///
        /// At the first change, the driver is asked for the time.
        case begun
        case until(Instant)
    }

    /// A check that the peer sent.
    private struct Told: Sendable {
        let check: StateCheck
        /// Whether both sides had finished the repair when the check was sent.
        let isRepaired: Bool
    }

    private enum Purpose: Sendable {
        case tell
        case compare(Told)
    }

    /// The result of handling the store's answer.
    enum Outcome: Equatable, Sendable {
        case nothing
        case tell(StateCheck)
        case same(at: WallTime)
        /// The states differ if records count as expired by this time.
        case differs(at: WallTime, isRepaired: Bool)
    }

    /// Creates the state after the first messages.
    ///
    /// These messages may have compared the states already.
    init(pause: Duration, isCompared: Bool) {
        self.pause = pause
        (rest, isChanged) = isCompared ? (.begun, false) : (.over, true)
    }

    // MARK: Events

    /// Called when the store has stored writes.
    mutating func handleChange() { isChanged = true }

    /// Called when the time in `deadline` has come, and not earlier.
    mutating func handleDeadline(now: Instant) {
        if case .begun = rest { rest = .until(now + pause) } else { rest = .over }
    }

    /// Handles a check that the peer sent.
    ///
    /// A peer may send one check for each batch, and a few more. There is a limit because each check costs a query.
    mutating func handleCheck(_ check: StateCheck, in exchange: Exchange) throws(CloseReason) {
        receivedCount += 1
        guard receivedCount <= Self.most(in: exchange) else {
            throw CloseReason(.unexpected, "too many state checks")
        }
        told = Told(check: check, isRepaired: exchange.repair.isReceived)
    }

    /// Handles the store's answer.
    ///
    /// The answer is nil if the store has writes that it does not claim, or lacks writes that were garbage-collected.
    mutating func handleOwnCheck(_ own: StateCheck?) -> Outcome {
        precondition(!asked.isEmpty, "the store answers only what it was asked")
        switch (asked.removeFirst(), own) {
        case (_, nil): return .nothing
        case (.tell, let own?):
            (rest, sentCount) = (.begun, sentCount + 1)
            return .tell(own)
        case (.compare(let told), let own?):
            guard told.check.complete == own.complete else { return .nothing }
            precondition(told.check.time == own.time, "two states are compared at one time")
            return told.check.state == own.state
                ? .same(at: own.time) : .differs(at: own.time, isRepaired: told.isRepaired)
        }
    }

    /// Records the result of a comparison; returns an event if the result differs from the previous one.
    mutating func recordDifference(_ difference: Difference?) -> SessionEvent? {
        guard outcome != .some(difference) else { return nil }
        outcome = .some(difference)
        return difference.map { .differed($0) } ?? .agreed
    }

    // MARK: Outputs

    /// Returns a request for a check of the store's state, if a check must be compared or sent now.
    mutating func nextRequest(in exchange: Exchange) -> StoreRequest? {
        if let told, !isComparing {
            self.told = nil
            asked.append(.compare(told))
            return .check(at: told.check.time)
        }
        guard mayTell(in: exchange.repair.phase), sentCount < Self.most(in: exchange), exchange.isInStep
        else {
            return nil
        }
        if exchange.repair.phase == .over { hasToldRepaired = true }
        isChanged = false
        asked.append(.tell)
        return .check(at: nil)
    }

    /// Whether `nextRequest(in:)` may return a request in this phase of the repair.
    func mayAsk(in phase: DivergenceRepair.Phase) -> Bool {
        told != nil && !isComparing || mayTell(in: phase)
    }

    private func mayTell(in phase: DivergenceRepair.Phase) -> Bool {
        guard !isTelling else { return false }
        switch phase {
        case .underWay: return false
        case .over where !hasToldRepaired: return true
        case .over, .idle:
            guard case .over = rest else { return false }
            return isChanged
        }
    }

    // MARK: Queries

    /// The time when `handleDeadline(now:)` must be called; nil if it need not be called.
    ///
    /// A time in the past makes the driver report the current time.
    var deadline: Instant? {
        guard isChanged else { return nil }
        switch rest {
        case .over: return nil
        case .begun: return Instant(nanoseconds: 0)
        case .until(let end): return end
        }
    }

    private var isTelling: Bool { asked.contains { if case .tell = $0 { true } else { false } } }

    private var isComparing: Bool { asked.contains { if case .compare = $0 { true } else { false } } }

    /// Returns the number of checks that each side may have sent by now.
    ///
    /// When a check arrives, its receiver has counted every batch that the sender had counted when it sent the check.
    /// So the receiver's limit is not lower than the sender's.
    private static func most(in exchange: Exchange) -> Int {
        Limits.checksBeyondBatches + exchange.batchCount
    }
}

/// A difference between the states of two nodes with the same claims.
package enum Difference: Equatable, Sendable {
    /// The states differ.
    ///
    /// Both nodes now send each other the writes of the parts that differ.
    case found
    /// The states still differ after the repair.
    case remaining
}
