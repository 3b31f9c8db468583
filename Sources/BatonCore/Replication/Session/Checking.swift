/// Decides when two nodes that are in step compare their states.
///
/// A node sends a check of its state once the two are in step, and again after changes, but not until a pause after the
/// previous check is over. Only a change sets a timer, so that an idle session has none.
struct Checking: Sendable {
    private let pause: Duration
    private var rest: Rest
    /// Whether something has changed since this side last sent a check or the two compared.
    private var isChanged: Bool
    /// The purposes of the requests that the store has not answered yet, oldest first.
    private var asked: [Purpose] = []
    /// The peer's last check, if it has not been compared yet.
    private var told: Told?
    private var sentCount = 0
    private var receivedCount = 0
    /// Whether this side has sent a check since both sides finished the repair.
    private var hasToldRepaired = false
    /// How the last comparison ended, if there was one.
    private var outcome: Difference??

    /// When the next check may be sent.
    private enum Rest: Sendable {
        /// Immediately.
        case over
        /// After a pause that began at an unknown time, when a check was sent: at the first change, the driver is asked
        /// for the time.
        case begun
        case until(Instant)
    }

    /// A check that the peer sent.
    private struct Told: Sendable {
        let check: StateCheck
        /// Whether both sides had finished the repair by then.
        let isRepaired: Bool
    }

    private enum Purpose: Sendable {
        case tell
        case compare(Told)
    }

    /// The consequence of the store's answer.
    enum Outcome: Equatable, Sendable {
        case nothing
        case tell(StateCheck)
        case same(at: WallTime)
        /// The states differ, with expiry judged at this time.
        case differs(at: WallTime, isRepaired: Bool)
    }

    /// Begins after the first messages, which may have compared the states already.
    init(pause: Duration, isCompared: Bool) {
        self.pause = pause
        (rest, isChanged) = isCompared ? (.begun, false) : (.over, true)
    }

    // MARK: Events

    /// Called when the store has stored writes.
    mutating func handleChange() { isChanged = true }

    /// Called when the moment of `deadline` has come, and not before.
    mutating func handleDeadline(now: Instant) {
        if case .begun = rest { rest = .until(now + pause) } else { rest = .over }
    }

    /// Handles a check that the peer sent.
    ///
    /// A peer may send one check for each batch, and a few more; the limit exists because each check costs a query.
    mutating func handleCheck(_ check: StateCheck, in exchange: Exchange) throws(CloseReason) {
        receivedCount += 1
        guard receivedCount <= Self.most(in: exchange) else {
            throw CloseReason(.unexpected, "too many state checks")
        }
        told = Told(check: check, isRepaired: exchange.repair.isReceived)
    }

    /// Handles the store's answer, which is nil if the store has writes that it does not claim, or lacks what was
    /// garbage-collected.
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

    /// Records how a comparison ended; returns an event if the result differs from the previous one.
    mutating func recordDifference(_ difference: Difference?) -> SessionEvent? {
        guard outcome != .some(difference) else { return nil }
        outcome = .some(difference)
        return difference.map { .differed($0) } ?? .agreed
    }

    // MARK: Outputs

    /// Returns a request for a check of the store's state, if it is to be compared or sent now.
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

    /// Whether there may be a request, depending on the phase of the repair.
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

    /// When `handleDeadline(now:)` is due; a moment that has already passed makes the driver report the time.
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

    /// Returns how many checks either side may have sent by now.
    ///
    /// The receiver of a check has counted every batch that its sender had counted by then, so the receiver's limit is
    /// not lower.
    private static func most(in exchange: Exchange) -> Int {
        Limits.checksBeyondBatches + exchange.batchCount
    }
}

/// A difference between the states of two nodes that claim the same.
package enum Difference: Equatable, Sendable {
    /// The states differ; both nodes now send each other the writes of the parts that differ.
    case found
    /// They still differ after the repair.
    case remaining
}
